/*  A steel ball falls on beds of three heights: the penetration case of a comparison of engines. */
#include "bulk.h"
#include "cases.h"
#include "reference.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HALF_LENGTH 0.05
#define HALF_WIDTH 0.03
#define FLOOR -0.0902431
#define BALL 0.01 /* its radius, */
#define FROM 0.06 /* where its centre is, */
#define SPEED 5.0 /* and how fast it goes down */
#define DIAMETER 2e-3

/*  Grains `scale` times as large as published, and as many fewer as fill the box as high. */
typedef struct form
{
    double scale, softer, dt, settling_dt, settle;
} form;

#define TIME 0.1
#define EVERY 2e-4
#define LOOKS 500

typedef struct bed
{
    rig r;
    double diameter;
    scree_material_id id[BULK_KINDS];
    scree_body_id ball;
} bed;

static void fill(bed *b, size_t count, uint64_t seed)
{
    double pitch = 1.04 * b->diameter;
    size_t x = (size_t)(2 * HALF_LENGTH / pitch), y = (size_t)(2 * HALF_WIDTH / pitch);
    scree_random random = scree_random_stream(17, seed);
    for (size_t k = 0; k < count; k++) {
        scree_body_def grain =
            rig_sphere(b->id[BULK_M1], b->diameter / 2,
                       (((double)(k % x) + 0.5) / (double)x * 2 - 1) * HALF_LENGTH,
                       (((double)(k / x % y) + 0.5) / (double)y * 2 - 1) * HALF_WIDTH,
                       FLOOR + ((double)(k / x / y) + 0.5) * pitch);
        for (int a = 0; a < 3; a++) {
            grain.position[a] += scree_random_range(&random, -0.01, 0.01) * b->diameter;
            grain.velocity[a] = scree_random_range(&random, -0.2, 0.2);
        }
        rig_add(&b->r, &grain);
    }
}

static bed bed_open(validation *v, const form *f, size_t published, uint64_t seed)
{
    bed b = {.diameter = f->scale * DIAMETER};
    scree_world_def def = rig_def(f->settling_dt);
    def.gravity[2] = -BULK_GRAVITY;
    b.r = rig_open(v, &def);
    bulk_materials(&b.r, f->softer, b.id);
    rig_plane(&b.r, b.id[BULK_STEEL], 0, 0, FLOOR, 0, 0, 1);
    for (int side = -1; side < 2; side += 2) {
        rig_plane(&b.r, b.id[BULK_STEEL], side * HALF_LENGTH, 0, 0, -side, 0, 0);
        rig_plane(&b.r, b.id[BULK_STEEL], 0, side * HALF_WIDTH, 0, 0, -side, 0);
    }
    fill(&b, (size_t)llround((double)published / pow(f->scale, 3)), seed);
    rig_step(&b.r, (uint64_t)(f->settle / f->settling_dt));
    if (!b.r.status)
        b.r.status = scree_world_set_dt(b.r.world, SCREE_TIME_FIXED, f->dt);
    return b;
}

/*  Top of the bed, as settled. */
static double top_of(bed *b)
{
    scree_bodies_view bodies = scree_world_bodies(b->r.world);
    double top = FLOOR;
    for (size_t k = 0; k < bodies.count; k++)
        top = fmax(top, scree_row_at(bodies.position, k)[2] + scree_double_at(bodies.radius, k));
    return top;
}

/*  Of the ball: height, and energy over that with which it touches the bed. */
typedef struct fall
{
    double top, height[LOOKS + 1], energy[LOOKS + 1];
    int lowest, touched; /* looks */
} fall;

static void look(bed *b, fall *f, int k)
{
    scree_body ball = rig_body(&b->r, b->ball);
    double square = 0, turning = 0, fallen = BULK_GRAVITY * EVERY * k;
    for (int a = 0; a < 3; a++) {
        square += ball.velocity[a] * ball.velocity[a];
        turning += 0.4 * BALL * BALL * ball.spin[a] * ball.spin[a];
    }
    f->height[k] = ball.position[2];
    f->energy[k] = (0.5 * (square + turning) + BULK_GRAVITY * (ball.position[2] - FLOOR)) /
                   (0.5 * SPEED * SPEED);
    if (ball.velocity[2] > -SPEED - fallen + 1e-6 && !f->touched)
        f->touched = k;
    if (f->height[k] < f->height[f->lowest])
        f->lowest = k;
}

static fall drop(validation *v, const form *as, size_t published, uint64_t seed)
{
    fall f = {.lowest = 0};
    bed b = bed_open(v, as, published, seed);
    f.top = b.r.status ? 0 : top_of(&b);
    scree_body_def ball = rig_sphere(b.id[BULK_STEEL], BALL, 0, 0, FROM);
    ball.velocity[2] = -SPEED;
    b.ball = rig_add(&b.r, &ball);
    look(&b, &f, 0);
    for (int k = 1; k <= LOOKS; k++) {
        uint64_t from = (uint64_t)llround((k - 1) * EVERY / as->dt),
                 to = (uint64_t)llround(k * EVERY / as->dt);
        if (!rig_step(&b.r, to - from))
            break;
        look(&b, &f, k);
    }
    rig_close(&b.r);
    return f;
}

/*  What it gains at most from one look to a later one. */
static double largest_gain(const fall *f, int until)
{
    double least = INFINITY, gain = 0;
    for (int k = f->touched; k <= until; k++) {
        least = fmin(least, f->energy[k]);
        gain = fmax(gain, f->energy[k] - least);
    }
    return gain;
}

/*  LIGGGHTS 3.8.0 from the same settled beds, 25K and 50K: the ball's height every 5 ms. Its deck is told in the text below. */
static const double liggghts[2][20] = {
    {0.03488,  0.00951,  -0.01610, -0.04196, -0.06257, -0.07260, -0.07775,
     -0.07378, -0.07003, -0.06654, -0.06329, -0.06030, -0.05755, -0.05506,
     -0.05281, -0.05081, -0.04905, -0.04756, -0.04649, -0.04567},
    {0.03488,  0.00951,  -0.01610, -0.03433, -0.04390, -0.05092, -0.05621,
     -0.06049, -0.06402, -0.06663, -0.06867, -0.07031, -0.07134, -0.07179,
     -0.07205, -0.07217, -0.07219, -0.07221, -0.07222, -0.07222}};

static const char *const names[] = {"25K", "50K", "100K"};

/*  Farthest from that, over the way that the ball goes down; which way a bed lets it bounce is chance. */
static void compare(validation *v, const fall *f, int which, validation_chart *chart)
{
    validation_curve *curve =
        validation_add_curve(chart, which ? "50K, LIGGGHTS" : "25K, LIGGGHTS", true);
    double worst = 0, depth = 0;
    int lowest = 0;
    for (int k = 1; k < 20; k++)
        lowest = liggghts[which][k] < liggghts[which][lowest] ? k : lowest;
    depth = FROM - liggghts[which][lowest];
    for (int k = 0; k < 20; k++) {
        double other = liggghts[which][k];
        if (k <= lowest)
            worst = fmax(worst, fabs(f->height[25 * (k + 1)] - other));
        validation_point(curve, 25 * (k + 1) * EVERY, other);
    }
    validation_at_most(v, "[C] LIGGGHTS", 0.05, worst / depth,
                       "%s: height of the ball off that of LIGGGHTS, over its way down",
                       names[which]);
    validation_relative(v, "[C] LIGGGHTS", depth, FROM - f->height[f->lowest], 0.05,
                        "%s: way down to the lowest point, m", names[which]);
}

/*  From a bed that is little thicker than it is the ball bounces. */
static double gain_of(const fall *f, bool bounces)
{
    return largest_gain(f, bounces ? f->lowest : LOOKS);
}

static void describe(validation *v, const fall *f, bool bounces, double floor, double gain,
                     const char *name)
{
    double time = 5 * EVERY, fallen = SPEED * time + 0.5 * BULK_GRAVITY * time * time;
    validation_relative(v, "[F] falls freely", FROM - fallen, f->height[5], 1e-9,
                        "%s: height after 1 ms, m", name);
    validation_at_most(v, "[F] energy", 1e-4, gain,
                       "%s: what the ball gains of energy, over that it had%s", name,
                       bounces ? ", on its way down" : "");
    validation_between(v, "[F] above the floor", floor + BALL, f->top, f->height[f->lowest],
                       "%s: lowest centre of the ball, m", name);
}

/*  All 25,000, of 2 mm. */
static void drop_on_published(validation *v)
{
    const form f = {.scale = 1, .softer = 100, .dt = 1e-5, .settling_dt = 2e-5, .settle = 0.05};
    fall low = drop(v, &f, 25000, 0);
    /* grains of this size get out of its way, and it touches the floor: no deeper than in free fall */
    elastic_solid ball = {210e9, 0.2, 7200, BALL}, floor = {210e9, 0.2, 7200, INFINITY};
    hertz_contact contact = hertz_of(&ball, &floor);
    double speed = sqrt(SPEED * SPEED + 2 * BULK_GRAVITY * (FROM - FLOOR));
    describe(v, &low, true, FLOOR - hertz_overlap(&contact, speed), gain_of(&low, true),
             "25K, published sizes");
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/*  Grains nearly as large as the ball: one that still moves upward gives it energy in about a quarter of all beds (up to 3e-3
    of what it has, in 64 beds). The median of several beds is what is held. */
static void drop_on_coarse(validation *v)
{
    enum
    {
        BEDS = 11
    };
    const form f = {.scale = 4, .softer = 10, .dt = 2e-5, .settling_dt = 4e-5, .settle = 0.1};
    double gain[BEDS];
    fall low = {.lowest = 0};
    for (int k = BEDS - 1; k >= 0; k--) {
        low = drop(v, &f, 25000, (uint64_t)k);
        gain[k] = gain_of(&low, true);
    }
    qsort(gain, BEDS, sizeof *gain, ascending);
    describe(v, &low, true, FLOOR, gain[BEDS / 2],
             "25K, four times as large, energy: median of 11 beds");
}

void validate_penetration(validation *v)
{
    validation_begin(
        v, "11i. Penetration (Dosta et al. 2024)",
        "A steel ball of 20 mm falls at 5 m/s from 0.06 m above the origin on beds in a box "
        "of 0.1 x 0.06 m, as in the same comparison; geometry, ball, friction and restitution "
        "are the published ones. Grains (M1) are twice as large as published, 4 mm, and an "
        "eighth as many, 3125, 6250 and 12,500 for 25K, 50K and 100K, and ten times as soft, "
        "in steps of 8 us; --long has 25K in its published sizes as well, a hundred times as "
        "soft. Held are that the ball goes down less far the higher the bed is, and less deep "
        "into the lowest bed, where the floor is near; that its energy (kinetic, of rotation, "
        "and potential) does not rise after it touches by more than 1e-4 of itself, which is "
        "what a ball at rest trembles; and its height beside that of LIGGGHTS 3.8.0, run once "
        "from the same settled beds with the same parameters, within 5 % on its way down. Its "
        "deck: pair "
        "style and walls `gran model hertz tangential history limitForce on`, moduli of 0.1 "
        "GPa (grains) and 210 GPa, Poisson ratios of 0.2, friction 0.3 between grains, 0.2 at "
        "steel, restitution 0.43629 and 0.30389, which with a force that is clipped at 0 give "
        "the published 0.5 and 0.4, gravity 9.81, `nve/sphere`, steps of 8 us. From the "
        "lowest bed, which is little thicker than the ball, it bounces in both: there its "
        "energy falls to the lowest point alone.");
    form f = {.scale = 2, .softer = 10, .dt = 8e-6, .settling_dt = 1.6e-5, .settle = 0.1};
    if (!v->full) {
        drop_on_coarse(v);
        return;
    }
    static const size_t published[] = {25000, 50000, 100000};
    fall falls[3];
    validation_chart *chart = validation_add_chart(
        v, "validation-penetration.svg", "A ball falls on beds of three heights",
        "dashed: LIGGGHTS 3.8.0", "time, s", "height of its centre, m");
    for (int k = 0; k < 3; k++) {
        falls[k] = drop(v, &f, published[k], 0);
        validation_curve *curve = validation_add_curve(chart, names[k], false);
        for (int i = 0; i <= LOOKS; i++)
            validation_point(curve, i * EVERY, falls[k].height[i]);
        describe(v, &falls[k], k == 0, FLOOR, gain_of(&falls[k], k == 0), names[k]);
        if (k < 2)
            compare(v, &falls[k], k, chart);
    }
    for (int k = 1; k < 3; k++)
        validation_at_most(
            v, "[F] it begins higher", FROM - falls[k - 1].height[falls[k - 1].lowest],
            FROM - falls[k].height[falls[k].lowest],
            "%s: way down from where it was let go, less than with %s, m", names[k], names[k - 1]);
    validation_at_most(v, "[F] the floor", falls[2].top - falls[2].height[falls[2].lowest],
                       falls[0].top - falls[0].height[falls[0].lowest],
                       "25K: depth in the bed, less than with 100K, m");
    if (v->longer)
        drop_on_published(v);
}
