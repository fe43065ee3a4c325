/*  See taken.h. A query looks at the cells of each level that can hold centres of what it may overlap; where these
    are more than there are spheres in the level, at the spheres. */
#include "taken.h"

#include "base/hash.h"

#include <math.h>
#include <string.h>

#define FARTHEST 1073741824.0 /* cells from the origin: beyond, all are in the last one */
#define LEAST_ROOM 1024u

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
    scree_memory_give(&taken->memory, &taken->cells, taken->cell_room, sizeof *taken->cells);
    taken->count = taken->sphere_room = taken->next_room = 0;
    taken->cell_count = taken->cell_room = 0;
}

/* ---- cells ----------------------------------------------------------------------------------------------- */

static int level_of(const scene_taken *taken, double radius)
{
    int exponent, level;

    frexp(radius, &exponent);
    level = taken->top - exponent;
    return level < 0 ? 0 : level < SCENE_TAKEN_LEVELS ? level : SCENE_TAKEN_LEVELS - 1;
}

/*  Twice the greatest radius that the level can have. */
static double edge_of(const scene_taken *taken, int level)
{
    return ldexp(2, taken->top - level);
}

static int32_t cell_at(double x, double origin, double edge)
{
    double cell = floor((x - origin) / edge);

    return (int32_t)(cell < -FARTHEST ? -FARTHEST : cell > FARTHEST ? FARTHEST : cell);
}

static uint64_t key_of(int level, const int32_t cell[3])
{
    uint64_t across = (uint32_t)cell[0] | (uint64_t)(uint32_t)cell[1] << 32;
    uint64_t key = (uint32_t)cell[2] | (uint64_t)(unsigned)level << 32;

    key = scree_hash_word(scree_hash_word(SCREE_HASH_START, key), across);
    return key ? key : 1;
}

/*  The cell's place in the table, or the free one where it would be. Two cells with one key share it: what is
    found is looked at itself. */
static size_t find_cell(const struct scene_taken_cell *cells, size_t room, uint64_t key)
{
    size_t at = (size_t)(key ^ key >> 32) & (room - 1);

    while (cells[at].key != 0 && cells[at].key != key)
        at = (at + 1) & (room - 1);
    return at;
}

/*  Room for one more cell, less than half of it used. */
static scree_status reserve_cell(scene_taken *taken)
{
    size_t room = taken->cell_room ? 2 * taken->cell_room : LEAST_ROOM;
    struct scene_taken_cell *cells = NULL;

    if (2 * (taken->cell_count + 1) <= taken->cell_room)
        return SCREE_OK;
    if (scree_memory_take(&taken->memory, room, sizeof *cells, &cells))
        return SCREE_OUT_OF_MEMORY;
    memset(cells, 0, room * sizeof *cells);
    for (size_t i = 0; i < taken->cell_room; i++)
        if (taken->cells[i].key)
            cells[find_cell(cells, room, taken->cells[i].key)] = taken->cells[i];
    scree_memory_give(&taken->memory, &taken->cells, taken->cell_room, sizeof *cells);
    taken->cells = cells;
    taken->cell_room = room;
    return SCREE_OK;
}

scree_status scene_taken_put(scene_taken *taken, const double centre[3], double radius)
{
    int level = level_of(taken, radius);
    double edge = edge_of(taken, level);
    int32_t cell[3] = {0};

    if (taken->count >= UINT32_MAX - 1 ||
        scree_memory_reserve(&taken->memory, &taken->sphere, &taken->sphere_room, taken->count + 1,
                             sizeof *taken->sphere) ||
        scree_memory_reserve(&taken->memory, &taken->next, &taken->next_room, taken->count + 1,
                             sizeof *taken->next) ||
        reserve_cell(taken))
        return SCREE_OUT_OF_MEMORY;
    for (int k = 0; k < taken->dimensions; k++)
        cell[k] = cell_at(centre[k], taken->origin[k], edge);
    uint64_t key = key_of(level, cell);
    struct scene_taken_cell *found = &taken->cells[find_cell(taken->cells, taken->cell_room, key)];
    taken->cell_count += found->key == 0;
    found->key = key;
    taken->next[taken->count] = found->head;
    for (int k = 0; k < 3; k++)
        taken->sphere[taken->count][k] = k < taken->dimensions ? centre[k] : 0;
    taken->sphere[taken->count][3] = radius;
    found->head = (uint32_t)++taken->count;
    if (radius > taken->level_most[level])
        taken->level_most[level] = radius;
    return SCREE_OK;
}

/* ---- asking ---------------------------------------------------------------------------------------------- */

typedef struct question
{
    double sphere[4];
    bool wants_depth;
    double deepest; /* so far; without wants_depth above 0 where one overlaps */
} question;

/*  Whether that is all that is wanted. */
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

static bool look_at_cell(const scene_taken *taken, int level, const int32_t cell[3], question *q)
{
    size_t at = find_cell(taken->cells, taken->cell_room, key_of(level, cell));

    for (uint32_t i = taken->cells[at].head; i; i = taken->next[i - 1])
        if (look_at(taken->sphere[i - 1], q))
            return true;
    return false;
}

/*  The level's cells whose spheres may reach so far; how many. */
static double find_range(const scene_taken *taken, int level, const question *q, int32_t least[3],
                         int32_t most[3])
{
    double edge = edge_of(taken, level), cells = 1;

    for (int k = 0; k < 3; k++) {
        double reach = (q->sphere[3] + taken->level_most[level]) * (1 + 1e-12);
        bool is_flat = k >= taken->dimensions;
        least[k] = is_flat ? 0 : cell_at(q->sphere[k] - reach, taken->origin[k], edge);
        most[k] = is_flat ? 0 : cell_at(q->sphere[k] + reach, taken->origin[k], edge);
        cells *= (double)most[k] - least[k] + 1;
    }
    return cells;
}

static bool look_at_level(const scene_taken *taken, int level, question *q)
{
    int32_t least[3], most[3], cell[3];

    if (find_range(taken, level, q, least, most) > (double)taken->count) {
        for (size_t i = 0; i < taken->count; i++)
            if (level_of(taken, taken->sphere[i][3]) == level && look_at(taken->sphere[i], q))
                return true;
        return false;
    }
    for (cell[0] = least[0]; cell[0] <= most[0]; cell[0]++)
        for (cell[1] = least[1]; cell[1] <= most[1]; cell[1]++)
            for (cell[2] = least[2]; cell[2] <= most[2]; cell[2]++)
                if (look_at_cell(taken, level, cell, q))
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
