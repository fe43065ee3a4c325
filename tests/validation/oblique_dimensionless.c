/*  Chung and Ooi's test 5: oblique impact of a sphere of ten micrometres, dimensionless. */
#include "cases.h"
#include "impact.h"

#include <math.h>

#define FRICTION 0.3
#define SPEED 5.0

/*  psi1 = v_t / (mu v_n); psi2 = (v_t' + R w') / (mu v_n'): secant, incremental, rescaled on unloading */
static const double rows[][4] = {
    {0.332, 0.3166, 0.2644, 0.1694},
    {0.671, 0.6291, 0.4382, 0.3226},
    {1.009, 0.6605, 0.5039, 0.4163},
    {1.335, 0.3649, 0.4413, 0.3857},
    {1.662, 0.0390, 0.1619, 0.1294},
    {2.000, -0.2763, -0.1756, -0.1908},
    {2.350, -0.5669, -0.5122, -0.5081},
    {2.991, -0.9962, -1.0366, -0.9831},
    {3.341, -1.1739, -1.2625, -1.1726},
    {4.006, -1.3993, -1.5618, -1.3993},
    {4.997, -1.4361, -1.6364, -1.4361},
    {6, -0.9814, -1.0000, -0.9814},
    {7, 0, 0, 0},
    {9.988, 2.988, 2.988, 2.988},
    {12.961, 5.961, 5.961, 5.961},
};
#define ROW_COUNT (sizeof rows / sizeof *rows)

static const struct
{
    const char *name;
    size_t column;
    double value; /* of the law's parameter "tangential" */
    shear_law law;
} laws[] = {{"secant", 1, 2, SHEAR_SECANT},
            {"incremental", 2, 1, SHEAR_INCREMENTAL},
            {"rescaled (default)", 3, 0, SHEAR_RESCALED}};

static impact at(double psi)
{
    impact i = impact_default();
    elastic_solid steel = {208e9, 0.3, 7850, 10e-6};
    i.sphere = steel;
    i.friction = FRICTION;
    i.normal = SPEED;
    i.tangential = psi * FRICTION * SPEED;
    i.steps = 1000;
    i.parameter = "tangential";
    return i;
}

/*  The same by the integrator, whose arm is shorter by the overlap too. */
static double reference_psi(const impact *i, shear_law law)
{
    oblique_impact reference = {.contact = impact_contact(i),
                                .friction = FRICTION,
                                .spring_yields = true,
                                .short_arm = true,
                                .law = law,
                                .normal = i->normal,
                                .tangential = i->tangential};
    oblique_outcome end = oblique_reference(&reference, 20000);
    return (end.tangential + end.spin) / (FRICTION * end.normal);
}

static void one_law(validation *v, size_t law, validation_curve *ours)
{
    double worst = 0, largest = 0, worst_same = 0;
    const char *name = laws[law].name;
    for (size_t k = 0; k < ROW_COUNT; k++) {
        double expected = rows[k][laws[law].column];
        impact i = at(rows[k][0]);
        i.value = laws[law].value;
        impact_end end = impact_run(v, &i, NULL, NULL);
        double psi = (end.tangential + end.surface) / (FRICTION * -end.normal);
        validation_point(ours, rows[k][0], psi);
        if (rows[k][0] < 7) {
            worst = fmax(worst, fabs(psi - expected));
            largest = fmax(largest, fabs(expected));
            worst_same = fmax(worst_same, fabs(psi - reference_psi(&i, laws[law].law)));
            continue;
        }
        validation_absolute(v, "[F] psi1 - 7", rows[k][0] - 7, psi, 0.0325, "%s, psi1 = %g: psi2",
                            name, rows[k][0]);
        validation_absolute(v, "[F] -5", -5, end.surface / (FRICTION * SPEED), 0.0325,
                            "%s, psi1 = %g: R w' / (mu v_n)", name, rows[k][0]);
    }
    validation_at_most(v, "[C] 400000 steps", 0.03, worst / largest,
                       "%s, 12 values of psi1 below 7: worst error of psi2, over the largest",
                       name);
    validation_at_most(v, "[C] 20000 steps", 0.005, worst_same,
                       "%s, 12 values of psi1 below 7: worst error of psi2, same arm", name);
}

void validate_oblique_dimensionless(validation *v)
{
    validation_begin(v, "4. Oblique impact, dimensionless (Chung and Ooi, test 5)",
                     "A steel sphere of R = 10 um (nothing in the code has a length of its own), "
                     "E = 208 GPa, nu = 0.3, density 7850, elastic, friction 0.3, normal speed 5 "
                     "m/s on a rigid wall; 1000 steps. psi1 = v_t / (mu v_n) before, psi2 = "
                     "(v_t' + R w') / (mu v_n') of the contact point after. From psi1 = 7 on it "
                     "slides and psi2 = psi1 - 7. The formula has the torque's arm equal to the "
                     "radius; here it is shorter by the overlap, 0.65 % at most, hence the "
                     "tolerance of 0.0325 = 0.65 % of 5 on what the spin contributes. Below 7 "
                     "each tangential law is compared with its own column, whose arm is the "
                     "radius too, and against an integration with the same arm.");
    static const char *const theirs[] = {"secant [C]", "incremental [C]", "rescaled [C]"};
    validation_chart *chart = validation_add_chart(
        v, "validation-oblique-dimensionless.svg", "Oblique impact, dimensionless",
        "psi = v / (mu v_n) of the contact point; dashed: computed apart", "psi1, before",
        "psi2, after");
    for (size_t law = 0; law < 3; law++)
        one_law(v, law, validation_add_curve(chart, laws[law].name, false));
    for (size_t law = 0; law < 3; law++) {
        validation_curve *curve = validation_add_curve(chart, theirs[law], true);
        for (size_t k = 0; k < ROW_COUNT; k++)
            validation_point(curve, rows[k][0], rows[k][laws[law].column]);
    }
}
