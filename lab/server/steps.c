/*  Steps, whoever asks for them. A stage that begins among them may add and remove walls, and frames say where walls lie by
    their numbers alone: so all of them are told anew. */
#include "lab_internal.h"

scree_status scree_lab_take_steps(scree_lab *lab, uint64_t steps, scree_error *error)
{
    uint32_t before = scree_scene_stage_number(lab->scene);

    scree_lab_pull(lab, steps);
    scree_status status = scree_scene_step(lab->scene, lab->world, steps, error);
    /* a stage that was refused may have begun by half */
    if (scree_scene_stage_number(lab->scene) != before)
        scree_lab_tell_walls(lab);
    return status;
}
