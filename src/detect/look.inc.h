/*  Motion and margins of a block at one SIMD level: see look.c. Each operation is that of the function
    for one body, so that all levels, and the general way, come to the same. */

#define WIDE_ALL ((1u << WIDE_LANES) - 1u)

/*  Bits of rows that are there: those behind the last are copies of it. */
WIDE_TARGET static inline uint32_t WIDE_FN(present)(uint32_t row, uint32_t count)
{
    return count - row < WIDE_LANES ? (1u << (count - row)) - 1u : WIDE_ALL;
}

/*  Bits of lanes where not a <= b. */
WIDE_TARGET static inline uint32_t WIDE_FN(above)(wide a, wide b)
{
    return WIDE_ALL ^ wide_less_equal(a, b);
}

/*  Bits of lanes where a and b differ. */
WIDE_TARGET static inline uint32_t WIDE_FN(unlike)(wide a, wide b)
{
    return WIDE_ALL ^ (wide_less_equal(a, b) & wide_less_equal(b, a));
}

/*  scree_margin_norm. */
WIDE_TARGET static inline wide WIDE_FN(norm)(wide x, wide y, wide z)
{
    wide squares = wide_add(wide_add(wide_mul(x, x), wide_mul(y, y)), wide_mul(z, z));
    wide sum = wide_add(wide_add(wide_abs(x), wide_abs(y)), wide_abs(z));
    return wide_where(wide_set(0x1p-900), squares, wide_sqrt(squares), sum);
}

WIDE_TARGET static double WIDE_FN(largest_of)(wide value)
{
    double lane[WIDE_LANES], largest;
    wide_store(lane, value);
    largest = lane[0];
    for (uint32_t k = 1; k < WIDE_LANES; k++)
        largest = lane[k] > largest ? lane[k] : largest;
    return largest;
}

/*  scree_motion_read. False if some speed cannot be used. */
WIDE_TARGET static bool WIDE_FN(read_speeds)(const look_motion *m, uint32_t count, double *speed,
                                             double *largest)
{
    const wide most = wide_set(SCREE_MAX_COORDINATE), zero = wide_set(0);
    const wide up = wide_set(1 + 8 * DBL_EPSILON);
    uint32_t usable = WIDE_ALL;
    wide fastest = wide_set(*largest);
    for (uint32_t row = 0; row < count; row += WIDE_LANES) {
        wide v = WIDE_FN(norm)(wide_load(m->velocity[0] + row), wide_load(m->velocity[1] + row),
                               wide_load(m->velocity[2] + row));
        if (m->has_arms) {
            wide arm = wide_load(m->arm + row);
            wide spin = WIDE_FN(norm)(wide_load(m->spin[0] + row), wide_load(m->spin[1] + row),
                                      wide_load(m->spin[2] + row));
            usable &= wide_less_equal(zero, arm);
            v = wide_add(v, wide_mul(spin, arm));
        }
        v = wide_mul(v, up);
        usable &= wide_less_equal(v, most);
        wide_store(speed + row, v);
        fastest = wide_max(v, fastest);
    }
    *largest = WIDE_FN(largest_of)(fastest);
    return usable == WIDE_ALL;
}

/*  Keeps the largest share of an allowance. Quotients are computed only where one may be larger: below
    the product, less more than its rounding, none is. */
WIDE_TARGET static inline wide WIDE_FN(add_share)(wide used, wide moved, wide allowance)
{
    const wide zero = wide_set(0);
    wide product = wide_mul(wide_mul(used, allowance), wide_set(1 - 4 * DBL_EPSILON));
    if (wide_less_equal(moved, product) == WIDE_ALL)
        return used;
    return wide_max(used, wide_where(moved, zero, zero, wide_div(moved, allowance)));
}

/*  Tolerance: late bodies are counted, and what was mapped with another constant is marked. */
WIDE_TARGET static uint32_t WIDE_FN(look_at_tolerance)(look_block *b, uint32_t row, wide moved,
                                                       wide allowance)
{
    uint32_t late = WIDE_FN(above)(moved, wide_mul(wide_set(b->reach), allowance));
    wide now = wide_load(b->constant + row), mapped = wide_load(b->mapped_constant + row);
    for (late &= WIDE_FN(present)(row, b->count); late; late &= late - 1)
        b->late++;
    return WIDE_FN(unlike)(now, mapped) | WIDE_FN(above)(moved, allowance);
}

/*  scree_margin_moved_sphere and scree_margin_has_left. */
WIDE_TARGET static void WIDE_FN(look_at_spheres)(look_block *b)
{
    const wide zero = wide_set(0), largest = wide_set(b->largest), reach = wide_set(b->reach);
    wide used = wide_set(b->used);
    for (uint32_t row = 0; row < b->count; row += WIDE_LANES) {
        wide r = wide_load(b->number[3] + row), size = wide_load(b->size + row);
        wide allowance = wide_load(b->allowance + row), mapped[4];
        wide_load_rows(b->sphere, b->id + row, mapped);
        wide away = WIDE_FN(norm)(wide_sub(wide_load(b->number[0] + row), mapped[0]),
                                  wide_sub(wide_load(b->number[1] + row), mapped[1]),
                                  wide_sub(wide_load(b->number[2] + row), mapped[2]));
        wide moved = wide_max(wide_add(away, wide_sub(r, size)), zero);
        wide grain = wide_add(wide_mul(wide_set(32 * DBL_EPSILON), wide_add(largest, moved)),
                              wide_set(0x1p-530));
        uint32_t must = WIDE_FN(above)(moved, zero) &
                        WIDE_FN(above)(wide_add(moved, grain), wide_mul(reach, allowance));
        wide_store(b->moved + row, moved);
        used = WIDE_FN(add_share)(used, moved, allowance);
        if (b->constant)
            must |= WIDE_FN(look_at_tolerance)(b, row, moved, allowance) | WIDE_FN(unlike)(r, size);
        must &= WIDE_FN(present)(row, b->count);
        b->must[row / 8] |= (uint8_t)(must << row % 8);
    }
    b->used = WIDE_FN(largest_of)(used);
}

/*  The share of one axis in scree_margin_moved_box: what is within rounding is 0. */
WIDE_TARGET static inline wide WIDE_FN(come_out)(wide edge, wide growth, wide out, wide farthest)
{
    const wide zero = wide_set(0);
    wide rounding = wide_mul(wide_set(2 * DBL_EPSILON), wide_add(wide_abs(edge), growth));
    return wide_max(wide_where(out, rounding, zero, out), farthest);
}

/*  scree_margin_moved_box, scree_margin_holds_box and scree_margin_has_left. */
WIDE_TARGET static void WIDE_FN(look_at_boxes)(look_block *b)
{
    wide used = wide_set(b->used);
    for (uint32_t row = 0; row < b->count; row += WIDE_LANES) {
        wide growth = wide_load(b->growth + row), allowance = wide_load(b->allowance + row);
        wide moved = wide_set(0);
        uint32_t held = WIDE_ALL;
        for (int k = 0; k < b->dimensions; k++) {
            wide lower = wide_load(b->number[k] + row), upper = wide_load(b->number[3 + k] + row);
            wide low = wide_load(b->mapped[k] + row), high = wide_load(b->mapped[3 + k] + row);
            wide down = wide_sub(wide_add(low, growth), lower);
            wide up = wide_sub(upper, wide_sub(high, growth));
            moved = WIDE_FN(come_out)(lower, growth, down, moved);
            moved = WIDE_FN(come_out)(upper, growth, up, moved);
            held &= wide_less_equal(low, lower) & wide_less_equal(upper, high);
        }
        uint32_t must = WIDE_ALL ^ held;
        wide_store(b->moved + row, moved);
        used = WIDE_FN(add_share)(used, moved, allowance);
        if (b->constant)
            must |= WIDE_FN(look_at_tolerance)(b, row, moved, allowance);
        must &= WIDE_FN(present)(row, b->count);
        b->must[row / 8] |= (uint8_t)(must << row % 8);
    }
    b->used = WIDE_FN(largest_of)(used);
}

/*  scree_margin_size of each, the smallest above 0, and the largest of scree_margin_magnitude. */
WIDE_TARGET static void WIDE_FN(measure)(look_block *b, bool spheres)
{
    const wide none = wide_set(INFINITY), zero = wide_set(0);
    const wide dimensions = wide_set(b->dimensions);
    wide smallest = wide_set(b->smallest), farthest = wide_set(b->farthest);
    for (uint32_t row = 0; row < b->count; row += WIDE_LANES) {
        wide size = wide_load(b->number[3] + row), sum = zero;
        if (spheres)
            farthest = wide_max(size, farthest);
        for (int k = 0; k < b->dimensions; k++) {
            wide lower = wide_load(b->number[k] + row);
            farthest = wide_max(wide_abs(lower), farthest);
            if (spheres)
                continue;
            wide upper = wide_load(b->number[3 + k] + row);
            farthest = wide_max(wide_abs(upper), farthest);
            sum = wide_add(sum, wide_sub(upper, lower));
        }
        if (!spheres)
            size = wide_div(wide_mul(wide_set(0.5), sum), dimensions);
        wide_store(b->measured + row, size);
        smallest = wide_min(wide_where(size, zero, none, size), smallest);
    }
    b->farthest = WIDE_FN(largest_of)(farthest);
    b->smallest = -WIDE_FN(largest_of)(wide_sub(zero, smallest));
}

#undef WIDE_ALL
