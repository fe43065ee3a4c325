/*  Records energy terms of each body. */
#include "world/step/energy_balance.h"

#include "base/exact_sum.h"
#include "base/vector.h"
#include "world/state/body_blocks.h"
#include "world/state/body_energy.h"
#include "world/state/rotation.h"
#include "world/step/joint_step.h"
#include "world/step/room_data.h"
#include "world/step/step_hooks.h"
#include "world/step/world_data.h"

#include <math.h>
#include <string.h>

/* ---- contacts ---- */

/*  For the contacts that are recorded with a body: elastic energy now, losses in this step, and work of walls. */
typedef struct contact_sums
{
    double stored, lost[SCREE_LOSSES], given;
    double boundary_power; /* W: power of images that move relative to their bodies */
} contact_sums;

/*  A contact model sees the second body with the velocity of its image. The work of the difference is done by the
    cell. */
static double given_by_image(const scree_strain *cell, const scree_body_arrays *bodies,
                             uint32_t first, uint32_t second, const double force[3])
{
    double speed[3];

    scree_strain_image_speed(cell, bodies, first, second, speed);
    return scree_dot(force, speed);
}

static contact_sums sum_contacts(const scree_found_contacts *contacts, const scree_strain *cell,
                                 uint32_t slot)
{
    scree_contact_walk walk = scree_contacts_of(contacts, slot);
    contact_sums sums = {0};

    for (scree_found_contact c; scree_next_contact(&walk, &c);) {
        const double *account = scree_account_of(contacts, &c);
        if (c.is_second)
            continue;
        sums.stored += account[0];
        for (int k = 0; k < SCREE_LOSSES; k++)
            sums.lost[k] += account[1 + k];
        if (c.list != SCREE_IN_PAIRS)
            sums.given += account[1 + SCREE_LOSSES];
        if (cell->is_moving && c.second != UINT32_MAX)
            sums.boundary_power += given_by_image(cell, contacts->bodies, c.first, c.second,
                                                  scree_force_of(contacts, &c));
    }
    return sums;
}

/* ---- other forces ---- */

/*  The force without the damping that sum_forces.c has applied: removes the drag first, then the local share, which
    has not changed the sign. */
static double undamped(const scree_world_def *def, double force, double velocity, double momentum)
{
    double share = def->local_damping;
    double dragless = force + def->global_damping * momentum;

    if (velocity == 0 || dragless == 0)
        return dragless;
    return dragless / (1 - share * copysign(1, dragless) * copysign(1, velocity));
}

/*  State at one end of the step: force and torque, velocity and angular velocity, and the momentum on which drag
    acts. */
typedef struct motion
{
    double force[6], velocity[6], momentum[6];
} motion;

static void read_motion(const double *force, const double *torque, const double *velocity,
                        const double *spin, motion *m)
{
    memcpy(m->force, force, 3 * sizeof *force);
    memcpy(m->force + 3, torque, 3 * sizeof *torque);
    memcpy(m->velocity, velocity, 3 * sizeof *velocity);
    memcpy(m->velocity + 3, spin, 3 * sizeof *spin);
}

/*  Rotational damping acts on angular momentum. For the end of the step the one before the step is used, transformed
    back: for spheres they are proportional to angular velocity. */
static void read_ends(const scree_body_arrays *bodies, uint32_t slot, motion *before, motion *after)
{
    double mass = bodies->inertia[slot][3], inertia;

    read_motion(bodies->force_before[slot], bodies->torque_before[slot],
                bodies->velocity_before[slot], bodies->spin_before[slot], before);
    read_motion(bodies->force[slot], bodies->torque[slot], bodies->velocity[slot],
                bodies->spin[slot], after);
    for (int k = 0; k < 3; k++) {
        before->momentum[k] = mass * before->velocity[k];
        after->momentum[k] = mass * after->velocity[k];
    }
    scree_body_momentum(bodies, slot, after->momentum + 3);
    if (bodies->spin[slot][3] != 0) {
        inertia = 1 / bodies->spin[slot][3];
        for (int k = 3; k < 6; k++)
            before->momentum[k] = inertia * before->velocity[k];
    } else {
        memcpy(before->momentum + 3, after->momentum + 3, 3 * sizeof *after->momentum);
    }
}

/*  `host`: force and torque of the host's function, or NULL. */
static void book_body(const scree_world_def *def, scree_body_arrays *bodies, uint32_t slot,
                      const double *host, double dt)
{
    const double *load = bodies->keeps[SCREE_KEEP_LOADS] ? bodies->load[slot] : NULL;
    double *account = bodies->account[slot], damping = 0, loads = 0, held = 0;
    uint32_t flags = scree_body_held(bodies->flags[slot][0]);
    motion before, after;

    read_ends(bodies, slot, &before, &after);
    for (int k = 0; k < 6; k++) {
        double mean = 0.5 * (before.velocity[k] + after.velocity[k]);
        double free_before = undamped(def, before.force[k], before.velocity[k], before.momentum[k]);
        double free_after = undamped(def, after.force[k], after.velocity[k], after.momentum[k]);
        double applied = (load ? load[k] : 0) + (host ? host[k] : 0);
        damping += 0.5 * ((free_before - before.force[k]) * before.velocity[k] +
                          (free_after - after.force[k]) * after.velocity[k]);
        loads += applied * mean;
        if (flags >> k & 1)
            held -= 0.5 * (before.force[k] + after.force[k]) * mean;
    }
    account[SCREE_ACCOUNT_BODY_DAMPING] += damping * dt;
    account[SCREE_ACCOUNT_LOADS] += loads * dt;
    account[SCREE_ACCOUNT_WALLS] += held * dt;
}

/* ---- a step ---- */

typedef struct booking
{
    scree_world *world;
    scree_found_contacts contacts;
    double dt;
} booking;

static void book_block(void *data, const scree_body_block *block)
{
    const booking *run = data;
    scree_world *world = run->world;

    for (uint32_t slot = block->begin; slot < block->end; slot++) {
        double *account = world->bodies.account[slot];
        if (scree_is_ghost(&world->bodies, slot))
            continue;
        contact_sums sums = sum_contacts(&run->contacts, &world->cell, slot);
        account[SCREE_ACCOUNT_ELASTIC] = sums.stored;
        account[SCREE_ACCOUNT_DAMPING] += sums.lost[SCREE_LOSS_DAMPING];
        account[SCREE_ACCOUNT_FRICTION] += sums.lost[SCREE_LOSS_FRICTION];
        account[SCREE_ACCOUNT_ROLLING] += sums.lost[SCREE_LOSS_ROLLING];
        account[SCREE_ACCOUNT_WALLS] += sums.given;
        account[SCREE_ACCOUNT_BOUNDARY] += sums.boundary_power * run->dt;
        book_body(&world->def, &world->bodies, slot,
                  world->force ? world->energy_balance.host[slot] : NULL, run->dt);
    }
}

void scree_energy_balance_record_step(scree_world *world, double dt)
{
    booking run = {world, scree_world_found_contacts(world), dt};

    if (!world->def.energy_balance)
        return;
    /* local time stepping has recorded its steps already */
    if (world->def.step.local_steps == 0)
        scree_body_blocks_run(&world->workers, world->bodies.count, book_block, &run);
    world->clock.entered += world->energy_balance.brought;
    world->clock.removed += world->energy_balance.taken;
    world->energy_balance.brought = world->energy_balance.taken = 0;
}

/*  Only stored: the step may still be refused, and then the change is found again. */
scree_status scree_energy_balance_find_change(scree_world *world)
{
    const scree_found_contacts contacts = scree_world_found_contacts(world);
    scree_exact_sum sums[2]; /* of what is more, and of what is less */
    scree_status status = SCREE_OK;

    if (!world->def.energy_balance)
        return SCREE_OK;
    scree_exact_clear(&sums[0]);
    scree_exact_clear(&sums[1]);
    for (uint32_t slot = 0; slot < world->bodies.count; slot++) {
        if (scree_is_ghost(&world->bodies, slot))
            continue;
        double change = sum_contacts(&contacts, &world->cell, slot).stored -
                        world->bodies.account[slot][SCREE_ACCOUNT_ELASTIC];
        scree_exact_add(&sums[change > 0 ? 0 : 1], change);
    }
    scree_joints_find_change(&world->joints, sums);
    if (world->hooks && world->hooks->sum)
        status = world->hooks->sum(world->hooks->user, sums, 2);
    world->energy_balance.brought = scree_exact_value(&sums[0]);
    world->energy_balance.taken = -scree_exact_value(&sums[1]);
    return status;
}

/* ---- the host's function ---- */

static void copy_forces(const scree_body_arrays *bodies, uint32_t slot, double copy[6])
{
    memcpy(copy, bodies->force[slot], 3 * sizeof *copy);
    memcpy(copy + 3, bodies->torque[slot], 3 * sizeof *copy);
}

scree_status scree_energy_balance_reserve_for_host(scree_world *world)
{
    if (world->def.energy_balance &&
        scree_memory_reserve(&world->memory, &world->energy_balance.host,
                             &world->energy_balance.host_capacity, world->bodies.count,
                             sizeof *world->energy_balance.host))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY,
                          "world: the energy balance: out of memory");
    return SCREE_OK;
}

void scree_energy_balance_before_host(scree_world *world)
{
    const scree_body_arrays *bodies = &world->bodies;

    for (uint32_t slot = 0; world->def.energy_balance && slot < bodies->count; slot++)
        copy_forces(bodies, slot, world->energy_balance.host[slot]);
}

void scree_energy_balance_after_host(scree_world *world)
{
    double after[6];

    for (uint32_t slot = 0; world->def.energy_balance && slot < world->bodies.count; slot++) {
        copy_forces(&world->bodies, slot, after);
        for (int k = 0; k < 6; k++)
            world->energy_balance.host[slot][k] = after[k] - world->energy_balance.host[slot][k];
    }
}

/* ---- bodies that come, go and change ---- */

void scree_energy_balance_enter(const scree_world_def *def, const scree_body_arrays *bodies,
                                uint32_t slot, scree_course *clock)
{
    if (def->energy_balance)
        clock->entered += scree_body_energy(bodies, def->gravity, slot);
}

/*  The elastic energy of its contacts as second body is recorded with their first bodies, and subtracted at the next
    evaluation. */
void scree_energy_balance_leave(const scree_world_def *def, const scree_body_arrays *bodies,
                                uint32_t slot, scree_course *clock)
{
    const double *account;

    if (!def->energy_balance)
        return;
    account = bodies->account[slot];
    clock->removed +=
        scree_body_energy(bodies, def->gravity, slot) + account[SCREE_ACCOUNT_ELASTIC];
    for (int k = 0; k < SCREE_ACCOUNTS; k++)
        if (k != SCREE_ACCOUNT_ELASTIC)
            clock->accounts[k] += account[k];
}

/*  An increase counts as entered, a decrease as removed. */
void scree_energy_balance_change(const scree_world_def *def, const scree_body_arrays *bodies,
                                 uint32_t slot, double before, scree_course *clock)
{
    double change = scree_body_energy(bodies, def->gravity, slot) - before;

    if (def->energy_balance && change > 0)
        clock->entered += change;
    else if (def->energy_balance)
        clock->removed -= change;
}

void scree_energy_balance_change_gravity(const scree_world_def *def,
                                         const scree_body_arrays *bodies, const double before[3],
                                         scree_course *clock)
{
    double change[3];
    scree_exact_sum given;

    if (!def->energy_balance)
        return;
    for (int k = 0; k < 3; k++)
        change[k] = def->gravity[k] - before[k];
    scree_exact_clear(&given);
    for (uint32_t slot = 0; slot < bodies->count; slot++)
        if (!scree_is_ghost(bodies, slot))
            scree_exact_add(&given,
                            -bodies->inertia[slot][3] * scree_dot(change, bodies->position[slot]));
    clock->accounts[SCREE_ACCOUNT_LOADS] += scree_exact_value(&given);
}
