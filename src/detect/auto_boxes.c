/*  Two of the methods go by boxes, the others are content with spheres. Writing boxes takes a fifth of a step of
    theirs: so the detector makes none for "auto", and they are made here when they are wanted. */
#include "detect/auto.h"

#include "detect/table.h"

static bool wants_boxes(const scree_auto *self, const scree_bodies *bodies)
{
    return !bodies->box && !scree_auto_method(self->chosen)->spheres_alone;
}

scree_bodies scree_auto_show(const scree_auto *self, const scree_bodies *bodies)
{
    scree_bodies shown = *bodies;
    if (wants_boxes(self, bodies))
        shown.box = self->box;
    return shown;
}

void scree_auto_free_boxes(scree_auto *self, const scree_method_env *env)
{
    scree_memory_give(env->memory, &self->box, self->box_capacity, sizeof *self->box);
    self->box_capacity = 0;
}

scree_status scree_auto_bound(scree_auto *self, const scree_method_env *env,
                              const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    if (!wants_boxes(self, bodies)) {
        scree_auto_free_boxes(self, env);
        return SCREE_OK;
    }
    if (scree_memory_reserve(env->memory, &self->box, &self->box_capacity, bodies->bound,
                             sizeof *self->box))
        return SCREE_OUT_OF_MEMORY;
    if (!ids) {
        ids = bodies->active;
        count = bodies->active_count;
    }
    for (size_t k = 0; k < count; k++)
        self->box[ids[k]] = scree_sphere_box(bodies->sphere[ids[k]], bodies->dimensions);
    return SCREE_OK;
}
