#include "enskog.h"

#include "reference.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

sheared_gas sheared_by_lun(double restitution, double volume_fraction)
{
    double h = (1 + restitution) / 2, f = volume_fraction, g = hard_sphere_contact_value(f);
    double viscosity = 5 * sqrt(VALIDATION_PI) / 96 *
                       (1 / (h * (2 - h) * g) + 8.0 / 5 * (3 * h - 1) / (2 - h) * f +
                        64.0 / 25 * h * ((3 * h - 2) / (2 - h) + 12 / VALIDATION_PI) * f * f * g);
    double loss = 48 / sqrt(VALIDATION_PI) * h * (1 - h) * f * f * g;
    sheared_gas s = {.temperature = viscosity / loss};
    s.pressure = s.temperature * (1 + 4 * h * f * g);
    s.shear = viscosity * sqrt(s.temperature) / f;
    return s;
}

/*  Of a dilute gas, by the linear equations for the moments of second order after Grad, whose solution they write down:
    Santos, Garzo and Dufty, Phys. Rev. E 69 (2004) 061303. */
static sheared_gas sheared_by_grad(double restitution, double volume_fraction)
{
    double e = restitution, density = 6 / VALIDATION_PI * volume_fraction;
    double cooling = 5.0 / 12 * (1 - e * e), isotropy = (1 + e) * (2 + e) / 6;
    double both = cooling + isotropy;
    /* rate of shear over that at which stresses relax, 16/5 n d^2 sqrt(pi T / m) */
    double rate = sqrt(1.5 * cooling / isotropy) * both;
    double root = 1 / (rate * 3.2 * density * sqrt(VALIDATION_PI));
    sheared_gas s = {.temperature = root * root};
    s.pressure = s.temperature;
    s.shear = s.temperature * rate * isotropy / (both * both);
    s.difference = s.temperature * 3 * cooling / both;
    return s;
}

/* ---- Monte Carlo ---------------------------------------------------------------------------------- */

typedef struct cloud
{
    size_t count;
    double (*velocity)[3];         /* less the flow */
    double restitution, frequency; /* of a pair at unit speed of approach: 4 pi d^2 n g */
    double fastest;                /* speed of approach that is taken for the largest */
    double flux[6], time;          /* momentum that collisions carried: xx, yy, zz, xy */
    uint64_t state;
} cloud;

/*  Even in [0, 1): splitmix64, Steele, Lea and Flood 2014. */
static double chance(cloud *c)
{
    uint64_t z = c->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/*  Even on the unit sphere: a point of the cube that lies in the ball. */
static void direction(cloud *c, double n[3])
{
    double square = 0;
    do {
        for (int a = 0; a < 3; a++)
            n[a] = 2 * chance(c) - 1;
        square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    } while (square > 1 || square < 1e-4);
    for (int a = 0; a < 3; a++)
        n[a] /= sqrt(square);
}

/*  Two meet, if chance will have it, the second at n from the first, where the flow is faster by n_y. */
static void meet(cloud *c, double *first, double *second)
{
    double n[3], approach = 0;
    direction(c, n);
    for (int a = 0; a < 3; a++)
        approach += (first[a] - second[a] - (a ? 0 : n[1])) * n[a];
    c->fastest = fmax(c->fastest, approach);
    if (approach <= chance(c) * c->fastest)
        return;
    double push = (1 + c->restitution) / 2 * approach;
    for (int a = 0; a < 3; a++) {
        first[a] -= push * n[a];
        second[a] += push * n[a];
        c->flux[a] += push * n[a] * n[a];
    }
    c->flux[3] += push * n[0] * n[1];
}

static void advance(cloud *c, double dt)
{
    double pairs = (double)c->count / 2 * c->frequency * c->fastest * dt;
    size_t whole = (size_t)pairs + (chance(c) < pairs - floor(pairs));
    for (size_t k = 0; k < c->count; k++)
        c->velocity[k][0] -= c->velocity[k][1] * dt;
    for (size_t k = 0; k < whole; k++) {
        size_t i = (size_t)(chance(c) * (double)c->count),
               j = (size_t)(chance(c) * (double)c->count);
        if (i != j)
            meet(c, c->velocity[i], c->velocity[j]);
    }
    c->time += dt;
}

/*  Adds what velocities carry, and its moments, over `share`. */
static void look(const cloud *c, double share, double square[4])
{
    for (size_t k = 0; k < c->count; k++) {
        const double *v = c->velocity[k];
        for (int a = 0; a < 3; a++)
            square[a] += share * v[a] * v[a] / (double)c->count;
        square[3] += share * v[0] * v[1] / (double)c->count;
    }
}

sheared_gas sheared_by_enskog(double restitution, double volume_fraction, size_t count,
                              double strain)
{
    sheared_gas guess = sheared_by_grad(restitution, volume_fraction);
    double speed = sqrt(3 * guess.temperature), sum[4] = {0, 0, 0, 0};
    cloud c = {.count = count, .restitution = restitution, .fastest = 5 * speed, .state = 1};
    c.frequency = 24 * volume_fraction * hard_sphere_contact_value(volume_fraction);
    c.velocity = malloc(count * sizeof *c.velocity);
    if (!c.velocity)
        return (sheared_gas){.temperature = NAN};
    for (size_t k = 0; k < count; k++) {
        /* the other way from the one before: no momentum in all */
        double n[3];
        direction(&c, n);
        for (int a = 0; a < 3; a++)
            c.velocity[k][a] = k % 2 ? -c.velocity[k - 1][a] : speed * n[a];
    }
    double dt = 0.02 / (c.frequency * speed / 4);
    size_t steps = (size_t)(strain / dt) + 1;
    for (size_t k = 0; k < steps; k++)
        advance(&c, dt);
    c.time = c.flux[0] = c.flux[1] = c.flux[2] = c.flux[3] = 0;
    for (size_t k = 0; k < steps; k++) {
        advance(&c, dt);
        look(&c, 1.0 / (double)steps, sum);
    }
    free(c.velocity);
    sheared_gas s = {.temperature = (sum[0] + sum[1] + sum[2]) / 3};
    for (int a = 0; a < 4; a++)
        sum[a] += c.flux[a] / (c.time * (double)count);
    s.pressure = (sum[0] + sum[1] + sum[2]) / 3;
    s.shear = -sum[3];
    s.difference = sum[0] - sum[1];
    return s;
}
