/*  Rotation at one SIMD level: the functions of quaternion.h, rotation.h and rotation.c, operation by operation,
    with one body in each lane. The axis is a lane variable here. */

/* ---- quaternions ---- */

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(tumbler_product)(const wide a[4], const wide b[4],
                                                            wide product[4])
{
    product[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    product[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    product[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    product[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/*  `turned` may be v. */
SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(tumbler_turn)(const wide q[4], const wide v[3],
                                                         wide turned[3])
{
    const wide two = wide_set(2);
    wide x = two * (q[2] * v[2] - q[3] * v[1]);
    wide y = two * (q[3] * v[0] - q[1] * v[2]);
    wide z = two * (q[1] * v[1] - q[2] * v[0]);
    wide a = v[0] + q[0] * x + (q[2] * z - q[3] * y);
    wide b = v[1] + q[0] * y + (q[3] * x - q[1] * z);
    wide c = v[2] + q[0] * z + (q[1] * y - q[2] * x);
    turned[0] = a;
    turned[1] = b;
    turned[2] = c;
}

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(tumbler_turn_back)(const wide q[4], const wide v[3],
                                                              wide turned[3])
{
    const wide minus = wide_set(-1);
    const wide back[4] = {q[0], minus * q[1], minus * q[2], minus * q[3]};
    WIDE_FN(tumbler_turn)(back, v, turned);
}

/*  False if the angle of a lane is too large for the series. */
SCREE_KERNEL_PART WIDE_TARGET bool WIDE_FN(tumbler_turn_by_half)(const wide half[3], wide turn[4])
{
    const wide one = wide_set(1);
    wide s = half[0] * half[0] + half[1] * half[1] + half[2] * half[2];
    wide share =
        one + s * (wide_set(-1.0 / 6) +
                   s * (wide_set(1.0 / 120) +
                        s * (wide_set(-1.0 / 5040) +
                             s * (wide_set(1.0 / 362880) + s * wide_set(-1.0 / 39916800)))));

    turn[0] = one + s * (wide_set(-1.0 / 2) +
                         s * (wide_set(1.0 / 24) +
                              s * (wide_set(-1.0 / 720) +
                                   s * (wide_set(1.0 / 40320) + s * wide_set(-1.0 / 3628800)))));
    for (int k = 0; k < 3; k++)
        turn[1 + k] = share * half[k];
    return wide_less_equal(s, wide_set(SCREE_SERIES_LIMIT)) == (1u << WIDE_LANES) - 1;
}

/* ---- angular momentum ---- */

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(tumbler_momentum)(const wide inertia[3], const wide q[4],
                                                             const wide spin[3], wide momentum[3])
{
    WIDE_FN(tumbler_turn_back)(q, spin, momentum);
    for (int k = 0; k < 3; k++)
        momentum[k] = momentum[k] * inertia[k];
    WIDE_FN(tumbler_turn)(q, momentum, momentum);
}

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(tumbler_spin_nearly)(const wide inertia[3],
                                                                const wide q[4],
                                                                const wide momentum[3],
                                                                wide spin[3])
{
    WIDE_FN(tumbler_turn_back)(q, momentum, spin);
    for (int k = 0; k < 3; k++)
        spin[k] = spin[k] / inertia[k];
    WIDE_FN(tumbler_turn)(q, spin, spin);
}

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(tumbler_spin)(const wide inertia[3], const wide q[4],
                                                         const wide momentum[3], wide spin[3])
{
    wide missing[3], rest[3];

    WIDE_FN(tumbler_spin_nearly)(inertia, q, momentum, spin);
    WIDE_FN(tumbler_momentum)(inertia, q, spin, missing);
    for (int k = 0; k < 3; k++)
        missing[k] = momentum[k] - missing[k];
    WIDE_FN(tumbler_spin_nearly)(inertia, q, missing, rest);
    for (int k = 0; k < 3; k++)
        spin[k] = spin[k] + rest[k];
}

/* ---- axes ---- */

/*  Of each lane the component along its axis, 0, 1 or 2. */
SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(tumbler_along)(const wide v[3], wide axis)
{
    return wide_where(axis, wide_set(0), v[0], wide_where(axis, wide_set(1), v[1], v[2]));
}

SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(tumbler_odd_axis)(const wide inverse[3])
{
    const wide zero = wide_set(0), one = wide_set(1), two = wide_set(2);
    wide xy = wide_abs(inverse[0] - inverse[1]), yz = wide_abs(inverse[1] - inverse[2]),
         zx = wide_abs(inverse[2] - inverse[0]);
    wide first_or_second = wide_where(yz, zx, zero, one);

    return wide_where(xy, yz, wide_where(xy, zx, two, first_or_second), first_or_second);
}

/*  Rotates each lane about its own axis. */
SCREE_KERNEL_PART WIDE_TARGET bool WIDE_FN(tumbler_turn_about_own)(wide axis, wide angle, wide q[4],
                                                                   wide momentum[3])
{
    const wide zero = wide_set(0), one = wide_set(1), about = wide_set(0.5) * angle;
    const wide half[3] = {wide_where(axis, zero, about, zero),
                          wide_where(wide_abs(axis - one), zero, about, zero),
                          wide_where(axis, one, zero, about)};
    wide turn[4], before[4] = {q[0], q[1], q[2], q[3]};
    bool is_short = WIDE_FN(tumbler_turn_by_half)(half, turn);

    WIDE_FN(tumbler_product)(before, turn, q);
    WIDE_FN(tumbler_turn_back)(turn, momentum, momentum);
    return is_short;
}

/* ---- a step ---- */

/*  The function tumble of rotation.c; false if the angle of a lane is too large. */
SCREE_KERNEL_PART WIDE_TARGET bool
WIDE_FN(tumble_freely)(const wide inertia[3], const wide momentum[3], double dt, wide q[4])
{
    const wide zero = wide_set(0), one = wide_set(1), two = wide_set(2);
    const wide inverse[3] = {one / inertia[0], one / inertia[1], one / inertia[2]};
    wide odd = WIDE_FN(tumbler_odd_axis)(inverse);
    wide even = wide_where(odd, one, odd + one, zero), rest = wide_where(odd, zero, two, odd - one);
    wide slow = WIDE_FN(tumbler_along)(inverse, even);
    wide odd_part = WIDE_FN(tumbler_along)(inverse, odd) - slow;
    wide rest_part = WIDE_FN(tumbler_along)(inverse, rest) - slow;
    wide seen[3], half[3], turn[4];
    bool are_short = true;

    WIDE_FN(tumbler_turn_back)(q, momentum, seen);
    wide angle = WIDE_FN(tumbler_along)(seen, rest) * rest_part * wide_set(0.5 * dt);
    are_short &= WIDE_FN(tumbler_turn_about_own)(rest, angle, q, seen);
    angle = WIDE_FN(tumbler_along)(seen, odd) * odd_part * wide_set(dt);
    are_short &= WIDE_FN(tumbler_turn_about_own)(odd, angle, q, seen);
    for (int k = 0; k < 3; k++)
        half[k] = momentum[k] * (slow * wide_set(0.5 * dt));
    are_short &= WIDE_FN(tumbler_turn_by_half)(half, turn);
    const wide before[4] = {q[0], q[1], q[2], q[3]};
    WIDE_FN(tumbler_product)(turn, before, q);
    angle = WIDE_FN(tumbler_along)(seen, rest) * rest_part * wide_set(0.5 * dt);
    are_short &= WIDE_FN(tumbler_turn_about_own)(rest, angle, q, seen);
    wide norm = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
    wide scale = wide_set(1.5) - wide_set(0.5) * norm;
    for (int k = 0; k < 4; k++)
        q[k] = q[k] * scale;
    return are_short;
}

/*  Lanes behind the last body repeat it. */
SCREE_KERNEL_PART void WIDE_FN(fill_tumblers)(scree_tumblers *some)
{
    for (uint32_t k = some->count; k % WIDE_LANES != 0; k++)
        some->slot[k] = some->slot[some->count - 1];
}

SCREE_KERNEL_PART WIDE_TARGET void
WIDE_FN(spread_tumblers)(double (*rows)[4], const uint32_t *slots, const wide column[4])
{
    double few[WIDE_LANES][4];

    wide_store_rows(few[0], 4, column);
    for (uint32_t lane = 0; lane < WIDE_LANES; lane++)
        memcpy(rows[slots[lane]], few[lane], sizeof *few);
}

static WIDE_TARGET bool WIDE_FN(tumble_lanes)(scree_body_arrays *bodies, const uint32_t *slots,
                                              double dt, double share)
{
    wide inertia[4], q[4], spin[4], torque[4], momentum[3], pushed[3];

    wide_load_rows(bodies->inertia[0], slots, inertia);
    wide_load_rows(bodies->orientation_before[0], slots, q);
    wide_load_rows(bodies->spin_before[0], slots, spin);
    wide_load_rows(bodies->torque_before[0], slots, torque);
    WIDE_FN(tumbler_momentum)(inertia, q, spin, momentum);
    for (int k = 0; k < 3; k++) {
        pushed[k] = momentum[k] + torque[k] * wide_set(share);
        momentum[k] = momentum[k] + torque[k] * wide_set(dt);
    }
    if (!WIDE_FN(tumble_freely)(inertia, pushed, dt, q))
        return false;
    WIDE_FN(tumbler_spin)(inertia, q, momentum, spin);
    WIDE_FN(spread_tumblers)(bodies->orientation, slots, q);
    WIDE_FN(spread_tumblers)(bodies->spin, slots, spin);
    return true;
}

static WIDE_TARGET void WIDE_FN(tumble_some)(scree_body_arrays *bodies, scree_tumblers *some,
                                             double dt, double share)
{
    bool are_done = dt != 0;

    WIDE_FN(fill_tumblers)(some);
    for (uint32_t k = 0; k < some->count && are_done; k += WIDE_LANES)
        are_done = WIDE_FN(tumble_lanes)(bodies, some->slot + k, dt, share);
    if (!are_done)
        tumble_some_scalar(bodies, some, dt, share);
}

static WIDE_TARGET void WIDE_FN(tumble_end)(scree_body_arrays *bodies, scree_tumblers *some,
                                            double share)
{
    WIDE_FN(fill_tumblers)(some);
    for (uint32_t at = 0; at < some->count; at += WIDE_LANES) {
        const uint32_t *slots = some->slot + at;
        wide inertia[4], q[4], spin[4], torque[4], before[4], push[3], gained[3];
        wide_load_rows(bodies->inertia[0], slots, inertia);
        wide_load_rows(bodies->orientation[0], slots, q);
        wide_load_rows(bodies->spin[0], slots, spin);
        wide_load_rows(bodies->torque[0], slots, torque);
        wide_load_rows(bodies->torque_before[0], slots, before);
        for (int k = 0; k < 3; k++)
            push[k] = (torque[k] - before[k]) * wide_set(share);
        WIDE_FN(tumbler_spin)(inertia, q, push, gained);
        for (int k = 0; k < 3; k++)
            spin[k] = spin[k] + gained[k];
        WIDE_FN(spread_tumblers)(bodies->spin, slots, spin);
    }
}

static WIDE_TARGET void WIDE_FN(momenta_of_some)(const scree_body_arrays *bodies,
                                                 scree_tumblers *some, double (*momentum)[4])
{
    WIDE_FN(fill_tumblers)(some);
    for (uint32_t at = 0; at < some->count; at += WIDE_LANES) {
        const uint32_t *slots = some->slot + at;
        wide inertia[4], q[4], spin[4], column[4];
        wide_load_rows(bodies->inertia[0], slots, inertia);
        wide_load_rows(bodies->orientation[0], slots, q);
        wide_load_rows(bodies->spin[0], slots, spin);
        WIDE_FN(tumbler_momentum)(inertia, q, spin, column);
        column[3] = wide_set(0);
        wide_store_rows(momentum[at], 4, column);
    }
}

/* ---- matrices ---- */

/*  False if a quaternion cannot safely be divided by its length. */
SCREE_KERNEL_PART WIDE_TARGET bool WIDE_FN(matrices_of_lanes)(const scree_body_arrays *bodies,
                                                              const uint32_t *slots,
                                                              double (*turn)[3][3])
{
    const uint32_t all = (1u << WIDE_LANES) - 1;
    wide q[4];

    wide_load_rows(bodies->orientation[0], slots, q);
    wide length = wide_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if ((wide_less_equal(wide_set(0x1p-400), length) &
         wide_less_equal(length, wide_set(0x1p400))) != all)
        return false;
    for (int k = 0; k < 4; k++)
        q[k] = q[k] / length;
    for (int k = 0; k < 3; k++) {
        wide axis[3] = {wide_set(k == 0), wide_set(k == 1), wide_set(k == 2)}, turned[3];
        WIDE_FN(tumbler_turn)(q, axis, turned);
        for (int j = 0; j < 3; j++) {
            double lane[WIDE_LANES];
            wide_store(lane, turned[j]);
            for (uint32_t n = 0; n < WIDE_LANES; n++)
                turn[n][j][k] = lane[n];
        }
    }
    return true;
}

static WIDE_TARGET void WIDE_FN(matrices_of_some)(const scree_body_arrays *bodies,
                                                  scree_tumblers *some, double (*turn)[3][3])
{
    bool are_done = true;

    WIDE_FN(fill_tumblers)(some);
    for (uint32_t k = 0; k < some->count && are_done; k += WIDE_LANES)
        are_done = WIDE_FN(matrices_of_lanes)(bodies, some->slot + k, turn + k);
    if (!are_done)
        matrices_of_some_scalar(bodies, some, turn);
}
