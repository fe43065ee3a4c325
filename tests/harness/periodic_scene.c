/*  Tables in periodic cells, and their pairs by the rule. */
#include "periodic_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*  Moves a body so that it touches the one before it, some periods away, up to rounding. */
static void touch_across(periodic_scene *w, size_t i)
{
    double periods = (double)scree_random_below(&w->random, 5) - 2;
    double reach = w->volume == SCREE_SPHERES ? w->radius[i] + w->radius[i - 1]
                                              : w->half[i][0] + w->half[i - 1][0];
    memcpy(w->x[i], w->x[i - 1], sizeof w->x[i]);
    w->x[i][0] += reach + periods * w->period[0];
    if (scree_random_below(&w->random, 2))
        w->x[i][0] = nextafter(w->x[i][0], scree_random_below(&w->random, 2) ? 1e9 : -1e9);
}

periodic_scene periodic_scene_make(uint64_t seed)
{
    periodic_scene w = {.seed = seed, .random = scree_random_stream(seed, 1)};
    scree_random *random = &w.random;
    w.dimensions = 2 + (int)scree_random_below(random, 2);
    w.volume = scree_random_below(random, 2) ? SCREE_BOXES : SCREE_SPHERES;
    w.count = scree_random_below(random, PERIODIC_BODIES + 1);
    for (int k = 0; k < w.dimensions; k++)
        w.period[k] = scree_random_below(random, 4) ? scree_random_range(random, 2, 6) : 0;
    if (w.period[0] == 0)
        w.period[0] = 3;
    if (scree_random_below(random, 2)) {
        for (int k = 0; k < 3; k++) {
            static const int vector_of[3] = {1, 2, 2}, axis_of[3] = {0, 0, 1};
            double along = w.period[axis_of[k]];
            bool extreme = scree_random_below(random, 2) == 0;
            if (w.period[vector_of[k]] > 0 && along > 0)
                w.tilt[k] =
                    extreme ? 0.5 * along : scree_random_range(random, -0.5 * along, 0.5 * along);
        }
    }
    for (size_t i = 0; i < w.count; i++) {
        for (int k = 0; k < w.dimensions; k++) {
            double side = w.period[k] > 0 ? w.period[k] : 4;
            /* some far from the cell, some just on its boundary */
            w.x[i][k] = scree_random_range(random, -2 * side, 3 * side);
            if (scree_random_below(random, 8) == 0)
                w.x[i][k] = side * (double)scree_random_below(random, 3);
            w.half[i][k] = scree_random_log_uniform(random, 0.01, 0.45);
        }
        w.radius[i] = scree_random_log_uniform(random, 0.01, 0.45);
        if (i > 0 && scree_random_below(random, 3) == 0)
            touch_across(&w, i);
    }
    return w;
}

void periodic_scene_add_filters(periodic_scene *w)
{
    w->has_filters = true;
    for (size_t i = 0; i < w->count; i++) {
        w->group[i] = UINT64_C(1) << scree_random_below(&w->random, 3);
        w->mask[i] = scree_random_below(&w->random, 4) ? 7 : scree_random_below(&w->random, 8);
        w->owner[i] = scree_random_below(&w->random, 2) ? 0 : scree_random_below(&w->random, 6);
        w->flags[i] = (uint8_t)(scree_random_below(&w->random, 4) == 0 ? SCREE_FIXED : 0);
        if (scree_random_below(&w->random, 24) == 0)
            w->flags[i] |= SCREE_NO_BOUND;
    }
}

void periodic_scene_move(periodic_scene *w)
{
    for (size_t i = 0; i < w->count; i++)
        for (int k = 0; k < w->dimensions; k++) {
            w->v[i][k] = scree_random_range(&w->random, -0.02, 0.03);
            w->x[i][k] += w->v[i][k];
        }
}

scree_table periodic_scene_table(periodic_scene *w)
{
    scree_view low[3], high[3], centre[3];
    for (size_t i = 0; i < w->count; i++)
        for (int k = 0; k < 3; k++) {
            w->lower[i][k] = w->x[i][k] - w->half[i][k];
            w->upper[i][k] = w->x[i][k] + w->half[i][k];
        }
    for (int k = 0; k < 3; k++) {
        centre[k] = scree_doubles(&w->x[0][k], sizeof w->x[0]);
        low[k] = scree_doubles(&w->lower[0][k], sizeof w->lower[0]);
        high[k] = scree_doubles(&w->upper[0][k], sizeof w->upper[0]);
    }
    scree_table table = w->volume == SCREE_SPHERES
                            ? scree_table_spheres(w->count, centre[0], centre[1], centre[2],
                                                  scree_doubles(w->radius, sizeof *w->radius))
                            : scree_table_boxes(w->count, low, high);
    if (w->has_filters) {
        table.groups = scree_integer_view(w->group, sizeof *w->group);
        table.masks = scree_integer_view(w->mask, sizeof *w->mask);
        table.owners = scree_integer_view(w->owner, sizeof *w->owner);
        table.flags = scree_integer_view(w->flags, sizeof *w->flags);
    }
    return table;
}

scree_motion periodic_scene_motion(const periodic_scene *w)
{
    scree_motion motion;

    memset(&motion, 0, sizeof motion);
    for (int k = 0; k < 3; k++)
        motion.velocity[k] = scree_doubles(&w->v[0][k], sizeof w->v[0]);
    return motion;
}

/*  Whether j, moved by a lattice vector, overlaps i by more (or less) than rounding can blur: 1 surely,
    0 surely not, -1 too close to call. */
static int image_overlaps(const periodic_scene *w, size_t i, size_t j, const double by[3])
{
    const double blur = 1e-12;
    double widest = -INFINITY, sum = 0;
    for (int k = 0; k < w->dimensions; k++) {
        double d = w->x[i][k] - w->x[j][k] - by[k];
        sum += d * d;
        widest = fmax(widest, fabs(d) - w->half[i][k] - w->half[j][k]);
    }
    double gap = w->volume == SCREE_SPHERES ? sqrt(sum) - w->radius[i] - w->radius[j] : widest;
    return fabs(gap) < blur ? -1 : gap < 0;
}

/*  Lattice coordinates along an axis for which the difference comes near 0. */
static void range_of(double difference, double period, int *from, int *to)
{
    *from = *to = 0;
    if (period > 0) {
        *from = (int)floor((difference - 1) / period);
        *to = (int)ceil((difference + 1) / period);
    }
}

static int overlaps(const periodic_scene *w, size_t i, size_t j)
{
    int answer = 0, from[3], to[3];
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = w->x[i][k] - w->x[j][k];
    range_of(d[2], w->period[2], &from[2], &to[2]);
    for (int z = from[2]; z <= to[2]; z++) {
        range_of(d[1] - z * w->tilt[2], w->period[1], &from[1], &to[1]);
        for (int y = from[1]; y <= to[1]; y++) {
            double left = d[0] - z * w->tilt[1] - y * w->tilt[0];
            range_of(left, w->period[0], &from[0], &to[0]);
            for (int x = from[0]; x <= to[0]; x++) {
                double by[3] = {x * w->period[0] + y * w->tilt[0] + z * w->tilt[1],
                                y * w->period[1] + z * w->tilt[2], z * w->period[2]};
                int found = image_overlaps(w, i, j, by);
                if (found)
                    answer = answer == 1 ? 1 : found;
            }
        }
    }
    return answer;
}

/*  The rule as scree/detect.h words it, for pairs that only rounding decides. */
static bool rule_says(const periodic_scene *w, size_t i, size_t j)
{
    double d[3], n[3] = {0, 0, 0}, sum[3];
    bool spheres = w->volume == SCREE_SPHERES;
    for (int k = 0; k < 3; k++)
        d[k] = spheres ? w->x[i][k] - w->x[j][k]
                       : 0.5 * (w->lower[i][k] + w->upper[i][k]) -
                             0.5 * (w->lower[j][k] + w->upper[j][k]);
    if (w->period[2] > 0) {
        n[2] = nearbyint(d[2] / w->period[2]);
        d[1] -= n[2] * w->tilt[2];
        d[0] -= n[2] * w->tilt[1];
    }
    if (w->period[1] > 0) {
        n[1] = nearbyint(d[1] / w->period[1]);
        d[0] -= n[1] * w->tilt[0];
    }
    if (w->period[0] > 0)
        n[0] = nearbyint(d[0] / w->period[0]);
    const double v[3] = {n[0] * w->period[0] + n[1] * w->tilt[0] + n[2] * w->tilt[1],
                         n[1] * w->period[1] + n[2] * w->tilt[2], n[2] * w->period[2]};
    for (int k = 0; k < 3; k++) {
        sum[k] = (w->x[i][k] - w->x[j][k]) - v[k];
        if (!spheres &&
            (w->lower[i][k] - w->upper[j][k] > v[k] || w->lower[j][k] - w->upper[i][k] > -v[k]))
            return false;
    }
    double reach = w->radius[i] + w->radius[j];
    return !spheres || sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] <= reach * reach;
}

/*  Parts 1 and 2 of the rule. */
static bool passes_filters(const periodic_scene *w, size_t i, size_t j)
{
    if (!w->has_filters)
        return true;
    if ((w->flags[i] | w->flags[j]) & SCREE_NO_BOUND || w->flags[i] & w->flags[j] & SCREE_FIXED)
        return false;
    if (w->owner[i] != 0 && w->owner[i] == w->owner[j])
        return false;
    return (w->group[i] & w->mask[j]) != 0 && (w->group[j] & w->mask[i]) != 0;
}

scree_detector *periodic_scene_detector(const periodic_scene *w, const char *method,
                                        scree_simd simd, scree_margin_kind margin, scree_error *why)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d = NULL;

    def.error = why;
    def.method = method;
    def.simd = simd;
    def.dimensions = w->dimensions;
    def.volume = w->volume;
    def.margin.kind = margin;
    memcpy(def.period, w->period, sizeof def.period);
    memcpy(def.tilt, w->tilt, sizeof def.tilt);
    return scree_detector_create(&def, &d) ? NULL : d;
}

/*  The rule for two bodies. */
static bool is_pair(const periodic_scene *w, size_t i, size_t j)
{
    if (!passes_filters(w, i, j))
        return false;
    const int found = overlaps(w, i, j);
    return found < 0 ? rule_says(w, i, j) : found == 1;
}

bool periodic_scene_has_pairs(const periodic_scene *w, const scree_pairs *pairs, const char *method,
                              bool may_have_more)
{
    uint64_t k = 0;

    for (uint32_t i = 0; i < w->count; i++)
        for (uint32_t j = i + 1; j < w->count; j++) {
            const bool found = k < pairs->count && pairs->first[k] == i && pairs->second[k] == j;
            const bool wanted = is_pair(w, i, j);
            k += found;
            if (found == wanted || (found && may_have_more && passes_filters(w, i, j)))
                continue;
            printf("seed %llu, %s: %u-%u is %s\n", (unsigned long long)w->seed, method, i, j,
                   found ? "reported" : "missing");
            return false;
        }
    if (k == pairs->count)
        return true;
    printf("seed %llu, %s: %u-%u is reported twice, or out of order\n", (unsigned long long)w->seed,
           method, pairs->first[k], pairs->second[k]);
    return false;
}
