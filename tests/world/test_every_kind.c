/*  Every kind of body against every other and every kind of wall, by every law, in explicit steps and in implicit ones of each
    scheme: something comes along, meets what is held, and goes where it should; and at boundaries of every kind. */
#include "harness/law_needs.h"
#include "harness/solid_maker.h"
#include "harness/superquadric_maker.h"

#include <stdio.h>

#define DT 2e-5
#define STEPS 400
#define SPEED 0.2
#define GAP 1e-4
#define REACH 0.02 /* of all bodies, from the centre to the surface, skin and all */
#define SKIN 2e-3
/*  Of the way that nothing stops: what implicit Euler may lose of it at such steps. */
#define OFF 0.03

typedef enum kind
{
    SPHERE,
    MESH,
    BLOCK,
    CLUMP,
    QUADRIC,
    PLANE,
    SURFACE, /* a wall of triangles, in two dimensions of segments */
    KINDS,
} kind;

static const char *const kind_names[KINDS] = {"sphere",       "mesh",  "block",  "clump",
                                              "superquadric", "plane", "surface"};
static const char *const laws[] = {"linear",  "hertz",  "linear-rolling", "hertz-rolling",
                                   "jkr",     "dmt",    "sjkr",           "capillary",
                                   "plastic", "bonded", "penalty",        "eepa"};

/* ---- one of each ---- */

typedef struct things
{
    int dimensions;
    scree_mesh *globe, *cube, *wall;
    scree_clump *clump;
    scree_mesh *quadric;
} things;

static scree_mesh *mesh_of(int corners, const double *vertices, uint32_t vertex_count,
                           const uint32_t *facets, uint32_t facet_count)
{
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh = NULL;

    def.corners = corners;
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.facets = facets;
    def.facet_count = facet_count;
    CHECK_EQUAL(scree_mesh_create(&def, &mesh), SCREE_OK);
    return mesh;
}

/*  Three pebbles in a row, the outer ones as far out as REACH. */
static scree_clump *row_of_pebbles(int dimensions)
{
    const scree_pebble pebbles[] = {
        {{-0.015, 0, 0}, REACH}, {{0, 0, 0}, REACH}, {{0.015, 0, 0}, REACH}};

    return clump_of(dimensions, pebbles, 3);
}

static things make_things(int dimensions)
{
    const double half = REACH - SKIN;
    const double square[] = {-half, -half, 0, half, -half, 0, half, half, 0, -half, half, 0};
    const double floor[] = {-0.3, -0.2, 0, 0.3, -0.2, 0, 0, 0.4, 0};
    const double line[] = {0.3, 0, 0, 0, 0, 0, -0.3, 0, 0};
    const uint32_t sides[] = {0, 1, 1, 2, 2, 3, 3, 0}, facet[] = {0, 1, 2},
                   segments[] = {0, 1, 1, 2};

    if (dimensions == 2)
        return (things){2,
                        NULL,
                        mesh_of(2, square, 4, sides, 4),
                        mesh_of(2, line, 3, segments, 2),
                        row_of_pebbles(2),
                        superquadric(1.2 * REACH, REACH, 0, 2, 4)};
    return (things){3,
                    globe(320, half, 1),
                    cube(2 * half),
                    mesh_of(3, floor, 3, facet, 1),
                    row_of_pebbles(3),
                    superquadric(1.2 * REACH, 0.9 * REACH, REACH, 4, 3)};
}

static void free_things(const things *t)
{
    scree_mesh_destroy(t->globe);
    scree_mesh_destroy(t->cube);
    scree_mesh_destroy(t->wall);
    scree_mesh_destroy(t->quadric);
    scree_clump_destroy(t->clump);
}

static bool are_there(const things *t, kind a, kind b)
{
    return t->dimensions == 3 || (a != MESH && b != MESH);
}

/* ---- one meeting ---- */

static scree_body_def make_body(const things *t, const scene *s, kind what, double height)
{
    scree_shape shape = what == MESH      ? scree_shape_mesh(t->globe, SKIN)
                        : what == BLOCK   ? scree_shape_block(t->cube, SKIN)
                        : what == CLUMP   ? scree_shape_clump(t->clump)
                        : what == QUADRIC ? scree_shape_superquadric(t->quadric)
                                          : scree_shape_sphere(REACH);
    scree_body_def body = body_at(s, shape, 0, 0, 0);

    body.position[t->dimensions - 1] = height;
    return body;
}

static void hold(const things *t, const scene *s, kind what)
{
    if (what == PLANE || what == SURFACE) {
        scree_wall_def wall = scree_default_wall_def();
        wall.kind = what == PLANE ? SCREE_WALL_PLANE : SCREE_WALL_MESH;
        wall.mesh = what == PLANE ? NULL : t->wall;
        wall.material = s->material;
        wall.normal[2] = 0;
        wall.normal[t->dimensions - 1] = 1;
        CHECK_EQUAL(scree_world_add_wall(s->world, &wall, NULL), SCREE_OK);
        return;
    }
    scree_body_def body = make_body(t, s, what, -REACH);
    body.flags = SCREE_FREEZE;
    add(s, &body);
}

static scene open_meeting(const things *t, const char *law, scree_integrator integrator, double dt)
{
    scree_world_def def = plain_def(dt);
    scree_material_def material = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scene s = {0};

    def.events = false;
    def.dimensions = t->dimensions;
    def.step.integrator = integrator;
    /* as published: what keeps its sets is surrogates within Picard */
    def.step.picard.keeps_sets = integrator != SCREE_IMPLICIT_MULTISCALE;
    CHECK_EQUAL(scree_world_create(&def, &s.world), SCREE_OK);
    material.young = 1e7;
    material.stiffness = 1e5;
    /* a disc weighs as much as a sphere */
    material.density = t->dimensions == 3 ? 2500 : 2500 * 4.0 / 3 * REACH;
    CHECK_EQUAL(scree_world_add_material(s.world, &material, &s.material), SCREE_OK);
    set_law(&rule, law);
    if (scree_world_add_rule(s.world, &rule))
        FAIL("%s: %s", law, scree_world_message(s.world));
    return s;
}

typedef struct outcome
{
    double way, speed;
    bool touched;
} outcome;

static outcome meet(const things *t, kind what, kind with, const char *law,
                    scree_integrator integrator, double dt)
{
    scene s = open_meeting(t, law, integrator, dt);
    scree_body_def body = make_body(t, &s, what, REACH + GAP);
    /* bonds are of spheres alone */
    bool is_bonded = strcmp(law, "bonded") == 0 && what == SPHERE && with == SPHERE;
    int up = t->dimensions - 1;
    outcome found = {0};

    hold(t, &s, with);
    body.velocity[up] = -SPEED;
    scree_body_id id = add(&s, &body);
    if (is_bonded) {
        scree_bond_def bond = scree_default_bond_def();
        uint64_t made = 0;
        bond.gap = 2 * GAP;
        CHECK_EQUAL(scree_world_add_bonds(s.world, &bond, &made), SCREE_OK);
        CHECK_EQUAL(made, 1);
    }
    /* steps that do not settle are halved */
    while (scree_world_clock(s.world).time < STEPS * DT - 0.5 * dt) {
        if (scree_world_step(s.world, 1))
            FAIL("%s on %s by %s, integrator %d: %s", kind_names[what], kind_names[with], law,
                 (int)integrator, scree_world_message(s.world));
        found.touched |= scree_world_detection_stats(s.world).contacts > 0;
    }
    scree_body end = body_of(&s, id);
    found.way = end.position[up] - body.position[up];
    found.speed = end.velocity[up];
    scree_world_destroy(s.world);
    return found;
}

/* ---- all ---- */

static void meet_in_all_ways(int dimensions)
{
    static const scree_integrator integrators[] = {SCREE_IMPLICIT_EULER, SCREE_IMPLICIT_SURROGATE,
                                                   SCREE_IMPLICIT_MULTISCALE};
    const things t = make_things(dimensions);
    const double free_way = SPEED * STEPS * DT;
    double worst = 0;
    int count = 0;

    for (size_t l = 0; l < SCREE_COUNT_OF(laws); l++) {
        /* it is over soon, as it is stiff at once */
        double dt = strcmp(laws[l], "penalty") == 0 ? DT / 4 : DT;
        for (int what = SPHERE; what <= QUADRIC; what++)
            for (int with = SPHERE; with < KINDS; with++) {
                if (!are_there(&t, (kind)what, (kind)with))
                    continue;
                outcome expected =
                    meet(&t, (kind)what, (kind)with, laws[l], SCREE_VELOCITY_VERLET, dt / 4);
                CHECK(expected.touched);
                CHECK(expected.way > -0.5 * free_way);
                for (size_t k = TEST_EFFORT(l % 3, 0); k < SCREE_COUNT_OF(integrators);
                     k += TEST_EFFORT(3, 1)) {
                    outcome found = meet(&t, (kind)what, (kind)with, laws[l], integrators[k], dt);
                    double off = fabs(found.way - expected.way) / free_way;
                    worst = fmax(worst, off);
                    CHECK(found.touched);
                    count++;
                }
            }
    }
    printf("%d meetings, worst %.3g of the way\n", count, worst);
    CHECK(worst < OFF);
    free_things(&t);
}

TEST(in_three_dimensions)
{
    meet_in_all_ways(3);
}

TEST(in_two_dimensions)
{
    meet_in_all_ways(2);
}

/* ---- boundaries ---- */

/*  From -0.1 to 0.1 on all axes. */
static scene open_box(const things *t, scree_boundary boundary)
{
    scree_world_def def = plain_def(1e-4);
    scree_material_def material = scree_default_material_def();
    scene s = {0};

    def.events = false;
    def.dimensions = t->dimensions;
    for (int k = 0; k < t->dimensions; k++) {
        def.domain.boundary[k] = boundary;
        def.domain.lower[k] = -0.1;
        def.domain.upper[k] = 0.1;
    }
    CHECK_EQUAL(scree_world_create(&def, &s.world), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(s.world, &material, &s.material), SCREE_OK);
    return s;
}

static void leave(const things *t, kind what, scree_boundary boundary)
{
    scene s = open_box(t, boundary);
    scree_body_def body = make_body(t, &s, what, 0.05);
    int up = t->dimensions - 1;
    scree_body end;

    body.velocity[up] = 1;
    scree_body_id id = add(&s, &body);
    /* 0.15 far: to 0.2 */
    step(&s, 1500);
    scree_status status = scree_world_get_body(s.world, id, &end);
    CHECK_EQUAL(status != SCREE_OK, boundary == SCREE_BOUNDARY_DESTROY);
    CHECK_EQUAL(scree_world_totals(s.world).destroyed, boundary == SCREE_BOUNDARY_DESTROY);
    if (boundary == SCREE_BOUNDARY_NONE)
        CHECK_NEAR(end.position[up], 0.2, 1e-9);
    else if (boundary == SCREE_BOUNDARY_STOP)
        CHECK(end.position[up] < 0.1003 && end.velocity[up] == 0);
    else if (boundary == SCREE_BOUNDARY_REFLECT)
        CHECK(fabs(end.position[up]) < 3e-4 && end.velocity[up] == -1);
    else if (boundary == SCREE_BOUNDARY_PERIODIC)
        CHECK_NEAR(end.position[up], 0, 1e-9);
    scree_world_destroy(s.world);
}

/*  One goes out of the box on one side and meets what is held by the other side, where its image is. */
static void meet_across(const things *t, kind what, kind with)
{
    scene s = open_box(t, SCREE_BOUNDARY_PERIODIC);
    scree_body_def body = make_body(t, &s, what, 0.07), held = make_body(t, &s, with, -0.08);
    int up = t->dimensions - 1;

    held.flags = SCREE_FREEZE;
    body.velocity[up] = 0.5;
    add(&s, &held);
    scree_body_id id = add(&s, &body);
    step(&s, 400);
    if (!(body_of(&s, id).velocity[up] < -0.1))
        FAIL("%s does not meet %s", kind_names[what], kind_names[with]);
    CHECK(body_of(&s, id).position[up] < 0.09);
    scree_world_destroy(s.world);
}

TEST(at_boundaries_of_every_kind)
{
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        const things t = make_things(dimensions);
        for (int what = SPHERE; what <= QUADRIC; what++) {
            for (int b = SCREE_BOUNDARY_NONE; b <= SCREE_BOUNDARY_PERIODIC; b++)
                if (are_there(&t, (kind)what, SPHERE))
                    leave(&t, (kind)what, (scree_boundary)b);
            for (int with = SPHERE; with <= QUADRIC; with++)
                if (are_there(&t, (kind)what, (kind)with))
                    meet_across(&t, (kind)what, (kind)with);
        }
        free_things(&t);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {CASE(in_three_dimensions), CASE(in_two_dimensions),
                                      CASE(at_boundaries_of_every_kind)};

    return test_main(argc, argv, tests, SCREE_COUNT_OF(tests));
}
