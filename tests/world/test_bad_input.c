/*  What a host may get wrong in what it asks for: each mistake is refused with a sentence that names it, and
    changes nothing. */
#include "sound_world.h"

/*  Values that a field of a definition must not have. */
typedef struct bad_number
{
    const char *says; /* in the message */
    size_t offset;
    double value;
} bad_number;

#define AT(type, field) offsetof(type, field)
/* clang-format off */
#define EVER(type, field, says)                                                                    \
    {says, AT(type, field), NAN}, {says, AT(type, field), INFINITY},                               \
    {says, AT(type, field), -INFINITY}
/* clang-format on */

static void put(void *def, const bad_number *bad)
{
    memcpy((char *)def + bad->offset, &bad->value, sizeof bad->value);
}

TEST(numbers_of_a_world_are_checked)
{
    static const bad_number bad[] = {
        EVER(scree_world_def, gravity[0], "gravity"),
        EVER(scree_world_def, gravity[1], "gravity"),
        EVER(scree_world_def, gravity[2], "gravity"),
        EVER(scree_world_def, step.dt, "dt"),
        EVER(scree_world_def, step.safety_factor, "safety_factor"),
        EVER(scree_world_def, step.max_growth, "max_growth"),
        EVER(scree_world_def, global_damping, "global_damping"),
        EVER(scree_world_def, local_damping, "local_damping"),
        EVER(scree_world_def, domain.lower[1], "upper"),
        EVER(scree_world_def, domain.upper[1], "upper"),
        {"gravity", AT(scree_world_def, gravity[0]), 1e101},
        {"dt", AT(scree_world_def, step.dt), 0},
        {"dt", AT(scree_world_def, step.dt), -1e-5},
        {"safety_factor", AT(scree_world_def, step.safety_factor), 0},
        {"safety_factor", AT(scree_world_def, step.safety_factor), 1.01},
        {"max_growth", AT(scree_world_def, step.max_growth), 1},
        {"global_damping", AT(scree_world_def, global_damping), -1},
        {"local_damping", AT(scree_world_def, local_damping), -0.1},
        {"local_damping", AT(scree_world_def, local_damping), 1},
        {"overlap_limit", AT(scree_world_def, overlap_limit), NAN},
        {"overlap_limit", AT(scree_world_def, overlap_limit), 0},
        {"overlap_limit", AT(scree_world_def, overlap_limit), -1},
        {"upper", AT(scree_world_def, domain.upper[1]), 0},
        {"margin", AT(scree_world_def, detection.margin.length), NAN},
        {"margin", AT(scree_world_def, detection.margin.length), INFINITY},
    };

    for (size_t k = 0; k < COUNT_OF(bad); k++) {
        scree_world_def def = sound_world();
        scree_error error = {SCREE_OK, ""};
        scree_world *world = (scree_world *)&def;
        def.domain.boundary[1] = SCREE_BOUNDARY_REFLECT;
        def.domain.upper[1] = 1;
        def.hooks.error = &error;
        put(&def, &bad[k]);
        if (!scree_world_create(&def, &world))
            FAIL("%s = %g is taken", bad[k].says, bad[k].value);
        CHECK(!world);
        CHECK(error.status != SCREE_OK);
        CHECK_SAYS(error.text, bad[k].says);
    }
}

static scree_status create_with(const scree_world_def *def)
{
    scree_world *world = NULL;
    scree_status status = scree_world_create(def, &world);

    CHECK((status == SCREE_OK) == (world != NULL));
    scree_world_destroy(world);
    return status;
}

TEST(choices_of_a_world_are_checked)
{
    scree_world_def def = sound_world();
    scree_error error;

    CHECK_EQUAL(create_with(NULL), SCREE_BAD_DEF);
    CHECK_EQUAL(scree_world_create(&def, NULL), SCREE_BAD_ARGUMENT);
    memset(&def, 0, sizeof def);
    CHECK_EQUAL(create_with(&def), SCREE_BAD_DEF);
#define WITH(field, bad, expected, says)                                                           \
    def = sound_world();                                                                           \
    def.field = bad;                                                                               \
    def.hooks.error = &error;                                                                      \
    error.text[0] = 0;                                                                             \
    CHECK_EQUAL(create_with(&def), expected);                                                      \
    CHECK_SAYS(error.text, says)
    WITH(dimensions, 1, SCREE_BAD_ARGUMENT, "dimensions is 1, must be 2 or 3");
    WITH(dimensions, 4, SCREE_BAD_ARGUMENT, "dimensions is 4, must be 2 or 3");
    WITH(step.integrator, (scree_integrator)7, SCREE_BAD_ARGUMENT, "integrator");
    WITH(step.mode, (scree_time_mode)9, SCREE_BAD_ARGUMENT, "time");
    WITH(domain.boundary[0], (scree_boundary)9, SCREE_BAD_ARGUMENT, "boundary");
    WITH(domain.boundary[0], SCREE_BOUNDARY_STOP, SCREE_BAD_ARGUMENT, "upper");
    WITH(detection.method, "flta", SCREE_UNKNOWN_METHOD, "flta");
    WITH(detection.method, NULL, SCREE_BAD_ARGUMENT, "method is NULL");
    WITH(compute.thread_count, 0, SCREE_BAD_ARGUMENT, "thread_count");
    WITH(compute.thread_count, 100000, SCREE_BAD_ARGUMENT, "thread_count");
    WITH(detection.margin.kind, (scree_margin_kind)33, SCREE_BAD_ARGUMENT, "margin");
    WITH(detection.margin.trust_velocities, true, SCREE_BAD_ARGUMENT, "margin.trust_velocities");
#undef WITH
    def = sound_world();
    def.dimensions = 2;
    def.gravity[2] = 1;
    CHECK_EQUAL(create_with(&def), SCREE_BAD_ARGUMENT);
    def.gravity[2] = 0;
    def.domain.boundary[2] = SCREE_BOUNDARY_STOP;
    def.domain.upper[2] = 1;
    CHECK_EQUAL(create_with(&def), SCREE_BAD_ARGUMENT);
}

static void *allocate_alone(size_t bytes, void *user)
{
    (void)user;
    return malloc(bytes);
}

TEST(half_an_allocator_is_refused)
{
    scree_world_def def = sound_world();

    def.hooks.allocator.allocate = allocate_alone;
    CHECK_EQUAL(create_with(&def), SCREE_BAD_DEF);
}

TEST(changes_are_checked_like_definitions)
{
    scree_body_id ids[2];
    scree_world *world = make_world(ids);
    uint64_t before = scree_world_digest(world);
    const double nan_gravity[3] = {0, NAN, 0};
    scree_margin_def margin = scree_default_detector_def().margin;

    CHECK_EQUAL(scree_world_set_gravity(world, nan_gravity), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "gravity is nan");
    CHECK_EQUAL(scree_world_set_gravity(world, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_FIXED, 0), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_dt(world, SCREE_TIME_MASS_SCALING, NAN), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_dt(world, (scree_time_mode)5, 1), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_damping(world, -1, 0), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_damping(world, 0, 1), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_damping(world, NAN, NAN), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_method(world, "no such"), SCREE_UNKNOWN_METHOD);
    CHECK_EQUAL(scree_world_set_method(world, NULL), SCREE_UNKNOWN_METHOD);
    margin.length = NAN;
    CHECK(scree_world_set_margin(world, &margin) != SCREE_OK);
    CHECK_EQUAL(scree_world_set_margin(world, NULL), SCREE_BAD_ARGUMENT);
    CHECK(scree_world_digest(world) == before);
    CHECK_EQUAL(scree_world_step(world, 3), SCREE_OK);
    scree_world_destroy(world);
}

/* ---- materials and rules ---- */

TEST(materials_are_checked)
{
    static const bad_number bad[] = {
        EVER(scree_material_def, density, "density"),
        {"young", AT(scree_material_def, young), NAN},
        {"young", AT(scree_material_def, young), -1},
        {"young", AT(scree_material_def, young), 0},
        EVER(scree_material_def, poisson, "poisson"),
        EVER(scree_material_def, restitution, "restitution"),
        EVER(scree_material_def, friction, "friction"),
        EVER(scree_material_def, rolling_friction, "rolling_friction"),
        EVER(scree_material_def, twisting_friction, "twisting_friction"),
        EVER(scree_material_def, stiffness, "stiffness"),
        EVER(scree_material_def, stiffness_ratio, "stiffness_ratio"),
        {"density", AT(scree_material_def, density), 0},
        {"density", AT(scree_material_def, density), -2500},
        {"poisson", AT(scree_material_def, poisson), 0.6},
        {"poisson", AT(scree_material_def, poisson), -1},
        {"restitution", AT(scree_material_def, restitution), 1.1},
        {"restitution", AT(scree_material_def, restitution), -0.1},
        {"friction", AT(scree_material_def, friction), -0.1},
        {"stiffness", AT(scree_material_def, stiffness), 0},
        {"stiffness_ratio", AT(scree_material_def, stiffness_ratio), 0},
    };
    scree_body_id ids[2];
    scree_world *world = make_world(ids);
    uint64_t before = scree_world_digest(world);

    for (size_t k = 0; k < COUNT_OF(bad); k++) {
        scree_material_def def = scree_default_material_def();
        put(&def, &bad[k]);
        if (scree_world_add_material(world, &def, NULL) != SCREE_BAD_VALUE)
            FAIL("%s = %g is taken", bad[k].says, bad[k].value);
        CHECK_SAYS(scree_world_message(world), bad[k].says);
        CHECK(scree_world_digest(world) == before);
    }
    CHECK_EQUAL(scree_world_add_material(world, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_add_rule(world, NULL), SCREE_BAD_ARGUMENT);
    scree_world_destroy(world);
}

/* ---- bodies ---- */

#define EVER3(field, says)                                                                         \
    EVER(scree_body_def, field[0], says), EVER(scree_body_def, field[1], says),                    \
        EVER(scree_body_def, field[2], says)

TEST(numbers_of_bodies_are_checked)
{
    static const bad_number bad[] = {
        EVER3(position, "position"),
        EVER3(velocity, "velocity"),
        EVER3(spin, "spin"),
        EVER3(orientation, "orientation"),
        EVER3(inertia, "inertia"),
        EVER(scree_body_def, orientation[3], "orientation"),
        EVER(scree_body_def, mass, "mass"),
        EVER(scree_body_def, shape.radius, "radius"),
        {"position[1] is 1e+101", AT(scree_body_def, position[1]), 1e101},
        {"orientation has length 0", AT(scree_body_def, orientation[0]), 0},
        {"mass is -1", AT(scree_body_def, mass), -1},
        {"mass is 1e-101", AT(scree_body_def, mass), 1e-101},
        {"inertia[0] is -1", AT(scree_body_def, inertia[0]), -1},
        {"radius", AT(scree_body_def, shape.radius), 0},
        {"radius", AT(scree_body_def, shape.radius), -0.01},
        {"radius", AT(scree_body_def, shape.radius), 1e101},
    };
    scree_body_id ids[2];
    scree_world *world = make_world(ids);
    uint64_t before = scree_world_digest(world);

    for (size_t k = 0; k < COUNT_OF(bad); k++) {
        scree_body_def defs[2] = {scree_default_body_def(), scree_default_body_def()};
        for (int b = 0; b < 2; b++) {
            defs[b].shape = scree_shape_sphere(0.01);
            defs[b].material.index1 = 1;
            defs[b].position[0] = 1 + b;
        }
        put(&defs[1], &bad[k]);
        if (scree_world_add_bodies(world, defs, 2, NULL) != SCREE_BAD_VALUE)
            FAIL("%s = %g is taken", bad[k].says, bad[k].value);
        CHECK_SAYS(scree_world_message(world), bad[k].says);
        CHECK_SAYS(scree_world_message(world), "body 4");
        CHECK(scree_world_digest(world) == before);
        CHECK_EQUAL(scree_world_body_count(world), 2);
    }
    scree_world_destroy(world);
}

TEST(choices_of_bodies_are_checked)
{
    scree_body_id ids[2];
    scree_world *world = make_world(ids);
    scree_body_def def = scree_default_body_def(), nothing = {0};
    uint64_t before = scree_world_digest(world);

    CHECK_EQUAL(scree_world_add_body(world, &nothing, NULL), SCREE_BAD_DEF);
    CHECK_EQUAL(scree_world_add_body(world, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_add_bodies(world, NULL, 0, NULL), SCREE_OK);
    def.material.index1 = 1;
    CHECK_EQUAL(scree_world_add_body(world, &def, NULL), SCREE_BAD_VALUE); /* without a shape */
    def.shape = scree_shape_sphere(0.01);
    def.shape.kind = (scree_shape_kind)77;
    CHECK_EQUAL(scree_world_add_body(world, &def, NULL), SCREE_BAD_VALUE);
    def.shape = scree_shape_sphere(0.01);
    def.material.index1 = 0;
    CHECK_EQUAL(scree_world_add_body(world, &def, NULL), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "material is 0, must be 1 to 1");
    def.material.index1 = 2;
    CHECK_EQUAL(scree_world_add_body(world, &def, NULL), SCREE_BAD_ARGUMENT);
    def.material.index1 = 1;
    def.flags = 0x80;
    CHECK_EQUAL(scree_world_add_body(world, &def, NULL), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(world), "flags are 0x80, unknown bits");
    CHECK(scree_world_digest(world) == before);
    scree_world_destroy(world);
}

TEST(bodies_stay_in_the_plane)
{
    scree_world_def world_def = sound_world();
    scree_world *world;
    scree_material_def material = scree_default_material_def();
    scree_body_def def = scree_default_body_def();

    world_def.dimensions = 2;
    world = open_world(&world_def);
    CHECK_EQUAL(scree_world_add_material(world, &material, &def.material), SCREE_OK);
    def.shape = scree_shape_sphere(0.01);
    def.position[2] = 1e-9;
    CHECK_EQUAL(scree_world_add_body(world, &def, NULL), SCREE_BAD_VALUE);
    def.position[2] = 0;
    def.velocity[2] = 1;
    CHECK_EQUAL(scree_world_add_body(world, &def, NULL), SCREE_BAD_VALUE);
    def.velocity[2] = 0;
    def.spin[0] = 1;
    CHECK_EQUAL(scree_world_add_body(world, &def, NULL), SCREE_BAD_VALUE);
    def.spin[0] = 0;
    def.spin[2] = 1;
    CHECK_EQUAL(scree_world_add_body(world, &def, NULL), SCREE_OK);
    scree_world_destroy(world);
}

TEST(global_ids_are_taken_once)
{
    scree_body_id ids[2];
    scree_world *world = make_world(ids);
    scree_body_def defs[3];
    uint64_t before = scree_world_digest(world);

    for (int k = 0; k < 3; k++) {
        defs[k] = scree_default_body_def();
        defs[k].shape = scree_shape_sphere(0.01);
        defs[k].material.index1 = 1;
        defs[k].position[0] = 1 + k;
        defs[k].position[2] = 1;
    }
    defs[0].serial = 2;
    CHECK_EQUAL(scree_world_add_bodies(world, defs, 1, NULL), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "body 3: its serial 2 is taken");
    /* twice in one call: brought twice, or brought and dealt */
    defs[0].serial = defs[2].serial = 9;
    CHECK_EQUAL(scree_world_add_bodies(world, defs, 3, NULL), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "body 5: its serial 9 is taken");
    defs[0].serial = 0;
    defs[2].serial = 3;
    CHECK_EQUAL(scree_world_add_bodies(world, defs, 3, NULL), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "its serial 3 is taken");
    defs[2].serial = UINT64_MAX;
    CHECK_EQUAL(scree_world_add_bodies(world, defs, 3, NULL), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(world), "serial is 18446744073709551615");
    CHECK(scree_world_digest(world) == before);
    /* what was refused is free, and so is that of a body that is gone */
    defs[2].serial = 9;
    CHECK_EQUAL(scree_world_add_bodies(world, defs, 3, NULL), SCREE_OK);
    CHECK_EQUAL(scree_world_remove_body(world, ids[1]), SCREE_OK);
    defs[0].serial = 2;
    defs[0].position[0] = 7;
    CHECK_EQUAL(scree_world_add_bodies(world, defs, 1, NULL), SCREE_OK);
    CHECK_EQUAL(scree_world_add_bodies(world, defs, 1, NULL), SCREE_BAD_ARGUMENT);
    /* after the last number there is none to deal */
    defs[0].serial = UINT64_MAX - 1;
    defs[0].position[0] = 8;
    CHECK_EQUAL(scree_world_add_bodies(world, defs, 1, NULL), SCREE_OK);
    defs[0].serial = 0;
    CHECK_EQUAL(scree_world_add_bodies(world, defs, 1, NULL), SCREE_TOO_LARGE);
    defs[0].serial = 77;
    defs[0].position[0] = 9;
    CHECK_EQUAL(scree_world_add_bodies(world, defs, 1, NULL), SCREE_OK);
    CHECK_EQUAL(scree_world_step(world, 2), SCREE_OK);
    scree_world_destroy(world);
}

TEST(ids_that_name_nothing_are_refused)
{
    scree_body_id ids[2], stale, both[2], future;
    scree_world *world = make_world(ids);
    scree_body body;
    uint64_t before;

    stale = ids[0];
    CHECK_EQUAL(scree_world_get_body(world, ids[0], &body), SCREE_OK);
    CHECK_EQUAL(scree_world_remove_body(world, ids[0]), SCREE_OK);
    before = scree_world_digest(world);
    CHECK_EQUAL(scree_world_remove_body(world, stale), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "names no body");
    CHECK_EQUAL(scree_world_set_body(world, stale, &body), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_get_body(world, stale, &body), SCREE_BAD_ARGUMENT);
    CHECK(!scree_world_has_body(world, stale));
    both[0] = both[1] = ids[1];
    CHECK_EQUAL(scree_world_remove_bodies(world, both, 2), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "ids[1] to be removed is named twice");
    both[1] = stale;
    CHECK_EQUAL(scree_world_remove_bodies(world, both, 2), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "ids[1] to be removed names no body");
    future = (scree_body_id){1000000, 1};
    CHECK_EQUAL(scree_world_remove_body(world, future), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_remove_body(world, (scree_body_id){0, 0}), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_remove_body(world, (scree_body_id){0, 1}), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_remove_bodies(world, NULL, 2), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_remove_bodies(world, NULL, 0), SCREE_OK);
    CHECK_EQUAL(scree_world_remove_wall(world, (scree_wall_id){5, 5}), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_remove_wall(world, (scree_wall_id){0, 0}), SCREE_BAD_ARGUMENT);
    CHECK(scree_world_digest(world) == before);
    CHECK_EQUAL(scree_world_remove_bodies(world, both, 1), SCREE_OK);
    CHECK_EQUAL(scree_world_body_count(world), 0);
    scree_world_destroy(world);
}

TEST(what_cannot_be_changed_is_not)
{
    scree_body_id ids[2];
    scree_world *world = make_world(ids);
    scree_body sound, body;
    uint64_t before = scree_world_digest(world);

    CHECK_EQUAL(scree_world_get_body(world, ids[0], &sound), SCREE_OK);
#define WITH(field, bad, expected)                                                                 \
    body = sound;                                                                                  \
    body.field = bad;                                                                              \
    CHECK_EQUAL(scree_world_set_body(world, ids[0], &body), expected);                             \
    CHECK(scree_world_digest(world) == before)
    WITH(serial, 7, SCREE_BAD_ARGUMENT);
    WITH(mass, 7, SCREE_BAD_ARGUMENT);
    WITH(mass, NAN, SCREE_BAD_ARGUMENT);
    WITH(inertia[1], 7, SCREE_BAD_ARGUMENT);
    WITH(shape.radius, 7, SCREE_BAD_ARGUMENT);
    WITH(shape.kind, SCREE_SHAPE_NONE, SCREE_BAD_ARGUMENT);
    WITH(material.index1, 2, SCREE_BAD_ARGUMENT);
    WITH(flags, 0x100, SCREE_BAD_VALUE);
    WITH(position[2], NAN, SCREE_BAD_VALUE);
    WITH(velocity[0], INFINITY, SCREE_BAD_VALUE);
    WITH(spin[1], -INFINITY, SCREE_BAD_VALUE);
    WITH(load[5], NAN, SCREE_BAD_VALUE);
    WITH(orientation[3], NAN, SCREE_BAD_VALUE);
#undef WITH
    CHECK_EQUAL(scree_world_set_body(world, ids[0], NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_get_body(world, ids[0], NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_body(world, ids[0], &sound), SCREE_OK);
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(numbers_of_a_world_are_checked), CASE(choices_of_a_world_are_checked),
        CASE(half_an_allocator_is_refused),   CASE(changes_are_checked_like_definitions),
        CASE(materials_are_checked),          CASE(numbers_of_bodies_are_checked),
        CASE(choices_of_bodies_are_checked),  CASE(bodies_stay_in_the_plane),
        CASE(global_ids_are_taken_once),      CASE(ids_that_name_nothing_are_refused),
        CASE(what_cannot_be_changed_is_not),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
