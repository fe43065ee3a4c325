/*  How the cell moves, and what that does to bodies. */
#ifndef SCREE_WORLD_CELL_MOTION_H
#define SCREE_WORLD_CELL_MOTION_H

#include "base/error.h"
#include "world/state/bodies.h"
#include "world/state/cell_box.h"
#include "world/state/step_data.h"

/*  Whether a world of this definition may have it, but for the sizes of bodies. SCREE_BAD_VALUE. */
scree_status scree_strain_check(const scree_world_def *def, const scree_packed_cell *cell,
                                scree_error *error);
/*  NULL: as none was ever set. */
void scree_strain_restore(scree_strain *strain, const scree_world_def *def,
                          const scree_packed_cell *cell);
/*  The cell is this one from now on; what it is at the end of a step, too. */
void scree_strain_set(scree_strain *strain, const scree_world_def *def,
                      const scree_packed_cell *cell);
/*  Bodies get the velocity K (x - middle). Frozen components keep theirs, and ghosts are the business of others. */
void scree_strain_kick(const scree_strain *strain, const scree_world_def *def, scree_crowd *bodies,
                       const double k[3][3]);
/*  Where the cell is at the end of the step, into `next`. SCREE_BAD_VALUE where that is too much for a step. */
scree_status scree_strain_advance(const scree_step *step, scree_strain *strain);
/*  The step has been taken: what a homogeneous flow asks of bodies. */
void scree_strain_accept(const scree_step *step, scree_strain *strain, scree_crowd *bodies);

#endif
