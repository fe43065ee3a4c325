/*  Laws that stick: their formulas by another way, energies that their forces are the slopes of, and what happens in
    worlds: pulls, how far bodies stick, what sticking costs, at bodies, walls and bodies of triangles. */
#include "base/random.h"
#include "harness/mesh_maker.h"
#include "harness/world_maker.h"
#include "law/law.h"
#include "law_contact.h"

#define PI 3.14159265358979323846

static const char *const sticky[] = {"jkr", "dmt", "sjkr"};

/*  E = 1e7 Pa between two of these; nothing is lost, nothing rubs. */
static scree_material_def clean(void)
{
    scree_material_def m = scree_default_material_def();
    m.young = 2e7 * 0.91;
    m.restitution = 1;
    m.friction = 0;
    return m;
}

static void constants_of(const char *law, double value, double separation, double *constants)
{
    scree_material_def m = clean();
    const char *const names[] = {strcmp(law, "sjkr") ? "adhesion" : "cohesion",
                                 strcmp(law, "dmt") ? NULL : "separation", NULL};
    const double values[] = {value, separation};
    memset(constants, 0, SCREE_MAX_CONSTANTS * sizeof *constants);
    law_prepare(law, &m, &m, names, values, constants);
}

/*  One contact along the normal, at rest. `old` is what it remembers of its overlap. */
static void press(const scree_law *law, const double *constants, double radius, double overlap,
                  double old, law_room *room)
{
    memset(room, 0, sizeof *room);
    room->in[IN_NORMAL][0] = 1;
    room->in[IN_OVERLAP][0] = overlap;
    room->in[IN_RADIUS][0] = radius;
    room->in[IN_MASS][0] = 1;
    room->in[IN_MEMORY + 3][0] = old;
    scree_batch batch = law_batch(room, 1, 1e-6, 0);
    law->force(&batch, constants, law->user);
}

static double force_at(const scree_law *law, const double *constants, double radius, double overlap,
                       double old)
{
    static law_room room;
    press(law, constants, radius, overlap, old, &room);
    return -room.out[OUT_FORCE][0];
}

/* ---- JKR ---- */

/*  The radius of contact by halving: overlap(a) grows with a from the end of the stable branch on. */
static double jkr_contact(double w, double e, double radius, double overlap)
{
    double low = pow(PI * w * radius * radius / (8 * e), 1.0 / 3), high = low;

    while (high * high / radius - sqrt(2 * PI * w * high / e) < overlap)
        high *= 2;
    for (int k = 0; k < 200; k++) {
        double a = (low + high) / 2;
        if (a * a / radius - sqrt(2 * PI * w * a / e) < overlap)
            low = a;
        else
            high = a;
    }
    return low;
}

TEST(jkr_is_what_they_wrote)
{
    const scree_law *law = scree_law_by_name("jkr");
    const double e = 1e7;
    scree_random random = scree_random_stream(91, 0);

    for (int draw = 0; draw < 3000; draw++) {
        static law_room room;
        double w = pow(10, scree_random_range(&random, -4, 1));
        double radius = pow(10, scree_random_range(&random, -6, 0));
        double tear = 0.75 * pow(PI * PI * w * w * radius / (e * e), 1.0 / 3);
        double overlap = tear * (draw % 3 == 0   ? scree_random_range(&random, -0.999, 0)
                                 : draw % 3 == 1 ? scree_random_range(&random, 0, 3)
                                                 : pow(10, scree_random_range(&random, 0, 4)));
        double constants[SCREE_MAX_CONSTANTS];
        constants_of("jkr", w, 0, constants);
        press(law, constants, radius, overlap, 1, &room);
        double a = jkr_contact(w, e, radius, overlap);
        double hertz = 4 * e * a * a * a / (3 * radius);
        CHECK_NEAR(-room.out[OUT_FORCE][0], hertz - sqrt(8 * PI * w * e * a * a * a),
                   1e-9 * (hertz + w * radius));
        CHECK_NEAR(room.out[OUT_NEXT + 3][0], a * a / radius, 1e-7 * a * a / radius);
        CHECK_NEAR(room.out[OUT_STIFFNESS][0], 2 * e * a, 1e-7 * e * a);
    }
}

/*  It sticks when it touches, and until it is pulled off; what it cost to stick is what is lost. */
TEST(jkr_sticks_from_touch_until_it_tears)
{
    const scree_law *law = scree_law_by_name("jkr");
    const double w = 0.05, e = 1e7, radius = 0.001;
    double constants[SCREE_MAX_CONSTANTS], tear = 0.75 * cbrt(PI * PI * w * w * radius / (e * e));
    double least = 0;
    static law_room room;

    constants_of("jkr", w, 0, constants);
    scree_law_reach reach = scree_law_reach_of(law, constants);
    CHECK_NEAR(scree_law_reach_at(&reach, radius), tear, 1e-9 * tear);
    CHECK(scree_law_reach_at(&reach, radius) > tear * (1 - 1e-14));
    press(law, constants, radius, -0.1 * tear, 0, &room);
    for (int k = 0; k < OUTPUTS; k++)
        CHECK(room.out[k][0] == 0);
    press(law, constants, radius, 0, 0, &room);
    CHECK_NEAR(-room.out[OUT_FORCE][0], -4.0 / 3 * PI * w * radius, 1e-9 * w * radius);
    CHECK_NEAR(room.out[OUT_ENERGY][0], -room.out[OUT_LOSS + SCREE_LOSS_DAMPING][0],
               1e-12 * w * radius * tear);
    CHECK_NEAR(room.out[OUT_LOSS + SCREE_LOSS_DAMPING][0],
               7.0926 * cbrt(pow(w, 5) * pow(radius, 4) / (e * e)),
               1e-4 * 7.09 * cbrt(pow(w, 5) * pow(radius, 4) / (e * e)));
    for (int k = 0; k <= 10000; k++) {
        double f = force_at(law, constants, radius, tear * (k * 2e-4 - 1 + 1e-9), 1);
        least = f < least ? f : least;
    }
    CHECK_NEAR(least, -1.5 * PI * w * radius, 1e-6 * w * radius);
    CHECK_NEAR(force_at(law, constants, radius, -tear * (1 - 1e-12), 1), -5.0 / 6 * PI * w * radius,
               1e-4 * w * radius);
    CHECK(force_at(law, constants, radius, -tear * (1 + 1e-9), 1) == 0);
}

/* ---- all of them ---- */

/*  The force is what the stored energy loses by the way, and the stiffness is no less than its slope. */
TEST(forces_are_slopes_of_energies)
{
    const double radius = 0.001, h = 1e-9;

    for (int l = 0; l < 3; l++)
        for (int tail = 0; tail < 2; tail++) {
            const scree_law *law = scree_law_by_name(sticky[l]);
            double constants[SCREE_MAX_CONSTANTS];
            constants_of(sticky[l], l == 2 ? 1e5 : 0.05, tail ? 1e-6 : 0, constants);
            for (int k = 0; k < 400; k++) {
                static law_room here, there;
                double overlap = l == 0           ? (k - 60) * 2e-8 + 3e-9
                                 : tail && l == 1 ? (k - 395) * 2.27e-8
                                                  : (k + 1) * 2e-8;
                if (overlap < 0 && l == 2)
                    continue;
                press(law, constants, radius, overlap - h / 2, 1, &here);
                press(law, constants, radius, overlap + h / 2, 1, &there);
                double force = -(here.out[OUT_FORCE][0] + there.out[OUT_FORCE][0]) / 2;
                double slope = (there.out[OUT_ENERGY][0] - here.out[OUT_ENERGY][0]) / h;
                if (overlap > -h && overlap < h) /* dmt has an edge here */
                    continue;
                CHECK_NEAR(force, slope, 1e-7);
                double steep = -(there.out[OUT_FORCE][0] - here.out[OUT_FORCE][0]) / h;
                double stiffness = there.out[OUT_STIFFNESS][0];
                if (l == 1 || steep > 0)
                    CHECK(stiffness * (1 + 1e-3) >= fabs(steep));
            }
        }
}

TEST(dmt_pulls_and_lets_go)
{
    const scree_law *law = scree_law_by_name("dmt");
    const double w = 0.05, radius = 0.001, z = 1e-6, most = 2 * PI * w * radius;
    double constants[SCREE_MAX_CONSTANTS];

    constants_of("dmt", w, 0, constants);
    scree_law_reach reach = scree_law_reach_of(law, constants);
    CHECK(scree_law_reach_at(&reach, radius) == 0);
    CHECK_NEAR(force_at(law, constants, radius, 0, 0), -most, 1e-12 * most);
    CHECK_NEAR(force_at(law, constants, radius, 1e-6, 0),
               4.0 / 3 * 1e7 * sqrt(radius) * 1e-9 - most, 1e-9 * most);
    constants_of("dmt", w, z, constants);
    reach = scree_law_reach_of(law, constants);
    CHECK_NEAR(scree_law_reach_at(&reach, radius), 9 * z, 1e-12 * z);
    CHECK_NEAR(force_at(law, constants, radius, 0, 0), -most, 1e-12 * most);
    CHECK_NEAR(force_at(law, constants, radius, -z, 0), -most * (0.25 - 0.01) / 0.99, 1e-9 * most);
    CHECK_NEAR(force_at(law, constants, radius, -9 * z, 0), 0, 1e-9 * most);
}

/*  What is not a number comes out as none. */
TEST(nan_comes_through)
{
    for (int l = 0; l < 3; l++) {
        const scree_law *law = scree_law_by_name(sticky[l]);
        double constants[SCREE_MAX_CONSTANTS];
        constants_of(sticky[l], 0.1, 0, constants);
        CHECK(isnan(force_at(law, constants, 0.001, (double)NAN, 0)));
        CHECK(isnan(force_at(law, constants, (double)NAN, 1e-6, 0)));
    }
}

/*  Coulomb's bound goes by what presses without the pull, with JKR by twice the pull-off force more. */
TEST(friction_is_bounded_as_they_say)
{
    const double w = 0.05, radius = 0.001, overlap = 5e-7, share = 0.3;
    const double hertz = 4.0 / 3 * 1e7 * sqrt(radius * overlap) * overlap;

    for (int l = 0; l < 3; l++) {
        const scree_law *law = scree_law_by_name(sticky[l]);
        scree_material_def m = clean();
        const char *const names[] = {l == 2 ? "cohesion" : "adhesion", "friction", NULL};
        const double values[] = {l == 2 ? 1e4 : w, share};
        double constants[SCREE_MAX_CONSTANTS] = {0};
        static law_room room;
        law_prepare(sticky[l], &m, &m, names, values, constants);
        press(law, constants, radius, overlap, overlap, &room);
        double pressed = l == 0 ? -room.out[OUT_FORCE][0] + 3 * PI * w * radius : hertz;
        room.in[IN_SLIDE + 1][0] = 1e3;
        scree_batch batch = law_batch(&room, 1, 1e-6, 0);
        law->force(&batch, constants, law->user);
        CHECK_NEAR(room.out[OUT_FORCE + 1][0], -share * pressed, 1e-9 * pressed);
    }
}

/* ---- parameters ---- */

TEST(parameters_are_checked)
{
    static const struct
    {
        const char *law, *parameter;
        double value;
        const char *text;
    } cases[] = {
        {"jkr", "adhesion", NAN, "law jkr: adhesion is not given; the rule must give it, in J/m^2"},
        {"jkr", "adhesion", 0, "law jkr: adhesion is 0, must be above 0"},
        {"jkr", "young", -1, "law jkr: young is -1, must be above 0"},
        {"dmt", "adhesion", -1, "law dmt: adhesion is -1, must be above 0"},
        {"dmt", "separation", -1e-9, "law dmt: separation is -1e-09, must be 0"},
        {"sjkr", "cohesion", NAN, "law sjkr: cohesion is not given; the rule must give it"},
        {"sjkr", "cohesion", INFINITY, "law sjkr: cohesion is inf, must be above 0"},
    };
    scree_world_def def = scree_default_world_def();
    def.step.dt = 1e-6;
    scree_world *world = make_world(&def, NULL);

    for (size_t k = 0; k < SCREE_COUNT_OF(cases); k++) {
        scree_rule_def rule = scree_default_rule_def();
        const char *names[2] = {cases[k].parameter,
                                strcmp(cases[k].law, "sjkr") ? "adhesion" : "cohesion"};
        double values[2] = {cases[k].value, 1};
        rule.law = cases[k].law;
        rule.names = names;
        rule.values = values;
        rule.value_count = isnan(cases[k].value) ? 0 : strcmp(names[0], names[1]) ? 2 : 1;
        CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_BAD_VALUE);
        CHECK_SAYS(scree_world_message(world), cases[k].text);
    }
    scree_world_destroy(world);
}

/* ---- in worlds ---- */

static scree_world *sticky_world(const char *law, double value, double dt)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def m = clean();
    scree_rule_def rule = scree_default_rule_def();
    const char *names[] = {strcmp(law, "sjkr") ? "adhesion" : "cohesion"};
    def.step.dt = dt;
    def.energy_balance = true;
    scree_world *world = make_world(&def, &m);
    rule.law = law;
    rule.names = names;
    rule.values = &value;
    rule.value_count = 1;
    if (scree_world_add_rule(world, &rule))
        FAIL("%s", scree_world_message(world));
    return world;
}

static double all_energy(const scree_world *world)
{
    scree_energy e = scree_world_energy(world);
    return e.kinetic + e.rotational + e.potential + e.elastic + e.damping + e.friction + e.rolling +
           e.body_damping - e.walls - e.loads - e.boundary - e.entered + e.removed;
}

typedef enum opponent
{
    A_BALL,
    A_PLANE,
    A_MESH,
    A_BODY_OF_TRIANGLES,
    OPPONENTS,
} opponent;

/*  Something at rest whose surface ends at x = 0. */
static void add_opponent(scree_world *world, opponent kind, double radius, scree_mesh **mesh)
{
    scree_wall_def wall = scree_default_wall_def();
    wall.material.index1 = 1;
    wall.normal[0] = 1;
    wall.normal[2] = 0;
    *mesh = NULL;
    if (kind == A_BALL) {
        scree_body_def other = ball(radius, -radius, 0, 0);
        other.flags = SCREE_FREEZE;
        add(world, &other);
    } else if (kind == A_PLANE) {
        CHECK_EQUAL(scree_world_add_wall(world, &wall, NULL), SCREE_OK);
    } else {
        maker box = maker_box((double[]){0, 0, 0}, (double[]){0.02, 0.02, 0.02});
        *mesh = maker_mesh(&box);
        maker_free(&box);
        if (kind == A_MESH) {
            wall.kind = SCREE_WALL_MESH;
            wall.mesh = *mesh;
            wall.point[0] = -0.02;
            wall.point[1] = wall.point[2] = -0.0103;
            CHECK_EQUAL(scree_world_add_wall(world, &wall, NULL), SCREE_OK);
        } else {
            scree_body_def body = ball(1, 0, 0, 0);
            const double upright[4] = {1, 0, 0, 0}, origin[3] = {-0.02 - 1e-4, -0.0103, -0.0103};
            body.shape = scree_shape_mesh(*mesh, 1e-4);
            body.flags = SCREE_FREEZE;
            CHECK_EQUAL(scree_body_def_place(&body, origin, upright), SCREE_OK);
            add(world, &body);
        }
    }
}

/*  A ball that comes near, touches, and is drawn back: no force before touch, the full pull after it, nothing any
    more where it has torn off. In all three kinds of the other side the same. */
TEST(they_stick_to_everything)
{
    const double w = 0.05, e = 1e7, r = 0.001, speed = 0.01, dt = 1e-7;

    for (int kind = 0; kind < OPPONENTS; kind++) {
        scree_world *world = sticky_world("jkr", w, dt);
        scree_mesh *mesh;
        add_opponent(world, (opponent)kind, r, &mesh);
        double radius = kind == A_BALL ? r / 2 : r;
        if (kind == A_BODY_OF_TRIANGLES) {
            double ball_of_mesh = cbrt(8e-6 * 3 / (4 * PI));
            radius = r * ball_of_mesh / (r + ball_of_mesh);
        }
        double tear = 0.75 * cbrt(PI * PI * w * w * radius / (e * e));
        scree_body_def def = ball(r, r + 1.5e-6, 0, 0);
        def.velocity[0] = -speed;
        def.flags = SCREE_FREEZE & ~SCREE_FREEZE_SPIN_X; /* two that are held do not meet */
        scree_body_id id = add(world, &def);
        double least = 0, last = 0;
        for (int k = 0; k < 60; k++) {
            scree_body body = body_of(world, id);
            if (k == 20) {
                body.velocity[0] = speed;
                CHECK_EQUAL(scree_world_set_body(world, id, &body), SCREE_OK);
            }
            for (int many = 0; many < 100; many++) {
                step(world, 1);
                body = body_of(world, id);
                double gap = body.position[0] - r, f = body.force[0];
                if (k < 20 && gap > 1e-12)
                    CHECK(f == 0);
                if (k >= 20 && gap > tear * 1.01)
                    CHECK(f == 0);
                if (k >= 20 && f != 0)
                    last = gap;
                least = f < least ? f : least;
            }
        }
        CHECK_NEAR(least, -1.5 * PI * w * radius, 2e-5 * w * radius);
        CHECK_NEAR(last, tear, 2 * speed * dt + 1e-3 * tear);
        scree_world_destroy(world);
        scree_mesh_destroy(mesh);
    }
}

/*  What a hit costs is what sticking costs, below which it does not come free; and the energy balance closes. */
TEST(hits_lose_what_sticking_costs)
{
    const double w = 0.05, e = 1e7, r = 0.001;

    for (int kind = 0; kind < 2; kind++)
        for (int fast = 0; fast < 2; fast++) {
            scree_world *world = sticky_world("jkr", w, 2e-8);
            scree_mesh *mesh;
            add_opponent(world, (opponent)kind, r, &mesh);
            double radius = kind == A_BALL ? r / 2 : r;
            double cost = 7.0926 * cbrt(pow(w, 5) * pow(radius, 4) / (e * e));
            scree_body_def def = ball(r, r + 1e-6, 0, 0);
            double mass = 2500 * 4.0 / 3 * PI * r * r * r;
            def.velocity[0] = -sqrt((fast ? 2 : 0.9) * 2 * cost / mass);
            scree_body_id id = add(world, &def);
            double before = all_energy(world);
            step(world, 60000);
            scree_body body = body_of(world, id);
            double motion = 0.5 * mass * body.velocity[0] * body.velocity[0];
            if (fast) {
                CHECK(body.position[0] > r);
                CHECK_NEAR(motion, cost, 0.01 * cost);
            } else {
                CHECK(body.position[0] < r + 1e-6);
            }
            CHECK_NEAR(all_energy(world), before, 0.01 * cost);
            CHECK_NEAR(scree_world_energy(world).damping, cost, 1e-4 * cost);
            scree_world_destroy(world);
        }
}

/*  A ball at a rest where the pull and Hertz's force are the same; sjkr and dmt keep their energy. */
TEST(bound_pairs_keep_their_energy)
{
    for (int l = 1; l < 3; l++) {
        scree_world *world = sticky_world(sticky[l], l == 1 ? 0.05 : 2e5, 2e-8);
        scree_body_def def = ball(0.001, 0, 0, 0);
        add(world, &def);
        def.position[0] = 0.002 - 3e-7;
        scree_body_id id = add(world, &def);
        step(world, 1);
        double before = all_energy(world), least = 1, most = 0;
        double kinetic = 0;
        for (int k = 0; k < 20000; k++) {
            step(world, 1);
            double x = body_of(world, id).position[0];
            least = x < least ? x : least;
            most = x > most ? x : most;
            double now = scree_world_energy(world).kinetic;
            kinetic = now > kinetic ? now : kinetic;
        }
        CHECK(most < 0.002 && least < 0.002 - 4e-7);
        CHECK_NEAR(all_energy(world), before, 2e-3 * kinetic);
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(jkr_is_what_they_wrote),
        CASE(jkr_sticks_from_touch_until_it_tears),
        CASE(forces_are_slopes_of_energies),
        CASE(dmt_pulls_and_lets_go),
        CASE(nan_comes_through),
        CASE(friction_is_bounded_as_they_say),
        CASE(parameters_are_checked),
        CASE(they_stick_to_everything),
        CASE(hits_lose_what_sticking_costs),
        CASE(bound_pairs_keep_their_energy),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
