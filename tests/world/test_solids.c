/*  Bodies of triangles in a world: what they weigh, what they touch and how, and that nothing but the calls made on the
    world decides the outcome.

    Tolerances: a body at rest is held to 1e-3 of its weight after its motion has been damped; the energy balance closes to the
    order of dt while something happens (test_energy.c). */
#include "harness/solid_maker.h"
#include "harness/superquadric_maker.h"
#include "shape/shape_skin.h"

/* ---- what a body is ---- */

TEST(mass_and_frame_are_those_of_the_mesh)
{
    const double lower[3] = {1, 2, 3}, upper[3] = {1.2, 2.1, 3.4};
    const double origin[3] = {5, -6, 7}, turn[4] = {0.5, 0.5, -0.5, 0.5};
    maker m = maker_box(lower, upper);
    scree_mesh *box = maker_mesh(&m);
    scree_world_def def = plain_def(1e-5);
    scene s = open_scene(&def, "linear", 0.5, 0);
    scree_body_def body = body_at(&s, scree_shape_mesh(box, 0.01), 0, 0, 0);
    double found_origin[3], found_turn[4], centre[3] = {1.1, 2.05, 3.2};

    CHECK_EQUAL(scree_body_def_place(&body, origin, turn), SCREE_OK);
    scree_body_id id = add(&s, &body);
    scree_body b = body_of(&s, id);
    CHECK_NEAR(b.mass, 2500 * 0.2 * 0.1 * 0.4, 1e-9);
    CHECK_NEAR(b.inertia[0], b.mass / 12 * (0.01 + 0.16), 1e-9);
    CHECK_NEAR(b.inertia[1], b.mass / 12 * (0.04 + 0.16), 1e-9);
    CHECK_NEAR(b.inertia[2], b.mass / 12 * (0.04 + 0.01), 1e-9);
    CHECK_NEAR(b.shape.radius, 0.5 * sqrt(0.04 + 0.01 + 0.16) + 0.01, 1e-9);
    CHECK_EQUAL(scree_world_body_frame(s.world, id, found_origin, found_turn), SCREE_OK);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(found_origin[k], origin[k], 1e-12);
    for (int k = 0; k < 4; k++)
        CHECK_NEAR(found_turn[k], turn[k], 1e-12);
    /* x to -y, y to -z, z to x: (w x y z) = (1 1 -1 1) / 2 */
    CHECK_NEAR(b.position[0], origin[0] - centre[1], 1e-12);
    CHECK_NEAR(b.position[1], origin[1] - centre[2], 1e-12);
    CHECK_NEAR(b.position[2], origin[2] + centre[0], 1e-12);
    scree_world_destroy(s.world);
    scree_mesh_destroy(box);
    maker_free(&m);
}

/*  Free flight of a long noisy body that tumbles: energy and momentum stay. */
TEST(tumbling_keeps_energy_and_momentum)
{
    scree_mesh *mesh = globe(320, 0.05, 1.5);
    scree_world_def def = plain_def(1e-4);
    scene s = open_scene(&def, "linear", 0.5, 0);
    scree_body_def body = body_at(&s, scree_shape_mesh(mesh, 0.001), 0, 0, 0);

    body.spin[0] = 3;
    body.spin[1] = 20;
    body.spin[2] = -7;
    add(&s, &body);
    scree_totals before = scree_world_totals(s.world);
    double energy = scree_world_energy(s.world).rotational;
    step(&s, 20000);
    scree_totals after = scree_world_totals(s.world);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(after.angular_momentum[k], before.angular_momentum[k],
                   1e-12 * fabs(before.angular_momentum[1]));
    CHECK_NEAR(scree_world_energy(s.world).rotational, energy, 1e-6 * energy);
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh);
}

/* ---- at rest ---- */

/*  Falls from a little above, and lies there with its weight on the floor. */
static void rest_on(scree_mesh *mesh, double height, double skin, const scree_mesh *floor)
{
    scree_world_def def = plain_def(1e-5);
    scree_wall wall;

    def.gravity[2] = -9.81;
    scene s = open_scene(&def, "linear", 0.3, 0.5);
    scree_wall_id ground = add_wall(&s, floor);
    scree_body_def body = body_at(&s, scree_shape_mesh(mesh, skin), 0.003, -0.002, height);
    scree_body_id id = add(&s, &body);
    step(&s, 10000);
    CHECK_EQUAL(scree_world_set_damping(s.world, 50, 0), SCREE_OK);
    step(&s, 30000);
    scree_body b = body_of(&s, id);
    CHECK_EQUAL(scree_world_get_wall(s.world, ground, &wall), SCREE_OK);
    CHECK_NEAR(wall.force[2], -9.81 * b.mass, 1e-3 * 9.81 * b.mass);
    CHECK(fabs(b.velocity[2]) < 1e-4);
    CHECK(fabs(balance(&s)) < 1e-3 * 9.81 * b.mass * height);
    scree_world_destroy(s.world);
}

TEST(a_cube_lies_on_a_plane)
{
    scree_mesh *mesh = cube(0.1);
    rest_on(mesh, 0.06, 0.004, NULL);
    scree_mesh_destroy(mesh);
}

TEST(a_globe_lies_on_triangles)
{
    scree_random random = scree_random_stream(1, 0);
    maker m = maker_plane(4, 1, 0.2, &random);
    scree_mesh *mesh = globe(320, 0.05, 1), *floor;

    for (uint32_t v = 0; v < m.vertex_count; v++) {
        m.vertex[3 * v] -= 0.5;
        m.vertex[3 * v + 1] -= 0.5;
    }
    floor = maker_mesh(&m);
    rest_on(mesh, 0.06, 0.004, floor);
    scree_mesh_destroy(mesh);
    scree_mesh_destroy(floor);
    maker_free(&m);
}

/* ---- impacts ---- */

/*  Speed after over speed before of a body of this shape that falls on a plane without spin. */
static double rebound(scree_shape shape, double radius, const char *law, double restitution)
{
    scree_world_def def = plain_def(2e-6);
    scene s = open_scene(&def, law, restitution, 0);
    scree_body_def body = body_at(&s, shape, 0, 0, radius + scree_shape_skin(&shape) + 1e-4);

    add_wall(&s, NULL);
    body.velocity[2] = -0.5;
    scree_body_id id = add(&s, &body);
    step(&s, 8000);
    double after = body_of(&s, id).velocity[2];
    CHECK(fabs(balance(&s)) < 1e-3 * 0.5 * body_of(&s, id).mass * 0.25);
    scree_world_destroy(s.world);
    return after / 0.5;
}

/*  A body of 5,120 triangles touches with many vertices at once, of which each has a share of the mass: within a
    twentieth of what a sphere does. */
TEST(a_globe_rebounds_as_a_sphere)
{
    scree_mesh *mesh = globe(5120, 0.05, 1);
    static const double restitutions[] = {1, 0.8, 0.5};
    static const char *const laws[] = {"linear", "hertz"};

    for (int l = 0; l < 2; l++)
        for (int k = 0; k < 3; k++) {
            double e = restitutions[k];
            double ball = rebound(scree_shape_sphere(0.05), 0.05, laws[l], e);
            double body = rebound(scree_shape_mesh(mesh, 0.003), 0.05, laws[l], e);
            CHECK_NEAR(ball, e, 0.01);
            CHECK_NEAR(body, ball, 0.05);
        }
    scree_mesh_destroy(mesh);
}

/* ---- a slope ---- */

/*  Of triangles, from the left down to the right. */
static scree_mesh *tilted(double width, double fall)
{
    scree_random random = scree_random_stream(35, 0);
    maker m = maker_plane(8, width, 0.2, &random);

    for (uint32_t v = 0; v < m.vertex_count; v++) {
        double *at = m.vertex + 3 * v;
        at[0] -= 0.1 * width;
        at[1] -= 0.5 * width;
        at[2] = -fall * at[0];
    }
    scree_mesh *mesh = maker_mesh(&m);
    maker_free(&m);
    return mesh;
}

/*  Particle on plane: dropped on a slope it hops, lower and lower, and then rolls down. Energy is only lost. */
TEST(nw_35_a_globe_hops_and_rolls_down_a_slope)
{
    const double fall = 0.2, slant = sqrt(1 + fall * fall), radius = 0.05, skin = 0.002;
    scree_world_def def = plain_def(2e-5);
    scree_mesh *mesh = globe(1224, radius, 1), *floor = tilted(4, fall);
    double peak = INFINITY, had = INFINITY;
    bool rises = false;
    int hops = 0;

    def.gravity[2] = -9.81;
    scene s = open_scene(&def, "linear", 0.5, 0.6);
    add_wall(&s, floor);
    scree_body_def made = body_at(&s, scree_shape_mesh(mesh, skin), 0, 0, 0.2);
    scree_body_id id = add(&s, &made);
    for (int k = 0; k < 400; k++) {
        step(&s, 100);
        scree_body body = body_of(&s, id);
        scree_energy e = scree_world_energy(s.world);
        double energy = e.kinetic + e.rotational + e.potential + e.elastic;
        double height = (body.position[2] + fall * body.position[0]) / slant - radius;
        double up = (body.velocity[2] + fall * body.velocity[0]) / slant;
        CHECK(energy <= had * (1 + 1e-6));
        had = energy;
        /* the top of a hop that leaves both skins behind */
        if (rises && up <= 0 && height > 2 * skin) {
            CHECK(height < 0.5 * peak);
            peak = height;
            hops++;
        }
        rises = up > 0;
    }
    scree_body end = body_of(&s, id);
    double along = (end.velocity[0] - fall * end.velocity[2]) / slant;
    double height = (end.position[2] + fall * end.position[0]) / slant;
    FIGURE("%d hops, then rolling at %.2f m/s", hops, along);
    CHECK(hops >= 2 && height < radius + skin);
    CHECK(along > 0.5 && end.position[0] > 0.3);
    CHECK_NEAR(end.spin[1] * height, along, 0.03 * along);
    CHECK(fabs(balance(&s)) < 1e-3 * had);
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh);
    scree_mesh_destroy(floor);
}

/* ---- pairs of kinds ---- */

/*  The law of Noble and Weinzierl: what the one feels the other feels too, and nothing before skins meet. */
TEST(penalties_act_on_both)
{
    PROVES("NW-05");
    static const char *const names[] = {"contact_skin"};
    static const double skin[] = {0.003};
    scree_world_def def = plain_def(1e-5);
    scree_mesh *mesh[2] = {globe(80, 0.05, 1.2), globe(320, 0.03, 1)};
    scree_rule_def rule = scree_default_rule_def();
    double most = 0;

    def.energy_balance = false;
    scene s = open_scene(&def, "linear", 0.6, 0);
    rule.law = "penalty";
    rule.names = names;
    rule.values = skin;
    rule.value_count = 1;
    CHECK_EQUAL(scree_world_add_rule(s.world, &rule), SCREE_OK);
    scree_body_def a = body_at(&s, scree_shape_mesh(mesh[0], 0.003), 0, 0, 0);
    scree_body_def b = body_at(&s, scree_shape_mesh(mesh[1], 0.003), 0.1, 0.01, 0.005);
    b.velocity[0] = -0.5;
    scree_body_id id[2] = {add(&s, &a), add(&s, &b)};
    scree_totals before = scree_world_totals(s.world);
    for (int k = 0; k < 6000; k++) {
        step(&s, 1);
        scree_body x = body_of(&s, id[0]), y = body_of(&s, id[1]);
        bool touches = scree_world_detection_stats(s.world).contacts > 0;
        for (int c = 0; c < 3; c++) {
            CHECK_NEAR(x.force[c] + y.force[c], 0, 1e-13 * most);
            CHECK(touches || (x.force[c] == 0 && y.force[c] == 0));
            most = fmax(most, fabs(x.force[c]));
        }
    }
    scree_totals after = scree_world_totals(s.world);
    for (int c = 0; c < 3; c++)
        CHECK_NEAR(after.momentum[c], before.momentum[c], 1e-12 * fabs(before.momentum[0]));
    CHECK(most > 0 && body_of(&s, id[1]).velocity[0] > body_of(&s, id[0]).velocity[0]);
    FIGURE("an impact of up to %.0f N, momentum kept", most);
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh[0]);
    scree_mesh_destroy(mesh[1]);
}

/*  Two bodies of equal mass, or not, that meet head on or past each other: momentum stays, the energy balance closes, and they
    part again. */
static void collide(scree_shape first, scree_shape second, double apart, double aside,
                    double friction)
{
    scree_world_def def = plain_def(1e-5);
    scene s = open_scene(&def, "linear", 0.6, friction);
    scree_body_def a = body_at(&s, first, -apart / 2, 0, 0);
    scree_body_def b = body_at(&s, second, apart / 2, aside, 0.3 * aside);
    scree_body_id id[2];

    a.velocity[0] = 0.5;
    b.velocity[0] = -0.5;
    a.orientation[1] = 0.3;
    b.spin[2] = 2;
    id[0] = add(&s, &a);
    id[1] = add(&s, &b);
    scree_totals before = scree_world_totals(s.world);
    scree_energy had = scree_world_energy(s.world);
    uint64_t contacts = 0;
    for (int k = 0; k < 200; k++) {
        step(&s, 50);
        contacts += scree_world_detection_stats(s.world).contacts;
    }
    scree_totals after = scree_world_totals(s.world);
    CHECK(contacts > 0);
    CHECK_EQUAL(scree_world_detection_stats(s.world).contacts, 0);
    double scale = before.mass * 0.5, turn = scale * apart;
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(after.momentum[k], before.momentum[k], 1e-12 * scale);
        CHECK_NEAR(after.angular_momentum[k], before.angular_momentum[k], 1e-11 * turn);
    }
    /* a crossing of edges, or the nearest place to a ball, may end while it is deep: what it stored is then gone */
    CHECK(fabs(balance(&s)) < 0.03 * had.kinetic);
    CHECK(body_of(&s, id[1]).velocity[0] > body_of(&s, id[0]).velocity[0]);
    scree_world_destroy(s.world);
}

TEST(all_kinds_meet_each_other)
{
    scree_mesh *box = cube(0.1), *ball = globe(320, 0.05, 1), *stone = globe(1280, 0.04, 1.6);
    scree_pebble corners[8];
    for (int p = 0; p < 8; p++)
        corners[p] = (scree_pebble){
            {p & 1 ? 0.015 : -0.015, p & 2 ? 0.015 : -0.015, p & 4 ? 0.015 : -0.015}, 0.03};
    scree_clump *clump = clump_of(3, corners, 8);
    scree_mesh *quadric = superquadric(0.05, 0.045, 0.048, 3, 2.5);
    const scree_shape shapes[] = {scree_shape_sphere(0.05),         scree_shape_mesh(box, 0.004),
                                  scree_shape_mesh(ball, 0.003),    scree_shape_mesh(stone, 0.005),
                                  scree_shape_clump(clump),         scree_shape_block(box, 0.004),
                                  scree_shape_superquadric(quadric)};

    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) {
            if (i == 0 && j == 0)
                continue;
            collide(shapes[i], shapes[j], 0.17, 0, 0);
            collide(shapes[i], shapes[j], 0.17, 0.02, 0.4);
        }
    scree_clump_destroy(clump);
    scree_mesh_destroy(quadric);
    scree_mesh_destroy(box);
    scree_mesh_destroy(ball);
    scree_mesh_destroy(stone);
}

/*  A small cube falls, turned by chance, on the middle of a large one's face, far from every vertex of that: what is far off
    must not be taken for being inside. Without damping it leaves with the energy that it came with. */
TEST(small_on_large)
{
    scree_mesh *large = cube(1), *small = cube(0.05);
    scree_random random = scree_random_stream(5, 0);

    for (int k = 0; k < 40; k++) {
        scree_world_def def = plain_def(2e-5);
        scene s = open_scene(&def, "linear", 1, 0);
        scree_body_def body = body_at(&s, scree_shape_mesh(large, 0.004), 0, 0, 0);
        body.flags = SCREE_FREEZE;
        add(&s, &body);
        body = body_at(&s, scree_shape_mesh(small, 0.004), 0.1, -0.07, 0.56);
        for (int a = 0; a < 4; a++)
            body.orientation[a] = scree_random_normal(&random);
        body.velocity[2] = -1;
        scree_body_id id = add(&s, &body);
        step(&s, 3000);
        CHECK(body_of(&s, id).velocity[2] > 0);
        CHECK_EQUAL(scree_world_detection_stats(s.world).contacts, 0);
        scree_energy e = scree_world_energy(s.world);
        CHECK_NEAR(e.kinetic + e.rotational, 0.5 * body_of(&s, id).mass,
                   0.03 * body_of(&s, id).mass);
        scree_world_destroy(s.world);
    }
    scree_mesh_destroy(large);
    scree_mesh_destroy(small);
}

/*  A cup: a box with a hollow from above, which is deeply not convex. */
static scree_mesh *cup(void)
{
    static const double ring[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    maker m = maker_new(16, 28);

    for (int k = 0; k < 4; k++) {
        maker_vertex(&m, 0.10 * ring[k][0], 0.10 * ring[k][1], -0.10);
        maker_vertex(&m, 0.10 * ring[k][0], 0.10 * ring[k][1], 0.10);
        maker_vertex(&m, 0.07 * ring[k][0], 0.07 * ring[k][1], 0.10);
        maker_vertex(&m, 0.07 * ring[k][0], 0.07 * ring[k][1], -0.07);
    }
    for (uint32_t k = 0; k < 4; k++)
        for (uint32_t layer = 0; layer < 3; layer++) {
            uint32_t a = 4 * k + layer, b = 4 * ((k + 1) % 4) + layer;
            maker_facet(&m, a, b, b + 1);
            maker_facet(&m, a, b + 1, a + 1);
        }
    maker_facet(&m, 0, 8, 4);
    maker_facet(&m, 0, 12, 8);
    maker_facet(&m, 3, 7, 11);
    maker_facet(&m, 3, 11, 15);
    scree_mesh *mesh = maker_mesh(&m);
    maker_free(&m);
    return mesh;
}

/*  A ball and a stone fall into a cup that stands on the floor, and stay in it. */
TEST(a_cup_holds_what_falls_into_it)
{
    scree_mesh *vessel = cup(), *stone = globe(320, 0.02, 1.3);
    scree_world_def def = plain_def(1e-5);

    def.gravity[2] = -9.81;
    scene s = open_scene(&def, "linear", 0.2, 0.5);
    add_wall(&s, NULL);
    scree_body_def body = body_at(&s, scree_shape_mesh(vessel, 0.003), 0, 0, 0);
    const double at[3] = {0, 0, 0.104}, turn[4] = {1, 0, 0, 0};
    CHECK_EQUAL(scree_body_def_place(&body, at, turn), SCREE_OK);
    scree_body_id id[3] = {add(&s, &body)};
    body = body_at(&s, scree_shape_sphere(0.02), 0.03, 0.01, 0.26);
    id[1] = add(&s, &body);
    body = body_at(&s, scree_shape_mesh(stone, 0.002), -0.03, -0.01, 0.3);
    id[2] = add(&s, &body);
    CHECK_EQUAL(scree_world_set_damping(s.world, 3, 0), SCREE_OK);
    step(&s, 60000);
    for (int k = 1; k < 3; k++) {
        scree_body b = body_of(&s, id[k]);
        CHECK(fabs(b.position[0]) < 0.07 && fabs(b.position[1]) < 0.07);
        CHECK(b.position[2] > 0.04 && b.position[2] < 0.15);
    }
    CHECK_NEAR(body_of(&s, id[0]).position[2], body.position[2] - 0.2, 0.05);
    scree_world_destroy(s.world);
    scree_mesh_destroy(vessel);
    scree_mesh_destroy(stone);
}

/*  100,000 triangles beside grains: what a step costs goes by what touches. */
TEST(many_triangles_beside_few)
{
    scree_mesh *large = globe(101 * 101 * 20 / 2, 0.5, 1.1), *small = globe(80, 0.01, 1.2);
    scree_world_def def = plain_def(1e-5);
    scene s = open_scene(&def, "linear", 0.5, 0.3);
    scree_body_def body = body_at(&s, scree_shape_mesh(large, 0.002), 0, 0, 0);

    add(&s, &body);
    for (int k = 0; k < 12; k++) {
        body =
            body_at(&s, scree_shape_mesh(small, 0.001), 0.6 * cos(0.5 * k), 0.6 * sin(0.5 * k), 0);
        for (int a = 0; a < 3; a++)
            body.velocity[a] = -8 * body.position[a];
        add(&s, &body);
    }
    step(&s, 4000);
    scree_totals t = scree_world_totals(s.world);
    CHECK_EQUAL(t.bodies, 13);
    CHECK(scree_world_energy(s.world).damping > 0);
    /* all pairs would be 4000 * 12 * 102,010 * 80: some 400 billion */
    uint64_t compared = scree_world_detection_stats(s.world).triangle_tests;
    printf("%.1f pairs of triangles a step\n", (double)compared / 4000);
    CHECK(compared > 0 && compared < 4000 * 12 * 100);
    scree_world_destroy(s.world);
    scree_mesh_destroy(large);
    scree_mesh_destroy(small);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(mass_and_frame_are_those_of_the_mesh),
        CASE(tumbling_keeps_energy_and_momentum),
        CASE(a_cube_lies_on_a_plane),
        CASE(a_globe_lies_on_triangles),
        CASE(a_globe_rebounds_as_a_sphere),
        CASE(penalties_act_on_both),
        CASE(nw_35_a_globe_hops_and_rolls_down_a_slope),
        CASE(all_kinds_meet_each_other),
        CASE(small_on_large),
        CASE(a_cup_holds_what_falls_into_it),
        CASE(many_triangles_beside_few),
    };

    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
