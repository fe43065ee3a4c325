/*  Steps that all ranks take together. Bodies are distributed when one may move farther than ghosts allow. */
#include "dist/rank_team.h"

#include "base/clock.h"
#include "base/hash.h"
#include "world/step/evaluate.h"
#include "world/step/step.h"

/*  Parts have no local time stepping, so there is nothing to drop. */
static void drop_nothing(scree_world *world)
{
    (void)world;
}

static const scree_local_way no_local_steps = {NULL, NULL, drop_nothing};

scree_status scree_rank_largest(const scree_rank_team *ranks, double *value)
{
    uint64_t word = scree_word_of_double(*value);
    const scree_status status = ranks->comm.reduce(ranks->comm.user, SCREE_REDUCE_MAX, &word, 1);

    *value = scree_double_of_word(word);
    return status;
}

/*  An upper bound of the next step, the same on all ranks, for the first `count` bodies of `world`. */
scree_status scree_rank_bound_step(const scree_rank_team *ranks, const scree_world *world,
                                   uint32_t count, double *dt)
{
    scree_status status = SCREE_OK;

    *dt = scree_distribution_longest_step(world, count);
    if (!scree_bodies_bound_step(ranks->part))
        return status;
    uint64_t word = scree_word_of_double(*dt);
    status = ranks->comm.reduce(ranks->comm.user, SCREE_REDUCE_MIN, &word, 1);
    *dt = scree_double_of_word(word);
    return status;
}

/*  Distributes bodies before a step in which a body, or an image, may move farther than ghosts allow. */
static scree_status distribute_if_due(scree_rank_team *ranks)
{
    scree_world *part = ranks->part;
    const uint32_t owned = ranks->distribution.owned;
    double dt, reach;
    scree_status status = scree_rank_bound_step(ranks, part, owned, &dt);

    reach = scree_distribution_drift_bound(&ranks->distribution, part, dt);
    if (!status)
        status = scree_rank_largest(ranks, &reach);
    if (!status && reach > ranks->distribution.room) {
        double way = scree_distribution_step_bound(part, owned, dt);
        status = scree_rank_largest(ranks, &way);
        if (!status)
            status = scree_distribute_bodies(&ranks->distribution, part, owned, part, way,
                                             SCREE_ONE_ROUND);
    }
    if (!status)
        scree_distribution_note_step(&ranks->distribution, part, dt);
    return status;
}

static bool needs_forces(const scree_world *part)
{
    return part->clock.unprimed ||
           (part->def.step.mode != SCREE_TIME_FIXED && part->clock.stable == 0);
}

/*  A failure after ranks have agreed on forces happens on all ranks alike, since all have the same values. */
static scree_status take_step(scree_rank_team *ranks)
{
    scree_world *part = ranks->part;
    const double waited = ranks->meter.seconds;

    part->lap = scree_clock_seconds();
    const scree_status status = scree_world_take_step(part, &no_local_steps);
    scree_world_end_phase(part, &part->timings.other);
    part->lap = 0;
    /* a step communicates in this phase only */
    part->timings.other -= ranks->meter.seconds - waited;
    part->timings.steps++;

    if (status && !ranks->has_failed) {
        ranks->has_failed = true;
        ranks->own_status = status;
    }
    return status;
}

/*  Whether bodies are to be removed on any rank, after a step. */
static scree_status some_leave(const scree_rank_team *ranks, bool *some)
{
    uint64_t count = ranks->leaving;
    scree_status status = SCREE_OK;

    if (scree_def_removes_bodies(&ranks->part->def))
        status = ranks->comm.reduce(ranks->comm.user, SCREE_REDUCE_SUM, &count, 1);
    *some = count > 0;
    return status;
}

/*  Fewer steps than asked for if bodies are to be removed: rank 0 does that in the host's world. */
scree_status scree_rank_take_steps(scree_rank_team *ranks, uint64_t count)
{
    scree_world *part = ranks->part;
    const scree_course before = part->clock;
    scree_status status = SCREE_OK;
    bool is_over = false;

    ranks->leaving = 0;
    part->error.text[0] = 0;
    /* forces are evaluated first: they bound displacements */
    part->host_may_read = false;
    /* stiffness, energies and heat flow are summed contact by contact; bonds, events, sums that sleep keeps and what audits
       compare are found by their bodies */
    part->wants_index = part->def.step.mode != SCREE_TIME_FIXED || part->def.energy_balance ||
                        part->heat.is_on || part->breaks.course.made || part->def.events ||
                        part->sleep.is_on || part->def.detection.audit;
    if (count && needs_forces(part))
        status = scree_world_make_ready(part, &no_local_steps);
    for (uint64_t k = 0; k < count && !status && !is_over; k++) {
        part->host_may_read = k + 1 == count;
        ranks->has_chosen = false;
        status = distribute_if_due(ranks);
        if (!status)
            status = take_step(ranks);
        if (!status)
            status = some_leave(ranks, &is_over);
    }
    /* the same as in a step that fails if forces were not known before */
    if (status && part->clock.steps == before.steps)
        part->clock = before;
    return status;
}
