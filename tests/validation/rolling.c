/*  A sphere between two plates that resist its rolling and its twisting. */
#include "cases.h"
#include "reference.h"
#include "rig.h"

#include <math.h>

#define RADIUS 0.5
#define COEFFICIENT 0.1
#define OVERLAP 1e-3

typedef struct plates
{
    rig r;
    scree_body_id body;
    double force, inertia; /* of one plate on the sphere, as it begins; of the sphere */
} plates;

/*  It spins about y (rolls) or z (twists) at 1 rad/s. */
static plates plates_open(validation *v, int axis, double model)
{
    plates p;
    scree_world_def def = rig_def(5e-5);
    p.r = rig_open(v, &def);
    scree_material_def material = rig_elastic(2500, 1e9, 0.3),
                       plate = rig_elastic(2500, INFINITY, 0.3);
    material.rolling_friction = plate.rolling_friction = COEFFICIENT;
    material.twisting_friction = plate.twisting_friction = COEFFICIENT;
    scree_material_id grain = rig_material(&p.r, &material), wall = rig_material(&p.r, &plate);
    rig_law(&p.r, "hertz-rolling", "rolling", model);
    rig_plane(&p.r, wall, 0, 0, 0, 0, 0, 1);
    rig_plane(&p.r, wall, 0, 0, 2 * (RADIUS - OVERLAP), 0, 0, -1);
    scree_body_def sphere = rig_sphere(grain, RADIUS, 0, 0, RADIUS - OVERLAP);
    sphere.spin[axis] = 1;
    p.body = rig_add(&p.r, &sphere);
    elastic_solid ball = {1e9, 0.3, 2500, RADIUS}, rigid = {INFINITY, 0.3, 2500, INFINITY};
    hertz_contact c = hertz_of(&ball, &rigid);
    p.force = hertz_force(&c, OVERLAP);
    p.inertia = 0.4 * c.mass * RADIUS * RADIUS;
    return p;
}

/*  The largest moment of a contact over 0.1 R F_n. */
static double moment_over_bound(rig *r)
{
    const scree_contact *contacts;
    size_t count = 0;
    double largest = 0;
    if (r->status || scree_world_contacts(r->world, NULL, &contacts, &count))
        return INFINITY;
    for (size_t k = 0; k < count; k++) {
        const scree_contact *c = &contacts[k];
        double moment = 0, pressed = 0;
        for (int a = 0; a < 3; a++) {
            moment += c->moment[a] * c->moment[a];
            pressed -= c->force[a] * c->normal[a];
        }
        largest = fmax(largest, sqrt(moment) / (COEFFICIENT * RADIUS * pressed));
    }
    return largest;
}

static void resist(validation *v, const char *name, int axis, double model, validation_curve *curve)
{
    plates p = plates_open(v, axis, model);
    double bound = 0, early = 0, late = 0, least = 1;
    for (int step = 1; step <= 20000 && rig_step(&p.r, 1); step++) {
        double spin = rig_body(&p.r, p.body).spin[axis];
        bound = fmax(bound, moment_over_bound(&p.r));
        least = fmin(least, spin);
        if (step == 300)
            early = spin;
        if (step == 500)
            late = spin;
        if (step % 40 == 0 && rig_time(&p.r) <= 0.4)
            validation_point(curve, rig_time(&p.r), spin);
    }
    double left = fabs(rig_body(&p.r, p.body).spin[axis]);
    double rate = 2 * COEFFICIENT * RADIUS * p.force / p.inertia;
    validation_at_most(v, "[F]", 1 + 1e-12, bound, "%s: largest moment of a contact over 0.1 R F_n",
                       name);
    validation_relative(v, "[F] 2 * 0.1 R F_n / I", rate, (early - late) / (200 * 5e-5), 1e-3,
                        "%s: angular deceleration at the bound, 1/s^2", name);
    if (model == 2)
        validation_at_most(v, "[F] it swings back", -1e-3, least, "%s: least spin, rad/s", name);
    validation_at_most(v, "[F]", model == 2 ? 1e-6 : rate * 5e-5, left,
                       "%s: spin left after 1 s, rad/s", name);
    rig_close(&p.r);
}

void validate_rolling(validation *v)
{
    validation_begin(v, "6c. Resistance to rolling and twisting",
                     "A sphere (R = 0.5 m, E = 1 GPa) between two rigid plates, coefficient 0.1, "
                     "no sliding friction, 1 rad/s, after MercuryDPM's "
                     "`RollingFrictionSelfTest`. Its resistance never exceeds 0.1 R F_n; the "
                     "spring model then swings and comes to rest, the constant one stops within "
                     "what one step does.");
    validation_chart *chart =
        validation_add_chart(v, "validation-rolling.svg", "Spin of a sphere between plates",
                             "coefficient 0.1", "time, s", "spin, rad/s");
    resist(v, "rolling, spring", 1, 2, validation_add_curve(chart, "rolling, spring", false));
    resist(v, "rolling, constant", 1, 1, validation_add_curve(chart, "rolling, constant", false));
    resist(v, "twisting", 2, 2, validation_add_curve(chart, "twisting", false));
}
