/*  The table of built-in laws. */
#include "law/law.h"

#include "base/error.h"
#include "base/portable_math.h"
#include "law/formula_law.h"
#include "law/law_builtin.h"

#include <math.h>
#include <string.h>

#define LINEAR_PARAMETERS "stiffness", "stiffness_ratio"
#define HERTZ_PARAMETERS "young", "shear", "tangential"
#define COMMON_PARAMETERS "restitution", "friction", "tangential_damping"
#define ROLLING_PARAMETERS "rolling", "rolling_friction", "rolling_damping", "twisting_friction"

#define ADHESIVE_PARAMETERS(...)                                                                   \
    {                                                                                              \
        HERTZ_PARAMETERS, COMMON_PARAMETERS, ROLLING_PARAMETERS, __VA_ARGS__, NULL                 \
    }

static const char *const linear_parameters[] = {LINEAR_PARAMETERS, COMMON_PARAMETERS, NULL};
static const char *const hertz_parameters[] = {HERTZ_PARAMETERS, COMMON_PARAMETERS, NULL};
static const char *const linear_rolling_parameters[] = {LINEAR_PARAMETERS, COMMON_PARAMETERS,
                                                        ROLLING_PARAMETERS, NULL};
static const char *const hertz_rolling_parameters[] = {HERTZ_PARAMETERS, COMMON_PARAMETERS,
                                                       ROLLING_PARAMETERS, NULL};

static const char *const jkr_parameters[] = ADHESIVE_PARAMETERS("adhesion");
static const char *const dmt_parameters[] = ADHESIVE_PARAMETERS("adhesion", "separation");
static const char *const sjkr_parameters[] = ADHESIVE_PARAMETERS("cohesion");
static const char *const capillary_parameters[] =
    ADHESIVE_PARAMETERS("surface_tension", "volume", "contact_angle");
static const char *const eepa_parameters[] =
    ADHESIVE_PARAMETERS("adhesion", "plasticity", "adhesion_exponent", "pull_off_force");
static const char *const plastic_parameters[] = {LINEAR_PARAMETERS,
                                                 COMMON_PARAMETERS,
                                                 ROLLING_PARAMETERS,
                                                 "plastic_stiffness",
                                                 "cohesion_stiffness",
                                                 "plastic_depth",
                                                 NULL};
static const char *const bonded_parameters[] = {LINEAR_PARAMETERS,
                                                COMMON_PARAMETERS,
                                                ROLLING_PARAMETERS,
                                                "bond_young",
                                                "bond_ratio",
                                                "bond_radius",
                                                "bond_tension",
                                                "bond_shear",
                                                "bond_moment",
                                                "bond_reach",
                                                "bond_lasts",
                                                "bond_damping",
                                                NULL};
static const char *const penalty_parameters[] = {"strength", "contact_skin", NULL};

/*  For direct callers of a law's function: the best instruction set available. Requesting the highest, not AUTO, avoids
    reading the environment at each call. */
static const scree_law_kernels *best_kernels(void)
{
    return scree_law_kernels_at(scree_simd_resolve(SCREE_SIMD_AVX512));
}

static void linear_force(const scree_batch *batch, const double *constants, void *user)
{
    best_kernels()->linear(batch, constants, user);
}

static void linear_rolling_force(const scree_batch *batch, const double *constants, void *user)
{
    best_kernels()->linear_rolling(batch, constants, user);
}

static void hertz_force(const scree_batch *batch, const double *constants, void *user)
{
    best_kernels()->hertz(batch, constants, user);
}

static void hertz_rolling_force(const scree_batch *batch, const double *constants, void *user)
{
    best_kernels()->hertz_rolling(batch, constants, user);
}

static void jkr_force(const scree_batch *batch, const double *constants, void *user)
{
    best_kernels()->jkr(batch, constants, user);
}

static void dmt_force(const scree_batch *batch, const double *constants, void *user)
{
    best_kernels()->dmt(batch, constants, user);
}

static void sjkr_force(const scree_batch *batch, const double *constants, void *user)
{
    best_kernels()->sjkr(batch, constants, user);
}

static void capillary_force(const scree_batch *batch, const double *constants, void *user)
{
    best_kernels()->capillary(batch, constants, user);
}

static void plastic_force(const scree_batch *batch, const double *constants, void *user)
{
    best_kernels()->plastic(batch, constants, user);
}

static void bonded_force(const scree_batch *batch, const double *constants, void *user)
{
    best_kernels()->bonded(batch, constants, user);
}

static void penalty_force(const scree_batch *batch, const double *constants, void *user)
{
    best_kernels()->penalty(batch, constants, user);
}

static void eepa_force(const scree_batch *batch, const double *constants, void *user)
{
    best_kernels()->eepa(batch, constants, user);
}

static const scree_law builtin_laws[] = {
    {
        .name = "linear",
        .summary = "linear spring and dashpot, with friction",
        .parameter_names = linear_parameters,
        .memory_count = SCREE_LINEAR_MEMORY,
        .prepare = scree_law_prepare_linear,
        .force = linear_force,
    },
    {
        .name = "hertz",
        .summary = "elastic spheres after Hertz and Mindlin, with damping and friction",
        .parameter_names = hertz_parameters,
        .memory_count = SCREE_HERTZ_MEMORY,
        .prepare = scree_law_prepare_hertz,
        .force = hertz_force,
    },
    {
        .name = "linear-rolling",
        .summary = "linear, with rolling and twisting resistance",
        .parameter_names = linear_rolling_parameters,
        .memory_count = SCREE_LINEAR_MEMORY + SCREE_ROLLING_MEMORY,
        .has_moment = true,
        .prepare = scree_law_prepare_linear_rolling,
        .force = linear_rolling_force,
    },
    {
        .name = "hertz-rolling",
        .summary = "hertz, with rolling and twisting resistance",
        .parameter_names = hertz_rolling_parameters,
        .memory_count = SCREE_HERTZ_MEMORY + SCREE_ROLLING_MEMORY,
        .has_moment = true,
        .prepare = scree_law_prepare_hertz_rolling,
        .force = hertz_rolling_force,
    },
    {
        .name = "jkr",
        .summary = "hertz-rolling, and adhesion after Johnson, Kendall and Roberts",
        .parameter_names = jkr_parameters,
        .memory_count = SCREE_HERTZ_MEMORY + SCREE_ROLLING_MEMORY,
        .has_moment = true,
        .prepare = scree_law_prepare_jkr,
        .force = jkr_force,
    },
    {
        .name = "dmt",
        .summary = "hertz-rolling, and adhesion after Derjaguin, Muller and Toporov",
        .parameter_names = dmt_parameters,
        .memory_count = SCREE_HERTZ_MEMORY + SCREE_ROLLING_MEMORY,
        .has_moment = true,
        .prepare = scree_law_prepare_dmt,
        .force = dmt_force,
    },
    {
        .name = "sjkr",
        .summary = "hertz-rolling, and cohesion proportional to the contact area",
        .parameter_names = sjkr_parameters,
        .memory_count = SCREE_HERTZ_MEMORY + SCREE_ROLLING_MEMORY,
        .has_moment = true,
        .prepare = scree_law_prepare_sjkr,
        .force = sjkr_force,
    },
    {
        .name = "capillary",
        .summary = "hertz-rolling, and liquid bridges that break",
        .parameter_names = capillary_parameters,
        .memory_count = SCREE_BRIDGE_MEMORY + 1,
        .has_moment = true,
        .prepare = scree_law_prepare_capillary,
        .force = capillary_force,
    },
    {
        .name = "plastic",
        .summary = "elastic-plastic and adhesive contacts after Luding",
        .parameter_names = plastic_parameters,
        .memory_count = SCREE_PLASTIC_MEMORY + 2,
        .has_moment = true,
        .prepare = scree_law_prepare_plastic,
        .force = plastic_force,
    },
    {
        .name = "bonded",
        .summary = "linear-rolling, and bonds that carry forces and moments until they break",
        .parameter_names = bonded_parameters,
        .memory_count = SCREE_BOND_STATE + 1,
        .has_moment = true,
        .prepare = scree_law_prepare_bonded,
        .force = bonded_force,
    },
    {
        .name = "penalty",
        .summary = "the force of Noble and Weinzierl, proportional to the root of the mass",
        .parameter_names = penalty_parameters,
        .memory_count = SCREE_LINEAR_MEMORY,
        .prepare = scree_law_prepare_penalty,
        .force = penalty_force,
    },
    {
        .name = "eepa",
        .summary = "hertz-rolling, and elastic-plastic adhesion after the Edinburgh model",
        .parameter_names = eepa_parameters,
        .memory_count = SCREE_EEPA_MEMORY + 3,
        .has_moment = true,
        .prepare = scree_law_prepare_eepa,
        .force = eepa_force,
    },
};

size_t scree_law_count(void)
{
    return SCREE_COUNT_OF(builtin_laws);
}

const scree_law *scree_law_at(size_t index)
{
    return index < SCREE_COUNT_OF(builtin_laws) ? &builtin_laws[index] : NULL;
}

const scree_law *scree_law_by_name(const char *name)
{
    for (size_t i = 0; name && i < SCREE_COUNT_OF(builtin_laws); i++)
        if (strcmp(builtin_laws[i].name, name) == 0)
            return &builtin_laws[i];
    return NULL;
}

scree_law_force *scree_law_forces(const scree_law *law, scree_simd level)
{
    const scree_law_kernels *kernels = scree_law_kernels_at(scree_simd_resolve(level));
    if (law->force == linear_force)
        return kernels->linear;
    if (law->force == linear_rolling_force)
        return kernels->linear_rolling;
    if (law->force == hertz_force)
        return kernels->hertz;
    if (law->force == hertz_rolling_force)
        return kernels->hertz_rolling;
    if (law->force == jkr_force)
        return kernels->jkr;
    if (law->force == dmt_force)
        return kernels->dmt;
    if (law->force == sjkr_force)
        return kernels->sjkr;
    if (law->force == capillary_force)
        return kernels->capillary;
    if (law->force == plastic_force)
        return kernels->plastic;
    if (law->force == bonded_force)
        return kernels->bonded;
    if (law->force == penalty_force)
        return kernels->penalty;
    if (law->force == eepa_force)
        return kernels->eepa;
    if (law->force == scree_formula_force)
        return scree_formula_force_kernel(level);
    return law->force;
}

scree_law_reach scree_law_reach_of(const scree_law *law, const double *constants)
{
    scree_law_reach reach = {law->reach, 0, 0};

    if (law->force == jkr_force) {
        double length = constants[SCREE_LAW_ADHESION_LENGTH];
        /* to the end of the stable branch and slightly beyond: law_adhesion.inc.h detaches the contact */
        reach.root = SCREE_JKR_TEAR * length * length * (1 + 0x1p-40);
    } else if (law->force == dmt_force) {
        reach.fixed = SCREE_DMT_RANGE * constants[SCREE_LAW_ADHESION_LENGTH];
    } else if (law->force == capillary_force) {
        reach.fixed = constants[SCREE_LAW_BRIDGE_END];
    } else if (law->force == bonded_force) {
        reach.share = constants[SCREE_LAW_BOND_REACH];
    }
    return reach;
}

bool scree_law_has_bonds(const scree_law *law)
{
    return law->force == bonded_force;
}

scree_persistent scree_law_persistent(const scree_law *law, const double *constants)
{
    if (scree_law_has_bonds(law))
        return constants[SCREE_LAW_BOND_END] == INFINITY ? SCREE_LASTS_BONDED : SCREE_LASTS_NOT;
    return law->lasts ? SCREE_LASTS : SCREE_LASTS_NOT;
}

double scree_law_reach_at(const scree_law_reach *reach, double radius)
{
    double sum = reach->fixed + reach->share * radius;

    return reach->root > 0 ? sum + reach->root * scree_cube_root(radius) : sum;
}

scree_status scree_law_check(const scree_law *law, scree_error *error)
{
    const char *name = law->name ? law->name : "";
    if (!*name)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "law: name is empty, must be given");
    if (!law->prepare || !law->force)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "law %.60s: %s is NULL, must be a function",
                          name, law->prepare ? "force" : "prepare");
    if (law->memory_count > SCREE_MAX_MEMORY)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "law %.60s: memory_count is %u, must be at most %d", name,
                          law->memory_count, SCREE_MAX_MEMORY);
    if (!(law->reach >= 0 && law->reach < INFINITY))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "law %.60s: reach is %g, must be 0 or more and finite", name, law->reach);
    return SCREE_OK;
}

int scree_law_find_parameter(const scree_law *law, const char *name)
{
    for (int i = 0; law->parameter_names && law->parameter_names[i]; i++)
        if (strcmp(law->parameter_names[i], name) == 0 ||
            strcmp(scree_law_first_name(law, law->parameter_names[i]), name) == 0)
            return i;
    return -1;
}

const char *scree_law_first_name(const scree_law *law, const char *name)
{
    bool is_renamed = law->force == penalty_force && strcmp(name, "contact_skin") == 0;

    return is_renamed ? "halo" : name;
}
