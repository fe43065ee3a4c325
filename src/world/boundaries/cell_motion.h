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
/*  The cell is this one from now on; what it is at the end of a step, too. */
void scree_strain_set(struct scree_world *world, const scree_packed_cell *cell);
/*  Bodies get the velocity K (x - middle). Frozen components keep theirs, and ghosts are the business of others. */
void scree_strain_kick(struct scree_world *world, const double k[3][3]);
/*  Where the cell is `dt` later, into `next`. SCREE_BAD_VALUE where that is too much for a step. */
scree_status scree_strain_advance(struct scree_world *world, double dt);
/*  The step has been taken: what a homogeneous flow asks of bodies. */
void scree_strain_accept(struct scree_world *world, double dt);

#endif
