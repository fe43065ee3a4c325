/*  Worlds to be drawn, and subjects without a world. */
#ifndef PICTURE_MAKER_H
#define PICTURE_MAKER_H

#include "base/random.h"
#include "harness/mesh_maker.h"
#include "harness/world_maker.h"
#include "scree/picture.h"
#include "scree/wall.h"

static inline scree_mesh *mesh_of(const maker *m)
{
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh;
    def.vertices = m->vertex;
    def.vertex_count = m->vertex_count;
    def.facets = m->facet;
    def.facet_count = m->facet_count;
    CHECK_EQUAL(scree_mesh_create(&def, &mesh), SCREE_OK);
    return mesh;
}

static inline void add_box_wall(scree_world *world, const double lower[3], const double upper[3])
{
    maker m = maker_box(lower, upper);
    scree_mesh *mesh = mesh_of(&m);
    scree_wall_def wall = scree_default_wall_def();
    wall.kind = SCREE_WALL_MESH;
    wall.mesh = mesh;
    wall.material.index1 = 1;
    CHECK_EQUAL(scree_world_add_wall(world, &wall, NULL), SCREE_OK);
    scree_mesh_destroy(mesh);
    maker_free(&m);
}

/*  Balls of many sizes over a floor, within a box of twelve triangles. In the order of `order`, NULL: as they
    come; each has the global id of its place. */
static inline scree_world *crowded_world(uint32_t bodies, bool walls, const uint32_t *order)
{
    scree_world_def def = scree_default_world_def();
    scree_random random = scree_random_stream(12, 0);
    const double lower[3] = {-0.6, -0.6, -0.05}, upper[3] = {0.6, 0.6, 1.2};
    scree_world *world;
    scree_body_def *all = malloc((bodies + 1) * sizeof *all);
    def.step.dt = 1e-4;
    def.gravity[2] = -9.81;
    def.overlap_limit = INFINITY; /* they lie as they fall */
    world = make_world(&def, NULL);
    for (uint32_t i = 0; i < bodies; i++) {
        double u = scree_random_unit(&random);
        all[i] = ball(0.01 + 0.05 * u * u, scree_random_range(&random, -0.5, 0.5),
                      scree_random_range(&random, -0.5, 0.5), scree_random_range(&random, 0.06, 1));
        for (int k = 0; k < 3; k++) {
            all[i].velocity[k] = scree_random_range(&random, -1, 1);
            all[i].spin[k] = scree_random_range(&random, -9, 9);
        }
        all[i].serial = i + 1;
        all[i].user = i % 5;
    }
    for (uint32_t i = 0; i < bodies; i++)
        CHECK_EQUAL(scree_world_add_body(world, &all[order ? order[i] : i], NULL), SCREE_OK);
    free(all);
    if (walls) {
        scree_wall_def floor = scree_default_wall_def();
        floor.material.index1 = 1;
        CHECK_EQUAL(scree_world_add_wall(world, &floor, NULL), SCREE_OK);
        floor.point[0] = -0.7;
        floor.normal[0] = 1;
        floor.normal[2] = 0;
        CHECK_EQUAL(scree_world_add_wall(world, &floor, NULL), SCREE_OK);
        add_box_wall(world, lower, upper);
    }
    return world;
}

/*  Discs over a line, between a slope of two segments. */
static inline scree_world *flat_world(uint32_t bodies)
{
    static const double slope[] = {-0.2, -0.1, 0, 0.5, -0.3, 0, 1.2, -0.1, 0};
    static const uint32_t segments[] = {0, 1, 1, 2};
    scree_world_def def = scree_default_world_def();
    scree_mesh_def line = scree_default_mesh_def();
    scree_wall_def floor = scree_default_wall_def(), wall = floor;
    scree_random random = scree_random_stream(5, 0);
    scree_mesh *mesh;
    def.dimensions = 2;
    def.step.dt = 1e-4;
    def.gravity[1] = -9.81;
    scree_world *world = make_world(&def, NULL);
    floor.material.index1 = wall.material.index1 = 1;
    floor.point[1] = -0.4;
    floor.normal[1] = 1;
    floor.normal[2] = 0;
    CHECK_EQUAL(scree_world_add_wall(world, &floor, NULL), SCREE_OK);
    line.corners = 2;
    line.vertices = slope;
    line.vertex_count = 3;
    line.facets = segments;
    line.facet_count = 2;
    CHECK_EQUAL(scree_mesh_create(&line, &mesh), SCREE_OK);
    wall.kind = SCREE_WALL_MESH;
    wall.mesh = mesh;
    CHECK_EQUAL(scree_world_add_wall(world, &wall, NULL), SCREE_OK);
    scree_mesh_destroy(mesh);
    for (uint32_t i = 0; i < bodies; i++) {
        scree_body_def disc = ball(scree_random_range(&random, 0.002, 0.03),
                                   scree_random_unit(&random), scree_random_unit(&random), 0);
        double half = scree_random_range(&random, -1.5, 1.5);
        disc.orientation[0] = cos(half);
        disc.orientation[3] = sin(half);
        disc.spin[2] = scree_random_range(&random, -3, 3);
        add(world, &disc);
    }
    return world;
}

/*  A small picture with nothing written on it. */
static inline scree_picture_def small_picture(uint32_t width, uint32_t height)
{
    scree_picture_def def = scree_default_picture_def();
    def.width = width;
    def.height = height;
    def.colour_bar = def.time_label = false;
    return def;
}

static inline scree_picture *draw(scree_world *world, const scree_picture_def *def)
{
    scree_picture *picture;
    scree_error error = {SCREE_OK, ""};
    if (scree_picture_draw(world, def, &picture, &error))
        FAIL("no picture: %s", error.text);
    return picture;
}

static inline const uint8_t *pixel_of(const scree_picture *picture, uint32_t x, uint32_t y)
{
    scree_picture_info info = scree_picture_describe(picture);
    return info.pixels + 3 * ((size_t)y * info.width + x);
}

#endif
