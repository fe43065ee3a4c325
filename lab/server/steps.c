/*  Takes steps. A stage that begins may add and remove walls, and frames refer to walls by index, so all walls are then
    sent again. */
#include "lab_internal.h"

scree_status scree_lab_take_steps(scree_lab *lab, uint64_t steps, scree_error *error)
{
    uint32_t before = scree_scene_stage_number(lab->scene);

    scree_lab_pull(lab, steps);
    scree_status status = scree_scene_step(lab->scene, lab->world, steps, error);
    /* a refused stage may have begun partially */
    if (scree_scene_stage_number(lab->scene) != before) {
        scree_lab_tell_walls(lab);
        /* states with the walls of another stage cannot be restored */
        scree_lab_forget_undo(lab);
    }
    return status;
}
