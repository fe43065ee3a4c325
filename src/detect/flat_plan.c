/*  The frame, the levels, and what rounding may do. */
#include "detect/flat.h"

#include <float.h>
#include <math.h>

/*  Bodies are looked at in so many parts at most. */
#define MEASURE_PARTS 64u

#define X_MARGIN 4

typedef struct flat_extent
{
    double lower[3], upper[3]; /* of the columns: centres, or boxes */
    double least[3], most[3];  /* radii, or widths on each axis */
} flat_extent;

typedef struct measure_job
{
    const scree_bodies *bodies;
    size_t part_size;
    flat_extent part[MEASURE_PARTS];
} measure_job;

static const flat_extent nothing = {{DBL_MAX, DBL_MAX, DBL_MAX},
                                    {-DBL_MAX, -DBL_MAX, -DBL_MAX},
                                    {DBL_MAX, DBL_MAX, DBL_MAX},
                                    {0, 0, 0}};

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static void measure_spheres(void *data, size_t part, uint32_t worker)
{
    measure_job *job = data;
    const scree_bodies *bodies = job->bodies;
    flat_extent extent = nothing;
    size_t end = scree_block_end(part, job->part_size, bodies->active_count);
    (void)worker;
    for (size_t a = part * job->part_size; a < end; a++) {
        const double *sphere = bodies->sphere[bodies->active[a]];
        for (int k = 0; k < 3; k++) {
            extent.lower[k] = smaller(sphere[k], extent.lower[k]);
            extent.upper[k] = larger(sphere[k], extent.upper[k]);
        }
        extent.least[0] = smaller(sphere[3], extent.least[0]);
        extent.most[0] = larger(sphere[3], extent.most[0]);
    }
    job->part[part] = extent;
}

static void measure_boxes(void *data, size_t part, uint32_t worker)
{
    measure_job *job = data;
    const scree_bodies *bodies = job->bodies;
    flat_extent extent = nothing;
    size_t end = scree_block_end(part, job->part_size, bodies->active_count);
    (void)worker;
    for (size_t a = part * job->part_size; a < end; a++) {
        const scree_box *box = &bodies->box[bodies->active[a]];
        for (int k = 0; k < 3; k++) {
            double width = box->upper[k] - box->lower[k];
            extent.lower[k] = smaller(box->lower[k], extent.lower[k]);
            extent.upper[k] = larger(box->upper[k], extent.upper[k]);
            extent.least[k] = smaller(width, extent.least[k]);
            extent.most[k] = larger(width, extent.most[k]);
        }
    }
    job->part[part] = extent;
}

static flat_extent measure(const scree_method_env *env, const scree_bodies *bodies)
{
    measure_job job = {.bodies = bodies};
    flat_extent extent = nothing;
    job.part_size = scree_block_count(bodies->active_count, MEASURE_PARTS);
    job.part_size = job.part_size < 4096 ? 4096 : job.part_size;
    size_t parts = scree_block_count(bodies->active_count, job.part_size);
    scree_workers_run(env->workers, parts, bodies->sphere ? measure_spheres : measure_boxes, &job);
    for (size_t p = 0; p < parts; p++) {
        for (int k = 0; k < 3; k++) {
            extent.lower[k] = smaller(job.part[p].lower[k], extent.lower[k]);
            extent.upper[k] = larger(job.part[p].upper[k], extent.upper[k]);
            extent.least[k] = smaller(job.part[p].least[k], extent.least[k]);
            extent.most[k] = larger(job.part[p].most[k], extent.most[k]);
        }
    }
    return extent;
}

/*  The power of two that is at most `x` and more than half of it. x > 0. */
static double power_of_two(double x)
{
    int exponent;
    (void)frexp(x, &exponent);
    return ldexp(1, exponent - 1);
}

static float float_above(double x)
{
    return (float)(x * (1 + 0x1p-22)) + 0x1p-120f;
}

static void set_frame(scree_flat *self, const flat_extent *extent)
{
    double range = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        self->origin[k] = extent->lower[k] / 2 + extent->upper[k] / 2;
        range = larger(
            range, larger(extent->upper[k] - self->origin[k], self->origin[k] - extent->lower[k]));
        size = larger(size, extent->most[k]);
    }
    self->scale = 1 / power_of_two(larger(larger(size, range * 0x1p-60), 0x1p-500));
    size *= self->scale;
    double error = range * self->scale * (0x1p-24 + 0x1p-40) + 0x1p-140;
    if (self->volume == SCREE_BOXES) {
        self->doubt = float_above(2 * error);
    } else {
        double g = 4 * error, s = 2 * size;
        self->doubt = float_above((0x1p-20 * s * s + 2 * s * g + g * g) * 1.0625 + 0x1p-60);
    }
    self->slack = float_above(4 * error + 0x1p-18 * size + 0x1p-30);
}

static void lay_level(scree_flat *self, const flat_extent *extent, scree_flat_level *level)
{
    double reach[3], wide[3], range[3], edge = 0;
    for (int k = 0; k < 3; k++) {
        int from = self->volume == SCREE_BOXES ? k : 0;
        level->size[k] = float_above(extent->most[from] * self->scale);
        reach[k] = (double)level->size[k] * (self->volume == SCREE_BOXES ? 1 : 2);
        reach[k] = (reach[k] + 2 * (double)self->slack) * (1 + 0x1p-9);
        range[k] = (extent->upper[k] - extent->lower[k]) * self->scale;
        wide[k] = larger(reach[k], range[k] / 2000);
        edge = edge == 0 ? wide[k] : smaller(edge, wide[k]);
    }
    for (;; edge *= 1.125) {
        for (int k = 0; k < 3; k++) {
            double width = larger(wide[k], edge) / (k == 0 ? 2 : 1);
            level->cells[k] = k < self->dimensions ? 1 + (uint32_t)(range[k] / width) : 1;
            level->inverse[k] = (float)(1 / width);
            level->shift[k] = (float)((self->origin[k] - extent->lower[k]) * self->scale / width);
            if (k == 0) { /* empty cells before and behind: a window never reaches past them */
                level->cells[0] += 2 * X_MARGIN;
                level->shift[0] += X_MARGIN;
            }
            level->last[k] = (float)(level->cells[k] - 1);
        }
        level->rows = (level->cells[1] + 2) * (self->dimensions == 3 ? level->cells[2] + 2 : 1);
        if ((double)level->rows * level->cells[0] <= 3.0 * self->count + 256 &&
            (double)level->rows <= self->count * 0.5 + 64)
            break;
    }
}

void scree_flat_plan(scree_flat *self, const scree_method_env *env, const scree_bodies *bodies)
{
    self->count = bodies->active_count;
    self->level_count = self->block_count = 0;
    if (self->count == 0)
        return;
    flat_extent extent = measure(env, bodies);
    set_frame(self, &extent);
    scree_flat_level *level = &self->level[0];
    self->level_count = 1;
    *level = (scree_flat_level){.count = self->count};
    level->is_even = bodies->sphere && extent.least[0] == extent.most[0];
    level->is_narrow = true;
    lay_level(self, &extent, level);
    self->block_count = (uint32_t)scree_block_count(level->count, SCREE_FLAT_BLOCK);
}
