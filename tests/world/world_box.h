/*  A box of grains: a floor, a mesh of two facets leaning in, periodic in y; and what a host reads of it. */
#ifndef SCREE_TESTS_WORLD_BOX_H
#define SCREE_TESTS_WORLD_BOX_H

#include "scree/scree.h"
#include "test.h"

#include <math.h>

typedef struct scene
{
    scree_world *world;
    scree_material_id material;
    scree_wall_id floor, slope;
} scene;

#define RADIUS 0.01
#define WIDTH 0.1

static inline scree_mesh *make_slope(void)
{
    static const double corners[][3] = {
        {0.0, -1, 0.05}, {0.05, -1, 0}, {0.05, 1, 0}, {0.0, 1, 0.05}};
    static const uint32_t facets[] = {0, 1, 2, 0, 2, 3};
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh;

    def.vertices = corners[0];
    def.vertex_count = 4;
    def.facets = facets;
    def.facet_count = 2;
    CHECK_EQUAL(scree_mesh_create(&def, &mesh), SCREE_OK);
    return mesh;
}

static inline scree_world_def scene_def(void)
{
    scree_world_def def = scree_default_world_def();

    def.step.dt = 3e-5;
    def.gravity[2] = -9.81;
    def.domain.boundary[1] = SCREE_BOUNDARY_PERIODIC;
    def.domain.lower[1] = 0;
    def.domain.upper[1] = WIDTH;
    def.domain.boundary[0] = SCREE_BOUNDARY_REFLECT;
    def.domain.lower[0] = RADIUS;
    def.domain.upper[0] = WIDTH - RADIUS;
    def.events = true;
    def.detection.sort_every = 50;
    return def;
}

static inline void add_walls(scene *s)
{
    scree_wall_def wall = scree_default_wall_def();
    scree_mesh *mesh = make_slope();

    wall.material = s->material;
    CHECK_EQUAL(scree_world_add_wall(s->world, &wall, &s->floor), SCREE_OK);
    wall.kind = SCREE_WALL_MESH;
    wall.mesh = mesh;
    CHECK_EQUAL(scree_world_add_wall(s->world, &wall, &s->slope), SCREE_OK);
    scree_mesh_destroy(mesh);
}

/*  Serials in no order of place. */
static inline void add_grains(const scene *s, uint32_t count)
{
    scree_body_def def = scree_default_body_def();

    def.shape = scree_shape_sphere(RADIUS);
    def.material = s->material;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t at = k * 37 % count;
        def.shape.radius = RADIUS * (0.7 + 0.3 * (k % 7) / 6.0);
        def.position[0] = 0.045 + 0.0205 * (at % 3);
        def.position[1] = 0.01 + 0.0205 * (at / 3 % 5);
        def.position[2] = 0.03 + 0.0205 * (at / 15);
        def.velocity[0] = 0.3 * ((k % 3) - 1.0);
        def.velocity[1] = 0.3 * ((k % 5) - 2.0);
        CHECK_EQUAL(scree_world_add_body(s->world, &def, NULL), SCREE_OK);
    }
}

static inline scene open_scene(const scree_world_def *def, uint32_t grains)
{
    scree_material_def material = scree_default_material_def();
    scene s = {0};

    CHECK_EQUAL(scree_world_create(def, &s.world), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(s.world, &material, &s.material), SCREE_OK);
    add_walls(&s);
    add_grains(&s, grains);
    return s;
}

static inline void step(const scene *s, uint64_t count)
{
    if (scree_world_step(s->world, count))
        FAIL("%s", scree_world_message(s->world));
}

static inline scree_body body_of(const scene *s, scree_body_id id)
{
    scree_body body;

    CHECK_EQUAL(scree_world_get_body(s->world, id, &body), SCREE_OK);
    return body;
}

static inline bool is_none(scree_body_id id)
{
    return id.index1 == 0;
}

static inline bool same(scree_body_id a, scree_body_id b)
{
    return a.index1 == b.index1 && a.generation == b.generation;
}

static inline size_t read_all(const scene *s, const scree_contact_filter_def *filter,
                              const scree_contact **contacts)
{
    size_t count;

    if (scree_world_contacts(s->world, filter, contacts, &count))
        FAIL("%s", scree_world_message(s->world));
    return count;
}

static inline void check_refused(const scene *s, const scree_contact_filter_def *filter,
                                 scree_status status, const char *says)
{
    const scree_contact *contacts = NULL;
    size_t count = 77;

    CHECK_EQUAL(scree_world_contacts(s->world, filter, &contacts, &count), status);
    CHECK_SAYS(scree_world_message(s->world), says);
    CHECK(contacts == NULL && count == 77);
}

#endif
