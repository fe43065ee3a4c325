/*  Bodies as hosts read them. */
#include "base/quaternion.h"
#include "world/step/world_data.h"

#include <string.h>

bool scree_world_has_body(const scree_world *world, scree_body_id id)
{
    return world && scree_bodies_slot(&world->bodies, id) != SIZE_MAX;
}

size_t scree_world_body_count(const scree_world *world)
{
    return world ? world->bodies.count : 0;
}

scree_status scree_world_get_body(const scree_world *world, scree_body_id id, scree_body *body)
{
    size_t slot = world ? scree_bodies_slot(&world->bodies, id) : SIZE_MAX;

    if (slot == SIZE_MAX || !body)
        return SCREE_BAD_ARGUMENT;
    scree_bodies_get(&world->bodies, (uint32_t)slot, body);
    return SCREE_OK;
}

scree_status scree_world_body_frame(const scree_world *world, scree_body_id id, double origin[3],
                                    double orientation[4])
{
    size_t slot = world ? scree_bodies_slot(&world->bodies, id) : SIZE_MAX;
    const scree_body_arrays *bodies;

    if (slot == SIZE_MAX || !origin || !orientation)
        return SCREE_BAD_ARGUMENT;
    bodies = &world->bodies;
    memcpy(origin, bodies->position[slot], 3 * sizeof *origin);
    memcpy(orientation, bodies->orientation[slot], 4 * sizeof *orientation);
    if (scree_is_not_sphere(bodies, (uint32_t)slot)) {
        const scree_shape_data *mesh = scree_shape_table_find(
            &world->shape_finder.meshes, scree_shape_geometry(&bodies->shape[slot][0]));
        scree_shape_turn(mesh, bodies->orientation[slot], orientation);
        scree_quaternion_shift(orientation, mesh->solid.centre, -1, origin);
    }
    return SCREE_OK;
}

scree_bodies_view scree_world_bodies(scree_world *world)
{
    return world ? scree_bodies_view_of(&world->bodies) : (scree_bodies_view){0};
}
