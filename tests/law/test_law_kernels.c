/*  Kernels of the built-in laws: the same bits at all levels and in any company, the formulas written once more
    in the plain way, bounds that hold exactly, and memory that turns with the contact. */
#include "base/random.h"
#include "law/law.h"
#include "law/law_builtin.h"
#include "law_contact.h"
#include "law_reference.h"

#include <float.h>

static const char *const law_names[] = {"linear", "hertz", "linear-rolling", "hertz-rolling"};
/*  And those that stick, whose formulas are tested in test_law_adhesion.c. */
static const char *const all_names[] = {"linear",  "hertz",  "linear-rolling", "hertz-rolling",
                                        "jkr",     "dmt",    "sjkr",           "capillary",
                                        "plastic", "bonded", "penalty",        "eepa"};

static const scree_law *law_of_draw(int draw)
{
    return scree_law_by_name(all_names[(size_t)draw % SCREE_COUNT_OF(all_names)]);
}

/* ---- random contacts ---- */

static void random_direction(scree_random *random, double v[3])
{
    double length;
    do {
        for (int k = 0; k < 3; k++)
            v[k] = scree_random_range(random, -1, 1);
        length = sqrt(law_dot3(v, v));
    } while (length < 0.1 || length > 1);
    for (int k = 0; k < 3; k++)
        v[k] /= length;
}

/*  Overlap, speeds, spins, memory of all kinds: new contacts, and those that are let go; pushed apart and
    together; slow enough to stick and fast enough to slide. */
static void fill_contact(law_room *room, uint32_t k, scree_random *random, uint32_t memory_count)
{
    double n[3], v[3], w[3], m[3];
    double radius = pow(10, scree_random_range(random, -5, 0)),
           depth = radius * pow(10, scree_random_range(random, -6, -1));
    double speed = pow(10, scree_random_range(random, -6, 1)), rate = speed / radius;
    double pressed = 1e6 * sqrt(radius * depth) * depth;
    bool is_new = scree_random_range(random, 0, 1) < 0.2;

    random_direction(random, n);
    random_direction(random, v);
    random_direction(random, w);
    random_direction(random, m);
    room->in[IN_OVERLAP][k] = depth;
    room->in[IN_RADIUS][k] = radius;
    room->in[IN_MASS][k] = 8000 * radius * radius * radius;
    room->in[IN_APPROACH][k] = scree_random_range(random, -1, 1) * speed;
    room->in[IN_TWIST][k] = scree_random_range(random, -1, 1) * rate;
    double along = law_dot3(v, n);
    for (int a = 0; a < 3; a++) {
        room->in[IN_NORMAL + a][k] = n[a];
        room->in[IN_SLIDE + a][k] = speed * (v[a] - along * n[a]);
        room->in[IN_ROLL + a][k] = rate * w[a];
    }
    for (uint32_t i = 0; i < SCREE_MAX_MEMORY; i++)
        room->in[IN_MEMORY + i][k] = 0;
    if (is_new)
        return;
    /* most of it along the plane of now, as after a step */
    along = law_dot3(m, n);
    double most = pressed * scree_random_range(random, 0, 1);
    for (int a = 0; a < 3; a++)
        room->in[IN_MEMORY + a][k] = most * (m[a] - 0.99 * along * n[a]);
    uint32_t rolling = memory_count % 4 ? SCREE_LINEAR_MEMORY : SCREE_HERTZ_MEMORY;
    if (memory_count == SCREE_HERTZ_MEMORY ||
        memory_count == SCREE_HERTZ_MEMORY + SCREE_ROLLING_MEMORY)
        room->in[IN_MEMORY + 3][k] = depth * scree_random_range(random, 0.8, 1.25);
    if (memory_count > SCREE_HERTZ_MEMORY)
        for (int a = 0; a < 4; a++)
            room->in[IN_MEMORY + rolling + (uint32_t)a][k] =
                0.1 * radius * most * (a < 3 ? m[a] : scree_random_range(random, -1, 1));
}

/*  All of them; with laws that stick every third is beyond touching. */
static void fill_contacts(law_room *room, scree_random *random, const scree_law *law)
{
    bool reaches = law->memory_count >= SCREE_HERTZ_MEMORY + SCREE_ROLLING_MEMORY &&
                   strcmp(law->name, "hertz-rolling") != 0;

    for (uint32_t k = 0; k < SCREE_BATCH; k++) {
        fill_contact(room, k, random, law->memory_count);
        for (int side = 0; side < 2; side++)
            room->in[IN_ARM + side][k] = (1.5 + side) * room->in[IN_RADIUS][k];
        if (reaches && k % 3 == 0)
            room->in[IN_OVERLAP][k] *= -1e-2;
        /* bonds that hold, some that do not, and a bridge; what is stored of overlaps is near this one */
        for (uint32_t m = SCREE_HERTZ_MEMORY + SCREE_ROLLING_MEMORY; m < law->memory_count; m++)
            room->in[IN_MEMORY + m][k] = 1e-9 * scree_random_range(random, -1, 1);
        if (law->memory_count > SCREE_HERTZ_MEMORY + SCREE_ROLLING_MEMORY)
            room->in[IN_MEMORY + law->memory_count - 1][k] = k % 4 ? 1 : 0;
        if (strcmp(law->name, "plastic") == 0)
            for (uint32_t m = SCREE_PLASTIC_MEMORY; m < law->memory_count; m++)
                room->in[IN_MEMORY + m][k] =
                    room->in[IN_RADIUS][k] * 0.01 * scree_random_range(random, 0, 1);
        if (strcmp(law->name, "eepa") == 0) {
            /* flattened by some hundredths of a radius, and drawn apart from there */
            double deepest = room->in[IN_RADIUS][k] * 0.02 * scree_random_range(random, 0, 1);
            double *memory[] = {&room->in[IN_MEMORY + SCREE_EEPA_MEMORY][k],
                                &room->in[IN_MEMORY + SCREE_EEPA_MEMORY + 1][k],
                                &room->in[IN_MEMORY + SCREE_EEPA_MEMORY + 2][k]};
            *memory[0] = deepest * sqrt(deepest) * scree_random_range(random, 0, 1);
            *memory[1] = deepest;
            *memory[2] = deepest * scree_random_range(random, 0, 1);
        }
    }
}

/*  Constants of a law with parameters drawn at random. */
static void random_constants(const char *law, scree_random *random, int draw, double *constants)
{
    static const char *const names[] = {"restitution",
                                        "friction",
                                        "tangential",
                                        "rolling",
                                        "rolling_friction",
                                        "twisting_friction",
                                        "adhesion",
                                        "separation",
                                        "cohesion",
                                        "surface_tension",
                                        "volume",
                                        "contact_angle",
                                        "plastic_stiffness",
                                        "cohesion_stiffness",
                                        "bond_young",
                                        "bond_tension",
                                        "bond_shear",
                                        "contact_skin",
                                        "plasticity",
                                        "pull_off_force",
                                        NULL};
    double values[] = {scree_random_range(random, 0, 1),
                       scree_random_range(random, 0, 1),
                       draw % 3,
                       (draw / 3) % 3,
                       scree_random_range(random, 0, 0.3),
                       scree_random_range(random, 0, 0.1),
                       pow(10, scree_random_range(random, -3, 1)),
                       draw % 2 ? 1e-6 : 0,
                       1e5,
                       0.07,
                       pow(10, scree_random_range(random, -18, -9)),
                       scree_random_range(random, 0, 1.5),
                       3e4,
                       scree_random_range(random, 0, 1e4),
                       1e6,
                       pow(10, scree_random_range(random, 2, 6)),
                       pow(10, scree_random_range(random, 2, 6)),
                       1e-3,
                       0.01 * (1 + draw % 99),
                       draw % 4 ? 0 : 1e-3};
    scree_material_def m = scree_default_material_def();
    m.stiffness = 1e4;
    if (draw % 5 == 4)
        values[1] = values[4] = values[5] = 0;
    law_prepare(law, &m, &m, names, values, constants);
}

/* ---- the same bits ---- */

static void run(const scree_law *law, scree_simd level, law_room *room, uint32_t count,
                bool has_balance, const double *constants)
{
    scree_batch batch = law_batch(room, count, 3e-6, 2e-6);
    if (!has_balance) {
        batch.energy = batch.stiffness = batch.shear_stiffness = NULL;
        for (int k = 0; k < SCREE_LOSSES; k++)
            batch.loss[k] = NULL;
    }
    if (!law->has_moment)
        batch.moment[0] = batch.moment[1] = batch.moment[2] = NULL;
    memset(room->out, 0, sizeof room->out);
    scree_law_forces(law, level)(&batch, constants, law->user);
}

static void check_same(const law_room *a, const law_room *b, uint32_t count, const char *law,
                       const char *what)
{
    for (int k = 0; k < OUTPUTS; k++)
        if (!same_bits(a->out[k], b->out[k], count * sizeof(double)))
            FAIL("%s: %s, output %d differs", law, what, k);
}

TEST(all_levels_give_the_same_bits)
{
    static law_room room, other;
    scree_random random = scree_random_stream(31, 0);
    for (int draw = 0; draw < 2000; draw++) {
        const scree_law *law = law_of_draw(draw);
        uint32_t count = 1 + (uint32_t)draw % SCREE_BATCH;
        bool has_balance = draw / 4 % 2;
        double constants[SCREE_MAX_CONSTANTS] = {0};
        random_constants(law->name, &random, draw / 8, constants);
        fill_contacts(&room, &random, law);
        memcpy(other.in, room.in, sizeof room.in);
        run(law, SCREE_SIMD_SCALAR, &room, count, has_balance, constants);
        for (int level = SCREE_SIMD_128; level <= SCREE_SIMD_AVX512; level++) {
            run(law, (scree_simd)level, &other, count, has_balance, constants);
            check_same(&room, &other, count, law->name, scree_simd_name((scree_simd)level));
        }
        /* the law's own function is one of these */
        scree_law copy = *law;
        copy.name = "copy";
        run(&copy, SCREE_SIMD_AUTO, &other, count, has_balance, constants);
        check_same(&room, &other, count, law->name, "a copy");
        scree_batch batch = law_batch(&other, count, 3e-6, 2e-6);
        memset(other.out, 0, sizeof other.out);
        law->force(&batch, constants, law->user);
        if (has_balance)
            check_same(&room, &other, count, law->name, "its own function");
    }
}

TEST(each_level_has_its_kernel)
{
    for (int level = SCREE_SIMD_SCALAR; level <= SCREE_SIMD_AVX512; level++) {
        scree_simd there = scree_simd_resolve((scree_simd)level);
        const scree_law_kernels *kernels = scree_law_kernels_at(there);
        scree_law_force *const wanted[] = {
            kernels->linear,  kernels->hertz,  kernels->linear_rolling, kernels->hertz_rolling,
            kernels->jkr,     kernels->dmt,    kernels->sjkr,           kernels->capillary,
            kernels->plastic, kernels->bonded, kernels->penalty,        kernels->eepa};
        for (size_t i = 0; i < SCREE_COUNT_OF(all_names); i++)
            CHECK(scree_law_forces(scree_law_by_name(all_names[i]), (scree_simd)level) ==
                  wanted[i]);
        if ((int)there == level && level > SCREE_SIMD_SCALAR)
            CHECK(kernels->hertz != scree_law_kernels_at(SCREE_SIMD_SCALAR)->hertz);
    }
}

/*  What is past the count, and who else is in the batch, changes nothing. */
TEST(company_changes_nothing)
{
    static law_room room, alone;
    scree_random random = scree_random_stream(32, 0);
    for (int draw = 0; draw < 400; draw++) {
        const scree_law *law = law_of_draw(draw);
        double constants[SCREE_MAX_CONSTANTS] = {0};
        random_constants(law->name, &random, draw / 4, constants);
        fill_contacts(&room, &random, law);
        run(law, SCREE_SIMD_AUTO, &room, SCREE_BATCH, true, constants);
        uint32_t k = (uint32_t)draw % SCREE_BATCH;
        for (int i = 0; i < INPUTS; i++) {
            for (uint32_t j = 0; j < SCREE_BATCH; j++)
                alone.in[i][j] = j % 3 ? (j % 2 ? NAN : -1e300) : INFINITY;
            alone.in[i][0] = room.in[i][k];
        }
        run(law, SCREE_SIMD_AUTO, &alone, 1, true, constants);
        for (int i = 0; i < OUTPUTS; i++)
            CHECK(same_bits(&alone.out[i][0], &room.out[i][k], sizeof(double)));
    }
}

/*  The energy balance and stiffness are looked on, and change no force; nor does it matter which of them are wanted. */
TEST(the_balance_changes_nothing)
{
    static law_room room, bare;
    scree_random random = scree_random_stream(33, 0);
    for (int draw = 0; draw < 400; draw++) {
        const scree_law *law = law_of_draw(draw);
        double constants[SCREE_MAX_CONSTANTS] = {0};
        random_constants(law->name, &random, draw / 4, constants);
        fill_contacts(&room, &random, law);
        memcpy(bare.in, room.in, sizeof room.in);
        run(law, SCREE_SIMD_AUTO, &room, SCREE_BATCH, true, constants);
        run(law, SCREE_SIMD_AUTO, &bare, SCREE_BATCH, false, constants);
        CHECK(same_bits(room.out, bare.out, sizeof(double[OUT_ENERGY][SCREE_BATCH])));
        for (int k = 0; k < SCREE_LOSSES; k++) {
            scree_batch batch = law_batch(&bare, SCREE_BATCH, 3e-6, 2e-6);
            batch.energy = NULL;
            for (int i = 0; i < SCREE_LOSSES; i++)
                if (i != k)
                    batch.loss[i] = NULL;
            memset(bare.out, 0, sizeof bare.out);
            law->force(&batch, constants, NULL);
            CHECK(same_bits(bare.out[OUT_LOSS + k], room.out[OUT_LOSS + k], sizeof room.out[0]));
            CHECK(bare.out[OUT_ENERGY][0] == 0);
        }
    }
}

/* ---- the formulas once more ---- */

/*  1e-14 of the magnitudes that are added up. */
TEST(kernels_follow_the_formulas)
{
    static const char *const names[] = {"restitution", "friction",         "tangential",
                                        "rolling",     "rolling_friction", "twisting_friction",
                                        NULL};
    static law_room room;
    scree_random random = scree_random_stream(34, 0);
    int stuck = 0, slid = 0, rolled = 0;
    for (int draw = 0; draw < 3000; draw++) {
        const scree_law *law = scree_law_by_name(law_names[draw % 4]);
        scree_material_def m = scree_default_material_def();
        reference_parameters p = {.hertz = draw % 2, .rolls = draw % 4 >= 2};
        double constants[SCREE_MAX_CONSTANTS] = {0};
        double e = scree_random_range(&random, 0.02, 1);
        p.friction = scree_random_range(&random, 0, 1);
        p.tangential = draw / 4 % 3;
        p.rolling = draw / 12 % 3;
        p.rolling_friction = scree_random_range(&random, 0.01, 0.3);
        p.twisting_friction = scree_random_range(&random, 0.01, 0.1);
        p.damping = scree_damping_ratio(e);
        m.stiffness = 1e4;
        p.k = 5e3;
        p.ratio = 2.0 / 7;
        p.E = 1e7 / (2 * 0.91);
        p.G = 1e7 / 2.6 / (2 * 1.7);
        double values[] = {e,         p.friction,         p.tangential,
                           p.rolling, p.rolling_friction, p.twisting_friction};
        law_prepare(law->name, &m, &m, names, values, constants);
        for (uint32_t c = 0; c < SCREE_BATCH; c++)
            fill_contact(&room, c, &random, law->memory_count);
        run(law, SCREE_SIMD_AUTO, &room, SCREE_BATCH, true, constants);
        for (uint32_t c = 0; c < SCREE_BATCH; c++) {
            reference t = reference_of(&p, &room, c, 3e-6, 2e-6);
            double tiny = 1e-14;
            for (int a = 0; a < 3; a++) {
                CHECK_NEAR(room.out[OUT_FORCE + a][c], t.force[a], tiny * t.scale_force);
                CHECK_NEAR(room.out[a][c], t.next[a], tiny * t.scale_force);
                if (p.rolls)
                    CHECK_NEAR(room.out[OUT_MOMENT + a][c], t.moment[a], tiny * t.scale_moment);
                CHECK_NEAR(room.out[OUT_LOSS + a][c], t.loss[a], tiny * t.scale_energy);
            }
            for (uint32_t i = p.hertz ? 4 : 3; i < law->memory_count; i++)
                CHECK_NEAR(room.out[i][c], t.next[i], tiny * t.scale_moment);
            if (p.hertz)
                CHECK(room.out[3][c] == room.in[IN_OVERLAP][c]);
            CHECK_NEAR(room.out[OUT_ENERGY][c], t.energy, tiny * t.scale_energy);
            CHECK_NEAR(room.out[OUT_STIFFNESS][c] / t.stiffness, 1, tiny);
            CHECK_NEAR(room.out[OUT_SHEAR][c] / t.shear, 1, tiny);
            stuck += room.out[OUT_LOSS + SCREE_LOSS_FRICTION][c] == 0;
            slid += room.out[OUT_LOSS + SCREE_LOSS_FRICTION][c] > 0;
            rolled += room.out[OUT_LOSS + SCREE_LOSS_ROLLING][c] > 0;
        }
    }
    CHECK(stuck > 1000 && slid > 10000 && rolled > 10000);
}

/* ---- bounds ---- */

/*  With the normal along an axis, friction, rolling and twisting can be told apart without rounding. */
TEST(bounds_hold_to_the_last_bit)
{
    static const char *const names[] = {"friction", "rolling", "rolling_friction",
                                        "twisting_friction", NULL};
    static law_room room;
    scree_random random = scree_random_stream(35, 0);
    int at_bound = 0;
    for (int draw = 0; draw < 2000; draw++) {
        const scree_law *law = scree_law_by_name(law_names[2 + draw % 2]);
        scree_material_def m = scree_default_material_def();
        double mu = scree_random_range(&random, 0, 1), roll = scree_random_range(&random, 0, 0.3);
        double twist = scree_random_range(&random, 0, 0.1),
               values[] = {mu, draw / 2 % 3, roll, twist};
        double constants[SCREE_MAX_CONSTANTS] = {0};
        law_prepare(law->name, &m, &m, names, values, constants);
        for (uint32_t c = 0; c < SCREE_BATCH; c++) {
            fill_contact(&room, c, &random, law->memory_count);
            for (int a = 0; a < 3; a++)
                room.in[IN_NORMAL + a][c] = a == 2;
            room.in[IN_SLIDE + 2][c] = 0;
        }
        run(law, SCREE_SIMD_AUTO, &room, SCREE_BATCH, true, constants);
        for (uint32_t c = 0; c < SCREE_BATCH; c++) {
            const double *x = room.out[OUT_FORCE], *y = room.out[OUT_FORCE + 1];
            double pressed = -room.out[OUT_FORCE + 2][c], R = room.in[IN_RADIUS][c];
            double friction = sqrt(x[c] * x[c] + y[c] * y[c]);
            x = room.out[OUT_MOMENT], y = room.out[OUT_MOMENT + 1];
            double rolling = sqrt(x[c] * x[c] + y[c] * y[c]);
            CHECK(pressed >= 0);
            CHECK(friction <= mu * pressed);
            CHECK(rolling <= (values[1] > 0 ? roll * R * pressed : 0));
            CHECK(fabs(room.out[OUT_MOMENT + 2][c]) <= twist * R * pressed);
            at_bound += rolling >= roll * R * pressed * (1 - 1e-14) && rolling > 0;
        }
    }
    CHECK(at_bound > 10000);
}

/*  Pulled apart fast, a damped contact lets go: no force attracts, and what is left of the spring is heat. */
TEST(no_force_attracts)
{
    static law_room room;
    scree_random random = scree_random_stream(36, 0);
    int clipped = 0;
    for (int draw = 0; draw < 400; draw++) {
        const scree_law *law = scree_law_by_name(law_names[draw % 4]);
        double constants[SCREE_MAX_CONSTANTS] = {0};
        random_constants(law->name, &random, draw / 4, constants);
        for (uint32_t c = 0; c < SCREE_BATCH; c++)
            fill_contact(&room, c, &random, law->memory_count);
        run(law, SCREE_SIMD_AUTO, &room, SCREE_BATCH, true, constants);
        for (uint32_t c = 0; c < SCREE_BATCH; c++) {
            double f[3], n[3];
            for (int a = 0; a < 3; a++)
                f[a] = room.out[OUT_FORCE + a][c], n[a] = room.in[IN_NORMAL + a][c];
            double size = sqrt(law_dot3(f, f));
            /* the rounding of n and of the plane */
            CHECK(law_dot3(f, n) <= 4e-16 * size);
            if (size == 0) {
                clipped++;
                CHECK(room.out[OUT_LOSS][c] > 0);
            }
        }
    }
    CHECK(clipped > 1000);
}

/*  Spheres that only just touch may have an overlap that rounds to 0 or less; nothing comes of it but numbers. */
TEST(no_overlap_no_force)
{
    static law_room room;
    scree_random random = scree_random_stream(37, 0);
    for (int draw = 0; draw < 64; draw++) {
        const scree_law *law = scree_law_by_name(law_names[draw % 4]);
        double constants[SCREE_MAX_CONSTANTS] = {0};
        random_constants(law->name, &random, draw / 4, constants);
        for (uint32_t c = 0; c < SCREE_BATCH; c++) {
            fill_contact(&room, c, &random, law->memory_count);
            room.in[IN_OVERLAP][c] = c % 2 ? 0 : -1e-19;
            room.in[IN_APPROACH][c] = -fabs(room.in[IN_APPROACH][c]);
        }
        run(law, SCREE_SIMD_AUTO, &room, SCREE_BATCH, true, constants);
        for (uint32_t c = 0; c < SCREE_BATCH; c++) {
            for (int a = 0; a < 3; a++)
                CHECK(room.out[OUT_FORCE + a][c] == 0 && room.out[OUT_MOMENT + a][c] == 0);
            for (int i = 0; i < OUTPUTS; i++)
                CHECK(isfinite(room.out[i][c]));
        }
    }
}

/*  A number that is none is not hidden by a bound or by clipping. */
TEST(nan_comes_out)
{
    static law_room room;
    scree_random random = scree_random_stream(38, 0);
    for (int i = 0; i < 4; i++)
        for (int in = 0; in < IN_MEMORY + (int)scree_law_by_name(law_names[i])->memory_count;
             in++) {
            const scree_law *law = scree_law_by_name(law_names[i]);
            bool moment_only = in >= IN_ROLL && in < IN_ROLL + 3;
            double constants[SCREE_MAX_CONSTANTS] = {0};
            random_constants(law->name, &random, 6, constants);
            /* no lane's slide matters to the linear stiffness, nor arms to laws without bonds */
            if (in == IN_ARM || in == IN_ARM + 1)
                continue;
            if (in == IN_RADIUS && !law->has_moment && i == 0)
                continue;
            if (moment_only && !law->has_moment)
                continue;
            for (uint32_t c = 0; c < SCREE_BATCH; c++)
                fill_contact(&room, c, &random, law->memory_count);
            for (uint32_t c = 0; c < SCREE_BATCH; c++)
                room.in[in][c] = NAN;
            run(law, SCREE_SIMD_AUTO, &room, SCREE_BATCH, false, constants);
            for (uint32_t c = 0; c < SCREE_BATCH; c++) {
                double sum = 0;
                for (int a = 0; a < 3; a++)
                    sum += room.out[OUT_FORCE + a][c] + room.out[OUT_MOMENT + a][c];
                for (uint32_t k = 0; k < law->memory_count; k++)
                    sum += room.out[k][c];
                if (!isnan(sum))
                    FAIL("%s hides a NaN in input %d", law->name, in);
            }
        }
}

/* ---- memory ---- */

/*  A pair that turns as one carries its springs round: the force comes back after a turn, as long as before. */
TEST(memory_turns_with_the_pair)
{
    for (int i = 0; i < 4; i++) {
        const scree_law *law = scree_law_by_name(law_names[i]);
        static law_room room;
        double constants[SCREE_MAX_CONSTANTS] = {0}, begin[8], axis[3] = {0.48, 0.6, 0.64};
        double force[3] = {0.3, -0.2, 0.1}, n[3] = {1, 0, 0}, across[3];
        scree_material_def m = scree_default_material_def();
        m.friction = 10;
        m.rolling_friction = m.twisting_friction = 10;
        law_prepare(law->name, &m, &m, NULL, NULL, constants);
        memset(&room, 0, sizeof room);
        scree_batch batch = law_batch(&room, 1, 1, 0);
        room.in[IN_OVERLAP][0] = 1e-3;
        room.in[IN_RADIUS][0] = 0.1;
        room.in[IN_MASS][0] = 1;
        force[0] = 0;
        for (uint32_t k = 0; k < law->memory_count; k++)
            room.in[IN_MEMORY + k][0] = k < 3 ? force[k] : 0;
        if (i % 2)
            room.in[IN_MEMORY + 3][0] = 1e-3;
        for (uint32_t k = law->memory_count - 4; law->has_moment && k < law->memory_count; k++)
            room.in[IN_MEMORY + k][0] = k == law->memory_count - 4 ? 0 : 0.01 * k;
        for (uint32_t k = 0; k < law->memory_count; k++)
            begin[k] = room.in[IN_MEMORY + k][0];
        const int steps = 20000;
        double angle = 2 * 3.14159265358979323846 / steps;
        for (int step = 1; step <= steps; step++) {
            /* n = Rodrigues' rotation of (1, 0, 0) about the axis */
            double e[3] = {1, 0, 0}, along = law_dot3(axis, e), s = sin(step * angle),
                   c = cos(step * angle);
            law_cross(axis, e, across);
            for (int k = 0; k < 3; k++) {
                n[k] = e[k] * c + across[k] * s + axis[k] * along * (1 - c);
                room.in[IN_NORMAL + k][0] = n[k];
            }
            room.in[IN_TWIST][0] = law_dot3(axis, n) * angle;
            law->force(&batch, constants, NULL);
            for (uint32_t k = 0; k < law->memory_count; k++)
                room.in[IN_MEMORY + k][0] = room.out[k][0];
            double f[3] = {room.out[0][0], room.out[1][0], room.out[2][0]};
            CHECK_NEAR(law_dot3(f, f), 0.05, 1e-12);
            CHECK_NEAR(law_dot3(f, n), 0, 1e-15);
        }
        /* from the normal of now alone the turn of the plane is known to the step's angle squared */
        for (uint32_t k = 0; k < law->memory_count; k++)
            CHECK_NEAR(room.in[IN_MEMORY + k][0], begin[k], 0.5 * angle);
    }
}

/* ---- at rest ---- */

/*  A block (a sphere that cannot turn) on a rough wall, pushed along it with half of what friction holds: it comes
    to rest where the spring holds the load, and stays there. */
TEST(static_friction_holds_without_creep)
{
    for (int i = 0; i < 2; i++) {
        scree_material_def m = scree_default_material_def();
        law_pair p = {.law = scree_law_by_name(law_names[i])};
        m.stiffness = 2e4;
        m.restitution = 0.3;
        law_prepare(law_names[i], &m, &m, NULL, NULL, p.constants);
        p.body[0] = law_sphere(0.01, 2500);
        p.body[0].inertia = 0;
        p.load[2] = -p.body[0].mass * 9.81;
        p.load[0] = 0.25 * p.body[0].mass * 9.81;
        p.dt = 1e-5;
        law_evaluate(&p, 0, p.dt / 2);
        for (int step = 0; step < 100000; step++)
            law_step(&p);
        double x = p.body[0].x[0];
        CHECK_NEAR(p.force[0], -p.load[0], 1e-6 * p.load[0]);
        CHECK_NEAR(p.force[2], -p.load[2], 1e-6 * p.load[0]);
        CHECK(x > 0 && x < 1e-4);
        for (int step = 0; step < 1000000; step++)
            law_step(&p);
        CHECK_NEAR(p.body[0].x[0], x, 1e-9 * x);
    }
}

/*  A sphere held on the wall spins, and resists: the springs swing and come to rest; the constant torque brakes at
    a constant rate. */
TEST(rolling_and_twisting_come_to_rest)
{
    static const char *const names[] = {"rolling", "rolling_friction", "twisting_friction",
                                        "friction", NULL};
    for (int i = 2; i < 4; i++)
        for (int model = 1; model <= 2; model++) {
            double values[] = {model, 0.1, 0.05, 0};
            scree_material_def m = scree_default_material_def();
            law_pair p = {.law = scree_law_by_name(law_names[i])};
            m.restitution = 0.3;
            law_prepare(law_names[i], &m, &m, names, values, p.constants);
            p.body[0] = law_sphere(0.01, 2500);
            p.load[2] = -p.body[0].mass * 9.81;
            p.body[0].w[0] = 0.3;
            p.body[0].w[1] = 0.4;
            p.body[0].w[2] = 0.5;
            p.dt = 1e-5;
            double most = 0.1 * 0.01 * -p.load[2], I = p.body[0].inertia;
            law_evaluate(&p, 0, p.dt / 2);
            for (int step = 0; step < 20000; step++)
                law_step(&p);
            if (model == 1) {
                /* 0.2 s of braking from the settling of the weight on: within 5 % of most / I * t, and aligned */
                double w = hypot(p.body[0].w[0], p.body[0].w[1]), braked = 0.5 - w;
                CHECK_NEAR(braked, fmin(0.5, most / I * 0.2), 0.05 * 0.5);
            }
            for (int step = 0; step < 200000; step++) {
                law_step(&p);
                CHECK(hypot(p.moment[0], p.moment[1]) <= 0.1 * 0.01 * p.pressed * (1 + 1e-14));
            }
            /* the constant torque turns round with the spin: it swings by what a step does */
            double rest = model == 1 ? 2 * most / I * p.dt : 1e-6;
            CHECK_NEAR(p.body[0].w[0], 0, rest);
            CHECK_NEAR(p.body[0].w[1], 0, rest);
            CHECK_NEAR(p.body[0].w[2], 0, 1e-6);
        }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(all_levels_give_the_same_bits),
        CASE(each_level_has_its_kernel),
        CASE(company_changes_nothing),
        CASE(the_balance_changes_nothing),
        CASE(kernels_follow_the_formulas),
        CASE(bounds_hold_to_the_last_bit),
        CASE(no_force_attracts),
        CASE(no_overlap_no_force),
        CASE(nan_comes_out),
        CASE(memory_turns_with_the_pair),
        CASE(static_friction_holds_without_creep),
        CASE(rolling_and_twisting_come_to_rest),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
