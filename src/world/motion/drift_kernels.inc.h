/*  Kicks and rotations of bodies at one SIMD level: see drift_kernels.h. */
#include "world/motion/turn_series.inc.h"

/*  As scree_turn, one body per lane. False if some angle is too large for the series; then nothing is written. */
static inline WIDE_TARGET bool WIDE_FN(turn_some)(const scree_rows_before *from,
                                                  scree_body_arrays *bodies, double dt,
                                                  double share, uint32_t slot)
{
    const wide step = wide_set(0.5 * dt);
    wide spin[4], torque[4], q[4], half[3], turned[4];

    wide_load_rows(from->spin[slot], side_by_side, spin);
    wide_load_rows(from->torque[slot], side_by_side, torque);
    for (int k = 0; k < 3; k++)
        half[k] = (spin[k] + torque[k] * spin[3] * wide_set(share)) * step;
    wide s = half[0] * half[0] + half[1] * half[1] + half[2] * half[2];
    if (wide_less_equal(s, wide_set(SCREE_SERIES_LIMIT)) != (1u << WIDE_LANES) - 1)
        return false;

    wide_load_rows(from->orientation[slot], side_by_side, q);
    WIDE_FN(turn_by_series)(half, s, q, turned);
    wide_store_rows(bodies->orientation[slot], 4, turned);
    return true;
}

/*  Kicks centres and angular velocities. The fourth value of a row is no velocity and stays. */
static inline WIDE_TARGET void WIDE_FN(kick)(const scree_rows_before *from,
                                             scree_body_arrays *bodies, double dt, double share,
                                             uint32_t begin, uint32_t end)
{
    const double steps[4] = {dt, dt, dt, 0};
    const row_pair step = WIDE_FN(pair_load)(steps, steps), part = WIDE_FN(pair_set)(share);
    double(*position)[4] = bodies->position, (*velocity)[4] = bodies->velocity;
    double(*spin)[4] = bodies->spin;
    const scree_rows_before rows = *from;

    for (uint32_t slot = begin; slot < end; slot++) {
        row_pair motion = WIDE_FN(pair_load)(rows.velocity[slot], rows.spin[slot]);
        row_pair pushes = WIDE_FN(pair_load)(rows.force[slot], rows.torque[slot]);
        row_pair faster = WIDE_FN(pair_mul)(pushes, WIDE_FN(pair_fourth)(motion));
        row_pair mean = WIDE_FN(pair_add)(motion, WIDE_FN(pair_mul)(faster, part));
        row_pair place = WIDE_FN(pair_load_lower)(rows.position[slot]);
        place = WIDE_FN(pair_add)(place, WIDE_FN(pair_mul)(mean, step));
        motion = WIDE_FN(pair_add)(motion, WIDE_FN(pair_mul)(faster, step));
        WIDE_FN(pair_store_lower)(position[slot], place);
        WIDE_FN(pair_store)(velocity[slot], spin[slot], motion);
    }
}

/*  Rotations come first, since they use the old angular velocities. */
static WIDE_TARGET void WIDE_FN(drift_bodies)(const scree_rows_before *from,
                                              scree_body_arrays *bodies, double dt, double share,
                                              uint32_t begin, uint32_t end)
{
    uint32_t at = begin;

    while (at < end) {
        uint32_t many = end - at < WIDE_LANES ? 1 : WIDE_LANES;
        if (many == WIDE_LANES && WIDE_FN(turn_some)(from, bodies, dt, share, at)) {
            at += WIDE_LANES;
            continue;
        }
        for (uint32_t slot = at; slot < at + many; slot++)
            turn_one(from, bodies, dt, share, slot);
        at += many;
    }
    WIDE_FN(kick)(from, bodies, dt, share, begin, end);
}
