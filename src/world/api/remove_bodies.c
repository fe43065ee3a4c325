/*  Removal of bodies by the host. */
#include "world/step/remove_body.h"
#include "world/step/world_data.h"

scree_status scree_world_remove_bodies(scree_world *world, const scree_body_id *ids, size_t count)
{
    if (!world || (count && !ids))
        return SCREE_BAD_ARGUMENT;
    /* mark all before removing any, so that a handle given twice is found before anything changes */
    for (size_t k = 0; k < count; k++) {
        size_t slot = scree_bodies_slot(&world->bodies, ids[k]);
        if (slot == SIZE_MAX || world->bodies.marked[slot][0]) {
            for (size_t j = 0; j < k; j++)
                world->bodies.marked[scree_bodies_slot(&world->bodies, ids[j])][0] = 0;
            return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                              slot == SIZE_MAX
                                  ? "world: ids[%zu] to be removed names no body (index1 %u)"
                                  : "world: ids[%zu] to be removed is named twice (index1 %u)",
                              k, ids[k].index1);
        }
        world->bodies.marked[slot][0] = 1;
    }
    if (count > 0)
        scree_world_take_out(world, ids, sizeof *ids, count);
    return SCREE_OK;
}

scree_status scree_world_remove_body(scree_world *world, scree_body_id id)
{
    return scree_world_remove_bodies(world, &id, 1);
}
