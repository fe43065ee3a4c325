/*  Rotation by less than a quarter turn, at one SIMD level: see scree_turn_by_half. Plain C, and plain OpenCL C. */

/*  `half` is the axis times the half angle, `s` its square, at most SCREE_SERIES_LIMIT. */
SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(turn_by_series)(const wide half[3], wide s,
                                                           const wide q[4], wide turned[4])
{
    const wide zero = wide_set(0), one = wide_set(1);

    wide w = one + s * (wide_set(-1.0 / 2) +
                        s * (wide_set(1.0 / 24) +
                             s * (wide_set(-1.0 / 720) +
                                  s * (wide_set(1.0 / 40320) + s * wide_set(-1.0 / 3628800)))));
    wide sine = one + s * (wide_set(-1.0 / 6) +
                           s * (wide_set(1.0 / 120) +
                                s * (wide_set(-1.0 / 5040) + s * (wide_set(1.0 / 362880) +
                                                                  s * wide_set(-1.0 / 39916800)))));
    wide x = sine * half[0], y = sine * half[1], z = sine * half[2];
    turned[0] = w * q[0] - x * q[1] - y * q[2] - z * q[3];
    turned[1] = w * q[1] + x * q[0] + y * q[3] - z * q[2];
    turned[2] = w * q[2] - x * q[3] + y * q[0] + z * q[1];
    turned[3] = w * q[3] + x * q[2] - y * q[1] + z * q[0];
    wide norm = (turned[0] * turned[0] + turned[1] * turned[1]) +
                (turned[2] * turned[2] + turned[3] * turned[3]);
    wide scale = wide_set(1.5) - wide_set(0.5) * norm;
    /* a body that does not rotate keeps its bits */
    wide most = wide_max(wide_abs(half[0]), wide_max(wide_abs(half[1]), wide_abs(half[2])));
    for (int k = 0; k < 4; k++)
        turned[k] = wide_where(most, zero, q[k], turned[k] * scale);
}
