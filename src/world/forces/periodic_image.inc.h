/*  The nearest image of several places at once, with the operations of cell_box.h. Included once for each level by
    sphere_geometry.inc.h. */

/*  Rounds numbers below 2^51 to the nearest integer: adding and subtracting a large number drops the fraction. */
static inline WIDE_TARGET wide WIDE_FN(rounded)(wide x)
{
    return x + wide_set(0x1.8p52) - wide_set(0x1.8p52);
}

/*  Subtracts `turns` edges of an axis from the vector. */
static inline WIDE_TARGET void WIDE_FN(fold)(const scree_geometry *geometry, int axis, wide step[3],
                                             wide turns[3])
{
    turns[axis] = WIDE_FN(rounded)(step[axis] / wide_set(geometry->period[axis]));
    step[axis] = step[axis] - turns[axis] * wide_set(geometry->period[axis]);
    if (geometry->is_tilted && axis == 2) {
        step[1] = step[1] - turns[2] * wide_set(geometry->tilt[2]);
        step[0] = step[0] - turns[2] * wide_set(geometry->tilt[1]);
    } else if (geometry->is_tilted && axis == 1) {
        step[0] = step[0] - turns[1] * wide_set(geometry->tilt[0]);
    }
}

/*  The vector from the first place to the second, or to its nearest image. */
static inline WIDE_TARGET void WIDE_FN(step_to)(const scree_geometry *geometry, const wide from[4],
                                                const wide to[4], wide step[3], wide turns[3])
{
    for (int k = 0; k < 3; k++) {
        step[k] = to[k] - from[k];
        turns[k] = wide_set(0);
    }
    for (int k = 2; geometry->is_periodic && k >= 0; k--)
        if (geometry->period[k] > 0)
            WIDE_FN(fold)(geometry, k, step, turns);
}

/*  The image is slower than its body by the velocity gradient times the subtracted edges. Adds that to the relative
    velocity. */
static inline WIDE_TARGET void WIDE_FN(add_image_speed)(const scree_geometry *geometry,
                                                        const wide turns[3], wide speed[3])
{
    const double(*g)[3] = geometry->gradient;
    wide x = turns[0] * wide_set(geometry->period[0]) + turns[1] * wide_set(geometry->tilt[0]) +
             turns[2] * wide_set(geometry->tilt[1]);
    wide y = turns[1] * wide_set(geometry->period[1]) + turns[2] * wide_set(geometry->tilt[2]);
    wide z = turns[2] * wide_set(geometry->period[2]);

    speed[0] = speed[0] + (wide_set(g[0][0]) * x + wide_set(g[0][1]) * y + wide_set(g[0][2]) * z);
    speed[1] = speed[1] + (wide_set(g[1][1]) * y + wide_set(g[1][2]) * z);
    speed[2] = speed[2] + wide_set(g[2][2]) * z;
}
