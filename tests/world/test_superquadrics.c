/*  Superquadrics in a world: what is known in closed form, what impacts keep, contacts on walls of facets and blocks, and
    that nothing passes through them. What is asked of every kind of body is in test_every_kind.c, test_solids*.c. */
#include "harness/solid_maker.h"

#include "base/quaternion.h"
#include "base/vector.h"
#include "harness/superquadric_maker.h"
#include "shape/superquadric.h"

#define PI 3.14159265358979323846

/*  Of material `s`: linear, without friction or damping. */
static scene open_elastic(double dt, double gravity)
{
    scree_world_def def = plain_def(dt);

    def.gravity[2] = gravity;
    return open_scene(&def, "linear", 1, 0);
}

/* ---- closed forms ---- */

/*  Periods of small oscillations about the stable position. Without friction only the height of the centre changes:
    w^2 = m g (a^2 - c^2) / (c I). With it the body rolls, and I is about the contact point. */
static double period_of(double friction)
{
    scree_mesh *mesh = superquadric(0.05, 0.04, 0.02, 2, 2);
    scree_world_def def = plain_def(5e-6);

    def.gravity[2] = -9.81;
    scene s = open_scene(&def, "linear", 1, friction);
    add_wall(&s, NULL);
    scree_body_def body = body_at(&s, scree_shape_superquadric(mesh), 0, 0, 0);
    const double angle = 0.004;
    body.orientation[0] = cos(angle / 2);
    body.orientation[2] = sin(angle / 2);
    scree_mass mass;
    CHECK_EQUAL(scree_shape_mass(&body.shape, 2500, 3, &mass, NULL), SCREE_OK);
    const double load = mass.mass * 9.81 / 2e5;
    body.position[2] = sqrt(pow(0.02 * cos(angle), 2) + pow(0.05 * sin(angle), 2)) - load;
    scree_body_id id = add(&s, &body);
    int crossings = 0;
    double before = 0, first = 0, last = 0;
    while (crossings < 7) {
        step(&s, 20);
        const double now = body_of(&s, id).orientation[2], time = scree_world_clock(s.world).time;
        if ((before > 0) != (now > 0) && before != 0) {
            const double at = time - 20 * def.step.dt * now / (now - before);
            first = crossings == 0 ? at : first;
            last = at;
            crossings++;
        }
        before = now;
        CHECK(time < 3);
    }
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh);
    return (last - first) / 3;
}

TEST(an_ellipsoid_rocks_and_rolls)
{
    const double a = 0.05, c = 0.02, inertia = (a * a + c * c) / 5;
    const double slips = 2 * PI / sqrt(9.81 * (a * a - c * c) / c / inertia);
    const double rolls = 2 * PI / sqrt(9.81 * (a * a - c * c) / c / (inertia + c * c));

    FIGURE("slips %.6g, rolls %.6g of the closed form", period_of(0) / slips, period_of(2) / rolls);
    CHECK_NEAR(period_of(0) / slips, 1, 1e-3);
    /* the tangential spring gives: by about w^2 m / k = 2e-3 */
    CHECK_NEAR(period_of(2) / rolls, 1, 4e-3);
}

/*  It comes to rest on its flattest side, and presses with its weight: on a plane, on triangles, on a frozen one. */
TEST(settled_heights)
{
    scree_mesh *mesh = superquadric(0.05, 0.04, 0.02, 4, 3);
    scree_mesh *slab = superquadric(1, 1, 0.1, 8, 8), *ground = NULL;
    scree_random random = scree_random_stream(7, 0);
    maker m = maker_plane(8, 0.8, 0, &random);
    for (uint32_t v = 0; v < m.vertex_count; v++) {
        m.vertex[3 * v] -= 0.4;
        m.vertex[3 * v + 1] -= 0.4;
        m.vertex[3 * v + 2] = 0;
    }
    ground = maker_mesh(&m);
    maker_free(&m);
    for (int on = 0; on < 3; on++) {
        scree_world_def def = plain_def(1e-5);
        def.gravity[2] = -9.81;
        scene s = open_scene(&def, "linear", 0.3, 0.5);
        if (on < 2)
            add_wall(&s, on ? ground : NULL);
        scree_body_def body = body_at(&s, scree_shape_superquadric(slab), 0, 0, -0.1);
        body.flags = SCREE_FREEZE;
        if (on == 2)
            add(&s, &body);
        body = body_at(&s, scree_shape_superquadric(mesh), 0.003, 0.002, 0.04);
        body.orientation[1] = 0.2;
        body.orientation[2] = 0.1;
        scree_body_id id = add(&s, &body);
        CHECK_EQUAL(scree_world_set_damping(s.world, 30, 0), SCREE_OK);
        step(&s, 50000);
        const scree_body end = body_of(&s, id);
        CHECK_NEAR(end.position[2], 0.02 - end.mass * 9.81 / 1e5, 2e-6);
        /* two equal springs in a row */
        /* a flat bottom has no frequency, and still creeps to its rest */
        CHECK_NEAR(end.force[2], 0, 5e-3 * end.mass * 9.81);
        CHECK_EQUAL(scree_world_detection_stats(s.world).contacts, 1);
        scree_world_destroy(s.world);
    }
    scree_mesh_destroy(mesh);
    scree_mesh_destroy(slab);
    scree_mesh_destroy(ground);
}

/*  With equal half axes it is a sphere: oblique impacts with friction on a plane, on triangles, and on each other. */
TEST(a_ball_is_a_sphere)
{
    scree_mesh *mesh = superquadric(0.02, 0.02, 0.02, 2, 2), *ground = slope();
    double end[2][6];

    for (int on = 0; on < 3; on++) {
        for (int k = 0; k < 2; k++) {
            scree_world_def def = plain_def(2e-5);
            def.gravity[2] = -9.81;
            scene s = open_scene(&def, "hertz", 0.7, 0.3);
            const scree_shape shape = k ? scree_shape_sphere(0.02) : scree_shape_superquadric(mesh);
            if (on < 2)
                add_wall(&s, on ? ground : NULL);
            scree_body_def body = body_at(&s, shape, 0.01, 0.02, 0);
            body.flags = SCREE_FREEZE;
            if (on == 2)
                add(&s, &body);
            body = body_at(&s, shape, 0, 0.01, on == 1 ? 0.12 : 0.045);
            body.velocity[0] = 0.3;
            body.velocity[2] = -1;
            body.spin[1] = 20;
            scree_body_id id = add(&s, &body);
            step(&s, 4000);
            const scree_body b = body_of(&s, id);
            memcpy(end[k], b.position, 3 * sizeof(double));
            memcpy(end[k] + 3, b.velocity, 3 * sizeof(double));
            scree_world_destroy(s.world);
        }
        for (int k = 0; k < 6; k++)
            CHECK_NEAR(end[0][k], end[1][k], 1e-8);
    }
    scree_mesh_destroy(mesh);
    scree_mesh_destroy(ground);
}

/* ---- impacts ---- */

typedef struct partners
{
    scree_mesh *ellipsoid, *drum, *dice, *box, *thin;
    scree_clump *clump;
} partners;

static partners make_partners(void)
{
    return (partners){superquadric(0.05, 0.03, 0.02, 2, 2),  superquadric(0.03, 0.03, 0.04, 6, 2),
                      superquadric(0.03, 0.03, 0.03, 5, 5),  cube(0.06),
                      superquadric(0.05, 0.05, 0.005, 2, 2), jack(0.02, 0.02)};
}

static void free_partners(const partners *p)
{
    scree_mesh_destroy(p->ellipsoid);
    scree_mesh_destroy(p->drum);
    scree_mesh_destroy(p->dice);
    scree_mesh_destroy(p->box);
    scree_mesh_destroy(p->thin);
    scree_clump_destroy(p->clump);
}

/*  The relative change of energy and the change of momentum over an impact of two free bodies without friction. */
static double impact(scree_shape first, scree_shape second, uint64_t seed, const char *law)
{
    scree_random random = scree_random_stream(seed, 3);
    scree_world_def def = plain_def(2e-6);
    scene s = open_scene(&def, law, 1, 0);
    scree_body_id id[2];
    double momentum[2][3] = {{0}}, mass = 0;

    for (int k = 0; k < 2; k++) {
        scree_body_def body = body_at(&s, k ? second : first, k ? 0.12 : 0, 0, 0);
        for (int i = 0; i < 4; i++)
            body.orientation[i] = scree_random_normal(&random);
        body.velocity[0] = k ? -1 : 1;
        body.position[1] = 0.01 * scree_random_normal(&random);
        id[k] = add(&s, &body);
        const scree_body b = body_of(&s, id[k]);
        mass += b.mass;
        for (int i = 0; i < 3; i++)
            momentum[0][i] += b.mass * b.velocity[i];
    }
    const scree_energy had = scree_world_energy(s.world);
    bool touched = false;
    for (int n = 0, apart = 0; n < 400 && apart < 20; n++) {
        step(&s, 100);
        const bool touches = scree_world_detection_stats(s.world).contacts > 0;
        touched |= touches;
        apart = touched && !touches ? apart + 1 : 0;
    }
    CHECK(touched && scree_world_detection_stats(s.world).contacts == 0);
    const scree_energy has = scree_world_energy(s.world);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++)
            momentum[1][i] += body_of(&s, id[k]).mass * body_of(&s, id[k]).velocity[i];
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(momentum[1][i], momentum[0][i], 1e-12 * mass);
    scree_world_destroy(s.world);
    return fabs((has.kinetic + has.rotational) / (had.kinetic + had.rotational) - 1);
}

TEST(impacts_keep_energy_and_momentum)
{
    const partners p = make_partners();
    const scree_shape shapes[] = {scree_shape_superquadric(p.ellipsoid),
                                  scree_shape_superquadric(p.drum),
                                  scree_shape_superquadric(p.dice), scree_shape_sphere(0.03)};
    double worst = 0;

    for (uint64_t seed = 0; seed < TEST_EFFORT(2u, 20u); seed++)
        for (int i = 0; i < 3; i++)
            for (int j = i; j < 4; j++)
                for (int hertz = 0; hertz < 2; hertz++) {
                    const double lost =
                        impact(shapes[i], shapes[j], seed, hertz ? "hertz" : "linear");
                    worst = fmax(worst, lost);
                }
    printf("energy is kept to %.2g\n", worst);
    CHECK(worst < 1e-6);
    free_partners(&p);
}

/*  A block has corners, where the contact point may jump, and a clump several contacts. */
TEST(impacts_with_blocks_and_clumps)
{
    const partners p = make_partners();
    double worst[2] = {0, 0};

    for (uint64_t seed = 0; seed < TEST_EFFORT(3u, 20u); seed++) {
        worst[0] = fmax(worst[0], impact(scree_shape_superquadric(p.drum),
                                         scree_shape_block(p.box, 0.003), seed, "linear"));
        worst[1] = fmax(worst[1], impact(scree_shape_superquadric(p.dice),
                                         scree_shape_clump(p.clump), seed, "linear"));
    }
    printf("energy is kept to %.2g by blocks, %.2g by clumps\n", worst[0], worst[1]);
    CHECK(worst[0] < 1e-5 && worst[1] < 1e-6);
    free_partners(&p);
}

/*  The distance of a superquadric from a box, over a grid of directions and by a pattern search from the best one. */
static double height_over_box(const scree_superquadric *shape, const double turn[4],
                              const double place[3], const double half[3], const double way[3])
{
    double local[3], high[3], low = 0, at = 0;

    scree_quaternion_turn_back(turn, way, local);
    scree_superquadric_highest(shape, local, high, NULL);
    for (int k = 0; k < 3; k++) {
        low -= fabs(way[k]) * half[k];
        at += way[k] * place[k];
    }
    return low - (at + scree_dot(local, high));
}

static double slow_box_distance(const scree_superquadric *shape, const double turn[4],
                                const double place[3], const double half[3])
{
    double best = -INFINITY, from[3] = {0}, reach = 0.1;

    for (int i = 0; i < 60; i++)
        for (int j = 0; j < 120; j++) {
            const double down = PI * (i + 0.5) / 60, around = 2 * PI * j / 120;
            const double way[3] = {sin(down) * cos(around), sin(down) * sin(around), cos(down)};
            const double height = height_over_box(shape, turn, place, half, way);
            if (height > best) {
                best = height;
                memcpy(from, way, sizeof from);
            }
        }
    scree_random random = scree_random_stream(1, 1);
    for (int n = 0; n < 8000; n++) {
        double way[3];
        for (int k = 0; k < 3; k++)
            way[k] = from[k] + reach * scree_random_normal(&random);
        const double length = scree_length(way);
        for (int k = 0; k < 3; k++)
            way[k] /= length;
        const double height = height_over_box(shape, turn, place, half, way);
        if (height > best) {
            best = height;
            memcpy(from, way, sizeof from);
        }
        if (n % 80 == 79)
            reach *= 0.8;
    }
    return best;
}

TEST(overlaps_with_blocks)
{
    scree_mesh *box = cube(0.06);
    scree_mesh *mesh = superquadric(0.03, 0.02, 0.04, 6, 2);
    const double radii[3] = {0.03, 0.02, 0.04}, exponents[2] = {6, 2}, half[3] = {0.03, 0.03, 0.03};
    const scree_superquadric shape = scree_superquadric_of(radii, exponents);
    scree_random random = scree_random_stream(21, 0);
    int touching = 0;

    for (int n = 0; n < TEST_EFFORT(150, 1500); n++) {
        scree_world_def def = plain_def(1e-9);
        const double rounding = n % 2 ? 0.02 : 0.002;
        def.overlap_limit = INFINITY;
        scene s = open_scene(&def, "linear", 1, 0);
        scree_body_def body = body_at(&s, scree_shape_block(box, rounding), 0, 0, 0);
        double way[3];
        const scree_contact *contact;
        size_t count;
        add(&s, &body);
        body = body_at(&s, scree_shape_superquadric(mesh), 0, 0, 0);
        for (int k = 0; k < 4; k++)
            body.orientation[k] = scree_random_normal(&random);
        for (int k = 0; k < 3; k++)
            way[k] = scree_random_normal(&random);
        const double length = scree_length(way), far = scree_random_range(&random, 0.06, 0.095);
        for (int k = 0; k < 3; k++)
            body.position[k] = far * way[k] / length;
        const scree_body_id id = add(&s, &body);
        step(&s, 1);
        const scree_body b = body_of(&s, id);
        const double slow = slow_box_distance(&shape, b.orientation, b.position, half);
        CHECK_EQUAL(scree_world_contacts(s.world, NULL, &contact, &count), SCREE_OK);
        CHECK_EQUAL(count, slow < rounding);
        if (count) {
            /* deeper than this, a face may hide a shorter way out over an edge */
            CHECK(rounding - contact->overlap < slow + 1e-6);
            if (slow > -0.01)
                CHECK_NEAR(rounding - contact->overlap, slow, 1e-6);
            touching++;
        }
        scree_world_destroy(s.world);
    }
    CHECK(touching > 20);
    scree_mesh_destroy(box);
    scree_mesh_destroy(mesh);
}

/* ---- surfaces of facets ---- */

/*  A floor of many triangles is as one of two, and as a plane: the same path to rounding, whatever edges it crosses. */
TEST(a_divided_floor_is_a_floor)
{
    scree_mesh *mesh = superquadric(0.03, 0.02, 0.015, 3, 2.5);
    double end[3][7];

    for (int on = 0; on < 3; on++) {
        scree_world_def def = plain_def(1e-5);
        scree_random random = scree_random_stream(7, 0);
        def.gravity[2] = -9.81;
        scene s = open_scene(&def, "linear", 0.5, 0.4);
        maker m = maker_plane(on == 1 ? 1 : 25, 2, 0, &random);
        for (uint32_t v = 0; v < m.vertex_count; v++) {
            m.vertex[3 * v] -= 1;
            m.vertex[3 * v + 1] -= 1;
            m.vertex[3 * v + 2] = 0;
        }
        scree_mesh *floor = maker_mesh(&m);
        maker_free(&m);
        add_wall(&s, on ? floor : NULL);
        scree_body_def body = body_at(&s, scree_shape_superquadric(mesh), 0.01, 0.02, 0.031);
        body.velocity[0] = 1;
        body.velocity[1] = 0.3;
        body.spin[1] = 30;
        scree_body_id id = add(&s, &body);
        step(&s, 20000);
        const scree_body b = body_of(&s, id);
        memcpy(end[on], b.position, 3 * sizeof(double));
        memcpy(end[on] + 3, b.orientation, 4 * sizeof(double));
        scree_world_destroy(s.world);
        scree_mesh_destroy(floor);
    }
    for (int k = 0; k < 7; k++) {
        CHECK_NEAR(end[1][k], end[0][k], 1e-6);
        CHECK_NEAR(end[2][k], end[0][k], 1e-6);
    }
    scree_mesh_destroy(mesh);
}

/*  Over the edge of a table, and onto a spike: contacts at edges and vertices push outward. */
TEST(edges_and_vertices)
{
    scree_mesh *mesh = superquadric(0.03, 0.02, 0.015, 4, 2);
    const double vertices[3][3][3] = {
        {{0, -1, 0}, {0, 1, 0}, {-1, 0, 0}}, /* its edge is under the body */
        {{0, 0, 0}, {-1, 0.1, -1}, {-1, -0.1, -1}},
        {{0, -1, 0}, {0, 1, 0}, {0, 0, -1}}};

    for (int k = 0; k < 3; k++) {
        scree_mesh_def def = scree_default_mesh_def();
        scree_mesh *wall = NULL;
        const scree_contact *contact;
        size_t count;
        def.vertices = vertices[k][0];
        def.vertex_count = 3;
        def.facet_count = 1;
        CHECK_EQUAL(scree_mesh_create(&def, &wall), SCREE_OK);
        scene s = open_elastic(1e-5, 0);
        add_wall(&s, wall);
        /* the point under the centre is a vertex, or on an edge */
        scree_body_def body =
            body_at(&s, scree_shape_superquadric(mesh), k == 0 ? 1e-4 : 0, 0, 0.015 - 1e-4);
        scree_body_id id = add(&s, &body);
        step(&s, 1);
        CHECK_EQUAL(scree_world_contacts(s.world, NULL, &contact, &count), SCREE_OK);
        CHECK_EQUAL(count, 1);
        CHECK_NEAR(contact->normal[2], -1, 1e-6);
        CHECK_NEAR(contact->overlap, 1e-4, 1e-6);
        step(&s, 2000);
        CHECK(body_of(&s, id).velocity[2] > 0);
        scree_world_destroy(s.world);
        scree_mesh_destroy(wall);
    }
    scree_mesh_destroy(mesh);
}

/* ---- speed ---- */

/*  A plate whose half thickness is a tenth of its way in a step: the step is refused or shortened, and nothing passes. */
TEST(nothing_passes)
{
    const partners p = make_partners();
    scree_mesh *ground = slope();

    for (int with = 0; with < 5; with++)
        for (int turned = 0; turned < 2; turned++) {
            scree_world_def def = plain_def(1e-3);
            scene s = open_scene(&def, "linear", 1, 0);
            scree_body_def body = body_at(&s, scree_shape_superquadric(p.thin), 0, 0, 0.5);
            body.velocity[2] = -500;
            body.orientation[1] = turned;
            add(&s, &body);
            body = body_at(&s,
                           with == 2   ? scree_shape_sphere(0.02)
                           : with == 3 ? scree_shape_block(p.box, 0.002)
                                       : scree_shape_superquadric(p.thin),
                           0.001, 0.002, 0.2);
            body.flags = SCREE_FREEZE;
            if (with < 2)
                add_wall(&s, with ? ground : NULL);
            else
                add(&s, &body);
            CHECK_EQUAL(scree_world_step(s.world, 3), SCREE_UNSTABLE);
            CHECK_SAYS(scree_world_message(s.world), "body");
            scree_world_destroy(s.world);
        }
    scree_mesh_destroy(ground);
    free_partners(&p);
}

/* ---- two dimensions ---- */

TEST(ellipses_in_two_dimensions)
{
    scree_mesh *mesh = superquadric(0.03, 0.01, 0, 2, 2),
               *other = superquadric(0.02, 0.02, 0, 2, 4);
    scree_world_def def = plain_def(2e-6);

    def.dimensions = 2;
    scene s = open_scene(&def, "linear", 1, 0);
    scree_body_def body = body_at(&s, scree_shape_superquadric(mesh), 0, 0, 0);
    body.velocity[0] = 1;
    body.orientation[0] = cos(0.4);
    body.orientation[3] = sin(0.4);
    scree_body_id id[2] = {add(&s, &body)};
    body = body_at(&s, scree_shape_superquadric(other), 0.07, 0.004, 0);
    id[1] = add(&s, &body);
    const scree_energy had = scree_world_energy(s.world);
    step(&s, 40000);
    const scree_energy has = scree_world_energy(s.world);
    CHECK(body_of(&s, id[1]).velocity[0] > 0.1);
    CHECK(body_of(&s, id[0]).spin[2] != 0);
    CHECK_NEAR((has.kinetic + has.rotational) / (had.kinetic + had.rotational), 1, 1e-6);
    CHECK(body_of(&s, id[0]).position[2] == 0);
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh);
    scree_mesh_destroy(other);
}

/* ---- refusals ---- */

TEST(meshes_without_a_formula_are_refused)
{
    scree_mesh *box = cube(0.1), *flat = superquadric(0.1, 0.2, 0, 2, 3);
    scene s = open_elastic(1e-5, 0);
    scree_body_def body = body_at(&s, scree_shape_superquadric(box), 0, 0, 0);
    scree_mass mass;
    scree_error error = {SCREE_OK, ""};

    CHECK_EQUAL(scree_world_add_body(s.world, &body, NULL), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(s.world), "scree_mesh_superquadric");
    CHECK_EQUAL(scree_shape_mass(&body.shape, 1, 3, &mass, &error), SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "scree_mesh_superquadric");
    body.shape = scree_shape_superquadric(flat);
    CHECK_EQUAL(scree_world_add_body(s.world, &body, NULL), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(s.world), "2 corners");
    body.shape = scree_shape_superquadric(NULL);
    CHECK_EQUAL(scree_world_add_body(s.world, &body, NULL), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(s.world), "mesh is NULL");
    CHECK_EQUAL(scree_world_body_count(s.world), 0);
    scree_world_destroy(s.world);
    scree_mesh_destroy(box);
    scree_mesh_destroy(flat);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {CASE(an_ellipsoid_rocks_and_rolls),
                                      CASE(settled_heights),
                                      CASE(a_ball_is_a_sphere),
                                      CASE(impacts_keep_energy_and_momentum),
                                      CASE(impacts_with_blocks_and_clumps),
                                      CASE(overlaps_with_blocks),
                                      CASE(a_divided_floor_is_a_floor),
                                      CASE(edges_and_vertices),
                                      CASE(nothing_passes),
                                      CASE(ellipses_in_two_dimensions),
                                      CASE(meshes_without_a_formula_are_refused)};

    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
