/*  Totals over all bodies. Sums are exact, so the order in memory makes no difference. */
#include "base/exact_sum.h"
#include "world/state/body_energy.h"
#include "world/state/rotation.h"
#include "world/step/energy_balance.h"
#include "world/step/world_data.h"

/* ---- energies ---- */

enum
{
    KINETIC,
    ROTATIONAL,
    POTENTIAL,
    ENERGIES,
};

/*  Terms of joints, and of those that were removed. */
static void add_joints(const scree_joints *joints, scree_exact_sum account[SCREE_ACCOUNTS])
{
    const scree_joint_course *course = &joints->course;

    scree_exact_add(&account[SCREE_ACCOUNT_DAMPING], course->damping);
    scree_exact_add(&account[SCREE_ACCOUNT_LOADS], course->motor_work);
    scree_exact_add(&account[SCREE_ACCOUNT_WALLS], course->walls);
    scree_exact_add(&account[SCREE_ACCOUNT_BOUNDARY], course->boundary);
    for (size_t k = 0; k < joints->count; k++) {
        const scree_joint_record *joint = &joints->joint[k];
        scree_exact_add(&account[SCREE_ACCOUNT_ELASTIC], joint->stored);
        scree_exact_add(&account[SCREE_ACCOUNT_DAMPING], joint->lost);
        scree_exact_add(&account[SCREE_ACCOUNT_LOADS], joint->motor_work);
        scree_exact_add(
            &account[joint->second.index1 ? SCREE_ACCOUNT_BOUNDARY : SCREE_ACCOUNT_WALLS],
            joint->given);
    }
}

scree_energy scree_world_energy(const scree_world *world)
{
    scree_energy energy = {0};
    scree_exact_sum sum[ENERGIES], account[SCREE_ACCOUNTS];
    double total[SCREE_ACCOUNTS];

    if (!world)
        return energy;
    for (int k = 0; k < ENERGIES; k++)
        scree_exact_clear(&sum[k]);
    for (int k = 0; k < SCREE_ACCOUNTS; k++) {
        scree_exact_clear(&account[k]);
        scree_exact_add(&account[k], world->clock.accounts[k]);
    }
    for (uint32_t slot = 0; slot < world->bodies.count; slot++) {
        scree_exact_add(&sum[KINETIC], scree_body_kinetic(&world->bodies, slot));
        scree_exact_add(&sum[ROTATIONAL], scree_body_rotational(&world->bodies, slot));
        scree_exact_add(&sum[POTENTIAL],
                        scree_body_potential(&world->bodies, world->def.gravity, slot));
        for (int k = 0; world->def.energy_balance && k < SCREE_ACCOUNTS; k++)
            scree_exact_add(&account[k], world->bodies.account[slot][k]);
    }
    if (world->def.energy_balance)
        add_joints(&world->joints, account);
    for (int k = 0; k < SCREE_ACCOUNTS; k++)
        total[k] = scree_exact_value(&account[k]);
    energy.kinetic = scree_exact_value(&sum[KINETIC]);
    energy.rotational = scree_exact_value(&sum[ROTATIONAL]);
    energy.potential = scree_exact_value(&sum[POTENTIAL]);
    energy.elastic = total[SCREE_ACCOUNT_ELASTIC];
    energy.damping = total[SCREE_ACCOUNT_DAMPING];
    energy.friction = total[SCREE_ACCOUNT_FRICTION];
    energy.rolling = total[SCREE_ACCOUNT_ROLLING];
    energy.body_damping = total[SCREE_ACCOUNT_BODY_DAMPING];
    energy.walls = total[SCREE_ACCOUNT_WALLS];
    energy.loads = total[SCREE_ACCOUNT_LOADS];
    energy.boundary = total[SCREE_ACCOUNT_BOUNDARY];
    energy.entered = world->clock.entered;
    energy.removed = world->clock.removed;
    return energy;
}

/* ---- mass and momentum ---- */

typedef struct momentum_sums
{
    scree_exact_sum mass, first[3], momentum[3], angular[3];
} momentum_sums;

static void clear_sums(momentum_sums *sums)
{
    scree_exact_clear(&sums->mass);
    for (int k = 0; k < 3; k++) {
        scree_exact_clear(&sums->first[k]);
        scree_exact_clear(&sums->momentum[k]);
        scree_exact_clear(&sums->angular[k]);
    }
}

static void add_body(const scree_body_arrays *bodies, uint32_t slot, momentum_sums *sums)
{
    const double *x = bodies->position[slot], *v = bodies->velocity[slot];
    double mass = bodies->inertia[slot][3], own[3];

    scree_body_momentum(bodies, slot, own);
    scree_exact_add(&sums->mass, mass);
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        scree_exact_add(&sums->first[k], mass * x[k]);
        scree_exact_add(&sums->momentum[k], mass * v[k]);
        scree_exact_add(&sums->angular[k], mass * (x[l] * v[m] - x[m] * v[l]) + own[k]);
    }
}

/*  A contact of two bodies counts for each of them. */
static uint64_t count_ends(const scree_world *world)
{
    uint64_t at_walls, shapes = scree_shape_contact_list_living(
                           &world->shape_contacts.now, &world->bodies, &world->walls, &at_walls);

    return 2 * scree_contact_list_touching(&world->pairs) +
           scree_wall_contact_list_living(&world->wall_contacts.now, world->bodies.count) +
           2 * shapes - at_walls;
}

scree_totals scree_world_totals(const scree_world *world)
{
    scree_totals totals = {0};
    momentum_sums sums;
    const scree_body_arrays *bodies;

    if (!world)
        return totals;
    bodies = &world->bodies;
    clear_sums(&sums);
    for (uint32_t slot = 0; slot < bodies->count; slot++)
        if (!(bodies->flags[slot][0] & SCREE_GHOST))
            add_body(bodies, slot, &sums);
    totals.mass = scree_exact_value(&sums.mass);
    for (int k = 0; k < 3; k++) {
        totals.centre[k] = totals.mass > 0 ? scree_exact_value(&sums.first[k]) / totals.mass : 0;
        totals.momentum[k] = scree_exact_value(&sums.momentum[k]);
        totals.angular_momentum[k] = scree_exact_value(&sums.angular[k]);
    }
    if (bodies->count)
        totals.coordination = (double)count_ends(world) / bodies->count;
    totals.bodies = bodies->count;
    totals.added = bodies->added;
    totals.removed = bodies->removed;
    totals.destroyed = bodies->destroyed;
    totals.bytes = world->memory.bytes + scree_detector_stats(world->detector).bytes;
    return totals;
}
