/*  Convex polygons in worlds of two dimensions: they lie, slide and tip as they should, on lines, on walls of segments and on each
    other; stack; take what they give in impacts; meet discs and clumps; and come to the same bits however they are computed.

    Tolerances: those of test_block_world.c, but that a brick that lands nearly flat may lose 3 % of its energy. */
#include "harness/failing_allocator.h"
#include "harness/law_needs.h"
#include "harness/solid_maker.h"

#define SIDE 0.1
#define SKIN 0.002

static scree_mesh *polygon(const double (*points)[2], uint32_t count)
{
    scree_hull_def def = scree_default_hull_def();
    scree_error why = {SCREE_OK, ""};
    double given[3 * 64] = {0};
    scree_mesh *mesh = NULL;

    for (uint32_t p = 0; p < count; p++)
        memcpy(given + 3 * (size_t)p, points[p], sizeof points[p]);
    def.corners = 2;
    def.points = given;
    def.point_count = count;
    def.error = &why;
    if (scree_mesh_hull(&def, &mesh))
        FAIL("%s", why.text);
    return mesh;
}

static scree_mesh *brick(double x, double y)
{
    const double points[4][2] = {
        {-x / 2, -y / 2}, {x / 2, -y / 2}, {x / 2, y / 2}, {-x / 2, y / 2}};

    return polygon(points, 4);
}

static scree_mesh *regular(uint32_t count, double radius)
{
    double points[64][2];

    for (uint32_t p = 0; p < count; p++) {
        points[p][0] = radius * cos(6.2831853071795865 * p / count);
        points[p][1] = radius * sin(6.2831853071795865 * p / count);
    }
    return polygon((const double(*)[2])points, count);
}

/*  An open line through these points. */
static scree_mesh *line_through(const double (*points)[2], uint32_t count)
{
    scree_mesh_def def = scree_default_mesh_def();
    double vertices[3 * 256] = {0};
    uint32_t segments[2 * 256];
    scree_mesh *mesh = NULL;

    for (uint32_t p = 0; p < count; p++) {
        memcpy(vertices + 3 * (size_t)p, points[p], sizeof points[p]);
        segments[2 * p] = p;
        segments[2 * p + 1] = p + 1;
    }
    def.corners = 2;
    def.vertices = vertices;
    def.vertex_count = count;
    def.facets = segments;
    def.facet_count = count - 1;
    CHECK_EQUAL(scree_mesh_create(&def, &mesh), SCREE_OK);
    return mesh;
}

static scree_world_def flat_def(double dt)
{
    scree_world_def def = plain_def(dt);

    def.dimensions = 2;
    def.gravity[1] = -9.81;
    return def;
}

/*  As light as what has the same size in three. */
static scene open_flat(const scree_world_def *def, const char *law, double restitution,
                       double friction)
{
    scree_material_def material = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scene s = {0};

    CHECK_EQUAL(scree_world_create(def, &s.world), SCREE_OK);
    material.restitution = restitution;
    material.friction = friction;
    material.young = 1e7;
    material.stiffness = 2e5;
    material.density = 100;
    CHECK_EQUAL(scree_world_add_material(s.world, &material, &s.material), SCREE_OK);
    set_law(&rule, law);
    if (scree_world_add_rule(s.world, &rule))
        FAIL("%s", scree_world_message(s.world));
    return s;
}

/*  What it may lie on, with its surface at y = 0: a line, a wall of 1 segment, of 200, a polygon that is frozen. */
typedef enum floor_kind
{
    FLOOR_PLANE,
    FLOOR_SEGMENT,
    FLOOR_SEGMENTS,
    FLOOR_POLYGON,
    FLOOR_KINDS,
} floor_kind;

static const char *const floor_names[] = {"line", "segment", "segments", "polygon"};

static void add_floor(const scene *s, floor_kind kind)
{
    double points[201][2];
    uint32_t count = kind == FLOOR_SEGMENTS ? 201 : 2;

    for (uint32_t p = 0; p < count; p++) {
        points[p][0] = -5 + 10.0 * p / (count - 1);
        points[p][1] = 0;
    }
    scree_mesh *wall = line_through((const double(*)[2])points, count), *slab = brick(10, 1);
    scree_body_def floor = body_at(s, scree_shape_block(slab, SKIN), 0, -0.5 - SKIN, 0);
    floor.flags = SCREE_FREEZE;
    if (kind == FLOOR_POLYGON)
        add(s, &floor);
    else
        add_wall(s, kind == FLOOR_PLANE ? NULL : wall);
    scree_mesh_destroy(wall);
    scree_mesh_destroy(slab);
}

static double speed_of(const scree_body *b)
{
    return hypot(b->velocity[0], b->velocity[1]) + SIDE * fabs(b->spin[2]);
}

/* ---- a brick on a slope ---- */

typedef struct outcome
{
    double way, tilt, crept, acceleration;
} outcome;

/*  What is tilted by more is let go: it would hit the floor. */
#define FALLS 0.15

static outcome let_go(double height, double slope, double friction, floor_kind on, double time)
{
    scree_mesh *mesh = brick(SIDE, height);
    scree_world_def def = flat_def(2e-5);
    uint64_t third = (uint64_t)(time / def.step.dt / 3);
    scene s = open_flat(&def, "linear", 0.3, friction);
    outcome found;

    add_floor(&s, on);
    scree_body_def body =
        body_at(&s, scree_shape_block(mesh, SKIN), 0, height / 2 + SKIN - 1e-5, 0);
    scree_body_id id = add(&s, &body);
    step(&s, 10000);
    scree_body begin = body_of(&s, id);
    for (int k = 1; k <= 200; k++) {
        const double tilted[3] = {9.81 * sin(slope * k / 200), -9.81 * cos(slope * k / 200), 0};
        CHECK_EQUAL(scree_world_set_gravity(s.world, tilted), SCREE_OK);
        step(&s, 100);
    }
    scree_body late = begin, end = begin;
    for (int k = 0; k < 3 && fabs(end.orientation[3]) < FALLS; k++) {
        late = end;
        for (int n = 0; n < 100 && fabs(end.orientation[3]) < FALLS; n++) {
            step(&s, third / 100);
            end = body_of(&s, id);
        }
    }
    found.way = end.position[0] - begin.position[0];
    found.crept = end.position[0] - late.position[0];
    found.acceleration =
        (end.velocity[0] - late.velocity[0]) / ((double)(third / 100 * 100) * def.step.dt);
    found.tilt = 2 * fabs(asin(end.orientation[3]));
    CHECK(end.position[2] == 0 && end.orientation[1] == 0 && end.orientation[2] == 0);
    CHECK(fabs(balance(&s)) < 1e-3 * begin.mass * 9.81 * height);
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh);
    return found;
}

TEST(slides_where_friction_ends)
{
    const double friction = 0.4;

    for (int on = 0; on < FLOOR_KINDS; on++) {
        double stays = atan(0.98 * friction), goes = atan(1.2 * friction);
        outcome rest = let_go(0.5 * SIDE, stays, friction, (floor_kind)on, 0.6);
        outcome slide = let_go(0.5 * SIDE, goes, friction, (floor_kind)on, 0.6);
        double acceleration = 9.81 * (sin(goes) - friction * cos(goes));
        printf("  on a %s: rests to %.3g, way %.3g; slides by %.6g of what it should, is tilted "
               "%.2g\n",
               floor_names[on], rest.crept / SIDE, rest.way / SIDE,
               slide.acceleration / acceleration, slide.tilt);
        CHECK_NEAR(rest.crept, 0, 1e-6 * SIDE);
        CHECK(fabs(rest.way) < 0.01 * SIDE);
        CHECK_NEAR(slide.acceleration, acceleration, 0.01 * acceleration);
        CHECK(slide.tilt < 0.01);
    }
}

TEST(tips_where_its_centre_is_beyond_the_corner)
{
    const double height = 3 * SIDE, critical = atan(SIDE / (height + 2 * SKIN));

    for (int on = 0; on < FLOOR_KINDS; on++) {
        outcome stands = let_go(height, 0.95 * critical, 5, (floor_kind)on, 0.9);
        CHECK(stands.tilt < 0.01 && fabs(stands.crept) < 1e-3 * height);
        outcome tips = let_go(height, 1.03 * critical, 5, (floor_kind)on, 1.5);
        CHECK(tips.tilt > 0.1);
    }
}

/* ---- stacks ---- */

static void stack(int count, floor_kind on, double aside, double push, double rest)
{
    scree_mesh *mesh = brick(SIDE, SIDE);
    scree_world_def def = flat_def(2e-5);
    double there[32], y = SIDE / 2 + SKIN;
    scree_body_id id[32];

    def.gravity[0] = push * 9.81;
    scene s = open_flat(&def, "linear", 0.3, 0.6);
    add_floor(&s, on);
    for (int k = 0; k < count; k++, y += SIDE + 2 * SKIN) {
        scree_body_def body = body_at(&s, scree_shape_block(mesh, SKIN), k % 2 ? aside : 0, y, 0);
        id[k] = add(&s, &body);
    }
    step(&s, 2000);
    CHECK_EQUAL(scree_world_set_damping(s.world, 20, 0), SCREE_OK);
    step(&s, 60000);
    for (int k = 0; k < count; k++)
        there[k] = body_of(&s, id[k]).position[0];
    step(&s, 10000);
    for (int k = 0; k < count; k++) {
        scree_body b = body_of(&s, id[k]);
        CHECK_NEAR(b.position[0], there[k], rest * SIDE);
        CHECK(speed_of(&b) < 100 * rest * SIDE);
        CHECK(fabs(b.orientation[3]) < 0.01);
    }
    CHECK(scree_world_detection_stats(s.world).contacts >= (uint64_t)(2 * count));
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh);
}

TEST(stacks_stand)
{
    for (int on = 0; on < FLOOR_KINDS; on++) {
        stack(3, (floor_kind)on, 0.02, 0.1, 1e-6);
        stack(8, (floor_kind)on, 1e-5, 0, 1e-5);
    }
}

/* ---- walls of segments ---- */

/*  A brick slides without friction along a floor that is cut finely, over its joints, and over a ridge's edge: nothing but
    gravity changes its speed until it is there. */
TEST(joints_of_a_wall_are_not_felt)
{
    scree_mesh *mesh = brick(SIDE, SIDE / 2);
    scree_world_def def = flat_def(1e-5);
    scene s = open_flat(&def, "linear", 0.3, 0);

    add_floor(&s, FLOOR_SEGMENTS);
    scree_body_def body =
        body_at(&s, scree_shape_block(mesh, SKIN), -0.5, SIDE / 4 + SKIN - 1e-6, 0);
    scree_body_id id = add(&s, &body);
    step(&s, 20000);
    scree_body b = body_of(&s, id);
    b.velocity[0] = 2;
    CHECK_EQUAL(scree_world_set_body(s.world, id, &b), SCREE_OK);
    double highest = 0;
    for (int k = 0; k < 500; k++) {
        step(&s, 100);
        scree_body now = body_of(&s, id);
        highest = fmax(highest, fabs(now.velocity[1]) + SIDE * fabs(now.spin[2]));
    }
    b = body_of(&s, id);
    CHECK_NEAR(b.position[0], 0.5, 1e-3);
    CHECK_NEAR(b.velocity[0], 2, 1e-9);
    CHECK(highest < 1e-6);
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh);
}

/*  On a table that is narrower than it is, a brick lies on the table's corners; in a valley, on its own two. */
TEST(vertices_of_walls_carry)
{
    const double table[4][2] = {{-0.03, -1}, {-0.03, 0}, {0.03, 0}, {0.03, -1}};
    const double valley[3][2] = {{-1, 1}, {0, 0}, {1, 1}};
    const double mast[2][2] = {{0, -1}, {0, 0}};

    for (int k = 0; k < 3; k++) {
        scree_mesh *mesh = brick(SIDE, SIDE / 4);
        scree_mesh *wall = line_through(k == 0   ? table
                                        : k == 1 ? valley
                                                 : mast,
                                        k == 0   ? 4
                                        : k == 1 ? 3
                                                 : 2);
        scree_world_def def = flat_def(2e-5);
        scene s = open_flat(&def, "linear", 0.3, 0.5);
        add_wall(&s, wall);
        /* its ends are skins away from the slopes */
        double high = k == 1 ? SIDE / 2 + SIDE / 8 + SKIN * sqrt(2) : SIDE / 8 + SKIN;
        scree_body_def body = body_at(&s, scree_shape_block(mesh, SKIN), 0, high, 0);
        scree_body_id id = add(&s, &body);
        CHECK_EQUAL(scree_world_set_damping(s.world, 5, 0), SCREE_OK);
        step(&s, 50000);
        scree_body b = body_of(&s, id);
        CHECK_NEAR(b.position[1], high, 1e-3 * SIDE);
        CHECK_NEAR(b.position[0], 0, 1e-6);
        CHECK(speed_of(&b) < 1e-6);
        CHECK_EQUAL(scree_world_detection_stats(s.world).contacts, k == 2 ? 1 : 2);
        scree_world_destroy(s.world);
        scree_mesh_destroy(mesh);
        scree_mesh_destroy(wall);
    }
}

/* ---- impacts ---- */

/*  Without friction or damping: what a polygon has after it met a large one, a line or a wall. */
static void impact(int k, double *gain, double *loss)
{
    static const double ridge[3][2] = {{-0.3, -0.2}, {0.01, -0.003}, {0.3, -0.05}};
    scree_random random = scree_random_stream(78, (uint64_t)k);
    scree_mesh *large = regular(5, 0.2), *small = k % 2 ? regular(3, 0.04) : brick(0.04, 0.07);
    scree_mesh *wall = line_through(ridge, 3);
    scree_world_def def = flat_def(1e-5);
    def.gravity[1] = 0;
    scene s = open_flat(&def, "linear", 1, 0);
    scree_body_def body = body_at(&s, scree_shape_block(large, 0.004), 0.02, -0.2, 0);

    body.orientation[3] = scree_random_range(&random, -1, 1);
    if (k % 4 < 2)
        add(&s, &body);
    else
        add_wall(&s, k % 4 == 2 ? wall : NULL);
    body =
        body_at(&s, scree_shape_block(small, 0.004), 0.02 * scree_random_normal(&random), 0.1, 0);
    body.orientation[3] = scree_random_range(&random, -1, 1);
    body.spin[2] = 3 * scree_random_normal(&random);
    body.velocity[1] = -0.5;
    scree_body_id id = add(&s, &body);
    scree_energy e = scree_world_energy(s.world);
    double before = e.kinetic + e.rotational;
    step(&s, (uint64_t)(0.5 / def.step.dt));
    CHECK(body_of(&s, id).velocity[1] > -0.49);
    for (int n = 0; n < 1000 && scree_world_detection_stats(s.world).contacts > 0; n++)
        step(&s, 100);
    e = scree_world_energy(s.world);
    double change = (e.kinetic + e.rotational) / before - 1;
    *gain = fmax(*gain, change);
    *loss = fmax(*loss, -change);
    scree_world_destroy(s.world);
    scree_mesh_destroy(large);
    scree_mesh_destroy(small);
    scree_mesh_destroy(wall);
}

TEST(impacts_give_back_what_they_took)
{
    double gain[4] = {0}, loss[4] = {0};

    for (int k = 0; k < TEST_EFFORT(20, 60); k++)
        impact(k, &gain[k % 4], &loss[k % 4]);
    for (int k = 0; k < 4; k++) {
        printf("  impacts on %s: gain %.3g, loss %.3g\n",
               k < 2    ? "polygons"
               : k == 2 ? "segments"
                        : "lines",
               gain[k], loss[k]);
        CHECK(gain[k] < 0.02 && loss[k] < 0.03);
    }
}

/* ---- all that there is in two dimensions, together ---- */

typedef struct mixture
{
    scree_mesh *mesh[4], *bowl;
    scree_clump *clump;
} mixture;

static mixture make_mixture(void)
{
    const scree_pebble pebbles[2] = {{{0, 0, 0}, 0.012}, {{0.015, 0, 0}, 0.008}};
    double points[41][2];
    mixture m = {{brick(0.04, 0.02), regular(3, 0.018), regular(6, 0.02), regular(20, 0.015)},
                 NULL,
                 clump_of(2, pebbles, 2)};

    for (int p = 0; p < 41; p++) {
        points[p][0] = 0.25 * cos(3.14159265358979 * (1 + p / 40.0));
        points[p][1] = 0.25 + 0.25 * sin(3.14159265358979 * (1 + p / 40.0));
    }
    m.bowl = line_through((const double(*)[2])points, 41);
    return m;
}

static void free_mixture(mixture *m)
{
    for (int k = 0; k < 4; k++)
        scree_mesh_destroy(m->mesh[k]);
    scree_mesh_destroy(m->bowl);
    scree_clump_destroy(m->clump);
}

/*  Polygons, discs and clumps fall into a bowl over a line. */
static scene pour(const scree_world_def *def, const mixture *m, const char *law)
{
    scree_random random = scree_random_stream(5, 0);
    scene s = open_flat(def, law, 0.4, 0.5);

    add_wall(&s, NULL);
    add_wall(&s, m->bowl);
    for (int k = 0; k < 60; k++) {
        scree_shape shape = k % 6 == 4   ? scree_shape_sphere(0.015)
                            : k % 6 == 5 ? scree_shape_clump(m->clump)
                                         : scree_shape_block(m->mesh[k % 4], 0.004);
        scree_body_def body = body_at(&s, shape, 0.05 * (k % 8) - 0.175, 0.26 + 0.05 * (k / 8), 0);
        body.orientation[3] = scree_random_range(&random, -2, 2);
        body.velocity[1] = -1;
        add(&s, &body);
    }
    return s;
}

TEST(the_same_whatever_method_and_threads)
{
    PROVES("GC-42");
    mixture m = make_mixture();
    uint64_t first = 0;

    for (size_t n = 0; n < scree_method_count() + 6; n += TEST_EFFORT(5, 1)) {
        scree_world_def def = flat_def(2e-5);
        if (n < scree_method_count())
            def.detection.method = scree_method_at(n)->name;
        else
            def.compute.thread_count = (uint32_t)(n - scree_method_count() + 1);
        def.compute.simd = n % 2 ? SCREE_SIMD_SCALAR : SCREE_SIMD_AUTO;
        scene s = pour(&def, &m, "linear");
        step(&s, 12000);
        uint64_t digest = scree_world_digest(s.world);
        first = first ? first : digest;
        if (digest != first)
            FAIL("%s: another digest", n < scree_method_count() ? def.detection.method : "threads");
        CHECK(scree_world_detection_stats(s.world).contacts > 30);
        scree_world_destroy(s.world);
    }
    free_mixture(&m);
}

/*  Every law with every integrator: nothing leaves the bowl, energies add up where they are kept, and it comes to rest. */
TEST(all_laws_and_integrators)
{
    static const scree_integrator integrators[] = {SCREE_VELOCITY_VERLET, SCREE_SYMPLECTIC_EULER,
                                                   SCREE_IMPLICIT_EULER};
    mixture m = make_mixture();

    for (size_t l = 0; l < scree_law_count(); l++)
        /* bonds join spheres alone */
        for (size_t n = TEST_EFFORT(l % 3, 0);
             n < 3 && strcmp(scree_law_at(l)->name, "bonded") != 0; n += TEST_EFFORT(3, 1)) {
            scree_world_def def = flat_def(n == 2 ? 1e-4 : 2e-5);
            def.step.integrator = integrators[n];
            scene s = pour(&def, &m, scree_law_at(l)->name);
            if (scree_world_step(s.world, n == 2 ? 1600 : 8000))
                FAIL("%s, integrator %zu: %s", scree_law_at(l)->name, n,
                     scree_world_message(s.world));
            scree_bodies_view view = scree_world_bodies(s.world);
            for (size_t i = 0; i < view.count; i++) {
                CHECK(scree_row_at(view.position, i)[2] == 0 &&
                      scree_row_at(view.spin, i)[0] == 0 && scree_row_at(view.spin, i)[1] == 0);
                CHECK(scree_row_at(view.position, i)[1] > 0);
            }
            /* the penalty takes nothing away: of what bounces for ever few touch at a time */
            bool bounces = strcmp(scree_law_at(l)->name, "penalty") == 0;
            CHECK(scree_world_detection_stats(s.world).contacts > (bounces ? 0 : 10));
            scree_world_destroy(s.world);
        }
    free_mixture(&m);
}

/*  Through a file, and through a snapshot: what continues is what would have gone on. */
TEST(continues_from_a_checkpoint)
{
    mixture m = make_mixture();
    scree_world_def def = flat_def(2e-5);
    scene s = pour(&def, &m, "linear");
    scree_checkpoint *from = NULL;
    scree_error why = {SCREE_OK, ""};
    scree_world *again = NULL;
    const char *path = "test_polygon_world.scree";

    step(&s, 8000);
    uint64_t here = scree_world_digest(s.world);
    if (scree_checkpoint_write(s.world, path, NULL, 0, &why))
        FAIL("%s", why.text);
    step(&s, 3000);
    if (scree_checkpoint_read(path, NULL, &from, &why) ||
        scree_checkpoint_world(from, NULL, &again, &why))
        FAIL("%s", why.text);
    remove(path);
    CHECK_EQUAL(scree_world_digest(again), here);
    CHECK_EQUAL(scree_world_step(again, 3000), SCREE_OK);
    CHECK_EQUAL(scree_world_digest(again), scree_world_digest(s.world));
    scree_checkpoint_destroy(from);
    scree_world_destroy(again);
    scree_world_destroy(s.world);
    free_mixture(&m);
}

/* ---- depth, and what is refused ---- */

static void refuse(const scene *s, const scree_body_def *body, const char *why)
{
    scree_body_id id;
    uint64_t digest = scree_world_digest(s->world);

    CHECK_EQUAL(scree_world_add_body(s->world, body, &id), SCREE_BAD_VALUE);
    if (!strstr(scree_world_message(s->world), why))
        FAIL("%s", scree_world_message(s->world));
    CHECK_EQUAL(scree_world_digest(s->world), digest);
}

TEST(what_is_no_polygon_is_refused)
{
    const double dent[5][2] = {{0, 0}, {1, 0}, {0.2, 0.2}, {0, 1}, {0, 0}};
    scree_mesh *mesh = brick(SIDE, SIDE), *solid = cube(SIDE), *dented = line_through(dent, 5);
    scree_mesh *open = line_through(dent, 3);
    scree_world_def def = flat_def(1e-5);
    scene s = open_flat(&def, "linear", 0.5, 0);
    scree_body_def body = body_at(&s, scree_shape_block(solid, SKIN), 0, 0, 0);

    refuse(&s, &body, "facets of its mesh have 3 corners, must have 2 in 2 dimensions");
    body.shape = scree_shape_mesh(mesh, SKIN);
    refuse(&s, &body, "bodies of segments are blocks");
    body.shape = scree_shape_block(dented, SKIN);
    refuse(&s, &body, "it is not convex");
    body.shape = scree_shape_block(open, SKIN);
    refuse(&s, &body, "the line is not closed");
    body.shape = scree_shape_block(mesh, 0);
    refuse(&s, &body, "rounding is 0");
    body.shape = scree_shape_block(mesh, SKIN);
    body.position[2] = 1e-9;
    refuse(&s, &body, "z of position");
    body.position[2] = 0;
    body.spin[0] = 1;
    refuse(&s, &body, "spin about x and y");
    body.spin[0] = 0;
    body.orientation[1] = 0.1;
    refuse(&s, &body, "orientation must be about z");
    body.orientation[1] = 0;
    scree_body b = body_of(&s, add(&s, &body));
    CHECK_NEAR(b.mass, 100 * SIDE * SIDE, 1e-12);
    CHECK_NEAR(b.inertia[2], b.mass * SIDE * SIDE / 6, 1e-12);
    b.orientation[2] = 1;
    CHECK_EQUAL(scree_world_set_body(s.world, b.id, &b), SCREE_BAD_VALUE);
    scree_world_destroy(s.world);
    def.dimensions = 3;
    s = open_flat(&def, "linear", 0.5, 0);
    body = body_at(&s, scree_shape_block(mesh, SKIN), 0, 0, 0);
    refuse(&s, &body, "facets of its mesh have 2 corners, must have 3 in 3 dimensions");
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh);
    scree_mesh_destroy(solid);
    scree_mesh_destroy(dented);
    scree_mesh_destroy(open);
}

/*  Whatever fails while polygons step on a wall, the world is as it was before. */
TEST(memory_may_fail_in_any_step)
{
    mixture m = make_mixture();

    for (size_t k = 1;; k++) {
        failing_allocator failing = {.fail_at = SIZE_MAX};
        scree_world_def def = flat_def(2e-5);
        def.hooks.allocator = failing_allocator_hooks(&failing);
        scene s = pour(&def, &m, "linear");
        uint64_t before = scree_world_digest(s.world);
        failing.fail_at = failing.requests + k;
        scree_status status = scree_world_step(s.world, 2500);
        bool failed = failing.requests >= failing.fail_at;
        CHECK_EQUAL(status, failed ? SCREE_OUT_OF_MEMORY : SCREE_OK);
        CHECK(!failed || scree_world_clock(s.world).steps < 2500);
        CHECK(scree_world_clock(s.world).steps > 0 || scree_world_digest(s.world) == before);
        scree_world_destroy(s.world);
        if (!failed)
            break;
        k += k / 8;
    }
    free_mixture(&m);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE_OF_PHYSICS(slides_where_friction_ends),
        CASE_OF_PHYSICS(tips_where_its_centre_is_beyond_the_corner),
        CASE_OF_PHYSICS(stacks_stand),
        CASE(joints_of_a_wall_are_not_felt),
        CASE(vertices_of_walls_carry),
        CASE_OF_PHYSICS(impacts_give_back_what_they_took),
        CASE(the_same_whatever_method_and_threads),
        CASE(all_laws_and_integrators),
        CASE(continues_from_a_checkpoint),
        CASE(what_is_no_polygon_is_refused),
        CASE(memory_may_fail_in_any_step),
    };

    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
