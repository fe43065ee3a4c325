/*  Bounding volumes: pairing with the exact test in the inner loop (Perkins 1999, 3.2.2). The most
    accurate candidates any method can have, at a cost of N squared. All other methods are tested
    against this one, so it is vectorised: one body is compared with a tile of others that stays in
   the nearest cache. */
#include "detect/method.h"
#include "detect/sweep.h"

#include <math.h>
#include <string.h>

/*  Bodies of a block, and bodies of a tile they are compared with. */
#define BLOCK 256u
#define TILE 1024u

typedef struct bounding_volume
{
    /* columns in the order of the active list: x y z r, or lower and upper of each axis; each is
       padded with NaN, which overlaps nothing, to a whole number of lanes */
    double *column[6];
    size_t capacity[6];
    scree_sweep_fn *sweep;
} bounding_volume;

static scree_status create(void *self, const scree_method_env *env)
{
    bounding_volume *bv = self;
    bv->sweep = scree_sweep_choose(env->def->volume, env->def->simd);
    return SCREE_OK;
}

static void destroy(void *self, const scree_method_env *env)
{
    bounding_volume *bv = self;
    for (int k = 0; k < 6; k++)
        scree_memory_give(env->memory, &bv->column[k], bv->capacity[k], sizeof *bv->column[k]);
}

static void copy_row(bounding_volume *bv, const scree_bodies *bodies, size_t row)
{
    uint32_t id = bodies->active[row];
    if (bodies->sphere) {
        for (int k = 0; k < 4; k++)
            bv->column[k][row] = bodies->sphere[id][k];
    } else {
        for (int k = 0; k < 3; k++) {
            bv->column[k][row] = bodies->box[id].lower[k];
            bv->column[3 + k][row] = bodies->box[id].upper[k];
        }
    }
}

static scree_status build(void *self, const scree_method_env *env, const scree_bodies *bodies)
{
    bounding_volume *bv = self;
    size_t count = bodies->active_count;
    int columns = bodies->sphere ? 4 : 6;
    for (int k = 0; k < columns; k++) {
        if (scree_memory_reserve(env->memory, &bv->column[k], &bv->capacity[k],
                                 count + SCREE_SWEEP_PADDING, sizeof *bv->column[k]))
            return SCREE_OUT_OF_MEMORY;
        for (size_t row = count; row < count + SCREE_SWEEP_PADDING; row++)
            bv->column[k][row] = (double)NAN;
    }
    for (size_t row = 0; row < count; row++)
        copy_row(bv, bodies, row);
    return SCREE_OK;
}

static scree_status update(void *self, const scree_method_env *env, const scree_bodies *bodies,
                           const uint32_t *ids, size_t count)
{
    if (!ids)
        return build(self, env, bodies);
    for (size_t k = 0; k < count; k++)
        copy_row(self, bodies, bodies->position[ids[k]]);
    return SCREE_OK;
}

static size_t block_count(const void *self, const scree_bodies *bodies)
{
    (void)self;
    return scree_block_count(bodies->active_count, BLOCK);
}

/*  Pairs of the bodies [begin, end) with those after them in one tile. */
static void sweep_tile(const bounding_volume *bv, const scree_bodies *bodies, size_t begin,
                       size_t end, size_t tile, scree_sink *sink)
{
    uint32_t hits[TILE + SCREE_SWEEP_PADDING];
    size_t tile_end = tile + TILE < bodies->active_count ? tile + TILE : bodies->active_count;
    for (size_t i = begin; i < end && !sink->stopped; i++) {
        size_t from = tile > i + 1 ? tile : i + 1;
        if (from >= tile_end)
            continue;
        size_t count = bv->sweep(bv->column, i, from, tile_end, hits);
        for (size_t k = 0; k < count; k++)
            scree_sink_pair(sink, bodies->active[i], bodies->active[hits[k]]);
    }
}

static void pairs(const void *self, const scree_bodies *bodies, size_t block,
                  scree_scratch *scratch, scree_sink *sink)
{
    (void)scratch;
    size_t begin = block * BLOCK, end = scree_block_end(block, BLOCK, bodies->active_count);
    for (size_t tile = begin; tile < bodies->active_count && !sink->stopped; tile += TILE)
        sweep_tile(self, bodies, begin, end, tile, sink);
}

const scree_method scree_method_bounding_volume = {
    .info = {.name = "bounding-volume",
             .summary = "every pair is put to the exact test: the oracle of the others",
             .cost = "N^2",
             .worst_time = "N^2 in any scene",
             .worst_memory = "N",
             .capabilities = SCREE_METHOD_QUADRATIC | SCREE_METHOD_DIRTY | SCREE_METHOD_THREADS,
             .exponent = {2, 2}},
    .state_bytes = sizeof(bounding_volume),
    .exact = true,
    .create = create,
    .destroy = destroy,
    .build = build,
    .update = update,
    .block_count = block_count,
    .pairs = pairs,
};
