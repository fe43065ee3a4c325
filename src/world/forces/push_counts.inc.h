/*  Adds forces and torques of one vector of contacts to both bodies, as whole units, at one SIMD level: see
    push_kernels.h. Included once for each level and user.

    The fast way: magic + x rounds x to whole quanta of its contact. Their number is shifted to units of the sums. If
    a value is at least 2^51 quanta or 2^57 units, or the shift is too far, or a value is NaN, nothing is added and
    false is returned.

    The long way: a value of at least 2^51 quanta is a whole number already. Units are counted in two parts, as in
    sums.c. */

#if WIDE_LEVEL == WIDE_SCALAR
/*  How values of one kind become units: see scree_sum_way. */
typedef int64_t WIDE_FN(counts);
typedef uint64_t WIDE_FN(reach_bits);

static inline double WIDE_FN(power_of)(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    bits &= SCREE_EXPONENT;
    memcpy(&x, &bits, sizeof x);
    return x;
}

typedef scree_sum_way WIDE_FN(way);

static inline void WIDE_FN(set_way)(WIDE_FN(way) * way, double magic, double unit,
                                    scree_push_way how)
{
    (void)how;
    *way = scree_sum_way_of(magic, unit);
}

static inline int64_t WIDE_FN(count)(WIDE_FN(way) * way, double x, scree_push_way how)
{
    (void)how;
    return scree_sum_count(way, x);
}

/*  Sums with several words, and values of any size, are added one by one. */
static inline int64_t WIDE_FN(count_long)(WIDE_FN(way) * way, double x, double unit)
{
    (void)x;
    (void)unit;
    way->differ = SCREE_TOP_OF_NUMBER;
    return 0;
}

static inline bool WIDE_FN(way_is_open)(const WIDE_FN(way) * way)
{
    return scree_sum_fits(way);
}

static inline bool WIDE_FN(long_way_is_open)(const WIDE_FN(way) * way)
{
    return scree_sum_fits(way);
}

static inline bool WIDE_FN(none_beyond)(uint64_t reach)
{
    return reach < 2 * SCREE_SUM_SEEN;
}

static inline double WIDE_FN(keep_lanes)(double x, uint32_t kept)
{
    return kept ? x : 0;
}

static inline void WIDE_FN(add_counts)(scree_sum_line *line, const uint32_t *slot,
                                       const int64_t force[3], const int64_t torque[3],
                                       int64_t sign, scree_push_way how, uint64_t *reach)
{
    (void)how;
    for (int k = 0; k < 3; k++) {
        line[*slot].force[k] += sign * force[k];
        line[*slot].torque[k] += torque[k];
        *reach |= (uint64_t)line[*slot].force[k] + SCREE_SUM_SEEN;
        *reach |= (uint64_t)line[*slot].torque[k] + SCREE_SUM_SEEN;
    }
}
#elif WIDE_LEVEL == WIDE_128
typedef scree_2u WIDE_FN(counts);
typedef scree_2u WIDE_FN(reach_bits);

static inline WIDE_TARGET scree_2d WIDE_FN(power_of)(scree_2d x)
{
    return (scree_2d)((scree_2u)x & SCREE_EXPONENT);
}

typedef struct WIDE_FN(way)
{
    scree_2d magic;
    scree_2u bits, shift, differ, large;
} WIDE_FN(way);

static inline WIDE_TARGET void WIDE_FN(set_way)(WIDE_FN(way) * way, scree_2d magic, scree_2d unit,
                                                scree_push_way how)
{
    way->magic = magic;
    way->bits = (scree_2u)magic;
    way->shift = (way->bits - (scree_2u)unit) >> 52;
    way->differ = (scree_2u)((scree_2i)way->shift > max_shift(how));
    way->shift &= 63; /* a larger shift counts as different */
    way->large = (scree_2u){0, 0};
}

static inline WIDE_TARGET scree_2u WIDE_FN(count)(WIDE_FN(way) * way, scree_2d x,
                                                  scree_push_way how)
{
    scree_2u bits = (scree_2u)(way->magic + x), count = (bits - way->bits) << way->shift;

    way->differ |= bits ^ way->bits;
    if (how != PUSH_FEW)
        way->large |= count + SCREE_SUM_PART;
    return count;
}

/*  The lower part has 36 bits. The upper part is small enough for 2^57 units. */
static inline WIDE_TARGET scree_2u WIDE_FN(count_long)(WIDE_FN(way) * way, scree_2d x,
                                                       scree_2d unit)
{
    /* magic is 1.5 times 2^52 quanta: the difference from its power of two is 2^51 */
    scree_2d most = way->magic - WIDE_FN(power_of)(way->magic),
             whole = (way->magic + x) - way->magic;
    scree_2d base = unit * 0x1p36, rounded, upper, rest, lower;
    scree_2u high, low;

    rounded = wide_where(most, wide_abs(x), x, whole);
    upper = base + rounded;
    rest = rounded - (upper - base);
    lower = unit + rest;
    high = (scree_2u)upper - (scree_2u)base;
    low = (scree_2u)lower - (scree_2u)unit;
    way->large |= high + ((uint64_t)1 << 21);
    return (high << 36) + low;
}

/*  Whether none of the bits is set in either. */
static inline WIDE_TARGET bool WIDE_FN(has_none_of)(scree_2u a, uint64_t bits)
{
    return ((a[0] | a[1]) & bits) == 0;
}

static inline WIDE_TARGET bool WIDE_FN(way_is_open)(const WIDE_FN(way) * way)
{
    scree_2u wrong = (way->differ & SCREE_TOP_OF_NUMBER) | (way->large & ~(2 * SCREE_SUM_PART - 1));
    return WIDE_FN(has_none_of)(wrong, ~(uint64_t)0);
}

static inline WIDE_TARGET bool WIDE_FN(long_way_is_open)(const WIDE_FN(way) * way)
{
    return WIDE_FN(has_none_of)(way->large, ~(((uint64_t)1 << 22) - 1));
}

static inline WIDE_TARGET bool WIDE_FN(none_beyond)(scree_2u reach)
{
    return WIDE_FN(has_none_of)(reach, ~(2 * SCREE_SUM_SEEN - 1));
}

static inline WIDE_TARGET scree_2d WIDE_FN(keep_lanes)(scree_2d x, uint32_t kept)
{
    const scree_2u is_kept = {-(uint64_t)(kept & 1), -(uint64_t)(kept >> 1 & 1)};

    return (scree_2d)((scree_2u)x & is_kept);
}

/*  Lanes are added one after the other, since two may have the same body. */
SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(add_counts)(scree_sum_line *line, const uint32_t *slot,
                                                       const scree_2u force[3],
                                                       const scree_2u torque[3], int64_t sign,
                                                       scree_push_way how, scree_2u *reach)
{
    (void)how;
    for (int lane = 0; lane < 2; lane++) {
        scree_sum_line *to = &line[slot[lane]];
        uint64_t beyond = 0;
        for (int k = 0; k < 3; k++) {
            to->force[k] += sign * (int64_t)force[k][lane];
            to->torque[k] += (int64_t)torque[k][lane];
            beyond |= (uint64_t)to->force[k] + SCREE_SUM_SEEN;
            beyond |= (uint64_t)to->torque[k] + SCREE_SUM_SEEN;
        }
        *reach |= (scree_2u){beyond, beyond};
    }
}
#elif WIDE_LEVEL == WIDE_AVX2
typedef __m256i WIDE_FN(counts);
typedef __m256i WIDE_FN(reach_bits);

static inline WIDE_TARGET __m256d WIDE_FN(power_of)(__m256d x)
{
    return _mm256_and_pd(x, _mm256_castsi256_pd(_mm256_set1_epi64x((long long)SCREE_EXPONENT)));
}

typedef struct WIDE_FN(way)
{
    __m256d magic;
    __m256i bits, shift, differ, large;
} WIDE_FN(way);

static inline WIDE_TARGET void WIDE_FN(set_way)(WIDE_FN(way) * way, __m256d magic, __m256d unit,
                                                scree_push_way how)
{
    way->magic = magic;
    way->bits = _mm256_castpd_si256(magic);
    way->shift = _mm256_srli_epi64(_mm256_sub_epi64(way->bits, _mm256_castpd_si256(unit)), 52);
    way->differ = _mm256_cmpgt_epi64(way->shift, _mm256_set1_epi64x(max_shift(how)));
    way->large = _mm256_setzero_si256();
}

static inline WIDE_TARGET __m256i WIDE_FN(count)(WIDE_FN(way) * way, __m256d x, scree_push_way how)
{
    __m256i bits = _mm256_castpd_si256(_mm256_add_pd(way->magic, x));
    __m256i count = _mm256_sllv_epi64(_mm256_sub_epi64(bits, way->bits), way->shift);

    way->differ = _mm256_or_si256(way->differ, _mm256_xor_si256(bits, way->bits));
    if (how != PUSH_FEW)
        way->large = _mm256_or_si256(
            way->large, _mm256_add_epi64(count, _mm256_set1_epi64x((long long)SCREE_SUM_PART)));
    return count;
}

/*  The lower part has 36 bits. The upper part is small enough for 2^57 units. */
static inline WIDE_TARGET __m256i WIDE_FN(count_long)(WIDE_FN(way) * way, __m256d x, __m256d unit)
{
    /* magic is 1.5 times 2^52 quanta: the difference from its power of two is 2^51 */
    __m256d most = way->magic - WIDE_FN(power_of)(way->magic),
            whole = (way->magic + x) - way->magic;
    __m256d base = unit * wide_set(0x1p36), rounded, upper, rest, lower;
    __m256i high, low;

    rounded = wide_where(most, wide_abs(x), x, whole);
    upper = base + rounded;
    rest = rounded - (upper - base);
    lower = unit + rest;
    high = _mm256_sub_epi64(_mm256_castpd_si256(upper), _mm256_castpd_si256(base));
    low = _mm256_sub_epi64(_mm256_castpd_si256(lower), _mm256_castpd_si256(unit));
    way->large =
        _mm256_or_si256(way->large, _mm256_add_epi64(high, _mm256_set1_epi64x((long long)1 << 21)));
    return _mm256_add_epi64(_mm256_slli_epi64(high, 36), low);
}

static inline WIDE_TARGET bool WIDE_FN(way_is_open)(const WIDE_FN(way) * way)
{
    __m256i differ =
        _mm256_and_si256(way->differ, _mm256_set1_epi64x((long long)SCREE_TOP_OF_NUMBER));
    __m256i large =
        _mm256_and_si256(way->large, _mm256_set1_epi64x(~(2 * (long long)SCREE_SUM_PART - 1)));

    differ = _mm256_or_si256(differ, large);
    return _mm256_testz_si256(differ, differ);
}

static inline WIDE_TARGET bool WIDE_FN(long_way_is_open)(const WIDE_FN(way) * way)
{
    return _mm256_testz_si256(way->large, _mm256_set1_epi64x(~(((long long)1 << 22) - 1)));
}

static inline WIDE_TARGET bool WIDE_FN(none_beyond)(__m256i reach)
{
    return _mm256_testz_si256(reach, _mm256_set1_epi64x(~(2 * (long long)SCREE_SUM_SEEN - 1)));
}

static inline WIDE_TARGET __m256d WIDE_FN(keep_lanes)(__m256d x, uint32_t kept)
{
    const __m256i bit = _mm256_setr_epi64x(1, 2, 4, 8);
    __m256i is_kept = _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(kept), bit), bit);

    return _mm256_and_pd(x, _mm256_castsi256_pd(is_kept));
}

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(rows_of_counts)(const __m256i count[3], __m256d row[4])
{
    transpose_avx2(_mm256_castsi256_pd(count[0]), _mm256_castsi256_pd(count[1]),
                   _mm256_castsi256_pd(count[2]), _mm256_setzero_pd(), row);
}

/*  Transposes columns to rows, so that a row of a line needs one load and one store. */
SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(add_counts)(scree_sum_line *line, const uint32_t *slot,
                                                       const __m256i force[3],
                                                       const __m256i torque[3], int64_t sign,
                                                       scree_push_way how, __m256i *reach)
{
    const __m256i half = _mm256_set1_epi64x((long long)SCREE_SUM_SEEN);
    __m256d force_row[4], torque_row[4];

    WIDE_FN(rows_of_counts)(force, force_row);
    WIDE_FN(rows_of_counts)(torque, torque_row);
    /* one lane after the other, since two may have the same body */
    for (int lane = 0; lane < 4; lane++) {
        __m256i *to = (__m256i *)(void *)&line[slot[lane]];
        __m256i counts = _mm256_castpd_si256(force_row[lane]), sum = _mm256_load_si256(to);
        __m256i turn = _mm256_castpd_si256(torque_row[lane]), turns = _mm256_load_si256(to + 1);
        sum = sign > 0 ? _mm256_add_epi64(sum, counts) : _mm256_sub_epi64(sum, counts);
        turns = _mm256_add_epi64(turns, turn);
        _mm256_store_si256(to, sum);
        _mm256_store_si256(to + 1, turns);
        if (how != PUSH_FEW)
            *reach = _mm256_or_si256(*reach, _mm256_or_si256(_mm256_add_epi64(sum, half),
                                                             _mm256_add_epi64(turns, half)));
    }
}
#else
typedef __m512i WIDE_FN(counts);
typedef __m512i WIDE_FN(reach_bits);

static inline WIDE_TARGET __m512d WIDE_FN(power_of)(__m512d x)
{
    return _mm512_castsi512_pd(
        _mm512_and_si512(_mm512_castpd_si512(x), _mm512_set1_epi64((long long)SCREE_EXPONENT)));
}

typedef struct WIDE_FN(way)
{
    __m512d magic;
    __m512i bits, shift, differ, large;
} WIDE_FN(way);

static inline WIDE_TARGET void WIDE_FN(set_way)(WIDE_FN(way) * way, __m512d magic, __m512d unit,
                                                scree_push_way how)
{
    way->magic = magic;
    way->bits = _mm512_castpd_si512(magic);
    way->shift = _mm512_srli_epi64(_mm512_sub_epi64(way->bits, _mm512_castpd_si512(unit)), 52);
    way->differ = _mm512_maskz_set1_epi64(
        _mm512_cmpgt_epi64_mask(way->shift, _mm512_set1_epi64(max_shift(how))),
        (long long)SCREE_TOP_OF_NUMBER);
    way->large = _mm512_setzero_si512();
}

static inline WIDE_TARGET __m512i WIDE_FN(count)(WIDE_FN(way) * way, __m512d x, scree_push_way how)
{
    __m512i bits = _mm512_castpd_si512(_mm512_add_pd(way->magic, x));
    __m512i count = _mm512_sllv_epi64(_mm512_sub_epi64(bits, way->bits), way->shift);

    way->differ = _mm512_or_si512(way->differ, _mm512_xor_si512(bits, way->bits));
    if (how != PUSH_FEW)
        way->large = _mm512_or_si512(
            way->large, _mm512_add_epi64(count, _mm512_set1_epi64((long long)SCREE_SUM_PART)));
    return count;
}

/*  The lower part has 36 bits. The upper part is small enough for 2^57 units. */
static inline WIDE_TARGET __m512i WIDE_FN(count_long)(WIDE_FN(way) * way, __m512d x, __m512d unit)
{
    /* magic is 1.5 times 2^52 quanta: the difference from its power of two is 2^51 */
    __m512d most = way->magic - WIDE_FN(power_of)(way->magic),
            whole = (way->magic + x) - way->magic;
    __m512d base = unit * wide_set(0x1p36), rounded, upper, rest, lower;
    __m512i high, low;

    rounded = wide_where(most, wide_abs(x), x, whole);
    upper = base + rounded;
    rest = rounded - (upper - base);
    lower = unit + rest;
    high = _mm512_sub_epi64(_mm512_castpd_si512(upper), _mm512_castpd_si512(base));
    low = _mm512_sub_epi64(_mm512_castpd_si512(lower), _mm512_castpd_si512(unit));
    way->large =
        _mm512_or_si512(way->large, _mm512_add_epi64(high, _mm512_set1_epi64((long long)1 << 21)));
    return _mm512_add_epi64(_mm512_slli_epi64(high, 36), low);
}

static inline WIDE_TARGET bool WIDE_FN(way_is_open)(const WIDE_FN(way) * way)
{
    __m512i differ =
        _mm512_and_si512(way->differ, _mm512_set1_epi64((long long)SCREE_TOP_OF_NUMBER));
    __m512i large =
        _mm512_and_si512(way->large, _mm512_set1_epi64(~(2 * (long long)SCREE_SUM_PART - 1)));

    differ = _mm512_or_si512(differ, large);
    return _mm512_test_epi64_mask(differ, differ) == 0;
}

static inline WIDE_TARGET bool WIDE_FN(long_way_is_open)(const WIDE_FN(way) * way)
{
    return _mm512_test_epi64_mask(way->large, _mm512_set1_epi64(~(((long long)1 << 22) - 1))) == 0;
}

static inline WIDE_TARGET bool WIDE_FN(none_beyond)(__m512i reach)
{
    return _mm512_test_epi64_mask(reach, _mm512_set1_epi64(~(2 * (long long)SCREE_SUM_SEEN - 1))) ==
           0;
}

static inline WIDE_TARGET __m512d WIDE_FN(keep_lanes)(__m512d x, uint32_t kept)
{
    return _mm512_maskz_mov_pd((__mmask8)kept, x);
}

/*  Lanes 0 and 4, 1 and 5, and so on, in one vector each. */
SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(pairs_of_counts)(const __m512i count[3], __m512d pair[4])
{
    transpose_avx512(_mm512_castsi512_pd(count[0]), _mm512_castsi512_pd(count[1]),
                     _mm512_castsi512_pd(count[2]), _mm512_setzero_pd(), pair);
}

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(add_line)(scree_sum_line *line, __m512d counts,
                                                     scree_push_way how, __m512i *reach)
{
    __m512i *to = (__m512i *)(void *)line;
    __m512i sum = _mm512_add_epi64(_mm512_load_si512(to), _mm512_castpd_si512(counts));

    _mm512_store_si512(to, sum);
    if (how != PUSH_FEW)
        *reach = _mm512_or_si512(
            *reach, _mm512_add_epi64(sum, _mm512_set1_epi64((long long)SCREE_SUM_SEEN)));
}

/*  Transposes columns to lines, so that a line needs one load and one store. */
SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(add_counts)(scree_sum_line *line, const uint32_t *slot,
                                                       const __m512i force[3],
                                                       const __m512i torque[3], int64_t sign,
                                                       scree_push_way how, __m512i *reach)
{
    __m512i pushes[3];
    __m512d force_pair[4], torque_pair[4];

    for (int k = 0; k < 3; k++)
        pushes[k] = sign > 0 ? force[k] : _mm512_sub_epi64(_mm512_setzero_si512(), force[k]);
    WIDE_FN(pairs_of_counts)(pushes, force_pair);
    WIDE_FN(pairs_of_counts)(torque, torque_pair);
    /* one lane after the other, since two may have the same body */
    for (int lane = 0; lane < 4; lane++) {
        WIDE_FN(add_line)
        (line + slot[lane], _mm512_shuffle_f64x2(force_pair[lane], torque_pair[lane], 0x44), how,
         reach);
        WIDE_FN(add_line)
        (line + slot[4 + lane], _mm512_shuffle_f64x2(force_pair[lane], torque_pair[lane], 0xee),
         how, reach);
    }
}
#endif

/*  Result of one vector of contacts: force on the first body, and the torque on each. */
typedef struct WIDE_FN(exerted)
{
    wide force[3], torque[2][3];
    wide mass, radius;              /* effective, for the quanta */
    const uint32_t *first, *second; /* slots; no `second`: walls */
} WIDE_FN(exerted);

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(cross)(const wide n[3], const wide f[3], wide turn[3])
{
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        turn[a] = n[b] * f[c] - n[c] * f[b];
    }
}

/*  Loads a vector from columns. */
SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(exerted)
    WIDE_FN(load_exerted)(const scree_pushes *p, uint32_t at)
{
    wide n[3], turn[3], arm[2] = {wide_load(p->arm[0] + at), wide_load(p->arm[1] + at)};
    WIDE_FN(exerted) e;

    e.first = p->first + at;
    e.second = p->second ? p->second + at : NULL;
    e.mass = wide_load(p->mass + at);
    e.radius = wide_load(p->radius + at);
    for (int k = 0; k < 3; k++) {
        e.force[k] = wide_load(p->force[k] + at);
        n[k] = wide_load(p->normal[k] + at);
    }
    WIDE_FN(cross)(n, e.force, turn);
    for (int a = 0; a < 3; a++) {
        e.torque[0][a] = arm[0] * turn[a];
        e.torque[1][a] = arm[1] * turn[a];
        if (p->moment[0]) {
            wide moment = wide_load(p->moment[a] + at);
            e.torque[0][a] = e.torque[0][a] + moment;
            e.torque[1][a] = e.torque[1][a] - moment;
        }
    }
    return e;
}

/*  Lanes without a bit in `kept` also have valid slots, but add nothing, whatever their values. */
SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(keep_exerted)(WIDE_FN(exerted) * e, uint32_t kept)
{
    for (int a = 0; a < 3; a++) {
        e->force[a] = WIDE_FN(keep_lanes)(e->force[a], kept);
        e->torque[0][a] = WIDE_FN(keep_lanes)(e->torque[0][a], kept);
        e->torque[1][a] = WIDE_FN(keep_lanes)(e->torque[1][a], kept);
    }
}

SCREE_KERNEL_PART WIDE_TARGET bool WIDE_FN(push_some)(scree_sums *sums, scree_sum_line *line,
                                                      const scree_quantum_rule *rule,
                                                      const WIDE_FN(exerted) * e,
                                                      scree_push_way how)
{
    const bool is_long = how == PUSH_LONG;
    const wide force_unit = wide_set(scree_sum_magic(sums->unit.force));
    const wide torque_unit = wide_set(scree_sum_magic(sums->unit.torque));
    WIDE_FN(counts) force[3], torque[2][3];
    WIDE_FN(way) force_way, torque_way;
    WIDE_FN(reach_bits) reach = {0};

    /* as in scree_quantum_of */
    wide size = WIDE_FN(power_of)(e->radius);
    wide magic = WIDE_FN(power_of)(e->mass) * wide_set(rule->force);
    if (!rule->has_weight)
        magic = magic * size;
    magic = magic * wide_set(0x1.8p52);
    WIDE_FN(set_way)(&force_way, magic, force_unit, how);
    WIDE_FN(set_way)(&torque_way, magic * size, torque_unit, how);

    for (int a = 0; a < 3; a++) {
        if (is_long) {
            force[a] = WIDE_FN(count_long)(&force_way, e->force[a], force_unit);
            torque[0][a] = WIDE_FN(count_long)(&torque_way, e->torque[0][a], torque_unit);
            torque[1][a] = WIDE_FN(count_long)(&torque_way, e->torque[1][a], torque_unit);
            continue;
        }
        force[a] = WIDE_FN(count)(&force_way, e->force[a], how);
        torque[0][a] = WIDE_FN(count)(&torque_way, e->torque[0][a], how);
        torque[1][a] = WIDE_FN(count)(&torque_way, e->torque[1][a], how);
    }
    if (is_long ? !WIDE_FN(long_way_is_open)(&force_way) || !WIDE_FN(long_way_is_open)(&torque_way)
                : !WIDE_FN(way_is_open)(&force_way) || !WIDE_FN(way_is_open)(&torque_way))
        return false;
    WIDE_FN(add_counts)(line, e->first, force, torque[0], 1, how, &reach);
    if (e->second)
        WIDE_FN(add_counts)(line, e->second, force, torque[1], -1, how, &reach);
    if (!WIDE_FN(none_beyond)(reach))
        for (uint32_t k = 0; k < WIDE_LANES; k++) {
            scree_sums_look(sums, line + e->first[k]);
            if (e->second)
                scree_sums_look(sums, line + e->second[k]);
        }
    return true;
}

/*  False if a contact must be added on its own. `few`: no body has more contacts than SCREE_FEW_CONTACTS. */
SCREE_KERNEL_PART WIDE_TARGET bool WIDE_FN(push_exerted)(scree_sums *sums, uint32_t worker,
                                                         const scree_quantum_rule *rule,
                                                         const WIDE_FN(exerted) * e, bool few)
{
    scree_sum_line *line = scree_sums_of(sums, worker);
    uint8_t *touched = scree_sums_touched_by(sums, worker);

    if (sums->words != 1)
        return false;
    for (uint32_t k = 0; touched && k < WIDE_LANES; k++) {
        scree_sums_touch(touched, e->first[k]);
        if (e->second)
            scree_sums_touch(touched, e->second[k]);
    }
    return (few && WIDE_FN(push_some)(sums, line, rule, e, PUSH_FEW)) ||
           WIDE_FN(push_some)(sums, line, rule, e, PUSH_SHORT) ||
           WIDE_FN(push_some)(sums, line, rule, e, PUSH_LONG);
}
