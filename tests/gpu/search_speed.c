/*  What a search on a device takes, kernel by kernel. Usage: search_speed [BODIES [RATIO [DEVICE]]]: spheres at random places with three
    fifths of the volume, the smallest RATIO times smaller than the largest. */
#include "base/clock.h"
#include "base/random.h"
#include "gpu/device_search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RUNS 5

/*  Spheres in a cube of 1 m; the radius of the largest is returned. */
static double make_spheres(double (*row)[4], uint32_t count, double ratio)
{
    scree_random random = scree_random_stream(1, count);
    double volume = 0, scale, largest = 0;

    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++)
            row[i][k] = scree_random_unit(&random);
        row[i][3] = ratio > 1 ? scree_random_log_uniform(&random, 1 / ratio, 1) : 1;
        volume += 4.1887902 * row[i][3] * row[i][3] * row[i][3];
    }
    scale = cbrt(0.6 / volume);
    for (uint32_t i = 0; i < count; i++) {
        row[i][3] *= scale;
        largest = fmax(largest, row[i][3]);
    }
    return largest;
}

static void print_profile(const scree_gpu *gpu, uint32_t count)
{
    scree_gpu_time time;

    for (size_t row = 0; scree_gpu_profile(gpu, row, &time); row++)
        if (time.launches > 0)
            printf("  %-18s %4.0f launches  %9.3f ms  %7.3f ns a body\n", time.kernel,
                   (double)time.launches / RUNS, 1e3 * time.seconds / RUNS,
                   1e9 * time.seconds / RUNS / count);
}

static int fail(const char *text)
{
    printf("%s\n", text);
    return 1;
}

/*  One search to begin with, then some that are measured. */
static scree_status measure(scree_gpu *gpu, scree_device_search *search,
                            const scree_gpu_buffer *spheres, uint32_t count,
                            const scree_search_def *def, scree_candidate_rows *found)
{
    scree_status status = scree_device_search_run(search, spheres, count, def, found);
    double begin, best = INFINITY;

    if (!status)
        status = scree_gpu_finish(gpu);
    scree_gpu_profile_clear(gpu);
    for (int k = 0; k < RUNS && !status; k++) {
        begin = scree_clock_seconds();
        status = scree_device_search_run(search, spheres, count, def, found);
        if (!status)
            status = scree_gpu_finish(gpu);
        best = fmin(best, scree_clock_seconds() - begin);
    }
    if (!status) {
        printf("%u bodies, %u candidates, %s rows%s: %.3f ms, %.2f ns a body; %.0f bytes a body\n",
               count, found->count, def->is_full ? "full" : "half",
               def->period[0] > 0 ? ", periodic" : "", 1e3 * best, 1e9 * best / count,
               (double)scree_gpu_max_bytes(gpu) / count);
        print_profile(gpu, count);
    }
    return status;
}

int main(int argc, char **argv)
{
    const uint32_t count = argc > 1 ? (uint32_t)strtod(argv[1], NULL) : 100000;
    const double ratio = argc > 2 ? strtod(argv[2], NULL) : 1;
    scree_error error = {SCREE_OK, ""};
    scree_gpu_def def = {.device = argc > 3 ? argv[3] : "gpu",
                         .has_profile = true,
                         .is_unchecked = true,
                         .error = &error};
    scree_search_def how = {0};
    scree_device_search *search = NULL;
    scree_candidate_rows found = {0};
    scree_gpu_buffer spheres = {0};
    double(*row)[4] = malloc(count * sizeof *row);
    scree_gpu *gpu;
    scree_status status;

    if (!row || scree_gpu_open(&def, &gpu))
        return fail(row ? error.text : "no memory");
    how.margin = 0.2 * make_spheres(row, count, ratio) / ratio;
    printf("%s, sizes 1:%g, margin %.3g m\n", scree_gpu_describe(gpu)->name, ratio, how.margin);
    status = scree_device_search_make(gpu, &search);
    if (!status)
        status = scree_gpu_reserve(gpu, &spheres, count * sizeof *row, "spheres");
    if (!status)
        status = scree_gpu_write(gpu, &spheres, 0, row, count * sizeof *row);
    for (int k = 0; k < 3 && !status; k++) {
        how.is_full = k == 1;
        for (int axis = 0; axis < 3; axis++)
            how.period[axis] = k == 2 ? 1 : 0;
        status = measure(gpu, search, &spheres, count, &how, &found);
    }
    scree_gpu_free(gpu, &spheres);
    scree_candidate_rows_free(gpu, &found);
    scree_device_search_free(search);
    scree_gpu_close(gpu);
    free(row);
    return status ? fail(error.text) : 0;
}
