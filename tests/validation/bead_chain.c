/*  Chains of beads: dispersion, the speed of sound under pressure, the solitary wave without, Newton's
    cradle. */
#include "cases.h"
#include "reference.h"
#include "rig.h"

#include <math.h>
#include <stdlib.h>

static const elastic_solid steel = {206e9, 0.3, 7780, 5e-3};

typedef struct chain
{
    rig r;
    size_t count; /* beads that move */
    scree_body_id *id;
    double spacing, dt;
} chain;

/*  Beads along x from `spacing` on. With ends two more, that are held, at 0 and past the last. */
static chain chain_open(validation *v, size_t count, double spacing, double dt, bool ends,
                        double stiffness)
{
    chain c = {.count = count, .spacing = spacing, .dt = dt};
    c.id = malloc(count * sizeof *c.id);
    scree_world_def def = rig_def(dt);
    c.r = rig_open(v, &def);
    scree_material_def material = rig_elastic(steel.density, steel.young, steel.poisson);
    material.stiffness = stiffness > 0 ? 2 * stiffness : 1; /* two in series */
    scree_material_id id = rig_material(&c.r, &material);
    rig_law(&c.r, stiffness > 0 ? "linear" : "hertz", NULL, 0);
    for (size_t k = 0; c.id && k < count; k++) {
        scree_body_def bead = rig_sphere(id, steel.radius, (double)(k + 1) * spacing, 0, 0);
        c.id[k] = rig_add(&c.r, &bead);
    }
    for (size_t k = 0; ends && k < 2; k++) {
        scree_body_def bead =
            rig_sphere(id, steel.radius, k == 0 ? 0 : (double)(count + 1) * spacing, 0, 0);
        bead.flags = SCREE_FREEZE;
        rig_add(&c.r, &bead);
    }
    return c;
}

static void chain_close(chain *c)
{
    rig_close(&c->r);
    free(c->id);
}

/*  Beads swing as sin(j pi k / (n + 1)), which keeps its form; the angular frequency, from the times when it
    passes through rest. */
static double mode_frequency(chain *c, int mode, double amplitude, int crossings)
{
    double before = 1, first = 0, last = 0;
    int seen = 0;
    for (size_t k = 0; k < c->count; k++) {
        scree_body body = rig_body(&c->r, c->id[k]);
        body.position[0] +=
            amplitude * sin(VALIDATION_PI * mode * (double)(k + 1) / (double)(c->count + 1));
        rig_set(&c->r, c->id[k], &body);
    }
    for (long step = 0; seen < crossings && step < 1000000 && rig_step(&c->r, 1); step++) {
        double now = 0;
        for (size_t k = 0; k < c->count; k++) {
            double rest = (double)(k + 1) * c->spacing;
            now += (rig_body(&c->r, c->id[k]).position[0] - rest) *
                   sin(VALIDATION_PI * mode * (double)(k + 1) / (double)(c->count + 1));
        }
        if ((now < 0) != (before < 0)) {
            last = rig_time(&c->r) - c->dt * now / (now - before);
            first = seen++ == 0 ? last : first;
        }
        before = now;
    }
    return VALIDATION_PI * (crossings - 1) / (last - first);
}

static void dispersion(validation *v)
{
    static const int modes[] = {1, 4, 8, 16, 24, 32};
    const double stiffness = 1e6, mass = sphere_mass(&steel), rate = sqrt(stiffness / mass);
    const size_t count = 32;
    validation_chart *chart =
        validation_add_chart(v, "validation-dispersion.svg", "Dispersion of a linear chain",
                             "32 beads between held ends", "q d / pi", "omega / sqrt(k/m)");
    validation_curve *ours = validation_add_curve(chart, "scree", false);
    validation_curve *formula = validation_add_curve(chart, "2 sin(q d / 2)", true);
    for (size_t k = 0; k <= 50; k++)
        validation_point(formula, 0.02 * (double)k, 2 * sin(VALIDATION_PI * 0.01 * (double)k));
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        double qd = VALIDATION_PI * modes[k] / (double)(count + 1);
        chain c = chain_open(v, count, 2 * steel.radius - 1e-5, 0.02 / rate, true, stiffness);
        double w = mode_frequency(&c, modes[k], 1e-7, 5);
        chain_close(&c);
        validation_relative(v, "[F] 2 sqrt(k/m) sin(q d / 2)", 2 * rate * sin(qd / 2), w, 1e-3,
                            "linear chain of 32, mode %d: angular frequency, 1/s", modes[k]);
        validation_point(ours, qd / VALIDATION_PI, w / rate);
    }
}

static void sound(validation *v)
{
    hertz_contact c = hertz_of(&steel, &steel);
    double mass = sphere_mass(&steel), overlap = pow(100 / c.stiffness, 2.0 / 3);
    double k = 1.5 * c.stiffness * sqrt(overlap);
    size_t count = v->full ? 400 : 100;
    validation_relative(v, "[F] (F0 / K)^(2/3)", 5.6001e-6, overlap, 1e-4,
                        "Hertz chain: overlap at 100 N, m");
    validation_relative(v, "[F] 2R sqrt(k/m)", 810.883, 2 * steel.radius * sqrt(k / mass), 1e-5,
                        "Hertz chain: the formula here against the specification's number, m/s");
    chain beads = chain_open(v, count, 2 * steel.radius - overlap, 2e-7, true, 0);
    double w = mode_frequency(&beads, 1, 1e-9 * (double)count, v->full ? 3 : 2);
    chain_close(&beads);
    double rate = w / (2 * sin(VALIDATION_PI / (2 * (double)(count + 1))));
    validation_relative(v, "[F] 2R sqrt(k/m)", 810.883, 2 * steel.radius * rate, 1e-3,
                        "Hertz chain of %zu at 100 N: speed of sound, m/s", count);
    validation_relative(v, "[C] travelling wave", 810.905, 2 * steel.radius * rate, 1e-3,
                        "Hertz chain of %zu at 100 N: speed of sound, m/s", count);
    beads = chain_open(v, 32, 2 * steel.radius - overlap, 1e-7, true, 0);
    w = mode_frequency(&beads, 32, 1e-9, 9);
    chain_close(&beads);
    validation_relative(v, "[F] sqrt(k/m) / pi", 25.81e3,
                        w / cos(VALIDATION_PI / 66) / (2 * VALIDATION_PI), 1e-3,
                        "Hertz chain at 100 N: cut-off frequency, Hz");
}

static double elastic_energy(chain *c, const hertz_contact *contact)
{
    double sum = 0;
    for (size_t k = 0; k + 1 < c->count; k++) {
        double apart =
            rig_body(&c->r, c->id[k + 1]).position[0] - rig_body(&c->r, c->id[k]).position[0];
        sum += 0.4 * contact->stiffness * pow(fmax(0, 2 * steel.radius - apart), 2.5);
    }
    return sum;
}

typedef struct peak
{
    double last[3], value, time;
} peak;

static void watch(peak *p, double now, double time, double dt)
{
    p->last[0] = p->last[1];
    p->last[1] = p->last[2];
    p->last[2] = now;
    if (p->last[1] > p->last[0] && p->last[1] >= p->last[2] && p->last[1] > p->value) {
        p->value = parabola_peak(p->last[0], p->last[1], p->last[2]);
        p->time = time - dt + dt * parabola_place(p->last[0], p->last[1], p->last[2]);
    }
}

static void solitary(validation *v)
{
    const size_t from = 39, to = 69;
    hertz_contact contact = hertz_of(&steel, &steel);
    double dt = v->full ? 4e-9 : 4e-8, a = 2 * steel.radius;
    chain c = chain_open(v, 90, a, dt, false, 0);
    scree_body first = rig_body(&c.r, c.id[0]);
    first.velocity[0] = 1;
    rig_set(&c.r, c.id[0], &first);
    double energy = rig_motion(&c.r);
    peak speed[2] = {{{0}, 0, 0}, {{0}, 0, 0}}, force = {{0}, 0, 0};
    validation_chart *chart = validation_add_chart(
        v, "validation-solitary.svg", "Solitary wave in a chain of steel beads",
        "no pressure; the first bead starts at 1 m/s", "time, us", "speed of a bead, m/s");
    validation_curve *curves[2] = {validation_add_curve(chart, "bead 40", false),
                                   validation_add_curve(chart, "bead 70", false)};
    long every = lround(1.2e-6 / dt), steps = lround(1.15e-3 / dt);
    for (long step = 1; step <= steps && rig_step(&c.r, 1); step++) {
        double t = rig_time(&c.r);
        scree_body one = rig_body(&c.r, c.id[from]), next = rig_body(&c.r, c.id[from + 1]);
        scree_body other = rig_body(&c.r, c.id[to]);
        watch(&speed[0], one.velocity[0], t, dt);
        watch(&speed[1], other.velocity[0], t, dt);
        watch(&force, hertz_force(&contact, fmax(0, a - (next.position[0] - one.position[0]))), t,
              dt);
        if (step % every == 0 && t > 4e-4) {
            validation_point(curves[0], t * 1e6, one.velocity[0]);
            validation_point(curves[1], t * 1e6, other.velocity[0]);
        }
    }
    double wave = (double)(to - from) * a / (speed[1].time - speed[0].time);
    double formula =
        0.6802 *
        pow(2 * steel.young / (a * pow(steel.density, 1.5) * (1 - steel.poisson * steel.poisson)),
            1.0 / 3) *
        pow(210.35, 1.0 / 6);
    validation_relative(v, "[C]", 678.63, wave, 0.002,
                        "solitary wave: speed from bead 40 to bead 70, m/s");
    validation_relative(v, "[C]", 210.35, force.value, 0.002, "solitary wave: largest force, N");
    solitary_wave reference = solitary_reference(&steel, 1, 90, (int)from, (int)to, 4e-8, 1.15e-3);
    validation_relative(v, "[C] leapfrog", reference.speed, wave, 0.002,
                        "solitary wave: the same speed, m/s");
    validation_relative(v, "[C] leapfrog", reference.force, force.value, 0.002,
                        "solitary wave: the same force, N");
    validation_relative(v, "[C] leapfrog", reference.bead_speed, speed[0].value, 0.002,
                        "solitary wave: largest speed of a bead, m/s");
    validation_relative(v, "[F] Nesterenko, long waves", formula, wave, 0.02,
                        "solitary wave: speed, m/s");
    validation_at_most(v, "[F]", v->full ? 1e-8 : 1e-6,
                       fabs((rig_motion(&c.r) + elastic_energy(&c, &contact)) / energy - 1),
                       "solitary wave: relative change of the energy, dt = %g ns", dt * 1e9);
    chain_close(&c);
}

static void cradle(validation *v)
{
    hertz_contact contact = hertz_of(&steel, &steel);
    double dt = v->full ? 4e-9 : 2e-8;
    chain c = chain_open(v, 5, 2 * steel.radius, dt, false, 0);
    scree_body first = rig_body(&c.r, c.id[0]);
    first.velocity[0] = 1;
    rig_set(&c.r, c.id[0], &first);
    double energy = rig_motion(&c.r), momentum = 0;
    rig_step(&c.r, (uint64_t)lround(3e-4 / dt));
    for (size_t k = 0; k < c.count; k++)
        momentum += rig_body(&c.r, c.id[k]).velocity[0];
    /* forces on two beads are exactly opposite; what is left is rounding of five sums */
    validation_absolute(v, "[F]", 1, momentum, 1e-13,
                        "Newton's cradle, 5 beads: momentum after, of that before");
    validation_at_most(v, "[F]", 1e-8,
                       fabs((rig_motion(&c.r) + elastic_energy(&c, &contact)) / energy - 1),
                       "Newton's cradle: relative change of the energy, dt = %g ns", dt * 1e9);
    chain_close(&c);
}

void validate_bead_chain(validation *v)
{
    validation_begin(v, "8. Chains of beads",
                     "Steel-like beads, R = 5 mm, E = 206 GPa, nu = 0.3, density 7780. With "
                     "linear contacts: the frequencies of standing waves between held ends. With "
                     "Hertz contacts: the speed of sound at a pressure of 100 N, from the "
                     "longest standing wave, and the cut-off, from the shortest; without "
                     "pressure the solitary wave that a first bead of 1 m/s makes. (The largest "
                     "speed of a bead in it is compared with the integrator alone: the number "
                     "that came with the force of 210.35 N, 0.6665 m/s, does not go with it.)");
    dispersion(v);
    sound(v);
    solitary(v);
    cradle(v);
}
