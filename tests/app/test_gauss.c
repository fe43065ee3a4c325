/*  Regression by Gaussian processes: it goes through its points, knows where it does not know, and finds lengths and noise. */
#include "../../app/calibrate/gauss.c"

#include "base/random.h"
#include "test.h"

static double wave(const double *x)
{
    return 3 + scree_sin(2 * x[0]) - 2 * x[1] * x[1];
}

/*  Points in the unit square. */
static bool learn(scree_gauss *g, size_t count, double noise)
{
    scree_random random = scree_random_stream(5, 0);
    if (!scree_gauss_create(g, 2, count + 1))
        return false;
    for (size_t k = 0; k < count; k++) {
        double x[2] = {scree_random_unit(&random), scree_random_unit(&random)};
        scree_gauss_add(g, x, wave(x) + noise * scree_random_normal(&random));
    }
    scree_gauss_fit(g);
    return true;
}

TEST(a_smooth_function_is_found_from_few_points)
{
    scree_gauss g;
    CHECK(learn(&g, 20, 0));
    for (size_t k = 0; k < g.count; k++) {
        double mean, deviation;
        scree_gauss_predict(&g, g.points + 2 * k, &mean, &deviation);
        CHECK(fabs(mean - g.values[k]) < 1e-3);
        CHECK(deviation < 1e-2);
    }
    for (double x = 0.1; x < 1; x += 0.2) {
        double at[2] = {x, 0.5 * x + 0.2}, mean, deviation;
        scree_gauss_predict(&g, at, &mean, &deviation);
        CHECK(fabs(mean - wave(at)) < 0.05);
        CHECK(fabs(mean - wave(at)) < 4 * deviation + 1e-3);
    }
    scree_gauss_free(&g);
}

TEST(far_from_all_points_the_deviation_is_large)
{
    scree_gauss g;
    double mean, deviation, far[2] = {40, -30}, centre[2] = {0.5, 0.5}, near_by;
    CHECK(learn(&g, 15, 0));
    scree_gauss_predict(&g, far, &mean, &deviation);
    scree_gauss_predict(&g, centre, &mean, &near_by);
    CHECK(deviation > 10 * near_by);
    CHECK(fabs(deviation - sqrt(g.variance)) < 1e-3 * deviation);
    scree_gauss_free(&g);
}

TEST(noise_is_told_from_the_function)
{
    scree_gauss quiet, noisy;
    CHECK(learn(&quiet, 40, 0));
    CHECK(learn(&noisy, 40, 0.3));
    CHECK(quiet.noise < 1e-3);
    /* its deviation over that of the values */
    CHECK(noisy.noise * noisy.variance > 0.03);
    CHECK(noisy.noise * noisy.variance < 0.27);
    scree_gauss_free(&quiet);
    scree_gauss_free(&noisy);
}

TEST(equal_values_and_equal_points_do_no_harm)
{
    scree_gauss g;
    double x[2] = {0.5, 0.5}, y[2] = {0.5, 0.6}, mean, deviation;
    CHECK(scree_gauss_create(&g, 2, 4));
    scree_gauss_add(&g, x, 7);
    scree_gauss_add(&g, x, 7);
    scree_gauss_add(&g, y, 7);
    scree_gauss_fit(&g);
    scree_gauss_predict(&g, y, &mean, &deviation);
    CHECK(fabs(mean - 7) < 1e-9 && deviation < 1e-6);
    scree_gauss_add(&g, x, 9);
    scree_gauss_fit(&g);
    scree_gauss_predict(&g, x, &mean, &deviation);
    CHECK(mean > 7 && mean < 9);
    scree_gauss_free(&g);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_smooth_function_is_found_from_few_points),
        CASE(far_from_all_points_the_deviation_is_large),
        CASE(noise_is_told_from_the_function),
        CASE(equal_values_and_equal_points_do_no_harm),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
