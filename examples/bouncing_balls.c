/*  How do I let bodies fall, and see where they come to rest?
    A world, a material, a floor, some spheres; then steps. */
#include "scree/scree.h"

#include <math.h>
#include <stdio.h>

static scree_status fill(scree_world *world)
{
    scree_material_def glass = scree_default_material_def();
    scree_wall_def floor = scree_default_wall_def();
    scree_body_def ball = scree_default_body_def();
    scree_status status = scree_world_add_material(world, &glass, &floor.material);

    ball.material = floor.material;
    if (!status)
        status = scree_world_add_wall(world, &floor, NULL);
    for (int i = 0; i < 30 && !status; i++) {
        ball.shape = scree_shape_sphere(1e-3 * (1 + i % 3));
        ball.position[0] = 2.2e-3 * (i % 2);
        ball.position[2] = 7e-3 * (i + 1);
        status = scree_world_add_body(world, &ball, NULL);
    }
    return status;
}

int main(void)
{
    scree_error why;
    scree_world_def def = scree_default_world_def();
    scree_world *world;

    def.gravity[2] = -9.81;
    def.step.dt = 1e-5;
    def.hooks.error = &why;
    if (scree_world_create(&def, &world)) {
        puts(why.text);
        return 1;
    }
    if (fill(world) || scree_world_advance(world, 0.5)) {
        puts(scree_world_message(world));
        scree_world_destroy(world);
        return 1;
    }
    double highest = 0;
    scree_bodies_view bodies = scree_world_bodies(world);
    for (size_t i = 0; i < bodies.count; i++)
        highest = fmax(highest, scree_row_at(bodies.position, i)[2]);
    printf("%zu balls lie at most %.1f mm high, with %.2f contacts each\n", bodies.count,
           1e3 * highest, scree_world_totals(world).coordination);
    scree_world_destroy(world);
    return highest > 1e-3 && highest < 0.1 ? 0 : 1;
}
