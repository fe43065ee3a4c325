/*  Computes one contact with a built-in contact model: the formulas of law/law_row.inc.h for a batch of one. For
    kernel texts. LAWS has the bits of the models that the world uses, PLANES is the largest number of history
    variables. */
#ifndef SCREE_WORLD_CONTACT_LAW_H
#define SCREE_WORLD_CONTACT_LAW_H

#include "gpu/c_words.h"
#include "law/law_row.h"

/*  Energy terms are not computed on devices. */
#define scree_atan(x) (x)
#include "base/cube_root.inc.h"

enum
{
    SCREE_LOSS_DAMPING,
    SCREE_LOSS_FRICTION,
    SCREE_LOSS_ROLLING,
    SCREE_LOSSES,
};

/*  As in scree/law.h, with private values of one work-item. */
typedef struct scree_batch
{
    double dt, ahead;
    const double *overlap, *normal[3], *approach, *slide[3], *roll[3], *twist, *radius, *mass;
    const double *arm[2];
    const double *memory[16];
    double *next[16];
    double *force[3], *moment[3];
    double *energy, *loss[SCREE_LOSSES];
    double *stiffness, *shear_stiffness;
} scree_batch;

#include "law/law_row.inc.h"

/*  Input and output of a contact model. */
typedef struct scree_one_contact
{
    double overlap, normal[3], approach, slide[3], roll[3], twist, radius, mass, arm[2];
    double force[3], moment[3];
    double memory[PLANES], next[PLANES];
} scree_one_contact;

/*  Calls the formula with number `number` if the world uses it; without a test if it is the only one. */
#define LAW(number, is_hertz, rolls, kind)                                                         \
    if ((LAWS >> number & 1) && (LAWS == 1 << number || formula == number)) {                      \
        const law_traits traits = {is_hertz, rolls, false, kind};                                  \
        law_row_scalar(&batch, constants, 0, traits);                                              \
    }

SCREE_KERNEL_PART void scree_contact_force(scree_one_contact *one, double dt, double ahead,
                                           __global const double *law)
{
    double constants[SCREE_LAW_CONSTANTS];
    const int formula = (int)law[SCREE_LAW_ROW_KIND];
    scree_batch batch = {
        .dt = dt,
        .ahead = ahead,
        .overlap = &one->overlap,
        .normal = {&one->normal[0], &one->normal[1], &one->normal[2]},
        .approach = &one->approach,
        .slide = {&one->slide[0], &one->slide[1], &one->slide[2]},
        .roll = {&one->roll[0], &one->roll[1], &one->roll[2]},
        .twist = &one->twist,
        .radius = &one->radius,
        .mass = &one->mass,
        .arm = {&one->arm[0], &one->arm[1]},
        .force = {&one->force[0], &one->force[1], &one->force[2]},
        .moment = {&one->moment[0], &one->moment[1], &one->moment[2]},
    };

    SCREE_UNROLL
    for (int k = 0; k < SCREE_LAW_CONSTANTS; k++)
        constants[k] = law[k];
    SCREE_UNROLL
    for (int m = 0; m < PLANES; m++) {
        batch.memory[m] = &one->memory[m];
        batch.next[m] = &one->next[m];
    }
    SCREE_UNROLL
    for (int k = 0; k < 3; k++)
        one->moment[k] = 0;
    LAW(0, false, false, LAW_DRY)
    LAW(1, false, true, LAW_DRY)
    LAW(2, true, false, LAW_DRY)
    LAW(3, true, true, LAW_DRY)
    LAW(4, true, true, LAW_JKR)
    LAW(5, true, true, LAW_DMT)
    LAW(6, true, true, LAW_AREA)
    LAW(7, true, true, LAW_BRIDGE)
    LAW(8, false, true, LAW_PLASTIC)
    LAW(10, false, false, LAW_PENALTY)
    LAW(11, true, true, LAW_EEPA)
}

#undef LAW
#endif
