/*  Haff's law: how a gas that loses energy in collisions cools. */
#include "cases.h"
#include "gas_rig.h"
#include "reference.h"

#include <math.h>

#define TIMES 4 /* 1, 2, 4, 8 tau */

/*  One gas: adds its temperatures at these times, over `share`, to the means. */
static void cool_once(validation *v, double e, double phi, uint64_t seed, double until,
                      double share, double mean[TIMES], validation_curve *curve)
{
    gas_def def = {.count = v->full ? 500 : 250,
                   .volume_fraction = phi,
                   .restitution = e,
                   .contact_share = v->full ? 0.009 : 0.018,
                   .contact_steps = 20,
                   .normal_speeds = true,
                   .seed = seed};
    gas g = gas_open(v, &def);
    double tau = 6 / ((1 - e * e) * g.rate), from = 0, at = 1;
    for (int row = 0; row < TIMES && at <= until; row++, from = at, at *= 2) {
        for (int part = 1; part <= 8; part++) {
            gas_advance(&g, tau * (from + (at - from) * part / 8) - rig_time(&g.r));
            if (curve)
                validation_point(curve, rig_time(&g.r) / tau + 1, gas_temperature(&g));
        }
        mean[row] += share * gas_temperature(&g);
    }
    rig_close(&g.r);
}

static void draw_law(validation_chart *chart)
{
    validation_curve *law = validation_add_curve(chart, "Haff", true);
    for (int k = 0; k <= 80; k++)
        validation_point(law, 0.1 * k + 1, 1 / pow(1 + 0.1 * k, 2));
}

/*  The mean of some gases, that differ by their seed alone. `scatter`: of a single run, ours in the short form,
    else of the reference. */
static void cool(validation *v, double e, double phi, int seeds, const double *event_driven,
                 double until, double scatter, validation_curve *curve)
{
    double mean[TIMES] = {0}, at = 1;
    for (int seed = 1; seed <= seeds; seed++)
        cool_once(v, e, phi, (uint64_t)seed, until, 1.0 / seeds, mean, seed == 1 ? curve : NULL);
    for (int row = 0; row < TIMES && at <= until; row++, at *= 2) {
        validation_relative(v, "[F] 1 / (1 + t/tau)^2", 1 / ((1 + at) * (1 + at)), mean[row],
                            v->full ? 0.03 : 0.03 + scatter,
                            "e = %g, phi = %g, mean of %d: T / T0 at t = %g tau", e, phi, seeds,
                            at);
        if (event_driven)
            validation_relative(v, "[C] event-driven", event_driven[row], mean[row], 0.03 + scatter,
                                "e = %g, phi = %g: the same", e, phi);
    }
}

/* ---- a law of the host's own: viscous and elastic after Kuwabara and Kono --------------------------- */

typedef struct viscous
{
    double stiffness, damping; /* F = stiffness overlap^1.5 + damping sqrt(overlap) rate */
} viscous;

static scree_status viscous_prepare(const scree_law_input *input,
                                    double constants[SCREE_MAX_CONSTANTS], void *user)
{
    const viscous *law = user;
    (void)input;
    constants[0] = law->stiffness;
    constants[1] = law->damping;
    return SCREE_OK;
}

static void viscous_force(const scree_batch *batch, const double *constants, void *user)
{
    (void)user;
    for (uint32_t k = 0; k < batch->count; k++) {
        double root = sqrt(batch->overlap[k]);
        double force =
            constants[0] * root * batch->overlap[k] + constants[1] * root * batch->approach[k];
        for (int a = 0; a < 3; a++)
            batch->force[a][k] = -fmax(0, force) * batch->normal[a][k];
    }
}

/*  T = (1 + t/tau)^-n: the n for which T^(-1/n) is nearest to a line in t. */
static double fit_exponent(const double *time, const double *temperature, size_t count)
{
    double best = 0, least = INFINITY, transformed[64];
    for (double n = 1; n < 3; n += 0.005) {
        double slope, offset, sum = 0;
        for (size_t k = 0; k < count; k++)
            transformed[k] = pow(temperature[k], -1 / n);
        fit_line(time, transformed, count, &slope, &offset);
        for (size_t k = 0; k < count; k++) {
            /* the error of ln T, of the same weight in all */
            double error = log(transformed[k] / (slope * time[k] + offset)) * n;
            sum += slope * time[k] + offset > 0 ? error * error : 1;
        }
        if (sum < least) {
            least = sum;
            best = n;
        }
    }
    return best;
}

static void cool_viscous(validation *v, validation_chart *chart)
{
    /* e = 1 - C v^(1/5): about 0.9 at the first speeds */
    static viscous law;
    scree_law own = {
        .name = "viscous", .prepare = viscous_prepare, .force = viscous_force, .user = &law};
    gas_def def = {.count = 500,
                   .volume_fraction = 0.1,
                   .restitution = 1,
                   .contact_share = 0.01,
                   .contact_steps = 20,
                   .normal_speeds = true,
                   .own_law = &own,
                   .seed = 11};
    /* a Hertz contact of mass 1/2 at relative speed 2 that lasts as long as gas_open reckons */
    double rate = collision_rate(1, 1, 0.1 * 6 / VALIDATION_PI, 1, 0.1);
    double contact = 0.01 / rate, overlap = contact * 2 / 2.9432751843247056;
    law.stiffness = 5 * 0.5 * 4 / (4 * pow(overlap, 2.5));
    law.damping = law.stiffness * overlap / 2 * 0.11;
    gas g = gas_open(v, &def);
    double time[64], temperature[64];
    size_t count = 0;
    validation_curve *curve = validation_add_curve(chart, "viscous law", false);
    double first = 0.74 / rate;
    for (int k = 0; k < 40; k++) {
        gas_advance(&g, first * pow(1.09, k));
        time[count] = rig_time(&g.r);
        temperature[count] = gas_temperature(&g);
        validation_point(curve, time[count] * rate / 30 + 1, temperature[count]);
        count++;
    }
    validation_relative(
        v, "[F] 5/3", 5.0 / 3, fit_exponent(time, temperature, count), 0.05,
        "a viscous law of the host's own, T / T0 down to %.4f: exponent of the cooling",
        temperature[count - 1]);
    rig_close(&g.r);
}

void validate_haff(validation *v)
{
    static const double dense[] = {0.2508, 0.1101, 0.0396, 0.01239},
                        thin[] = {0.2463, 0.1108, 0.0399, 0.01256};
    validation_begin(
        v, "9b. Cooling of an inelastic gas (Haff's law)",
        "500 smooth spheres with constant restitution (linear contacts of 0.9 % of the mean free "
        "time): T = T0 / (1 + t/tau)^2, tau = 6 / ((1 - e^2) w0), 3 %, means over gases that "
        "differ by their seed. A single run of 500 scatters by about 2.5 % at the end; where the "
        "reference is such runs (one for 0.9, three for 0.95), 2.5 or 1.5 % are added. A viscous "
        "law, where restitution rises as speeds fall, cools with exponent 5/3 instead: it is one "
        "that the host gives.");
    validation_chart *chart =
        validation_add_chart(v, "validation-haff.svg", "Cooling of an inelastic gas",
                             "temperature over 1 + t / tau", "1 + t / tau", "T / T0");
    chart->logarithmic = true;
    if (!v->full) {
        /* 250 spheres, longer contacts: 500 of one seed already scatter by 2 % */
        cool(v, 0.90, 0.05, 1, NULL, 1, 0.02, NULL);
        return;
    }
    draw_law(chart);
    cool(v, 0.90, 0.05, 5, thin, 8, 0.025, validation_add_curve(chart, "scree, e = 0.9", false));
    cool(v, 0.95, 0.134, 2, dense, 4, 0.015, validation_add_curve(chart, "scree, e = 0.95", false));
    cool_viscous(v, chart);
}
