/*  An inelastic gas between boundaries that move past each other: it is heated by shear and cooled by collisions, and comes
    to a temperature and a viscosity that kinetic theory knows. */
#include "cases.h"
#include "enskog.h"
#include "event_gas.h"
#include "gas_rig.h"
#include "reference.h"

#include "scree/cell.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SLABS 10

typedef struct sheared
{
    gas g;
    double rate, side; /* of shear, of the cube */
    size_t count;
    double velocity[SLABS], weight[SLABS]; /* sums over samples, less the flow */
    double kinetic[4], contact[4];         /* xx, yy, zz, xy of the pressure over the density */
    size_t samples;
} sheared;

/*  The flow is left to find its profile: bodies know of it from the boundary alone. Units are those of the gas; it is
    sheared so that its temperature stays about 1. */
static sheared sheared_open(validation *v, const gas_def *def, double expected)
{
    sheared s = {.g = gas_open(v, def), .rate = 1 / sqrt(expected), .count = def->count};
    scree_margin_def margin = scree_default_world_def().detection.margin;
    scree_cell_def cell;
    /* fast and thin: rather all again now and then than some in each step */
    margin.kind = SCREE_MARGIN_SKIN;
    margin.length = 0.25;
    scree_world_set_margin(s.g.r.world, &margin);
    scree_world_get_cell(s.g.r.world, &cell);
    cell.gradient[0][1] = s.rate;
    s.side = cell.upper[1];
    if (!s.g.r.status && (s.g.r.status = scree_world_set_cell(s.g.r.world, &cell)) != SCREE_OK)
        snprintf(s.g.r.why, sizeof s.g.r.why, "%.200s", scree_world_message(s.g.r.world));
    return s;
}

/*  Less the flow, and what all have in common: a body that crosses the boundary takes momentum along. */
static void sample_motion(sheared *s)
{
    scree_bodies_view bodies = scree_world_bodies(s->g.r.world);
    double mean[3] = {0, 0, 0};
    for (size_t k = 0; k < bodies.count; k++)
        for (int a = 0; a < 3; a++)
            mean[a] += (scree_row_at(bodies.velocity, k)[a] -
                        (a ? 0 : s->rate * (scree_row_at(bodies.position, k)[1] - s->side / 2))) /
                       (double)bodies.count;
    for (size_t k = 0; k < bodies.count; k++) {
        double u[3], share = 1 / (double)(bodies.count - 1);
        for (int a = 0; a < 3; a++)
            u[a] = scree_row_at(bodies.velocity, k)[a] - mean[a];
        u[0] -= s->rate * (scree_row_at(bodies.position, k)[1] - s->side / 2);
        for (int a = 0; a < 3; a++)
            s->kinetic[a] += share * u[a] * u[a];
        s->kinetic[3] += share * u[0] * u[1];
        int slab = (int)(SLABS * scree_row_at(bodies.position, k)[1] / s->side);
        slab = slab < 0 ? 0 : slab >= SLABS ? SLABS - 1 : slab;
        s->velocity[slab] += u[0];
        s->weight[slab] += 1;
    }
}

/*  Momentum that contacts carry from centre to centre. */
static void sample_contacts(sheared *s)
{
    const scree_contact *contacts;
    size_t count = 0;
    if (scree_world_contacts(s->g.r.world, NULL, &contacts, &count))
        return;
    for (size_t k = 0; k < count; k++) {
        double length = (1 - contacts[k].overlap) / (double)s->count;
        for (int a = 0; a < 3; a++)
            s->contact[a] -= length * contacts[k].force[a] * contacts[k].normal[a];
        s->contact[3] -= length * contacts[k].force[0] * contacts[k].normal[1];
    }
}

/*  Over the rate of shear squared, as theory has it. */
static sheared_gas measure(sheared *s, uint64_t steps, uint64_t every)
{
    memset(s->velocity, 0, sizeof s->velocity);
    memset(s->weight, 0, sizeof s->weight);
    for (uint64_t done = 0; done < steps && rig_step(&s->g.r, every); done += every) {
        sample_contacts(s);
        sample_motion(s);
        s->samples++;
    }
    double unit = 1 / ((double)(s->samples ? s->samples : 1) * s->rate * s->rate);
    const double *k = s->kinetic, *c = s->contact;
    sheared_gas found = {.temperature = unit * (k[0] + k[1] + k[2]) / 3,
                         .shear = -unit * (k[3] + c[3]),
                         .difference = unit * (k[0] + c[0] - k[1] - c[1])};
    found.pressure = found.temperature + unit * (c[0] + c[1] + c[2]) / 3;
    return found;
}

/*  How far slabs are off the line, over the speed of one boundary past the other. */
static double off_the_line(const sheared *s)
{
    double most = 0;
    for (int k = 0; k < SLABS; k++)
        most = fmax(most, fabs(s->velocity[k] / fmax(1, s->weight[k])));
    return most / (s->rate * s->side);
}

typedef struct shear_case
{
    double restitution, volume_fraction;
    double rest, strain; /* until it is at rest, and to be looked at */
} shear_case;

/*  Below, velocities of those that meet depend on each other by more than a theory may forget. */
#define ENSKOG_HOLDS 0.85

static void report(validation *v, const shear_case *c, const sheared_gas *is,
                   const sheared_gas *wanted, const char *source, double tolerance)
{
    double e = c->restitution, f = c->volume_fraction;
    validation_relative(v, source, wanted->temperature, is->temperature, tolerance,
                        "e = %g, phi = %g: temperature over (shear rate)^2 m d^2", e, f);
    validation_relative(v, source, wanted->shear, is->shear, tolerance,
                        "e = %g, phi = %g: viscosity over density, rate and d^2", e, f);
    validation_relative(v, source, wanted->pressure, is->pressure, tolerance,
                        "e = %g, phi = %g: pressure over density, rate^2 and d^2", e, f);
}

static void report_difference(validation *v, const shear_case *c, const sheared_gas *is,
                              const sheared_gas *wanted, const char *source, double tolerance)
{
    validation_absolute(v, source, wanted->difference / wanted->pressure,
                        is->difference / is->pressure, tolerance,
                        "e = %g, phi = %g: normal stresses Pxx - Pyy over the pressure",
                        c->restitution, c->volume_fraction);
}

static sheared_gas shear(validation *v, const shear_case *c)
{
    const uint64_t every = 10;
    double e = c->restitution, f = c->volume_fraction, tolerance = v->full ? 0.05 : 0.12;
    sheared_gas theory = sheared_by_enskog(e, f, v->full ? 10000 : 500, v->full ? 60 : 10);
    gas_def def = {.count = v->full ? 500 : 250,
                   .volume_fraction = f,
                   .restitution = e,
                   .contact_share = v->full ? 0.006 : 0.02,
                   .contact_steps = v->full ? 20 : 14,
                   .normal_speeds = true,
                   .energy_balance = true,
                   .seed = 1};
    sheared s = sheared_open(v, &def, theory.temperature);
    double strain = s.rate * s.g.dt;
    rig_step(&s.g.r, (uint64_t)(c->rest / strain));
    double lost = s.g.r.world ? scree_world_energy(s.g.r.world).damping : 0;
    sheared_gas is = measure(&s, (uint64_t)(c->strain / strain), every);
    lost = (s.g.r.world ? scree_world_energy(s.g.r.world).damping : 0) - lost;
    double work =
        is.shear * pow(s.rate, 2) * (double)s.count * strain * (double)(s.samples * every);
    double line = off_the_line(&s);
    rig_close(&s.g.r);
    sheared_gas hard = sheared_by_events(e, f, def.count, theory.temperature, c->rest,
                                         v->full ? 300 : 20, 1 + v->seed);
    report(v, c, &is, &hard, "[C] event-driven", tolerance);
    report_difference(v, c, &is, &hard, "[C] event-driven", tolerance);
    if (e > ENSKOG_HOLDS) {
        report(v, c, &is, &theory, "[C] Enskog by Monte Carlo", tolerance);
        report_difference(v, c, &is, &theory, "[C] Enskog by Monte Carlo", tolerance);
    }
    sheared_gas lun = sheared_by_lun(e, f);
    report(v, c, &is, &lun, "[F] Lun et al. 1984", 1 - e + tolerance);
    validation_relative(v, "[F] energy", work, lost, tolerance,
                        "e = %g, phi = %g: lost in contacts, beside stress times strain", e, f);
    validation_at_most(
        v, "[F] a line", v->full ? 0.02 : 0.1, line,
        "e = %g, phi = %g: mean speed of ten slabs off the line, over the boundary's", e, f);
    return is;
}

static void draw(validation_chart *chart)
{
    static const double restitution[] = {0.9, 0.8}, fraction[] = {0.03, 0.06, 0.1, 0.15, 0.2, 0.3};
    for (int k = 0; k < 2; k++) {
        double e = restitution[k];
        validation_curve *lun =
            validation_add_curve(chart, k ? "Lun et al., 0.8" : "Lun et al., 0.9", true);
        for (int i = 3; i <= 30; i++)
            validation_point(lun, 0.01 * i, sheared_by_lun(e, 0.01 * i).temperature);
        validation_curve *enskog =
            validation_add_curve(chart, k ? "Enskog, 0.8" : "Enskog, 0.9", true);
        for (size_t i = 0; i < sizeof fraction / sizeof *fraction; i++)
            validation_point(enskog, fraction[i],
                             sheared_by_enskog(e, fraction[i], 4000, 30).temperature);
    }
}

void validate_shear(validation *v)
{
    static const shear_case cases[] = {{0.9, 0.05, 8, 40}, {0.9, 0.2, 8, 30}, {0.8, 0.1, 8, 80}},
                            brief = {0.8, 0.1, 4, 12};
    validation_begin(v, "9c. Sheared gas (Lees and Edwards)",
                     "500 smooth spheres with constant restitution (linear contacts of 0.6 % of "
                     "the mean free time) in a cube whose boundary "
                     "is sheared. They know of the shear from the boundary alone: the flow between "
                     "comes to a line by itself, and its heat "
                     "to a balance with what collisions lose. 500 hard spheres in the same cube, "
                     "event-driven, are what they come to as contacts "
                     "become short; that program shares no code with scree, and its mean is over a "
                     "strain of 300. Enskog's equation is solved by the "
                     "Monte Carlo method of Montanero and Santos (Phys. Rev. E 54, 1996), which "
                     "shares none either. It takes velocities of those that meet to be "
                     "independent, which in a gas that is sheared and loses energy they are not "
                     "(Lutsko, Phys. Rev. Lett. 86, 2001; Mitarai and Nakanishi, Phys. Rev. E 75, "
                     "2007): hard spheres are 1 and 2 % hotter than it says at e = 0.9, and 5 % at "
                     "0.8 (250 of them 3.5 %, 1000 of them 6 %), so there it is no reference. "
                     "5 %: 3 as for a gas that cools, as collisions that take "
                     "time are rarer, and 2 by which a single run of 500 scatters. Lun, Savage, "
                     "Jeffrey and Chepurniy (J. Fluid Mech. 140, 1984) "
                     "have the same in closed form, to first order in the gradient: what they "
                     "leave out is of the order of 1 - e in such a balance, which "
                     "is added to the tolerance; both theories differ by as much. Losses are "
                     "booked to the order of a step, of which there are 20 in a "
                     "contact: some 2 %.");
    if (!v->full) {
        shear(v, &brief);
        return;
    }
    validation_chart *chart = validation_add_chart(
        v, "validation-shear.svg", "Temperature of a sheared gas",
        "over restitution and volume fraction", "volume fraction", "T / (rate^2 m d^2)");
    chart->logarithmic = true;
    draw(chart);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sheared_gas is = shear(v, &cases[k]);
        const char *name = cases[k].restitution > 0.85 ? "scree, 0.9" : "scree, 0.8";
        if (k != 1)
            validation_add_curve(chart, name, false);
        validation_point(&chart->curve[chart->curve_count - 1], cases[k].volume_fraction,
                         is.temperature);
    }
}
