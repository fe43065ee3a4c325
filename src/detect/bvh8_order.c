/*  The order of the bodies of a bvh8 tree: along a Morton curve through their centres. One sort by
    keys of 30 bits resolves the bounds of all bodies into a thousand cells an axis. Where more than a
    few bodies share a cell, as in clusters or when a body lies very far out, they are sorted again
    within their own bounds, and so on: so the order is as fine everywhere as the bodies are dense. */
#include "detect/bvh8.h"

#include <math.h>

#define BODIES_PER_BLOCK 8192u
/*  So many bodies of one cell are left in any order. */
#define FEW_BODIES 12u
/*  Depth of nested cells. Each depth divides a length by a thousand. Only coordinates constructed to be nested more
    deeply stay unsorted, which costs only time. */
#define DEPTH 48

/*  Centres are mapped to ((c - lower) * raise) * scale in [0, cells): the first factor keeps the
    second finite when all bodies lie within less than 1e-200. */
typedef struct curve
{
    scree_bvh8 *tree;
    const scree_bodies *bodies;
    size_t begin, end; /* the part of the order to be mapped */
    uint32_t cells;
    double raise, scale;
    double (*block_bounds)[6]; /* lower, upper of each block */
    double bounds[6];
} curve;

static void read_centre(const scree_bodies *bodies, uint32_t id, double centre[3])
{
    for (int k = 0; k < 3; k++)
        centre[k] = bodies->sphere ? bodies->sphere[id][k]
                                   : bodies->box[id].lower[k] + bodies->box[id].upper[k];
}

static void join_point(double bounds[6], const double lower[3], const double upper[3])
{
    for (int k = 0; k < 3; k++) {
        bounds[k] = lower[k] < bounds[k] ? lower[k] : bounds[k];
        bounds[3 + k] = upper[k] > bounds[3 + k] ? upper[k] : bounds[3 + k];
    }
}

static const double no_bounds[6] = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY};

static void bound_block(void *data, size_t block, uint32_t worker)
{
    const curve *c = data;
    size_t i = c->begin + block * BODIES_PER_BLOCK;
    size_t end = c->begin + scree_block_end(block, BODIES_PER_BLOCK, c->end - c->begin);
    double bounds[6];
    (void)worker;
    for (int k = 0; k < 6; k++)
        bounds[k] = no_bounds[k];
    for (; i < end; i++) {
        double centre[3];
        read_centre(c->bodies, c->tree->id[i], centre);
        join_point(bounds, centre, centre);
    }
    for (int k = 0; k < 6; k++)
        c->block_bounds[block][k] = bounds[k];
}

/*  Every third bit. Any order of the bodies is correct; it affects only speed. */
static uint32_t spread_by_3(uint32_t x)
{
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
}

/*  Every second bit: likewise, only speed. */
static uint32_t spread_by_2(uint32_t x)
{
    x = (x | x << 8) & 0x00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0fu;
    x = (x | x << 2) & 0x33333333u;
    return (x | x << 1) & 0x55555555u;
}

static void key_block(void *data, size_t block, uint32_t worker)
{
    const curve *c = data;
    size_t i = c->begin + block * BODIES_PER_BLOCK;
    size_t end = c->begin + scree_block_end(block, BODIES_PER_BLOCK, c->end - c->begin);
    (void)worker;
    for (; i < end; i++) {
        double centre[3];
        uint32_t cell[3];
        read_centre(c->bodies, c->tree->id[i], centre);
        for (int k = 0; k < 3; k++) {
            uint32_t at = (uint32_t)((centre[k] - c->bounds[k]) * c->raise * c->scale);
            cell[k] = at < c->cells ? at : c->cells - 1; /* the upper bound itself */
        }
        c->tree->key[i] = c->tree->axes == 2 ? spread_by_2(cell[0]) | spread_by_2(cell[1]) << 1
                                             : spread_by_3(cell[0]) | spread_by_3(cell[1]) << 1 |
                                                   spread_by_3(cell[2]) << 2;
    }
}

/*  Sorts [begin, end) of the order within its own bounds; false into *is_spread if all centres are
    one point, and nothing is done. */
static scree_status sort_part(curve *c, const scree_method_env *env, size_t begin, size_t end,
                              bool *is_spread)
{
    size_t block_count = scree_block_count(end - begin, BODIES_PER_BLOCK);
    double extent = 0;
    c->begin = begin;
    c->end = end;
    scree_workers_run(env->workers, block_count, bound_block, c);
    for (int k = 0; k < 6; k++)
        c->bounds[k] = c->block_bounds[0][k];
    for (size_t b = 1; b < block_count; b++)
        join_point(c->bounds, c->block_bounds[b], c->block_bounds[b] + 3);
    for (int k = 0; k < 3; k++)
        extent = fmax(extent, c->bounds[3 + k] - c->bounds[k]);
    *is_spread = extent > 0;
    if (!*is_spread)
        return SCREE_OK;
    c->raise = extent < 0x1p-500 ? 0x1p560 : 1;
    c->scale = c->cells / (extent * c->raise);
    scree_workers_run(env->workers, block_count, key_block, c);
    return scree_sort_u32(&c->tree->sorter, env->memory, env->workers, c->tree->key + begin,
                          c->tree->id + begin, end - begin);
}

/*  The end of the run of equal keys that begins at `at`. */
static size_t end_of_run(const uint32_t *key, size_t at, size_t end)
{
    uint32_t first = key[at];
    while (at < end && key[at] == first)
        at++;
    return at;
}

/*  A part that has been sorted, and how far it has been searched for crowded cells. */
typedef struct sorted_part
{
    size_t at, end;
} sorted_part;

static scree_status sort_all(curve *c, const scree_method_env *env, size_t count)
{
    sorted_part stack[DEPTH];
    int depth = 0;
    bool is_spread;
    scree_status status = sort_part(c, env, 0, count, &is_spread);
    if (status || !is_spread)
        return status;
    stack[0] = (sorted_part){0, count};
    while (depth >= 0) {
        sorted_part *top = &stack[depth];
        if (top->at == top->end) {
            depth--;
            continue;
        }
        size_t begin = top->at, end = end_of_run(c->tree->key, begin, top->end);
        top->at = end;
        if (end - begin <= FEW_BODIES || depth + 1 == DEPTH)
            continue;
        status = sort_part(c, env, begin, end, &is_spread);
        if (status)
            return status;
        if (is_spread)
            stack[++depth] = (sorted_part){begin, end};
    }
    return SCREE_OK;
}

scree_status scree_bvh8_order(scree_bvh8 *tree, const scree_method_env *env,
                              const scree_bodies *bodies)
{
    size_t count = bodies->active_count;
    size_t block_count = scree_block_count(count, BODIES_PER_BLOCK);
    curve c = {.tree = tree, .bodies = bodies, .cells = tree->axes == 2 ? 1u << 16 : 1u << 10};
    scree_status status =
        scree_memory_take(env->memory, block_count, sizeof *c.block_bounds, &c.block_bounds);
    if (status)
        return status;
    for (size_t i = 0; i < count; i++)
        tree->id[i] = bodies->active[i];
    status = sort_all(&c, env, count);
    scree_memory_give(env->memory, &c.block_bounds, block_count, sizeof *c.block_bounds);
    return status;
}
