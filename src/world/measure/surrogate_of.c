#include "world/measure/surrogate_of.h"

#include "world/step/world_data.h"

const scree_surrogate *scree_world_surrogate_of(const scree_world *world, const scree_shape *shape)
{
    const scree_shape_data *mesh =
        shape->kind == SCREE_SHAPE_SPHERE
            ? NULL
            : scree_shape_table_find(&world->shape_finder.meshes, scree_shape_geometry(shape));

    return mesh ? mesh->tree : NULL;
}
