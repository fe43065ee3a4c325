/*  Many pairs of triangles as a batch wants them, and what a batch answers. */
#ifndef SCREE_TRIANGLE_SET_H
#define SCREE_TRIANGLE_SET_H

#include "narrow/triangle_batch.h"
#include "triangle_reference.h"

#define MAX_SET 3000

typedef struct triangle_set
{
    size_t count;
    triangle_pair pair[MAX_SET];
    double vertices[2][9 * MAX_SET], skin[MAX_SET], none[MAX_SET];
    uint32_t index[MAX_SET];
} triangle_set;

typedef struct answers
{
    size_t count; /* of touches */
    scree_triangle_touch touch[MAX_SET];
    uint8_t verdict[MAX_SET];
    double distance_sq[MAX_SET];
    scree_triangle_counts counts;
} answers;

static void set_add(triangle_set *all, const triangle_pair *pair, double reach)
{
    size_t at = all->count++;
    all->pair[at] = *pair;
    memcpy(all->vertices[0] + 9 * at, pair->corner[0], sizeof pair->corner[0]);
    memcpy(all->vertices[1] + 9 * at, pair->corner[1], sizeof pair->corner[1]);
    all->skin[at] = reach;
    all->none[at] = 0;
    all->index[at] = (uint32_t)at;
}

static scree_triangle_pairs set_pairs(const triangle_set *all)
{
    return (scree_triangle_pairs){
        .side = {{all->vertices[0], NULL, all->skin, 0}, {all->vertices[1], NULL, all->none, 0}},
        .first = all->index,
        .second = all->index,
        .count = all->count,
    };
}

static void ask(const scree_triangle_pairs *pairs, const scree_triangle_settings *settings,
                answers *to)
{
    memset(to, 0, sizeof *to);
    to->count =
        scree_triangle_batch(pairs, settings, to->touch, to->verdict, to->distance_sq, &to->counts);
}

/*  Reaches that are just the distance, a bit beside it, somewhat beside it, or of the size of the pair. */
static double reach_near(scree_random *random, double distance, double size)
{
    static const double beside[6] = {1e-15, 1e-9, 1e-7, 1e-6, 1e-5, 1e-3};
    double by = beside[scree_random_below(random, 6)];
    switch (scree_random_below(random, 6)) {
    case 0:
        return distance;
    case 1:
        return nextafter(distance, INFINITY);
    case 2:
        return nextafter(distance, 0);
    case 3:
        return distance * (1 + by);
    case 4:
        return distance * (1 - by);
    default:
        return size * scree_random_log_uniform(random, 1e-7, 1);
    }
}

/*  Of all sorts, with reaches near their distances. */
static void make_set(uint64_t seed, size_t count, double factor, double offset, triangle_set *all)
{
    all->count = 0;
    for (size_t n = 0; n < count; n++) {
        scree_random random = scree_random_stream(seed, n);
        triangle_pair pair;
        make_pair(&random, (int)(n % PAIR_SORTS), &pair);
        place_pair(&pair, factor, offset);
        double size = pair_size(&pair), reach = reach_near(&random, gap_of(&pair).distance, size);
        if (!(reach > 0))
            reach = size > 0 ? size * 1e-3 : 1;
        set_add(all, &pair, reach);
    }
}

#endif
