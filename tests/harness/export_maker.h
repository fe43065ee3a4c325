/*  A world with something of everything, and a folder to export it to, for tests. */
#ifndef SCREE_TESTS_EXPORT_MAKER_H
#define SCREE_TESTS_EXPORT_MAKER_H

#include "io_vtp.h"
#include "mesh_maker.h"
#include "world_maker.h"

#include "scree/io.h"
#include "scree/wall.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[32], path[64];

static inline void begin_folder(void)
{
    strcpy(folder, "/tmp/scree_export_XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/out", folder);
}

static inline void end_folder(void)
{
    unlink(path);
    CHECK(rmdir(folder) == 0); /* nothing else was left */
}

/*  Grains over a floor and in a box of mesh, some touching, some removed: slots are not in the order of serial
    numbers. */
static inline scree_world *make_scene(int dimensions, const scree_allocator *allocator)
{
    scree_world_def def = scree_default_world_def();
    double lower[3] = {-2, -2, -1}, upper[3] = {2, 2, 4};
    double rail[] = {-3, 0, 0, 3, 0.5, 0};
    maker box = maker_box(lower, upper);
    scree_mesh_def mesh_def = maker_def(&box);
    scree_wall_def wall = scree_default_wall_def();
    scree_body_id id[40];
    scree_mesh *mesh;
    def.dimensions = dimensions;
    def.step.dt = 1e-4;
    def.overlap_limit = INFINITY;
    def.gravity[1] = -9.81;
    if (allocator)
        def.hooks.allocator = *allocator;
    def.domain.boundary[0] = SCREE_BOUNDARY_PERIODIC;
    def.domain.lower[0] = -5;
    def.domain.upper[0] = 5.25;
    scree_world *world = make_world(&def, NULL);
    wall.material.index1 = 1;
    wall.normal[0] = 0, wall.normal[1] = 1, wall.normal[2] = 0;
    wall.point[1] = -1;
    CHECK(scree_world_add_wall(world, &wall, NULL) == SCREE_OK);
    if (dimensions == 2) {
        mesh_def.corners = 2;
        mesh_def.vertices = rail;
        mesh_def.vertex_count = 2;
        mesh_def.facets = NULL;
        mesh_def.facet_count = 1;
    }
    CHECK(scree_mesh_create(&mesh_def, &mesh) == SCREE_OK);
    wall.kind = SCREE_WALL_MESH;
    wall.mesh = mesh;
    wall.point[0] = 0.125;
    wall.orientation[0] = 0.8;
    wall.orientation[3] = 0.6;
    wall.path.rate = 2;
    wall.path.axis[2] = 1;
    wall.path.velocity[1] = 3;
    CHECK(scree_world_add_wall(world, &wall, NULL) == SCREE_OK);
    scree_mesh_destroy(mesh);
    maker_free(&box);
    for (int i = 0; i < 40; i++) {
        scree_body_def grain = ball(0.2 + 0.01 * i, -4.9 + 0.5 * (i % 20), -0.6 + 0.6 * (i / 20),
                                    dimensions == 2 ? 0 : 0.1 * (i % 3));
        grain.velocity[0] = 1.0 / (i + 1);
        grain.spin[2] = i / 7.0;
        grain.user = (uint64_t)i << 40;
        id[i] = add(world, &grain);
    }
    for (int i = 3; i < 40; i += 9)
        CHECK(scree_world_remove_body(world, id[i]) == SCREE_OK);
    step(world, 3);
    return world;
}

/*  Two forms, three bodies, far from all else; the first is removed, so that slots are not in the order of serials. */
static inline void add_stones(scree_world *world)
{
    scree_globe_def def = scree_default_globe_def();
    scree_body_id id[3];
    for (int i = 0; i < 3; i++) {
        scree_mesh *mesh;
        def.facets = i ? 20 : 12;
        def.bumps = 1.3;
        CHECK(scree_mesh_globe(&def, &mesh) == SCREE_OK);
        scree_body_def stone = ball(1, -3 + 3 * i, 9, 9);
        stone.shape = scree_shape_mesh(mesh, 0.01);
        stone.orientation[1] = 0.3 * i;
        stone.velocity[0] = 1 + i;
        stone.spin[0] = 0.5;
        stone.spin[2] = -2;
        stone.user = 7;
        id[i] = add(world, &stone);
        scree_mesh_destroy(mesh);
    }
    CHECK(scree_world_remove_body(world, id[0]) == SCREE_OK);
}

static inline void export_to(scree_world *world, scree_export_format format,
                             const scree_export_def *options)
{
    scree_error error = {SCREE_OK, ""};
    if (scree_export(world, format, path, options, &error))
        FAIL("%s", error.text);
}

static inline char *read_text(const char *name)
{
    FILE *file = fopen(name, "rb");
    char *text = calloc(1, 1 << 20);
    CHECK(file != NULL && fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

#endif
