/*  The grid of the NBS family (Munjiza & Andrews 1998; Perkins 1999, section 4.2): squares at least
    as large as the largest body, each body in the one square of its centre, so that overlapping
    bodies are in the same or in adjacent squares. Only the lists of the outermost axis are kept: Y
    rows in 2D, Z layers in 3D. The search makes the finer ones, one row at a time. */
#ifndef SCREE_NBS_GRID_H
#define SCREE_NBS_GRID_H

#include "detect/lattice.h"
#include "detect/method.h"

#define SCREE_NBS_NONE 0xffffffffu

/*  next, prev and square are indexed by id. Invariant: the active bodies with square[id][outer] = s
    are those of the list head[s], next[head[s]], ..., and `prev` walks it backwards. */
typedef struct scree_nbs_grid
{
    scree_lattice lattice;
    int outer;         /* the axis of the lists: 1 in 2D, 2 in 3D */
    bool is_slow;      /* reported in the log: a very large body among small ones */
    bool few_rows;     /* bound the number of rows by the root of the number of bodies */
    double room;       /* the lattice is good for bodies up to this width */
    double laid_width; /* the largest width, and the number of bodies, when it was laid */
    uint32_t laid_count;
    uint64_t touched; /* bodies placed or removed singly since all were last placed */
    uint64_t remapped, relaid;
    uint32_t *head, *next, *prev;
    uint32_t (*square)[3];
    size_t head_capacity, next_capacity, prev_capacity, square_capacity;
} scree_nbs_grid;

/*  The functions of a method, see method.h. */
void scree_nbs_free(scree_nbs_grid *grid, scree_memory *memory);
scree_status scree_nbs_build(scree_nbs_grid *grid, const scree_method_env *env,
                             const scree_bodies *bodies);
scree_status scree_nbs_update(scree_nbs_grid *grid, const scree_method_env *env,
                              const scree_bodies *bodies, const uint32_t *ids, size_t count);
scree_status scree_nbs_insert(scree_nbs_grid *grid, const scree_method_env *env,
                              const scree_bodies *bodies, const uint32_t *ids, size_t count);
void scree_nbs_remove(scree_nbs_grid *grid, const uint32_t *ids, size_t count);
void scree_nbs_query(const scree_nbs_grid *grid, const scree_bodies *bodies,
                     const scree_probe *probe, scree_hit_sink *sink);
void scree_nbs_outline(const scree_nbs_grid *grid, const scree_bodies *bodies,
                       scree_scratch *scratch, scree_outline_sink *sink);

#endif
