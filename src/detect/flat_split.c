/*  Islands: sets of bodies that do not touch each other. A scene that is crowded in parts and empty between them is
    divided into islands, so that no grid covers empty space, and floats are relative to a point nearby.

    HOW. A coarse grid of blocks is laid over the bodies. Blocks are at least as wide as the largest body. Each block
    has the box around the boxes of its bodies. Neighbouring blocks, also those that share only a corner, belong to one
    island if their boxes overlap. An island is divided again if its bodies are crowded in few of the blocks that its
    own coarse grid would have. Islands of few bodies, called islets here, need no grid: all their pairs are tested.

    WHY NO PAIR IS LOST. If the rule accepts a pair, the boxes of the two bodies overlap, rounded outward as explained
    at scree_sphere_bounds. Then the boxes of their blocks overlap as well. On each axis their positions (centres of
    spheres, lower corners of boxes) differ by at most W, the width of the widest such box. A block is wider than
    W (1 + 2^-10). Block numbers are below 2^20 and computed in double with errors below 2^-30, so those of the two
    bodies differ by at most one. */
#include "detect/flat.h"

#include <string.h>

/*  Bodies per block. */
#define BLOCK_BODIES 8u
/*  A list of bodies is worth splitting if a body has more than this many others in its block on average: twice as many
    as in a list that is dense in the middle and thin around it. */
#define CROWDED 128u
/*  To estimate that, one in so many bodies is examined. */
#define SAMPLE_STRIDE 8u
/*  Largest depth of islands in islands. Deeper ones are not split, which costs only time. */
#define DEPTH 8u

static inline const double *place_of(const scree_bodies *bodies, uint32_t id)
{
    return bodies->sphere ? bodies->sphere[id] : bodies->box[id].lower;
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* ---- what bodies are like, together ---- */

/*  Corners of the box around the volumes, as computed in double, with the smallest and largest size, so that four
    numbers are processed at once. */
#define SIZE 3

typedef struct split_extent
{
    double lower[4], upper[4];
} split_extent;

static const split_extent no_extent = {{DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX},
                                       {-DBL_MAX, -DBL_MAX, -DBL_MAX, 0}};

static inline void add_extent(split_extent *extent, const split_extent *other)
{
    for (int k = 0; k < 4; k++) {
        double lower = other->lower[k], upper = other->upper[k];
        extent->lower[k] = lower < extent->lower[k] ? lower : extent->lower[k];
        extent->upper[k] = upper > extent->upper[k] ? upper : extent->upper[k];
    }
}

static inline split_extent extent_of(const scree_bodies *bodies, uint32_t id)
{
    split_extent own;
    if (bodies->sphere) {
        const double *sphere = bodies->sphere[id];
        const double reach[4] = {sphere[3], sphere[3], sphere[3], 0};
        for (int k = 0; k < 4; k++) {
            own.lower[k] = sphere[k] - reach[k];
            own.upper[k] = sphere[k] + reach[k];
        }
        return own;
    }
    const scree_box *box = &bodies->box[id];
    double most = 0;
    for (int k = 0; k < 3; k++) {
        own.lower[k] = box->lower[k];
        own.upper[k] = box->upper[k];
        most = larger(own.upper[k] - own.lower[k], most);
    }
    own.lower[SIZE] = own.upper[SIZE] = most;
    return own;
}

static scree_box box_of(const split_extent *extent)
{
    scree_box box;
    memcpy(box.lower, extent->lower, sizeof box.lower);
    memcpy(box.upper, extent->upper, sizeof box.upper);
    return box;
}

/*  Encloses the spheres with it. */
static scree_sphere_range range_of(const split_extent *extent)
{
    scree_sphere_range range;
    memcpy(range.least, extent->lower, sizeof range.least);
    memcpy(range.most, extent->upper, sizeof range.most);
    return range;
}

/*  Encloses the boxes of the bodies, which of spheres are rounded outward: see scree_flat_box. */
static void round_outward(split_extent *extent, const scree_bodies *bodies)
{
    for (int k = 0; k < bodies->dimensions && bodies->sphere; k++) {
        double farthest = larger(fabs(extent->lower[k]), fabs(extent->upper[k]));
        double reach = 8 * DBL_EPSILON * farthest + 0x1p-535;
        extent->lower[k] -= reach;
        extent->upper[k] += reach;
    }
}

/*  A block of the coarse grid; of an island's first block, `extent` and `count` are those of the island
    once it is known. */
typedef struct scree_flat_block
{
    split_extent extent;
    uint32_t count;  /* number of bodies; then the position for the next one */
    uint32_t parent; /* a block of the same island, before it or itself */
} split_block;

/*  Bodies that must still be split: self->order from `begin`. */
typedef struct scree_flat_list
{
    uint32_t begin, count, depth;
    split_extent extent;
} split_list;

typedef struct splitter
{
    scree_flat *self;
    const scree_method_env *env;
    const scree_bodies *bodies;
    uint32_t *key;      /* block of each body of the list; where the first column will be */
    split_block *block; /* where records will be */
    /* the blocks of the list: block = min((x - low) * inverse, cells - 1) */
    double low[3], inverse;
    uint32_t cells[3], block_count;
    size_t list_count;
    scree_flat_islets islets;
} splitter;

/* ---- the blocks of a list ---- */

/*  The width of the widest box, rounded outward. */
static double widest_box(const splitter *s, const split_extent *extent)
{
    double farthest = 0;
    if (!s->bodies->sphere)
        return extent->upper[SIZE];
    for (int k = 0; k < 3; k++)
        farthest = larger(larger(fabs(extent->lower[k]), fabs(extent->upper[k])), farthest);
    return 2 * extent->upper[SIZE] + 32 * DBL_EPSILON * farthest + 0x1p-530;
}

/*  Returns false if blocks cannot be narrower than the list. */
static bool lay_blocks(splitter *s, const split_list *list)
{
    uint32_t wanted = list->count / BLOCK_BODIES + 1;
    double range[3], widest = 0, edge;
    for (int k = 0; k < 3; k++) {
        s->low[k] = list->extent.lower[k];
        range[k] = list->extent.upper[k] - s->low[k];
        range[k] = k < s->bodies->dimensions ? range[k] : 0;
        widest = larger(widest, range[k]);
    }
    edge = larger(widest_box(s, &list->extent) * (1 + 0x1p-9), widest * 0x1p-19);
    if (!(edge > 0x1p-900)) /* else its inverse may be infinite */
        return false;
    for (;; edge *= 1.125) {
        double blocks = 1;
        for (int k = 0; k < 3; k++)
            blocks *= 1 + floor(range[k] / edge);
        if (blocks <= wanted)
            break;
    }
    s->inverse = 1 / edge;
    s->block_count = 1;
    for (int k = 0; k < 3; k++) {
        s->cells[k] = 1 + (uint32_t)(range[k] / edge);
        s->block_count *= s->cells[k];
    }
    return s->block_count > 1;
}

static inline uint32_t block_of(const splitter *s, const double at[3], int dimensions)
{
    uint32_t block = 0;
    for (int k = dimensions - 1; k >= 0; k--) {
        uint32_t cell = (uint32_t)(int32_t)((at[k] - s->low[k]) * s->inverse);
        cell = cell < s->cells[k] ? cell : s->cells[k] - 1;
        block = block * s->cells[k] + cell;
    }
    return block;
}

/*  Returns how many others a body has in its block on average, by a sample. It affects only speed. */
static double find_crowding(splitter *s, const split_list *list)
{
    split_block *blocks = s->block;
    const uint32_t *ids = s->self->order + list->begin;
    uint64_t met = 0, seen = 0;
    for (uint32_t b = 0; b < s->block_count; b++)
        blocks[b].count = 0;
    for (uint32_t a = 0; a < list->count; a += SAMPLE_STRIDE, seen++) {
        uint32_t b = block_of(s, place_of(s->bodies, ids[a]), s->bodies->dimensions);
        met += 2 * (uint64_t)blocks[b].count++;
    }
    return (double)(met * SAMPLE_STRIDE) / (double)seen;
}

static void fill_blocks(splitter *s, const split_list *list)
{
    split_block *blocks = s->block;
    const uint32_t *ids = s->self->order + list->begin;
    for (uint32_t b = 0; b < s->block_count; b++)
        blocks[b] = (split_block){no_extent, 0, b};
    for (uint32_t a = 0; a < list->count; a++) {
        uint32_t b = block_of(s, place_of(s->bodies, ids[a]), s->bodies->dimensions);
        s->key[a] = b;
        blocks[b].count++;
        split_extent own = extent_of(s->bodies, ids[a]);
        add_extent(&blocks[b].extent, &own);
    }
    for (uint32_t b = 0; b < s->block_count; b++)
        if (blocks[b].count)
            round_outward(&blocks[b].extent, s->bodies);
}

/* ---- which blocks belong together ---- */

static uint32_t find_root(split_block *blocks, uint32_t b)
{
    while (blocks[b].parent != b) {
        blocks[b].parent = blocks[blocks[b].parent].parent;
        b = blocks[b].parent;
    }
    return b;
}

static void join_blocks(split_block *blocks, uint32_t a, uint32_t b)
{
    if (blocks[b].count == 0)
        return;
    scree_box one = box_of(&blocks[a].extent), other = box_of(&blocks[b].extent);
    if (!scree_boxes_overlap(&one, &other))
        return;
    a = find_root(blocks, a);
    b = find_root(blocks, b);
    if (a < b)
        blocks[b].parent = a;
    else
        blocks[a].parent = b;
}

/*  Joins a block with each of its 13 preceding neighbours, in two dimensions 4. */
static void join_with_neighbours(splitter *s, uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t at = (z * s->cells[1] + y) * s->cells[0] + x;
    for (uint32_t other_z = z > 0 ? z - 1 : 0; other_z <= z; other_z++)
        for (uint32_t other_y = y > 0 ? y - 1 : 0; other_y <= y + 1; other_y++)
            for (uint32_t other_x = x > 0 ? x - 1 : 0; other_x <= x + 1; other_x++) {
                uint32_t other = (other_z * s->cells[1] + other_y) * s->cells[0] + other_x;
                if (other_x < s->cells[0] && other_y < s->cells[1] && other < at)
                    join_blocks(s->block, at, other);
            }
}

/*  Then the parent of each is the first block of its island. */
static void join_all(splitter *s)
{
    split_block *blocks = s->block;
    uint32_t b = 0;
    for (uint32_t z = 0; z < s->cells[2]; z++)
        for (uint32_t y = 0; y < s->cells[1]; y++)
            for (uint32_t x = 0; x < s->cells[0]; x++, b++)
                if (blocks[b].count)
                    join_with_neighbours(s, x, y, z);
    for (b = 0; b < s->block_count; b++) {
        uint32_t root = find_root(blocks, b);
        blocks[b].parent = root;
        if (root == b || blocks[b].count == 0)
            continue;
        blocks[root].count += blocks[b].count;
        add_extent(&blocks[root].extent, &blocks[b].extent);
    }
}

/* ---- what becomes of an island ---- */

static scree_status add_list(splitter *s, const split_list *list)
{
    scree_flat *self = s->self;
    if (scree_memory_reserve(s->env->memory, &self->list, &self->list_capacity, s->list_count + 1,
                             sizeof *self->list))
        return SCREE_OUT_OF_MEMORY;
    self->list[s->list_count++] = *list;
    return SCREE_OK;
}

static scree_status add_islet(splitter *s, const split_block *island, uint32_t begin)
{
    scree_flat *self = s->self;
    if (scree_memory_reserve(s->env->memory, &self->islet, &self->islet_capacity,
                             (size_t)self->islet_count + 2, sizeof *self->islet))
        return SCREE_OUT_OF_MEMORY;
    self->islet[self->islet_count++] = (scree_flat_islet){.first = begin, .count = island->count};
    if (island->count == 1)
        return SCREE_OK;
    for (int k = 0; k < s->bodies->dimensions; k++)
        s->islets.range = fmax(s->islets.range, island->extent.upper[k] - island->extent.lower[k]);
    s->islets.size = fmax(s->islets.size, island->extent.upper[SIZE]);
    return SCREE_OK;
}

static scree_status add_island(scree_flat *self, scree_memory *memory, const split_list *list,
                               double densities)
{
    if (scree_memory_reserve(memory, &self->island, &self->island_capacity,
                             (size_t)self->island_count + 1, sizeof *self->island))
        return SCREE_OUT_OF_MEMORY;
    self->island[self->island_count++] = (scree_flat_island){.first = list->begin,
                                                             .count = list->count,
                                                             .box = box_of(&list->extent),
                                                             .range = range_of(&list->extent),
                                                             .densities = densities};
    return SCREE_OK;
}

/*  Sorts the bodies of the list by island, and adds each island to the results. */
static scree_status deal_out(splitter *s, const split_list *list)
{
    scree_flat *self = s->self;
    split_block *blocks = s->block;
    uint32_t begin = list->begin;
    for (uint32_t b = 0; b < s->block_count; b++) {
        uint32_t count = blocks[b].count;
        if (blocks[b].parent != b || count == 0)
            continue;
        split_list island = {begin, count, list->depth + 1, blocks[b].extent};
        if (count <= SCREE_FLAT_ISLET ? add_islet(s, &blocks[b], begin) : add_list(s, &island))
            return SCREE_OUT_OF_MEMORY;
        blocks[b].count = begin;
        begin += count;
    }
    for (uint32_t a = 0; a < list->count; a++) {
        uint32_t root = blocks[s->key[a]].parent;
        self->id[blocks[root].count++] = self->order[list->begin + a];
    }
    memcpy(self->order + list->begin, self->id + list->begin, list->count * sizeof *self->id);
    return SCREE_OK;
}

static scree_status reserve_blocks(splitter *s)
{
    scree_flat *self = s->self;
    size_t floats = (size_t)s->block_count * (sizeof *s->block / sizeof *self->record);
    _Static_assert(sizeof *s->block % sizeof *self->record == 0, "a block is a number of floats");
    if (scree_memory_reserve(s->env->memory, &self->record, &self->record_capacity, floats,
                             sizeof *self->record))
        return SCREE_OUT_OF_MEMORY;
    s->block = (split_block *)(void *)self->record;
    return SCREE_OK;
}

static scree_status split_one(splitter *s, const split_list *list)
{
    scree_flat *self = s->self;
    if (list->depth >= DEPTH || !lay_blocks(s, list))
        return add_island(self, s->env->memory, list, 1);
    if (reserve_blocks(s))
        return SCREE_OUT_OF_MEMORY;
    double crowding = find_crowding(s, list);
    if (!(crowding > CROWDED))
        return add_island(self, s->env->memory, list, crowding * s->block_count / list->count);
    fill_blocks(s, list);
    join_all(s);
    return deal_out(s, list);
}

/*  Islands first, then islets, each at its final position. The ids are then in `id`, which is swapped with `order`. */
static void bring_together(scree_flat *self)
{
    uint32_t place = 0;
    for (uint32_t k = 0; k < self->island_count; k++) {
        scree_flat_island *island = &self->island[k];
        memcpy(self->id + place, self->order + island->first, island->count * sizeof *self->id);
        island->first = place;
        place += island->count;
    }
    for (uint32_t k = 0; k < self->islet_count; k++) {
        scree_flat_islet *islet = &self->islet[k];
        memcpy(self->id + place, self->order + islet->first, islet->count * sizeof *self->id);
        islet->first = place;
        place += islet->count;
    }
    uint32_t *ids = self->id;
    size_t capacity = self->id_capacity;
    self->id = self->order;
    self->id_capacity = self->order_capacity;
    self->order = ids;
    self->order_capacity = capacity;
}

static scree_status reserve(scree_flat *self, scree_memory *memory)
{
    size_t padded = (size_t)self->count + SCREE_FLAT_PADDING;
    if (scree_memory_reserve(memory, &self->id, &self->id_capacity, padded, sizeof *self->id) ||
        scree_memory_reserve(memory, &self->order, &self->order_capacity, padded,
                             sizeof *self->order) ||
        scree_memory_reserve(memory, &self->column[0], &self->column_capacity[0], padded,
                             sizeof(float)))
        return SCREE_OUT_OF_MEMORY;
    return SCREE_OK;
}

scree_status scree_flat_split(scree_flat *self, const scree_method_env *env,
                              const scree_bodies *bodies, scree_flat_islets *islets)
{
    splitter s = {.self = self, .env = env, .bodies = bodies};
    split_list all = {0, self->count, 0, no_extent};
    self->island_count = self->islet_count = 0;
    for (uint32_t a = 0; a < self->count; a++) {
        split_extent own = extent_of(bodies, bodies->active[a]);
        add_extent(&all.extent, &own);
    }
    round_outward(&all.extent, bodies);
    s.islets.is_even = bodies->sphere && all.extent.lower[SIZE] == all.extent.upper[SIZE];
    if (reserve(self, env->memory) || add_list(&s, &all))
        return SCREE_OUT_OF_MEMORY;
    memcpy(self->order, bodies->active, self->count * sizeof *self->order);
    s.key = (uint32_t *)(void *)self->column[0];
    for (size_t k = 0; k < s.list_count; k++) {
        split_list list = self->list[k]; /* the array may grow */
        if (split_one(&s, &list))
            return SCREE_OUT_OF_MEMORY;
    }
    bring_together(self);
    *islets = s.islets;
    return SCREE_OK;
}

void scree_flat_give_lists(scree_flat *self, scree_memory *memory)
{
    scree_memory_give(memory, &self->list, self->list_capacity, sizeof *self->list);
    self->list_capacity = 0;
}
