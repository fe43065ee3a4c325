/*  Clumps in pictures: they look as spheres of the same colour do that lie where their pebbles are. */
#include "harness/failing_allocator.h"
#include "picture_maker.h"

#include "base/quaternion.h"

#include <math.h>

#define WIDE 120u
#define HIGH 100u

static const scree_pebble pebbles[] = {
    {{0, 0, 0}, 0.2}, {{0.25, 0, 0}, 0.12}, {{-0.1, 0.22, 0}, 0.1}, {{0.1, -0.2, 0}, 0.05}};
#define PEBBLES 4u

static scree_clump *make_clump(int dimensions)
{
    scree_clump_def def = scree_default_clump_def();
    scree_clump *clump;

    def.dimensions = dimensions;
    def.pebbles = pebbles;
    def.pebble_count = PEBBLES;
    CHECK_EQUAL(scree_clump_create(&def, &clump), SCREE_OK);
    return clump;
}

static scree_world *empty_world(int dimensions, const scree_allocator *allocator)
{
    scree_world_def def = scree_default_world_def();

    def.dimensions = dimensions;
    def.step.dt = 1e-6;
    if (allocator)
        def.hooks.allocator = *allocator;
    return make_world(&def, NULL);
}

static scree_picture_def view(int dimensions)
{
    scree_picture_def def = small_picture(WIDE, HIGH);

    if (dimensions == 3)
        def.camera = (scree_picture_camera){.projection = SCREE_PICTURE_PERSPECTIVE,
                                            .placed = true,
                                            .eye = {3, 2, 2.5},
                                            .target = {0, 0, 0},
                                            .up = {0, 0, 1},
                                            .angle = 0.5,
                                            .height = 2,
                                            .zoom = 1};
    else
        def.camera.boxed = true;
    for (int k = 0; k < dimensions; k++) {
        def.camera.lower[k] = -1;
        def.camera.upper[k] = 1;
    }
    def.samples = 1;
    def.field = "none";
    return def;
}

/*  Two clumps, turned, and a ball; or spheres in the same places. */
static void fill(scree_world *clumps, scree_world *balls, int dimensions)
{
    scree_clump *clump = make_clump(dimensions);

    for (int c = 0; c < 2; c++) {
        scree_body_def def = ball(1, 0.3 - 0.6 * c, 0.2 * c, 0);
        const double turn[4] = {0.8, dimensions == 3 ? 0.3 * c : 0, 0, 0.6};
        double origin[3], frame[4];

        memcpy(def.orientation, turn, sizeof turn);
        def.shape = scree_shape_clump(clump);
        scree_body_id id = add(clumps, &def);
        CHECK_EQUAL(scree_world_body_frame(clumps, id, origin, frame), SCREE_OK);
        for (uint32_t p = 0; balls && p < PEBBLES; p++) {
            double place[3];
            scree_quaternion_turn(frame, pebbles[p].centre, place);
            scree_body_def other = ball(pebbles[p].radius, origin[0] + place[0],
                                        origin[1] + place[1], origin[2] + place[2]);
            /* marks of discs point where the body does */
            memcpy(other.orientation, body_of(clumps, id).orientation, sizeof other.orientation);
            add(balls, &other);
        }
    }
    scree_body_def lone = ball(0.15, 0, -0.5, 0);
    add(clumps, &lone);
    if (balls)
        add(balls, &lone);
    scree_clump_destroy(clump);
}

TEST(they_look_as_their_pebbles_do)
{
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        scree_world *clumps = empty_world(dimensions, NULL), *balls = empty_world(dimensions, NULL);
        scree_picture_def def = view(dimensions);
        uint32_t unlike = 0;

        fill(clumps, balls, dimensions);
        scree_picture *a = draw(clumps, &def);
        scree_picture *b = draw(balls, &def);
        for (uint32_t y = 0; y < HIGH; y++)
            for (uint32_t x = 0; x < WIDE; x++)
                unlike += memcmp(pixel_of(a, x, y), pixel_of(b, x, y), 3) != 0;
        /* a last bit of a place may turn the last bit of a colour */
        CHECK(unlike <= 12);
        CHECK_EQUAL(scree_picture_describe(a).bodies, 3);
        CHECK_EQUAL(scree_picture_describe(b).bodies, 9);
        scree_picture_destroy(a);
        scree_picture_destroy(b);
        scree_world_destroy(clumps);
        scree_world_destroy(balls);
    }
}

TEST(without_memory_there_is_no_picture)
{
    scree_world *world = empty_world(3, NULL);
    scree_picture_def def = view(3);

    fill(world, NULL, 3);
    for (size_t k = 1;; k++) {
        failing_allocator memory = {.fail_at = k};
        scree_error error = {SCREE_OK, ""};
        scree_picture *picture;
        def.allocator = failing_allocator_hooks(&memory);
        scree_status status = scree_picture_draw(world, &def, &picture, &error);
        CHECK(status == SCREE_OK || status == SCREE_OUT_OF_MEMORY);
        if (!status)
            scree_picture_destroy(picture);
        CHECK(failing_allocator_is_clean(&memory));
        if (memory.requests < k) {
            CHECK_EQUAL(status, SCREE_OK);
            break;
        }
    }
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(they_look_as_their_pebbles_do),
        CASE(without_memory_there_is_no_picture),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
