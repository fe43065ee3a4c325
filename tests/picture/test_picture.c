/*  Pictures of worlds: what is on them, that they are bit-identical however they are made, and what is refused. */
#include "harness/failing_allocator.h"
#include "picture_maker.h"

#include <unistd.h>

static bool same_pixels(const scree_picture *a, const scree_picture *b)
{
    scree_picture_info x = scree_picture_describe(a), y = scree_picture_describe(b);
    return x.width == y.width && x.height == y.height &&
           memcmp(x.pixels, y.pixels, (size_t)x.width * x.height * 3) == 0;
}

static uint64_t sum_of(const scree_picture *picture)
{
    scree_picture_info info = scree_picture_describe(picture);
    uint64_t sum = 14695981039346656037u; /* FNV-1a */
    for (size_t k = 0; k < (size_t)info.width * info.height * 3; k++)
        sum = (sum ^ info.pixels[k]) * 1099511628211u;
    return sum;
}

/*  One grey ball, seen straight along -z without light and shade. */
TEST(a_ball_covers_what_it_should)
{
    scree_world_def world_def = scree_default_world_def();
    world_def.step.dt = 1;
    scree_world *world = make_world(&world_def, NULL);
    scree_body_def one = ball(0.3, 0.1, -0.2, 5);
    add(world, &one);
    scree_picture_def def = small_picture(200, 160);
    def.camera = (scree_picture_camera){.projection = SCREE_PICTURE_ORTHOGRAPHIC,
                                        .placed = true,
                                        .eye = {0.1, -0.2, 9},
                                        .target = {0.1, -0.2, 0},
                                        .up = {0, 1, 0},
                                        .angle = 1,
                                        .zoom = 1,
                                        .height = 1};
    def.samples = 4;
    scree_picture *with = draw(world, &def);
    scree_picture_info info = scree_picture_describe(with);
    CHECK_EQUAL(info.bodies, 1);
    /* what differs from the sky at the same height, by the boundary's share of each pixel: 160 pixels a metre */
    uint32_t covered = 0;
    for (uint32_t y = 0; y < 160; y++)
        for (uint32_t x = 0; x < 200; x++)
            covered += memcmp(pixel_of(with, x, y), pixel_of(with, 0, y), 3) != 0;
    double area = 3.14159265 * 48 * 48, rim = 2 * 3.14159265 * 48;
    CHECK_NEAR(covered, area + rim / 2,
               rim / 2); /* half of the boundary's pixels count as a whole */
    /* the middle is the middle, and the picture is not upside down: light comes from above */
    CHECK(pixel_of(with, 100, 36)[1] > pixel_of(with, 100, 124)[1]);
    CHECK(memcmp(pixel_of(with, 100, 30), pixel_of(with, 0, 30), 3) == 0);
    CHECK(memcmp(pixel_of(with, 100, 34), pixel_of(with, 0, 34), 3) != 0);
    scree_picture_destroy(with);
    scree_world_destroy(world);
}

TEST(a_fitted_camera_sees_all)
{
    scree_world *world = crowded_world(60, false, NULL);
    for (int way = 0; way < 24; way++) {
        scree_picture_def def = small_picture(160, way % 2 ? 90 : 200);
        def.camera.turn = way * 0.7;
        def.camera.rise = way < 20 ? way * 0.15 - 1.5 : 1.5707963267948966;
        def.camera.projection = way % 3 ? SCREE_PICTURE_PERSPECTIVE : SCREE_PICTURE_ORTHOGRAPHIC;
        scree_picture *picture = draw(world, &def);
        uint32_t left = def.width, right = 0, top = def.height, bottom = 0;
        /* nothing touches the boundary, and most of the picture is used */
        for (uint32_t y = 0; y < def.height; y++) {
            CHECK(memcmp(pixel_of(picture, 0, y), pixel_of(picture, def.width - 1, y), 3) == 0);
            for (uint32_t x = 0; x < def.width; x++) {
                if (memcmp(pixel_of(picture, x, y), pixel_of(picture, 0, y), 3) == 0)
                    continue;
                left = x < left ? x : left;
                right = x > right ? x : right;
                top = y < top ? y : top;
                bottom = y > bottom ? y : bottom;
            }
        }
        CHECK(right - left > 0.6 * def.width || bottom - top > 0.6 * def.height);
        scree_picture_destroy(picture);
    }
    scree_world_destroy(world);
}

/*  The bytes are those of the state: not of threads, nor of the order in memory. */
TEST(pictures_are_bit_identical)
{
    uint32_t order[300];
    for (uint32_t i = 0; i < 300; i++)
        order[i] = (i * 91 + 17) % 300;
    scree_world *world = crowded_world(300, true, NULL), *mixed = crowded_world(300, true, order);
    scree_world *flat = flat_world(300);
    for (int kind = 0; kind < 4; kind++) {
        scree_picture_def def = small_picture(203, 151);
        def.colour_bar = def.time_label = true;
        def.camera.projection = kind == 1 ? SCREE_PICTURE_ORTHOGRAPHIC : SCREE_PICTURE_PERSPECTIVE;
        def.walls = kind == 2 ? SCREE_PICTURE_WALLS_LINES : SCREE_PICTURE_WALLS_GLASS;
        def.field = kind == 2 ? "coordination" : "spin";
        scree_picture *first = draw(kind == 3 ? flat : world, &def);
        for (uint32_t threads = 2; threads <= 7; threads += 5) {
            def.thread_count = threads;
            scree_picture *other = draw(kind == 3 ? flat : mixed, &def);
            CHECK(same_pixels(first, other));
            scree_picture_destroy(other);
        }
        scree_picture_destroy(first);
    }
    scree_world_destroy(world);
    scree_world_destroy(mixed);
    scree_world_destroy(flat);
}

/*  And they are the same on all machines. A change of how pictures look changes these numbers. */
TEST(pictures_are_what_they_were)
{
    static const uint64_t known[] = {0x92bb2e17d47d2854, 0xa1cfe68b344dc790, 0x475ddd5db974e5c5};
    scree_world *world = crowded_world(300, true, NULL), *flat = flat_world(300);
    scree_picture_def def = scree_default_picture_def();
    def.width = 320;
    def.height = 200;
    scree_picture *pictures[3] = {draw(world, &def), draw(flat, &def), NULL};
    def.background = SCREE_PICTURE_LIGHT;
    def.field = "radius";
    def.logarithmic = true;
    def.walls = SCREE_PICTURE_WALLS_SOLID;
    def.shadows = SCREE_PICTURE_SHADOWS_HARD;
    def.samples = 3;
    pictures[2] = draw(world, &def);
    for (int k = 0; k < 3; k++) {
        if (sum_of(pictures[k]) != known[k])
            FAIL("picture %d is 0x%016" PRIx64, k, sum_of(pictures[k]));
        scree_picture_destroy(pictures[k]);
    }
    scree_world_destroy(world);
    scree_world_destroy(flat);
}

static uint32_t differing(const scree_picture *a, const scree_picture *b)
{
    uint32_t count = 0;
    scree_picture_info info = scree_picture_describe(a);
    for (uint32_t y = 0; y < info.height; y++)
        for (uint32_t x = 0; x < info.width; x++)
            count += memcmp(pixel_of(a, x, y), pixel_of(b, x, y), 3) != 0;
    return count;
}

/*  Every choice changes what is drawn. */
TEST(no_option_is_ignored)
{
    scree_world *world = crowded_world(200, true, NULL);
    scree_picture_def plain = small_picture(160, 120);
    scree_picture *before = draw(world, &plain);
    scree_picture_def changed[40];
    int count = 0;
    for (size_t k = 0; k < sizeof changed / sizeof *changed; k++)
        changed[k] = plain;
    changed[count++].camera.projection = SCREE_PICTURE_ORTHOGRAPHIC;
    changed[count++].camera.angle = 1.2;
    changed[count++].camera.turn = 2;
    changed[count++].camera.rise = 1;
    changed[count++].camera.zoom = 2;
    changed[count].camera.boxed = true;
    changed[count++].camera.upper[2] = 1;
    changed[count++].field = "radius";
    changed[count++].logarithmic = true;
    changed[count++].map = "ember";
    changed[count].ranged = true;
    changed[count++].range[1] = 0.4;
    changed[count++].colour_bar = true;
    changed[count++].time_label = true;
    changed[count++].title = "the title of this picture";
    changed[count++].background = SCREE_PICTURE_LIGHT;
    changed[count++].light[0] = 1;
    changed[count++].shadows = SCREE_PICTURE_SHADOWS_HARD;
    changed[count++].shadows = SCREE_PICTURE_SHADOWS_NONE;
    changed[count++].occlusion = false;
    for (int walls = SCREE_PICTURE_WALLS_CUT; walls <= SCREE_PICTURE_WALLS_NONE; walls++)
        changed[count++].walls = (scree_picture_walls)walls;
    changed[count].clip_count = 1;
    changed[count++].clips[0][0] = 1;
    changed[count++].samples = 1;
    changed[count++].samples = 4;
    CHECK(count <= (int)(sizeof changed / sizeof *changed));
    for (int k = 0; k < count; k++) {
        scree_picture *after = draw(world, &changed[k]);
        if (differing(before, after) < 20)
            FAIL("change %d makes no difference", k);
        scree_picture_destroy(after);
    }
    scree_picture_destroy(before);
    scree_world_destroy(world);
}

/*  A ball in a box: glass and cut let it be seen, solid hides it. */
TEST(walls_do_not_hide_bodies)
{
    scree_world_def world_def = scree_default_world_def();
    const double lower[3] = {-1, -1, -1}, upper[3] = {1, 1, 1};
    world_def.step.dt = 1;
    scree_world *world = make_world(&world_def, NULL);
    scree_body_def one = ball(0.9, 0, 0, 0);
    add(world, &one);
    add_box_wall(world, lower, upper);
    scree_picture_def def = small_picture(100, 100);
    def.field = "none";
    def.occlusion = false;
    scree_picture *shown[5];
    for (int walls = 0; walls < 5; walls++) {
        def.walls = (scree_picture_walls)walls;
        def.camera.boxed = true;
        memcpy(def.camera.lower, lower, sizeof lower);
        memcpy(def.camera.upper, upper, sizeof upper);
        shown[walls] = draw(world, &def);
    }
    const uint8_t *bare = pixel_of(shown[SCREE_PICTURE_WALLS_NONE], 50, 50);
    for (int k = 0; k < 3; k++) {
        CHECK_EQUAL(pixel_of(shown[SCREE_PICTURE_WALLS_CUT], 50, 50)[k], bare[k]);
        CHECK(abs(pixel_of(shown[SCREE_PICTURE_WALLS_GLASS], 50, 50)[k] - bare[k]) < 30);
    }
    CHECK(pixel_of(shown[SCREE_PICTURE_WALLS_SOLID], 50, 50)[0] + 40 < bare[0]);
    /* the walls behind are there where the ball is not */
    CHECK(differing(shown[SCREE_PICTURE_WALLS_CUT], shown[SCREE_PICTURE_WALLS_NONE]) > 500);
    for (int walls = 0; walls < 5; walls++)
        scree_picture_destroy(shown[walls]);
    scree_world_destroy(world);
}

TEST(balls_throw_shadows_on_floors_and_each_other)
{
    scree_world_def world_def = scree_default_world_def();
    world_def.step.dt = 1;
    scree_world *world = make_world(&world_def, NULL);
    scree_wall_def floor = scree_default_wall_def();
    scree_body_def one = ball(0.5, 0, 0, 3), other = ball(0.5, 0, 0, 0.5);
    floor.material.index1 = 1;
    CHECK_EQUAL(scree_world_add_wall(world, &floor, NULL), SCREE_OK);
    add(world, &one);
    add(world, &other);
    scree_picture_def def = small_picture(120, 120);
    def.light[2] = 1;
    def.field = "none";
    def.occlusion = false;
    scree_picture *dark = draw(world, &def);
    def.shadows = SCREE_PICTURE_SHADOWS_NONE;
    scree_picture *lit = draw(world, &def);
    uint32_t darker = 0, brighter = 0;
    for (uint32_t y = 0; y < 120; y++)
        for (uint32_t x = 0; x < 120; x++) {
            darker += pixel_of(dark, x, y)[1] + 20 < pixel_of(lit, x, y)[1];
            brighter += pixel_of(dark, x, y)[1] > pixel_of(lit, x, y)[1];
        }
    CHECK(darker > 100);
    CHECK_EQUAL(brighter, 0);
    scree_picture_destroy(dark);
    scree_picture_destroy(lit);
    scree_world_destroy(world);
}

static double height_of(const scree_bodies_view *bodies, size_t row, void *user)
{
    double height = scree_row_at(bodies->position, row)[2];
    return user && scree_uint64_at(bodies->serial, row) == 3 ? *(double *)user : height;
}

TEST(fields_of_ones_own_and_ranges)
{
    scree_world *world = crowded_world(50, false, NULL);
    scree_picture_def def = small_picture(64, 48);
    double bad = NAN, range[2], lower[3], upper[3];
    scree_error error;
    scree_picture *picture;
    def.own_field = height_of;
    def.field = "my height";
    def.own_unit = "m";
    def.colour_bar = true;
    picture = draw(world, &def);
    scree_picture_info info = scree_picture_describe(picture);
    CHECK_EQUAL(info.bodies, 50);
    CHECK_EQUAL(scree_picture_range(world, &def, range, &error), SCREE_OK);
    CHECK(range[0] == info.range[0] && range[1] == info.range[1]);
    CHECK(range[0] >= 0.06 && range[0] < 0.2 && range[1] > 0.8 && range[1] <= 1);
    scree_picture_destroy(picture);
    def.own_user = &bad;
    CHECK_EQUAL(scree_picture_draw(world, &def, &picture, &error), SCREE_BAD_VALUE);
    CHECK(picture == NULL);
    CHECK_SAYS(error.text, "field \"my height\" of body 3 is nan");
    CHECK_EQUAL(scree_picture_range(world, &def, range, NULL), SCREE_BAD_VALUE);
    CHECK_EQUAL(scree_picture_range(world, &def, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_picture_box(world, &def, lower, upper, NULL), SCREE_OK);
    CHECK(lower[2] > 0 && upper[2] < 1.06 && lower[0] < -0.4);
    CHECK_EQUAL(scree_picture_box(world, &def, NULL, upper, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_picture_box(NULL, &def, lower, upper, NULL), SCREE_BAD_ARGUMENT);
    scree_world_destroy(world);
}

/*  One value, but for the last digit of every second. */
static double value_of(const scree_bodies_view *bodies, size_t row, void *user)
{
    double value = *(double *)user;
    return scree_uint64_at(bodies->serial, row) % 2 ? value : value * (1 + 0x1p-50);
}

TEST(what_rounding_makes_is_no_range)
{
    scree_world *world = crowded_world(50, false, NULL);
    scree_picture_def def = small_picture(64, 48);
    double value, range[2];
    def.own_field = value_of;
    def.own_user = &value;
    def.field = "value";
    for (value = -3; value <= 3; value += 6) {
        CHECK_EQUAL(scree_picture_range(world, &def, range, NULL), SCREE_OK);
        CHECK(fabs(range[0] - (value - 1.5)) < 1e-9 && fabs(range[1] - (value + 1.5)) < 1e-9);
    }
    scree_world_destroy(world);
}

/*  Nothing to be seen, everything clipped, one body of radius so small or so far that little is left. */
TEST(strange_worlds_are_drawn)
{
    scree_world *empty = crowded_world(0, false, NULL), *walls = crowded_world(0, true, NULL);
    scree_world *many = crowded_world(40, true, NULL);
    scree_world_def world_def = scree_default_world_def();
    world_def.step.dt = 1;
    scree_world *far = make_world(&world_def, NULL);
    scree_body_def tiny = ball(1e-9, 1e6, 0, 0), huge = ball(1e20, 0, 0, 0);
    add(far, &tiny);
    scree_picture_def def = small_picture(64, 48);
    def.colour_bar = def.time_label = true;
    scree_world *all[] = {empty, walls, many, far};
    for (int k = 0; k < 4; k++)
        for (int way = 0; way < 6; way++) {
            def.clip_count = way == 1 ? 1 : 0;
            def.clips[0][3] = -1e9;
            def.logarithmic = way == 2;
            def.field = way == 3 ? "material" : way == 4 ? "coordination" : "velocity_z";
            def.camera.rise = way == 5 ? -1.5707963267948966 : 0.45;
            scree_picture *picture = draw(all[k], &def);
            CHECK_EQUAL(scree_picture_describe(picture).bodies,
                        way == 1 ? 0 : scree_world_body_count(all[k]));
            scree_picture_destroy(picture);
        }
    /* as much energy as there can be */
    huge.velocity[0] = 1e100;
    def.field = "energy";
    add(far, &huge);
    scree_picture_destroy(draw(far, &def));
    /* the eye within a body, and bodies behind it */
    def.camera.placed = true;
    def.camera.eye[2] = 0.5;
    def.camera.target[0] = 1;
    def.camera.height = 1;
    for (int way = 0; way < 2; way++) {
        def.camera.projection = (scree_picture_projection)way;
        scree_picture_destroy(draw(many, &def));
        scree_picture_destroy(draw(far, &def));
    }
    for (int k = 0; k < 4; k++)
        scree_world_destroy(all[k]);
}

TEST(what_cannot_be_drawn_is_refused)
{
    scree_world *world = crowded_world(3, false, NULL);
    const scree_picture_def good = small_picture(16, 16);
    scree_picture_def def;
    scree_picture *picture = NULL;
    scree_error error;
#define REFUSES(change, status, says)                                                              \
    do {                                                                                           \
        def = good;                                                                                \
        change;                                                                                    \
        CHECK_EQUAL(scree_picture_draw(world, &def, &picture, &error), status);                    \
        CHECK(picture == NULL);                                                                    \
        CHECK_SAYS(error.text, says);                                                              \
    } while (0)
    REFUSES(def.cookie = 0, SCREE_BAD_DEF, "not made by scree_default_picture_def");
    REFUSES(def.width = 0, SCREE_BAD_VALUE, "width is 0, must be 1 to 16384");
    REFUSES(def.width = 1u << 31, SCREE_BAD_VALUE, "width is 2.14748e+09");
    REFUSES(def.height = 0, SCREE_BAD_VALUE, "height is 0");
    REFUSES(def.height = 1u << 31, SCREE_BAD_VALUE, "height is 2.14748e+09");
    REFUSES(def.samples = 0, SCREE_BAD_VALUE, "samples is 0");
    REFUSES(def.samples = 5, SCREE_BAD_VALUE, "samples is 5");
    REFUSES(def.field = "sped", SCREE_BAD_ARGUMENT, "did you mean \"speed\"?");
    REFUSES(def.field = "@", SCREE_BAD_ARGUMENT, "there is no field \"@\"");
    REFUSES(def.field = NULL, SCREE_BAD_ARGUMENT, "there is no field \"(null)\"");
    REFUSES(def.map = "lagun", SCREE_BAD_ARGUMENT, "did you mean \"lagoon\"?");
    REFUSES(def.map = "@", SCREE_BAD_ARGUMENT, "there is no map \"@\"");
    REFUSES(def.ranged = true, SCREE_BAD_VALUE, "range is 0 to 0");
    REFUSES((def.ranged = true, def.range[1] = NAN), SCREE_BAD_VALUE, "range is 0 to nan");
    REFUSES((def.ranged = def.logarithmic = true, def.range[1] = 1), SCREE_BAD_VALUE,
            "range[0] is 0, must be above 0");
    REFUSES(def.clip_count = 9, SCREE_BAD_VALUE, "clip_count is 9");
    REFUSES((def.clip_count = 2, def.clips[1][2] = INFINITY), SCREE_BAD_VALUE, "clips[1]");
    REFUSES(def.light[1] = NAN, SCREE_BAD_VALUE, "light is (0, nan, 0)");
    REFUSES(def.camera.angle = 0, SCREE_BAD_VALUE, "camera.angle is 0");
    REFUSES(def.camera.angle = 3.1, SCREE_BAD_VALUE, "camera.angle is 3.1");
    REFUSES(def.camera.turn = NAN, SCREE_BAD_VALUE, "camera.turn is nan");
    REFUSES(def.camera.rise = INFINITY, SCREE_BAD_VALUE, "camera.rise is inf");
    REFUSES(def.camera.zoom = 0, SCREE_BAD_VALUE, "camera.zoom is 0");
    REFUSES(def.camera.projection = (scree_picture_projection)2, SCREE_BAD_VALUE, "projection");
    REFUSES(def.background = (scree_picture_background)2, SCREE_BAD_VALUE, "background is 2");
    REFUSES(def.shadows = (scree_picture_shadows)3, SCREE_BAD_VALUE, "shadows is 3");
    REFUSES(def.walls = (scree_picture_walls)5, SCREE_BAD_VALUE, "walls is 5");
    REFUSES(def.thread_count = 0, SCREE_BAD_ARGUMENT, "thread_count");
    REFUSES(def.allocator.allocate = failing_allocator_allocate, SCREE_BAD_DEF, "allocator");
    REFUSES(def.camera.placed = true, SCREE_BAD_ARGUMENT, "camera.eye and camera.target must diff");
    REFUSES((def.camera.placed = true, def.camera.eye[2] = 1), SCREE_BAD_ARGUMENT, "camera.up");
    REFUSES((def.camera.placed = true, def.camera.eye[0] = 1, def.camera.up[2] = 0),
            SCREE_BAD_ARGUMENT, "camera.up");
    REFUSES((def.camera.placed = true, def.camera.eye[0] = NAN), SCREE_BAD_VALUE,
            "camera.eye is (nan");
    REFUSES((def.camera.placed = true, def.camera.projection = SCREE_PICTURE_ORTHOGRAPHIC),
            SCREE_BAD_VALUE, "camera.height is 0");
    REFUSES((def.camera.boxed = true, def.camera.lower[1] = 1), SCREE_BAD_VALUE,
            "camera.upper is 0");
    REFUSES((def.camera.boxed = true, def.camera.upper[1] = INFINITY), SCREE_BAD_VALUE,
            "camera.upper is (");
#undef REFUSES
    CHECK_EQUAL(scree_picture_draw(NULL, &good, &picture, &error), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_picture_draw(world, NULL, &picture, &error), SCREE_BAD_DEF);
    CHECK_EQUAL(scree_picture_draw(world, &good, NULL, &error), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_picture_png(world, &good, "/nowhere/x.png", &error), SCREE_IO_ERROR);
    CHECK_SAYS(error.text, "/nowhere/x.png");
    def = good;
    def.width = 0;
    CHECK_EQUAL(scree_picture_png(world, &def, "/nowhere/x.png", NULL), SCREE_BAD_VALUE);
    scree_picture_destroy(NULL);
    scree_world_destroy(world);
}

static void survive(scree_world *world, scree_picture_def def, const char *path)
{
    for (size_t k = 1;; k++) {
        failing_allocator books = {.fail_at = k};
        def.allocator = failing_allocator_hooks(&books);
        scree_status status = scree_picture_png(world, &def, path, NULL);
        double range[2], lower[3], upper[3];
        CHECK_EQUAL(status, books.requests >= k ? SCREE_OUT_OF_MEMORY : SCREE_OK);
        CHECK_EQUAL(access(path, F_OK) == 0, status == SCREE_OK);
        unlink(path);
        CHECK(failing_allocator_is_clean(&books));
        bool done = books.requests < k;
        books.requests = 0;
        status = scree_picture_range(world, &def, range, NULL);
        CHECK_EQUAL(status,
                    books.failures > 0 && books.requests >= k ? SCREE_OUT_OF_MEMORY : SCREE_OK);
        books.requests = 0;
        status = scree_picture_box(world, &def, lower, upper, NULL);
        CHECK_EQUAL(status, books.requests >= k ? SCREE_OUT_OF_MEMORY : SCREE_OK);
        CHECK(failing_allocator_is_clean(&books));
        if (done)
            break;
    }
}

TEST(every_failed_allocation_is_survived)
{
    scree_world *world = crowded_world(30, true, NULL), *flat = flat_world(30);
    scree_picture_def def = small_picture(70, 40);
    char path[64];
    snprintf(path, sizeof path, "/tmp/scree-picture-%ld.png", (long)getpid());
    def.thread_count = 2;
    survive(flat, def, path);
    survive(world, def, path);
    def.field = "coordination";
    def.thread_count = 1;
    survive(world, def, path);
    scree_world_destroy(world);
    scree_world_destroy(flat);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_ball_covers_what_it_should),
        CASE(a_fitted_camera_sees_all),
        CASE(pictures_are_bit_identical),
        CASE(pictures_are_what_they_were),
        CASE(no_option_is_ignored),
        CASE(walls_do_not_hide_bodies),
        CASE(balls_throw_shadows_on_floors_and_each_other),
        CASE(fields_of_ones_own_and_ranges),
        CASE(what_rounding_makes_is_no_range),
        CASE(strange_worlds_are_drawn),
        CASE(what_cannot_be_drawn_is_refused),
        CASE(every_failed_allocation_is_survived),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
