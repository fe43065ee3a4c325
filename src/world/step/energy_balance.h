/*  The energy balance: where energy comes from and where it goes. Only if def.energy_balance is set.

    Each body has energy terms (SCREE_ACCOUNT_DAMPING and following). Losses of a contact of two bodies are recorded
    with the first; the terms of a removed body are added to those of the world. The terms of a body are summed in
    the order of its contacts, and sums over bodies are exact (base/exact_sum.h), so no value depends on threads or
    on the order of bodies in memory.

    Nothing is recorded for ghosts: the world that owns the body does that, and the balances of all worlds close
    together.

    The work in a step is force times velocity times dt, with the forces reported by contact models at its end; for
    loads with the mean of the velocities at both ends. So the balance closes as well as the integrator conserves
    energy: to the order of dt during an impact, and better over a whole impact. */
#ifndef SCREE_WORLD_ENERGY_BALANCE_H
#define SCREE_WORLD_ENERGY_BALANCE_H

#include "world/state/course.h"

/*  Called before a step is accepted. The states before and after exist, and contact models have reported. */
void scree_energy_balance_record_step(scree_world *world, double dt);
/*  Called when forces were evaluated without a step. A change of elastic energy was caused by bodies that were
    added, removed or changed. It is recorded with the next step. */
scree_status scree_energy_balance_find_change(scree_world *world);

/*  Called before the host's force function; scree_energy_balance_after_host after it. There must be room. */
scree_status scree_energy_balance_reserve_for_host(scree_world *world); /* SCREE_OUT_OF_MEMORY */
void scree_energy_balance_before_host(scree_world *world);
void scree_energy_balance_after_host(scree_world *world);

/*  A body has been added; is about to be removed; has been changed from `before`. With an energy balance the clock
    has the terms. */
void scree_energy_balance_enter(const scree_world_def *def, const scree_body_arrays *bodies,
                                uint32_t slot, scree_course *clock);
void scree_energy_balance_leave(const scree_world_def *def, const scree_body_arrays *bodies,
                                uint32_t slot, scree_course *clock);
void scree_energy_balance_change(const scree_world_def *def, const scree_body_arrays *bodies,
                                 uint32_t slot, double before, scree_course *clock);

/*  Gravity has changed from `before`. */
void scree_energy_balance_change_gravity(const scree_world_def *def,
                                         const scree_body_arrays *bodies, const double before[3],
                                         scree_course *clock);

#endif
