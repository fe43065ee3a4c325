/*  How do I make bodies of triangles, and where are their vertices?
    Stones fall through a funnel of triangles; a mesh is made once, and many bodies are made of it. */
#include "scree/scree.h"

#include <math.h>
#include <stdio.h>

#define SIDES 16

static scree_status make_funnel(scree_mesh **mesh)
{
    double vertices[2 * SIDES][3];
    uint32_t facets[2 * SIDES][3];
    scree_mesh_def def = scree_default_mesh_def();

    for (uint32_t i = 0; i < SIDES; i++) {
        double x = cos(6.283185307179586 * i / SIDES), y = sin(6.283185307179586 * i / SIDES);
        uint32_t a = 2 * i, b = 2 * ((i + 1) % SIDES);
        const double ring[2][3] = {{0.05 * x, 0.05 * y, 0.08}, {0.14 * x, 0.14 * y, 0.2}};
        const uint32_t pair[2][3] = {{a, b, b + 1}, {a, b + 1, a + 1}};
        for (int k = 0; k < 3; k++) {
            vertices[a][k] = ring[0][k];
            vertices[a + 1][k] = ring[1][k];
            facets[a][k] = pair[0][k];
            facets[a + 1][k] = pair[1][k];
        }
    }
    def.vertices = vertices[0];
    def.vertex_count = 2 * SIDES;
    def.facets = facets[0];
    def.facet_count = 2 * SIDES;
    return scree_mesh_create(&def, mesh);
}

static scree_status fill(scree_world *world, const scree_mesh *funnel, const scree_mesh *stone)
{
    scree_material_def granite = scree_default_material_def();
    scree_wall_def floor = scree_default_wall_def(), wall = floor;
    scree_body_def body = scree_default_body_def();

    granite.young = 1e8;
    scree_status status = scree_world_add_material(world, &granite, &body.material);
    floor.material = wall.material = body.material;
    wall.kind = SCREE_WALL_MESH;
    wall.mesh = funnel;
    if (!status && !(status = scree_world_add_wall(world, &floor, NULL)))
        status = scree_world_add_wall(world, &wall, NULL);
    /* surfaces touch where they are nearer than their contact skins together: here two millimetres each */
    body.shape = scree_shape_mesh(stone, 0.002);
    for (int i = 0; i < 9 && !status; i++) {
        const double origin[3] = {0.06 * (i % 3 - 1), 0.06 * (i / 3 - 1), 0.25 + 0.02 * (i % 2)};
        const double turn[4] = {1, 0.3 * i, 0.1, 0};
        if (!(status = scree_body_def_place(&body, origin, turn)))
            status = scree_world_add_body(world, &body, NULL);
    }
    return status;
}

int main(void)
{
    scree_world_def def = scree_default_world_def();
    scree_globe_def globe = scree_default_globe_def();
    scree_mesh *stone = NULL, *funnel = NULL;
    scree_world *world = NULL;
    double origin[3] = {0}, turn[4];
    int below = 0;

    def.gravity[2] = -9.81;
    def.step.dt = 2e-5;
    globe.facets = 180;
    globe.radius = 0.014;
    globe.bumps = 1.4;
    int failed = scree_mesh_globe(&globe, &stone) || make_funnel(&funnel) ||
                 scree_world_create(&def, &world) || fill(world, funnel, stone) ||
                 scree_world_step(world, 30000);
    scree_bodies_view bodies = {0};
    if (!failed)
        bodies = scree_world_bodies(world);
    for (size_t i = 0; i < bodies.count; i++)
        below += scree_row_at(bodies.position, i)[2] < 0.08;
    /* vertex v of the mesh is at origin + turn v */
    if (bodies.count &&
        !scree_world_body_frame(world, scree_body_id_at(bodies.id, 0), origin, turn))
        printf("%d of %zu stones are through; the first one's mesh is at %.3f %.3f %.3f\n", below,
               bodies.count, origin[0], origin[1], origin[2]);
    else
        puts(scree_world_message(world));
    scree_world_destroy(world);
    scree_mesh_destroy(stone);
    scree_mesh_destroy(funnel);
    return below > 0 ? 0 : 1;
}
