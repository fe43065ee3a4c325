/*  The fluid and force fields in a step: see ambient_step.c. Nothing happens in a world without them. */
#ifndef SCREE_WORLD_AMBIENT_STEP_H
#define SCREE_WORLD_AMBIENT_STEP_H

#include "world/step/world_data.h"

/*  Whether the void fraction of the fluid follows from the volumes of all bodies, of which a rank has a part. */
bool scree_world_sums_volumes(const scree_world *world);
/*  Reserves what the forces of an evaluation need. SCREE_OUT_OF_MEMORY. */
scree_status scree_world_ambient_reserve(scree_world *world);

/*  Called while forces are evaluated, after contacts were summed and memory was reserved: adds the forces of the fluid and of fields.
    SCREE_UNSTABLE: a given step is too long for the drag; SCREE_BAD_VALUE: a force is not finite; and the statuses of
    scree_ambient_find. */
scree_status scree_world_ambient_push(scree_world *world, const scree_step *step);
/*  Finds the same forces, which stable steps depend on, and adds none. */
scree_status scree_world_ambient_look(scree_world *world, const scree_step *step);

/*  With an energy balance: records the work of a step before it is accepted, or the forces of an evaluation without a
    step. */
void scree_ambient_record_step(scree_world *world, double dt);
void scree_ambient_record_forces(scree_world *world);

#endif
