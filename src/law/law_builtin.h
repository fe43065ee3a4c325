/*  Shared by the files of the built-in laws: the constants of a kernel and the contact history. */
#ifndef SCREE_LAW_BUILTIN_H
#define SCREE_LAW_BUILTIN_H

#include "law/law.h"
#include "law/law_constants.h"

/*  Smaller values would need time steps ten times shorter than the contact itself does. */
#define SCREE_MIN_RESTITUTION 0.01

_Static_assert(SCREE_LAW_CONSTANTS <= SCREE_MAX_CONSTANTS, "constants of a law");

/*  How the force of the tangential spring changes with its stiffness. */
typedef enum scree_law_tangential
{
    SCREE_TANGENTIAL_RESCALED,    /* constant when it grows, proportional when it shrinks */
    SCREE_TANGENTIAL_INCREMENTAL, /* constant */
    SCREE_TANGENTIAL_SECANT,      /* proportional: the displacement is constant */
} scree_law_tangential;

scree_status scree_law_prepare_linear(const scree_law_input *input, double *constants, void *user);
scree_status scree_law_prepare_linear_rolling(const scree_law_input *input, double *constants,
                                              void *user);
scree_status scree_law_prepare_hertz(const scree_law_input *input, double *constants, void *user);
scree_status scree_law_prepare_hertz_rolling(const scree_law_input *input, double *constants,
                                             void *user);

scree_status scree_law_prepare_jkr(const scree_law_input *input, double *constants, void *user);
scree_status scree_law_prepare_dmt(const scree_law_input *input, double *constants, void *user);
scree_status scree_law_prepare_sjkr(const scree_law_input *input, double *constants, void *user);
scree_status scree_law_prepare_capillary(const scree_law_input *input, double *constants,
                                         void *user);
scree_status scree_law_prepare_plastic(const scree_law_input *input, double *constants, void *user);
scree_status scree_law_prepare_bonded(const scree_law_input *input, double *constants, void *user);
scree_status scree_law_prepare_eepa(const scree_law_input *input, double *constants, void *user);
scree_status scree_law_prepare_penalty(const scree_law_input *input, double *constants, void *user);

/*  Ratio to critical damping. A linear spring and dashpot with this ratio, with their force clipped at 0, give the
    restitution, (0, 1]. So does a Hertzian spring with a dashpot of 2 sqrt(5/6) ratio sqrt(k m). */
double scree_damping_ratio(double restitution);

typedef struct scree_law_kernels
{
    scree_law_force *linear, *linear_rolling, *hertz, *hertz_rolling;
    scree_law_force *jkr, *dmt, *sjkr, *capillary, *plastic, *bonded;
    scree_law_force *penalty, *eepa;
} scree_law_kernels;

const scree_law_kernels *scree_law_kernels_at(scree_simd level);

#endif
