/*  Shared by kernel texts of steps. The includer has base/cube_root.inc.h. */
#ifndef SCREE_WORLD_KERNEL_PARTS_H
#define SCREE_WORLD_KERNEL_PARTS_H

#include "world/device/step_numbers.h"

/*  Why a step cannot be used. */
SCREE_KERNEL_PART void tell(__global uint *told, uint step, uint why)
{
    atomic_min(&told[SCREE_TOLD_FAIL], step);
    atomic_or(&told[SCREE_TOLD_WHY], why);
}

/*  The interaction range of a contact model: scree_law_reach_at. */
SCREE_KERNEL_PART double reach_of(__global const double *law, double radius)
{
    double sum = law[SCREE_LAW_ROW_FIXED] + law[SCREE_LAW_ROW_SHARE] * radius;
    const double root = law[SCREE_LAW_ROW_ROOT];

    return root > 0 ? sum + root * scree_cube_root(radius) : sum;
}

#endif
