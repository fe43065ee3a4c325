#include "gas_rig.h"

#include "reference.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>

/*  Distance of two places in a cube whose sides are joined. */
static double distance_sq(const double *a, const double *b, double side)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double d = fabs(a[k] - b[k]);
        d = fmin(d, side - d);
        sum += d * d;
    }
    return sum;
}

/*  One after the other at random, where there is room. */
static void place(double (*at)[3], size_t count, double side, scree_random *random)
{
    for (size_t k = 0; k < count; k++) {
        bool fits = false;
        while (!fits) {
            for (int a = 0; a < 3; a++)
                at[k][a] = scree_random_range(random, 0, side);
            fits = true;
            for (size_t other = 0; other < k && fits; other++)
                fits = distance_sq(at[k], at[other], side) > 1.0001;
        }
    }
}

/*  Momentum 0 and temperature 1. */
static void speed_up(double (*speed)[3], size_t count, bool is_normal, scree_random *random)
{
    double mean[3] = {0, 0, 0}, square = 0;
    for (size_t k = 0; k < count; k++)
        for (int a = 0; a < 3; a++) {
            speed[k][a] =
                is_normal ? scree_random_normal(random) : scree_random_range(random, -1, 1);
            mean[a] += speed[k][a] / (double)count;
        }
    for (size_t k = 0; k < count; k++)
        for (int a = 0; a < 3; a++) {
            speed[k][a] -= mean[a];
            square += speed[k][a] * speed[k][a];
        }
    for (size_t k = 0; k < count; k++)
        for (int a = 0; a < 3; a++)
            speed[k][a] /= sqrt(square / (3 * (double)count));
}

static void add_bodies(gas *g, const gas_def *def, double side, scree_material_id material)
{
    double(*at)[3] = malloc(def->count * sizeof *at),
    (*speed)[3] = malloc(def->count * sizeof *speed);
    scree_random random = scree_random_stream(def->seed, 9);
    if (at && speed) {
        place(at, def->count, side, &random);
        speed_up(speed, def->count, def->normal_speeds, &random);
    }
    for (size_t k = 0; at && speed && k < def->count; k++) {
        scree_body_def body = rig_sphere(material, 0.5, at[k][0], at[k][1], at[k][2]);
        body.mass = 1;
        for (int a = 0; a < 3; a++)
            body.velocity[a] = speed[k][a];
        rig_add(&g->r, &body);
    }
    free(at);
    free(speed);
}

gas gas_open(validation *v, const gas_def *def)
{
    gas g;
    double side = cbrt((double)def->count * VALIDATION_PI / 6 / def->volume_fraction);
    double density = (double)def->count / (side * side * side);
    g.rate = collision_rate(1, 1, density, 1, def->volume_fraction);
    double contact = def->contact_share / g.rate;
    g.stiffness = 0.5 * pow(VALIDATION_PI / contact, 2);
    g.dt = contact / def->contact_steps;
    scree_world_def world = rig_def(g.dt);
    for (int a = 0; a < 3; a++) {
        world.domain.boundary[a] = SCREE_BOUNDARY_PERIODIC;
        world.domain.lower[a] = 0;
        world.domain.upper[a] = side;
    }
    world.energy_balance = def->energy_balance;
    world.events = def->events;
    g.r = rig_open(v, &world);
    scree_material_def material = rig_elastic(1, 1e7, 0.3);
    material.restitution = def->restitution;
    material.stiffness = 2 * g.stiffness; /* two in series */
    scree_material_id id = rig_material(&g.r, &material);
    if (def->own_law) {
        scree_rule_def rule = scree_default_rule_def();
        rule.own_law = def->own_law;
        if (!g.r.status)
            g.r.status = scree_world_add_rule(g.r.world, &rule);
    } else {
        rig_law(&g.r, "linear", NULL, 0);
    }
    add_bodies(&g, def, side, id);
    return g;
}

double gas_temperature(gas *g)
{
    return g->r.world ? 2.0 / 3 * scree_world_energy(g->r.world).kinetic /
                            (double)scree_world_body_count(g->r.world)
                      : 0;
}

bool gas_advance(gas *g, double time)
{
    return rig_step(&g->r, (uint64_t)ceil(time / g->dt));
}
