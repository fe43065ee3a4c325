/*  See taken.h. A query visits those cells of each level that can hold centres of overlapping spheres; if these are
    more than the spheres of the level, it visits the spheres. */
#include "taken.h"

#include "base/hash.h"

#include <math.h>
#include <string.h>

#define FARTHEST 1073741824.0 /* cells from the origin; everything beyond is in the last cell */
#define MIN_ROOM 1024u

void scene_taken_begin(scene_taken *taken, const scree_allocator *allocator, int dimensions,
                       const double origin[3], double largest)
{
    *taken = (scene_taken){.dimensions = dimensions};
    scree_memory_init(&taken->memory, allocator);
    memcpy(taken->origin, origin, sizeof taken->origin);
    frexp(largest, &taken->top);
}

void scene_taken_end(scene_taken *taken)
{
    scree_memory_give(&taken->memory, &taken->sphere, taken->sphere_room, sizeof *taken->sphere);
    scree_memory_give(&taken->memory, &taken->next, taken->next_room, sizeof *taken->next);
    scree_memory_give(&taken->memory, &taken->blocks, taken->block_room, sizeof *taken->blocks);
    taken->count = taken->sphere_room = taken->next_room = 0;
    taken->block_count = taken->block_room = 0;
}

/* ---- cells ----------------------------------------------------------------------------------------------- */

static int level_of(const scene_taken *taken, double radius)
{
    int exponent, level;

    frexp(radius, &exponent);
    level = taken->top - exponent;
    return level < 0 ? 0 : level < SCENE_TAKEN_LEVELS ? level : SCENE_TAKEN_LEVELS - 1;
}

/*  Twice the largest radius of the level. */
static double edge_of(const scene_taken *taken, int level)
{
    return ldexp(2, taken->top - level);
}

/*  With an offset, so that none is negative. */
static uint32_t cell_at(double x, double origin, double edge)
{
    double cell = floor((x - origin) / edge);

    return (uint32_t)((cell < -FARTHEST  ? -FARTHEST
                       : cell > FARTHEST ? FARTHEST
                                         : cell) +
                      FARTHEST);
}

static uint64_t key_of(int level, const uint32_t block[3])
{
    uint64_t across = block[0] | (uint64_t)block[1] << 32;
    uint64_t key = block[2] | (uint64_t)(unsigned)level << 32;

    key = scree_hash_word(scree_hash_word(SCREE_HASH_START, key), across);
    return key ? key : 1;
}

/*  The block's entry in the table, or the free one where it belongs. Two blocks with the same key share an entry:
    spheres are tested themselves. */
static size_t find_block(const struct scene_taken_block *blocks, size_t room, uint64_t key)
{
    size_t at = (size_t)(key ^ key >> 32) & (room - 1);

    while (blocks[at].key != 0 && blocks[at].key != key)
        at = (at + 1) & (room - 1);
    return at;
}

/*  Reserves one more block; at most half of the table is used. */
static scree_status reserve_block(scene_taken *taken)
{
    size_t room = taken->block_room ? 2 * taken->block_room : MIN_ROOM;
    struct scene_taken_block *blocks = NULL;

    if (2 * (taken->block_count + 1) <= taken->block_room)
        return SCREE_OK;
    if (scree_memory_take(&taken->memory, room, sizeof *blocks, &blocks))
        return SCREE_OUT_OF_MEMORY;
    memset(blocks, 0, room * sizeof *blocks);
    for (size_t i = 0; i < taken->block_room; i++)
        if (taken->blocks[i].key)
            blocks[find_block(blocks, room, taken->blocks[i].key)] = taken->blocks[i];
    scree_memory_give(&taken->memory, &taken->blocks, taken->block_room, sizeof *blocks);
    taken->blocks = blocks;
    taken->block_room = room;
    return SCREE_OK;
}

scree_status scene_taken_put(scene_taken *taken, const double centre[3], double radius)
{
    int level = level_of(taken, radius);
    double edge = edge_of(taken, level);
    uint32_t block[3] = {0}, cell = 0;

    if (taken->count >= UINT32_MAX - 1 ||
        scree_memory_reserve(&taken->memory, &taken->sphere, &taken->sphere_room, taken->count + 1,
                             sizeof *taken->sphere) ||
        scree_memory_reserve(&taken->memory, &taken->next, &taken->next_room, taken->count + 1,
                             sizeof *taken->next) ||
        reserve_block(taken))
        return SCREE_OUT_OF_MEMORY;
    for (int k = 0; k < taken->dimensions; k++) {
        uint32_t along = cell_at(centre[k], taken->origin[k], edge);
        block[k] = along / 2;
        cell |= along % 2 << k;
    }
    uint64_t key = key_of(level, block);
    struct scene_taken_block *found =
        &taken->blocks[find_block(taken->blocks, taken->block_room, key)];
    taken->block_count += found->key == 0;
    found->key = key;
    taken->next[taken->count] = found->head[cell];
    for (int k = 0; k < 3; k++)
        taken->sphere[taken->count][k] = k < taken->dimensions ? centre[k] : 0;
    taken->sphere[taken->count][3] = radius;
    found->head[cell] = (uint32_t)++taken->count;
    if (radius > taken->level_most[level])
        taken->level_most[level] = radius;
    return SCREE_OK;
}

/* ---- asking ---------------------------------------------------------------------------------------------- */

typedef struct question
{
    double sphere[4];
    bool wants_depth;
    double deepest; /* so far; without wants_depth any overlap sets it above 0 */
} question;

/*  Returns whether the query is finished. */
static bool look_at(const double other[4], question *q)
{
    double sum = 0, reach = q->sphere[3] + other[3];

    for (int k = 0; k < 3; k++)
        sum += (q->sphere[k] - other[k]) * (q->sphere[k] - other[k]);
    if (!(sum <= reach * reach))
        return false;
    double depth = reach - sqrt(sum);
    q->deepest = depth > q->deepest ? depth : q->deepest;
    if (!q->wants_depth)
        q->deepest = 1;
    return !q->wants_depth;
}

/*  Range of cells along each axis, inclusive. */
typedef struct cell_range
{
    uint32_t least[3], most[3];
} cell_range;

/*  The cells of the level whose spheres may be within range; returns their number. */
static double find_range(const scene_taken *taken, int level, const question *q, cell_range *range)
{
    double edge = edge_of(taken, level), cells = 1;

    *range = (cell_range){{0}, {0}};
    for (int k = 0; k < taken->dimensions; k++) {
        double reach = (q->sphere[3] + taken->level_most[level]) * (1 + 1e-12);
        range->least[k] = cell_at(q->sphere[k] - reach, taken->origin[k], edge);
        range->most[k] = cell_at(q->sphere[k] + reach, taken->origin[k], edge);
        cells *= (double)range->most[k] - range->least[k] + 1;
    }
    return cells;
}

static bool look_at_block(const scene_taken *taken, int level, const uint32_t block[3],
                          const cell_range *range, question *q)
{
    const struct scene_taken_block *found =
        &taken->blocks[find_block(taken->blocks, taken->block_room, key_of(level, block))];

    for (uint32_t c = 0; c < 8 && found->key; c++) {
        bool is_inside = true;
        for (int k = 0; k < 3; k++) {
            uint32_t along = 2 * block[k] + (c >> k & 1);
            is_inside = is_inside && along >= range->least[k] && along <= range->most[k];
        }
        for (uint32_t i = is_inside ? found->head[c] : 0; i; i = taken->next[i - 1])
            if (look_at(taken->sphere[i - 1], q))
                return true;
    }
    return false;
}

static bool look_at_level(const scene_taken *taken, int level, question *q)
{
    cell_range range;
    uint32_t block[3];

    if (find_range(taken, level, q, &range) > (double)taken->count) {
        for (size_t i = 0; i < taken->count; i++)
            if (level_of(taken, taken->sphere[i][3]) == level && look_at(taken->sphere[i], q))
                return true;
        return false;
    }
    for (block[2] = range.least[2] / 2; block[2] <= range.most[2] / 2; block[2]++)
        for (block[1] = range.least[1] / 2; block[1] <= range.most[1] / 2; block[1]++)
            for (block[0] = range.least[0] / 2; block[0] <= range.most[0] / 2; block[0]++)
                if (look_at_block(taken, level, block, &range, q))
                    return true;
    return false;
}

static double ask(const scene_taken *taken, const double centre[3], double radius, bool wants_depth)
{
    question q = {.sphere = {centre[0], centre[1], taken->dimensions == 3 ? centre[2] : 0, radius},
                  .wants_depth = wants_depth};

    for (int level = 0; level < SCENE_TAKEN_LEVELS; level++)
        if (taken->level_most[level] > 0 && look_at_level(taken, level, &q))
            break;
    return q.deepest;
}

bool scene_taken_overlaps(const scene_taken *taken, const double centre[3], double radius)
{
    return ask(taken, centre, radius, false) > 0;
}

double scene_taken_depth(const scene_taken *taken, const double centre[3], double radius)
{
    return ask(taken, centre, radius, true);
}
