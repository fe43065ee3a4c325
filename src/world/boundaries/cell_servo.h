/*  A servo that deforms the cell to reach given stresses: see scree/cell.h. */
#ifndef SCREE_WORLD_CELL_SERVO_H
#define SCREE_WORLD_CELL_SERVO_H

#include "base/error.h"
#include "scree/world.h"
#include "world/contacts/found_contacts.h"
#include "world/state/cell_drive.h"
#include "world/state/step_data.h"

/*  The servo in snapshots. */
typedef struct scree_packed_cell_servo
{
    double target[SCREE_CELL_DRIVES], stress[SCREE_CELL_DRIVES], mean[SCREE_CELL_DRIVES], max_rate;
    uint64_t driven;
} scree_packed_cell_servo;

/*  Whether a step can be taken. SCREE_BAD_ARGUMENT if there are ghosts. */
scree_status scree_cell_servo_admit(const scree_step *step, const scree_cell_drive *drive,
                                    const scree_body_arrays *bodies);
/*  Called at the end of a step with known forces: computes the rates of the next step. */
void scree_cell_servo_decide(const scree_step *step, const scree_found_contacts *contacts,
                             scree_strain *cell);

scree_packed_cell_servo scree_cell_servo_pack(const scree_cell_drive *drive);
/*  Whether a world of this definition may have this servo, with a homogeneous cell or not. SCREE_BAD_VALUE. */
scree_status scree_cell_servo_check(const scree_world_def *def,
                                    const scree_packed_cell_servo *packed, bool homogeneous,
                                    scree_error *error);
/*  Restores the servo, after the cell, at step number `steps`. NULL: off. */
void scree_cell_servo_restore(scree_strain *cell, uint64_t steps,
                              const scree_packed_cell_servo *packed);

#endif
