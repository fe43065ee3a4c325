/*  Chung and Ooi's tests 6, 7 and 8: spheres that spin before they meet. */
#include "cases.h"
#include "impact.h"

#include <math.h>

#define FRICTION 0.4
#define RESTITUTION 0.5
#define SPEED 0.2

static impact spinning(double q)
{
    impact i = impact_default();
    elastic_solid alloy = {70e9, 0.33, 2700, 0.1};
    i.sphere = alloy;
    i.friction = FRICTION;
    i.restitution = RESTITUTION;
    i.normal = SPEED;
    i.surface = 3.5 * FRICTION * (1 + RESTITUTION) * SPEED / q;
    i.steps = 400;
    return i;
}

/*  beta = -(v_t' + R w') / s0, of the contact point. */
static double beta_of(validation *v, const impact *i)
{
    impact_end end = impact_run(v, i, NULL, NULL);
    return -(end.tangential - end.other_tangential + end.surface - end.other_surface) / i->surface;
}

static double reference_beta(const impact *i, shear_law law)
{
    double x = damping_for(RESTITUTION);
    oblique_impact reference = {.contact = impact_contact(i),
                                .friction = FRICTION,
                                .damping = x / sqrt(1 + x * x),
                                .shear_damping = true,
                                .spring_yields = true,
                                .short_arm = true,
                                .law = law,
                                .normal = SPEED,
                                .spin = i->surface};
    oblique_outcome end = oblique_reference(&reference, 20000);
    return -(end.tangential + end.spin) / i->surface;
}

static void on_wall(validation *v)
{
    static const double sliding[] = {0.176, 0.352, 0.551, 0.771};
    /* q, published (read off), computed for the secant law with q of its own */
    static const double published[][2] = {{0.176, -0.820}, {0.352, -0.633}, {0.551, -0.445},
                                          {0.771, -0.243}, {0.969, -0.028}, {1.189, 0.097},
                                          {1.454, 0.119},  {1.740, 0.100},  {2.093, 0.058},
                                          {2.489, 0.005},  {2.996, -0.050}};
    static const double computed[][2] = {{0.184, -0.804}, {0.370, -0.605}, {0.563, -0.400},
                                         {0.764, -0.184}, {0.979, -0.012}, {1.212, 0.099},
                                         {1.470, 0.117},  {1.762, 0.104},  {2.100, 0.070},
                                         {2.503, 0.017},  {2.999, -0.033}};
    for (size_t k = 0; k < sizeof sliding / sizeof *sliding; k++) {
        impact i = spinning(sliding[k]);
        validation_absolute(v, "[F] q - 1", sliding[k] - 1, beta_of(v, &i), 0.005,
                            "test 6, q = %g: beta", sliding[k]);
    }
    validation_chart *chart = validation_add_chart(
        v, "validation-spin.svg", "Spinning sphere on a rigid wall",
        "aluminium alloy, restitution 0.5, friction 0.4", "q = 3.5 mu (1+e) v_n / s0", "beta");
    validation_curve *ours = validation_add_curve(chart, "scree", false);
    validation_curve *figure = validation_add_curve(chart, "figure [D]", true);
    validation_curve *secant = validation_add_curve(chart, "secant, sticky [C]", true);
    validation_curve *formula = validation_add_curve(chart, "q - 1", true);
    double sum = 0, worst = 0;
    for (size_t k = 0; k < sizeof published / sizeof *published; k++) {
        impact i = spinning(published[k][0]);
        double beta = beta_of(v, &i);
        sum += fabs(beta - published[k][1]);
        validation_point(ours, published[k][0], beta);
        validation_point(figure, published[k][0], published[k][1]);
        validation_point(secant, computed[k][0], computed[k][1]);
        if (published[k][0] < 1.1)
            validation_point(formula, published[k][0], published[k][0] - 1);
        i.steps = 1000;
        worst = fmax(worst, fabs(beta_of(v, &i) - reference_beta(&i, SHEAR_RESCALED)));
    }
    validation_at_most(v, "[C] 20000 steps", 0.003, worst,
                       "test 6, 11 values of q, 1000 steps: worst error of beta");
    /* the figure is of a force that may attract: see the text */
    validation_at_most(v, "[D]", 0.05, sum / 11,
                       "test 6, 11 values of q: mean distance of beta from the figure");
}

static void head_on(validation *v)
{
    static const double spins[] = {0.17498, 0.35265, 0.53590, 0.72794,  0.93262, 1.15470,
                                   1.40042, 1.67820, 2,       2.38351,  2.85630, 3.46410,
                                   4.28901, 5.49495, 7.46410, 11.34256, 22.86010};
    double changed = 0, tangential = 0;
    for (size_t k = 0; k < sizeof spins / sizeof *spins; k++) {
        impact i = spinning(1);
        i.other = i.sphere;
        i.other_normal = -SPEED;
        i.surface = spins[k] * 0.1;
        i.other_surface = i.surface; /* the surfaces move together: spins of opposite sense */
        impact_end end = impact_run(v, &i, NULL, NULL);
        /* signs of axes: n = x, t = y, so spins are about z */
        double given = i.surface / 0.1;
        changed = fmax(changed, fabs(fabs(end.body.spin[2]) - given) +
                                    fabs(fabs(end.other.spin[2]) - given));
        for (int a = 0; a < 2; a++) {
            changed += fabs(end.body.spin[a]) + fabs(end.other.spin[a]);
            tangential += fabs(end.body.velocity[a + 1]) + fabs(end.other.velocity[a + 1]);
        }
    }
    validation_exact(v, "[F] no slip", 0, tangential,
                     "test 7, 17 spins: tangential velocities after, m/s");
    validation_exact(v, "[F] no slip", 0, changed,
                     "test 7, 17 spins: largest change of a spin, rad/s");
}

static void on_heavy_sphere(validation *v)
{
    static const double published[][2] = {{0.187, -0.815}, {0.358, -0.626}, {0.551, -0.439},
                                          {0.765, -0.238}, {0.979, -0.017}, {1.214, 0.096},
                                          {1.492, 0.111},  {1.770, 0.090},  {2.091, 0.058}};
    double sum = 0;
    for (size_t k = 0; k < sizeof published / sizeof *published; k++) {
        impact wall = spinning(published[k][0]), sphere = wall;
        elastic_solid heavy = {70e12, 0.33, 2700e3, 0.5};
        sphere.other = heavy;
        double beta = beta_of(v, &sphere);
        validation_absolute(v, "[F] as on a wall", beta_of(v, &wall), beta, 0.005,
                            "test 8, q = %g: beta on a heavy sphere", published[k][0]);
        sum += fabs(beta - published[k][1]);
    }
    validation_at_most(v, "[D]", 0.05, sum / 9,
                       "test 8, 9 values of q: mean distance of beta from the figure");
}

void validate_spin(validation *v)
{
    validation_begin(v, "5. Spinning spheres (Chung and Ooi, tests 6, 7 and 8)",
                     "Aluminium alloy (R = 0.1 m, E = 70 GPa, nu = 0.33, density 2700), 0.2 m/s "
                     "towards the partner, restitution 0.5, friction 0.4, 400 steps. Test 6: on "
                     "a rigid wall; q = 3.5 mu (1+e) v_n / s0 with s0 = R w0, beta = -(v_t' + R "
                     "w') / s0; sliding throughout below q = 0.9, where beta = q - 1. Published "
                     "curves come from codes whose damped normal force attracts at the end of a "
                     "contact, and whose friction then acts longer; scree's never attracts, so "
                     "it is nearer to the formula than to them. Test 7: two equal spheres, "
                     "head-on, whose surfaces move together: nothing may change. Test 8: on a "
                     "free sphere of R = 0.5 m, 1000 times as dense and stiff: as on a wall.");
    on_wall(v);
    head_on(v);
    on_heavy_sphere(v);
}
