#include "reference.h"

#include <math.h>

/* ---- two elastic spheres ------------------------------------------------------------------------- */

double sphere_mass(const elastic_solid *solid)
{
    return isinf(solid->radius) ? INFINITY
                                : 4.0 / 3 * VALIDATION_PI * solid->density * pow(solid->radius, 3);
}

hertz_contact hertz_of(const elastic_solid *a, const elastic_solid *b)
{
    hertz_contact c;
    double young =
        (1 - a->poisson * a->poisson) / a->young + (1 - b->poisson * b->poisson) / b->young;
    double shear = 2 * (2 - a->poisson) * (1 + a->poisson) / a->young +
                   2 * (2 - b->poisson) * (1 + b->poisson) / b->young;
    c.young = 1 / young;
    c.shear = 1 / shear;
    c.radius = 1 / (1 / a->radius + 1 / b->radius);
    c.mass = 1 / (1 / sphere_mass(a) + 1 / sphere_mass(b));
    c.stiffness = 4.0 / 3 * c.young * sqrt(c.radius);
    return c;
}

double hertz_overlap(const hertz_contact *c, double speed)
{
    return pow(5 * c->mass * speed * speed / (4 * c->stiffness), 0.4);
}

double hertz_force(const hertz_contact *c, double overlap)
{
    return c->stiffness * pow(overlap, 1.5);
}

double hertz_duration(const hertz_contact *c, double speed)
{
    /* 2 sqrt(pi) Gamma(7/5) / Gamma(9/10) */
    return 2.9432751843247056 * hertz_overlap(c, speed) / speed;
}

double damping_for(double restitution)
{
    /* restitution falls as x grows */
    double low = 0, high = 1e6;
    for (int k = 0; k < 200; k++) {
        double x = (low + high) / 2;
        if (exp(-x * (VALIDATION_PI - 2 * atan(x))) > restitution)
            low = x;
        else
            high = x;
    }
    return (low + high) / 2;
}

/* ---- an oblique impact --------------------------------------------------------------------------- */

typedef struct oblique_state
{
    double overlap, approach, slide; /* slide: of the centre */
    double surface;                  /* R w */
    double spring;                   /* displacement (secant), or force */
    double shear_stiffness;          /* at the step before */
} oblique_state;

static double normal_force(const oblique_impact *impact, const oblique_state *s)
{
    const hertz_contact *c = &impact->contact;
    double stiffness = 2 * c->young * sqrt(c->radius * s->overlap);
    double force = hertz_force(c, s->overlap) +
                   2 * sqrt(5.0 / 6) * impact->damping * sqrt(stiffness * c->mass) * s->approach;
    return force < 0 && !impact->attracts ? 0 : force;
}

/*  Force on the sphere along the wall, for a surface that has moved by `shift` since the step before. */
static double shear_force(const oblique_impact *impact, oblique_state *s, double shift,
                          double velocity, double limit)
{
    const hertz_contact *c = &impact->contact;
    double stiffness = 8 * c->shear * sqrt(c->radius * s->overlap);
    double dashpot =
        impact->shear_damping ? 2 * sqrt(5.0 / 6) * impact->damping * sqrt(stiffness * c->mass) : 0;
    bool secant = impact->law == SHEAR_SECANT;
    if (impact->law == SHEAR_RESCALED && stiffness < s->shear_stiffness)
        s->spring *= stiffness / s->shear_stiffness;
    s->shear_stiffness = stiffness;
    s->spring += secant ? shift : -stiffness * shift;
    double force = (secant ? -stiffness * s->spring : s->spring) - dashpot * velocity;
    if (fabs(force) <= limit)
        return force;
    force = force < 0 ? -limit : limit;
    /* it slides: the spring holds all of the limit, or what the dashpot leaves of it */
    double held = impact->spring_yields ? force + dashpot * velocity : force;
    s->spring = secant ? -held / stiffness : held;
    return force;
}

oblique_outcome oblique_reference(const oblique_impact *impact, int steps)
{
    const hertz_contact *c = &impact->contact;
    oblique_state s = {0, impact->normal, impact->tangential, impact->spin, 0, 0};
    double dt = hertz_duration(c, impact->normal) / steps;
    for (int k = 0; k < 20 * steps; k++) {
        s.overlap += s.approach * dt;
        if (s.overlap <= 0)
            break;
        double arm = impact->short_arm ? 1 - s.overlap / c->radius : 1;
        double normal = normal_force(impact, &s);
        double velocity = s.slide + arm * s.surface;
        double shear =
            shear_force(impact, &s, velocity * dt, velocity, impact->friction * fabs(normal));
        s.approach -= normal / c->mass * dt;
        s.slide += shear / c->mass * dt;
        s.surface += arm * shear / (0.4 * c->mass) * dt; /* R^2 / I of a sphere */
    }
    oblique_outcome outcome = {-s.approach, s.slide, s.surface};
    return outcome;
}

/* ---- a chain of beads ------------------------------------------------------------------------------- */

solitary_wave solitary_reference(const elastic_solid *bead, double velocity, int count, int from,
                                 int to, double dt, double until)
{
    double shift[128] = {0}, speed[128] = {0},
           push[129] = {0}; /* push[k]: of bead k - 1 on bead k */
    double peak[128] = {0}, time[128] = {0}, mass = sphere_mass(bead);
    hertz_contact c = hertz_of(bead, bead);
    solitary_wave wave = {0, 0, 0};
    speed[0] = velocity;
    for (long step = 0; (double)step * dt < until; step++) {
        for (int k = 0; k < count; k++)
            shift[k] += speed[k] * dt;
        for (int k = 1; k < count; k++)
            push[k] = hertz_force(&c, fmax(0, shift[k - 1] - shift[k]));
        for (int k = 0; k < count; k++) {
            speed[k] += (push[k] - push[k + 1]) / mass * dt;
            if (speed[k] > peak[k]) {
                peak[k] = speed[k];
                time[k] = (double)step * dt;
            }
        }
        wave.force = fmax(wave.force, push[from + 1]);
    }
    wave.speed = (to - from) * 2 * bead->radius / (time[to] - time[from]);
    wave.bead_speed = peak[from];
    return wave;
}

/* ---- others ------------------------------------------------------------------------------------------ */

double elliptic_k(double square)
{
    double a = 1, g = sqrt(1 - square);
    for (int k = 0; k < 40; k++) {
        double mean = (a + g) / 2;
        g = sqrt(a * g);
        a = mean;
    }
    return VALIDATION_PI / (2 * a);
}

double flip_period(const double i[3], const double w[3])
{
    double energy = 0, square = 0; /* 2T, L^2 */
    for (int a = 0; a < 3; a++) {
        energy += i[a] * w[a] * w[a];
        square += i[a] * i[a] * w[a] * w[a];
    }
    /* the formula is for rotation around the third axis; else the first and the third change places */
    bool third = square > energy * i[1];
    double i1 = third ? i[2] : i[0], i2 = i[1], i3 = third ? i[0] : i[2];
    double p2 = (i2 - i1) * (energy * i3 - square) / (i1 * i2 * i3);
    double k2 = (i3 - i2) * (square - energy * i1) / ((i2 - i1) * (energy * i3 - square));
    return 2 * elliptic_k(k2) / sqrt(p2);
}

double hard_sphere_contact_value(double phi)
{
    return (1 - phi / 2) / pow(1 - phi, 3);
}

double collision_rate(double diameter, double mass, double number_density, double temperature,
                      double volume_fraction)
{
    return 4 * diameter * diameter * number_density * hard_sphere_contact_value(volume_fraction) *
           sqrt(VALIDATION_PI * temperature / mass);
}

double normal_probability(const double *sorted, size_t count, double deviation)
{
    double distance = 0, n = (double)count;
    for (size_t k = 0; k < count; k++) {
        double expected = 0.5 * erfc(-sorted[k] / (deviation * sqrt(2)));
        distance = fmax(distance, fabs(expected - (double)k / n));
        distance = fmax(distance, fabs(expected - ((double)k + 1) / n));
    }
    double lambda = (sqrt(n) + 0.12 + 0.11 / sqrt(n)) * distance, sum = 0;
    for (int j = 1; j <= 100; j++)
        sum += (j % 2 ? 2 : -2) * exp(-2.0 * j * j * lambda * lambda);
    return sum > 1 || lambda < 0.2
               ? 1
               : sum; /* the series does not converge near 0, where all is well */
}

void fit_line(const double *x, const double *y, size_t count, double *slope, double *offset)
{
    double mx = 0, my = 0, sxx = 0, sxy = 0;
    for (size_t k = 0; k < count; k++) {
        mx += x[k] / (double)count;
        my += y[k] / (double)count;
    }
    for (size_t k = 0; k < count; k++) {
        sxx += (x[k] - mx) * (x[k] - mx);
        sxy += (x[k] - mx) * (y[k] - my);
    }
    *slope = sxy / sxx;
    *offset = my - *slope * mx;
}

double parabola_place(double before, double at, double after)
{
    double bend = before - 2 * at + after;
    return bend < 0 || bend > 0 ? (before - after) / (2 * bend) : 0;
}

double parabola_peak(double before, double at, double after)
{
    return at - 0.25 * (before - after) * parabola_place(before, at, after);
}
