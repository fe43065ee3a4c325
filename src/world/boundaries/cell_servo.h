/*  A cell that is driven so that bodies press with given stresses: see scree/cell.h. */
#ifndef SCREE_WORLD_CELL_SERVO_H
#define SCREE_WORLD_CELL_SERVO_H

#include "base/error.h"
#include "scree/world.h"
#include "world/contacts/found_contacts.h"
#include "world/state/cell_drive.h"
#include "world/state/step_data.h"

/*  As it is in snapshots. */
typedef struct scree_packed_cell_servo
{
    double target[SCREE_CELL_DRIVES], stress[SCREE_CELL_DRIVES], mean[SCREE_CELL_DRIVES], max_rate;
    uint64_t driven;
} scree_packed_cell_servo;

/*  Whether a step can be taken. SCREE_BAD_ARGUMENT: there are ghosts. */
scree_status scree_cell_servo_admit(const scree_step *step, const scree_cell_drive *drive,
                                    const scree_crowd *bodies);
/*  A step has come to its end, with forces: rates of the next. */
void scree_cell_servo_decide(const scree_step *step, const scree_found_contacts *contacts,
                             scree_strain *cell);

scree_packed_cell_servo scree_cell_servo_pack(const scree_cell_drive *drive);
/*  Whether a world of this definition may have it, beside a cell that is homogeneous or not. SCREE_BAD_VALUE. */
scree_status scree_cell_servo_check(const scree_world_def *def,
                                    const scree_packed_cell_servo *packed, bool homogeneous,
                                    scree_error *error);
/*  After the cell itself; so many steps have been taken. NULL: none is on. */
void scree_cell_servo_restore(scree_strain *cell, uint64_t steps,
                              const scree_packed_cell_servo *packed);

#endif
