/*  The elastic gas: what is conserved, how often spheres meet, how fast they are. */
#include "cases.h"
#include "gas_rig.h"
#include "reference.h"
#include "scree/event.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/*  All components of all velocities, sorted, and their largest sum along an axis. */
static size_t read_speeds(gas *g, double *speeds, double *momentum)
{
    scree_bodies_view bodies = scree_world_bodies(g->r.world);
    *momentum = 0;
    for (int a = 0; a < 3; a++) {
        double sum = 0;
        for (size_t k = 0; k < bodies.count; k++) {
            speeds[3 * k + (size_t)a] = scree_row_at(bodies.velocity, k)[a];
            sum += scree_row_at(bodies.velocity, k)[a];
        }
        *momentum = fmax(*momentum, fabs(sum));
    }
    qsort(speeds, 3 * bodies.count, sizeof *speeds, ascending);
    return 3 * bodies.count;
}

/*  The share of components that are slower, beside that of the normal distribution. */
static void draw_speeds(validation *v, const double *sorted, size_t count, double deviation)
{
    validation_chart *chart =
        validation_add_chart(v, "validation-gas.svg", "Speeds in an elastic gas",
                             "components of velocity that are lower; at first they were even",
                             "velocity, over its deviation", "share");
    validation_curve *normal = validation_add_curve(chart, "normal distribution", true),
                     *ours = validation_add_curve(chart, "scree", false);
    for (int k = -60; k <= 60; k++)
        validation_point(normal, k / 20.0, 0.5 * erfc(-k / 20.0 / sqrt(2)));
    for (size_t k = 0; k < count; k++)
        validation_point(ours, sorted[k] / deviation, (double)(k + 1) / (double)count);
}

static double total_energy(gas *g)
{
    scree_energy energy = scree_world_energy(g->r.world);
    return energy.kinetic + energy.elastic;
}

/*  Contacts that began in the last call of step. */
static double count_begun(gas *g)
{
    const scree_event *events;
    size_t count = 0;
    double begun = 0;
    if (g->r.status || scree_world_events(g->r.world, &events, &count))
        return 0;
    for (size_t k = 0; k < count; k++)
        begun += events[k].kind == SCREE_EVENT_CONTACT_BEGIN;
    return begun;
}

#define SAMPLES 100
#define SPHERES 200

/*  Energy is looked at after so many steps, again and again. */
static void conserve(validation *v, uint64_t steps)
{
    static double speeds[3 * SPHERES], time[SAMPLES], energy[SAMPLES];
    gas_def def = {.count = SPHERES,
                   .volume_fraction = 0.134,
                   .restitution = 1,
                   .contact_share = 0.02,
                   .contact_steps = 50,
                   .energy_balance = true,
                   .events = true,
                   .seed = 3};
    gas g = gas_open(v, &def);
    double momentum = 0, first = g.r.status ? 1 : total_energy(&g), widest = 0, met = 0;
    for (size_t k = 0; k < SAMPLES && rig_step(&g.r, steps); k++) {
        met += count_begun(&g);
        time[k] = (double)k;
        energy[k] = total_energy(&g) / first;
        widest = fmax(widest, fabs(energy[k] - 1));
    }
    if (!g.r.status) {
        double slope, offset;
        size_t count = read_speeds(&g, speeds, &momentum);
        draw_speeds(v, speeds, count, sqrt(gas_temperature(&g)));
        fit_line(time, energy, SAMPLES, &slope, &offset);
        validation_at_most(v, "[F]", 1e-10, momentum,
                           "200 spheres, %g steps: momentum (of speeds of 1)",
                           SAMPLES * (double)steps);
        validation_at_most(v, "[F]", 1e-3, widest,
                           "200 spheres: largest relative change of the energy");
        validation_at_most(v, "[F]", 1e-6, fabs(slope) * SAMPLES / met,
                           "200 spheres: trend of the energy, for each of %.0f collisions", met);
        validation_between(
            v, "[F] Kolmogorov-Smirnov", 0.01, 1,
            normal_probability(speeds, count, sqrt(gas_temperature(&g))),
            "600 components of velocity, at first even: probability that they are normal");
    }
    rig_close(&g.r);
}

static void collide(validation *v, double phi, double free_times)
{
    gas_def def = {.count = 500,
                   .volume_fraction = phi,
                   .restitution = 1,
                   .contact_share = 0.01,
                   .contact_steps = 20,
                   .normal_speeds = true,
                   .events = true,
                   .seed = 5};
    gas g = gas_open(v, &def);
    /* away from the start, which was laid at random and not by a gas */
    gas_advance(&g, 3 / g.rate);
    double met = 0, start = rig_time(&g.r);
    while (rig_time(&g.r) - start < free_times / g.rate && rig_step(&g.r, 200))
        met += count_begun(&g);
    double rate = 2 * met / (double)def.count / (rig_time(&g.r) - start);
    validation_relative(v, "[F] 4 d^2 n g sqrt(pi T / m)", g.rate, rate, 0.03,
                        "volume fraction %g, %.0f collisions: rate of one sphere", phi, met);
    validation_relative(v, "[F] (1 - phi/2) / (1 - phi)^3", hard_sphere_contact_value(phi),
                        rate / g.rate * hard_sphere_contact_value(phi), 0.03,
                        "volume fraction %g: contact value of g(r), from that rate", phi);
    rig_close(&g.r);
}

void validate_gas(validation *v)
{
    validation_begin(
        v, "9. Elastic gas: energy, momentum, speeds, collisions",
        "200 and 500 smooth spheres in a periodic cube; mass, diameter and temperature are 1. "
        "Linear contacts that last 1 or 2 % of the mean free time. Energy is kinetic plus what "
        "contacts store, by the world's own energy balance.");
    conserve(v, v->full ? 10000 : 200);
    collide(v, 0.134, v->full ? 60 : 10);
    if (v->full)
        collide(v, 0.30, 60);
}
