/*  The total force on each body: the sum over its contacts, plus forces on the body itself. */
#include "world/forces/sum_forces.h"

#include "world/contacts/sleep_tiles.h"
#include "world/forces/shape_forces.h"
#include "world/forces/sphere_forces.h"
#include "world/forces/sum_kernels.h"
#include "world/state/body_blocks.h"
#include "world/state/rotation.h"
#include "world/state/rotation_batch.h"

#include <math.h>
#include <string.h>

/*  If a body's sum is unchanged, it is copied from the previous state. */
static bool sum_beside_sleeping(const scree_sum_run *run, uint32_t begin, uint32_t end)
{
    const scree_sum_job *job = run->job;
    scree_body_arrays *bodies = job->bodies;
    bool is_sound = true;

    for (uint32_t slot = begin, stop; slot < end; slot = stop) {
        for (stop = slot; stop < end && !scree_sum_stays(job->sleep, bodies, stop);)
            stop++;
        if (stop > slot)
            is_sound &= scree_sum_kernels[job->step->simd](run, slot, stop);
        for (; stop < end && scree_sum_stays(job->sleep, bodies, stop); stop++) {
            memcpy(bodies->force[stop], bodies->force_before[stop], sizeof *bodies->force);
            memcpy(bodies->torque[stop], bodies->torque_before[stop], sizeof *bodies->torque);
        }
    }
    return is_sound;
}

static void sum_block(void *data, const scree_body_block *block)
{
    const scree_sum_run *run = data;
    const scree_sum_job *job = run->job;

    if (!sum_beside_sleeping(run, block->begin, block->end))
        job->scratch[block->worker].is_unsound = true;
    scree_sums_forget_touched(job->sums, block->begin, block->end);
}

/* ---- damping ---- */

/*  Global damping: a drag proportional to momentum. Local damping (Cundall 1987): a share of the total force,
    against the motion. */
static void damp_body(const scree_sum_job *job, uint32_t slot, const double moment[3],
                      uint32_t worker)
{
    scree_body_arrays *bodies = job->bodies;
    double drag = job->step->def->global_damping, share = job->step->def->local_damping;
    double *force = bodies->force[slot], *torque = bodies->torque[slot];
    const double *velocity = bodies->velocity[slot], *spin = bodies->spin[slot];
    double mass = bodies->inertia[slot][3];

    for (int k = 0; k < 3; k++) {
        force[k] -= share * copysign(fabs(force[k]), velocity[k]) * (velocity[k] != 0);
        force[k] -= drag * mass * velocity[k];
        torque[k] -= share * copysign(fabs(torque[k]), spin[k]) * (spin[k] != 0);
        torque[k] -= drag * moment[k];
    }
    if (!scree_force_is_sound(force, torque))
        job->scratch[worker].is_unsound = true;
}

static void damp_tumblers(const scree_sum_job *job, scree_tumblers *some, uint32_t worker)
{
    double moment[SCREE_TUMBLERS][4];

    if (some->count)
        scree_momenta_kernels[job->step->simd](job->bodies, some, moment);
    for (uint32_t k = 0; k < some->count; k++)
        damp_body(job, some->slot[k], moment[k], worker);
    some->count = 0;
}

static void damp_block(void *data, const scree_body_block *block)
{
    const scree_sum_job *job = data;
    scree_body_arrays *bodies = job->bodies;
    scree_tumblers some = {0};

    for (uint32_t slot = block->begin; slot < block->end; slot++) {
        double moment[3];
        /* sleeping bodies are not damped */
        if (scree_body_is_still(job->sleep, job->bodies, slot))
            continue;
        if (bodies->spin[slot][3] == 0) {
            some.slot[some.count++] = slot;
            if (some.count == SCREE_TUMBLERS)
                damp_tumblers(job, &some, block->worker);
            continue;
        }
        scree_body_momentum(bodies, slot, moment);
        damp_body(job, slot, moment, block->worker);
    }
    damp_tumblers(job, &some, block->worker);
}

/* ---- all ---- */

static bool all_are_sound(const scree_sum_job *job)
{
    for (uint32_t w = 0; w < job->step->workers->count; w++)
        if (job->scratch[w].is_unsound)
            return false;
    return true;
}

bool scree_sums_gather(const scree_sum_job *job, bool finishes)
{
    const scree_body_arrays *bodies = job->bodies;
    scree_sum_run run = {.job = job, .finishes = finishes, .share = job->step->dt / 2};

    run.force = (const double(*)[4])(job->in_place ? bodies->force : bodies->force_before);
    run.torque = (const double(*)[4])(job->in_place ? bodies->torque : bodies->torque_before);
    for (uint32_t w = 0; w < job->step->workers->count; w++)
        job->scratch[w].is_unsound = false;
    scree_body_blocks_run(job->step->workers, bodies->count, sum_block, &run);
    job->sums->is_clean = true;
    return all_are_sound(job) && !job->sums->is_unsound;
}

bool scree_sums_damp(const scree_sum_job *job)
{
    scree_sum_job run = *job;

    scree_body_blocks_run(job->step->workers, job->bodies->count, damp_block, &run);
    return all_are_sound(job);
}
