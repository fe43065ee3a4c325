/*  Accumulation of contact forces, including the slow path: from the force records of skipped contacts. */
#include "world/forces/contact_sums.h"

#include "world/contacts/sleep_tiles.h"
#include "world/state/body_blocks.h"

#include <math.h>

scree_quantum scree_pair_quantum(const scree_quantum_rule *rule, const scree_body_arrays *bodies,
                                 uint32_t first, uint32_t second)
{
    double mass, radius;

    scree_pair_size(bodies, first, second, &mass, &radius);
    return scree_quantum_of(rule, mass, radius);
}

scree_quantum scree_wall_quantum(const scree_quantum_rule *rule, const scree_body_arrays *bodies,
                                 uint32_t slot)
{
    return scree_quantum_of(rule, 1 / bodies->velocity[slot][3], bodies->position[slot][3]);
}

static scree_status begin(const scree_sum_job *job, uint32_t words, const scree_quantum *unit)
{
    const scree_step *step = job->step;

    if (scree_sums_begin(job->sums, step->memory, unit, words, step->workers->count,
                         job->bodies->count))
        return scree_fail(step->error, SCREE_OUT_OF_MEMORY, "world: sums of forces: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    return SCREE_OK;
}

scree_status scree_contact_sums_begin(const scree_sum_job *job)
{
    const double *g = job->step->def->gravity;
    double gravity = fmax(fabs(g[0]), fmax(fabs(g[1]), fabs(g[2])));
    /* as many words as the last evaluation needed: this affects only time */
    uint32_t words = job->sums->words ? job->sums->words : 1;
    scree_quantum unit;

    job->sums->rule = scree_quantum_rule_of(gravity, job->step->dt);
    scree_bodies_find_least(job->bodies);
    unit = scree_quantum_least(&job->sums->rule, job->bodies->lightest, job->bodies->smallest);
    /* a coarser unit may need fewer words */
    if (unit.force != job->sums->unit.force)
        words = 1;
    return begin(job, words, &unit);
}

scree_status scree_contact_sums_widen(const scree_sum_job *job)
{
    const scree_quantum unit = job->sums->unit;
    return begin(job, job->sums->words + 1, &unit);
}

/*  Adds to a body whose sum is computed again. */
static void add(const scree_sum_job *job, uint32_t worker, uint32_t slot,
                const scree_quantum *quantum, const double force[3], const double torque[3])
{
    if (!scree_sum_stays(job->sleep, job->bodies, slot))
        scree_sums_add(job->sums, worker, slot, quantum, force, torque);
}

static void add_pair(const scree_sum_job *job, uint32_t worker, size_t candidate)
{
    const scree_contact_list *list = job->pairs;
    uint32_t first = list->first[candidate][0], second = list->second[candidate][0];
    double opposite[3], torque[2][3];

    if (!list->touches_next[candidate][0])
        return;
    const double *row = job->contacts->row[candidate];
    for (int k = 0; k < 3; k++) {
        double moment = job->contacts->has_moments ? job->contacts->moment[candidate][k] : 0;
        opposite[k] = -row[k];
        torque[0][k] = row[3] * row[4 + k] + moment;
        torque[1][k] = row[7] * row[4 + k] - moment;
    }
    const scree_quantum quantum = scree_pair_quantum(&job->sums->rule, job->bodies, first, second);
    add(job, worker, first, &quantum, row, torque[0]);
    add(job, worker, second, &quantum, opposite, torque[1]);
}

/* ---- contacts that sleep skips ---- */

static void mark_block(void *data, const scree_body_block *block)
{
    const scree_sum_job *job = data;
    scree_body_arrays *bodies = job->bodies;
    const scree_wall_contacts *walls = job->wall_contacts;

    for (uint32_t slot = block->begin; slot < block->end; slot++) {
        bool stays =
            !job->has_more && scree_sleep_spares_sum(job->sleep, bodies, job->pairs, walls, slot);
        bodies->still[slot][0] &= (uint8_t)~SCREE_SUM_STAYS;
        bodies->still[slot][0] |= stays ? SCREE_SUM_STAYS : 0;
    }
}

static void add_tile(void *data, size_t tile, uint32_t worker)
{
    const scree_sum_job *job = data;
    size_t begin = tile * SCREE_SLEEP_TILE;
    size_t end = scree_block_end(tile, SCREE_SLEEP_TILE, job->pairs->count);

    if (job->sleep->spares[tile])
        for (size_t c = begin; c < end; c++)
            add_pair(job, worker, c);
}

/*  Adds the contacts of skipped tiles, from their old force records, to bodies that also have other contacts. */
static void add_spared(const scree_sum_job *job)
{
    scree_sum_job run = *job;

    scree_body_blocks_run(job->step->workers, job->bodies->count, mark_block, &run);
    scree_workers_run(job->step->workers, scree_block_count(job->pairs->count, SCREE_SLEEP_TILE),
                      add_tile, &run);
}

/* ---- do the sums fit? ---- */

static void check_block(void *data, const scree_body_block *block)
{
    const scree_sum_job *job = data;
    double force[3], torque[3];

    for (uint32_t slot = block->begin; slot < block->end; slot++)
        if (!scree_sums_read(job->sums, slot, force, torque))
            job->sums->is_over = true;
}

bool scree_contact_sums_fit(const scree_sum_job *job)
{
    scree_sum_job run = *job;

    if (job->sleep->is_used)
        add_spared(job);
    /* check each sum if one may not fit */
    if (!job->sums->is_over && job->sums->is_large)
        scree_body_blocks_run(job->step->workers, job->bodies->count, check_block, &run);
    /* a value that no number of words can hold is treated as not finite */
    if (job->sums->is_over && job->sums->words == SCREE_SUM_WORDS)
        job->sums->is_unsound = true;
    return !job->sums->is_over || job->sums->words == SCREE_SUM_WORDS;
}
