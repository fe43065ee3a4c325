/*  Chung and Ooi (Granular Matter 13, 2011), tests 1 and 2: elastic normal impact after Hertz. */
#include "cases.h"
#include "impact.h"

#include <math.h>

static impact two_glass_spheres(void)
{
    impact i = impact_default();
    elastic_solid glass = {48e9, 0.20, 2800, 0.010};
    i.sphere = i.other = glass;
    i.friction = 0.35;
    i.normal = 10;
    i.other_normal = -10;
    return i;
}

static impact alloy_on_wall(void)
{
    impact i = impact_default();
    elastic_solid alloy = {70e9, 0.30, 2699, 0.100};
    i.sphere = alloy;
    i.normal = 0.2;
    return i;
}

typedef struct published_impact
{
    const char *name;
    double overlap, force, duration; /* as printed in the specification, six digits */
    double peak;                     /* read off the figure, */
    double accepted;                 /* and how near another code wants to be */
} published_impact;

static const published_impact published[] = {
    {"test 1, two glass spheres", 274.113e-6, 10.69689e3, 40.3395e-6, 10.704e3, 0.0031},
    {"test 2, alloy on a rigid wall", 49.7172e-6, 11.36986e3, 731.657e-6, 11.357e3, 0.0033},
};

static void compare(validation *v, const published_impact *p, impact i)
{
    impact_end end = impact_run(v, &i, NULL, NULL);
    validation_relative(v, "[F] (5 m v^2 / 4K)^0.4", p->overlap, end.overlap, 1e-3,
                        "%s: largest overlap, m", p->name);
    validation_relative(v, "[F] K overlap^1.5", p->force, end.force, 1e-3, "%s: largest force, N",
                        p->name);
    validation_relative(v, "[F] 2.943275 overlap / v", p->duration, end.duration, 1e-3,
                        "%s: duration, s", p->name);
    validation_relative(v, "[D]", p->peak, end.force, p->accepted, "%s: largest force, N", p->name);
    i.steps = 1000;
    end = impact_run(v, &i, NULL, NULL);
    validation_relative(v, "[F] energy", i.normal, -end.normal, 1e-6,
                        "%s: rebound speed, m/s, 1000 steps", p->name);
}

static void draw(validation *v)
{
    static const char *const files[] = {"validation-hertz-1.svg", "validation-hertz-2.svg"};
    for (int k = 0; k < 2; k++) {
        impact i = k == 0 ? two_glass_spheres() : alloy_on_wall();
        hertz_contact c = impact_contact(&i);
        double speed = i.normal - i.other_normal, duration = hertz_duration(&c, speed);
        validation_chart *chart =
            validation_add_chart(v, files[k], "Elastic normal impact, force over time",
                                 published[k].name, "time, us", "force, kN");
        validation_curve *ours = validation_add_curve(chart, "scree, 50 steps", false);
        validation_curve *theirs = validation_add_curve(chart, "leapfrog, 20000 steps", true);
        i.steps = 50;
        impact_run(v, &i, ours, NULL);
        for (size_t n = 0; n < ours->count; n++) {
            ours->x[n] *= 1e6;
            ours->y[n] *= 1e-3;
        }
        double overlap = 0, rate = speed, dt = duration / 20000;
        for (int n = 0; overlap >= 0; n++) {
            overlap += rate * dt;
            rate -= hertz_force(&c, fmax(overlap, 0)) / c.mass * dt;
            if (n % 100 == 0)
                validation_point(theirs, n * dt * 1e6, hertz_force(&c, fmax(overlap, 0)) * 1e-3);
        }
    }
}

/*  Halving the step divides the error by four. */
static void converge(validation *v, scree_integrator integrator, const char *name)
{
    impact i = two_glass_spheres();
    hertz_contact c = impact_contact(&i);
    double speed = i.normal - i.other_normal, last_overlap = 0, last_duration = 0;
    i.integrator = integrator;
    for (int steps = 50; steps <= 400; steps *= 2) {
        i.steps = steps;
        impact_end end = impact_run(v, &i, NULL, NULL);
        double overlap = end.overlap / hertz_overlap(&c, speed) - 1;
        double duration = end.duration / hertz_duration(&c, speed) - 1;
        if (steps > 50) {
            validation_relative(v, "[F] second order", 4, last_overlap / overlap, 0.2,
                                "%s: error of the overlap, %d steps over %d", name, steps / 2,
                                steps);
            validation_relative(v, "[F] second order", 4, last_duration / duration, 0.2,
                                "%s: error of the duration, %d steps over %d", name, steps / 2,
                                steps);
        }
        last_overlap = overlap;
        last_duration = duration;
    }
}

/*  Where, which way and in which order does not matter. */
static void move_about(validation *v)
{
    impact i = two_glass_spheres();
    impact_end plain = impact_run(v, &i, NULL, NULL);
    hertz_contact c = impact_contact(&i);

    validation_exact(v, "[F] symmetry", -plain.normal, plain.other_normal, "test 1: speeds after");
    double momentum = 0;
    for (int a = 0; a < 3; a++)
        momentum += fabs(plain.body.velocity[a] + plain.other.velocity[a]);
    validation_absolute(v, "[F] momentum", 0, momentum, 1e-14, "test 1: sum of velocities, m/s");

    impact moved = i;
    moved.other_first = true;
    impact_end swapped = impact_run(v, &moved, NULL, NULL);
    validation_exact(v, "[F] symmetry", plain.body.velocity[0], swapped.body.velocity[0],
                     "test 1, ids swapped: speed after");
    validation_exact(v, "[F] symmetry", plain.body.position[0], swapped.body.position[0],
                     "test 1, ids swapped: place after");

    moved = i;
    moved.n[0] = -1;
    impact_end mirrored = impact_run(v, &moved, NULL, NULL);
    validation_exact(v, "[F] symmetry", plain.normal, mirrored.normal,
                     "test 1, mirrored: speed after");

    /* rounding of positions: the diameter's units in the last place over the overlap, per step */
    moved = i;
    moved.n[0] = 2.0 / 7;
    moved.n[1] = 3.0 / 7;
    moved.n[2] = 6.0 / 7;
    moved.t[0] = 6.0 / 7;
    moved.t[1] = 2.0 / 7;
    moved.t[2] = -3.0 / 7;
    impact_end rotated = impact_run(v, &moved, NULL, NULL);
    validation_relative(v, "[F] symmetry", plain.normal, rotated.normal, 1e-11,
                        "test 1, rotated: speed after");
    validation_relative(v, "[F] symmetry", plain.overlap, rotated.overlap, 1e-11,
                        "test 1, rotated: overlap");

    moved = i;
    moved.origin[0] = moved.origin[1] = moved.origin[2] = 1e3;
    impact_end shifted = impact_run(v, &moved, NULL, NULL);
    /* at 1e3 m a place is known to 1.1e-13 m, 4e-10 of the overlap; some tens of such roundings add up */
    validation_relative(v, "[F] symmetry", plain.overlap, shifted.overlap, 4e-9,
                        "test 1, shifted by 1 km: overlap");
    validation_relative(v, "[F] symmetry", plain.normal, shifted.normal, 4e-9,
                        "test 1, shifted by 1 km: speed after");
    validation_relative(v, "[F]", hertz_force(&c, plain.overlap), plain.force, 1e-6,
                        "test 1: largest force at the largest overlap");
}

void validate_hertz_impact(validation *v)
{
    validation_begin(v, "1. Elastic normal impact after Hertz (Chung and Ooi 2011, tests 1 and 2)",
                     "Two glass spheres (R = 10 mm, E = 48 GPa, nu = 0.2, density 2800) head-on "
                     "at 10 m/s each; a sphere of aluminium alloy (R = 0.1 m, E = 70 GPa, nu = "
                     "0.3, density 2699) on a rigid wall at 0.2 m/s. 200 steps for the contact "
                     "unless said; velocity Verlet. The figure's numbers [D] and the tolerance "
                     "against them are those of Kratos' tests.");
    compare(v, &published[0], two_glass_spheres());
    compare(v, &published[1], alloy_on_wall());
    converge(v, SCREE_VELOCITY_VERLET, "Verlet");
    converge(v, SCREE_SYMPLECTIC_EULER, "symplectic Euler");
    move_about(v);
    draw(v);
}
