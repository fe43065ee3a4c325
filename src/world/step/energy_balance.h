/*  The energy balance: where energy comes from and where it goes. Kept where def.energy_balance says so.

    Each body has an account (SCREE_ACCOUNT_DAMPING and on). What a contact of two bodies loses is booked on the
    first; what a body that is removed had is booked on the world. A body's own sums go in the order of its
    contacts, sums over bodies are exact (base/exact_sum.h): no number depends on threads or on where bodies lie.
    Nothing is booked on ghosts: their owner does, and the books of all owners close together.

    What is booked for a step is force times velocity times dt, of the forces that laws report at its end, and
    for loads with the mean of the velocities at both ends. So the books close as well as the integrator keeps
    energy: to the order of dt while something happens, and better over a whole impact. */
#ifndef SCREE_WORLD_ENERGY_BALANCE_H
#define SCREE_WORLD_ENERGY_BALANCE_H

#include "world/state/course.h"

/*  The step is about to be taken: states before and after are there, and what contacts reported. */
void scree_ledger_book_step(scree_world *world, double dt);
/*  Forces were found anew with no step between: what contacts store now and did not before was brought by
    bodies that came, or taken by those that went or were changed. Booked with the step that follows. */
void scree_ledger_find_change(scree_world *world);

/*  Around the host's function of forces. SCREE_OUT_OF_MEMORY. */
scree_status scree_ledger_before_host(scree_world *world);
void scree_ledger_after_host(scree_world *world);

/*  A body has been added; is about to be removed; has been changed from what `before` says. Where an energy balance is kept the clock
    has its books. */
void scree_ledger_enter(const scree_world_def *def, const scree_crowd *bodies, uint32_t slot,
                        scree_course *clock);
void scree_ledger_leave(const scree_world_def *def, const scree_crowd *bodies, uint32_t slot,
                        scree_course *clock);
void scree_ledger_change(const scree_world_def *def, const scree_crowd *bodies, uint32_t slot,
                         double before, scree_course *clock);

/*  Gravity has changed from `before`. */
void scree_ledger_change_gravity(const scree_world_def *def, const scree_crowd *bodies,
                                 const double before[3], scree_course *clock);

#endif
