/*  Steps on a device, timed. */
#include "cases/gpu_steps.h"

#include "base/clock.h"
#include "base/error.h"
#include "gpu/opencl.h"
#include "world/device/device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

scree_status scree_bed_repeat(const scree_bed *bed, uint32_t wanted, scree_bed *made,
                              scree_error *error)
{
    const double many = ceil((double)wanted / bed->count), side = ceil(sqrt(many));
    const uint32_t columns = (uint32_t)side, rows = (uint32_t)ceil(many / side);
    uint32_t at = 0;

    *made = *bed;
    made->count = bed->count * columns * rows;
    scree_status status = scree_bed_allocate(made, error);
    if (status)
        return status;
    made->upper[0] = bed->lower[0] + columns * (bed->upper[0] - bed->lower[0]);
    made->upper[1] = bed->lower[1] + rows * (bed->upper[1] - bed->lower[1]);
    for (uint32_t tile = 0; tile < columns * rows; tile++) {
        const double shift[3] = {(tile % columns) * (bed->upper[0] - bed->lower[0]),
                                 (double)(tile / columns) * (bed->upper[1] - bed->lower[1]), 0};
        for (uint32_t i = 0; i < bed->count; i++, at++) {
            made->radius[at] = bed->radius[i];
            for (int k = 0; k < 3; k++) {
                made->centre[at][k] = bed->centre[i][k] + shift[k];
                made->velocity[at][k] = bed->velocity[i][k];
                made->spin[at][k] = bed->spin[i][k];
            }
        }
    }
    return SCREE_OK;
}

/* ---- measuring ---- */

static scree_status step_timed(scree_world *world, uint64_t steps, double *seconds,
                               scree_error *error)
{
    const double begin = scree_clock_seconds();
    scree_status status = scree_world_step(world, steps);

    *seconds = scree_clock_seconds() - begin;
    return status ? scree_fail(error, status, "%s", scree_world_message(world)) : SCREE_OK;
}

static scree_status open_device(scree_world *world, const char *device, bool has_profile,
                                scree_error *error)
{
    const scree_device_options options = {.has_profile = has_profile};
    scree_status status = scree_device_open(world, device, &options);

    return status ? scree_fail(error, status, "%s", scree_world_message(world)) : SCREE_OK;
}

static void read_profile(const scree_world *world, uint64_t steps, scree_gpu_steps *figures)
{
    scree_gpu_time time;

    for (size_t row = 0;
         row < SCREE_GPU_KERNELS && scree_gpu_profile(scree_device_gpu(world), row, &time); row++) {
        scree_gpu_steps_row *to = &figures->rows[figures->row_count++];
        snprintf(to->name, sizeof to->name, "%s", time.kernel);
        to->seconds = time.seconds / (double)steps;
        to->share = (double)time.launches / (double)steps;
    }
}

/*  What goes through memory if each body is read once for its neighbours as well: rows of four of place, velocity, spin and
    orientation, six sums now and before, what is left; entries; and what "hertz" remembers, on both sides. */
static double min_traffic(const scree_gpu_steps *figures)
{
    const double move = 4 * 32 + 96 + 4 + 4 * 32 + 4, press = 3 * 32 + 8 + 48;

    return move + press + 4 * figures->entries + 2 * figures->contacts * 2 * 4 * 8;
}

static void note(const scree_world *world, uint64_t steps, scree_gpu_steps *figures)
{
    const scree_device_course course = scree_device_course_of(world);
    const double bodies = figures->bodies;

    figures->contacts = (double)scree_world_detection_stats(world).contacts / bodies;
    figures->entries = (double)course.entries / bodies;
    figures->searches = (double)course.searches / (double)steps;
    figures->bytes = (double)course.bytes / bodies;
    figures->max_bytes = (double)course.max_bytes / bodies;
    figures->host_steps = course.host_steps;
    figures->traffic = min_traffic(figures);
}

scree_status scree_gpu_steps_measure(const scree_bed *bed, const char *device, uint32_t threads,
                                     uint64_t warm, uint64_t steps, scree_gpu_steps *figures,
                                     scree_error *error)
{
    scree_world_def def = scree_default_world_def();
    scree_world *world = NULL;
    double one = 0, all = 0;

    memset(figures, 0, sizeof *figures);
    figures->bodies = bed->count;
    def.step.dt = SCREE_BED_STEP;
    def.compute.thread_count = threads;
    def.detection.sort_every = 1000000000;
    scree_status status = scree_bed_world(bed, &def, &world, error);
    if (!status)
        status = open_device(world, device, false, error);
    /* without its contact history, a bed that was laid side by side comes to rest once more */
    if (!status && warm && bed->kind == SCREE_BED_SETTLED)
        status = scree_world_set_damping(world, 0, 0.3);
    if (!status && warm)
        status = step_timed(world, warm, &all, error);
    if (!status && warm && bed->kind == SCREE_BED_SETTLED)
        status = scree_world_set_damping(world, 0, 0);
    /* what comes before the first step, kernels among it, is not timed */
    if (!status)
        status = step_timed(world, 1, &all, error);
    if (!status)
        status = step_timed(world, 1, &one, error);
    if (!status)
        status = step_timed(world, 1 + steps, &all, error);
    if (!status) {
        figures->transfer = one;
        figures->step = (all - one) / (double)steps;
        note(world, warm + 3 + steps, figures);
        status = open_device(world, device, true, error);
    }
    if (!status)
        status = step_timed(world, steps, &all, error);
    if (!status && scree_gpu_finish(scree_device_gpu(world)))
        status = scree_fail(error, SCREE_DEVICE_ERROR, "the device failed as it was measured");
    if (!status)
        read_profile(world, steps, figures);
    scree_world_destroy(world);
    return status;
}
