/*  Implicit Euler: the forces of a step are those at its end,

        v' = v + F(x', v') / m dt        x' = x + v' dt

    and are found by Picard iteration (Noble and Weinzierl, arXiv:2105.12415, algorithm 3). What bodies exert at the
    start is the first guess. A guess leads to places and velocities, as in symplectic Euler, and these to forces; what
    these and the guess differ by is its residual, and the next guess goes some share of the way there. Each body has
    a share of its own, that shrinks where residuals turn round and grows where they keep their direction as there: it is
    the one with which the last step would have led to the end, were forces straight lines (Aitken's delta squared, for
    vectors: Irons and Tuck, Int. J. Numer. Meth. Eng. 1, 1969). Residuals are compared in the metric 1/m, 1/I, in which a
    force and a torque are alike.

    Memory of contacts is read as of the step before, and written to `next`: so evaluations may be repeated. Before
    each, the list of candidates is the one before the step: which guesses were made on the way, and what the detector
    looked for there, leaves no trace.

    WHO HAS SETTLED STAYS (within half of the tolerance, REST_OF_SETTLED): his guess is kept to the last bit until those he
    touches unsettle him again. So late guesses cost what is still on its way, and not all there is: the contacts of two
    solids that stay are those that the guess before found (world/collide/shape_contacts.h).

    There is an end to be found as forces do not jump: a contact that begins in the step begins with the dashpot's force of
    the way that it has gone (contact_onset.h).

    MULTISCALE (algorithm 6): the first guesses see surrogates, and move active sets of pairs of bodies by one level each
    (world/collide/active_sets.h). A step is settled when no body feels surrogates any more: so it ends with what real
    triangles exert, as without them. Where levels are skipped a guess that is no better than the last goes down all of
    them. Where sets are kept from step to step they have all the triangles that the last step needed, and go down wherever they
    do not: there is nothing left to be felt from afar, and steps are those of surrogates within Picard. */
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

/*  Of a body's radius: what no residual that moves it less is worth another guess for. */
#define LEAST_MOVE 1e-9

/*  Forces are not settled while some of them are of surrogates. */
#define UNREST_OF_SURROGATES 2

/*  Of the tolerance: a body this close to its end is not moved on, and has room left for what others still do to it. */
#define REST_OF_SETTLED 0.5

/*  Of shares, from guess to guess. */
#define MOST_GROWTH 2.0

/*  A share itself, at most: beyond 1 it accelerates. Where each residual is q times the one before, 1 / (1 - q) is best, and
    at most that until q is a third: 1.5 does no harm before 1 does (section 5 of the paper lets steps grow
    while forces keep their direction). */
#define MOST_SHARE 1.0
#define MOST_SHARE_ACCELERATED 1.5

void scree_picard_free(scree_picard *picard, scree_memory *memory)
{
    scree_memory_give(memory, &picard->start, picard->start_capacity, sizeof *picard->start);
    scree_memory_give(memory, &picard->residual, picard->residual_capacity,
                      sizeof *picard->residual);
    scree_memory_give(memory, &picard->share, picard->share_capacity, sizeof *picard->share);
    scree_memory_give(memory, &picard->stays, picard->stays_capacity, sizeof *picard->stays);
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
        scree_memory_reserve(&world->memory, &picard->share, &picard->share_capacity, count,
                             sizeof *picard->share) ||
        scree_memory_reserve(&world->memory, &picard->stays, &picard->stays_capacity, count,
                             sizeof *picard->stays) ||
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

/*  1 / m and 1 / I, the greatest of an inertia that differs by axis. */
static void read_ease(const scree_crowd *bodies, uint32_t slot, double ease[2])
{
    const double *inertia = bodies->inertia[slot];

    ease[0] = bodies->velocity[slot][3];
    ease[1] = 1 / fmin(inertia[0], fmin(inertia[1], inertia[2]));
}

/*  Forces at the guess less the guess; none of what cannot move the body. */
static void find_residual(const scree_crowd *bodies, uint32_t slot, double residual[8])
{
    uint32_t flags = bodies->flags[slot][0];

    for (int k = 0; k < 3; k++) {
        residual[k] = flags >> k & 1 ? 0 : bodies->force[slot][k] - bodies->force_twin[slot][k];
        residual[4 + k] =
            flags >> (3 + k) & 1 ? 0 : bodies->torque[slot][k] - bodies->torque_twin[slot][k];
    }
    residual[3] = residual[7] = 0;
}

/*  How far from settled a body is: at most 1 once it is. Weight and loads count where contacts balance them. */
static double unrest_of(const scree_world_def *def, const scree_crowd *bodies,
                        const scree_picard *picard, uint32_t slot, double dt,
                        const double residual[8])
{
    double radius = bodies->position[slot][3], ease[2], size[2], unrest = 0;

    read_ease(bodies, slot, ease);
    size[0] = fmax(scree_length(bodies->force[slot]),
                   bodies->inertia[slot][3] * scree_length(def->gravity));
    size[1] = scree_length(bodies->torque[slot]);
    if (bodies->loaded) {
        size[0] = fmax(size[0], scree_length(bodies->load[slot]));
        size[1] = fmax(size[1], scree_length(bodies->load[slot] + 3));
    }
    /* a torque is worth the force that makes it at the surface */
    size[1] = fmax(size[1], radius * size[0]);
    for (int k = 0; k < 2; k++) {
        double wrong = scree_length(residual + 4 * k), way = k == 0 ? radius : 1;
        double allowed =
            fmax(def->step.picard.tolerance * size[k], LEAST_MOVE * way / (ease[k] * dt * dt));
        unrest = fmax(unrest, wrong / allowed);
    }
    return picard->height[slot] > 0 ? fmax(unrest, UNREST_OF_SURROGATES) : unrest;
}

static double product_of(const double ease[2], const double a[8], const double b[8])
{
    double sum = 0;

    for (int k = 0; k < 8; k++)
        sum += a[k] * b[k] * ease[k / 4];
    return sum;
}

/*  By how much of its residual the next guess is to differ. One that grows in the direction it had tells nothing. */
static double choose_share(const double ease[2], const double before[8], const double now[8],
                           double share, double most)
{
    double fall[8], along, fall_sq;

    for (int k = 0; k < 8; k++)
        fall[k] = before[k] - now[k];
    along = product_of(ease, before, fall);
    fall_sq = product_of(ease, fall, fall);
    share *= along > 0 && along < MOST_GROWTH * fall_sq ? along / fall_sq : MOST_GROWTH;
    return share < most ? share : most;
}

/*  What surrogates exert is a guess, and the coarser they are the worse; what is under them is not known at all. So as much
    of the last guess is kept: of surrogates k levels above facets one 2^k-th of what was found goes into the next. The
    first forces without surrogates are believed. */
static double share_of(const scree_world_def *def, const scree_picard *picard, uint32_t slot,
                       bool is_first, const double ease[2], const double residual[8])
{
    double most = def->step.picard.accelerates ? MOST_SHARE_ACCELERATED : MOST_SHARE;

    if (picard->height[slot] > 0)
        return 1.0 / (double)(1u << picard->height[slot]);
    if (is_first || picard->height_before[slot] > 0)
        return 1;
    /* what others have done to a body that stayed says nothing of what its own move does */
    if (picard->stays[slot])
        return picard->share[slot];
    return choose_share(ease, picard->residual[slot], residual, picard->share[slot], most);
}

/* ---- all ---- */

typedef struct judgement
{
    scree_world *world;
    double dt;
    bool is_first;
} judgement;

static void judge_block(void *data, size_t block, uint32_t worker)
{
    const judgement *run = data;
    scree_world *world = run->world;
    const scree_crowd *bodies = &world->bodies;
    scree_picard *picard = &world->picard;
    size_t end = scree_block_end(block, SCREE_FOREMOST_BLOCK, bodies->count);

    for (uint32_t slot = (uint32_t)(block * SCREE_FOREMOST_BLOCK); slot < end; slot++) {
        double residual[8], ease[2], unrest;
        /* whatever a ghost touches is none, and notes for itself what it feels */
        if (bodies->flags[slot][0] & SCREE_GHOST)
            continue;
        find_residual(bodies, slot, residual);
        read_ease(bodies, slot, ease);
        picard->share[slot] = share_of(&world->def, picard, slot, run->is_first, ease, residual);
        memcpy(picard->residual[slot], residual, sizeof residual);
        unrest = unrest_of(&world->def, bodies, picard, slot, run->dt, residual);
        picard->stays[slot] = unrest <= REST_OF_SETTLED;
        scree_foremost_note(&world->scratch[worker], bodies, unrest, slot);
    }
}

/*  The state before lies in its own rows again, with the last guess as its forces. */
static void guess_again(scree_crowd *bodies, const scree_picard *picard)
{
    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        const double *residual = picard->residual[slot];
        double share = picard->share[slot];
        if (bodies->flags[slot][0] & SCREE_GHOST || picard->stays[slot])
            continue;
        for (int k = 0; k < 3; k++) {
            bodies->force[slot][k] += share * residual[k];
            bodies->torque[slot][k] += share * residual[4 + k];
        }
    }
}

/*  After the last guess. */
static scree_status refuse(const scree_step *step, const scree_crowd *bodies, scree_picard *picard)
{
    char who[sizeof step->error->text];

    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        double unrest;
        if (bodies->flags[slot][0] & SCREE_GHOST)
            continue;
        unrest = unrest_of(step->def, bodies, picard, slot, step->dt, picard->residual[slot]);
        if (unrest > 1)
            scree_unsettled_note(&picard->unsettled, bodies->id[slot][0], bodies->serial[slot][0],
                                 unrest);
    }
    scree_unsettled_say(&picard->unsettled, who, sizeof who);
    return scree_fail(step->error, SCREE_UNSTABLE,
                      "world: step %" PRIu64
                      ": forces have not settled after %u guesses, in a step of %.3g s: %s",
                      step->number, step->def->step.picard.iterations, step->dt, who);
}

/*  What an evaluation refuses, as a depth beyond the limit, is that of a guess: so it is said what it was on the way to. */
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

/*  Whether a guess so wild that contacts, laws or detection could do nothing with it may be met with a shorter
    step. */
static bool may_be_wild(scree_status status)
{
    return status == SCREE_UNSTABLE || status == SCREE_BAD_VALUE;
}

/*  Who feels surrogates, after an evaluation. */
static void find_heights(scree_picard *picard, const scree_solids *solids, uint32_t bodies)
{
    uint8_t *before = picard->height_before;
    size_t capacity = picard->height_before_capacity;

    picard->height_before = picard->height;
    picard->height_before_capacity = picard->height_capacity;
    picard->height = before;
    picard->height_capacity = capacity;
    if (bodies)
        memset(picard->height, 0, bodies);
    for (size_t k = 0; k < solids->work_count; k++) {
        const scree_solid_work *work = &solids->work[k];
        uint8_t *first = &picard->height[work->first];
        *first = work->height > *first ? (uint8_t)work->height : *first;
        if (work->second == UINT32_MAX)
            continue;
        uint8_t *second = &picard->height[work->second];
        *second = work->height > *second ? (uint8_t)work->height : *second;
    }
}

/*  What active sets are for in this try of a step. */
static void begin_sets(scree_solid_cuts *cuts, const scree_world_def *def)
{
    bool is_multiscale = def->step.integrator == SCREE_IMPLICIT_MULTISCALE;

    cuts->is_exact =
        scree_stepper_has_surrogates(def->step.integrator) && def->step.picard.keeps_sets;
    cuts->is_on = is_multiscale || cuts->is_exact;
    cuts->dives = cuts->is_exact;
    if (!cuts->is_exact)
        cuts->attempt++;
}

/*  After a guess: how far the next one goes down. */
static void choose_depth(scree_solid_cuts *cuts, bool skips_levels, double unrest_before,
                         double unrest)
{
    bool is_stuck = unrest > 1 && !(unrest < unrest_before);

    cuts->dives = cuts->is_exact || (is_stuck && skips_levels);
}

static scree_status iterate(scree_world *world, double dt)
{
    uint32_t limit = world->def.step.picard.iterations, worst = UINT32_MAX;
    double unrest = INFINITY;
    const scree_step step = scree_world_this_step(world, dt);
    scree_status status = SCREE_OK;

    if (world->bodies.count) {
        memset(world->picard.height, 0, world->bodies.count);
        memset(world->picard.stays, 0, world->bodies.count);
    }
    begin_sets(&world->solids.cuts, &world->def);
    for (uint32_t k = 0; !status && unrest > 1 && k < limit; k++) {
        if (k > 0) {
            scree_world_step_back(world);
            guess_again(&world->bodies, &world->picard);
            world->solids.stays = world->picard.stays;
        }
        scree_bodies_swap(&world->bodies);
        scree_world_move_bodies(world, dt);
        status = scree_world_evaluate(world, world->clock.time + dt, dt);
        if (status == SCREE_UNSTABLE)
            status = refuse_guess(&step, k + 1);
        if (!status) {
            judgement run = {world, dt, k == 0};
            double before = unrest;
            find_heights(&world->picard, &world->solids, world->bodies.count);
            unrest = scree_foremost(&world->workers, world->scratch, &world->bodies, judge_block,
                                    &run, &worst);
            choose_depth(&world->solids.cuts, world->def.step.picard.skips_levels, before, unrest);
        }
    }
    world->solids.cuts.is_on = false;
    world->solids.stays = NULL;
    return !status && unrest > 1 ? refuse(&step, &world->bodies, &world->picard) : status;
}

scree_status scree_world_settle(scree_world *world, double *dt, bool *is_too_long)
{
    scree_crowd *bodies = &world->bodies;
    scree_picard *picard = &world->picard;
    const scree_error said = world->error;
    scree_status status;

    *is_too_long = false;
    for (uint32_t slot = 0; slot < bodies->count; slot++)
        join(bodies->force, bodies->torque, slot, picard->start[slot]);
    status = iterate(world, *dt);
    if (!status)
        status = scree_world_find_crossings(world, *dt);
    /* what bodies exert on each other cancels, what was guessed for each of them need not */
    if (!status)
        scree_world_finish(world, *dt);
    world->is_finished = true;
    /* the guess was in their place */
    for (uint32_t slot = 0; slot < bodies->count; slot++)
        part(picard->start[slot], bodies->force_twin, bodies->torque_twin, slot);
    if (may_be_wild(status) && picard->halvings < world->def.step.picard.halvings) {
        picard->halvings++;
        *dt /= 2;
        *is_too_long = true;
        world->error = said;
        world->failed_body = (scree_body_id){0, 0};
        scree_unsettled_clear(&picard->unsettled);
        status = SCREE_OK;
    }
    return status;
}
