/*  Exact sums on a device: what one body gets, in registers, by the rounding of world/state/sums.h. For texts of kernels. */
#ifndef SCREE_GPU_SUMS_H
#define SCREE_GPU_SUMS_H

#include "gpu/c_words.h"

/*  In units; and what is wrong with them: bits of scree_step_trouble. */
typedef struct scree_body_sums
{
    long force[3], torque[3];
    uint trouble;
} scree_body_sums;

/*  A number without its fraction. */
SCREE_KERNEL_PART double scree_power_of(double x)
{
    return as_double(as_ulong(x) & ((ulong)0x7ff << 52));
}

/*  x in whole quanta, as units. `magic` is that of the quantum. What is no smaller than 2^51 quanta is whole as it is. */
SCREE_KERNEL_PART long scree_units_of(double x, double magic, double unit, uint *trouble)
{
    const double quantum_51 = magic - scree_power_of(magic);
    double whole = fabs(x) < quantum_51 ? (magic + x) - magic : x;

    /* one that is no number fails both */
    if (!(fabs(x) < INFINITY))
        *trouble |= SCREE_TROUBLE_NUMBER;
    else if (!(fabs(whole) < 0x1p60 * unit))
        *trouble |= SCREE_TROUBLE_RANGE;
    else
        return convert_long(whole / unit);
    return 0;
}

/*  What a contact exerts on one of its two: `sign` -1 on the second. */
SCREE_KERNEL_PART void scree_add_contact(scree_body_sums *sums, const scree_step_numbers *numbers,
                                         const double force[3], const double torque[3], double mass,
                                         double radius, long sign)
{
    const double size = scree_power_of(radius);
    double magic = scree_power_of(mass) * numbers->force_rule, torque_magic;

    /* as scree_quantum_of has it */
    if (!numbers->has_weight)
        magic = magic * size;
    magic = magic * 0x1.8p52;
    torque_magic = magic * size;
    for (int k = 0; k < 3; k++) {
        sums->force[k] +=
            sign * scree_units_of(force[k], magic, numbers->force_unit, &sums->trouble);
        sums->torque[k] +=
            scree_units_of(torque[k], torque_magic, numbers->torque_unit, &sums->trouble);
        /* so that one more always has room */
        if (abs(sums->force[k]) >= (ulong)1 << 61 || abs(sums->torque[k]) >= (ulong)1 << 61)
            sums->trouble |= SCREE_TROUBLE_RANGE;
    }
}

#endif
