/*  Definitions of hosts that were compiled with an earlier header: they are shorter, members that they lack have
    default values, and nothing is read or written beyond them. A sanitizer sees it: each lies in a block of its own
    size. */
#include "base/sized_definition.h"
#include "scree/ambient.h"
#include "scree/bond.h"
#include "scree/cell.h"
#include "scree/chains.h"
#include "scree/detect.h"
#include "scree/fields.h"
#include "scree/heat.h"
#include "scree/io.h"
#include "scree/picture.h"
#include "scree/shape.h"
#include "scree/sleep.h"
#include "sound_world.h"

#include <stdlib.h>

typedef struct head
{
    uint32_t cookie, size;
} head;

static head head_of(const void *def)
{
    head h;

    memcpy(&h, def, sizeof h);
    return h;
}

/*  The first `size` bytes of a definition, as an earlier header has them. */
static void *shorten(const void *def, size_t size)
{
    void *block = malloc(size);
    head h = head_of(def);

    CHECK(block != NULL);
    memcpy(block, def, size);
    h.size = (uint32_t)size;
    memcpy(block, &h, sizeof h);
    return block;
}

/* ---- what all have in common ---- */

#define EACH(X)                                                                                    \
    X(mesh)                                                                                        \
    X(globe)                                                                                       \
    X(hull)                                                                                        \
    X(clump)                                                                                       \
    X(clump_fill)                                                                                  \
    X(picture)                                                                                     \
    X(material)                                                                                    \
    X(formula_law)                                                                                 \
    X(world)                                                                                       \
    X(wall)                                                                                        \
    X(rule)                                                                                        \
    X(body)                                                                                        \
    X(contact_filter)                                                                              \
    X(bond)                                                                                        \
    X(export)                                                                                      \
    X(import)                                                                                      \
    X(material_heat)                                                                               \
    X(fields)                                                                                      \
    X(chains)                                                                                      \
    X(detector)                                                                                    \
    X(superquadric)                                                                                \
    X(fluid)                                                                                       \
    X(force_field)                                                                                 \
    X(heat)                                                                                        \
    X(sleep)                                                                                       \
    X(wall_servo)                                                                                  \
    X(wall_belt)                                                                                   \
    X(free_wall)                                                                                   \
    X(cell_servo)

TEST(default_values_fit_into_what_the_host_has)
{
#define X(name)                                                                                    \
    {                                                                                              \
        scree_##name##_def full;                                                                   \
        scree_init_##name##_def(&full, sizeof full);                                               \
        CHECK_EQUAL(full.size, sizeof full);                                                       \
        CHECK_EQUAL(head_of(&full).cookie, full.cookie);                                           \
        for (size_t size = 8; size < sizeof full; size += 8) {                                     \
            unsigned char *block = malloc(size);                                                   \
            scree_init_##name##_def((scree_##name##_def *)(void *)block, size);                    \
            CHECK_EQUAL(head_of(block).cookie, full.cookie);                                       \
            CHECK_EQUAL(head_of(block).size, size);                                                \
            CHECK(memcmp(block + 8, (const unsigned char *)&full + 8, size - 8) == 0);             \
            free(block);                                                                           \
        }                                                                                          \
        scree_init_##name##_def(NULL, sizeof full);                                                \
        unsigned char small[7] = {1, 2, 3, 4, 5, 6, 7};                                            \
        scree_init_##name##_def((scree_##name##_def *)(void *)small, sizeof small);                \
        CHECK(small[0] == 1 && small[6] == 7);                                                     \
    }
    EACH(X)
#undef X
}

typedef struct wide
{
    uint32_t cookie, size;
    double first, second, third;
} wide;

TEST(a_definition_is_read_as_far_as_it_goes)
{
    const wide standard = {77, sizeof(wide), 1, 2, 3};
    wide own = standard, given = {77, 16, 10, 20, 30};

    CHECK(scree_definition_read(&own, &given));
    CHECK(own.first == 10 && own.second == 2 && own.third == 3 && own.size == sizeof own);
    given.size = sizeof given;
    CHECK(scree_definition_read(&own, &given));
    CHECK(own.first == 10 && own.second == 20 && own.third == 30);
    own = standard;
    for (size_t k = 0; k < 4; k++) {
        const uint32_t bad[] = {0, 7, sizeof(wide) + 1, UINT32_MAX};
        given.size = bad[k];
        CHECK(!scree_definition_read(&own, &given));
    }
    given = standard;
    given.cookie = 78;
    CHECK(!scree_definition_read(&own, &given));
    CHECK(memcmp(&own, &standard, sizeof own) == 0);
}

/*  The host is of a later version than the library: it gets zeros, and a size that the library refuses. */
TEST(a_later_definition_is_refused)
{
    struct
    {
        scree_world_def def;
        double news;
    } later = {.news = 5};
    scree_world *world = (scree_world *)&later;

    scree_init_world_def(&later.def, sizeof later);
    CHECK(later.news == 0);
    CHECK_EQUAL(later.def.size, sizeof later);
    later.def.step.dt = 1e-5;
    CHECK_EQUAL(scree_world_create(&later.def, &world), SCREE_BAD_DEF);
    CHECK(!world);
}

/*  A world with one of everything that get functions read. */
typedef struct furnished
{
    scree_world *world;
    scree_wall_id moving, free;
} furnished;

static furnished furnish(void)
{
    furnished has = {.world = make_world((scree_body_id[2]){{0}, {0}})};
    scree_wall_def wall = scree_default_wall_def();
    scree_wall_servo_def servo = scree_default_wall_servo_def();
    scree_wall_belt_def belt = scree_default_wall_belt_def();
    scree_free_wall_def rides = scree_default_free_wall_def();
    scree_heat_def heat = scree_default_heat_def();
    scree_sleep_def sleep = scree_default_sleep_def();
    scree_fluid_def fluid = scree_default_fluid_def();
    scree_force_field_def field = scree_default_force_field_def();

    wall.material.index1 = 1;
    wall.point[2] = -100;
    CHECK_EQUAL(scree_world_add_wall(has.world, &wall, &has.moving), SCREE_OK);
    CHECK_EQUAL(scree_world_add_wall(has.world, &wall, &has.free), SCREE_OK);
    servo.force = 7;
    servo.max_speed = 0.5;
    CHECK_EQUAL(scree_world_set_wall_servo(has.world, has.moving, &servo), SCREE_OK);
    belt.velocity[0] = 3;
    CHECK_EQUAL(scree_world_set_wall_belt(has.world, has.moving, &belt), SCREE_OK);
    rides.mass = 11;
    rides.held = SCREE_FREEZE_SPIN_X | SCREE_FREEZE_SPIN_Y | SCREE_FREEZE_SPIN_Z;
    CHECK_EQUAL(scree_world_set_free_wall(has.world, has.free, &rides), SCREE_OK);
    heat.temperature = 300;
    CHECK_EQUAL(scree_world_set_heat(has.world, &heat), SCREE_OK);
    sleep.speed = 0.01;
    CHECK_EQUAL(scree_world_set_sleep(has.world, &sleep), SCREE_OK);
    fluid.density = 1.2;
    fluid.viscosity = 2e-5;
    CHECK_EQUAL(scree_world_set_fluid(has.world, &fluid), SCREE_OK);
    field.acceleration[0] = "1";
    CHECK_EQUAL(scree_world_add_force_field(has.world, &field), SCREE_OK);
    return has;
}

/*  Calls a get function for blocks of all sizes: each is filled, and says its own size. */
#define READS(name, ...)                                                                           \
    {                                                                                              \
        scree_##name##_def full;                                                                   \
        size_t size = sizeof full;                                                                 \
        scree_##name##_def *to = &full;                                                            \
        (void)(__VA_ARGS__);                                                                       \
        CHECK_EQUAL(full.size, sizeof full);                                                       \
        for (size = 8; size < sizeof full; size += 8) {                                            \
            unsigned char *block = malloc(size);                                                   \
            to = (scree_##name##_def *)(void *)block;                                              \
            (void)(__VA_ARGS__);                                                                   \
            CHECK_EQUAL(head_of(block).cookie, full.cookie);                                       \
            CHECK_EQUAL(head_of(block).size, size);                                                \
            CHECK(memcmp(block + 8, (const unsigned char *)&full + 8, size - 8) == 0);             \
            free(block);                                                                           \
        }                                                                                          \
        to = NULL;                                                                                 \
        (void)(__VA_ARGS__);                                                                       \
    }

TEST(what_is_read_fits_into_what_the_host_has)
{
    const furnished has = furnish();

    READS(wall_servo, scree_world_read_wall_servo(has.world, has.moving, to, size))
    READS(wall_belt, scree_world_read_wall_belt(has.world, has.moving, to, size))
    READS(free_wall, scree_world_read_free_wall(has.world, has.free, to, size))
    READS(heat, scree_world_read_heat(has.world, to, size))
    READS(sleep, scree_world_read_sleep(has.world, to, size))
    READS(fluid, scree_world_read_fluid(has.world, to, size))
    READS(force_field, scree_world_read_force_field(has.world, 0, to, size))
    READS(cell, scree_world_read_cell(has.world, to, size))
    READS(cell_servo, scree_world_read_cell_servo(has.world, to, size, NULL, NULL))
    scree_world_destroy(has.world);
}

/* ---- each is taken ---- */

TEST(a_world_is_made_from_less)
{
    scree_world_def def = sound_world();
    const size_t sizes[] = {offsetof(scree_world_def, hooks), offsetof(scree_world_def, compute),
                            offsetof(scree_world_def, detection),
                            offsetof(scree_world_def, domain)};
    scree_world *whole = open_world(&def), *world;

    def.step.max_growth = 1.5;
    def.detection.sort_every = 7;
    for (size_t k = 0; k < COUNT_OF(sizes); k++) {
        scree_world_def *earlier = shorten(&def, sizes[k]);
        scree_time_mode mode;
        double dt;
        CHECK_EQUAL(scree_world_create(earlier, &world), SCREE_OK);
        scree_world_get_dt(world, &mode, &dt);
        CHECK(dt == 1e-5 && mode == SCREE_TIME_FIXED);
        CHECK(strcmp(scree_world_get_method(world), scree_world_get_method(whole)) == 0);
        scree_world *copy;
        CHECK_EQUAL(scree_world_copy(world, earlier, &copy), SCREE_OK);
        scree_world_destroy(copy);
        free(earlier);
        scree_world_destroy(world);
    }
    scree_world_destroy(whole);
    def.size = 0;
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_BAD_DEF);
    def.size = sizeof def + 8;
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_BAD_DEF);
}

/*  Without `user`, and one after the other as the host's header says. */
TEST(bodies_are_read_as_far_apart_as_they_are)
{
    const size_t size = offsetof(scree_body_def, user);
    scree_body_id ids[2], many[5], one;
    scree_world *world = make_world(ids);
    scree_body body;
    char *block = malloc(5 * size);

    for (size_t k = 0; k < 5; k++) {
        scree_body_def def = scree_default_body_def();
        def.material.index1 = 1;
        def.shape = scree_shape_sphere(0.1);
        def.position[0] = 10 + (double)k;
        def.user = 99;
        void *earlier = shorten(&def, size);
        memcpy(block + k * size, earlier, size);
        if (k == 0)
            CHECK_EQUAL(scree_world_add_body(world, earlier, &one), SCREE_OK);
        free(earlier);
    }
    CHECK_EQUAL(scree_world_add_bodies(world, (scree_body_def *)(void *)block, 5, many), SCREE_OK);
    for (size_t k = 0; k < 5; k++) {
        CHECK_EQUAL(scree_world_get_body(world, many[k], &body), SCREE_OK);
        CHECK(body.position[0] == 10 + (double)k && body.user == 0);
    }
    /* one of them is not of its default function: none is added */
    size_t count = scree_world_body_count(world);
    block[3 * size]++;
    CHECK_EQUAL(scree_world_add_bodies(world, (scree_body_def *)(void *)block, 5, many),
                SCREE_BAD_DEF);
    CHECK_SAYS(scree_world_message(world), "body 12: the definition is not from");
    CHECK_EQUAL(scree_world_body_count(world), count);
    free(block);
    scree_world_destroy(world);
}

TEST(what_a_world_gets_may_be_shorter)
{
    scree_body_id ids[2];
    scree_world *world = make_world(ids);
    scree_material_def material = scree_default_material_def();
    scree_wall_def wall = scree_default_wall_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_material_id id;
    const scree_contact *contacts;
    size_t count;

    material.young = 2e7;
    scree_material_def *short_material = shorten(&material, offsetof(scree_material_def, friction));
    CHECK_EQUAL(scree_world_add_material(world, short_material, &id), SCREE_OK);
    CHECK(scree_world_get_friction(world, id) == scree_default_material_def().friction);
    free(short_material);
    wall.material = id;
    scree_wall_def *short_wall = shorten(&wall, offsetof(scree_wall_def, path));
    CHECK_EQUAL(scree_world_add_wall(world, short_wall, NULL), SCREE_OK);
    free(short_wall);
    scree_rule_def *short_rule = shorten(&rule, offsetof(scree_rule_def, own_law));
    CHECK_EQUAL(scree_world_add_rule(world, short_rule), SCREE_OK);
    free(short_rule);
    advance(world, 2);
    scree_contact_filter_def filter = scree_default_contact_filter_def();
    filter.body = ids[0];
    scree_contact_filter_def *short_filter =
        shorten(&filter, offsetof(scree_contact_filter_def, facet1));
    CHECK_EQUAL(scree_world_contacts(world, short_filter, &contacts, &count), SCREE_OK);
    CHECK(count > 0);
    free(short_filter);
    scree_world_destroy(world);
}

/*  What is read is set again without its last members; those become the default values. */
TEST(servos_and_belts_may_be_shorter)
{
    const furnished has = furnish();
    scree_wall_servo_def servo;
    scree_wall_belt_def belt;

    CHECK(scree_world_get_wall_servo(has.world, has.moving, &servo) && servo.force == 7);
    servo.stop = 5;
    scree_wall_servo_def *short_servo = shorten(&servo, offsetof(scree_wall_servo_def, start));
    CHECK_EQUAL(scree_world_set_wall_servo(has.world, has.moving, short_servo), SCREE_OK);
    free(short_servo);
    CHECK(scree_world_get_wall_servo(has.world, has.moving, &servo));
    CHECK(servo.force == 7 && servo.stop == INFINITY);
    CHECK(scree_world_get_wall_belt(has.world, has.moving, &belt) && belt.velocity[0] == 3);
    belt.rate = 2;
    scree_wall_belt_def *short_belt = shorten(&belt, offsetof(scree_wall_belt_def, axis));
    CHECK_EQUAL(scree_world_set_wall_belt(has.world, has.moving, short_belt), SCREE_OK);
    free(short_belt);
    CHECK(scree_world_get_wall_belt(has.world, has.moving, &belt));
    CHECK(belt.velocity[0] == 3 && belt.rate == 0);
    belt.size = sizeof belt + 1;
    CHECK_EQUAL(scree_world_set_wall_belt(has.world, has.moving, &belt), SCREE_BAD_DEF);
    CHECK(scree_world_get_wall_belt(has.world, has.moving, NULL));
    scree_world_destroy(has.world);
}

TEST(a_detector_is_made_from_less)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;

    def.method = "hashing2";
    scree_detector_def *earlier = shorten(&def, offsetof(scree_detector_def, margin));
    CHECK_EQUAL(scree_detector_create(earlier, &detector), SCREE_OK);
    CHECK(strcmp(scree_detector_method(detector)->name, "hashing2") == 0);
    scree_detector_destroy(detector);
    free(earlier);
    def.size -= 1;
    CHECK_EQUAL(scree_detector_create(&def, &detector), SCREE_OK);
    scree_detector_destroy(detector);
    def.size += 2;
    CHECK_EQUAL(scree_detector_create(&def, &detector), SCREE_BAD_DEF);
}

TEST(shapes_are_made_from_less)
{
    scree_globe_def globe = scree_default_globe_def();
    scree_mesh *mesh;

    globe.facets = 80;
    globe.size = sizeof globe;
    CHECK_EQUAL(scree_mesh_globe(&globe, &mesh), SCREE_OK);
    scree_mesh_destroy(mesh);
    globe.size = 4;
    CHECK_EQUAL(scree_mesh_globe(&globe, &mesh), SCREE_BAD_DEF);

    scree_pebble pebble = {{0, 0, 0}, 1};
    scree_clump_def clump = scree_default_clump_def();
    scree_clump *made;
    clump.pebbles = &pebble;
    clump.pebble_count = 1;
    clump.size = UINT32_MAX;
    CHECK_EQUAL(scree_clump_create(&clump, &made), SCREE_BAD_DEF);
    clump.size = sizeof clump;
    CHECK_EQUAL(scree_clump_create(&clump, &made), SCREE_OK);
    scree_clump_destroy(made);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(default_values_fit_into_what_the_host_has),
        CASE(a_definition_is_read_as_far_as_it_goes),
        CASE(a_later_definition_is_refused),
        CASE(what_is_read_fits_into_what_the_host_has),
        CASE(a_world_is_made_from_less),
        CASE(bodies_are_read_as_far_apart_as_they_are),
        CASE(what_a_world_gets_may_be_shorter),
        CASE(servos_and_belts_may_be_shorter),
        CASE(a_detector_is_made_from_less),
        CASE(shapes_are_made_from_less),
    };
    return test_main(argc, argv, tests, COUNT_OF(tests));
}
