/*  Exact sums on a device: the sum of one body, in registers, with the rounding of world/state/sums.h. For kernel
    texts. With WIDE_SUMS 1 a sum has a second word, for forces of very different sizes. */
#ifndef SCREE_WORLD_BODY_SUMS_H
#define SCREE_WORLD_BODY_SUMS_H

#include "gpu/c_words.h"
#include "world/device/step_numbers.h"

/*  In units; upper words count 2^36 of them. Errors are bits of `troubles`. */
typedef struct scree_body_sums
{
    long number[6]; /* force, torque */
#if WIDE_SUMS
    long upper[6];
#endif
    uint trouble;
} scree_body_sums;

/*  How values of one kind become units. */
typedef struct scree_count_way
{
    double magic; /* of the quantum, see scree_sum_magic */
    double unit, per_unit;
    ulong shift; /* from quanta to units */
} scree_count_way;

/*  A number without its mantissa. */
SCREE_KERNEL_PART double scree_power_of(double x)
{
    return as_double(as_ulong(x) & ((ulong)0x7ff << 52));
}

SCREE_KERNEL_PART scree_count_way scree_count_way_of(double quantum, double unit, double per_unit)
{
    scree_count_way way = {.magic = quantum * 0x1.8p52, .unit = unit, .per_unit = per_unit};

    way.shift = (as_ulong(way.magic) - as_ulong(unit * 0x1.8p52)) >> 52;
    return way;
}

SCREE_KERNEL_PART void scree_add_long(scree_body_sums *sums, int k, const scree_count_way *way,
                                      double x, long sign)
{
    const double half_of_magic = way->magic - scree_power_of(way->magic); /* 2^51 quanta */
    /* a value that is not smaller is a whole number already */
    const double whole = fabs(x) < half_of_magic ? (way->magic + x) - way->magic : x;

    if (!(fabs(x) < INFINITY)) {
        sums->trouble |= SCREE_TROUBLE_NUMBER;
        return;
    }
#if WIDE_SUMS
    const double units = whole * way->per_unit;
    if (!(fabs(units) < 0x1p86)) {
        sums->trouble |= SCREE_TROUBLE_RANGE;
        return;
    }
    const double top = rint(units * 0x1p-36);
    sums->upper[k] += sign * convert_long(top);
    sums->number[k] += sign * convert_long(units - top * 0x1p36);
    if (abs(sums->upper[k]) >= (ulong)1 << 61)
        sums->trouble |= SCREE_TROUBLE_RANGE;
#else
    if (!(fabs(whole) < 0x1p60 * way->unit))
        sums->trouble |= SCREE_TROUBLE_RANGE;
    else
        sums->number[k] += sign * convert_long(whole * way->per_unit);
#endif
}

/*  Adds `sign` times x, rounded to whole quanta, in units. */
SCREE_KERNEL_PART void scree_add_number(scree_body_sums *sums, int k, const scree_count_way *way,
                                        double x, long sign)
{
    const ulong bits = as_ulong(way->magic + x), from = as_ulong(way->magic);

    /* equal sign and exponent: x is below 2^51 quanta */
    if (way->shift <= 8 && ((bits ^ from) >> 52) == 0)
        sums->number[k] += sign * ((long)(bits - from) << way->shift);
    else
        scree_add_long(sums, k, way, x, sign);
    /* one more always fits */
    if (abs(sums->number[k]) >= (ulong)1 << 61)
        sums->trouble |= SCREE_TROUBLE_RANGE;
}

/*  Adds the force of a contact to one of its bodies: `sign` is -1 for the second. */
SCREE_KERNEL_PART void scree_add_contact(scree_body_sums *sums, const scree_step_numbers *numbers,
                                         const double force[3], const double torque[3], double mass,
                                         double radius, long sign)
{
    const double size = scree_power_of(radius);
    double quantum = scree_power_of(mass) * numbers->force_rule;

    /* as in scree_quantum_of */
    if (!numbers->has_weight)
        quantum = quantum * size;
    const scree_count_way force_way =
        scree_count_way_of(quantum, numbers->force_unit, numbers->per_force_unit);
    const scree_count_way torque_way =
        scree_count_way_of(quantum * size, numbers->torque_unit, numbers->per_torque_unit);
    SCREE_UNROLL
    for (int k = 0; k < 3; k++) {
        scree_add_number(sums, k, &force_way, force[k], sign);
        scree_add_number(sums, 3 + k, &torque_way, torque[k], 1);
    }
}

/*  The sum as a double, rounded once. */
SCREE_KERNEL_PART double scree_sum_of(const scree_body_sums *sums, int k, double unit)
{
#if WIDE_SUMS
    long upper = sums->upper[k] + (sums->number[k] >> 36),
         lower = sums->number[k] & (((long)1 << 36) - 1);
    const bool is_negative = upper < 0;
    ulong head, left = 0;
    int place = 36, take;

    if (upper >= -((long)1 << 25) && upper < (long)1 << 25)
        return (double)(upper * ((long)1 << 36) + lower) * unit;
    if (is_negative) {
        upper = -upper - (lower != 0);
        lower = lower ? ((long)1 << 36) - lower : 0;
    }
    /* the first 62 bits; the last one is set if any lower bit is */
    take = min(36, max(0, (int)clz(upper) - 2));
    head = ((ulong)upper << take) | ((ulong)lower >> (36 - take));
    left = (ulong)lower & (((ulong)1 << (36 - take)) - 1);
    place -= take;
    head |= left != 0;
    const double value = ldexp((double)head, place) * unit;
    return is_negative ? -value : value;
#else
    return (double)sums->number[k] * unit;
#endif
}

#endif
