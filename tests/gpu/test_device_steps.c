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
    const device_bed bed = {.side = SIZE, .layers = 6, .least = 0.8, .speed = 0.1, .has_weight = true};

    check_same_steps(&bed, STEPS);
}

TEST(sizes_from_1_to_10)
{
    HAVE_DEVICE();
    const device_bed bed = {
        .side = SIZE, .layers = 4, .least = 0.1, .speed = 0.2, .has_weight = true, .dt = 2e-6};

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
    static const test_case tests[] = {
        CASE(spheres_that_fall_and_settle), CASE(sizes_from_1_to_10), CASE(walls_on_their_paths),
        CASE(two_materials_without_weight), CASE(damped)};
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
