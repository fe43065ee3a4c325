/*  Mixtures: bodies of several shapes from one source, with shares by number or by mass. */
#include "scene_maker.h"

#include <math.h>

#define HEAD "g = material { density = 2500, young = 1e6 }\n"
#define BOX "box { lower = {0, 0, 0}, upper = {1, 1, 1} }"
#define R "\nrun { time = 1, seed = 5 }"

typedef struct share
{
    size_t balls, clumps, meshes;
    double ball_mass, other_mass;
} share;

static share count_kinds(scree_world *world)
{
    scree_bodies_view view = scree_world_bodies(world);
    share s = {0};

    for (size_t k = 0; k < view.count; k++) {
        scree_body body;
        CHECK_EQUAL(scree_world_get_body(world, scree_body_id_at(view.id, k), &body), SCREE_OK);
        bool is_ball = body.shape.kind == SCREE_SHAPE_SPHERE;
        s.balls += is_ball;
        s.clumps += body.shape.kind == SCREE_SHAPE_CLUMP;
        s.meshes += body.shape.kind == SCREE_SHAPE_MESH;
        *(is_ball ? &s.ball_mass : &s.other_mass) += body.mass;
    }
    return s;
}

#define PAIR                                                                                       \
    "c = clump { pebbles = {{0, 0, 0, 0.01}, {0.01, 0, 0, 0.01}} }\n"                              \
    "o = globe { radius = 0.008, triangles = 20 }\n"

/*  Balls of two sizes, clumps and globes as 4 : 2 : 2, within four standard deviations of chance. */
TEST(shares_are_of_numbers)
{
    scree_world *world;
    scree_scene *scene = must_start(
        HEAD PAIR "fill { region = " BOX ", count = 1600, material = g, shape = mixture { {sphere "
                  "{ radius = uniform(0.004, 0.008) }, 4}, {c, 2}, {o, 2} } }" R,
        &world);
    share s = count_kinds(world);

    CHECK_EQUAL(s.balls + s.clumps + s.meshes, 1600);
    CHECK(fabs((double)s.balls - 800) < 4 * 20);
    CHECK(fabs((double)s.clumps - 400) < 4 * 17.4);
    CHECK(fabs((double)s.meshes - 400) < 4 * 17.4);
    /* sixteen sizes */
    scree_bodies_view view = scree_world_bodies(world);
    double least = 1, most = 0;
    for (size_t k = 0; k < view.count; k++) {
        scree_body body;
        CHECK_EQUAL(scree_world_get_body(world, scree_body_id_at(view.id, k), &body), SCREE_OK);
        if (body.shape.kind != SCREE_SHAPE_SPHERE)
            continue;
        least = fmin(least, body.shape.radius);
        most = fmax(most, body.shape.radius);
    }
    CHECK(least > 0.004 && least < 0.0044 && most < 0.008 && most > 0.0076);
    must_step(scene, world, 2);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  As much of the mass is of balls as of others, though each of these is much heavier. */
TEST(shares_are_of_mass)
{
    scree_world *world;
    scree_scene *scene =
        must_start(HEAD PAIR "fill { region = " BOX ", count = 2000, by = \"mass\", material = g, "
                             "shape = mixture { {sphere { radius = 0.005 }, 1}, {c, 1} } }" R,
                   &world);
    share s = count_kinds(world);

    CHECK(s.balls > 3 * s.clumps);
    CHECK_NEAR(s.ball_mass / s.other_mass, 1, 0.25);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/*  A mixture of mixtures, poured; in two dimensions. */
TEST(mixtures_are_mixed_and_poured)
{
    scree_world *world;
    scree_scene *scene = must_start(
        "domain { dimensions = 2 }\n" HEAD
        "a = mixture { {sphere { radius = 0.01 }, 1}, {sphere { radius = 0.004 }, 3} }\n"
        "solver { dt = 1e-5, act_every = 1 }\n"
        "pour { region = box { lower = {0, 0, 0}, upper = {5, 5, 0} }, rate = 1e8, count = 800, "
        "material = g, shape = mixture { {a, 1}, {sphere { radius = 0.002 }, 1} } }" R,
        &world);
    size_t of[3] = {0};

    must_step(scene, world, 2);
    scree_bodies_view view = scree_world_bodies(world);
    CHECK_EQUAL(view.count, 800);
    for (size_t k = 0; k < view.count; k++)
        of[scree_double_at(view.radius, k) > 0.009   ? 0
           : scree_double_at(view.radius, k) > 0.003 ? 1
                                                     : 2]++;
    CHECK(fabs((double)of[0] - 100) < 4 * 9.4);
    CHECK(fabs((double)of[1] - 300) < 4 * 13.7);
    CHECK(fabs((double)of[2] - 400) < 4 * 14.2);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(what_is_no_mixture_is_refused)
{
    static const struct
    {
        const char *text, *why;
    } bad[] = {
        {"mixture { }", "mixture"},
        {"mixture { 3 }", "row 1 is 3, must be {shape, share}"},
        {"mixture { {sphere { radius = 1 }} }", "must be {shape, share}"},
        {"mixture { {sphere { radius = 1 }, 0} }", "row 1 has the share 0, must be above 0"},
        {"mixture { {3, 1} }", "row 1 has 3, must have the shape of bodies"},
        {"mixture { {sphere { radius = 1, centre = {0, 0, 0} }, 1} }", "must have the shape"},
        {"mixture { {plane {}, 1} }", "must have the shape of bodies"},
        {"sink { region = mixture { {sphere { radius = 1 }, 1} } }",
         "is a shape of bodies, not a region"},
    };

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        scree_error error;
        char text[400];
        snprintf(text, sizeof text, HEAD "%s" R, bad[k].text);
        if (open_scene_with(text, NULL, 0, &error))
            FAIL("%s was accepted", bad[k].text);
        CHECK_SAYS(error.text, bad[k].why);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(shares_are_of_numbers),
        CASE(shares_are_of_mass),
        CASE(mixtures_are_mixed_and_poured),
        CASE(what_is_no_mixture_is_refused),
    };
    NEEDS_SCENES("test_scene_mixture");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
