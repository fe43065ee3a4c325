/*  How the cell moves, and what that does to bodies. */
#ifndef SCREE_WORLD_CELL_MOTION_H
#define SCREE_WORLD_CELL_MOTION_H

#include "base/error.h"
#include "world/state/cell_box.h"

struct scree_world;

/*  Whether a world of this definition may have it, but for the sizes of bodies. SCREE_BAD_VALUE. */
scree_status scree_strain_check(const scree_world_def *def, const scree_packed_cell *cell,
                                scree_error *error);
/*  NULL: as none was ever set. */
void scree_strain_restore(struct scree_world *world, const scree_packed_cell *cell);
/*  Where the cell is `dt` later, into `next`. SCREE_BAD_VALUE where that is too much for a step. */
scree_status scree_strain_advance(struct scree_world *world, double dt);
/*  The step has been taken: what a homogeneous flow asks of bodies. */
void scree_strain_accept(struct scree_world *world, double dt);

#endif
