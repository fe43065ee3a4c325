/*  Distributions of sizes by curves: what is drawn has the shares that were asked for, of mass or of number. */
#include "scene_internal.h"
#include "scene_maker.h"

#include <math.h>

#define DRAWS 200000

static scree_scene *open_sizes(const char *sizes, const char *by, int dimensions)
{
    char text[600];

    snprintf(text, sizeof text,
             "%sg = material { density = 2500, young = 1e6 }\n"
             "fill { count = 1, material = g, by = \"%s\", shape = sphere { radius = %s },\n"
             "       region = box { lower = {0, 0, 0}, upper = {1, 1, 1} } }\nrun { time = 1 }",
             dimensions == 2 ? "domain { dimensions = 2 }\n" : "", by, sizes);
    return must_open(text);
}

/*  The shares of mass, or of number, that are below each of some sizes. */
static void find_shares(const scree_scene *scene, int dimensions, bool of_mass, const double *size,
                        double *share, size_t count)
{
    const scree_scene_sizes *sizes = &scree_scene_plan_of(scene)->sources[0].radius;
    scree_random random = scree_random_stream(7, 0);
    double all = 0;

    memset(share, 0, count * sizeof *share);
    for (int i = 0; i < DRAWS; i++) {
        double r = scene_draw_size(sizes, dimensions, &random);
        double part = of_mass ? scene_ball_volume(r, dimensions) : 1;
        CHECK(r >= sizes->lower && r <= sizes->upper);
        CHECK(scene_may_be_drawn(sizes, r));
        all += part;
        for (size_t k = 0; k < count; k++)
            share[k] += r < size[k] ? part : 0;
    }
    for (size_t k = 0; k < count; k++)
        share[k] /= all;
}

/*  By sieves of mass, in both dimensions, whatever `by` says, and in hundredths as well. */
TEST(sieves_have_their_shares)
{
    static const char *const curves[] = {
        "sieve_curve { {0.001, 0}, {0.002, 0.3}, {0.003, 0.3}, {0.004, 1} }",
        "sieve_curve { {0.001, 0}, {0.002, 30}, {0.003, 30}, {0.004, 100} }",
    };
    static const double size[] = {0.001414213562373095, 0.002, 0.003, 0.003464101615137755};
    static const double wanted[] = {0.15, 0.3, 0.3, 0.65};

    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int way = 0; way < 4; way++) {
            double share[4];
            scree_scene *scene =
                open_sizes(curves[way & 1], way & 2 ? "mass" : "number", dimensions);
            find_shares(scene, dimensions, true, size, share, 4);
            for (int k = 0; k < 4; k++)
                CHECK_NEAR(share[k], wanted[k], 0.01);
            /* nothing is where the curve is level */
            CHECK_NEAR(share[2] - share[1], 0, 0);
            scree_scene_close(scene);
        }
}

static double passed(double r, double size, double spread, double lower, double upper)
{
    double a = exp(-pow(lower / size, spread)), b = exp(-pow(upper / size, spread));
    return (a - exp(-pow(r / size, spread))) / (a - b);
}

TEST(formulas_have_their_shares)
{
    static const struct
    {
        const char *sizes, *by;
        bool of_mass;
        double spread, lower, upper;
    } cases[] = {
        {"rosin_rammler { size = 0.002, spread = 1.5, lower = 0.0008, upper = 0.005 }", "number",
         true, 1.5, 0.0008, 0.005},
        {"rosin_rammler(0.002, 4, 0.001, 0.003)", "mass", true, 4, 0.001, 0.003},
        {"weibull { size = 0.002, spread = 3, lower = 0.001, upper = 0.003 }", "number", false, 3,
         0.001, 0.003},
        {"weibull { size = 0.002, spread = 3, lower = 0.001, upper = 0.003 }", "mass", true, 3,
         0.001, 0.003},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        static const double size[] = {0.0015, 0.002, 0.0025};
        double share[3];
        scree_scene *scene = open_sizes(cases[c].sizes, cases[c].by, 3);
        find_shares(scene, 3, cases[c].of_mass, size, share, 3);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(share[k],
                       passed(size[k], 0.002, cases[c].spread, cases[c].lower, cases[c].upper),
                       0.01);
        scree_scene_close(scene);
    }
}

/*  Without bounds a hundredth is cut off at each end. */
TEST(bounds_follow_from_the_curve)
{
    scree_scene *scene = open_sizes("rosin_rammler(0.002, 2)", "number", 3);
    const scree_scene_sizes *sizes = &scree_scene_plan_of(scene)->sources[0].radius;

    CHECK_NEAR(exp(-pow(sizes->lower / 0.002, 2)), 0.99, 1e-4);
    CHECK_NEAR(exp(-pow(sizes->upper / 0.002, 2)), 0.01, 1e-4);
    scree_scene_close(scene);
}

/*  In units of the scene. */
TEST(units_hold)
{
    scree_scene *scene = must_open(
        "units { length = \"mm\" }\ng = material { density = 2500e-9, young = 1e3 }\n"
        "fill { count = 1, material = g, shape = sphere { radius = sieve_curve { {1, 0}, {2, 1} } "
        "},\n"
        "       region = box { lower = {0, 0, 0}, upper = {90, 90, 90} } }\nrun { time = 1 }");
    const scree_scene_sizes *sizes = &scree_scene_plan_of(scene)->sources[0].radius;

    CHECK_NEAR(sizes->lower, 0.001, 1e-18);
    CHECK_NEAR(sizes->upper, 0.002, 1e-18);
    CHECK_NEAR(sizes->table[1][0], 0.002, 1e-18);
    scree_scene_close(scene);
}

TEST(what_is_no_curve_is_refused)
{
    static const char *const cases[][2] = {
        {"sieve_curve { }", "sieve_curve: it is empty"},
        {"sieve_curve { {0.001, 0} }", "has 1 item"},
        {"sieve_curve { {0.001, 0}, {0.001, 1} }", "row 2 has the size 0.001, must be above 0.001"},
        {"sieve_curve { {0, 0}, {0.001, 1} }", "row 1 has the size 0, must be above 0"},
        {"sieve_curve { {0.001, 0.1}, {0.002, 1} }", "row 1 has the share 0.1, must be 0"},
        {"sieve_curve { {0.001, 0}, {0.002, 0.5}, {0.003, 0.4} }", "row 3 has the share 0.4"},
        {"sieve_curve { {0.001, 0}, {0.002, 0} }", "the last share is 0"},
        {"sieve_curve { {0.001, 0}, {0.002, 1/0} }", "item 2 is inf, must be a number"},
        {"sieve_curve { {0.001, 0}, 3 }", "row 2 is 3, must be {size, share that is smaller}"},
        {"rosin_rammler(0.001)", "rosin_rammler: `spread` is missing"},
        {"rosin_rammler(0, 1)", "size: is 0"},
        {"rosin_rammler(0.001, 0)", "spread: is 0"},
        {"weibull { size = 0.001, spread = 2, lower = 0.002, upper = 0.001 }",
         "weibull: lower is 0.002 and upper is 0.001"},
        {"weibull { size = 0.001, spread = 20, lower = 0.01, upper = 0.02 }",
         "has almost no share"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[300];
        scree_error error;
        snprintf(text, sizeof text, "x = %s\nrun { time = 1 }", cases[k][0]);
        CHECK(!open_scene_with(text, NULL, 0, &error));
        CHECK_SAYS(error.text, cases[k][1]);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(sieves_have_their_shares),     CASE(formulas_have_their_shares),
        CASE(bounds_follow_from_the_curve), CASE(units_hold),
        CASE(what_is_no_curve_is_refused),
    };
    NEEDS_SCENES("test_sizes");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
