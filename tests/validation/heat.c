/*  Heat through contacts: bars against Fourier, unlike balls in a row against resistances in series. */
#include "cases.h"
#include "reference.h"
#include "rig.h"

#include "scree/heat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RADIUS 1e-3
#define SQUEEZE (0.01 * RADIUS)
#define SPACING (2 * RADIUS - SQUEEZE)
#define CONDUCTIVITY 2.0
#define CAPACITY 500.0
#define DENSITY 2500.0
#define MOST 64

static void told(rig *r, scree_status status)
{
    if (!r->status && status) {
        r->status = status;
        snprintf(r->why, sizeof r->why, "heat: %.200s", scree_world_message(r->world));
    }
}

static rig heated_open(validation *v, double dt, double drag)
{
    scree_world_def def = rig_def(dt);
    scree_heat_def heat = scree_default_heat_def();
    def.global_damping = drag;
    rig r = rig_open(v, &def);
    heat.temperature = 300;
    if (!r.status)
        told(&r, scree_world_set_heat(r.world, &heat));
    return r;
}

static scree_material_id add_material(rig *r, double young, double real, double conductivity)
{
    scree_material_def def = rig_elastic(DENSITY, young, 0.3);
    scree_material_heat_def heat = scree_default_material_heat_def();
    scree_material_id id = rig_material(r, &def);
    heat.conductivity = conductivity;
    heat.capacity = CAPACITY;
    heat.young = real;
    if (!r->status)
        told(r, scree_world_set_material_heat(r->world, id, &heat));
    return id;
}

static void hold(rig *r, scree_body_id id, double temperature)
{
    scree_body_heat heat = {.temperature = temperature, .is_held = true};
    if (!r->status)
        told(r, scree_world_set_body_heat(r->world, id, &heat));
}

static double flow_into(rig *r, scree_body_id id)
{
    scree_body_heat heat = {.flow = NAN};
    if (!r->status)
        told(r, scree_world_get_body_heat(r->world, id, &heat));
    return heat.flow;
}

static double temperature_of(rig *r, scree_body_id id)
{
    return r->status ? NAN : scree_world_temperature(r->world, id);
}

/* ---- a bar ------------------------------------------------------------------------------------------ */

typedef struct bar
{
    rig r;
    int length;
    scree_body_id ball[MOST][2][2];
    double conductivity, diffusivity; /* of the lattice */
} bar;

/*  A cubic lattice of equal balls, two by two across, that are kept pressed into each other: what it conducts is k a / R
    (Batchelor and O'Brien 1977). */
static bar bar_open(validation *v, int length)
{
    bar b = {.length = length, .conductivity = CONDUCTIVITY * sqrt(RADIUS / 2 * SQUEEZE) / RADIUS};
    /* each ball has a cube of the lattice to itself */
    double cube = SPACING * SPACING * SPACING;
    b.conductivity *= 2 * RADIUS / SPACING;
    b.diffusivity = b.conductivity * cube /
                    (4.0 / 3 * VALIDATION_PI * RADIUS * RADIUS * RADIUS * DENSITY * CAPACITY);
    double until = pow(SPACING * (length - 0.5), 2) / b.diffusivity;
    b.r = heated_open(v, until / 40000, 0);
    scree_material_id id = add_material(&b.r, 1e7, 0, CONDUCTIVITY);
    for (int k = 0; k < length; k++)
        for (int corner = 0; corner < 4; corner++) {
            scree_body_def ball =
                rig_sphere(id, RADIUS, SPACING * k, SPACING * (corner / 2), SPACING * (corner % 2));
            /* two that nothing can push would not touch */
            ball.flags = SCREE_FREEZE_X | SCREE_FREEZE_Y | SCREE_FREEZE_Z;
            b.ball[k][corner / 2][corner % 2] = rig_add(&b.r, &ball);
        }
    return b;
}

static void hold_layer(bar *b, int layer, double temperature)
{
    for (int corner = 0; corner < 4; corner++)
        hold(&b->r, b->ball[layer][corner / 2][corner % 2], temperature);
}

/*  One end at once at T = 0, the other insulated, all at T = 1 before; place in lengths, time in length^2 over diffusivity. */
static double fourier_series(double place, double time)
{
    double sum = 0;
    for (int k = 0; k < 200; k++) {
        double wave = (k + 0.5) * VALIDATION_PI;
        sum += 2 / wave * sin(wave * place) * exp(-wave * wave * time);
    }
    return sum;
}

/*  Largest distance from the series at four times. */
static double cool(validation *v, int length, validation_chart *chart)
{
    static const double times[] = {0.03, 0.1, 0.3, 1};
    static const char *const names[] = {"0.03 L^2/D", "0.1 L^2/D", "0.3 L^2/D", "1 L^2/D"};
    bar b = bar_open(v, length);
    double whole = SPACING * (length - 0.5), unit = whole * whole / b.diffusivity, most = 0;
    hold_layer(&b, 0, 200);
    for (int t = 0; t < 4; t++) {
        rig_step(&b.r, (uint64_t)llround((times[t] - (t ? times[t - 1] : 0)) * 40000));
        double at = rig_time(&b.r) / unit;
        validation_curve *ours = chart ? validation_add_curve(chart, names[t], false) : NULL;
        validation_curve *theirs = chart ? validation_add_curve(chart, "series", true) : NULL;
        for (int k = 0; k < length; k++) {
            double place = SPACING * k / whole, wanted = fourier_series(place, at);
            double found = (temperature_of(&b.r, b.ball[k][k % 2][0]) - 200) / 100;
            most = fmax(most, fabs(found - wanted));
            if (chart) {
                validation_point(ours, place, found);
                validation_point(theirs, place, wanted);
            }
        }
    }
    rig_close(&b.r);
    return most;
}

/*  Both ends held: a straight line, after twenty times what it takes. */
static void conduct(validation *v, int length)
{
    bar b = bar_open(v, length);
    double worst = 0, through = 0;
    hold_layer(&b, 0, 400);
    hold_layer(&b, length - 1, 250);
    rig_step(&b.r, v->full ? 120000 : 40000);
    for (int k = 0; k < length; k++) {
        double wanted = 400 - 150.0 * k / (length - 1);
        worst = fmax(worst, fabs(temperature_of(&b.r, b.ball[k][1][1]) - wanted));
    }
    for (int corner = 0; corner < 4; corner++)
        through += flow_into(&b.r, b.ball[length - 1][corner / 2][corner % 2]);
    double wanted = b.conductivity * 4 * SPACING * SPACING * 150 / (SPACING * (length - 1));
    rig_close(&b.r);
    validation_relative(v, "[F] Fourier, k a / R", wanted, through, v->full ? 1e-6 : 1e-3,
                        "bar of %d balls, ends at 400 and 250 K: heat that flows, W", length);
    validation_at_most(v, "[F] Fourier", v->full ? 1e-4 : 0.1, worst,
                       "the same: largest distance from a straight line, K");
}

/* ---- a row ------------------------------------------------------------------------------------------ */

#define ROW 12
#define PRESS 0.02 /* N */

/*  Radius of the contact of two under PRESS by Hertz. */
static double contact_radius(double r1, double e1, double r2, double e2)
{
    elastic_solid a = {e1, 0.3, DENSITY, r1}, b = {e2, 0.3, DENSITY, r2};
    hertz_contact c = hertz_of(&a, &b);
    return sqrt(c.radius * pow(PRESS / c.stiffness, 2.0 / 3));
}

/*  Balls of three kinds, pressed together by a force on the last: the overlaps are what Hertz says, and the resistances
    1 / (2 k a) add up. With `real`, materials are told to be a hundred times as stiff as forces take them for. */
static void press_row(validation *v, bool real)
{
    static const double radius[] = {1e-3, 0.6e-3, 1.5e-3}, young[] = {1e7, 3e7, 1e7},
                        conductivity[] = {2, 40, 0.3};
    rig r = heated_open(v, 2e-6, 400);
    scree_body_id ball[ROW];
    scree_material_id kind[3];
    double at = 0, resistance = 0, factor = real ? 100 : 1, upto[ROW];
    for (int m = 0; m < 3; m++)
        kind[m] = add_material(&r, young[m], real ? factor * young[m] : 0, conductivity[m]);
    for (int k = 0; k < ROW; k++) {
        int m = k % 3, before = (k + 2) % 3;
        if (k) {
            at += radius[before] + radius[m];
            double both = 2 * conductivity[before] * conductivity[m] /
                          (conductivity[before] + conductivity[m]);
            resistance += 1 / (2 * both *
                               contact_radius(radius[before], factor * young[before], radius[m],
                                              factor * young[m]));
        }
        upto[k] = resistance;
        scree_body_def body = rig_sphere(kind[m], radius[m], at, 0, 0);
        body.flags = SCREE_FREEZE_Y | SCREE_FREEZE_Z | (k ? 0 : SCREE_FREEZE_X);
        ball[k] = rig_add(&r, &body);
    }
    scree_body last = rig_body(&r, ball[ROW - 1]);
    last.load[0] = -PRESS;
    rig_set(&r, ball[ROW - 1], &last);
    rig_step(&r, v->full ? 100000 : 60000);
    hold(&r, ball[0], 400);
    hold(&r, ball[ROW - 1], 300);
    /* now they are at rest, and heat takes longer: nothing moves any more, so steps may be as long as that needs */
    for (int k = 1; k < ROW; k++) {
        scree_body body = rig_body(&r, ball[k]);
        body.flags |= SCREE_FREEZE_X;
        memset(body.velocity, 0, sizeof body.velocity);
        rig_set(&r, ball[k], &body);
    }
    if (!r.status)
        r.status = scree_world_set_dt(r.world, SCREE_TIME_FIXED, 10);
    rig_step(&r, 40000);
    double worst = 0, wanted = 100 / resistance;
    for (int k = 0; k < ROW; k++)
        worst = fmax(worst, fabs(temperature_of(&r, ball[k]) - (400 - 100 * upto[k] / resistance)));
    double through = flow_into(&r, ball[ROW - 1]);
    rig_close(&r);
    const char *name = real ? "the same, told to be 100 times as stiff" : "row of 12 unlike balls";
    validation_relative(v, "[F] resistances in series", wanted, through, 1e-4,
                        "%s: heat that flows, W", name);
    validation_at_most(v, "[F] resistances in series", 0.01, worst,
                       "%s: largest error of a temperature, K", name);
}

void validate_heat(validation *v)
{
    const int length = v->full ? 60 : 16;
    validation_begin(v, "12b. Heat through contacts",
                     "Balls have a temperature each, and heat flows through the circles in which "
                     "they touch: 2 k a for each kelvin "
                     "(Batchelor and O'Brien, Proc. R. Soc. A 355, 1977). A bar of a cubic "
                     "lattice, two by two balls across, "
                     "conducts k a / R then: between two ends that are held, and as it cools from "
                     "one end by Fourier's series, from which "
                     "balls may differ by their size, to the second order. A row of balls of three "
                     "sizes, stiffnesses and "
                     "conductivities is pressed together by 0.02 N: contacts are as wide as Hertz "
                     "says, and their resistances add up. "
                     "The same, where materials say that they are really a hundred times as stiff "
                     "as forces take them for.");
    validation_chart *chart =
        validation_add_chart(v, "validation-heat.svg", "A bar cools at one end",
                             "60 balls long; dashed: Fourier's series", "place / L", "T");
    conduct(v, 20);
    double fine = cool(v, length, chart), coarse = cool(v, length / 2, NULL);
    validation_at_most(v, "[F] Fourier's series", 0.5 / (length * length), fine,
                       "bar of %d balls that cools: largest error at four times, of the step",
                       length);
    validation_relative(v, "[F] second order", 4, coarse / fine, 0.1,
                        "bar of %d balls: error over that of %d", length / 2, length);
    press_row(v, false);
    press_row(v, true);
}
