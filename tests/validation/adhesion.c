/*  Laws that stick: how hard they pull, how far, and what it costs to part. */
#include "cases.h"
#include "reference.h"
#include "rig.h"

#include <math.h>

#define RADIUS 1e-3
#define SPEED 1e-3

typedef struct sticky
{
    rig r;
    scree_body_id body;
    double radius, young; /* of the contact */
} sticky;

/*  A ball that just touches another, which is held, or a rigid plane. */
static sticky sticky_open(validation *v, const char *law, const char *name, double value,
                          bool on_plane, double dt)
{
    sticky s = {.radius = on_plane ? RADIUS : RADIUS / 2};
    scree_world_def def = rig_def(dt);
    s.r = rig_open(v, &def);
    scree_material_def soft = rig_elastic(2500, 1e7, 0.3), rigid = rig_elastic(2500, INFINITY, 0.3);
    scree_material_id material = rig_material(&s.r, &soft);
    s.young = on_plane ? 1e7 / 0.91 : 1e7 / 1.82;
    if (law)
        rig_law(&s.r, law, name, value);
    scree_body_def ball = rig_sphere(material, RADIUS, 0, 0, RADIUS);
    if (on_plane) {
        rig_plane(&s.r, rig_material(&s.r, &rigid), 0, 0, 0, 0, 0, 1);
    } else {
        scree_body_def other = rig_sphere(material, RADIUS, 0, 0, -RADIUS);
        other.flags = SCREE_FREEZE;
        rig_add(&s.r, &other);
    }
    s.body = rig_add(&s.r, &ball);
    return s;
}

/*  Pressed in by `depth`, then drawn off slowly: the largest pull, and the last gap at which there is any. */
static void draw_off(sticky *s, double depth, double *pull, double *gap, validation_curve *curve)
{
    scree_body body = rig_body(&s->r, s->body);
    double last = 0;

    *pull = *gap = 0;
    body.flags = SCREE_FREEZE & ~SCREE_FREEZE_SPIN_X; /* two that are held do not meet */
    body.velocity[2] = -SPEED;
    rig_set(&s->r, s->body, &body);
    for (int k = 0; k < 100000 && rig_step(&s->r, 1); k++) {
        body = rig_body(&s->r, s->body);
        double distance = body.position[2] - RADIUS, force = body.force[2];
        if (distance < -depth && body.velocity[2] < 0) {
            body.velocity[2] = SPEED;
            rig_set(&s->r, s->body, &body);
        }
        *pull = -force > *pull ? -force : *pull;
        if (body.velocity[2] > 0 && last != 0 && force == 0) {
            *gap = distance;
            break;
        }
        last = force;
        if (curve && body.velocity[2] > 0 && k % 20 == 0)
            validation_point(curve, distance * 1e6, force * 1e6);
    }
}

static void pull_off(validation *v, bool on_plane, validation_curve *curve,
                     validation_curve *formula)
{
    const double work = 0.05;
    const char *name = on_plane ? "ball on a plane" : "two balls";
    sticky s = sticky_open(v, "jkr", "adhesion", work, on_plane, 1e-6);
    double pull, gap, e = s.young, r = s.radius;
    double tear = 0.75 * cbrt(VALIDATION_PI * VALIDATION_PI * work * work * r / (e * e));

    draw_off(&s, 2 * tear, &pull, &gap, curve);
    rig_close(&s.r);
    validation_relative(v, "[F] 3/2 pi W R", 1.5 * VALIDATION_PI * work * r, pull, 1e-5,
                        "JKR, %s: largest pull, N", name);
    validation_relative(v, "[F] 3/4 (pi^2 W^2 R / E^2)^(1/3)", tear, gap, 2e-3,
                        "JKR, %s: gap at which it tears off, m", name);
    double least = cbrt(VALIDATION_PI * work * r * r / (8 * e));
    for (int k = 0; formula && k <= 200; k++) {
        double a = least * (1 + k * 0.01),
               overlap = a * a / r - sqrt(2 * VALIDATION_PI * work * a / e);
        double force = 4 * e * a * a * a / (3 * r) - sqrt(8 * VALIDATION_PI * work * e * a * a * a);
        if (overlap < 2 * tear)
            validation_point(formula, -overlap * 1e6, force * 1e6);
    }

    s = sticky_open(v, "dmt", "adhesion", work, on_plane, 1e-6);
    draw_off(&s, 2 * tear, &pull, &gap, NULL);
    rig_close(&s.r);
    validation_relative(v, "[F] 2 pi W R", 2 * VALIDATION_PI * work * r, pull, 1e-3,
                        "DMT, %s: largest pull, N", name);
}

/*  Thrown at the plane at some multiple of the speed below which it stays. */
static void hit(validation *v, double times)
{
    const double work = 0.05;
    sticky s = sticky_open(v, "jkr", "adhesion", work, true, v->full ? 1e-8 : 4e-8);
    double r = s.radius, cost = 7.0926 * cbrt(pow(work, 5) * pow(r, 4) / (s.young * s.young));
    double mass = 2500 * 4.0 / 3 * VALIDATION_PI * r * r * r, critical = sqrt(2 * cost / mass);
    scree_body body = rig_body(&s.r, s.body);

    body.position[2] += 1e-7;
    body.velocity[2] = -times * critical;
    rig_set(&s.r, s.body, &body);
    rig_step(&s.r, v->full ? 200000 : 50000);
    body = rig_body(&s.r, s.body);
    if (times > 1)
        validation_relative(v, "[F] sqrt(v^2 - v_s^2)", critical * sqrt(times * times - 1),
                            body.velocity[2], 0.005,
                            "JKR, hit at %g times the sticking speed: speed after, m/s", times);
    else
        validation_at_most(v, "[F] it stays", RADIUS + 2e-6, body.position[2],
                           "JKR, hit at %g times the sticking speed: height after, m", times);
    rig_close(&s.r);
}

/*  A bridge between two balls, drawn until it breaks. */
static void bridge(validation *v, bool on_plane, validation_curve *curve, validation_curve *formula)
{
    static const char *const names[] = {"surface_tension", "volume", "contact_angle"};
    const double values[] = {0.072, 1e-11, 0.5};
    const double end = 1.25 * cbrt(1e-11);
    const char *name = on_plane ? "ball on a plane" : "two balls";
    sticky s = sticky_open(v, NULL, NULL, 0, on_plane, 1e-4);
    scree_rule_def rule = scree_default_rule_def();
    double pull, gap;

    rule.law = "capillary";
    rule.names = names;
    rule.values = values;
    rule.value_count = 3;
    if (!s.r.status)
        s.r.status = scree_world_add_rule(s.r.world, &rule);
    draw_off(&s, 1e-7, &pull, &gap, curve);
    rig_close(&s.r);
    double most = 4 * VALIDATION_PI * s.radius * 0.072 * cos(0.5);
    validation_relative(v, "[F] 4 pi R gamma cos(theta)", most, pull, 1e-3,
                        "bridge, %s: largest pull, N", name);
    validation_relative(v, "[F] (1 + theta / 2) V^(1/3)", end, gap, 1e-3,
                        "bridge, %s: gap at which it breaks, m", name);
    for (int k = 0; formula && k <= 200; k++) {
        double x = end * k / 200, scaled = x * sqrt(2 * s.radius / 1e-11);
        validation_point(formula, x * 1e6,
                         -most / (1 + 1.05 * scaled + 2.5 * scaled * scaled) * 1e6);
    }
}

/*  Where Hertz's force and the pull of "sjkr" are the same. */
static void rest(validation *v)
{
    const double density = 1e5;
    sticky s = sticky_open(v, "sjkr", "cohesion", density, true, 1e-7);
    scree_body body;
    double root = 1.5 * VALIDATION_PI * density * sqrt(s.radius) / s.young;

    body = rig_body(&s.r, s.body);
    body.position[2] -= root * root;
    rig_set(&s.r, s.body, &body);
    rig_step(&s.r, 1);
    body = rig_body(&s.r, s.body);
    validation_absolute(v, "[F] K overlap^1.5 = 2 pi c R overlap", 0, body.force[2],
                        1e-9 * density * s.radius * s.radius,
                        "SJKR, ball on a plane at rest: force, N");
    rig_close(&s.r);
}

/* ---- the Edinburgh model ---- */

#define EEPA_ADHESION 20.0

static void eepa_law(sticky *s, double plasticity, double adhesion, double exponent,
                     double restitution)
{
    static const char *const names[] = {"plasticity", "adhesion", "adhesion_exponent",
                                        "restitution"};
    const double values[] = {plasticity, adhesion, exponent, restitution};
    scree_rule_def rule = scree_default_rule_def();

    rule.law = "eepa";
    rule.names = names;
    rule.values = values;
    rule.value_count = 4;
    if (!s->r.status)
        s->r.status = scree_world_add_rule(s->r.world, &rule);
}

/*  In the paper's symbols: overlaps dp and dmin, and the attraction there. */
typedef struct eepa_curve
{
    double k1, k2, plastic, least, pull;
} eepa_curve;

static eepa_curve eepa_of(const sticky *s, double plasticity, double deepest)
{
    eepa_curve c = {.k1 = 4.0 / 3 * s->young * sqrt(s->radius)};
    c.k2 = c.k1 / (1 - plasticity);
    c.plastic = pow(plasticity, 2.0 / 3) * deepest;
    c.pull = 1.5 * VALIDATION_PI * EEPA_ADHESION * sqrt(2 * s->radius * c.plastic);
    c.least = pow(pow(c.plastic, 1.5) - c.pull / c.k2, 2.0 / 3);
    return c;
}

static double eepa_unloading(const eepa_curve *c, double exponent, double overlap)
{
    return overlap > c->least ? c->k2 * (pow(overlap, 1.5) - pow(c->plastic, 1.5))
                              : -c->pull * pow(overlap / c->least, exponent);
}

/*  Pressed in and drawn off slowly. */
static void press_and_draw(validation *v, bool on_plane, double exponent, validation_curve *curve,
                           validation_curve *formula)
{
    const double deepest = 4e-5, plasticity = 0.6;
    const char *name = on_plane ? "ball on a plane" : "two balls";
    sticky s = sticky_open(v, NULL, NULL, 0, on_plane, 1e-6);
    eepa_law(&s, plasticity, EEPA_ADHESION, exponent, 1);
    eepa_curve c = eepa_of(&s, plasticity, deepest);
    scree_body body = rig_body(&s.r, s.body);
    double pull = 0, top = 0, flat = 0, off = 0, work = 0, last = 0, before = 0;
    uint32_t count = (uint32_t)(deepest / SPEED / 1e-6 + 0.5);

    body.flags = SCREE_FREEZE & ~SCREE_FREEZE_SPIN_X; /* two that are held do not meet */
    /* without dashpots, whose force would be seen in the sum */
    for (uint32_t k = 1; k <= 2 * count && !s.r.status; k++) {
        if (k == 1 || k == count + 1) {
            body = rig_body(&s.r, s.body);
            body.flags = SCREE_FREEZE & ~SCREE_FREEZE_SPIN_X;
            body.velocity[2] = k == 1 ? -SPEED : SPEED;
            rig_set(&s.r, s.body, &body);
        }
        rig_step(&s.r, 1);
        body = rig_body(&s.r, s.body);
        double overlap = RADIUS - body.position[2], force = body.force[2];
        work += 0.5 * (force + last) * (overlap - before);
        if (force < -pull) {
            pull = -force;
            off = overlap;
        }
        top = force > top ? force : top;
        if (k > count && last > 0 && force <= 0)
            flat = before + (overlap - before) * last / (last - force);
        last = force;
        before = overlap;
        if (curve && k % 400 == 0)
            validation_point(curve, overlap * 1e6, force * 1e3);
    }
    rig_close(&s.r);
    validation_relative(v, "[F] 4/3 E sqrt(R) d^1.5", c.k1 * pow(deepest, 1.5), top, 1e-3,
                        "EEPA, %s: force at the largest overlap, N", name);
    validation_relative(v, "[F] lambda^(2/3) d", c.plastic, flat, 1e-3,
                        "EEPA, %s: overlap at which nothing pushes any more, m", name);
    validation_relative(v, "[F] 3/2 pi W sqrt(2 R dp)", c.pull, pull, 1e-3,
                        "EEPA, %s: largest pull, N", name);
    validation_relative(v, "[F] (dp^1.5 - pull / K2)^(2/3)", c.least, off, 1e-3,
                        "EEPA, %s: overlap of the largest pull, m", name);
    double back = 0.4 * c.k2 * (pow(deepest, 2.5) - pow(c.least, 2.5)) -
                  c.k2 * pow(c.plastic, 1.5) * (deepest - c.least) -
                  c.pull * c.least / (exponent + 1);
    validation_relative(v, "[F] area between the branches", 0.4 * c.k1 * pow(deepest, 2.5) - back,
                        work, 1e-3, "EEPA, %s: work of pressing and drawing off, J", name);
    for (int k = 0; formula && k <= 400; k++) {
        double overlap = deepest * (k > 200 ? 2 - k / 200.0 : k / 200.0);
        double force = k > 200 ? eepa_unloading(&c, exponent, overlap) : c.k1 * pow(overlap, 1.5);
        validation_point(formula, overlap * 1e6, force * 1e3);
    }
}

/*  Thrown at the plane, without adhesion and damping: what comes back is the area under the line of unloading, at any speed. */
static void rebound(validation *v, double plasticity, double speed)
{
    sticky s = sticky_open(v, NULL, NULL, 0, true, v->full ? 1e-7 : 4e-7);
    eepa_law(&s, plasticity, 0, 1.5, 1);
    scree_body body = rig_body(&s.r, s.body);
    double share = (1 - 2.5 * plasticity + 1.5 * pow(plasticity, 5.0 / 3)) / (1 - plasticity);

    body.position[2] += 1e-7;
    body.velocity[2] = -speed;
    rig_set(&s.r, s.body, &body);
    rig_step(&s.r, v->full ? 40000 : 10000);
    body = rig_body(&s.r, s.body);
    rig_close(&s.r);
    validation_relative(v, "[F] sqrt((1 - 5/2 l + 3/2 l^(5/3)) / (1 - l))", sqrt(share),
                        body.velocity[2] / speed, 2e-3,
                        "EEPA, plasticity %g, hit at %g m/s: restitution", plasticity, speed);
}

void validate_adhesion(validation *v)
{
    validation_begin(
        v, "12. What sticks",
        "Balls of 1 mm (E = 10 MPa, nu = 0.3) with an energy of adhesion W of 50 mJ/m^2, pressed "
        "on each other or "
        "on a rigid plane and drawn off at 1 mm/s: Johnson, Kendall and Roberts (Proc. R. Soc. A "
        "324, 1971), "
        "Derjaguin, Muller and Toporov (J. Colloid Interface Sci. 53, 1975). A ball that hits a "
        "plane loses by JKR "
        "what sticking and tearing off cost, 7.09 (W^5 R^4 / E^2)^(1/3) (Thornton and Ning, Powder "
        "Technology 99, "
        "1998), and stays if it has less. SJKR is a pull in proportion to the area of contact. "
        "Bridges hold 0.01 mm^3 of water at a contact angle of 0.5 (Willett, Adams, Johnson, "
        "Seville, Langmuir 16, 2000; "
        "Lian, Thornton, Adams, J. Colloid Interface Sci. 161, 1993). The Edinburgh elasto-plastic "
        "adhesion model (Thakur and others, Granular Matter 16, 2014) with W = 20 J/m^2 and a "
        "plasticity of 0.6 is pressed in by "
        "40 um and drawn off.");
    validation_chart *chart =
        validation_add_chart(v, "validation-jkr.svg", "Two balls drawn apart after JKR",
                             "force over gap", "gap, um", "force, uN");
    validation_curve *ours = validation_add_curve(chart, "scree", false);
    validation_curve *theirs = validation_add_curve(chart, "JKR 1971", true);
    pull_off(v, false, ours, theirs);
    pull_off(v, true, NULL, NULL);
    hit(v, 0.95);
    hit(v, 1.05);
    hit(v, 2);
    rest(v);
    chart = validation_add_chart(v, "validation-bridge.svg",
                                 "Two balls drawn apart with a bridge of liquid", "force over gap",
                                 "gap, um", "force, uN");
    ours = validation_add_curve(chart, "scree", false);
    theirs = validation_add_curve(chart, "Willett et al. 2000", true);
    bridge(v, false, ours, theirs);
    bridge(v, true, NULL, NULL);
    chart = validation_add_chart(
        v, "validation-eepa.svg",
        "Two balls pressed together and drawn apart, after the Edinburgh model",
        "force over overlap", "overlap, um", "force, mN");
    ours = validation_add_curve(chart, "scree", false);
    theirs = validation_add_curve(chart, "Thakur et al. 2014", true);
    press_and_draw(v, false, 1.5, ours, theirs);
    press_and_draw(v, true, 3, NULL, NULL);
    rebound(v, 0.3, 0.1);
    rebound(v, 0.6, 0.1);
    rebound(v, 0.6, 1);
    rebound(v, 0.9, 0.1);
}
