/*  The cell space (after PFC, Itasca: "Update Spatial Searching Data Structures"): cubic parent
    cells over a domain; a cell with many small pieces is refined into a cell space of its own, and
    so on. Each cell lists the pieces that reach into it, each piece lists its cells, and a piece
    that moves touches only the lists that change. A piece is a body with its box; "extent" is that
    box.

    CELLS ARE EXACT. Cell i of a space begins on axis k at bound(i) = origin + i * len as rounded,
    held within the space, and ends where the next begins; the first begins at -infinity and the
    last ends at infinity unless the space lies inside a cell, whose bounds then are theirs. So the
    leaf cells (those without a space of their own) part all of space: each point is in exactly one,
    which comparisons alone decide, and points outside the domain are in the outermost cells. Formula (3)
    of the source, floor((x - origin) / len) clamped, is the first guess of the index and differs
    from it by rounding only. */
#ifndef SCREE_CELL_SPACE_H
#define SCREE_CELL_SPACE_H

#include "detect/conformal.h"
#include "detect/exact.h"
#include "detect/lazy_list.h"
#include "detect/method.h"
#include "detect/sweep.h"

#define SCREE_CELL_NONE 0xffffffffu

/*  Sizes are summed as integers, so that no order of additions and no history changes a sum: in
    units of 2^-24 of the volume of the cell, at most 2^32 - 1 a piece. */
#define SCREE_CELL_VOLUME 0x1p24

/*  Frequent: read by every search and remap.
    mapped: pieces in the list. centroids: of pieces whose centre is in the cell, or in a cell of
    its child space; extents: the sum of their sizes.
    refused: pieces it had when refinement was found not to pay; 0: never.
    A dead cell, of a deleted space, has no list: head == SCREE_CELL_NONE. */
typedef struct scree_space_cell
{
    scree_box range;
    uint32_t head, child, space, refused;
    _Atomic uint32_t mapped, centroids;
    _Atomic uint64_t extents;
} scree_space_cell;

/*  Cells [first, first + cells) of count[0] x count[1] x count[2], x fastest. Space 0 is the root;
    in a dead space, first == SCREE_CELL_NONE and parent links to the next dead one of its size. */
typedef struct scree_space
{
    double origin[3], len;
    scree_box range;
    uint32_t count[3], cells, first, parent, depth;
} scree_space;

/*  A piece, by id. The cells that list it are those of the nodes from `first` on. home: the leaf
    that holds its centre; SCREE_CELL_NONE if the piece is not mapped. size: of its extent, in units
    of the home cell. outside: the centre is outside the domain. */
typedef struct scree_piece
{
    uint32_t first, home, size;
    bool outside;
} scree_piece;

/*  Of a node in a cell's list: the cell, and the neighbours in the list of its piece. */
typedef struct scree_piece_link
{
    uint32_t cell, next, prev;
} scree_piece_link;

typedef enum scree_edit_kind
{
    SCREE_EDIT_LEAVE, /* the piece leaves the list of the cell */
    SCREE_EDIT_ENTER,
    SCREE_EDIT_HOME, /* the centre is in this cell now, or the size is another */
} scree_edit_kind;

/*  One change that a remap will make; node: to enter with, or what was left. */
typedef struct scree_edit
{
    uint32_t piece, cell, node, size;
    uint8_t kind;
    bool outside;
} scree_edit;

/*  What a worker needs while pieces are remapped. mark[cell] == stamp: the piece reaches into the
    cell now; stamp + 1: and it did before. */
typedef struct scree_remapper
{
    scree_edit *edit;
    uint32_t *found, *mark;
    size_t edit_capacity, found_capacity, mark_capacity;
    size_t edit_count, found_count;
    uint32_t stamp;
    bool failed;
} scree_remapper;

/*  The edits of one block of a remap lie in those of a worker at [begin, end). */
typedef struct scree_edit_segment
{
    uint32_t worker;
    size_t begin, end;
} scree_edit_segment;

/*  Pieces ids[begin..begin + count) to be put into a cell. */
typedef struct scree_fill_task
{
    uint32_t cell;
    size_t begin, count;
} scree_fill_task;

/*  The whole. `merging` finds equal ids while cells are merged; `spare[m]` begins the list of dead
    spaces of m cells an axis. */
typedef struct scree_cell_space
{
    scree_cell_space_def def;
    scree_sweep_fn *sweep;
    int dimensions;
    bool is_given; /* the domain, by the definition */
    scree_box domain;
    double min_len; /* cells are not made smaller */
    scree_space_cell *cell;
    scree_space *space;
    scree_piece *piece;
    scree_piece_link *link;
    scree_lazy_arena lists;
    uint32_t cell_count, space_count, dead_cells, piece_bound;
    uint32_t spare[65];
    uint64_t entries, built_entries; /* nodes in lists: now, and when all was built */
    uint32_t built_active, outside, built_outside;
    uint32_t cursor; /* position of the periodic checks */
    uint64_t remapped, relaid, refined, merged;
    size_t cell_capacity, space_capacity, piece_capacity, link_capacity;
    /* scratch */
    uint32_t *ids, *tail;
    scree_fill_task *task;
    scree_remapper *remapper;
    scree_edit_segment *segment;
    scree_sorter merging;
    size_t ids_capacity, tail_capacity, task_capacity, task_count;
    size_t remapper_count, segment_capacity;
} scree_cell_space;

/* ---- layout: cell_space_layout.c ---- */

/*  The part of space that a piece may reach: its box, and for spheres the ball, both with slack. */
typedef struct scree_reach
{
    scree_box box;
    const double *centre; /* of the ball; NULL: the box alone */
    double radius_sq, middle[3];
} scree_reach;

scree_reach scree_cell_reach(const scree_bodies *bodies, uint32_t id);

/*  Cells [first[k], last[k]] of a space on each axis. */
typedef struct scree_cell_range
{
    uint32_t first[3], last[3];
} scree_cell_range;

uint32_t scree_space_index(const scree_space *space, int axis, double x);
scree_cell_range scree_space_range(const scree_space *space, const scree_box *box);

static inline uint32_t scree_space_cell_at(const scree_space *space, const uint32_t at[3])
{
    return space->first + at[0] + space->count[0] * (at[1] + space->count[1] * at[2]);
}

/*  The cell begins at lower, which belongs to it, and ends before upper. */
static inline bool scree_cell_holds(const scree_space_cell *cell, const double point[3])
{
    bool holds = true;
    for (int k = 0; k < 3; k++)
        holds &= (cell->range.lower[k] <= point[k]) & (point[k] < cell->range.upper[k]);
    return holds;
}

static inline bool scree_cell_is_reached(const scree_space_cell *cell, const scree_reach *reach)
{
    bool reached = true;
    for (int k = 0; k < 3; k++)
        reached &= (reach->box.lower[k] < cell->range.upper[k]) &
                   (cell->range.lower[k] <= reach->box.upper[k]);
    return reached && (!reach->centre ||
                       scree_box_distance_sq(&cell->range, reach->centre) <= reach->radius_sq);
}

/*  A range of one cell of a space that is reached is reached: where the centre lies beyond the
    cell, the box would reach into the next one, if it did not lie beyond the space as well; so the
    distance is the one to the space. */
static inline bool scree_cell_range_is_one(const scree_cell_range *range)
{
    return (range->first[0] == range->last[0]) & (range->first[1] == range->last[1]) &
           (range->first[2] == range->last[2]);
}

/*  Lays the root space over the domain; all else is dropped. */
scree_status scree_cell_space_lay(scree_cell_space *cs, const scree_method_env *env,
                                  const scree_bodies *bodies);

/*  A new space of m cells an axis inside a leaf. *space is its index. */
scree_status scree_cell_space_split(scree_cell_space *cs, scree_memory *memory, uint32_t cell,
                                    uint32_t m, uint32_t *space);
/*  Deletes a space whose cells are empty leaves; its cell is a leaf again. */
void scree_cell_space_unsplit(scree_cell_space *cs, uint32_t space);

/* ---- pieces in cells: cell_space_fill.c ---- */

/*  The size of an extent in units of the cells of a space. */
uint32_t scree_cell_size(const scree_cell_space *cs, const scree_bodies *bodies, uint32_t id,
                         const scree_space *space);

/*  Moves the centre of a piece from its home to another leaf, or to and from none. May run on
    several pieces at once. */
void scree_cell_space_house(scree_cell_space *cs, uint32_t id, uint32_t home, uint32_t size);

void scree_cell_space_link(scree_cell_space *cs, uint32_t id, uint32_t node, uint32_t cell);
void scree_cell_space_unlink(scree_cell_space *cs, uint32_t id, uint32_t node);

bool scree_cell_space_is_outside(const scree_cell_space *cs, const double point[3]);

/*  True if a leaf with these sums should be refined, a refined cell be merged. */
bool scree_cell_space_wants_split(const scree_cell_space *cs, uint32_t cell, uint64_t centroids,
                                  uint64_t extents);
bool scree_cell_space_wants_merge(const scree_cell_space *cs, uint32_t cell);

scree_status scree_cell_space_build(scree_cell_space *cs, const scree_method_env *env,
                                    const scree_bodies *bodies);
scree_status scree_cell_space_refine(scree_cell_space *cs, const scree_method_env *env,
                                     const scree_bodies *bodies, uint32_t cell);
scree_status scree_cell_space_merge(scree_cell_space *cs, const scree_method_env *env,
                                    const scree_bodies *bodies, uint32_t cell);

/* ---- moving pieces: cell_space_remap.c ---- */

/*  Maps bodies again, in parallel: those that were not mapped enter; `leave`: they are unmapped.
    `ids` NULL: all, and `count` is their number. Then refines and merges. `turn`: also looks at
    1/64 of all cells. */
scree_status scree_cell_space_remap(scree_cell_space *cs, const scree_method_env *env,
                                    const scree_bodies *bodies, const uint32_t *ids, size_t count,
                                    bool leave, bool turn);

/* ---- figures and checks: cell_space_check.c ---- */

typedef struct scree_cell_figures
{
    uint32_t parents;        /* cells of the root space */
    uint32_t count[3];       /* on each axis */
    double len;              /* their edge */
    uint32_t spaces, leaves; /* the root included; leaf cells */
    uint32_t occupied;       /* leaves with a centroid */
    uint32_t depth;          /* of the deepest space; 0: nothing is refined */
    uint64_t entries;        /* pieces in cells */
    double mean_extents;     /* centroids in a leaf, over the occupied ones */
    double mean_mapped;      /* pieces listed in a leaf, over the occupied ones */
    double cells_per_piece;
    uint64_t refined, merged; /* so far */
} scree_cell_figures;

scree_cell_figures scree_cell_space_figures(const scree_cell_space *cs, const scree_bodies *bodies);

/*  Both directions of the lists, sums counted again, exact agreement of every list with the bodies.
    False with the first fault in `error`. Slow: every piece is looked for in every cell it
    reaches. */
bool scree_cell_space_is_valid(const scree_cell_space *cs, const scree_bodies *bodies,
                               scree_error *error);

#endif
