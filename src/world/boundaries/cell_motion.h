/*  Deformation of the cell, and its effect on bodies. */
#ifndef SCREE_WORLD_CELL_MOTION_H
#define SCREE_WORLD_CELL_MOTION_H

#include "base/error.h"
#include "world/state/bodies.h"
#include "world/state/cell_box.h"
#include "world/state/step_data.h"

/*  Whether a world of this definition may have this cell, apart from the sizes of bodies. SCREE_BAD_VALUE. */
scree_status scree_strain_check(const scree_world_def *def, const scree_packed_cell *cell,
                                scree_error *error);
/*  Restores from a snapshot; NULL: no cell was ever set. */
void scree_strain_restore(scree_strain *strain, const scree_world_def *def,
                          const scree_packed_cell *cell);
/*  Sets the cell, also for the end of a step. */
void scree_strain_set(scree_strain *strain, const scree_world_def *def,
                      const scree_packed_cell *cell);
/*  Adds the velocity K (x - middle) to bodies. Frozen components keep theirs; ghosts are left to their own world. */
void scree_strain_kick(const scree_strain *strain, const scree_world_def *def,
                       scree_body_arrays *bodies, const double k[3][3]);
/*  Computes the cell at the end of the step into `next`. SCREE_BAD_VALUE if the deformation is too large for one
    step. */
scree_status scree_strain_advance(const scree_step *step, scree_strain *strain);
/*  Accepts the step: changes velocities as a homogeneous flow requires. */
void scree_strain_accept(const scree_step *step, scree_strain *strain, scree_body_arrays *bodies);

#endif
