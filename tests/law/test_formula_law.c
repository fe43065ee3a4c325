/*  Laws written as formulas: forces equal to those of the built-in laws that they are written after, the same bits at each SIMD level,
    what they remember and book; and definitions that are refused. */
#include "base/random.h"
#include "law/formula_law.h"
#include "law/law_builtin.h"
#include "law_contact.h"
#include "scree/wall.h"
#include "scree/world.h"

#include <stdlib.h>

/* ---- the laws ---- */

static scree_formula_law_def hertz_def(void)
{
    scree_formula_law_def def = scree_default_formula_law_def();

    def.name = "my hertz";
    def.where = "a = sqrt(R * d); root = sqrt(2 * E * a * m)";
    def.normal = "max(0, 4/3 * E * a * d + 2 * sqrt(5/6) * zeta * root * vn)";
    def.spring_stiffness = "8 * G * a";
    def.spring_damping = "2 * sqrt(5/6) * zeta * sqrt(4 * G / E) * root";
    def.spring_limit = "mu * fn";
    def.stiffness = "2 * E * a";
    def.energy = "8/15 * E * a * d^2";
    return def;
}

static scree_formula_law_def linear_def(void)
{
    scree_formula_law_def def = scree_default_formula_law_def();

    def.name = "my linear";
    def.normal = "max(0, k * d + 2 * zeta * sqrt(k * m) * vn)";
    def.spring_stiffness = "k * k_ratio";
    def.spring_damping = "2 * zeta * sqrt(k_ratio) * sqrt(k * m)";
    def.spring_limit = "mu * fn";
    def.stiffness = "k";
    def.energy = "0.5 * k * d^2";
    return def;
}

static scree_law *make(scree_formula_law_def def)
{
    scree_error why = {SCREE_OK, ""};
    scree_law *law;

    def.error = &why;
    if (scree_formula_law_create(&def, &law))
        FAIL("%s", why.text);
    return law;
}

static void prepare(const scree_law *law, double constants[SCREE_MAX_CONSTANTS])
{
    scree_material_def first = scree_default_material_def(), second = first;
    double parameters[32];
    scree_error why = {SCREE_OK, ""};
    scree_law_input input = {&first, &second, parameters, 3, &why};

    for (int k = 0; k < 32; k++)
        parameters[k] = NAN;
    second.young = 5e6;
    second.poisson = 0.2;
    second.restitution = 0.7;
    if (law->prepare(&input, constants, law->user))
        FAIL("%s", why.text);
}

/* ---- contacts ---- */

static double next_number(scree_random *random, double lower, double upper)
{
    return scree_random_range(random, lower, upper);
}

/*  Contacts as they may be: radii of millimetres, some that are new, some that slide. */
static void draw_contacts(law_room *room, uint64_t seed, double step)
{
    scree_random random = scree_random_stream(seed, 0);

    for (int k = 0; k < SCREE_BATCH; k++) {
        double n[3], length = 0, along = 0;
        for (int a = 0; a < 3; a++) {
            n[a] = next_number(&random, -1, 1);
            length += n[a] * n[a];
        }
        for (int a = 0; a < 3; a++)
            room->in[IN_NORMAL + a][k] = n[a] / sqrt(length);
        double radius = next_number(&random, 0.0005, 0.003);
        room->in[IN_RADIUS][k] = radius;
        room->in[IN_MASS][k] = 4 * 2500 * radius * radius * radius;
        room->in[IN_OVERLAP][k] = k % 9 ? radius * next_number(&random, 0, 0.02 * step) : 0;
        room->in[IN_APPROACH][k] = next_number(&random, -0.2, 0.3);
        room->in[IN_TWIST][k] = next_number(&random, -20, 20);
        for (int a = 0; a < 3; a++) {
            room->in[IN_SLIDE + a][k] = next_number(&random, -0.3, 0.3) * (k % 3);
            room->in[IN_ROLL + a][k] = next_number(&random, -30, 30);
            along += room->in[IN_SLIDE + a][k] * room->in[IN_NORMAL + a][k];
        }
        for (int a = 0; a < 3; a++)
            room->in[IN_SLIDE + a][k] -= along * room->in[IN_NORMAL + a][k];
        room->in[IN_ARM][k] = room->in[IN_ARM + 1][k] = 2 * radius;
    }
}

static void remember(law_room *room, uint32_t count)
{
    memcpy(room->in[IN_MEMORY], room->out[OUT_NEXT], count * sizeof room->in[0]);
}

static scree_batch batch_of(law_room *room, const scree_law *law, bool with_balance, double dt)
{
    scree_batch batch = law_batch(room, SCREE_BATCH, dt, dt / 2);

    if (!law->has_moment)
        batch.moment[0] = batch.moment[1] = batch.moment[2] = NULL;
    for (int k = 0; k < SCREE_LOSSES && !with_balance; k++)
        batch.loss[k] = NULL;
    if (!with_balance)
        batch.energy = NULL;
    return batch;
}

/*  The same contacts for some steps, by both laws: the largest difference of forces over the larger force of the contact. */
static double compare(const scree_law *own, const char *name, uint64_t seed, bool with_balance)
{
    static law_room a, b;
    const scree_law *law = scree_law_by_name(name);
    double first[SCREE_MAX_CONSTANTS] = {0}, second[SCREE_MAX_CONSTANTS] = {0}, worst = 0;
    static const double swell[] = {1, 1.4, 0.6, 0.9, 0.2, 1.5};

    prepare(own, first);
    prepare(law, second);
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    for (size_t step = 0; step < sizeof swell / sizeof *swell; step++) {
        draw_contacts(&a, seed, swell[step]);
        memcpy(b.in, a.in, sizeof(double) * IN_MEMORY * SCREE_BATCH);
        scree_batch one = batch_of(&a, own, with_balance, 1e-5),
                    two = batch_of(&b, law, with_balance, 1e-5);
        own->force(&one, first, own->user);
        law->force(&two, second, law->user);
        for (int k = 0; k < SCREE_BATCH; k++) {
            double size = 0, difference = 0;
            for (int c = 0; c < 3; c++) {
                size = fmax(size, fabs(b.out[OUT_FORCE + c][k]));
                difference =
                    fmax(difference, fabs(a.out[OUT_FORCE + c][k] - b.out[OUT_FORCE + c][k]));
            }
            worst = fmax(worst, size > 0 ? difference / size : difference);
            if (own->user && ((scree_formula_law *)own->user)->stiffness)
                worst = fmax(worst, fabs(a.out[OUT_STIFFNESS][k] - b.out[OUT_STIFFNESS][k]) /
                                        (1 + b.out[OUT_STIFFNESS][k]));
        }
        remember(&a, own->memory_count);
        remember(&b, law->memory_count);
    }
    return worst;
}

TEST(formulas_of_hertz_and_mindlin_give_their_forces)
{
    scree_law *law = make(hertz_def());
    double worst = 0;

    for (uint64_t seed = 1; seed <= TEST_EFFORT(200, 5000); seed++)
        worst = fmax(worst, compare(law, "hertz", seed, seed % 2));
    FIGURE("forces of formulas differ from \"hertz\" by %.1e", worst);
    CHECK(worst < 1e-12);
    scree_formula_law_destroy(law);
}

TEST(formulas_of_a_linear_spring_give_its_forces)
{
    scree_law *law = make(linear_def());
    double worst = 0;

    for (uint64_t seed = 1; seed <= TEST_EFFORT(200, 5000); seed++)
        worst = fmax(worst, compare(law, "linear", seed, seed % 2));
    CHECK(worst < 1e-12);
    scree_formula_law_destroy(law);
}

/*  A law with all that there is. */
static scree_formula_law_def full_def(void)
{
    static const scree_formula_memory memory[] = {{"deepest", "max(deepest, d)"},
                                                  {"age", "age + dt"}};
    static const scree_formula_parameter parameters[] = {{"soft", 0.5}, {"c", 0.02}};
    scree_formula_law_def def = scree_default_formula_law_def();

    def.name = "full";
    def.normal = "soft * E * (R * d)^0.5 * min(d, deepest + d / 2) + c * vn * exp(-age)";
    def.tangential = "mu * abs(fn) * tanh(vt / 0.01)";
    def.rolling = "mu * fn * R * wr / (wr + 1)";
    def.energy = "soft * d^2.5";
    def.memory = memory;
    def.memory_count = 2;
    def.parameters = parameters;
    def.parameter_count = 2;
    return def;
}

TEST(forces_are_the_same_bits_at_each_simd_level)
{
    static law_room rooms[SCREE_SIMD_AVX512];
    scree_law *laws[] = {make(full_def()), make(hertz_def())};
    double constants[SCREE_MAX_CONSTANTS] = {0};

    for (int which = 0; which < 2; which++) {
        prepare(laws[which], constants);
        memset(rooms, 0, sizeof rooms);
        for (uint64_t seed = 1; seed <= 40; seed++)
            for (int level = 0; level < SCREE_SIMD_AVX512; level++) {
                law_room *room = &rooms[level];
                draw_contacts(room, seed, 1);
                scree_batch batch = batch_of(room, laws[which], seed % 2, 1e-5);
                scree_formula_force_kernel((scree_simd)(SCREE_SIMD_SCALAR + level))(
                    &batch, constants, laws[which]->user);
                if (memcmp(room->out, rooms[0].out, sizeof room->out) != 0)
                    FAIL("law %d, seed %d, level %d", which, (int)seed, level);
                remember(room, laws[which]->memory_count);
            }
        scree_formula_law_destroy(laws[which]);
    }
}

/*  A limit that is no number is none, so the force is to be none either: the world refuses the step. */
TEST(a_limit_that_is_no_number_is_seen)
{
    static law_room room;
    scree_formula_law_def def = hertz_def();
    double c[SCREE_MAX_CONSTANTS] = {0};

    def.spring_limit = "mu * sqrt(d - 1e-5)";
    scree_law *law = make(def);
    prepare(law, c);
    memset(&room, 0, sizeof room);
    draw_contacts(&room, 3, 1);
    scree_batch batch = batch_of(&room, law, true, 1e-5);
    law->force(&batch, c, law->user);
    size_t nans = 0;
    for (int k = 0; k < SCREE_BATCH; k++) {
        CHECK(isnan(room.out[OUT_FORCE][k]) == (room.in[IN_OVERLAP][k] < 1e-5));
        nans += isnan(room.out[OUT_FORCE][k]) ? 1 : 0;
    }
    CHECK(nans > 0 && nans < SCREE_BATCH);
    scree_formula_law_destroy(law);
}

/*  Where nothing slides the force along the plane has no direction, and nothing is lost, whatever the formula is there. */
TEST(nothing_is_lost_where_nothing_slides)
{
    static law_room room;
    scree_formula_law_def def = hertz_def();
    double c[SCREE_MAX_CONSTANTS] = {0};

    def.spring_stiffness = def.spring_damping = def.spring_limit = NULL;
    def.tangential = "mu * fn * vt / vt";
    scree_law *law = make(def);
    prepare(law, c);
    memset(&room, 0, sizeof room);
    draw_contacts(&room, 3, 1); /* one in three does not slide */
    scree_batch batch = batch_of(&room, law, true, 1e-5);
    law->force(&batch, c, law->user);
    for (int k = 0; k < SCREE_BATCH; k++) {
        CHECK(isfinite(room.out[OUT_FORCE][k]));
        CHECK(isfinite(room.out[OUT_LOSS + SCREE_LOSS_FRICTION][k]));
        if (k % 3 == 0)
            CHECK(room.out[OUT_LOSS + SCREE_LOSS_FRICTION][k] == 0);
    }
    scree_formula_law_destroy(law);
}

/*  Numbers of one contact: the force's size, its direction, what is stored and recorded. */
TEST(each_formula_goes_where_it_belongs)
{
    static law_room room;
    scree_law *law = make(full_def());
    double c[SCREE_MAX_CONSTANTS] = {0};

    CHECK_EQUAL(law->memory_count, 2);
    CHECK(law->has_moment);
    prepare(law, c);
    memset(&room, 0, sizeof room);
    draw_contacts(&room, 7, 1);
    room.in[IN_MEMORY][5] = 1e-3; /* deepest */
    room.in[IN_MEMORY + 1][5] = 0.25;
    scree_batch batch = batch_of(&room, law, true, 1e-5);
    law->force(&batch, c, law->user);
    double d = room.in[IN_OVERLAP][5], R = room.in[IN_RADIUS][5], vn = room.in[IN_APPROACH][5];
    double fn = 0.5 * c[SCREE_LAW_E] * sqrt(R * d) * d + 0.02 * vn * exp(-0.25), vt = 0, along = 0;
    for (int a = 0; a < 3; a++) {
        vt += room.in[IN_SLIDE + a][5] * room.in[IN_SLIDE + a][5];
        along -= room.out[OUT_FORCE + a][5] * room.in[IN_NORMAL + a][5];
    }
    vt = sqrt(vt);
    CHECK_NEAR(along, fn, 1e-12 * fabs(fn));
    double slides = c[SCREE_LAW_MU] * fabs(fn) * tanh(vt / 0.01);
    for (int a = 0; a < 3; a++)
        CHECK_NEAR(room.out[OUT_FORCE + a][5],
                   -fn * room.in[IN_NORMAL + a][5] - slides * room.in[IN_SLIDE + a][5] / vt,
                   1e-12 * fabs(fn));
    CHECK(room.out[OUT_NEXT][5] == 1e-3);
    CHECK(room.out[OUT_NEXT + 1][5] == 0.25 + 1.5e-5);
    double stored = 0.5 * d * d * sqrt(d), time = 1.5e-5;
    CHECK_NEAR(room.out[OUT_ENERGY][5], stored, 1e-14 * stored);
    CHECK_NEAR(room.out[OUT_LOSS + SCREE_LOSS_DAMPING][5], 0.02 * vn * exp(-0.25) * vn * time,
               1e-18);
    CHECK_NEAR(room.out[OUT_LOSS + SCREE_LOSS_FRICTION][5], slides * vt * time, 1e-12 * slides);
    CHECK(room.out[OUT_LOSS + SCREE_LOSS_ROLLING][5] > 0);
    scree_formula_law_destroy(law);
}

TEST(what_does_not_slide_or_roll_has_no_force_along_the_plane)
{
    static law_room room;
    scree_formula_law_def def = scree_default_formula_law_def();

    def.name = "stiction";
    def.normal = "1";
    def.tangential = "1e3";
    def.rolling = "1e3";
    scree_law *law = make(def);
    double c[SCREE_MAX_CONSTANTS] = {0};
    prepare(law, c);
    memset(&room, 0, sizeof room);
    draw_contacts(&room, 3, 1);
    memset(room.in[IN_SLIDE], 0, 3 * sizeof room.in[0]);
    memset(room.in[IN_ROLL], 0, 3 * sizeof room.in[0]);
    scree_batch batch = batch_of(&room, law, true, 1e-5);
    law->force(&batch, c, law->user);
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < SCREE_BATCH; k++) {
            CHECK(room.out[OUT_FORCE + a][k] == -room.in[IN_NORMAL + a][k]);
            CHECK(room.out[OUT_MOMENT + a][k] == 0);
        }
    scree_formula_law_destroy(law);
}

/* ---- in worlds ---- */

static void add_rule(scree_world *world, const scree_law *law)
{
    scree_rule_def rule = scree_default_rule_def();

    rule.own_law = law;
    if (scree_world_add_rule(world, &rule))
        FAIL("%s", scree_world_message(world));
}

/*  A heap of some spheres in a box of planes. */
static scree_world *make_heap(const scree_law *law, uint32_t threads, const char *method,
                              bool has_balance)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_material_id id;
    scree_world *world;
    scree_error why = {SCREE_OK, ""};

    def.gravity[2] = -9.81;
    def.compute.thread_count = threads;
    def.detection.method = method;
    def.energy_balance = has_balance;
    def.step.dt = 2e-5;
    def.hooks.error = &why;
    if (scree_world_create(&def, &world))
        FAIL("%s", why.text);
    CHECK_EQUAL(scree_world_add_material(world, &material, &id), SCREE_OK);
    if (law)
        add_rule(world, law);
    for (int side = 0; side < 5; side++) {
        scree_wall_def wall = scree_default_wall_def();
        wall.material = id;
        wall.point[side / 2] = side == 4 ? 0 : side % 2 ? 0.03 : 0;
        wall.normal[0] = wall.normal[1] = wall.normal[2] = 0;
        wall.normal[side / 2] = side == 4 || side % 2 == 0 ? 1 : -1;
        CHECK_EQUAL(scree_world_add_wall(world, &wall, NULL), SCREE_OK);
    }
    for (int k = 0; k < 150; k++) {
        scree_body_def body = scree_default_body_def();
        body.shape = scree_shape_sphere(0.002 + 0.0001 * (k % 5));
        body.material = id;
        body.position[0] = 0.004 + 0.0052 * (k % 5) + 0.0001 * (k % 7);
        body.position[1] = 0.004 + 0.0052 * (k / 5 % 5);
        body.position[2] = 0.003 + 0.0052 * (k / 25);
        CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    }
    return world;
}

static void step(scree_world *world, uint64_t steps)
{
    if (scree_world_step(world, steps))
        FAIL("%s", scree_world_message(world));
}

/*  One digest for numbers of threads, methods, and a copy that continues; the world outlives what made its law. */
TEST(worlds_by_formulas_have_one_digest)
{
    scree_law *law = make(hertz_def());
    scree_world *one = make_heap(law, 1, "auto", false), *two = make_heap(law, 3, "flat", false),
                *copy;
    scree_world_def def = scree_default_world_def();

    scree_formula_law_destroy(law);
    step(one, 1500);
    step(two, 700);
    CHECK_EQUAL(scree_world_copy(two, &def, &copy), SCREE_OK);
    scree_world_destroy(two);
    step(copy, 800);
    CHECK(scree_world_digest(one) == scree_world_digest(copy));
    CHECK(scree_world_detection_stats(one).contacts > 20);
    scree_world_destroy(copy);
    scree_world_destroy(one);
}

/*  Not bit by bit: forces agree to 1e-12, and heaps of grains double differences now and then. */
TEST(a_heap_by_formulas_is_near_that_of_the_built_in_law)
{
    scree_law *law = make(hertz_def());
    scree_world *own = make_heap(law, 1, "auto", true),
                *built_in = make_heap(NULL, 1, "auto", true);

    step(own, 400);
    step(built_in, 400);
    scree_energy a = scree_world_energy(own), b = scree_world_energy(built_in);
    CHECK_NEAR(a.kinetic, b.kinetic, 1e-7 * b.kinetic);
    CHECK_NEAR(a.elastic, b.elastic, 1e-6 * b.elastic + 1e-15);
    CHECK_NEAR(a.damping, b.damping, 1e-6 * b.damping);
    CHECK_NEAR(a.friction, b.friction, 1e-6 * b.friction + 1e-15);
    CHECK(b.friction > 0 && b.damping > 0);
    scree_world_destroy(own);
    scree_world_destroy(built_in);
    scree_formula_law_destroy(law);
}

TEST(a_snapshot_of_other_formulas_is_refused)
{
    scree_formula_law_def other = hertz_def();

    other.spring_limit = "mu * fn * 1.5";
    scree_law *law = make(hertz_def()), *changed = make(other);
    scree_world *a = make_heap(law, 1, "auto", false), *b = make_heap(changed, 1, "auto", false);
    scree_snapshot *snapshot;

    step(a, 10);
    CHECK_EQUAL(scree_world_snapshot(a, &snapshot), SCREE_OK);
    CHECK(scree_world_restore(b, snapshot) != SCREE_OK);
    CHECK_EQUAL(scree_world_restore(a, snapshot), SCREE_OK);
    scree_snapshot_destroy(snapshot);
    scree_world_destroy(a);
    scree_world_destroy(b);
    scree_formula_law_destroy(law);
    scree_formula_law_destroy(changed);
}

TEST(forces_that_are_no_numbers_refuse_the_step_with_the_laws_name)
{
    scree_formula_law_def def = scree_default_formula_law_def();

    def.name = "torn";
    def.normal = "E * d^1.5 + log(-d)";
    scree_law *law = make(def);
    scree_world *world = make_heap(law, 1, "auto", false);
    CHECK_EQUAL(scree_world_step(world, 5000), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(world), "is not finite (law torn)");
    scree_world_destroy(world);
    scree_formula_law_destroy(law);
}

/*  Without `stiffness` it is found by differences: the same step to a part in a hundred. */
TEST(the_stable_step_is_that_of_the_built_in_law)
{
    scree_formula_law_def def = hertz_def();

    def.stiffness = NULL;
    scree_law *law = make(hertz_def()), *silent = make(def);
    scree_world *worlds[] = {make_heap(NULL, 1, "auto", false), make_heap(law, 1, "auto", false),
                             make_heap(silent, 1, "auto", false)};
    double dt[3];
    for (int k = 0; k < 3; k++) {
        scree_stable_step stable;
        step(worlds[k], 1000);
        CHECK_EQUAL(scree_world_stable_step(worlds[k], &stable), SCREE_OK);
        dt[k] = stable.dt;
        scree_world_destroy(worlds[k]);
    }
    CHECK(dt[0] > 0 && dt[0] < 1e-2);
    CHECK_NEAR(dt[1], dt[0], 0.35 * dt[0]);
    CHECK_NEAR(dt[2], dt[1], 0.02 * dt[1]);
    scree_formula_law_destroy(law);
    scree_formula_law_destroy(silent);
}

TEST(devices_refuse_laws_written_as_formulas_by_name)
{
    scree_law *law = make(hertz_def());
    scree_world *own = make_heap(law, 1, "auto", false),
                *built_in = make_heap(NULL, 1, "auto", false);
    char text[400] = "";

    CHECK_EQUAL(scree_world_device_refusals(built_in, text, sizeof text), 0);
    CHECK_EQUAL(scree_world_device_refusals(own, text, sizeof text), 1);
    CHECK_TEXT(text, "laws written as formulas");
    scree_world_destroy(own);
    scree_world_destroy(built_in);
    scree_formula_law_destroy(law);
}

/* ---- as bytes ---- */

TEST(definitions_come_back_from_bytes_and_torn_ones_are_refused)
{
    scree_law *law = make(full_def()), *read;
    const scree_formula_law *formula = scree_formula_law_of(law);
    const scree_allocator allocator = {0};
    scree_error why = {SCREE_OK, ""};
    char *bytes = malloc(formula->text_bytes);

    CHECK_EQUAL(scree_formula_law_read(formula->text, formula->text_bytes, &allocator, &read, &why),
                SCREE_OK);
    CHECK(scree_formula_law_of(read)->hash == formula->hash);
    CHECK_TEXT(read->name, "full");
    CHECK_TEXT(read->parameter_names[1], "c");
    scree_formula_law_destroy(read);
    for (uint32_t count = 0; count < formula->text_bytes; count++) {
        memcpy(bytes, formula->text, formula->text_bytes);
        CHECK(scree_formula_law_read(bytes, count, &allocator, &read, &why) != SCREE_OK);
        CHECK(!read);
        bytes[count] ^= 0x15;
        scree_formula_law_read(bytes, formula->text_bytes, &allocator, &read, &why);
        scree_formula_law_destroy(read);
    }
    free(bytes);
    scree_formula_law_destroy(law);
}

/* ---- parameters ---- */

TEST(rules_set_parameters_of_formulas)
{
    static const scree_formula_parameter parameters[] = {{"stiff", NAN}, {"c", 0.5}};
    scree_formula_law_def def = scree_default_formula_law_def();
    double c[SCREE_MAX_CONSTANTS], given[] = {1e4, NAN};
    scree_material_def material = scree_default_material_def();
    scree_error why = {SCREE_OK, ""};
    scree_law_input input = {&material, &material, given, 3, &why};

    def.name = "mine";
    def.normal = "stiff * d + c * vn";
    def.parameters = parameters;
    def.parameter_count = 2;
    scree_law *law = make(def);
    CHECK_TEXT(law->parameter_names[0], "stiff");
    CHECK_TEXT(law->parameter_names[1], "c");
    CHECK(!law->parameter_names[2]);
    CHECK_EQUAL(law->prepare(&input, c, law->user), SCREE_OK);
    CHECK(c[SCREE_LAW_FIXED] == 1e4 && c[SCREE_LAW_FIXED + 1] == 0.5);
    given[0] = INFINITY;
    CHECK_EQUAL(law->prepare(&input, c, law->user), SCREE_BAD_VALUE);
    CHECK_TEXT(why.text, "law mine: stiff is infinite, must be a finite number");
    given[0] = NAN;
    CHECK_EQUAL(law->prepare(&input, c, law->user), SCREE_BAD_VALUE);
    CHECK_TEXT(why.text, "law mine: stiff is not given and has no default value");
    scree_formula_law_destroy(law);
}

TEST(two_rigid_materials_have_no_modulus)
{
    scree_law *law = make(hertz_def());
    double c[SCREE_MAX_CONSTANTS];
    scree_material_def material = scree_default_material_def();
    scree_error why = {SCREE_OK, ""};
    scree_law_input input = {&material, &material, NULL, 3, &why};

    material.young = INFINITY;
    CHECK_EQUAL(law->prepare(&input, c, law->user), SCREE_BAD_VALUE);
    CHECK_SAYS(why.text, "law my hertz: young of both materials is infinite");
    scree_formula_law_destroy(law);
    law = make(linear_def());
    CHECK_EQUAL(law->prepare(&input, c, law->user), SCREE_OK);
    scree_formula_law_destroy(law);
}

/* ---- what is refused ---- */

static void refuse_as(const scree_formula_law_def *def, const char *text)
{
    scree_formula_law_def tried = *def;
    scree_error why = {SCREE_OK, ""};
    scree_law *law;

    tried.error = &why;
    if (!scree_formula_law_create(&tried, &law))
        FAIL("taken: %s", text);
    CHECK(!law);
    CHECK_TEXT(why.text, text);
}

TEST(definitions_that_make_no_sense_are_refused)
{
    scree_formula_law_def fine = linear_def(), def;
    scree_formula_memory memory[9] = {{"h", "h + d"}};
    scree_formula_parameter parameters[16] = {{"p", 1}};
    scree_law *law;

#define REFUSE(change, text)                                                                       \
    do {                                                                                           \
        def = fine;                                                                                \
        change;                                                                                    \
        refuse_as(&def, text);                                                                     \
    } while (0)
    REFUSE(def.cookie = 1, "law: not made by scree_default_formula_law_def of this version");
    REFUSE(def.name = NULL, "law: name is \"\", must have 1 to 31 bytes");
    REFUSE(def.name = "12345678901234567890123456789012",
           "law: name is \"12345678901234567890123456789012\", must have 1 to 31 bytes");
    REFUSE(def.name = "hertz", "law hertz: name is that of a built-in law; choose another");
    REFUSE(def.name = "none", "law none: name is that of a built-in law; choose another");
    REFUSE(def.normal = "",
           "law my linear: normal is missing: the normal force, such as \"k * d\"");
    REFUSE(def.tangential = "fn",
           "law my linear: has tangential and a spring; give only one of them");
    REFUSE(def.spring_limit = NULL,
           "law my linear: spring has no limit: the force at which it slides, such as \"mu * fn\"");
    REFUSE(def.spring_stiffness = NULL, "law my linear: spring has no stiffness");
    REFUSE(def.reach = -1, "law my linear: reach is -1, must be 0 or more and finite");
    REFUSE(def.normal = "kk * d",
           "law my linear: normal: column 1: there is no name `kk`; did you mean `k`?");
    REFUSE(def.normal = "fn",
           "law my linear: normal: column 1: there is no name `fn`; did you mean `vn`?");
    REFUSE(def.where = "fn = 2", "law my linear: the name `fn` is that of the normal force");
    REFUSE(
        def.where = "a = 2; a",
        "law my linear: where: column 8: only definitions are allowed here, such as name = value;");
    REFUSE(def.where = "d = 2", "law my linear: where: column 1: the name `d` is taken");
    REFUSE(def.spring_limit = "mu fn",
           "law my linear: spring: limit: column 4: an operator is missing before `f`");
    REFUSE(def.spring_damping = "sqrt(k",
           "law my linear: spring: damping: column 7: `,` or `)` is missing before the end of the "
           "text: the bracket of sqrt in column 1 is open");
    REFUSE(def.energy = "d / 0", "law my linear: energy: column 3: division by 0");
    REFUSE(def.stiffness = "d^", "law my linear: stiffness: column 3: a number, a name or a "
                                 "bracket is missing before the end of the text");
    REFUSE(def.rolling = "wr +", "law my linear: rolling: column 5: a number, a name or a bracket "
                                 "is missing before the end of the text");
    def.memory = memory;
    fine.memory = memory;
    REFUSE(def.memory_count = 9,
           "law my linear: memory has 9 numbers, must be a list of at most 8");
    REFUSE((def.memory_count = 1, def.memory = NULL),
           "law my linear: memory has 1 numbers, must be a list of at most 8");
    memory[0].name = "d";
    REFUSE(def.memory_count = 1, "law my linear: memory: the name `d` is taken");
    memory[0].name = "a.b";
    REFUSE(def.memory_count = 1, "law my linear: memory: the name `a.b` has a point");
    memory[0].name = "fn";
    REFUSE(def.memory_count = 1,
           "law my linear: memory: the name `fn` is that of the normal force");
    memory[0] = (scree_formula_memory){"h", NULL};
    REFUSE(def.memory_count = 1, "law my linear: memory: h: the formula is empty");
    memory[0].next = "g + 1";
    REFUSE(def.memory_count = 1, "law my linear: memory: h: column 1: there is no name `g`");
    fine.parameters = parameters;
    REFUSE(def.parameter_count = 16,
           "law my linear: there are 16 parameters, must be a list of at most 15");
    parameters[0].name = "E";
    REFUSE(def.parameter_count = 1, "law my linear: parameters: the name `E` is taken");
    parameters[0] = (scree_formula_parameter){"p", INFINITY};
    REFUSE(def.parameter_count = 1,
           "law my linear: parameters: p is infinite, must be a finite number");
    parameters[0].name = NULL;
    REFUSE(def.parameter_count = 1, "law my linear: parameters: the name `` must begin with a "
                                    "letter, and have only letters, digits and _");
#undef REFUSE
    CHECK_EQUAL(scree_formula_law_create(NULL, &law), SCREE_BAD_DEF);
    CHECK_EQUAL(scree_formula_law_create(&fine, NULL), SCREE_BAD_ARGUMENT);
    scree_formula_law_destroy(NULL);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(formulas_of_hertz_and_mindlin_give_their_forces),
        CASE(formulas_of_a_linear_spring_give_its_forces),
        CASE(forces_are_the_same_bits_at_each_simd_level),
        CASE(each_formula_goes_where_it_belongs),
        CASE(a_limit_that_is_no_number_is_seen),
        CASE(nothing_is_lost_where_nothing_slides),
        CASE(what_does_not_slide_or_roll_has_no_force_along_the_plane),
        CASE(worlds_by_formulas_have_one_digest),
        CASE(a_heap_by_formulas_is_near_that_of_the_built_in_law),
        CASE(a_snapshot_of_other_formulas_is_refused),
        CASE(forces_that_are_no_numbers_refuse_the_step_with_the_laws_name),
        CASE(the_stable_step_is_that_of_the_built_in_law),
        CASE(devices_refuse_laws_written_as_formulas_by_name),
        CASE(definitions_come_back_from_bytes_and_torn_ones_are_refused),
        CASE(rules_set_parameters_of_formulas),
        CASE(two_rigid_materials_have_no_modulus),
        CASE(definitions_that_make_no_sense_are_refused),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
