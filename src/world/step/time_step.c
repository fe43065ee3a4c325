/*  Chooses the length of the next step, and finds the stable step.

    Automatic steps have three limits: a share of the stable step of the present contacts; no body moves by more than
    1/32 of its diameter (the tolerance in the specification of cell space, used here whatever the margin is, since
    results must not depend on that); and a growth limit from step to step. A contact that begins in a step is not
    among those examined before it. So the stable step is found again at the end of the step, and if it was far too
    long the step is undone and tried again.

    Mass scaling. The inertia of each body is raised so much that the given step is stable for its contacts. Forces
    are not changed, including weight, so equilibrium states are correct, but the motion towards them is not. A body
    moves by at most 1/32 of its diameter times `safety` in a step: with its inertia raised, it penetrates 1 / safety
    times as far into what it hits. */
#include "world/step/time_step.h"

#include "base/vector.h"
#include "world/boundaries/free_wall.h"
#include "world/boundaries/wall_motion.h"
#include "world/collide/sphere_walls.h"
#include "world/forces/contact_sums.h"
#include "world/forces/shape_forces.h"
#include "world/forces/wall_forces.h"
#include "world/step/ambient_step.h"
#include "world/step/argmax.h"
#include "world/step/evaluate.h"
#include "world/step/room_data.h"
#include "world/step/step_hooks.h"
#include "world/step/world_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/*  Largest displacement of a body in a step, in diameters. */
#define MAX_MOVE (1.0 / 32)
/*  Largest displacement of the surface of a body of triangles, in contact skins. */
#define MAX_SKIN_SHARE 0.25
/*  In the longest step so far; below that a run makes no progress. */
#define MIN_STEP 1e-12

/* ---- frequency of a body with its contacts ---- */

/*  Of springs and dashpots, along the axes and about them. */
typedef struct body_stiffness
{
    double along[3], shear[3], about[3]; /* shear: the tangential part of `along` */
    double drag_along[3], drag_about[3];
    double stiffest;  /* largest stiffness of its contacts, */
    uint32_t partner; /* and its partner; UINT32_MAX: a wall */
} body_stiffness;

static void add_row(body_stiffness *sum, const scree_stiffness_row row, double arm,
                    uint32_t partner)
{
    const double *dashpots = row + SCREE_ROW_DASHPOTS;
    double all = row[0] + row[1] + row[2];

    for (int k = 0; k < 3; k++) {
        sum->along[k] += row[k];
        sum->shear[k] += row[SCREE_ROW_ABOUT + k];
        sum->about[k] += arm * arm * row[SCREE_ROW_ABOUT + k];
        sum->drag_along[k] += dashpots[k];
        sum->drag_about[k] += arm * arm * dashpots[SCREE_ROW_ABOUT + k];
    }
    if (all > sum->stiffest) {
        sum->stiffest = all;
        sum->partner = partner;
    }
}

static body_stiffness sum_stiffness(const scree_found_contacts *contacts, uint32_t slot)
{
    scree_contact_walk walk = scree_contacts_of(contacts, slot);
    body_stiffness sum = {.partner = UINT32_MAX};

    for (scree_found_contact c; scree_next_contact(&walk, &c);) {
        const double *row = scree_stiffness_of(contacts, &c);
        add_row(&sum, row, c.is_second ? row[7] : row[3], scree_partner_of(&c));
    }
    return sum;
}

/*  A dashpot along all axes, and about them. */
static void add_drag(body_stiffness *sum, double along, double about)
{
    for (int k = 0; k < 3; k++) {
        sum->drag_along[k] += along;
        sum->drag_about[k] += about;
    }
}

/*  Joints resist in all directions. */
static void add_joints(body_stiffness *sum, const double row[SCREE_JOINT_RESISTANCES])
{
    for (int k = 0; k < 3; k++) {
        sum->along[k] += row[SCREE_JOINT_STIFFNESS];
        sum->about[k] += row[SCREE_JOINT_TURN_STIFFNESS];
    }
    add_drag(sum, row[SCREE_JOINT_DASHPOT], row[SCREE_JOINT_TURN_DASHPOT]);
}

static double min_inertia(const double inertia[3])
{
    double least = inertia[0] < inertia[1] ? inertia[0] : inertia[1];
    return least < inertia[2] ? least : inertia[2];
}

/*  1 / dt^2 for the step of which `share` is used: the limit of normal springs, K / m, or the given dt if that is
    much longer than stable. */
static double square_of_rate(double stiffness, double shear, double dashpot, double inverse_inertia,
                             double share)
{
    double springs = stiffness * inverse_inertia;
    double all = share * scree_stable_rate(stiffness, shear, dashpot, inverse_inertia);

    return all * all > springs ? all * all : springs;
}

/*  The largest rates for the free axes, along and about them. */
static void find_rates(const scree_found_contacts *contacts, const scree_ambient *ambient,
                       const scree_joints *joints, uint32_t slot, double share, double rates[2])
{
    const scree_body_arrays *bodies = contacts->bodies;
    uint32_t flags = scree_body_held(bodies->flags[slot][0]);
    body_stiffness sum;
    double inverse_mass = bodies->velocity[slot][3], inverse_inertia;

    rates[0] = rates[1] = 0;
    if (flags & SCREE_GHOST || (flags & SCREE_FREEZE) == SCREE_FREEZE)
        return;
    sum = sum_stiffness(contacts, slot);
    if (ambient->has_fluid)
        add_drag(&sum, ambient->row[slot].drag[0], ambient->row[slot].drag[1]);
    if (joints->count)
        add_joints(&sum, joints->resistance[slot]);
    inverse_inertia = 1 / min_inertia(bodies->inertia[slot]);
    for (int k = 0; k < 3; k++) {
        double along =
            square_of_rate(sum.along[k], sum.shear[k], sum.drag_along[k], inverse_mass, share);
        double about =
            square_of_rate(sum.about[k], sum.about[k], sum.drag_about[k], inverse_inertia, share);
        if (!(flags >> k & 1) && along > rates[0])
            rates[0] = along;
        if (!(flags >> (3 + k) & 1) && about > rates[1])
            rates[1] = about;
    }
}

typedef struct survey
{
    scree_found_contacts contacts;
    const scree_ambient *ambient;
    const scree_joints *joints;
    scree_body_arrays *bodies;
    scree_force_scratch *scratch; /* by worker */
    double share;
    bool keeps_rates; /* also stores the factors of mass scaling, see integrate.c */
} survey;

/*  Inertia follows an increase of stiffness at once and a decrease slowly: otherwise a grain that loses contact for
    some steps would fall with its true mass and land with its scaled mass. */
static double follow(double rate, double rate_now)
{
    double slow = rate * (1 - 0x1p-6);
    return rate_now > slow ? rate_now : slow;
}

static void survey_block(void *data, const scree_body_block *block)
{
    const survey *run = data;
    scree_body_arrays *bodies = run->bodies;

    for (uint32_t slot = block->begin; slot < block->end; slot++) {
        double rates[2], fastest;
        find_rates(&run->contacts, run->ambient, run->joints, slot, run->share, rates);
        fastest = rates[0] > rates[1] ? rates[0] : rates[1];
        scree_argmax_note(&run->scratch[block->worker], bodies, fastest, slot);
        if (run->keeps_rates) {
            bodies->force[slot][3] = follow(bodies->force_before[slot][3], rates[0]);
            bodies->torque[slot][3] = follow(bodies->torque_before[slot][3], rates[1]);
        }
    }
}

/* ---- by body ---- */

typedef struct rate_notes
{
    const scree_found_contacts *contacts;
    const scree_ambient *ambient;
    const scree_joints *joints;
    double safety_factor;
    double *rates;
} rate_notes;

static void note_rates_block(void *data, const scree_body_block *block)
{
    const rate_notes *run = data;

    for (uint32_t slot = block->begin; slot < block->end; slot++) {
        double rates[2];
        find_rates(run->contacts, run->ambient, run->joints, slot, run->safety_factor, rates);
        run->rates[slot] = rates[0] > rates[1] ? rates[0] : rates[1];
    }
}

static void note_rates(const scree_world *world, const scree_found_contacts *contacts,
                       double *rates)
{
    rate_notes run = {contacts, &world->ambient, &world->joints, world->def.step.safety_factor,
                      rates};

    scree_body_blocks_run(&world->workers, contacts->bodies->count, note_rates_block, &run);
}

/* ---- maximum over bodies ---- */

static survey survey_of(scree_world *world, double share, bool keeps_rates)
{
    return (survey){scree_world_found_contacts(world),
                    &world->ambient,
                    &world->joints,
                    &world->bodies,
                    world->scratch,
                    share,
                    keeps_rates};
}

/*  The stable step over all bodies, before the safety factor. */
static scree_stable_step survey_bodies(const scree_workers *workers, survey *run)
{
    const scree_body_arrays *bodies = run->bodies;
    scree_stable_step found = {.dt = INFINITY};
    uint32_t slot;
    double fastest = scree_argmax(workers, run->scratch, bodies, survey_block, run, &slot);

    if (slot != UINT32_MAX) {
        uint32_t partner = sum_stiffness(&run->contacts, slot).partner;
        found.dt = 1 / sqrt(fastest);
        found.body = bodies->id[slot][0];
        if (partner != UINT32_MAX)
            found.partner = bodies->id[partner][0];
    }
    return found;
}

/*  Free walls may have a smaller stable step than bodies. */
static void limit_by_free_walls(const scree_step *step, const scree_found_contacts *contacts,
                                scree_stable_step *stable)
{
    size_t wall = 0;
    double dt = scree_free_wall_stable(step, contacts, &wall);

    if (dt < stable->dt)
        *stable = (scree_stable_step){
            .dt = dt, .springs = stable->springs, .wall = contacts->walls->wall[wall].id};
}

/* ---- steps that are given ---- */

/*  Number of steps between comparisons of a given step with the stable one, and between warnings. */
#define STEPS_PER_LOOK 64u
#define STEPS_PER_WARNING 1000u

static uint64_t serial_of(const scree_body_arrays *bodies, scree_body_id id)
{
    return bodies->serial[scree_bodies_slot(bodies, id)][0];
}

/*  A body without contacts has the stable step of the fluid's drag. */
static bool touches(const scree_found_contacts *contacts, scree_body_id id)
{
    const size_t slot = scree_bodies_slot(contacts->bodies, id);

    return sum_stiffness(contacts, (uint32_t)slot).stiffest > 0;
}

static bool has_joints(const scree_joints *joints, const scree_body_arrays *bodies,
                       scree_body_id id)
{
    return joints->count &&
           joints->resistance[scree_bodies_slot(bodies, id)][SCREE_JOINT_STIFFNESS] > 0;
}

static void warn(const scree_step *step, const scree_found_contacts *contacts,
                 const scree_joints *joints, const scree_stable_step *stable)
{
    const scree_body_arrays *bodies = contacts->bodies;
    char body[48], partner[32] = "a wall";

    if (stable->wall.index1)
        snprintf(body, sizeof body, "wall %" PRIu32 ", which is free,", stable->wall.index1);
    else
        snprintf(body, sizeof body, "body %" PRIu64, serial_of(bodies, stable->body));
    if (stable->wall.index1)
        snprintf(partner, sizeof partner, "bodies");
    else if (has_joints(joints, contacts->bodies, stable->body))
        snprintf(partner, sizeof partner, "its joints and contacts");
    else if (stable->partner.index1)
        snprintf(partner, sizeof partner, "body %" PRIu64, serial_of(bodies, stable->partner));
    else if (!touches(contacts, stable->body))
        snprintf(partner, sizeof partner, "the fluid");
    scree_log_write(&step->def->hooks.log, SCREE_LOG_WARNING, SCREE_LOG_STEP_TOO_LONG,
                    "world: step %" PRIu64 ": dt is %.3g, stable is at most %.3g: %s against %s",
                    step->number, step->def->step.dt, stable->dt, body, partner);
}

bool scree_world_seeks_stable(const scree_world *world)
{
    if (world->def.step.mode != SCREE_TIME_FIXED || world->rates)
        return true;
    /* implicit steps may have any length, and local time stepping checks its own */
    return !scree_integrator_is_implicit(world->def.step.integrator) &&
           world->def.step.local_steps == 0 && world->def.hooks.log.write &&
           world->clock.steps >= world->next_warning && world->clock.steps % STEPS_PER_LOOK == 0;
}

void scree_world_find_stable(scree_world *world)
{
    scree_time_mode mode = world->def.step.mode;
    scree_stable_step stable;

    world->found_stable = 0;
    if (!scree_world_seeks_stable(world))
        return;
    survey run = survey_of(world, mode == SCREE_TIME_FIXED ? 1 : world->def.step.safety_factor,
                           mode == SCREE_TIME_MASS_SCALING);
    if (world->rates) {
        note_rates(world, &run.contacts, world->rates);
        return;
    }
    const scree_step step = scree_world_this_step(world, world->def.step.dt);
    stable = survey_bodies(&world->workers, &run);
    /* ranks must have agreed that none has failed before they sum */
    if (!step.sum)
        limit_by_free_walls(&step, &run.contacts, &stable);
    /* the result of the comparison is no part of the state */
    if (mode != SCREE_TIME_FIXED) {
        world->found_stable = stable.dt;
    } else if (world->def.step.dt > stable.dt) {
        warn(&step, &run.contacts, &world->joints, &stable);
        world->next_warning = step.number + STEPS_PER_WARNING;
    }
}

void scree_world_find_stable_of_walls(scree_world *world)
{
    const scree_step step = scree_world_this_step(world, world->def.step.dt);
    const scree_found_contacts contacts = scree_world_found_contacts(world);
    size_t wall = 0;

    if (world->def.step.mode == SCREE_TIME_FIXED)
        return;
    const double dt = scree_free_wall_stable(&step, &contacts, &wall);
    world->found_stable = dt < world->found_stable ? dt : world->found_stable;
}

/* ---- steps that are chosen ---- */

/*  The time t with v t + a t^2 / 2 = most. */
static double time_to_move(double most, double speed, double acceleration)
{
    double sum = speed + sqrt(speed * speed + 2 * acceleration * most);
    return sum > 0 ? 2 * most / sum : INFINITY;
}

/*  A surface must not pass through a contact skin between two searches; pebbles are treated as spheres, and a
    superquadric as one of its smallest half axis. */
static double max_move_of_shape(const scree_shape *shape, double most)
{
    double least = MAX_SKIN_SHARE * scree_shape_skin(shape);

    if (shape->kind == SCREE_SHAPE_CLUMP)
        least = MAX_MOVE * 2 * shape->clump->smallest;
    if (shape->kind == SCREE_SHAPE_SUPERQUADRIC)
        least = MAX_MOVE * 2 * shape->mesh->quadric.thin;

    return least < most ? least : most;
}

double scree_body_max_move(const scree_body_arrays *bodies, uint32_t slot)
{
    double most = MAX_MOVE * 2 * bodies->position[slot][3];

    return scree_is_not_sphere(bodies, slot) ? max_move_of_shape(&bodies->shape[slot][0], most)
                                             : most;
}

/*  Of a non-spherical body the largest speed of any point, including rotation. */
static double speed_of(const scree_body_arrays *bodies, uint32_t slot)
{
    double speed = scree_length(bodies->velocity[slot]);

    if (scree_is_not_sphere(bodies, slot))
        speed += scree_length(bodies->spin[slot]) * bodies->position[slot][3];
    return speed;
}

double scree_body_time_to_move(const scree_body_arrays *bodies, uint32_t slot, double most)
{
    double push[3];

    for (int k = 0; k < 3; k++)
        push[k] = scree_body_held(bodies->flags[slot][0]) >> k & 1 ? 0 : bodies->force[slot][k];
    return time_to_move(most, speed_of(bodies, slot),
                        scree_length(push) * bodies->velocity[slot][3]);
}

static void limit_block(void *data, const scree_body_block *block)
{
    scree_world *world = data;
    const scree_body_arrays *bodies = &world->bodies;

    for (uint32_t slot = block->begin; slot < block->end; slot++) {
        uint32_t flags = scree_body_held(bodies->flags[slot][0]);
        double push[3], time;
        if (flags & SCREE_GHOST)
            continue;
        /* with mass scaling the displacement by a force is limited by the deformation of contacts */
        bool is_scaled =
            world->def.step.mode == SCREE_TIME_MASS_SCALING && bodies->force[slot][3] > 0;
        for (int k = 0; k < 3; k++)
            push[k] = flags >> k & 1 || is_scaled ? 0 : bodies->force[slot][k];
        time = time_to_move(scree_body_max_move(bodies, slot), speed_of(bodies, slot),
                            scree_length(push) * bodies->velocity[slot][3]);
        scree_argmax_note(&world->scratch[block->worker], bodies, 1 / time, slot);
    }
}

static scree_status refuse_speed(const scree_step *step, const scree_body_arrays *bodies,
                                 uint32_t slot, double limit, double longest)
{
    return scree_fail(step->error, SCREE_UNSTABLE,
                      "world: step %" PRIu64 ": body %" PRIu64
                      " is so fast (%.3g m/s) that it limits the step to %.3g: kinematic timestep "
                      "below 1e-12 of the largest, %.3g",
                      step->number, bodies->serial[slot][0], scree_length(bodies->velocity[slot]),
                      limit, longest);
}

scree_status scree_world_choose_dt(scree_world *world, double *dt)
{
    const scree_world_def *def = &world->def;
    const scree_step step = scree_world_this_step(world, 0);
    double limit, chosen = def->step.dt > 0 ? def->step.dt : INFINITY;
    uint32_t slot;

    *dt = def->step.dt;
    if (def->step.mode == SCREE_TIME_FIXED) {
        /* a step that had been shortened grows again */
        if (scree_integrator_is_implicit(def->step.integrator) && world->clock.steps &&
            2 * world->clock.dt < *dt)
            *dt = 2 * world->clock.dt;
        return SCREE_OK;
    }
    /* the longest step in which no body moves too far, and the body that limits it */
    limit = 1 / scree_argmax(&world->workers, world->scratch, &world->bodies, limit_block, world,
                             &slot);
    if (def->step.mode == SCREE_TIME_MASS_SCALING)
        limit *= def->step.safety_factor;
    const double own_limit = limit;
    if (world->hooks && world->hooks->least) {
        const scree_status status = world->hooks->least(world->hooks->user, &limit);
        if (status)
            return status;
    }
    if (limit < MIN_STEP * world->clock.longest && own_limit > limit)
        return SCREE_UNSTABLE; /* the rank of the fastest body writes the message */
    if (limit < MIN_STEP * world->clock.longest)
        return refuse_speed(&step, &world->bodies, slot, limit, world->clock.longest);
    chosen = limit < chosen ? limit : chosen;
    if (def->step.mode == SCREE_TIME_AUTOMATIC) {
        double stable = def->step.safety_factor * world->clock.stable, last = world->clock.dt;
        chosen = stable < chosen ? stable : chosen;
        if (world->clock.steps > 0 && last * def->step.max_growth < chosen)
            chosen = last * def->step.max_growth;
    }
    /* nothing moves, nothing touches, and no length is given */
    *dt = chosen < INFINITY ? chosen : 1;
    return SCREE_OK;
}

scree_status scree_world_shorten(scree_world *world, double *dt, bool *is_too_long)
{
    double safety = world->def.step.safety_factor, share = safety < 0.5 ? 2 * safety : 1;

    *is_too_long =
        world->def.step.mode == SCREE_TIME_AUTOMATIC && *dt > share * world->found_stable;
    if (!*is_too_long)
        return SCREE_OK;
    double shorter = safety * world->found_stable;
    *dt = shorter < 0.5 * *dt ? shorter : 0.5 * *dt;
    if (*dt > MIN_STEP * world->clock.longest && *dt > 0)
        return SCREE_OK;
    return scree_fail(
        &world->error, SCREE_UNSTABLE,
        "world: step %" PRIu64
        ": contacts that begin are too stiff for any step: %.3g is below 1e-12 of the "
        "largest, %.3g",
        world->clock.steps + 1, *dt, world->clock.longest);
}

/* ---- for the host ---- */

/*  Finds the stiffness of contacts at the present positions. */
static scree_status look_at_contacts(scree_world *world)
{
    const scree_step step = scree_world_this_step(world, 0);
    scree_wall_contact_job wall_contacts = scree_world_wall_contact_job(world, &step);
    scree_shape_job shape_job = scree_world_shape_job(world, &step);
    scree_status status;

    world->list_is_new = false;
    world->wants_stiffness = world->wants_wall_stiffness = true;
    const scree_force_job forces = scree_world_force_job(world, &step);
    const scree_sum_job sums = scree_world_sum_job(world, &step);
    const scree_joint_job joints = scree_world_joint_job(world, &step);
    status = scree_walls_move(&world->walls, world->clock.time, 0, &world->error);
    if (!status)
        status = scree_world_find_neighbours(world, world->clock.dt);
    if (!status)
        status = scree_contact_sums_begin(&sums);
    const scree_pair_job pairs = scree_world_pair_job(world, &step);
    /* touches are found again, so the force records of the previous contacts are out of date */
    if (!status && world->pairs.count)
        world->rows_are_stale |= world->pairs.rows_are_next;
    if (!status)
        status = scree_pair_stiffness(&pairs);
    if (!status)
        status = scree_wall_contacts_evaluate(&wall_contacts);
    if (!status)
        status = scree_wall_contacts_forces(&forces, &world->wall_contacts);
    if (!status)
        status = scree_shape_finder_evaluate(&shape_job);
    if (!status)
        status = scree_shape_forces(&forces, &world->cell, &world->shape_contacts);
    if (!status)
        status = scree_joint_look(&joints);
    if (!status)
        status = scree_world_ambient_look(world, &step);
    return status;
}

scree_status scree_world_survey(scree_world *world, double *rates)
{
    scree_status status = look_at_contacts(world);
    const scree_found_contacts contacts = scree_world_found_contacts(world);

    if (!status)
        note_rates(world, &contacts, rates);
    world->wants_stiffness = world->wants_wall_stiffness = false;
    return status;
}

scree_status scree_world_stable_step(scree_world *world, scree_stable_step *step)
{
    scree_status status;

    if (!world || !step)
        return SCREE_BAD_ARGUMENT;
    status = look_at_contacts(world);
    if (!status) {
        const scree_step this_step = scree_world_this_step(world, 0);
        survey all = survey_of(world, 1, false), springs = survey_of(world, 0, false);
        *step = survey_bodies(&world->workers, &all);
        step->springs = survey_bodies(&world->workers, &springs).dt;
        limit_by_free_walls(&this_step, &all.contacts, step);
    }
    world->wants_stiffness = world->wants_wall_stiffness = false;
    /* the previous list has the history of the last step */
    scree_world_undo_search(world);
    return status;
}
