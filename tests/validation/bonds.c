/*  Bonds: bars and cantilevers of glued balls against beam theory, and how they break. */
#include "cases.h"
#include "reference.h"
#include "rig.h"

#include "scree/bond.h"

#include <math.h>
#include <stdio.h>

#define RADIUS 1e-3
#define YOUNG 1e7
#define RATIO 2.5
#define AREA (VALIDATION_PI * RADIUS * RADIUS)
#define SECOND (AREA * RADIUS * RADIUS / 4)
#define DT 4e-6
#define MOST 20

typedef struct chain
{
    rig r;
    int count;
    scree_body_id ball[MOST];
} chain;

static void bonded_law(rig *r, double tension, double shear)
{
    static const char *const names[] = {"bond_young", "bond_ratio", "bond_tension", "bond_shear"};
    const double values[] = {YOUNG, RATIO, tension, shear};
    scree_rule_def rule = scree_default_rule_def();

    rule.law = "bonded";
    rule.names = names;
    rule.values = values;
    rule.value_count = 4;
    if (!r->status && (r->status = scree_world_add_rule(r->world, &rule)) != SCREE_OK)
        snprintf(r->why, sizeof r->why, "%.200s", scree_world_message(r->world));
}

/*  Balls that touch along x and are glued; the first is held. */
static chain chain_open(validation *v, int count, double drag, double tension, double shear)
{
    chain c = {.count = count};
    scree_world_def def = rig_def(DT);
    scree_material_def material = rig_elastic(2500, YOUNG, 0.3);
    scree_bond_def bond = scree_default_bond_def();
    uint64_t made = 0;

    def.global_damping = drag;
    c.r = rig_open(v, &def);
    scree_material_id id = rig_material(&c.r, &material);
    bonded_law(&c.r, tension, shear);
    for (int k = 0; k < count; k++) {
        scree_body_def ball = rig_sphere(id, RADIUS, 2 * RADIUS * k, 0, 0);
        ball.flags = k ? 0 : SCREE_FREEZE;
        c.ball[k] = rig_add(&c.r, &ball);
    }
    bond.gap = 1e-9;
    if (!c.r.status)
        c.r.status = scree_world_add_bonds(c.r.world, &bond, &made);
    validation_exact(v, "[F] a bond less than balls", count - 1, (double)made,
                     "chain of %d balls: bonds", count);
    return c;
}

static void load_last(chain *c, int axis, double load)
{
    scree_body body = rig_body(&c->r, c->ball[c->count - 1]);

    body.load[axis] = load;
    rig_set(&c->r, c->ball[c->count - 1], &body);
}

static void beams(validation *v)
{
    const int count = MOST;
    const double length = 2 * RADIUS * (count - 1), pull = 1e-3, push = 1e-6, torque = 1e-9;
    const uint64_t steps = v->full ? 200000 : 60000;
    chain c = chain_open(v, count, 300, 1e9, 1e9);

    load_last(&c, 0, pull);
    rig_step(&c.r, steps);
    scree_body last = rig_body(&c.r, c.ball[count - 1]);
    validation_relative(v, "[F] F L / (E A)", pull * length / (YOUNG * AREA),
                        last.position[0] - length, 1e-3, "bar of %d balls: elongation, m", count);
    rig_close(&c.r);

    c = chain_open(v, count, 300, 1e9, 1e9);
    load_last(&c, 1, push);
    rig_step(&c.r, steps);
    last = rig_body(&c.r, c.ball[count - 1]);
    double bent = push * length * length * length / (3 * YOUNG * SECOND);
    double sheared = push * length * RATIO / (YOUNG * AREA);
    validation_relative(v, "[F] P L^3 / (3 E I) + P L / (ks L)", bent + sheared, last.position[1],
                        0.002, "cantilever of %d balls: deflection, m", count);
    validation_chart *chart =
        validation_add_chart(v, "validation-cantilever.svg", "Cantilever of glued balls",
                             "deflection over place", "place, mm", "deflection, um");
    validation_curve *ours = validation_add_curve(chart, "scree", false);
    validation_curve *theirs = validation_add_curve(chart, "Timoshenko", true);
    for (int k = 0; k < count; k++) {
        double x = 2 * RADIUS * k;
        double y = push * x * x * (3 * length - x) / (6 * YOUNG * SECOND) +
                   push * x * RATIO / (YOUNG * AREA);
        validation_point(ours, x * 1e3, rig_body(&c.r, c.ball[k]).position[1] * 1e6);
        validation_point(theirs, x * 1e3, y * 1e6);
    }
    rig_close(&c.r);

    c = chain_open(v, count, 300, 1e9, 1e9);
    load_last(&c, 3, torque);
    rig_step(&c.r, steps);
    last = rig_body(&c.r, c.ball[count - 1]);
    validation_relative(v, "[F] T L / (G J), G = E / 2.5",
                        torque * length * RATIO / (YOUNG * 2 * SECOND),
                        2 * atan2(last.orientation[1], last.orientation[0]), 1e-3,
                        "bar of %d balls, twisted: angle", count);
    rig_close(&c.r);
}

static size_t bonds_that_hold(chain *c)
{
    const scree_bond *bonds;
    size_t count = 0, hold = 0;

    if (!c->r.status)
        c->r.status = scree_world_bonds(c->r.world, &bonds, &count);
    for (size_t k = 0; k < count; k++)
        hold += bonds[k].is_intact;
    return hold;
}

/*  The second of two is drawn away with all else held: the largest force until the bond breaks. */
static double strength(validation *v, int axis, double tension, double shear)
{
    chain c = chain_open(v, 2, 0, tension, shear);
    scree_body body = rig_body(&c.r, c.ball[1]);
    double most = 0;

    body.flags = SCREE_FREEZE;
    body.velocity[axis] = 0.01;
    rig_set(&c.r, c.ball[1], &body);
    body = rig_body(&c.r, c.ball[0]);
    body.flags = SCREE_FREEZE & ~SCREE_FREEZE_SPIN_X; /* two that are held do not meet */
    rig_set(&c.r, c.ball[0], &body);
    for (int k = 0; k < 10000 && bonds_that_hold(&c) && rig_step(&c.r, 1); k++) {
        double force = fabs(rig_body(&c.r, c.ball[1]).force[axis]);
        most = force > most ? force : most;
    }
    rig_close(&c.r);
    return most;
}

void validate_bonds(validation *v)
{
    const double limit = 1e5;

    validation_begin(
        v, "13. Bonds",
        "Twenty balls of 1 mm in a row, glued by bonds of their own radius (E = 10 MPa, normal "
        "over shear stiffness "
        "2.5), the first one held, the last one loaded; drag brings them to rest. Bars and "
        "cantilevers after "
        "Euler, Bernoulli and Timoshenko. Two balls are drawn apart, and past each other, until "
        "the bond breaks, at "
        "strengths of 100 kPa; what it carries then is the strength times its section.");
    beams(v);
    validation_relative(v, "[F] tension A", limit * AREA, strength(v, 0, limit, 1e9), 5e-3,
                        "two balls drawn apart: largest force, N");
    validation_relative(v, "[F] shear A", limit * AREA, strength(v, 1, 1e9, limit), 5e-3,
                        "two balls drawn past each other: largest force, N");
}
