/*  A program that was compiled with an earlier header, whose definitions of bodies, walls and worlds lack their last
    members, and runs with the library of now. Three balls fall on a floor, from one array of definitions. */
#include "scree/scree.h"

#include <stdio.h>

int main(void)
{
    struct
    {
        scree_world_def def;
        unsigned char guard[64];
    } first;
    scree_body_def balls[3];
    scree_body_id ids[3];
    scree_material_def material = scree_default_material_def();
    scree_wall_def floor = scree_default_wall_def();
    scree_world *world;

    for (size_t k = 0; k < sizeof first.guard; k++)
        first.guard[k] = 0xa5;
    scree_init_world_def(&first.def, sizeof first.def);
    for (size_t k = 0; k < sizeof first.guard; k++)
        if (first.guard[k] != 0xa5)
            return 1;
    first.def.gravity[2] = -9.81;
    first.def.step.dt = 1e-4;
    if (scree_world_create(&first.def, &world))
        return 2;
    if (scree_world_add_material(world, &material, &floor.material) ||
        scree_world_add_wall(world, &floor, NULL))
        return 3;
    for (int k = 0; k < 3; k++) {
        balls[k] = scree_default_body_def();
        balls[k].shape = scree_shape_sphere(0.01);
        balls[k].material = floor.material;
        balls[k].position[0] = 0.1 * k;
        balls[k].position[2] = 0.1 + 0.1 * k;
    }
    if (scree_world_add_bodies(world, balls, 3, ids) || scree_world_step(world, 10))
        return puts(scree_world_message(world)), 4;
    for (int k = 0; k < 3; k++) {
        double position[3];
        if (scree_body_get_position(world, ids[k], position) || position[0] != 0.1 * k)
            return 5;
    }
    scree_world_destroy(world);
    return 0;
}
