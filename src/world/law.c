/*  The table of built-in laws. */
#include "world/law.h"

#include "base/error.h"
#include "world/law_builtin.h"

#include <math.h>
#include <string.h>

#define LINEAR_PARAMETERS "stiffness", "stiffness_ratio"
#define HERTZ_PARAMETERS "young", "shear", "tangential"
#define COMMON_PARAMETERS "restitution", "friction", "tangential_damping"
#define ROLLING_PARAMETERS "rolling", "rolling_friction", "rolling_damping", "twisting_friction"

static const char *const linear_parameters[] = {LINEAR_PARAMETERS, COMMON_PARAMETERS, NULL};
static const char *const hertz_parameters[] = {HERTZ_PARAMETERS, COMMON_PARAMETERS, NULL};
static const char *const linear_rolling_parameters[] = {LINEAR_PARAMETERS, COMMON_PARAMETERS,
                                                        ROLLING_PARAMETERS, NULL};
static const char *const hertz_rolling_parameters[] = {HERTZ_PARAMETERS, COMMON_PARAMETERS,
                                                       ROLLING_PARAMETERS, NULL};

/*  For those who call a law's function themselves: the best level there is. Asking for the highest, and
    not for AUTO, keeps the environment from being read at each call. */
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
        .summary = "linear, with resistance to rolling and twisting",
        .parameter_names = linear_rolling_parameters,
        .memory_count = SCREE_LINEAR_MEMORY + SCREE_ROLLING_MEMORY,
        .has_moment = true,
        .prepare = scree_law_prepare_linear_rolling,
        .force = linear_rolling_force,
    },
    {
        .name = "hertz-rolling",
        .summary = "hertz, with resistance to rolling and twisting",
        .parameter_names = hertz_rolling_parameters,
        .memory_count = SCREE_HERTZ_MEMORY + SCREE_ROLLING_MEMORY,
        .has_moment = true,
        .prepare = scree_law_prepare_hertz_rolling,
        .force = hertz_rolling_force,
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
    return law->force;
}

scree_law_float_force *scree_law_float_forces(const scree_law *law, scree_simd level)
{
    const scree_law_kernels *kernels = scree_law_kernels_at(scree_simd_resolve(level));
    if (law->force == linear_force)
        return kernels->float_linear;
    if (law->force == linear_rolling_force)
        return kernels->float_linear_rolling;
    if (law->force == hertz_force)
        return kernels->float_hertz;
    if (law->force == hertz_rolling_force)
        return kernels->float_hertz_rolling;
    return NULL;
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
        if (strcmp(law->parameter_names[i], name) == 0)
            return i;
    return -1;
}
