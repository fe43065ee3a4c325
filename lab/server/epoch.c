/*  A new scene or a loaded state: invalidates all that was shown before. */
#include "lab_internal.h"

void scree_lab_begin_epoch(scree_lab *lab)
{
    scree_bodies_view bodies = scree_world_bodies(lab->world);
    scree_clock clock = scree_world_clock(lab->world);

    scree_lab_measure_box(lab->world, lab->lower_corner, lab->upper_corner);
    lab->grain = scree_lab_grain_of(&bodies, lab->lower_corner, lab->upper_corner);
    scree_lab_shapes_begin(&lab->shapes);
    lab->shapes_due = 0;
    lab->epoch++;
    lab->upper = 0;
    lab->has_changed = lab->is_untold = true;
    lab->told_steps = clock.steps;
    lab->told_time = clock.time;
    scree_lab_tell_walls(lab);
    scree_lab_tell_stage(lab);
}
