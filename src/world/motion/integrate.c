/*  Moves bodies from one state to the next.

    All integrators share one form. With f the force at t_n and a = f / m:

        x' = x + (v + c a dt) dt      c = 1/2: velocity Verlet, exact for a constant force
        v* = v + a dt                 c = 1: symplectic Euler, and implicit Euler with f at the end (implicit.c)
                                      c = 0: explicit Euler

    Contact forces are then evaluated at x' and v*, positions and velocities of the same time. With velocities half a
    step behind, as velocity Verlet is often written, static friction between grains of very different sizes creeps
    (Vyas, Ottino, Lueptow, Umbanhowar, Comput. Phys. Commun. 310 (2025) 109524). Verlet then replaces the first force
    by the mean of both: v' = v* + (a' - a) dt / 2.

    Rotation is integrated in the same way; bodies whose inertia differs by axis are in rotation.c. */
#include "world/motion/integrate.h"

#include "world/motion/drift_kernels.h"
#include "world/motion/sleep.h"
#include "world/state/body_blocks.h"
#include "world/state/rotation.h"
#include "world/state/rotation_batch.h"

#include <string.h>

typedef struct drift_run
{
    const scree_motion_job *job;
    double dt, share;       /* c dt */
    uint32_t held;          /* components that are frozen in all bodies */
    double scale;           /* scree_def_inertia_scale */
    bool all_free;          /* no body needs special treatment */
    scree_rows_before from; /* of free bodies */
} drift_run;

/*  In two dimensions nothing leaves the plane, whatever loads and the host's function are. */
static drift_run begin_run(const scree_motion_job *job, double dt, double share)
{
    const scree_world_def *def = job->step->def;
    drift_run run = {
        .job = job, .dt = dt, .share = share, .scale = scree_def_inertia_scale(def, dt)};

    if (def->dimensions == 2)
        run.held = SCREE_FREEZE_Z | SCREE_FREEZE_SPIN_X | SCREE_FREEZE_SPIN_Y;
    run.all_free = run.held == 0 && run.scale == 0 && job->bodies->odd == 0 && !job->sleep->is_on;
    return run;
}

/*  The force without that on frozen components. With mass scaling the fourth value is the rate. */
static void free_force(const drift_run *run, uint32_t slot, const double force[4],
                       const double torque[4], double free[8])
{
    uint32_t flags = scree_body_held(run->job->bodies->flags[slot][0]) | run->held;
    double ease = 1, turn_ease = 1;

    if (run->scale > 0) {
        ease = 1 / scree_inertia_factor(run->scale, force[3]);
        turn_ease = 1 / scree_inertia_factor(run->scale, torque[3]);
    }
    for (int k = 0; k < 3; k++) {
        free[k] = flags >> k & 1 ? 0 : force[k] * ease;
        free[4 + k] = flags >> (3 + k) & 1 ? 0 : torque[k] * turn_ease;
    }
    free[3] = free[7] = 0;
}

static void drift_centre(const drift_run *run, scree_body_arrays *bodies, uint32_t slot,
                         const double pushed[4])
{
    const double *velocity = bodies->velocity_before[slot], *place = bodies->position_before[slot];
    double inv_mass = velocity[3];
    /* the fourth value of a row is no velocity and stays */
    const double dt[4] = {run->dt, run->dt, run->dt, 0};

    double faster[4], moved[4];

    /* all values are read before any is written, so that the compiler can use vectors */
    for (int k = 0; k < 4; k++) {
        double acceleration = pushed[k] * inv_mass;
        faster[k] = velocity[k] + acceleration * dt[k];
        moved[k] = place[k] + (velocity[k] + acceleration * run->share) * dt[k];
    }
    memcpy(bodies->velocity[slot], faster, sizeof faster);
    memcpy(bodies->position[slot], moved, sizeof moved);
}

static void drift_body(const drift_run *run, scree_body_arrays *bodies, uint32_t slot)
{
    const double *spin = bodies->spin_before[slot];
    double pushed[8], inv_inertia = spin[3], mean_spin[3];

    free_force(run, slot, bodies->force_before[slot], bodies->torque_before[slot], pushed);
    drift_centre(run, bodies, slot, pushed);
    if (inv_inertia == 0) {
        scree_turn_drift(bodies, slot, pushed + 4, run->dt, run->share);
        return;
    }
    for (int k = 0; k < 3; k++) {
        double acceleration = pushed[4 + k] * inv_inertia;
        bodies->spin[slot][k] = spin[k] + acceleration * run->dt;
        mean_spin[k] = spin[k] + acceleration * run->share;
    }
    bodies->spin[slot][3] = inv_inertia;
    scree_turn(bodies->orientation_before[slot], mean_spin, run->dt, bodies->orientation[slot]);
}

/*  Whether a body needs no special treatment. */
static bool is_free(const drift_run *run, const scree_body_arrays *bodies, uint32_t slot)
{
    return (bodies->flags[slot][0] | run->held) == 0 && run->scale == 0 &&
           bodies->spin_before[slot][3] != 0 &&
           !scree_body_is_still(run->job->sleep, run->job->bodies, slot);
}

/*  Whether only its inertia needs special treatment: such bodies are rotated several at once. */
static bool tumbles_freely(const drift_run *run, const scree_body_arrays *bodies, uint32_t slot)
{
    return (bodies->flags[slot][0] | run->held) == 0 && run->scale == 0 &&
           bodies->spin_before[slot][3] == 0;
}

static void turn_tumblers(const drift_run *run, scree_tumblers *some)
{
    if (some->count)
        scree_tumble_kernels[run->job->step->simd](run->job->bodies, some, run->dt, run->share);
    some->count = 0;
}

static void drift_tumbler(const drift_run *run, scree_body_arrays *bodies, uint32_t slot,
                          scree_tumblers *some)
{
    drift_centre(run, bodies, slot, bodies->force_before[slot]);
    some->slot[some->count++] = slot;
    if (some->count == SCREE_TUMBLERS)
        turn_tumblers(run, some);
}

static void keep_body(scree_body_arrays *bodies, uint32_t slot)
{
    for (int k = 0; k < 4; k++) {
        bodies->position[slot][k] = bodies->position_before[slot][k];
        bodies->velocity[slot][k] = bodies->velocity_before[slot][k];
        bodies->spin[slot][k] = bodies->spin_before[slot][k];
        bodies->orientation[slot][k] = bodies->orientation_before[slot][k];
    }
}

/*  The end of a run of free bodies from `slot` on, or of other bodies. */
static uint32_t end_of_alike(const drift_run *run, uint32_t slot, uint32_t end, bool are_free)
{
    const scree_body_arrays *bodies = run->job->bodies;

    if (run->all_free)
        return are_free ? end : slot;
    while (slot < end && is_free(run, bodies, slot) == are_free)
        slot++;
    return slot;
}

/*  Whether the drift of this body would change nothing: a settled body has the same state as before the last step,
    unless bodies were moved in memory since. */
static bool drift_is_spared(const scree_motion_job *job, uint32_t slot)
{
    return job->sleep->is_valid && !job->slots_are_new && !job->sleep->computes_all &&
           (job->bodies->still[slot][0] & SCREE_HAS_SETTLED);
}

static void drift_block_in_place(void *data, const scree_body_block *block)
{
    const drift_run *run = data;
    scree_body_arrays *bodies = run->job->bodies;
    uint32_t end = block->end;
    double before[SCREE_TRAVEL_ROWS]
                 [4]; /* few enough that the old positions are still in the cache */

    for (uint32_t slot = block->begin, stop; slot < end; slot = stop) {
        stop = end - slot < SCREE_TRAVEL_ROWS ? end : slot + SCREE_TRAVEL_ROWS;
        memcpy(before, bodies->position[slot], (stop - slot) * sizeof *before);
        scree_drift_kernels[run->job->step->simd](&run->from, bodies, run->dt, run->share, slot,
                                                  stop);
        run->job->travel[slot / SCREE_TRAVEL_ROWS] =
            run->job->drifted(bodies, (const double(*)[4])before, run->job->near, slot, stop);
    }
}

static void drift_block(void *data, const scree_body_block *block)
{
    const drift_run *run = data;
    scree_body_arrays *bodies = run->job->bodies;
    scree_drift_fn *drift = scree_drift_kernels[run->job->step->simd];
    uint32_t begin = block->begin, end = block->end, slot = begin;
    scree_tumblers some = {0};

    scree_sleep_look_at_bodies(run->job->sleep, run->job->bodies, begin, end);
    while (slot < end) {
        uint32_t stop = end_of_alike(run, slot, end, true);
        drift(&run->from, bodies, run->dt, run->share, slot, stop);
        for (slot = stop, stop = end_of_alike(run, slot, end, false); slot < stop; slot++) {
            if (drift_is_spared(run->job, slot))
                continue;
            if (bodies->flags[slot][0] & SCREE_GHOST ||
                scree_body_is_still(run->job->sleep, run->job->bodies, slot))
                keep_body(bodies, slot);
            else if (tumbles_freely(run, bodies, slot))
                drift_tumbler(run, bodies, slot, &some);
            else
                drift_body(run, bodies, slot);
        }
    }
    turn_tumblers(run, &some);
    if (!run->job->near && !run->job->block_way)
        return;
    double way = run->job->drifted(bodies, (const double(*)[4])bodies->position_before + begin,
                                   run->job->near, begin, end);
    if (run->job->block_way)
        run->job->block_way[block->index] = way;
}

static scree_rows_before before_of(const scree_body_arrays *bodies)
{
    return (scree_rows_before){
        (const double(*)[4])bodies->position_before, (const double(*)[4])bodies->velocity_before,
        (const double(*)[4])bodies->spin_before,     (const double(*)[4])bodies->orientation_before,
        (const double(*)[4])bodies->force_before,    (const double(*)[4])bodies->torque_before};
}

static scree_rows_before rows_of(const scree_body_arrays *bodies)
{
    return (scree_rows_before){
        (const double(*)[4])bodies->position, (const double(*)[4])bodies->velocity,
        (const double(*)[4])bodies->spin,     (const double(*)[4])bodies->orientation,
        (const double(*)[4])bodies->force,    (const double(*)[4])bodies->torque};
}

static drift_run begin_drift(const scree_motion_job *job)
{
    const scree_step *step = job->step;
    return begin_run(job, step->dt, step->dt - scree_def_ahead(step->def, step->dt));
}

void scree_bodies_drift_in_place(const scree_motion_job *job)
{
    drift_run run = begin_drift(job);

    run.from = rows_of(job->bodies);
    scree_body_blocks_run(job->step->workers, job->bodies->count, drift_block_in_place, &run);
}

void scree_bodies_drift(const scree_motion_job *job)
{
    drift_run run = begin_drift(job);

    run.from = before_of(job->bodies);
    scree_body_blocks_run(job->step->workers, job->bodies->count, drift_block, &run);
}

static void end_tumblers(const drift_run *run, scree_tumblers *some)
{
    if (some->count)
        scree_tumble_end_kernels[run->job->step->simd](run->job->bodies, some, run->share);
    some->count = 0;
}

static void finish_tumbler(const drift_run *run, scree_body_arrays *bodies, uint32_t slot,
                           scree_tumblers *some)
{
    const double *now = bodies->force[slot], *before = bodies->force_before[slot];

    for (int k = 0; k < 3; k++)
        bodies->velocity[slot][k] += (now[k] - before[k]) * bodies->velocity[slot][3] * run->share;
    some->slot[some->count++] = slot;
    if (some->count == SCREE_TUMBLERS)
        end_tumblers(run, some);
}

static void finish_body(const drift_run *run, scree_body_arrays *bodies, uint32_t slot)
{
    double now[8], before[8];

    free_force(run, slot, bodies->force[slot], bodies->torque[slot], now);
    free_force(run, slot, bodies->force_before[slot], bodies->torque_before[slot], before);
    for (int k = 0; k < 3; k++)
        bodies->velocity[slot][k] += (now[k] - before[k]) * bodies->velocity[slot][3] * run->share;
    for (int k = 0; k < 3; k++)
        now[4 + k] -= before[4 + k];
    if (bodies->spin[slot][3] == 0)
        scree_turn_finish(bodies, slot, now + 4, run->share);
    for (int k = 0; bodies->spin[slot][3] != 0 && k < 3; k++)
        bodies->spin[slot][k] += now[4 + k] * bodies->spin[slot][3] * run->share;
}

static void finish_block(void *data, const scree_body_block *block)
{
    const drift_run *run = data;
    scree_body_arrays *bodies = run->job->bodies;
    scree_tumblers some = {0};

    for (uint32_t slot = block->begin; slot < block->end; slot++) {
        if (bodies->flags[slot][0] & SCREE_GHOST ||
            scree_body_is_still(run->job->sleep, run->job->bodies, slot))
            continue;
        if (tumbles_freely(run, bodies, slot))
            finish_tumbler(run, bodies, slot, &some);
        else
            finish_body(run, bodies, slot);
    }
    end_tumblers(run, &some);
}

void scree_bodies_finish(const scree_motion_job *job)
{
    const scree_integrator integrator = job->step->def->step.integrator;
    bool is_implicit = scree_integrator_is_implicit(integrator);
    drift_run run = begin_run(job, job->step->dt, is_implicit ? job->step->dt : job->step->dt / 2);

    if (is_implicit || integrator == SCREE_VELOCITY_VERLET)
        scree_body_blocks_run(job->step->workers, job->bodies->count, finish_block, &run);
}

bool scree_bodies_may_finish_early(const scree_world_def *def, const scree_body_arrays *bodies,
                                   const scree_sleep_state *sleep)
{
    return def->step.integrator == SCREE_VELOCITY_VERLET &&
           def->step.mode != SCREE_TIME_MASS_SCALING && def->dimensions == 3 && bodies->odd == 0 &&
           bodies->nonspheres == 0 && !sleep->is_on && def->global_damping == 0 &&
           def->local_damping == 0;
}
