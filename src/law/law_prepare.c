/*  Computes the constants of a built-in law from two materials and the values that an interaction sets. */
#include "base/error.h"
#include "base/portable_math.h"
#include "law/law_builtin.h"
#include "law/material.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define LARGEST 1e100
#define LARGEST_RATIO 1e6

/*  Coulomb limits are reduced by more than the rounding errors of a limited vector and its length. */
#define WITHIN (1 - 0x1p-49)

/*  Allowed range of a parameter. */
typedef struct parameter_range
{
    double lowest, highest;
    bool open;  /* lowest itself is not allowed */
    bool whole; /* must be an integer */
} parameter_range;

static const parameter_range positive = {0, LARGEST, true, false};
static const parameter_range ratio = {0, LARGEST_RATIO, true, false};
static const parameter_range coefficient = {0, LARGEST_RATIO, false, false};
static const parameter_range share = {0, 1, false, false};
static const parameter_range from_zero = {0, LARGEST, false, false};
static const parameter_range volumes = {1e-60, LARGEST, false, false};
/*  A contact that gives nothing back would be stiffer than any step can be stable for. */
static const parameter_range plasticities = {0, 0.99, true, false};
static const parameter_range exponents = {1, 10, false, false};
static const parameter_range angles = {0, 1.5707963267948966, false, false};
static const parameter_range choice = {0, 2, false, true};
static const parameter_range yes_or_no = {0, 1, false, true};

/*  A law in preparation. `status` is that of the first parameter that cannot be used. */
typedef struct preparation
{
    const scree_law_input *input;
    const scree_law *law;
    scree_material_mix mix;
    scree_status status;
} preparation;

static preparation begin(const scree_law_input *input, const char *law)
{
    preparation p = {input, scree_law_by_name(law),
                     scree_material_mixed(input->first, input->second), SCREE_OK};
    return p;
}

static bool is_within(double value, const parameter_range *range)
{
    return (range->open ? value > range->lowest : value >= range->lowest) &&
           value <= range->highest && (!range->whole || value == floor(value));
}

/*  Returns the interaction's value of a parameter, or `otherwise`. */
static double read_number(preparation *p, const char *name, double otherwise,
                          const parameter_range *range)
{
    const double *values = p->input->parameters;
    int at = scree_law_find_parameter(p->law, name);
    double value = values && at >= 0 ? values[at] : (double)NAN;

    if (isnan(value))
        return otherwise;
    if (!is_within(value, range) && !p->status)
        p->status = scree_fail(p->input->error, SCREE_BAD_VALUE,
                               "law %s: %s is %g, must be %s%g to %g", p->law->name, name, value,
                               range->whole  ? "a whole number from "
                               : range->open ? "above "
                                             : "",
                               range->lowest, range->highest);
    return value;
}

static const char *name_of(const scree_material_def *material)
{
    return material->name && *material->name ? material->name : "(unnamed)";
}

static void refuse_rigid(preparation *p, const char *parameter)
{
    if (!p->status)
        p->status = scree_fail(
            p->input->error, SCREE_BAD_VALUE,
            "law %s: young of materials %s and %s is infinite; one must be finite, "
            "or the rule must give %s",
            p->law->name, name_of(p->input->first), name_of(p->input->second), parameter);
}

/*  Constants of all laws. The ratio to critical damping times `damping` is the dashpot over sqrt(k m). */
static void prepare_common(preparation *p, double damping, double shear, double *constants)
{
    double restitution = read_number(p, "restitution", p->mix.restitution, &share);
    double friction = read_number(p, "friction", p->mix.friction, &coefficient);
    double wanted = restitution < SCREE_MIN_RESTITUTION ? SCREE_MIN_RESTITUTION : restitution;
    double of_critical = scree_damping_ratio(wanted);
    double tangential = read_number(p, "tangential_damping", of_critical, &coefficient);

    constants[SCREE_LAW_DAMPING] = damping * of_critical;
    constants[SCREE_LAW_SHEAR] = shear;
    constants[SCREE_LAW_SHEAR_DAMPING] = damping * tangential * sqrt(shear);
    constants[SCREE_LAW_FRICTION] = friction * WITHIN;
    constants[SCREE_LAW_GROWTH_LEAST] = 0;
    constants[SCREE_LAW_GROWTH_MOST] = 1;
}

/*  Moment of inertia about the contact point of a sphere, or a disc in two dimensions, of mass m and radius R. */
static double inertia_about_contact(const scree_law_input *input)
{
    return input->dimensions == 2 ? 1.5 : 1.4;
}

static void prepare_rolling(preparation *p, double *constants)
{
    double model = read_number(p, "rolling", SCREE_ROLLING_SPRING, &choice);
    double rolling = read_number(p, "rolling_friction", p->mix.rolling_friction, &coefficient);
    double damping = read_number(p, "rolling_damping", 0.3, &coefficient);
    double twisting = read_number(p, "twisting_friction", p->mix.twisting_friction, &coefficient);
    double of_critical = 2 * damping * sqrt(inertia_about_contact(p->input));

    if (model == SCREE_ROLLING_NONE)
        rolling = 0;
    constants[SCREE_LAW_ROLLING_MODEL] = model;
    constants[SCREE_LAW_ROLLING] = 2.25 * rolling * rolling;
    constants[SCREE_LAW_ROLLING_DAMPING] = of_critical * 1.5 * rolling;
    constants[SCREE_LAW_ROLLING_FRICTION] = rolling * WITHIN;
    constants[SCREE_LAW_TWISTING] = 2.25 * twisting * twisting;
    constants[SCREE_LAW_TWISTING_DAMPING] = of_critical * 1.5 * twisting;
    constants[SCREE_LAW_TWISTING_FRICTION] = twisting * WITHIN;
}

static void prepare_linear(preparation *p, double *constants)
{
    double shear = read_number(p, "stiffness_ratio", p->mix.stiffness_ratio, &ratio);
    constants[SCREE_LAW_STIFFNESS] = read_number(p, "stiffness", p->mix.stiffness, &positive);
    prepare_common(p, 2, shear, constants);
}

static void prepare_hertz(preparation *p, double *constants)
{
    double young = read_number(p, "young", p->mix.young, &positive);
    double proportion = p->mix.shear / p->mix.young;
    double shear = read_number(p, "shear", young * proportion, &positive);
    double tangential = read_number(p, "tangential", SCREE_TANGENTIAL_RESCALED, &choice);

    if (!(young < INFINITY))
        refuse_rigid(p, "young and shear");
    if (!(shear < INFINITY))
        refuse_rigid(p, "shear");
    /* k = 2 E a, kt = 8 G a, a = sqrt(R overlap) */
    constants[SCREE_LAW_STIFFNESS] = 2 * young;
    prepare_common(p, 2 * sqrt(5.0 / 6.0), 4 * shear / young, constants);
    if (tangential != SCREE_TANGENTIAL_RESCALED)
        constants[SCREE_LAW_GROWTH_LEAST] = 1;
    if (tangential == SCREE_TANGENTIAL_SECANT) {
        constants[SCREE_LAW_GROWTH_LEAST] = 0;
        constants[SCREE_LAW_GROWTH_MOST] = DBL_MAX;
    }
}

static preparation begin_linear(const scree_law_input *input, const char *law, bool rolls,
                                double *constants)
{
    preparation p = begin(input, law);

    prepare_linear(&p, constants);
    if (rolls)
        prepare_rolling(&p, constants);
    return p;
}

static preparation begin_hertz(const scree_law_input *input, const char *law, bool rolls,
                               double *constants)
{
    preparation p = begin(input, law);

    prepare_hertz(&p, constants);
    if (rolls)
        prepare_rolling(&p, constants);
    return p;
}

scree_status scree_law_prepare_linear(const scree_law_input *input, double *constants, void *user)
{
    (void)user;
    return begin_linear(input, "linear", false, constants).status;
}

scree_status scree_law_prepare_linear_rolling(const scree_law_input *input, double *constants,
                                              void *user)
{
    (void)user;
    return begin_linear(input, "linear-rolling", true, constants).status;
}

scree_status scree_law_prepare_hertz(const scree_law_input *input, double *constants, void *user)
{
    (void)user;
    return begin_hertz(input, "hertz", false, constants).status;
}

scree_status scree_law_prepare_hertz_rolling(const scree_law_input *input, double *constants,
                                             void *user)
{
    (void)user;
    return begin_hertz(input, "hertz-rolling", true, constants).status;
}

/* ---- adhesion ---- */

#define PI 3.14159265358979323846

/*  A parameter that the law requires. */
static double read_needed(preparation *p, const char *name, const char *unit,
                          const parameter_range *range)
{
    double value = read_number(p, name, (double)NAN, range);

    if (isnan(value) && !p->status)
        p->status = scree_fail(p->input->error, SCREE_BAD_VALUE,
                               "law %s: %s is not given; the rule must give it, in %s",
                               p->law->name, name, unit);
    return value;
}

scree_status scree_law_prepare_jkr(const scree_law_input *input, double *constants, void *user)
{
    preparation p = begin_hertz(input, "jkr", true, constants);
    double adhesion = read_needed(&p, "adhesion", "J/m^2", &positive);

    (void)user;
    constants[SCREE_LAW_ADHESION] = 4 * PI * adhesion;
    /* the first constant is 2 E */
    constants[SCREE_LAW_ADHESION_LENGTH] =
        scree_cube_root(4 * PI * adhesion / constants[SCREE_LAW_STIFFNESS]);
    return p.status;
}

scree_status scree_law_prepare_dmt(const scree_law_input *input, double *constants, void *user)
{
    preparation p = begin_hertz(input, "dmt", true, constants);

    (void)user;
    constants[SCREE_LAW_ADHESION] = 2 * PI * read_needed(&p, "adhesion", "J/m^2", &positive);
    constants[SCREE_LAW_ADHESION_LENGTH] = read_number(&p, "separation", 0, &from_zero);
    return p.status;
}

scree_status scree_law_prepare_capillary(const scree_law_input *input, double *constants,
                                         void *user)
{
    preparation p = begin_hertz(input, "capillary", true, constants);
    double tension = read_needed(&p, "surface_tension", "N/m", &positive);
    double volume = read_needed(&p, "volume", "m^3", &volumes);
    double angle = read_number(&p, "contact_angle", 0, &angles);

    (void)user;
    constants[SCREE_LAW_ADHESION] = 4 * PI * tension * scree_cos(angle);
    constants[SCREE_LAW_ADHESION_LENGTH] = 2 / volume;
    constants[SCREE_LAW_BRIDGE_END] = (1 + 0.5 * angle) * scree_cube_root(volume);
    return p.status;
}

/*  Prepares a law that is based on the linear one with rolling resistance. */
scree_status scree_law_prepare_plastic(const scree_law_input *input, double *constants, void *user)
{
    preparation p = begin_linear(input, "plastic", true, constants);
    double first = constants[SCREE_LAW_STIFFNESS];
    double second = read_needed(&p, "plastic_stiffness", "N/m", &positive);
    double depth = read_number(&p, "plastic_depth", 0.05, &ratio);

    (void)user;
    if (!p.status && !(second > first))
        p.status = scree_fail(input->error, SCREE_BAD_VALUE,
                              "law plastic: plastic_stiffness is %g, must be above stiffness, %g",
                              second, first);
    constants[SCREE_LAW_ADHESION] = read_number(&p, "cohesion_stiffness", 0, &from_zero);
    constants[SCREE_LAW_PLASTIC] = second - first;
    constants[SCREE_LAW_PLASTIC_DEPTH] = 2 * depth * second / (second - first);
    return p.status;
}

/*  dp = lambda^(2/3) d, d the largest overlap: see law_adhesion.inc.h. */
scree_status scree_law_prepare_eepa(const scree_law_input *input, double *constants, void *user)
{
    preparation p = begin_hertz(input, "eepa", true, constants);
    double plasticity = read_number(&p, "plasticity", 0.5, &plasticities);
    double exponent = read_number(&p, "adhesion_exponent", 1.5, &exponents);
    double adhesion = read_number(&p, "adhesion", 0, &from_zero);

    (void)user;
    if (!p.status && 2 * exponent != floor(2 * exponent))
        p.status =
            scree_fail(input->error, SCREE_BAD_VALUE,
                       "law eepa: adhesion_exponent is %g, must be a multiple of 0.5", exponent);
    constants[SCREE_LAW_ADHESION] = 1.5 * PI * adhesion * sqrt(2.0) * scree_cube_root(plasticity);
    constants[SCREE_LAW_EEPA_PLASTICITY] = plasticity;
    constants[SCREE_LAW_EEPA_STEEPER] = 1 / (1 - plasticity);
    constants[SCREE_LAW_EEPA_PULL] = read_number(&p, "pull_off_force", 0, &from_zero);
    constants[SCREE_LAW_EEPA_EXPONENT] = 2 * exponent;
    return p.status;
}

scree_status scree_law_prepare_bonded(const scree_law_input *input, double *constants, void *user)
{
    preparation p = begin_linear(input, "bonded", true, constants);

    (void)user;
    constants[SCREE_LAW_BOND_YOUNG] = read_needed(&p, "bond_young", "Pa", &positive);
    constants[SCREE_LAW_BOND_SHEAR] = 1 / read_number(&p, "bond_ratio", 1, &ratio);
    constants[SCREE_LAW_BOND_RADIUS] = read_number(&p, "bond_radius", 1, &ratio);
    constants[SCREE_LAW_BOND_TENSION] = read_number(&p, "bond_tension", LARGEST, &positive);
    constants[SCREE_LAW_BOND_SHEARED] = read_number(&p, "bond_shear", LARGEST, &positive);
    constants[SCREE_LAW_BOND_MOMENT] = read_number(&p, "bond_moment", 1, &share);
    constants[SCREE_LAW_BOND_REACH] = read_number(&p, "bond_reach", 0.2, &ratio);
    bool lasts = read_number(&p, "bond_lasts", 0, &yes_or_no) != 0;
    constants[SCREE_LAW_BOND_END] = lasts ? INFINITY : constants[SCREE_LAW_BOND_REACH];
    constants[SCREE_LAW_BOND_DAMPING] = 2 * read_number(&p, "bond_damping", 0.1, &coefficient);
    constants[SCREE_LAW_BOND_IS_FLAT] = input->dimensions == 2;
    return p.status;
}

scree_status scree_law_prepare_penalty(const scree_law_input *input, double *constants, void *user)
{
    preparation p = begin(input, "penalty");
    double strength = read_number(&p, "strength", 1000, &positive);
    double skin = read_needed(&p, "contact_skin", "m", &positive);

    (void)user;
    memset(constants, 0, SCREE_MAX_CONSTANTS * sizeof *constants);
    constants[SCREE_LAW_STIFFNESS] = strength / (2 * skin);
    return p.status;
}

scree_status scree_law_prepare_sjkr(const scree_law_input *input, double *constants, void *user)
{
    preparation p = begin_hertz(input, "sjkr", true, constants);

    (void)user;
    constants[SCREE_LAW_ADHESION] = 2 * PI * read_needed(&p, "cohesion", "J/m^3", &positive);
    return p.status;
}
