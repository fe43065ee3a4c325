/*  Hierarchical hash grids (Schornbaum 2009; Eitz & Gu 2007 for the folding): several grids over
    the same space, each with its own cell size, and every body in one cell of one grid: that with
    the smallest cells larger than the body. Each grid is a block of cells onto which all of space
    is folded, so there is no domain to leave. Private to the method; tests look in here too.

    Files: hash_grids_memory.c keeps bricks of cells and lists of bodies; hash_grids_cells.c is one
    grid; hash_grids_levels.c says which grid a body belongs to; hash_grids_fill.c puts all bodies
    in at once; hash_grids_search.c finds pairs and answers queries; hash_grids.c is the method. */
#ifndef SCREE_HASH_GRIDS_H
#define SCREE_HASH_GRIDS_H

#include "detect/method.h"

#define SCREE_HASH_NONE 0xffffffffu /* no body, no brick, no grid; an empty cell */

/* ---- memory: bricks and lists ---- */

/*  Cells are held in bricks of neighbouring cells, and only bricks with a body in them exist: a
    block of 256^3 cells of which bodies fill a corner costs that corner. A cell is SCREE_HASH_NONE,
    or the id of its only body, or SCREE_HASH_MANY plus the number of a list's first unit. */
#define SCREE_HASH_BRICK_CELLS 512u
#define SCREE_HASH_MANY 0x80000000u

typedef struct scree_hash_brick
{
    uint32_t cell[SCREE_HASH_BRICK_CELLS];
} scree_hash_brick;

/*  Lists are runs of units: a head, then bodies, four a unit. Invariant: count >= 2. */
typedef struct scree_hash_unit
{
    uint32_t word[4]; /* of a head: count, size class, place in `occupied`, next free list */
} scree_hash_unit;

enum
{
    SCREE_HASH_COUNT,
    SCREE_HASH_CLASS,
    SCREE_HASH_OCCUPIED,
    SCREE_HASH_NEXT_FREE
};

/*  Lists of class k have room for list_capacity << k bodies. */
#define SCREE_HASH_CLASSES 32

typedef struct scree_hash_pool
{
    scree_memory *memory;
    uint32_t list_capacity;
    scree_hash_brick *brick;
    uint32_t *note; /* of a brick: its occupied cells; of a free one: the next free */
    size_t brick_capacity, note_capacity;
    uint32_t brick_count, brick_free, bricks_live;
    scree_hash_unit *unit;
    size_t unit_capacity;
    uint32_t unit_count, list_free[SCREE_HASH_CLASSES], units_live;
    uint64_t outgrown; /* lists that had to move to the next class, so far */
} scree_hash_pool;

void scree_hash_pool_init(scree_hash_pool *pool, scree_memory *memory, uint32_t list_capacity);
/*  Removes all lists, and keeps the memory. */
void scree_hash_pool_clear(scree_hash_pool *pool);
void scree_hash_pool_free(scree_hash_pool *pool);
/*  True if most of what it holds has long been unused. */
bool scree_hash_pool_is_wasteful(const scree_hash_pool *pool);

/*  A brick of empty cells. It must be empty again when it is given back. */
scree_status scree_hash_take_brick(scree_hash_pool *pool, uint32_t *brick);
void scree_hash_give_brick(scree_hash_pool *pool, uint32_t brick);

/*  A list with room for `wanted` bodies, count 0. */
scree_status scree_hash_take_list(scree_hash_pool *pool, uint32_t wanted, uint32_t *list);
void scree_hash_give_list(scree_hash_pool *pool, uint32_t list);

static inline uint32_t *scree_hash_list_head(const scree_hash_pool *pool, uint32_t list)
{
    return pool->unit[list].word;
}

static inline uint32_t *scree_hash_list_bodies(const scree_hash_pool *pool, uint32_t list)
{
    return pool->unit[list + 1].word;
}

/* ---- one grid ---- */

typedef struct scree_hash_grid
{
    int32_t level;
    double cell, inverse; /* edge of a cell, and 1 / edge */
    double low;           /* bodies here have low <= size < cell */
    double reach;         /* no body here has been larger since it was last filled */
    uint8_t doublings;    /* of the block, so far */
    uint8_t bits[3];      /* cells along an axis are 1 << bits */
    uint8_t brick_bits[3];
    uint8_t inner[3], outer[3], brick_shift; /* see scree_hash_part */
    uint32_t *brick; /* by cell >> brick_shift; SCREE_HASH_NONE: all empty */
    uint32_t brick_total;
    uint32_t *occupied; /* cells with bodies: a search costs nothing for the others */
    size_t occupied_capacity;
    uint32_t occupied_count;
    uint32_t count;      /* bodies */
    uint32_t enlarge_at; /* with so many bodies it grows before the next */
    uint32_t idle;       /* updates without bodies */
    bool in_use;
} scree_hash_grid;

/*  Where a body is: in which grid and cell, and there in which slot: of the cell's list, or of
    `occupied` where it is the only one. */
typedef struct scree_hash_place
{
    uint32_t grid, cell, slot;
} scree_hash_place;

typedef struct scree_hash_grids
{
    scree_memory *memory;
    scree_hash_grids_def def;
    int dimensions;
    bool by_centre; /* bodies are hashed by the middle of their boxes, else by the lower corner */
    bool active;    /* false: so few bodies that all pairs are tested */
    double first_cell; /* of level 0; 0 until there is a body in a grid */
    scree_hash_pool pool;
    scree_hash_grid *grid;
    size_t grid_capacity;
    uint32_t grid_count; /* some may not be in use */
    uint32_t *order;     /* those in use, by ascending cell */
    size_t order_capacity;
    uint32_t order_count;
    scree_hash_place *place; /* by id */
    size_t place_capacity;
    uint32_t count;               /* bodies in grids */
    uint32_t disorder;            /* bodies that were put elsewhere since all were put in order */
    uint64_t relocated, refilled; /* bodies put into cells, and all again outside build(), so far */
} scree_hash_grids;

/*  An index of a cell is made of three parts, one an axis, in bits of their own: within its brick
    (inner), and which brick (outer). So the hash of a neighbour is three parts combined again. */
static inline uint32_t scree_hash_part(const scree_hash_grid *grid, int axis, uint32_t at)
{
    uint32_t bits = grid->brick_bits[axis];
    return (at >> bits) << grid->outer[axis] | (at & ((1u << bits) - 1)) << grid->inner[axis];
}

/*  The inverse: where a cell is on an axis. */
static inline uint32_t scree_hash_at(const scree_hash_grid *grid, int axis, uint32_t cell)
{
    uint32_t bits = grid->brick_bits[axis];
    uint32_t high = cell >> grid->outer[axis] & ((1u << (grid->bits[axis] - bits)) - 1);
    return high << bits | (cell >> grid->inner[axis] & ((1u << bits) - 1));
}

/*  The largest whole number that is not above x; x is below 2^62 in magnitude. */
static inline int64_t scree_hash_floor(double x)
{
    int64_t whole = (int64_t)x;
    return whole - (x < (double)whole);
}

/*  Where a box is on an axis, in cells, before space is folded. */
int64_t scree_hash_unfolded(const scree_hash_grids *self, const scree_hash_grid *grid,
                            const scree_box *box, int axis);

/*  The cell of a box. */
uint32_t scree_hash_cell(const scree_hash_grids *self, const scree_hash_grid *grid,
                         const scree_box *box);

/*  A cell and those around it, z outermost, then y, then x; returns 27, or 9 in two dimensions. The
    middle one is the cell itself, the first half of them sees each pair of neighbours once. */
int scree_hash_neighbors(const scree_hash_grid *grid, uint32_t cell, uint32_t around[27]);

/*  The bodies of a cell. */
static inline const uint32_t *scree_hash_bodies(const scree_hash_pool *pool,
                                                const scree_hash_grid *grid, uint32_t cell,
                                                uint32_t *count)
{
    uint32_t brick = grid->brick[cell >> grid->brick_shift];
    *count = 0;
    if (brick == SCREE_HASH_NONE)
        return NULL;
    const uint32_t *word = &pool->brick[brick].cell[cell & ((1u << grid->brick_shift) - 1)];
    if (*word == SCREE_HASH_NONE)
        return NULL;
    if (!(*word & SCREE_HASH_MANY)) {
        *count = 1;
        return word;
    }
    *count = scree_hash_list_head(pool, *word ^ SCREE_HASH_MANY)[SCREE_HASH_COUNT];
    return scree_hash_list_bodies(pool, *word ^ SCREE_HASH_MANY);
}

/*  A grid of the smallest size, in a slot that may have been in use before. */
scree_status scree_hash_grid_open(scree_hash_grids *self, scree_hash_grid *grid);
void scree_hash_grid_close(scree_hash_grids *self, scree_hash_grid *grid);
/*  Twice as many cells along each axis, or half as many, until the density is right for `count`
    bodies. The grid must be empty. */
scree_status scree_hash_grid_resize(scree_hash_grids *self, scree_hash_grid *grid, uint32_t count);
bool scree_hash_grid_is_too_large(const scree_hash_grids *self, const scree_hash_grid *grid);
/*  All its bodies again, after the density has left its limits. */
scree_status scree_hash_grid_rehash(scree_hash_grids *self, uint32_t slot,
                                    const scree_bodies *bodies, uint32_t count);

/*  O(1) each; adding enlarges the grid first if it must. */
scree_status scree_hash_add(scree_hash_grids *self, uint32_t slot, const scree_bodies *bodies,
                            uint32_t id);
/*  The grid is large enough. */
scree_status scree_hash_put(scree_hash_grids *self, uint32_t slot, uint32_t cell, uint32_t id);
void scree_hash_take_out(scree_hash_grids *self, uint32_t id);

/* ---- levels ---- */

/*  first * factor^level. */
double scree_hash_level_cell(double first, double factor, int32_t level);
/*  The level of a size, which may be 0. */
int32_t scree_hash_level_of(const scree_hash_grids *self, double size);
/*  The size that decides on a body's level, rounded up: see its definition. */
double scree_hash_size_of(const scree_hash_grids *self, const scree_bodies *bodies, uint32_t id);
/*  The grid for a size, made if there is none. */
scree_status scree_hash_grid_for(scree_hash_grids *self, const scree_bodies *bodies, double size,
                                 uint32_t *slot);
/*  After an update: drops levels that have long been empty, makes too large ones smaller. */
scree_status scree_hash_tidy(scree_hash_grids *self, const scree_bodies *bodies);

/* ---- all together ---- */

/*  Everything out; grids and memory stay. */
void scree_hash_clear(scree_hash_grids *self);
/*  Gives back what clearing keeps, but the grids. The grids must be empty. */
void scree_hash_trim(scree_hash_grids *self);
void scree_hash_free(scree_hash_grids *self);
/*  All active bodies, in the order of their cells. */
scree_status scree_hash_fill(scree_hash_grids *self, const scree_method_env *env,
                             const scree_bodies *bodies);

size_t scree_hash_block_count(const scree_hash_grids *self);
void scree_hash_pairs(const scree_hash_grids *self, const scree_bodies *bodies, size_t block,
                      scree_sink *sink);
void scree_hash_outline(const scree_hash_grids *self, const scree_bodies *bodies,
                        scree_scratch *scratch, scree_outline_sink *sink);
void scree_hash_query(const scree_hash_grids *self, const scree_bodies *bodies,
                      const scree_probe *probe, scree_hit_sink *sink);

#endif
