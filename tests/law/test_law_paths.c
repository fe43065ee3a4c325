/*  Laws whose force depends on the way they came: bridges of liquid, elastic-plastic contacts of two kinds; and the penalty law. */
#include "base/portable_math.h"
#include "harness/world_maker.h"
#include "law/law.h"
#include "law/law_builtin.h"
#include "law_contact.h"

#define PI 3.14159265358979323846

static void constants_of(const char *law, const char *const *names, const double *values,
                         double *constants)
{
    scree_material_def m = scree_default_material_def();
    m.young = 2e7 * 0.91;
    m.restitution = 1;
    m.friction = 0.3;
    m.stiffness = 2e4; /* two in series: 1e4 */
    memset(constants, 0, SCREE_MAX_CONSTANTS * sizeof *constants);
    law_prepare(law, &m, &m, names, values, constants);
}

/*  A contact along x that is led from overlap to overlap, with its memory. */
typedef struct path
{
    const scree_law *law;
    double constants[SCREE_MAX_CONSTANTS], radius, slide;
    law_room room;
    double worked, lost; /* along the way */
    double overlap, force;
} path;

static double go_to(path *p, double overlap)
{
    p->room.in[IN_NORMAL][0] = 1;
    p->room.in[IN_OVERLAP][0] = overlap;
    p->room.in[IN_RADIUS][0] = p->radius;
    p->room.in[IN_MASS][0] = 1e-5;
    p->room.in[IN_SLIDE + 1][0] = p->slide;
    scree_batch batch = law_batch(&p->room, 1, 1e-6, 0);
    p->law->force(&batch, p->constants, p->law->user);
    for (uint32_t m = 0; m < p->law->memory_count; m++)
        p->room.in[IN_MEMORY + m][0] = p->room.out[OUT_NEXT + m][0];
    double force = -p->room.out[OUT_FORCE][0];
    p->worked += 0.5 * (force + p->force) * (overlap - p->overlap);
    p->lost += p->room.out[OUT_LOSS + SCREE_LOSS_DAMPING][0];
    p->overlap = overlap;
    return p->force = force;
}

static double lead(path *p, double to, int steps)
{
    double from = p->overlap;
    for (int k = 1; k <= steps; k++)
        go_to(p, from + (to - from) * k / steps);
    return p->force;
}

static double stored(const path *p)
{
    return p->room.out[OUT_ENERGY][0];
}

/* ---- bridges ---- */

TEST(a_bridge_pulls_as_willett_found_and_breaks)
{
    static const char *const names[] = {"surface_tension", "volume", "contact_angle", NULL};
    static const double values[] = {0.072, 1e-12, 0.3};
    static path p;
    const double end = 1.15 * 1e-4, r = 0.0005, most = 4 * PI * r * 0.072 * cos(0.3);

    memset(&p, 0, sizeof p);
    p.law = scree_law_by_name("capillary");
    p.radius = r;
    constants_of("capillary", names, values, p.constants);
    scree_law_reach reach = scree_law_reach_of(p.law, p.constants);
    CHECK_NEAR(scree_law_reach_at(&reach, 1), end, 1e-12 * end);
    /* there is none before they touch */
    CHECK(go_to(&p, -0.1 * end) == 0 && stored(&p) == 0);
    CHECK_NEAR(go_to(&p, 0), -most, 1e-12 * most);
    CHECK_NEAR(p.lost, -stored(&p), 1e-12 * most * end);
    double cost = p.lost;
    p.worked = 0;
    for (int k = 1; k < 20000; k++) {
        double gap = end * k / 20000, s = gap * sqrt(2 * r / 1e-12);
        CHECK_NEAR(go_to(&p, -gap), -most / (1 + 1.05 * s + 2.5 * s * s), 1e-12 * most);
    }
    /* what it took to draw it out is what was lost when it formed */
    CHECK_NEAR(p.worked, cost, 1e-5 * cost);
    CHECK_NEAR(stored(&p), 0, 1e-3 * cost);
    CHECK(go_to(&p, -end * 1.0001) == 0);
    CHECK(go_to(&p, -0.5 * end) == 0);
    CHECK(p.lost == cost);
    /* in the overlap Hertz's force less the pull at touch */
    CHECK_NEAR(go_to(&p, 1e-6), 4.0 / 3 * 1e7 * sqrt(r) * 1e-9 - most, 1e-12 * most);
    CHECK(isnan(go_to(&p, (double)NAN)));
}

/* ---- Luding ---- */

static void open_plastic(path *p, double pull)
{
    static const char *const names[] = {"plastic_stiffness", "cohesion_stiffness", "plastic_depth",
                                        NULL};
    const double values[] = {5e4, pull, 0.05};

    memset(p, 0, sizeof *p);
    p->law = scree_law_by_name("plastic");
    p->radius = 0.001;
    constants_of("plastic", names, values, p->constants);
}

/*  k1 = 1e4, k2 = 5e4, kc = 2e4: full at 2 * 0.05 * 5/4 * R = 1.25e-4. */
TEST(plastic_contacts_follow_ludings_branches)
{
    static path p;
    const double full = 1.25e-4, most = 0.5 * full, k2 = 1e4 + 4e4 * 0.5;

    open_plastic(&p, 2e4);
    CHECK_NEAR(lead(&p, most, 100), 1e4 * most, 1e-9);
    /* unloading: along k2(most) from there */
    CHECK_NEAR(lead(&p, 0.9 * most, 100), 1e4 * most - k2 * 0.1 * most, 1e-9);
    double stays = (1 - 1e4 / k2) * most;
    CHECK_NEAR(lead(&p, stays, 100), 0, 1e-9);
    /* and again up the same way, to where first loading continues */
    CHECK_NEAR(lead(&p, most, 100), 1e4 * most, 1e-9);
    CHECK_NEAR(lead(&p, 1.2 * most, 100), 1e4 * 1.2 * most, 1e-9);
    /* beyond full k2 grows no more */
    CHECK_NEAR(lead(&p, 2 * full, 400), 1e4 * 2 * full, 1e-8);
    CHECK_NEAR(lead(&p, 1.9 * full, 100), 1e4 * 2 * full - 5e4 * 0.1 * full, 1e-8);
    /* down to the limit of the pull, and along it */
    double turn = 4e4 * 2 * full / (5e4 + 2e4);
    CHECK_NEAR(lead(&p, turn, 400), -2e4 * turn, 1e-8);
    CHECK_NEAR(lead(&p, 0.5 * turn, 400), -2e4 * 0.5 * turn, 1e-8);
    /* pressed again it goes up along k2 of what is left of `most` */
    double left = (5e4 + 2e4) / 4e4 * 0.5 * turn, at = p.overlap;
    CHECK(left > full * 0.99);
    CHECK_NEAR(lead(&p, 1.1 * at, 100), -2e4 * at + 5e4 * 0.1 * at, 1e-3);
    CHECK_NEAR(lead(&p, 0.2 * full, 400), -2e4 * 0.2 * full, 1e-6);
    CHECK_NEAR(lead(&p, 1e-12, 400), 0, 1e-6);
}

/*  What was worked is what was lost and what is stored, wherever the way leads; and a hit loses by k1 and k2 alone. */
TEST(plastic_work_is_lost_or_stored)
{
    static path p;
    static const double ways[] = {4e-5, 1e-5,   1e-4, 6e-5, 3e-4, 2e-4,
                                  1e-4, 1.5e-4, 2e-5, 4e-5, 1e-7};

    open_plastic(&p, 2e4);
    for (size_t k = 0; k < SCREE_COUNT_OF(ways); k++) {
        double before = p.lost;
        lead(&p, ways[k], 2000);
        CHECK_NEAR(p.worked, p.lost + stored(&p), 1e-6 * fabs(p.lost));
        CHECK(p.lost >= before - 1e-9 * fabs(before));
    }
    open_plastic(&p, 0);
    lead(&p, 3e-4, 2000);
    double in = p.worked;
    lead(&p, 0, 4000);
    /* beyond full: what comes back is k1 / k2 of what was put in */
    CHECK_NEAR(p.worked, in * (1 - 0.2), 1e-5 * in);
}

TEST(plastic_friction_goes_by_force_and_pull)
{
    static path p;
    const double most = 4e-4;

    open_plastic(&p, 2e4);
    lead(&p, most, 100);
    double f = lead(&p, 0.85 * most, 100);
    p.slide = 1e4;
    go_to(&p, p.overlap);
    CHECK_NEAR(p.room.out[OUT_FORCE + 1][0], -0.3 * (f + 2e4 * p.overlap), 1e-6);
    CHECK(p.room.out[OUT_STIFFNESS][0] == 5e4);
}

TEST(plastic_stiffness_must_be_above_the_first)
{
    scree_material_def m = scree_default_material_def();
    scree_error error = {SCREE_OK, ""};
    const scree_law *law = scree_law_by_name("plastic");
    double parameters[32], constants[SCREE_MAX_CONSTANTS];
    scree_law_input input = {&m, &m, parameters, 3, &error};

    for (int k = 0; k < 32; k++)
        parameters[k] = NAN;
    parameters[scree_law_find_parameter(law, "plastic_stiffness")] = 1e3;
    CHECK_EQUAL(law->prepare(&input, constants, law->user), SCREE_BAD_VALUE);
    CHECK_SAYS(error.text,
               "law plastic: plastic_stiffness is 1000, must be above stiffness, 50000");
}

/* ---- the Edinburgh model ---- */

#define E_STAR 1e7
#define EEPA_RADIUS 0.001

static void open_eepa(path *p, double plasticity, double adhesion, double exponent, double pull)
{
    static const char *const names[] = {"plasticity", "adhesion", "adhesion_exponent",
                                        "pull_off_force", NULL};
    const double values[] = {plasticity, adhesion, exponent, pull};

    memset(p, 0, sizeof *p);
    p->law = scree_law_by_name("eepa");
    p->radius = EEPA_RADIUS;
    constants_of("eepa", names, values, p->constants);
}

/*  The same in the symbols of the paper, of an overlap that went up to `deepest` and comes down. */
typedef struct eepa_paper
{
    double k1, k2, plastic, pull, least; /* overlaps dp and dmin; the largest attraction */
} eepa_paper;

static eepa_paper eepa_of(double plasticity, double adhesion, double deepest)
{
    eepa_paper e;
    e.k1 = 4.0 / 3 * E_STAR * sqrt(EEPA_RADIUS);
    e.k2 = e.k1 / (1 - plasticity);
    e.plastic = pow(plasticity, 2.0 / 3) * deepest;
    e.pull = 1.5 * PI * adhesion * sqrt(2 * EEPA_RADIUS * e.plastic);
    e.pull = fmin(e.pull, 0.5 * e.k2 * pow(e.plastic, 1.5));
    e.least = pow(pow(e.plastic, 1.5) - e.pull / e.k2, 2.0 / 3);
    return e;
}

TEST(eepa_contacts_load_unload_and_pull)
{
    static path p;
    static const double exponents[] = {1, 1.5, 2, 5};
    const double deepest = 4e-5, plasticity = 0.6, adhesion = 20;
    eepa_paper e = eepa_of(plasticity, adhesion, deepest);

    for (size_t x = 0; x < SCREE_COUNT_OF(exponents); x++) {
        open_eepa(&p, plasticity, adhesion, exponents[x], 0);
        /* loading is Hertz's */
        for (int k = 1; k <= 10; k++)
            CHECK_NEAR(lead(&p, 0.1 * k * deepest, 20), e.k1 * pow(0.1 * k * deepest, 1.5),
                       1e-12 * e.k1);
        double top = p.force;
        /* unloading to the plastic overlap, where the force is 0, and on to the largest attraction */
        CHECK_NEAR(lead(&p, 0.9 * deepest, 20),
                   e.k2 * (pow(0.9 * deepest, 1.5) - pow(e.plastic, 1.5)), 1e-12 * top);
        CHECK_NEAR(lead(&p, e.plastic, 20), 0, 1e-12 * top);
        CHECK_NEAR(lead(&p, 0.5 * (e.plastic + e.least), 20),
                   e.k2 * (pow(p.overlap, 1.5) - pow(e.plastic, 1.5)), 1e-12 * top);
        CHECK_NEAR(lead(&p, e.least, 20), -e.pull, 1e-12 * top);
        /* pressed again it goes up the same way */
        CHECK_NEAR(lead(&p, deepest, 20), top, 1e-12 * top);
        /* beyond, down to the limit and along it */
        lead(&p, e.least, 20);
        for (int k = 9; k >= 1; k--)
            CHECK_NEAR(lead(&p, 0.1 * k * e.least, 20), -e.pull * pow(0.1 * k, exponents[x]),
                       1e-11 * top);
        CHECK_NEAR(lead(&p, 0, 20), 0, 1e-12 * top);
    }
}

TEST(eepa_contacts_are_pressed_again_on_a_lower_line)
{
    static path p;
    const double deepest = 4e-5, plasticity = 0.6;
    eepa_paper e = eepa_of(plasticity, 20, deepest);

    open_eepa(&p, plasticity, 20, 1.5, 0);
    lead(&p, deepest, 200);
    double at = 0.5 * e.least, low = -e.pull * pow(0.5, 1.5);
    CHECK_NEAR(lead(&p, at, 400), low, 1e-12 * e.k1);
    /* steeply up from there, and along the line of first loading from where they meet */
    double stays = pow(at, 1.5) - low / e.k2, meets = pow(stays / plasticity, 2.0 / 3);
    CHECK(meets < deepest);
    CHECK_NEAR(lead(&p, 1.1 * at, 20), e.k2 * (pow(1.1 * at, 1.5) - stays), 1e-11 * e.k1);
    CHECK_NEAR(lead(&p, meets, 200), e.k1 * pow(meets, 1.5), 1e-11 * e.k1);
    CHECK_NEAR(lead(&p, 1.1 * meets, 20), e.k1 * pow(1.1 * meets, 1.5), 1e-11 * e.k1);
    CHECK_NEAR(lead(&p, 1.2 * deepest, 200), e.k1 * pow(1.2 * deepest, 1.5), 1e-11 * e.k1);
    /* without adhesion nothing pulls */
    open_eepa(&p, plasticity, 0, 1.5, 0);
    lead(&p, deepest, 200);
    CHECK_NEAR(lead(&p, 0.9 * e.plastic, 200), 0, 1e-12);
    /* a pull that is more than the flat part can carry is cut */
    open_eepa(&p, plasticity, 1e5, 1.5, 0);
    e = eepa_of(plasticity, 1e5, deepest);
    lead(&p, deepest, 200);
    CHECK_NEAR(lead(&p, e.least, 200), -0.5 * e.k2 * pow(e.plastic, 1.5), 1e-9 * e.k1);
    /* and f0 is there wherever the bodies touch */
    open_eepa(&p, plasticity, 0, 1.5, 0.02);
    CHECK_NEAR(go_to(&p, 0), -0.02, 1e-15);
    CHECK_NEAR(lead(&p, deepest, 20), e.k1 * pow(deepest, 1.5) - 0.02, 1e-12 * e.k1);
    CHECK(isnan(go_to(&p, (double)NAN)));
}

TEST(eepa_work_is_lost_or_stored)
{
    static path p;
    static const double ways[] = {4e-5, 1e-5,   1e-4, 6e-5, 3e-4, 2e-4,
                                  1e-4, 1.5e-4, 2e-5, 4e-5, 1e-7};

    open_eepa(&p, 0.6, 50, 1.5, 1e-3);
    go_to(&p, 0);
    for (size_t k = 0; k < SCREE_COUNT_OF(ways); k++) {
        double before = p.lost;
        lead(&p, ways[k], 4000);
        CHECK_NEAR(p.worked, p.lost + stored(&p), 1e-5 * fabs(p.lost));
        CHECK(p.lost >= before - 1e-9 * fabs(before));
    }
    /* along one line nothing is lost */
    open_eepa(&p, 0.6, 0, 1.5, 0);
    lead(&p, 1e-4, 2000);
    double lost = p.lost, in = p.worked;
    lead(&p, 0.9e-4, 10);
    lead(&p, 1e-4, 10);
    CHECK(p.lost == lost);
    /* what comes back is the area under the line: K2 (2/5 d^2.5 - dp^1.5 d + 3/5 dp^2.5) */
    double dp = pow(0.6, 2.0 / 3) * 1e-4, k2 = 4.0 / 3 * E_STAR * sqrt(EEPA_RADIUS) / 0.4;
    double back = k2 * (0.4 * pow(1e-4, 2.5) - pow(dp, 1.5) * 1e-4 + 0.6 * pow(dp, 2.5));
    CHECK_NEAR(stored(&p), back, 1e-9 * back);
    lead(&p, 0, 4000);
    CHECK_NEAR(p.worked, in - back, 1e-4 * in);
}

TEST(eepa_friction_goes_by_force_and_attraction)
{
    static path p;
    const double deepest = 4e-5;
    eepa_paper e = eepa_of(0.6, 20, deepest);

    open_eepa(&p, 0.6, 20, 1.5, 0);
    lead(&p, deepest, 200);
    double f = lead(&p, 0.5 * (e.plastic + e.least), 200);
    CHECK(f < 0);
    p.slide = 1e4;
    go_to(&p, p.overlap);
    CHECK_NEAR(p.room.out[OUT_FORCE + 1][0], -0.3 * (f + e.pull * pow(p.overlap / e.least, 1.5)),
               1e-9);
    CHECK_NEAR(p.room.out[OUT_STIFFNESS][0], 1.5 * e.k2 * sqrt(p.overlap), 1e-9 * e.k2);
}

/* ---- Noble and Weinzierl ---- */

TEST(the_penalty_goes_with_the_root_of_the_mass)
{
    PROVES("NW-05");
    static const char *const names[] = {"strength", "contact_skin", NULL};
    static const double values[] = {800, 0.01};
    static path p;

    memset(&p, 0, sizeof p);
    p.law = scree_law_by_name("penalty");
    p.radius = 0.1;
    p.slide = 1;
    constants_of("penalty", names, values, p.constants);
    /* K (1 - |n| / eps) sqrt(m), |n| half of the distance */
    for (int k = 0; k <= 10; k++) {
        double distance = 0.002 * k;
        CHECK_NEAR(go_to(&p, 0.02 - distance), 800 * (1 - 0.5 * distance / 0.01) * sqrt(1e-5),
                   1e-12);
        CHECK(p.room.out[OUT_FORCE + 1][0] == 0);
    }
    CHECK_NEAR(p.room.out[OUT_STIFFNESS][0], 800 / 0.02 * sqrt(1e-5), 1e-9);
    /* the paper's strength where none is given */
    constants_of("penalty", names + 1, values + 1, p.constants);
    CHECK_NEAR(p.constants[SCREE_LAW_STIFFNESS], 1000 / 0.02, 1e-9);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_bridge_pulls_as_willett_found_and_breaks),
        CASE(plastic_contacts_follow_ludings_branches),
        CASE(plastic_work_is_lost_or_stored),
        CASE(plastic_friction_goes_by_force_and_pull),
        CASE(plastic_stiffness_must_be_above_the_first),
        CASE(eepa_contacts_load_unload_and_pull),
        CASE(eepa_contacts_are_pressed_again_on_a_lower_line),
        CASE(eepa_work_is_lost_or_stored),
        CASE(eepa_friction_goes_by_force_and_attraction),
        CASE(the_penalty_goes_with_the_root_of_the_mass),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
