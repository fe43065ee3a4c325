/*  Balls of two sizes get new random velocities now and then, whose scale rises and falls, so that
    the step must follow. The set of known pairs is kept sorted; overlaps are found by an oracle of
    bodies as they are. */
#include "claims/automatic_step.h"

#include "claims/audit.h"
#include "scenes/scenes.h"

#include "base/error.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

#define SCENE "bimodal:3:0.2"

/*  A step may grow by so much in a cycle (specification of the cell space, 9.2). */
#define INCREMENT 1.05

/*  How much longer than allowed a forced step is. Growths are twice the allowance, on both sides of a
    gap, and few bodies are the fastest: the guarantee does not fail at once. */
#define FORCED 10

typedef struct trial_run
{
    scree_scene scene;
    scree_detector *tested, *oracle;
    scree_memory memory;
    scree_random random;
    scree_key_list known, before,
        now; /* pairs of the margin; overlaps of the last cycle, of this one */
    double dt;
} trial_run;

static scree_motion motion_of(const scree_scene *scene)
{
    scree_motion motion;
    memset(&motion, 0, sizeof motion);
    for (int k = 0; k < 3; k++)
        motion.velocity[k] = scree_doubles(scene->velocity[k], sizeof(double));
    return motion;
}

/*  One body in ten is pushed each cycle; the pushes grow and fade over a hundred cycles. */
static void push(trial_run *a, uint32_t cycle)
{
    scree_scene *scene = &a->scene;
    uint32_t phase = cycle % 100;
    double scale = 0.02 + 0.02 * (phase < 50 ? phase : 100 - phase);
    for (size_t i = 0; i < scene->count; i++)
        for (int k = 0; k < 3; k++) {
            double low = scene->lower[k], high = scene->upper[k];
            if (scree_random_below(&a->random, 10) == 0)
                scene->velocity[k][i] = scale * scree_random_normal(&a->random);
            /* bodies that are outside turn back */
            if (scene->centre[k][i] < low)
                scene->velocity[k][i] = fabs(scene->velocity[k][i]);
            if (scene->centre[k][i] > high)
                scene->velocity[k][i] = -fabs(scene->velocity[k][i]);
        }
}

static void move(scree_scene *scene, double dt)
{
    for (size_t i = 0; i < scene->count; i++)
        for (int k = 0; k < 3; k++)
            scene->centre[k][i] += scene->velocity[k][i] * dt;
}

/*  The step, the motion, and what overlaps after it; then detection for the next. */
static scree_status do_cycle(trial_run *a, uint32_t cycle, double factor, uint64_t *begun,
                             uint64_t *late)
{
    scree_table table = scree_scene_table(&a->scene);
    scree_motion motion = motion_of(&a->scene);
    double longest;
    push(a, cycle);
    scree_status status = scree_detector_longest_step(a->tested, &table, &motion, &longest);
    if (status != SCREE_OK)
        return status;
    a->dt = fmin(INCREMENT * a->dt, longest);
    move(&a->scene, a->dt * factor);

    status = scree_detector_update(a->oracle, &table, NULL);
    if (status == SCREE_OK)
        status = scree_keys_take(a->oracle, &a->memory, &a->now);
    for (size_t k = 0; k < a->now.count && status == SCREE_OK; k++)
        if (!scree_keys_have(&a->before, a->now.key[k])) {
            ++*begun;
            *late += !scree_keys_have(&a->known, a->now.key[k]);
        }
    scree_key_list list = a->before;
    a->before = a->now;
    a->now = list;
    if (status == SCREE_OK)
        status = scree_detector_advance(a->tested, &table, &motion, a->dt * factor, NULL);
    if (status == SCREE_OK)
        status = scree_keys_take(a->tested, &a->memory, &a->known);
    return status;
}

static scree_status open_cycles(trial_run *a, size_t n, uint64_t seed, scree_error *error)
{
    scree_detector_def def = scree_default_detector_def();
    memset(a, 0, sizeof *a);
    scree_status status = scree_memory_init(&a->memory, NULL);
    if (status == SCREE_OK)
        status = scree_scene_create(SCENE, n, seed, NULL, &a->scene, error);
    if (status != SCREE_OK)
        return status;
    a->random = scree_random_stream(seed, (uint64_t)2 << 32);
    a->dt = 1;
    def.error = error;
    def.method = "bounding-volume";
    status = scree_detector_create(&def, &a->oracle);
    def.method = "cell-space";
    def.margin.kind = SCREE_MARGIN_TOLERANCE;
    if (status == SCREE_OK)
        status = scree_detector_create(&def, &a->tested);
    return status;
}

static void close_cycles(trial_run *a)
{
    scree_keys_free(&a->memory, &a->known);
    scree_keys_free(&a->memory, &a->before);
    scree_keys_free(&a->memory, &a->now);
    scree_detector_destroy(a->oracle);
    scree_detector_destroy(a->tested);
    scree_scene_free(&a->scene);
}

static scree_status run_cycles(size_t n, uint32_t count, uint64_t seed, double factor,
                               uint64_t *begun, uint64_t *late, scree_error *error)
{
    trial_run a;
    scree_status status = open_cycles(&a, n, seed, error);
    if (status == SCREE_OK) {
        scree_table table = scree_scene_table(&a.scene);
        /* before the first cycle all pieces are mapped and all contacts known */
        status = scree_detector_update(a.tested, &table, NULL);
        if (status == SCREE_OK)
            status = scree_detector_update(a.oracle, &table, NULL);
        if (status == SCREE_OK)
            status = scree_keys_take(a.tested, &a.memory, &a.known);
        if (status == SCREE_OK)
            status = scree_keys_take(a.oracle, &a.memory, &a.before);
        for (uint32_t cycle = 0; cycle < count && status == SCREE_OK; cycle++)
            status = do_cycle(&a, cycle, factor, begun, late);
        if (status != SCREE_OK)
            scree_fail(error, status, "%s", scree_detector_message(a.tested));
    }
    close_cycles(&a);
    return status;
}

scree_status scree_automatic_step_run(size_t n, uint32_t cycles, uint64_t seed,
                                      scree_automatic_step *run, scree_error *error)
{
    run->cycles = cycles;
    scree_status status = run_cycles(n, cycles, seed, 1, &run->begun, &run->late, error);
    if (status == SCREE_OK)
        status = run_cycles(n, cycles, seed, FORCED, &run->begun_forced, &run->late_forced, error);
    return status;
}
