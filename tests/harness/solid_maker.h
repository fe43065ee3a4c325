/*  Worlds with bodies of triangles, for tests. */
#ifndef SCREE_TESTS_SOLID_MAKER_H
#define SCREE_TESTS_SOLID_MAKER_H

#include "mesh_maker.h"
#include "scree/scree.h"

#include <math.h>

typedef struct scene
{
    scree_world *world;
    scree_material_id material;
} scene;

static inline scree_world_def plain_def(double dt)
{
    scree_world_def def = scree_default_world_def();

    def.step.dt = dt;
    def.energy_balance = def.events = true;
    return def;
}

static inline scene open_scene(const scree_world_def *def, const char *law, double restitution,
                               double friction)
{
    scene s = {0};
    scree_material_def material = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();

    CHECK_EQUAL(scree_world_create(def, &s.world), SCREE_OK);
    material.restitution = restitution;
    material.friction = friction;
    material.young = 1e8;
    material.stiffness = 2e5;
    CHECK_EQUAL(scree_world_add_material(s.world, &material, &s.material), SCREE_OK);
    rule.law = law;
    CHECK_EQUAL(scree_world_add_rule(s.world, &rule), SCREE_OK);
    return s;
}

static inline scree_mesh *cube(double side)
{
    const double lower[3] = {-side / 2, -side / 2, -side / 2};
    const double upper[3] = {side / 2, side / 2, side / 2};
    maker m = maker_box(lower, upper);
    scree_mesh *mesh = maker_mesh(&m);

    maker_free(&m);
    return mesh;
}

static inline scree_mesh *globe(uint32_t facets, double radius, double bumps)
{
    scree_globe_def def = scree_default_globe_def();
    scree_mesh *mesh = NULL;

    def.facets = facets;
    def.radius = radius;
    def.bumps = bumps;
    CHECK_EQUAL(scree_mesh_globe(&def, &mesh), SCREE_OK);
    return mesh;
}

static inline scree_clump *clump_of(int dimensions, const scree_pebble *pebbles, uint32_t count)
{
    scree_clump_def def = scree_default_clump_def();
    scree_error error = {SCREE_OK, ""};
    scree_clump *clump = NULL;

    def.dimensions = dimensions;
    def.pebbles = pebbles;
    def.pebble_count = count;
    def.error = &error;
    if (scree_clump_create(&def, &clump))
        FAIL("%s", error.text);
    return clump;
}

/*  Four pebbles of different sizes at the corners of a tetrahedron. */
static inline scree_clump *jack(double radius, double step)
{
    scree_pebble pebbles[4];

    for (int p = 0; p < 4; p++) {
        pebbles[p].radius = radius * (1 - 0.1 * p);
        for (int k = 0; k < 3; k++)
            pebbles[p].centre[k] = step * (p == k + 1 || p == 0 ? 1 : -1) / sqrt(3);
    }
    return clump_of(3, pebbles, 4);
}

static inline scree_body_def body_at(const scene *s, scree_shape shape, double x, double y,
                                     double z)
{
    scree_body_def def = scree_default_body_def();

    def.shape = shape;
    def.material = s->material;
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    return def;
}

static inline scree_body_id add(const scene *s, const scree_body_def *def)
{
    scree_body_id id = {0, 0};

    if (scree_world_add_body(s->world, def, &id))
        FAIL("%s", scree_world_message(s->world));
    return id;
}

static inline scree_wall_id add_wall(const scene *s, const scree_mesh *mesh)
{
    scree_wall_def def = scree_default_wall_def();
    scree_wall_id id = {0, 0};

    def.kind = mesh ? SCREE_WALL_MESH : SCREE_WALL_PLANE;
    def.mesh = mesh;
    def.material = s->material;
    CHECK_EQUAL(scree_world_add_wall(s->world, &def, &id), SCREE_OK);
    return id;
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

static inline double balance(const scene *s)
{
    scree_energy e = scree_world_energy(s->world);

    return e.kinetic + e.rotational + e.potential + e.elastic + e.damping + e.friction + e.rolling +
           e.body_damping - e.walls - e.loads - e.boundary - e.entered + e.removed;
}

/*  A slope of triangles over a floor. */
static inline scree_mesh *slope(void)
{
    scree_random random = scree_random_stream(7, 0);
    maker m = maker_plane(4, 0.8, 0.2, &random);

    for (uint32_t v = 0; v < m.vertex_count; v++) {
        double *at = m.vertex + 3 * v;
        at[0] -= 0.4;
        at[1] -= 0.4;
        at[2] = 0.02 + 0.3 * fabs(at[0]);
    }
    scree_mesh *mesh = maker_mesh(&m);
    maker_free(&m);
    return mesh;
}

#endif
