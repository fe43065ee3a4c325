/*  Implicit Euler: the forces of a step are those at its end,

        v' = v + F(x', v') / m dt        x' = x + v' dt

    and are found by Picard iteration (Noble and Weinzierl, arXiv:2105.12415, algorithm 3). The forces at the start
    are the first iterate. An iterate leads to positions and velocities, as in symplectic Euler, and these to
    computed forces. Computed minus assumed forces are the residual, and the next iterate moves by a share of it, the
    relaxation factor. Each body has its own factor, which shrinks when residuals change direction and grows while
    they keep it: it is the factor with which the last iteration would have converged if forces were linear (Aitken's
    delta squared for vectors: Irons and Tuck, Int. J. Numer. Meth. Eng. 1, 1969). Residuals are compared in the
    metric 1/m, 1/I, in which forces and torques are comparable.

    Contact history is read from the state before the step and written to `next`, so evaluations may be repeated.
    Each evaluation starts from the neighbour list before the step, so earlier iterates and their searches have no
    effect on the result.

    CONVERGED BODIES ARE FROZEN (residual below half of the tolerance, EXCESS_OF_FROZEN): the iterate of such a body
    stays bit-identical until its neighbours push it out of tolerance again. So late iterations cost only what still
    changes: contacts of two frozen non-spherical bodies are those found before (world/collide/shape_contacts.h).

    A solution exists because forces do not jump: at contact onset a dashpot acts only for the distance covered
    (contact_onset.h).

    MULTISCALE (algorithm 6): the first iterates use surrogates, and refine the active set of each pair of bodies by
    one level per iteration (world/collide/active_sets.h). A step has converged only when no body has contacts with
    surrogates any more, so it ends with the forces of real triangles, as without surrogates. With skipping of
    levels, an iterate that is no better than the previous one refines to the triangles at once. If sets are kept
    from step to step, they have all the triangles that the last step needed and are refined to triangles wherever
    that is not enough: no coarse contacts remain, and surrogates only speed up the search. */
#include "world/step/implicit.h"

#include "base/vector.h"
#include "world/step/argmax.h"
#include "world/step/evaluate.h"
#include "world/step/room_data.h"
#include "world/step/world_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/*  In radii of a body: a residual that moves the body by less needs no further iteration. */
#define MIN_MOVE 1e-9

/*  Residual of a body with surrogate contacts: not converged. */
#define EXCESS_OF_SURROGATES 2

/*  In tolerances: a body with a smaller residual is frozen. The rest of the tolerance is left for changes by its
    neighbours. */
#define EXCESS_OF_FROZEN 0.5

/*  Largest growth of a relaxation factor per iteration. */
#define MAX_GROWTH 2.0

/*  Largest relaxation factor; above 1 it over-relaxes. If each residual is q times the previous one, 1 / (1 - q) is
    optimal, which is at most 1.5 while q is at most 1/3 (section 5 of the paper lets steps grow while forces keep
    their direction). */
#define MAX_SHARE 1.0
#define MAX_SHARE_ACCELERATED 1.5

void scree_picard_free(scree_picard *picard, scree_memory *memory)
{
    scree_memory_give(memory, &picard->start, picard->start_capacity, sizeof *picard->start);
    scree_memory_give(memory, &picard->residual, picard->residual_capacity,
                      sizeof *picard->residual);
    scree_memory_give(memory, &picard->relaxation, picard->relaxation_capacity,
                      sizeof *picard->relaxation);
    scree_memory_give(memory, &picard->frozen, picard->frozen_capacity, sizeof *picard->frozen);
    scree_memory_give(memory, &picard->height, picard->height_capacity, sizeof *picard->height);
    scree_memory_give(memory, &picard->height_before, picard->height_before_capacity,
                      sizeof *picard->height_before);
}

scree_status scree_picard_reserve(scree_world *world)
{
    scree_picard *picard = &world->picard;
    size_t count = world->bodies.count;

    if (scree_memory_reserve(&world->memory, &picard->start, &picard->start_capacity, count,
                             sizeof *picard->start) ||
        scree_memory_reserve(&world->memory, &picard->residual, &picard->residual_capacity, count,
                             sizeof *picard->residual) ||
        scree_memory_reserve(&world->memory, &picard->relaxation, &picard->relaxation_capacity,
                             count, sizeof *picard->relaxation) ||
        scree_memory_reserve(&world->memory, &picard->frozen, &picard->frozen_capacity, count,
                             sizeof *picard->frozen) ||
        scree_memory_reserve(&world->memory, &picard->height, &picard->height_capacity, count,
                             sizeof *picard->height) ||
        scree_memory_reserve(&world->memory, &picard->height_before,
                             &picard->height_before_capacity, count, sizeof *picard->height_before))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: an implicit step: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    return SCREE_OK;
}

/* ---- rows of force: three and one of each ---- */

static void join(double (*force)[4], double (*torque)[4], uint32_t slot, double row[8])
{
    memcpy(row, force[slot], sizeof *force);
    memcpy(row + 4, torque[slot], sizeof *torque);
}

static void part(const double row[8], double (*force)[4], double (*torque)[4], uint32_t slot)
{
    memcpy(force[slot], row, sizeof *force);
    memcpy(torque[slot], row + 4, sizeof *torque);
}

/* ---- one body ---- */

/*  1 / m and 1 / I, with the smallest moment of inertia. */
static void read_mobility(const scree_body_arrays *bodies, uint32_t slot, double mobility[2])
{
    const double *inertia = bodies->inertia[slot];

    mobility[0] = bodies->velocity[slot][3];
    mobility[1] = 1 / fmin(inertia[0], fmin(inertia[1], inertia[2]));
}

/*  Computed minus assumed forces; 0 for frozen components. */
static void find_residual(const scree_body_arrays *bodies, uint32_t slot, double residual[8])
{
    uint32_t flags = scree_body_held(bodies->flags[slot][0]);

    for (int k = 0; k < 3; k++) {
        residual[k] = flags >> k & 1 ? 0 : bodies->force[slot][k] - bodies->force_before[slot][k];
        residual[4 + k] =
            flags >> (3 + k) & 1 ? 0 : bodies->torque[slot][k] - bodies->torque_before[slot][k];
    }
    residual[3] = residual[7] = 0;
}

/*  Normalised residual: at most 1 if the body has converged. Weight and loads count as forces, since contacts
    balance them. */
static double excess_of(const scree_world_def *def, const scree_body_arrays *bodies,
                        const scree_picard *picard, uint32_t slot, double dt,
                        const double residual[8])
{
    double radius = bodies->position[slot][3], mobility[2], size[2], excess = 0;

    read_mobility(bodies, slot, mobility);
    size[0] = fmax(scree_length(bodies->force[slot]),
                   bodies->inertia[slot][3] * scree_length(def->gravity));
    size[1] = scree_length(bodies->torque[slot]);
    if (bodies->loaded) {
        size[0] = fmax(size[0], scree_length(bodies->load[slot]));
        size[1] = fmax(size[1], scree_length(bodies->load[slot] + 3));
    }
    /* a torque is compared with that of the force acting at the surface */
    size[1] = fmax(size[1], radius * size[0]);
    for (int k = 0; k < 2; k++) {
        double wrong = scree_length(residual + 4 * k), way = k == 0 ? radius : 1;
        double allowed =
            fmax(def->step.picard.tolerance * size[k], MIN_MOVE * way / (mobility[k] * dt * dt));
        excess = fmax(excess, wrong / allowed);
    }
    return picard->height[slot] > 0 ? fmax(excess, EXCESS_OF_SURROGATES) : excess;
}

static double product_of(const double mobility[2], const double a[8], const double b[8])
{
    double sum = 0;

    for (int k = 0; k < 8; k++)
        sum += a[k] * b[k] * mobility[k / 4];
    return sum;
}

/*  The next relaxation factor. A residual that grew in its direction gives no information. */
static double choose_relaxation(const double mobility[2], const double before[8],
                                const double now[8], double relaxation, double most)
{
    double fall[8], along, fall_sq;

    for (int k = 0; k < 8; k++)
        fall[k] = before[k] - now[k];
    along = product_of(mobility, before, fall);
    fall_sq = product_of(mobility, fall, fall);
    relaxation *= along > 0 && along < MAX_GROWTH * fall_sq ? along / fall_sq : MAX_GROWTH;
    return relaxation < most ? relaxation : most;
}

/*  Surrogate forces are estimates, less accurate the coarser the level. So for surrogates k levels above the facets
    the relaxation factor is 2^-k. The first forces without surrogates are used in full. */
static double relaxation_of(const scree_world_def *def, const scree_picard *picard, uint32_t slot,
                            bool is_first, const double mobility[2], const double residual[8])
{
    double most = def->step.picard.accelerates ? MAX_SHARE_ACCELERATED : MAX_SHARE;

    if (picard->height[slot] > 0)
        return 1.0 / (double)(1u << picard->height[slot]);
    if (is_first || picard->height_before[slot] > 0)
        return 1;
    /* the body was frozen, so its residual is not a response to its own motion */
    if (picard->frozen[slot])
        return picard->relaxation[slot];
    return choose_relaxation(mobility, picard->residual[slot], residual, picard->relaxation[slot],
                             most);
}

/* ---- all ---- */

typedef struct judgement
{
    scree_world *world;
    double dt;
    bool is_first;
} judgement;

static void judge_block(void *data, const scree_body_block *block)
{
    const judgement *run = data;
    scree_world *world = run->world;
    const scree_body_arrays *bodies = &world->bodies;
    scree_picard *picard = &world->picard;

    for (uint32_t slot = block->begin; slot < block->end; slot++) {
        double residual[8], mobility[2], excess;
        /* results of ghosts are not used; their worlds compute them */
        if (bodies->flags[slot][0] & SCREE_GHOST)
            continue;
        find_residual(bodies, slot, residual);
        read_mobility(bodies, slot, mobility);
        picard->relaxation[slot] =
            relaxation_of(&world->def, picard, slot, run->is_first, mobility, residual);
        memcpy(picard->residual[slot], residual, sizeof residual);
        excess = excess_of(&world->def, bodies, picard, slot, run->dt, residual);
        picard->frozen[slot] = excess <= EXCESS_OF_FROZEN;
        scree_argmax_note(&world->scratch[block->worker], bodies, excess, slot);
    }
}

/*  Restores the state before the step, with the next iterate as its forces. */
static void guess_again(scree_body_arrays *bodies, const scree_picard *picard)
{
    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        const double *residual = picard->residual[slot];
        double relaxation = picard->relaxation[slot];
        if (bodies->flags[slot][0] & SCREE_GHOST || picard->frozen[slot])
            continue;
        for (int k = 0; k < 3; k++) {
            bodies->force[slot][k] += relaxation * residual[k];
            bodies->torque[slot][k] += relaxation * residual[4 + k];
        }
    }
}

/*  After the last iteration. */
static scree_status refuse(const scree_step *step, const scree_body_arrays *bodies,
                           scree_picard *picard)
{
    char named[sizeof step->error->text];

    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        double excess;
        if (bodies->flags[slot][0] & SCREE_GHOST)
            continue;
        excess = excess_of(step->def, bodies, picard, slot, step->dt, picard->residual[slot]);
        if (excess > 1)
            scree_unconverged_note(&picard->unconverged, bodies->id[slot][0],
                                   bodies->serial[slot][0], excess);
    }
    scree_unconverged_say(&picard->unconverged, named, sizeof named);
    return scree_fail(step->error, SCREE_UNSTABLE,
                      "world: step %" PRIu64
                      ": forces have not settled after %u guesses, in a step of %.3g s: %s",
                      step->number, step->def->step.picard.iterations, step->dt, named);
}

/*  If an evaluation refuses an iterate, for example because of the overlap limit, the message adds which iteration
    that was. */
static scree_status refuse_guess(const scree_step *step, uint32_t guess)
{
    const scree_error said = *step->error;
    char head[48];
    size_t skipped = (size_t)snprintf(head, sizeof head, "world: step %" PRIu64 ": ", step->number);

    if (strncmp(said.text, head, skipped) != 0)
        skipped = 0;
    return scree_fail(step->error, SCREE_UNSTABLE,
                      "%sforces have not settled in a step of %.3g s: at guess %u %s", head,
                      step->dt, guess, said.text + skipped);
}

/*  Whether a diverged iterate, which contacts, contact models or detection have refused, may be answered with a
    shorter step. */
static bool may_be_wild(scree_status status)
{
    return status == SCREE_UNSTABLE || status == SCREE_BAD_VALUE;
}

/*  Finds the level of the coarsest surrogate that each body touches, after an evaluation. */
static void find_heights(scree_picard *picard, const scree_shape_finder *finder, uint32_t bodies)
{
    uint8_t *before = picard->height_before;
    size_t capacity = picard->height_before_capacity;

    picard->height_before = picard->height;
    picard->height_before_capacity = picard->height_capacity;
    picard->height = before;
    picard->height_capacity = capacity;
    if (bodies)
        memset(picard->height, 0, bodies);
    for (size_t k = 0; k < finder->work_count; k++) {
        const scree_shape_work *work = &finder->work[k];
        uint8_t *first = &picard->height[work->first];
        *first = work->height > *first ? (uint8_t)work->height : *first;
        if (work->second == UINT32_MAX)
            continue;
        uint8_t *second = &picard->height[work->second];
        *second = work->height > *second ? (uint8_t)work->height : *second;
    }
}

/*  Prepares active sets for this try of a step. */
static void begin_sets(scree_shape_cuts *cuts, const scree_world_def *def)
{
    bool is_multiscale = def->step.integrator == SCREE_IMPLICIT_MULTISCALE;

    cuts->is_exact =
        scree_integrator_has_surrogates(def->step.integrator) && def->step.picard.keeps_sets;
    cuts->is_on = is_multiscale || cuts->is_exact;
    cuts->dives = cuts->is_exact;
    if (!cuts->is_exact)
        cuts->attempt++;
}

/*  After an iteration: decides how far the next one refines. */
static void choose_depth(scree_shape_cuts *cuts, bool skips_levels, double excess_before,
                         double excess)
{
    bool is_stuck = excess > 1 && !(excess < excess_before);

    cuts->dives = cuts->is_exact || (is_stuck && skips_levels);
}

static scree_status iterate(scree_world *world, double dt)
{
    uint32_t limit = world->def.step.picard.iterations, worst = UINT32_MAX;
    double excess = INFINITY;
    const scree_step step = scree_world_this_step(world, dt);
    scree_status status = SCREE_OK;

    if (world->bodies.count) {
        memset(world->picard.height, 0, world->bodies.count);
        memset(world->picard.frozen, 0, world->bodies.count);
    }
    begin_sets(&world->shape_finder.cuts, &world->def);
    for (uint32_t k = 0; !status && excess > 1 && k < limit; k++) {
        if (k > 0) {
            scree_world_step_back(world);
            guess_again(&world->bodies, &world->picard);
            world->shape_finder.frozen = world->picard.frozen;
        }
        scree_bodies_swap(&world->bodies);
        scree_world_move_bodies(world, dt);
        status = scree_world_evaluate(world, world->clock.time + dt, dt);
        if (status == SCREE_UNSTABLE)
            status = refuse_guess(&step, k + 1);
        if (!status) {
            judgement run = {world, dt, k == 0};
            double before = excess;
            find_heights(&world->picard, &world->shape_finder, world->bodies.count);
            excess = scree_argmax(&world->workers, world->scratch, &world->bodies, judge_block,
                                  &run, &worst);
            choose_depth(&world->shape_finder.cuts, world->def.step.picard.skips_levels, before,
                         excess);
        }
    }
    world->shape_finder.cuts.is_on = false;
    world->shape_finder.frozen = NULL;
    return !status && excess > 1 ? refuse(&step, &world->bodies, &world->picard) : status;
}

scree_status scree_world_iterate(scree_world *world, double *dt, bool *is_too_long)
{
    scree_body_arrays *bodies = &world->bodies;
    scree_picard *picard = &world->picard;
    const scree_error said = world->error;
    scree_status status;

    *is_too_long = false;
    for (uint32_t slot = 0; slot < bodies->count; slot++)
        join(bodies->force, bodies->torque, slot, picard->start[slot]);
    status = iterate(world, *dt);
    if (!status)
        status = scree_world_find_crossings(world, *dt);
    /* computed forces cancel in pairs, assumed forces need not */
    if (!status)
        scree_world_finish(world, *dt);
    world->is_finished = true;
    /* the iterate was stored in their place */
    for (uint32_t slot = 0; slot < bodies->count; slot++)
        part(picard->start[slot], bodies->force_before, bodies->torque_before, slot);
    if (may_be_wild(status) && picard->halvings < world->def.step.picard.halvings) {
        picard->halvings++;
        *dt /= 2;
        *is_too_long = true;
        world->error = said;
        world->failed_body = (scree_body_id){0, 0};
        scree_unconverged_clear(&picard->unconverged);
        status = SCREE_OK;
    }
    return status;
}
