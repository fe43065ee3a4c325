/*  Implicit steps where forces jump: contacts that begin with a force at the very end of a step, what must not be taken for them,
    and that guesses do not become more with the number of bodies. */
#include "harness/world_maker.h"
#include "scree/shape.h"
#include "scree/wall.h"

#include <math.h>

static scree_world_def jump_def(double dt)
{
    scree_world_def def = scree_default_world_def();

    def.step.integrator = SCREE_IMPLICIT_EULER;
    def.step.dt = dt;
    def.overlap_limit = INFINITY;
    def.step.picard.halvings = 0;
    return def;
}

/*  Of a ball and a plate, under the law "linear", with the stiffness of one of the two; a plate at z = 0. */
static scree_world *make_plate(const scree_world_def *def, double stiffness, double restitution)
{
    scree_material_def material = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_wall_def plate = scree_default_wall_def();

    material.stiffness = stiffness;
    material.restitution = restitution;
    material.friction = 0.5;
    rule.law = "linear";
    plate.material.index1 = 1;
    scree_world *world = make_world(def, &material);
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    CHECK_EQUAL(scree_world_add_wall(world, &plate, NULL), SCREE_OK);
    return world;
}

/*  With a dashpot that would take away half of the velocity in a step, heights from which no guess is right: there are 60 of
    them, and the step is neither refused nor takes many. */
TEST(contacts_that_begin_at_the_end_of_a_step)
{
    uint64_t most = 0, sum = 0;

    for (int k = 0; k < 60; k++) {
        scree_world_def def = jump_def(0.01);
        scree_world *world = make_plate(&def, 2e4, 0.2);
        scree_body_def made = ball(1, 0, 0, 1 + 0.01 * (0.6 + 0.4 * (k + 0.5) / 60));
        made.mass = 1;
        made.velocity[2] = -1;
        scree_body_id id = add(world, &made);
        step(world, 1);
        uint64_t guesses = scree_world_detection_stats(world).force_evaluations;
        most = guesses > most ? guesses : most;
        sum += guesses;
        CHECK_EQUAL(scree_world_clock(world).dt, 0.01);
        /* it has felt the plate, or will */
        scree_body body = body_of(world, id);
        CHECK(body.velocity[2] >= -1 && body.velocity[2] < 1);
        CHECK_NEAR(body.position[2], 1, 5e-3);
        step(world, 40);
        body = body_of(world, id);
        CHECK(body.velocity[2] > 0 && body.velocity[2] < 0.6 && body.position[2] > 1);
        scree_world_destroy(world);
    }
    printf("%.1f guesses, at most %llu\n", (double)sum / 60, (unsigned long long)most);
    CHECK(most <= 12);
}

/*  The same without a dashpot: however stiff, there is a right guess, and it is the one of the formula
    v' = (v + dt w^2 d) / (1 + dt^2 w^2), d: how deep it already is, less than 0. */
TEST(stiff_contacts_are_no_jumps)
{
    static const double stiffness[] = {1e2, 1e4, 1e6, 1e8};

    for (int s = 0; s < 4; s++)
        for (int k = 0; k < 20; k++) {
            scree_world_def def = jump_def(0.01);
            def.step.picard.tolerance = 1e-6;
            def.step.picard.iterations = 100;
            double gap = 0.01 * (k + 0.5) / 20, w2 = stiffness[s];
            scree_world *world = make_plate(&def, 2 * w2, 1);
            scree_body_def made = ball(1, 0, 0, 1 + gap);
            made.mass = 1;
            made.velocity[2] = -1;
            scree_body_id id = add(world, &made);
            step(world, 1);
            CHECK_NEAR(body_of(world, id).velocity[2], (-1 - 0.01 * w2 * gap) / (1 + 1e-4 * w2),
                       2e-4);
            scree_world_destroy(world);
        }
}

/*  Nor is a force that turns round with what slides: what has come to rest stays there. */
TEST(friction_is_no_jump)
{
    for (int s = 0; s < 2; s++) {
        scree_world_def def = jump_def(0.01);
        def.gravity[2] = -10;
        def.step.picard.iterations = 100;
        scree_world *world = make_plate(&def, s ? 1e6 : 1e4, 0.5);
        scree_body_def made = ball(1, 0, 0, 1);
        made.mass = 1;
        made.velocity[0] = 1;
        made.flags = SCREE_FREEZE_SPIN_X | SCREE_FREEZE_SPIN_Y | SCREE_FREEZE_SPIN_Z;
        scree_body_id id = add(world, &made);
        step(world, 200);
        scree_body body = body_of(world, id);
        printf("slid %g, speed %g\n", body.position[0], body.velocity[0]);
        CHECK_NEAR(body.position[0], 0.1, 0.02); /* v^2 / (2 mu g) */
        CHECK(fabs(body.velocity[0]) < 1e-2 && fabs(body.velocity[2]) < 1e-2);
        scree_world_destroy(world);
    }
}

/* ---- many ---- */

/*  Balls, or globes of triangles, that come together in a lattice: in each step some contacts begin at its end. */
static void fill_lattice(scree_world *world, int across, const scree_mesh *mesh)
{
    uint32_t state = 5;
    double apart = mesh ? 1.035 : 1.0005; /* where skins, or balls, just meet */

    for (int k = 0; k < across * across * across; k++) {
        const int place[3] = {k % across, k / across % across, k / across / across};
        scree_body_def made = ball(0.5, 0, 0, 0);
        if (mesh)
            made.shape = scree_shape_mesh(mesh, 0.02);
        made.mass = 1;
        for (int a = 0; a < 3; a++) {
            state = state * 1664525u + 1013904223u;
            made.position[a] = apart * place[a] + 1e-3 * ((state >> 8) / 16777216.0 - 0.5);
            state = state * 1664525u + 1013904223u;
            made.velocity[a] = 0.2 * ((state >> 8) / 16777216.0 - 0.5);
        }
        made.position[2] += apart / 2;
        /* no two pairs alike */
        for (int a = 0; a < 4; a++)
            made.orientation[a] = 1 + (k * 7 + a * a * 5) % 11;
        add(world, &made);
    }
}

static double guesses_of_lattice(int across, const scree_mesh *mesh, int steps)
{
    scree_world_def def = jump_def(2e-3);
    scree_world *world = make_plate(&def, 1e4, 0.5);

    fill_lattice(world, across, mesh);
    step(world, 1);
    uint64_t before = scree_world_detection_stats(world).force_evaluations;
    step(world, (uint64_t)steps);
    CHECK_NEAR(scree_world_clock(world).time, (steps + 1) * 2e-3, 1e-12);
    CHECK(scree_world_detection_stats(world).contacts > 0);
    double guesses =
        (double)(scree_world_detection_stats(world).force_evaluations - before) / steps;
    scree_world_destroy(world);
    return guesses;
}

TEST(many_bodies_take_as_many_guesses_as_few)
{
    double few = guesses_of_lattice(4, NULL, 20), many = guesses_of_lattice(16, NULL, 20);

    printf("%.2f guesses of 64 bodies, %.2f of 4096\n", few, many);
    CHECK(many < 2 * few + 2);
}

TEST(many_bodies_of_triangles_as_well)
{
    scree_globe_def def = scree_default_globe_def();
    scree_mesh *mesh;

    def.facets = 80;
    def.radius = 0.5;
    CHECK_EQUAL(scree_mesh_globe(&def, &mesh), SCREE_OK);
    double guesses = guesses_of_lattice(6, mesh, 10);
    printf("%.2f guesses of 216 globes\n", guesses);
    CHECK(guesses < 12);
    scree_mesh_destroy(mesh);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(contacts_that_begin_at_the_end_of_a_step),
        CASE(stiff_contacts_are_no_jumps),
        CASE(friction_is_no_jump),
        CASE(many_bodies_take_as_many_guesses_as_few),
        CASE(many_bodies_of_triangles_as_well),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
