/*  Measures the bodies of each level: number, bounds, largest size. One pass over all bodies, in parts whose number
    does not depend on the number of threads. */
#include "detect/flat_rows.h"

#include <string.h>

#define PARTS 16u

typedef struct measure_job
{
    const scree_flat_sorts *sorts;
    const scree_bodies *bodies;
    scree_simd simd;
    size_t part_size;
    scree_flat_extent part[PARTS][SCREE_FLAT_LEVELS];
} measure_job;

static const scree_flat_extent no_bodies = {0,
                                            {DBL_MAX, DBL_MAX, DBL_MAX},
                                            {-DBL_MAX, -DBL_MAX, -DBL_MAX},
                                            {DBL_MAX, DBL_MAX, DBL_MAX},
                                            {0, 0, 0},
                                            0};

/*  Written so that each is one instruction. */
static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline void add_sphere(scree_flat_extent *extent, const double sphere[4])
{
    extent->count++;
    for (int k = 0; k < 3; k++) {
        extent->lower[k] = smaller(sphere[k], extent->lower[k]);
        extent->upper[k] = larger(sphere[k], extent->upper[k]);
    }
    extent->least[0] = smaller(sphere[3], extent->least[0]);
    extent->most[0] = larger(sphere[3], extent->most[0]);
    extent->sum += sphere[3];
}

static inline void add_box(scree_flat_extent *extent, const scree_box *box)
{
    double most = 0;
    extent->count++;
    for (int k = 0; k < 3; k++) {
        double width = box->upper[k] - box->lower[k];
        extent->lower[k] = smaller(box->lower[k], extent->lower[k]);
        extent->upper[k] = larger(box->upper[k], extent->upper[k]);
        extent->least[k] = smaller(width, extent->least[k]);
        extent->most[k] = larger(width, extent->most[k]);
        most = larger(width, most);
    }
    extent->sum += most;
}

static void add_extent(scree_flat_extent *extent, const scree_flat_extent *other)
{
    extent->count += other->count;
    for (int k = 0; k < 3; k++) {
        extent->lower[k] = smaller(other->lower[k], extent->lower[k]);
        extent->upper[k] = larger(other->upper[k], extent->upper[k]);
        extent->least[k] = smaller(other->least[k], extent->least[k]);
        extent->most[k] = larger(other->most[k], extent->most[k]);
    }
    extent->sum += other->sum;
}

/*  Spheres of one level: no counting, and the four numbers of a body at once. */
static void measure_alike(const scree_bodies *bodies, size_t begin, size_t end,
                          scree_flat_extent *extent)
{
    double low[4] = {DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX};
    double high[4] = {-DBL_MAX, -DBL_MAX, -DBL_MAX, 0};
    for (size_t a = begin; a < end; a++) {
        const double *sphere = bodies->sphere[bodies->active[a]];
        for (int k = 0; k < 4; k++) {
            low[k] = smaller(sphere[k], low[k]);
            high[k] = larger(sphere[k], high[k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        extent->lower[k] = low[k];
        extent->upper[k] = high[k];
    }
    extent->least[0] = low[3];
    extent->most[0] = high[3];
    extent->count = (uint32_t)(end - begin);
    extent->sum = high[3] * extent->count;
}

/*  Spheres of several levels, none of them far. */
static void measure_sizes(const measure_job *job, size_t begin, size_t end,
                          scree_flat_extent *extent)
{
    const scree_flat_spheres spheres = {.sphere = job->bodies->sphere,
                                        .listed = job->bodies->active,
                                        .sorts = job->sorts,
                                        .simd = job->simd};
    scree_flat_sums sums;

    scree_flat_sum_up(&spheres, begin, end, &sums);
    for (uint32_t l = 0; l < job->sorts->sizes; l++)
        for (int turn = 0; turn < 2; turn++) {
            scree_flat_extent half = no_bodies;
            memcpy(half.lower, sums.least[turn][l], sizeof half.lower);
            memcpy(half.upper, sums.most[turn][l], sizeof half.upper);
            half.least[0] = sums.least[turn][l][3];
            half.most[0] = sums.most[turn][l][3];
            half.sum = sums.radii[turn][l];
            half.count = sums.count[turn][l];
            add_extent(&extent[l], &half);
        }
}

/*  Spheres of one level whose range is known. */
static void take_range(const scree_bodies *bodies, scree_flat_extent *extent)
{
    const scree_sphere_range *range = bodies->range;
    *extent = no_bodies;
    for (int k = 0; k < 3; k++) {
        extent->lower[k] = range->least[k];
        extent->upper[k] = range->most[k];
    }
    extent->least[0] = range->least[3];
    extent->most[0] = range->most[3];
    extent->count = bodies->active_count;
    extent->sum = range->most[3] * extent->count;
}

static void measure_part(void *data, size_t part, uint32_t worker)
{
    measure_job *job = data;
    const scree_bodies *bodies = job->bodies;
    const scree_flat_sorts *sorts = job->sorts;
    scree_flat_extent *extent = job->part[part];
    size_t end = scree_block_end(part, job->part_size, bodies->active_count);
    size_t a = part * job->part_size;

    (void)worker;
    for (uint32_t l = 0; l < SCREE_FLAT_LEVELS; l++)
        extent[l] = no_bodies;
    if (bodies->sphere && sorts->sizes == 1 && !sorts->has_far) {
        measure_alike(bodies, a, end, extent);
        return;
    }
    if (bodies->sphere && !sorts->has_far) {
        measure_sizes(job, a, end, extent);
        return;
    }
    for (; a < end; a++) {
        uint32_t id = bodies->active[a];
        if (bodies->sphere)
            add_sphere(&extent[scree_flat_sort_of_sphere(sorts, bodies->sphere[id])],
                       bodies->sphere[id]);
        else
            add_box(&extent[scree_flat_sort_of_box(sorts, &bodies->box[id])], &bodies->box[id]);
    }
}

void scree_flat_measure(const scree_flat_sorts *sorts, const scree_method_env *env,
                        const scree_bodies *bodies, scree_simd simd, scree_flat_extent *extent)
{
    measure_job job = {.sorts = sorts, .bodies = bodies, .simd = simd};
    if (bodies->range && sorts->sizes == 1 && !sorts->has_far) {
        take_range(bodies, extent);
        return;
    }
    job.part_size = scree_block_count(bodies->active_count, PARTS);
    job.part_size = job.part_size < 4096 ? 4096 : job.part_size;
    size_t parts = scree_block_count(bodies->active_count, job.part_size);
    scree_workers_run(env->workers, parts, measure_part, &job);
    for (uint32_t l = 0; l < SCREE_FLAT_LEVELS; l++) {
        extent[l] = no_bodies;
        for (size_t p = 0; p < parts; p++)
            add_extent(&extent[l], &job.part[p][l]);
    }
}
