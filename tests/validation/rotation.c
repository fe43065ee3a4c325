/*  A free body that turns: the flips of an asymmetric top, and the precession of a symmetric one. */
#include "cases.h"
#include "reference.h"
#include "rig.h"

#include <math.h>

typedef struct top
{
    rig r;
    scree_body_id body;
} top;

static top top_open(validation *v, const double inertia[3], const double spin[3], double dt)
{
    top t;
    scree_world_def def = rig_def(dt);
    t.r = rig_open(v, &def);
    scree_material_def material = scree_default_material_def();
    scree_body_def body = rig_sphere(rig_material(&t.r, &material), 1, 0, 0, 0);
    body.mass = 1;
    for (int a = 0; a < 3; a++) {
        body.inertia[a] = inertia[a];
        body.spin[a] = spin[a];
    }
    t.body = rig_add(&t.r, &body);
    return t;
}

/*  out = q* u q: from space to the body's axes; with `back` the other way. */
static void turn(const double q[4], const double u[3], bool back, double out[3])
{
    double w = q[0], s = back ? 1 : -1;
    double p[3] = {s * q[1], s * q[2], s * q[3]}, c[3];
    for (int a = 0; a < 3; a++) {
        int i = (a + 1) % 3, j = (a + 2) % 3;
        c[a] = p[i] * u[j] - p[j] * u[i] + w * u[a];
    }
    for (int a = 0; a < 3; a++) {
        int i = (a + 1) % 3, j = (a + 2) % 3;
        out[a] = u[a] + 2 * (p[i] * c[j] - p[j] * c[i]);
    }
}

/*  Angular momentum in space, and twice the energy. */
static double momentum_of(const scree_body *body, double momentum[3])
{
    double w[3], l[3], energy = 0;
    turn(body->orientation, body->spin, false, w);
    for (int a = 0; a < 3; a++) {
        l[a] = body->inertia[a] * w[a];
        energy += l[a] * w[a];
    }
    turn(body->orientation, l, true, momentum);
    return energy;
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static void flips(validation *v)
{
    static const double inertia[3] = {1, 2, 3}, spin[3] = {0.01, 1, 0.01};
    const double dt = 1e-3;
    int wanted = v->full ? 100 : 3, count = 0;
    top t = top_open(v, inertia, spin, dt);
    validation_curve *curve =
        validation_add_curve(validation_add_chart(v, "validation-flips.svg",
                                                  "Torque-free rotation about the middle axis",
                                                  "moments 1, 2, 3; spin (0.01, 1, 0.01)",
                                                  "time, s", "spin about the middle axis, rad/s"),
                             "scree", false);
    scree_body body = rig_body(&t.r, t.body);
    double start[3], now[3], energy = momentum_of(&body, start), worst_energy = 0,
                             worst_momentum = 0;
    double first = 0, last = 0, before = 1;
    for (long step = 0; count <= wanted && step < 3000000 && rig_step(&t.r, 1); step++) {
        double w[3];
        body = rig_body(&t.r, t.body);
        turn(body.orientation, body.spin, false, w);
        if (step % 250 == 0 && rig_time(&t.r) < 75)
            validation_point(curve, rig_time(&t.r), w[1]);
        if ((w[1] < 0) != (before < 0)) {
            last = rig_time(&t.r) - dt * w[1] / (w[1] - before);
            first = count++ == 0 ? last : first;
        }
        before = w[1];
        worst_energy = fmax(worst_energy, fabs(momentum_of(&body, now) / energy - 1));
        worst_momentum = fmax(worst_momentum, distance(now, start) /
                                                  sqrt(start[0] * start[0] + start[1] * start[1] +
                                                       start[2] * start[2]));
    }
    validation_relative(v, "[F] 2 K(k) / p", 19.55286710, flip_period(inertia, spin), 1e-8,
                        "the formula here against the specification's number: period, s");
    validation_relative(v, "[C] Runge-Kutta", 10.91691349, first, 1e-3, "first flip, s");
    validation_relative(v, "[F] 2 K(k) / p", flip_period(inertia, spin), (last - first) / wanted,
                        1e-3, "time between flips, %d flips, dt = 1e-3, s", wanted);
    validation_at_most(v, "[F]", 1e-6, worst_energy, "energy: largest relative change, %d flips",
                       wanted);
    validation_at_most(v, "[F]", 1e-10, worst_momentum,
                       "angular momentum in space: largest relative change, %d flips", wanted);
    rig_close(&t.r);
}

static double spin_error(validation *v, double dt)
{
    /* a rotation that shows all terms, against itself with very small steps; 4 s */
    static const double inertia[3] = {1, 2, 3}, spin[3] = {0.8, 1, -0.6};
    static double exact[3];
    static bool known;
    scree_body body;
    if (!known) {
        top t = top_open(v, inertia, spin, 1.0 / 16384);
        rig_step(&t.r, 4 * 16384);
        body = rig_body(&t.r, t.body);
        for (int a = 0; a < 3; a++)
            exact[a] = body.spin[a];
        rig_close(&t.r);
        known = true;
    }
    top t = top_open(v, inertia, spin, dt);
    rig_step(&t.r, (uint64_t)(4 / dt));
    body = rig_body(&t.r, t.body);
    rig_close(&t.r);
    return distance(body.spin, exact);
}

static void symmetric_top(validation *v)
{
    static const double inertia[3] = {1, 1, 1.8}, spin[3] = {0.3, 0, 1};
    const double dt = 1e-3;
    top t = top_open(v, inertia, spin, dt);
    double angle = 0, before = 0;
    for (int step = 0; step < 20000 && rig_step(&t.r, 1); step++) {
        double w[3];
        scree_body body = rig_body(&t.r, t.body);
        turn(body.orientation, body.spin, false, w);
        double now = atan2(w[1], w[0]), turned = now - before;
        angle += turned < -VALIDATION_PI  ? turned + 2 * VALIDATION_PI
                 : turned > VALIDATION_PI ? turned - 2 * VALIDATION_PI
                                          : turned;
        before = now;
    }
    validation_relative(v, "[F] (I3 - I1) / I1 w3", 0.8, angle / rig_time(&t.r), 1e-6,
                        "symmetric top: rate of precession, rad/s");
    rig_close(&t.r);
}

void validate_rotation(validation *v)
{
    validation_begin(v, "6b. Torque-free rotation",
                     "A body with principal moments 1, 2, 3 that turns about the middle axis, "
                     "which is unstable: it flips again and again, at times that elliptic "
                     "functions give. dt = 1 ms.");
    flips(v);
    double coarse = spin_error(v, 1.0 / 64), fine = spin_error(v, 1.0 / 128);
    validation_absolute(v, "[F] second order", 2, log2(coarse / fine), 0.1,
                        "order: error of the spin after 4 s, 1/64 s over 1/128 s");
    symmetric_top(v);
}
