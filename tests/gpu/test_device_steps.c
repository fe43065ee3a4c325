/*  Steps on a device, against those of the host: after each call both worlds have the same digest. */
#include "device_bed.h"

#define HAVE_DEVICE()                                                                              \
    do {                                                                                           \
        if (!has_device())                                                                         \
            return;                                                                                \
    } while (0)

#define SIZE TEST_EFFORT(5, 12)
#define STEPS (uint64_t) TEST_EFFORT(1200, 10000)

TEST(spheres_that_fall_and_settle)
{
    HAVE_DEVICE();
    const device_bed bed = {
        .side = SIZE, .layers = 6, .least = 0.8, .speed = 0.1, .has_weight = true};

    check_same_steps(&bed, STEPS);
}

TEST(sizes_from_1_to_10)
{
    HAVE_DEVICE();
    const device_bed bed = {
        .side = SIZE, .layers = 4, .least = 0.1, .speed = 3, .has_weight = true, .dt = 3e-6};

    check_same_steps(&bed, STEPS);
}

TEST(walls_on_their_paths)
{
    HAVE_DEVICE();
    const device_bed bed = {
        .side = SIZE, .layers = 4, .least = 0.7, .has_weight = true, .shakes = true};

    check_same_steps(&bed, STEPS);
}

TEST(two_materials_without_weight)
{
    HAVE_DEVICE();
    const device_bed bed = {
        .side = SIZE, .layers = 4, .least = 0.7, .speed = 0.5, .has_two_materials = true};

    check_same_steps(&bed, STEPS);
}

/*  Grains that fly at each other, by each law that spheres have. */
static void check_law(const char *law, double dt, const char *const *names, const double *values)
{
    const device_bed bed = {.law = law,
                            .side = 4,
                            .layers = 4,
                            .least = 0.6,
                            .speed = 1,
                            .has_weight = true,
                            .dt = dt,
                            .names = names,
                            .values = values};

    check_same_steps(&bed, (uint64_t)TEST_EFFORT(900, 10000));
}

TEST(linear_law)
{
    HAVE_DEVICE();
    check_law("linear", 1e-5, NULL, NULL);
}

TEST(rolling_laws)
{
    HAVE_DEVICE();
    static const char *const names[] = {"rolling_friction", "twisting_friction", NULL};
    static const double values[] = {0.1, 0.05};

    check_law("linear-rolling", 1e-5, names, values);
    check_law("hertz-rolling", 1e-5, names, values);
}

TEST(laws_that_stick)
{
    HAVE_DEVICE();
    static const char *const energy[] = {"adhesion", NULL};
    static const char *const range[] = {"adhesion", "separation", NULL};
    static const char *const cohesion[] = {"cohesion", NULL};
    static const char *const liquid[] = {"volume", "surface_tension", NULL};
    static const char *const plastic[] = {"stiffness", "plastic_stiffness", "cohesion_stiffness",
                                          NULL};

    check_law("jkr", 1e-5, energy, (const double[]){0.5});
    check_law("dmt", 1e-5, range, (const double[]){0.1, 1e-5});
    check_law("sjkr", 1e-5, cohesion, (const double[]){1e5});
    check_law("capillary", 1e-5, liquid, (const double[]){1e-9, 0.07});
    static const char *const flat[] = {"adhesion", "plasticity", "pull_off_force", NULL};

    check_law("eepa", 5e-6, flat, (const double[]){0.5, 0.6, 1e-3});
    check_law("plastic", 1e-5, plastic, (const double[]){5e4, 1e5, 2e4});
}

TEST(penalty_law)
{
    HAVE_DEVICE();
    static const char *const names[] = {"contact_skin", "strength", NULL};

    check_law("penalty", 1e-5, names, (const double[]){1e-3, 1e4});
}

TEST(periodic_box)
{
    HAVE_DEVICE();
    const device_bed bed = {.side = SIZE,
                            .layers = 5,
                            .least = 0.7,
                            .speed = 0.5,
                            .has_weight = true,
                            .is_periodic = true};

    check_same_steps(&bed, STEPS);
}

TEST(periodic_shear)
{
    HAVE_DEVICE();
    const device_bed bed = {.side = SIZE,
                            .layers = 5,
                            .least = 0.7,
                            .speed = 2,
                            .is_periodic = true,
                            .has_no_walls = true,
                            .gradient = {[2] = 40},
                            .homogeneous = true};

    check_same_steps(&bed, STEPS);
}

/*  It shrinks along all axes and is tilted along two. */
TEST(periodic_compression)
{
    HAVE_DEVICE();
    const device_bed bed = {.side = SIZE,
                            .layers = 5,
                            .least = 0.7,
                            .speed = 2,
                            .is_periodic = true,
                            .has_no_walls = true,
                            .gradient = {-8, 5, 3, 0, -6, 9, 0, 0, -10},
                            .homogeneous = true};

    check_same_steps(&bed, (uint64_t)TEST_EFFORT(1200, 3000));
}

TEST(damped)
{
    HAVE_DEVICE();
    const device_bed bed = {.side = SIZE,
                            .layers = 4,
                            .least = 0.7,
                            .speed = 0.5,
                            .damping = 3,
                            .local_damping = 0.1,
                            .has_weight = true};

    check_same_steps(&bed, STEPS);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {CASE(spheres_that_fall_and_settle),
                                      CASE(sizes_from_1_to_10),
                                      CASE(walls_on_their_paths),
                                      CASE(two_materials_without_weight),
                                      CASE(linear_law),
                                      CASE(rolling_laws),
                                      CASE(laws_that_stick),
                                      CASE(penalty_law),
                                      CASE(periodic_box),
                                      CASE(periodic_shear),
                                      CASE(periodic_compression),
                                      CASE(damped)};
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
