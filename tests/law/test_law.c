/*  Laws and materials by what they are given: names, definitions, parameters, refusals; and a user's law. */
#include "base/portable_math.h"
#include "law/law.h"
#include "law/law_builtin.h"
#include "law/material.h"
#include "law_contact.h"

/* ---- materials ---- */

TEST(the_default_material_is_sound)
{
    scree_error error = {SCREE_OK, ""};
    scree_material_def def = scree_default_material_def();
    CHECK_EQUAL(scree_material_check(&def, &error), SCREE_OK);
    def.young = INFINITY;
    def.name = "a name of as much as 31 letters";
    CHECK_EQUAL(scree_material_check(&def, &error), SCREE_OK);
    def.name = NULL;
    CHECK_EQUAL(scree_material_check(&def, &error), SCREE_OK);
    CHECK_EQUAL(scree_material_check(&def, NULL), SCREE_OK);
}

/*  Each field with values that cannot be used, and the message that names both. */
TEST(bad_materials_are_refused_by_field)
{
    static const struct
    {
        size_t at;
        const char *field;
        double value[4];
        int count;
    } cases[] = {
#define FIELD(name) offsetof(scree_material_def, name), #name
        {FIELD(density), {0, -1, 1e101, INFINITY}, 4},
        {FIELD(young), {0, -1e7, 1e101, -INFINITY}, 4},
        {FIELD(poisson), {-1, 0.51, -2, INFINITY}, 4},
        {FIELD(restitution), {-0.1, 1.01, INFINITY}, 3},
        {FIELD(friction), {-0.1, INFINITY}, 2},
        {FIELD(rolling_friction), {-0.1, INFINITY}, 2},
        {FIELD(twisting_friction), {-1e-300, INFINITY}, 2},
        {FIELD(stiffness), {0, -1, INFINITY}, 3},
        {FIELD(stiffness_ratio), {0, -1, INFINITY}, 3},
#undef FIELD
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int k = 0; k <= cases[i].count; k++) {
            scree_material_def def = scree_default_material_def();
            scree_error error = {SCREE_OK, ""};
            double value = k < cases[i].count ? cases[i].value[k] : (double)NAN;
            char text[40];
            def.name = "gravel";
            memcpy((char *)&def + cases[i].at, &value, sizeof value);
            CHECK_EQUAL(scree_material_check(&def, &error), SCREE_BAD_VALUE);
            CHECK_EQUAL(error.status, SCREE_BAD_VALUE);
            snprintf(text, sizeof text, "%s is %g, must be", cases[i].field, value);
            CHECK_SAYS(error.text, text);
            CHECK_SAYS(error.text, "gravel");
        }
}

TEST(foreign_materials_and_long_names_are_refused)
{
    scree_error error = {SCREE_OK, ""};
    scree_material_def def;
    memset(&def, 0, sizeof def);
    CHECK_EQUAL(scree_material_check(&def, &error), SCREE_BAD_DEF);
    CHECK_SAYS(error.text, "scree_default_material_def");
    def = scree_default_material_def();
    def.name = "a name of altogether 32 letters.";
    CHECK_EQUAL(scree_material_check(&def, &error), SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "has 32 bytes");
}

TEST(two_materials_mix_in_either_order)
{
    scree_material_def a = scree_default_material_def(), b = a;
    a.young = 48e9;
    a.poisson = 0.2;
    a.stiffness = 3e5;
    a.friction = 0.1;
    b.young = 70e9;
    b.stiffness = 7e5;
    b.stiffness_ratio = 0.8;
    b.restitution = 0.3;
    b.rolling_friction = 0.2;
    b.twisting_friction = 0.2;
    scree_material_mix ab = scree_material_mixed(&a, &b), ba = scree_material_mixed(&b, &a);
    CHECK(same_bits(&ab, &ba, sizeof ab));
    CHECK_NEAR(1 / ab.young, 0.96 / 48e9 + 0.91 / 70e9, 1e-15 / 1e9);
    CHECK_NEAR(1 / ab.shear, 1.8 * 2.4 / 48e9 + 1.7 * 2.6 / 70e9, 1e-15 / 1e9);
    CHECK(ab.restitution == 0.3 && ab.friction == 0.1);
    CHECK(ab.rolling_friction == 0 && ab.twisting_friction == 0);
    CHECK_NEAR(ab.stiffness, 2.1e5, 1e-9);
    CHECK_NEAR(ab.stiffness_ratio, (2.0 / 7 + 0.8) / 2, 1e-15);
    /* the two of Chung & Ooi */
    b = a;
    CHECK_NEAR(scree_material_mixed(&a, &b).young, 25e9, 1);
    a.young = 70e9;
    a.poisson = 0.3;
    b.young = INFINITY;
    CHECK_NEAR(scree_material_mixed(&a, &b).young, 76.923077e9, 1e3);
    a.young = INFINITY;
    CHECK(scree_material_mixed(&a, &b).young == INFINITY);
}

/* ---- the table of laws ---- */

TEST(laws_are_found_by_name)
{
    static const char *const wanted[] = {"linear",  "hertz",  "linear-rolling", "hertz-rolling",
                                         "jkr",     "dmt",    "sjkr",           "capillary",
                                         "plastic", "bonded", "penalty",        "eepa"};
    CHECK_EQUAL(scree_law_count(), SCREE_COUNT_OF(wanted));
    for (size_t i = 0; i < SCREE_COUNT_OF(wanted); i++) {
        const scree_law *law = scree_law_at(i);
        scree_error error = {SCREE_OK, ""};
        CHECK_TEXT(law->name, wanted[i]);
        CHECK(scree_law_by_name(wanted[i]) == law);
        CHECK(law->summary && *law->summary);
        bool is_penalty = strcmp(law->name, "penalty") == 0;
        CHECK(law->has_moment == (i >= 2 && !is_penalty));
        CHECK(law->reach == 0);
        CHECK_EQUAL(scree_law_check(law, &error), SCREE_OK);
        CHECK_EQUAL(scree_law_find_parameter(law, "nothing"), -1);
        CHECK((scree_law_find_parameter(law, "restitution") >= 0) == !is_penalty);
        CHECK((scree_law_find_parameter(law, "rolling") >= 0) == law->has_moment);
    }
    CHECK(scree_law_at(SCREE_COUNT_OF(wanted)) == NULL);
    CHECK(scree_law_by_name("Hertz") == NULL);
    CHECK(scree_law_by_name("") == NULL);
    CHECK(scree_law_by_name(NULL) == NULL);
}

/* ---- parameters ---- */

static scree_status prepare_with(const char *law_name, const char *parameter, double value,
                                 scree_material_def *first, scree_material_def *second,
                                 scree_error *error)
{
    const scree_law *law = scree_law_by_name(law_name);
    double parameters[32], constants[SCREE_MAX_CONSTANTS];
    scree_law_input input = {first, second, parameters, 3, error};
    /* what some laws must be given */
    static const char *const needed[] = {"adhesion",    "cohesion",          "surface_tension",
                                         "volume",      "plastic_stiffness", "bond_young",
                                         "contact_skin"};
    for (int k = 0; k < 32; k++)
        parameters[k] = NAN;
    for (size_t k = 0; k < SCREE_COUNT_OF(needed); k++)
        if (scree_law_find_parameter(law, needed[k]) >= 0)
            parameters[scree_law_find_parameter(law, needed[k])] = 1e6;
    if (parameter)
        parameters[scree_law_find_parameter(law, parameter)] = value;
    return law->prepare(&input, constants, law->user);
}

TEST(bad_parameters_are_refused_by_name)
{
    static const struct
    {
        const char *law, *parameter;
        double value;
        const char *right;
    } cases[] = {
        {"linear", "stiffness", 0, "above 0"},
        {"linear", "stiffness", -1e5, "above 0"},
        {"linear", "stiffness", INFINITY, "to 1e+100"},
        {"linear", "stiffness_ratio", 0, "above 0"},
        {"hertz", "young", 0, "above 0"},
        {"hertz", "young", INFINITY, "to 1e+100"},
        {"hertz", "shear", -1, "above 0"},
        {"hertz", "tangential", 3, "a whole number from 0 to 2"},
        {"hertz", "tangential", 0.5, "a whole number from 0 to 2"},
        {"hertz", "restitution", -0.5, "0 to 1"},
        {"hertz", "restitution", 1.5, "0 to 1"},
        {"linear", "friction", -0.5, "0 to 1e+06"},
        {"linear", "tangential_damping", -0.5, "0 to 1e+06"},
        {"linear-rolling", "rolling", 3, "a whole number from 0 to 2"},
        {"hertz-rolling", "rolling_friction", -1, "0 to 1e+06"},
        {"hertz-rolling", "rolling_damping", -1, "0 to 1e+06"},
        {"hertz-rolling", "twisting_friction", INFINITY, "0 to 1e+06"},
        {"capillary", "surface_tension", 0, "above 0"},
        {"capillary", "volume", 0, "1e-60 to"},
        {"capillary", "contact_angle", 2, "0 to 1.5708"},
        {"plastic", "plastic_stiffness", -1, "above 0"},
        {"plastic", "plastic_depth", 0, "above 0"},
        {"plastic", "cohesion_stiffness", -1, "0 to"},
        {"eepa", "plasticity", 1, "above 0 to 0.99"},
        {"eepa", "plasticity", 0, "above 0 to 0.99"},
        {"eepa", "adhesion_exponent", 0.5, "1 to 10"},
        {"eepa", "adhesion_exponent", 1.75, "a multiple of 0.5"},
        {"eepa", "pull_off_force", -1, "0 to"},
        {"bonded", "bond_young", 0, "above 0"},
        {"bonded", "bond_ratio", 0, "above 0"},
        {"bonded", "bond_radius", 0, "above 0"},
        {"bonded", "bond_tension", 0, "above 0"},
        {"bonded", "bond_shear", -1, "above 0"},
        {"bonded", "bond_moment", 1.5, "0 to 1"},
        {"bonded", "bond_reach", 0, "above 0"},
        {"bonded", "bond_damping", -1, "0 to"},
        {"bonded", "bond_lasts", 2, "a whole number from 0 to 1"},
        {"penalty", "strength", 0, "above 0"},
        {"penalty", "contact_skin", 0, "above 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scree_material_def m = scree_default_material_def();
        scree_error error = {SCREE_OK, ""};
        char text[80];
        CHECK_EQUAL(prepare_with(cases[i].law, cases[i].parameter, cases[i].value, &m, &m, &error),
                    SCREE_BAD_VALUE);
        snprintf(text, sizeof text, "law %s: %s is %g, must be", cases[i].law, cases[i].parameter,
                 cases[i].value);
        CHECK_SAYS(error.text, text);
        CHECK_SAYS(error.text, cases[i].right);
    }
}

TEST(two_rigid_materials_need_a_rule)
{
    scree_material_def rigid = scree_default_material_def(), soft = rigid;
    scree_error error = {SCREE_OK, ""};
    rigid.young = INFINITY;
    rigid.name = "steel";
    CHECK_EQUAL(prepare_with("hertz", NULL, 0, &rigid, &soft, &error), SCREE_OK);
    CHECK_EQUAL(prepare_with("hertz", NULL, 0, &rigid, &rigid, &error), SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "steel");
    CHECK_SAYS(error.text, "young and shear");
    CHECK_EQUAL(prepare_with("hertz", "young", 1e7, &rigid, &rigid, &error), SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "must give shear");
    CHECK_EQUAL(prepare_with("linear", NULL, 0, &rigid, &rigid, &error), SCREE_OK);
    rigid.name = NULL;
    CHECK_EQUAL(prepare_with("hertz", NULL, 0, &rigid, &rigid, &error), SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "(unnamed)");
}

/*  What a rule says takes the place of what materials say: a material that has it gives the same constants. */
TEST(parameters_stand_for_what_materials_have)
{
    static const struct
    {
        const char *parameter;
        size_t at;
        double value;
    } cases[] = {
        {"stiffness_ratio", offsetof(scree_material_def, stiffness_ratio), 0.7},
        {"restitution", offsetof(scree_material_def, restitution), 0.11},
        {"friction", offsetof(scree_material_def, friction), 0.23},
        {"rolling_friction", offsetof(scree_material_def, rolling_friction), 0.05},
        {"twisting_friction", offsetof(scree_material_def, twisting_friction), 0.03},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scree_material_def plain = scree_default_material_def(), special = plain;
        double of_rule[SCREE_MAX_CONSTANTS] = {0}, of_material[SCREE_MAX_CONSTANTS] = {0};
        double of_neither[SCREE_MAX_CONSTANTS] = {0};
        memcpy((char *)&special + cases[i].at, &cases[i].value, sizeof(double));
        const char *const names[] = {cases[i].parameter, NULL};
        law_prepare("linear-rolling", &plain, &plain, names, &cases[i].value, of_rule);
        law_prepare("linear-rolling", &special, &special, NULL, NULL, of_material);
        law_prepare("linear-rolling", &plain, &plain, NULL, NULL, of_neither);
        CHECK(same_bits(of_rule, of_material, sizeof of_rule));
        CHECK(!same_bits(of_rule, of_neither, sizeof of_rule));
    }
}

/*  "young" alone keeps the materials' proportion of E to G. */
TEST(effective_moduli_of_a_rule)
{
    static const char *const names[] = {"young", "shear", NULL};
    static const char *const young_name[] = {"young", NULL};
    scree_material_def m = scree_default_material_def();
    scree_material_mix mix = scree_material_mixed(&m, &m);
    double both[SCREE_MAX_CONSTANTS] = {0}, one[SCREE_MAX_CONSTANTS] = {0},
           none[SCREE_MAX_CONSTANTS] = {0};
    double same[] = {mix.young, mix.shear}, twice = 2 * mix.young;
    law_prepare("hertz", &m, &m, names, same, both);
    law_prepare("hertz", &m, &m, NULL, NULL, none);
    law_prepare("hertz", &m, &m, young_name, &twice, one);
    CHECK(same_bits(both, none, sizeof both));
    CHECK(one[SCREE_LAW_STIFFNESS] == 2 * none[SCREE_LAW_STIFFNESS]);
    CHECK_NEAR(one[SCREE_LAW_SHEAR], none[SCREE_LAW_SHEAR], 1e-15);
    /* 4 G / E = 2 (1 - nu) / (2 - nu) of like materials (Mindlin) */
    CHECK_NEAR(none[SCREE_LAW_SHEAR], 2 * 0.7 / 1.7, 1e-15);
}

/*  Parameters may be NULL altogether. */
TEST(prepare_without_parameters)
{
    scree_material_def m = scree_default_material_def();
    scree_error error = {SCREE_OK, ""};
    for (size_t i = 0; i < scree_law_count(); i++) {
        scree_law_input input = {&m, &m, NULL, 2, &error};
        double constants[SCREE_MAX_CONSTANTS];
        /* but for what says itself how it sticks */
        if (i >= 4 && strcmp(scree_law_at(i)->name, "eepa") != 0) {
            CHECK_EQUAL(scree_law_at(i)->prepare(&input, constants, NULL), SCREE_BAD_VALUE);
            CHECK_SAYS(error.text, "is not given");
            continue;
        }
        CHECK_EQUAL(scree_law_at(i)->prepare(&input, constants, NULL), SCREE_OK);
        CHECK(constants[SCREE_LAW_FRICTION] <= 0.5 &&
              constants[SCREE_LAW_FRICTION] > 0.5 * (1 - 1e-14));
    }
}

/*  Of a disc the moment of inertia about the contact is 3/2 m R^2, of a sphere 7/5: the damping of rolling goes
    with its root. Nothing else knows of dimensions. */
TEST(discs_roll_as_discs)
{
    const scree_law *law = scree_law_by_name("hertz-rolling");
    scree_material_def m = scree_default_material_def();
    m.rolling_friction = 0.1;
    m.twisting_friction = 0.2;
    scree_law_input input = {&m, &m, NULL, 2, NULL};
    double disc[SCREE_MAX_CONSTANTS] = {0}, sphere[SCREE_MAX_CONSTANTS] = {0};
    CHECK_EQUAL(law->prepare(&input, disc, NULL), SCREE_OK);
    input.dimensions = 3;
    CHECK_EQUAL(law->prepare(&input, sphere, NULL), SCREE_OK);
    for (int k = 0; k < SCREE_LAW_CONSTANTS; k++)
        if (k == SCREE_LAW_ROLLING_DAMPING || k == SCREE_LAW_TWISTING_DAMPING)
            CHECK_NEAR(disc[k] / sphere[k], sqrt(1.5 / 1.4), 1e-15);
        else
            CHECK(disc[k] == sphere[k]);
}

/* ---- damping ---- */

/*  ln e of a damping ratio, the other way round and by the C library: -2 q / tan q with q = acos(ratio), beyond
    critical -2 y / tanh y with y = acosh(ratio). */
static double restitution_of(double damping)
{
    double q = damping < 1 ? acos(damping) : acosh(damping);
    if (q == 0)
        return exp(-2);
    return exp(-2 * q / (damping < 1 ? tan(q) : tanh(q)));
}

TEST(damping_gives_the_restitution)
{
    CHECK(scree_damping_ratio(1) == 0);
    for (int i = 1; i < 1000; i++) {
        double e = i / 1000.0, damping = scree_damping_ratio(e);
        CHECK(damping < scree_damping_ratio(e - 0.0005));
        /* the check's own q carries the error of ratio over sqrt(1 - ratio^2) */
        CHECK_NEAR(restitution_of(damping) / e, 1, 1e-13);
    }
    /* about critical damping, e = exp(-2) */
    for (int i = 1; i < 16; i++) {
        double off = pow(10, -i);
        CHECK_NEAR(scree_damping_ratio(exp(-2) * (1 + off)), 1 - 0.75 * off, off * off + 1e-15);
        CHECK_NEAR(scree_damping_ratio(exp(-2) * (1 - off)), 1 + 0.75 * off, off * off + 1e-15);
    }
    CHECK_NEAR(scree_damping_ratio(1 - 1e-15), 1e-15 / 3.14159265358979, 2e-16);
}

/*  The table of nominal and achieved restitution of validation.md, section 2. */
TEST(damping_agrees_with_the_published_table)
{
    static const double nominal[] = {0.10, 0.20, 0.30, 0.40, 0.50, 0.60,
                                     0.70, 0.80, 0.90, 0.95, 0.98};
    static const double achieved[] = {0.25273, 0.32486, 0.39714, 0.47201, 0.55028, 0.63229,
                                      0.71820, 0.80810, 0.90203, 0.95051, 0.98008};
    for (int i = 0; i < 11; i++) {
        double x = -log(nominal[i]) / 3.14159265358979323846;
        /* five digits of the table over the slope, at most 1.6 */
        CHECK_NEAR(scree_damping_ratio(achieved[i]), x / sqrt(1 + x * x), 1e-5);
    }
}

TEST(arc_tangent)
{
    for (int i = -3000; i <= 3000; i++) {
        double x = (i < 0 ? -1 : 1) * pow(10, (abs(i) - 1500) / 100.0);
        /* a few units of the last place */
        CHECK_NEAR(scree_atan(x) / atan(x), 1, 6e-16);
    }
    for (int i = -3000; i <= 3000; i++)
        CHECK_NEAR(scree_atan(i / 500.0), atan(i / 500.0), 4e-16);
    CHECK(scree_atan(0) == 0 && !signbit(scree_atan(0)) && signbit(scree_atan(-0.0)));
    CHECK(scree_atan(INFINITY) == 0x1.921fb54442d18p+0);
    CHECK(scree_atan(-INFINITY) == -0x1.921fb54442d18p+0);
    CHECK(isnan(scree_atan((double)NAN)));
}

/* ---- laws of users ---- */

static scree_status prepare_spring(const scree_law_input *input, double *constants, void *user)
{
    (void)user;
    constants[0] = input->parameters[0];
    return SCREE_OK;
}

/*  As at the top of law.h. */
static void spring(const scree_batch *batch, const double *constants, void *user)
{
    *(int *)user += 1;
    for (uint32_t k = 0; k < batch->count; k++)
        for (int a = 0; a < 3; a++)
            batch->force[a][k] = -constants[0] * batch->overlap[k] * batch->normal[a][k];
}

TEST(a_law_of_the_user)
{
    static const char *const names[] = {"k", NULL};
    int calls = 0;
    scree_law law = {.name = "spring",
                     .summary = "a spring",
                     .parameter_names = names,
                     .prepare = prepare_spring,
                     .force = spring,
                     .user = &calls};
    scree_error error = {SCREE_OK, ""};
    CHECK_EQUAL(scree_law_check(&law, &error), SCREE_OK);
    CHECK(scree_law_forces(&law, SCREE_SIMD_AVX2) == spring);
    CHECK_EQUAL(scree_law_find_parameter(&law, "k"), 0);

    double k = 1000;
    law_pair p = {.law = &law};
    scree_law_input input = {NULL, NULL, &k, 3, &error};
    CHECK_EQUAL(law.prepare(&input, p.constants, law.user), SCREE_OK);
    p.body[0] = law_sphere(0.1, 2500);
    p.body[0].v[2] = -1;
    p.dt = 1e-5;
    law_run_impact(&p);
    CHECK(calls > 1000);
    CHECK_NEAR(p.body[0].v[2], 1, 1e-5);
    law.parameter_names = NULL;
    CHECK_EQUAL(scree_law_find_parameter(&law, "k"), -1);
}

TEST(bad_laws_of_users_are_refused)
{
    scree_law good = {.name = "spring", .prepare = prepare_spring, .force = spring}, bad;
    scree_error error = {SCREE_OK, ""};
    bad = good;
    bad.name = NULL;
    CHECK_EQUAL(scree_law_check(&bad, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "name is empty");
    bad = good;
    bad.force = NULL;
    CHECK_EQUAL(scree_law_check(&bad, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "force is NULL");
    bad = good;
    bad.prepare = NULL;
    CHECK_EQUAL(scree_law_check(&bad, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "prepare is NULL");
    bad = good;
    bad.memory_count = 17;
    CHECK_EQUAL(scree_law_check(&bad, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "memory_count is 17");
    for (int i = 0; i < 3; i++) {
        bad = good;
        bad.reach = i == 0 ? -1 : i == 1 ? (double)INFINITY : (double)NAN;
        CHECK_EQUAL(scree_law_check(&bad, &error), SCREE_BAD_ARGUMENT);
        CHECK_SAYS(error.text, "reach is");
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(the_default_material_is_sound),
        CASE(bad_materials_are_refused_by_field),
        CASE(foreign_materials_and_long_names_are_refused),
        CASE(two_materials_mix_in_either_order),
        CASE(laws_are_found_by_name),
        CASE(bad_parameters_are_refused_by_name),
        CASE(two_rigid_materials_need_a_rule),
        CASE(parameters_stand_for_what_materials_have),
        CASE(effective_moduli_of_a_rule),
        CASE(prepare_without_parameters),
        CASE(discs_roll_as_discs),
        CASE(damping_gives_the_restitution),
        CASE(damping_agrees_with_the_published_table),
        CASE(arc_tangent),
        CASE(a_law_of_the_user),
        CASE(bad_laws_of_users_are_refused),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
