/*  Sums, kicks and turns of bodies at one SIMD level: see body_kernels.h. */

/* ---- sums ---- */

/*  The row of the contact of an entry, as force and torque on the body whose entry it is. */
SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(add_row)(const scree_contact_sets *sets, uint32_t number,
                                                    uint32_t side, bool is_mixed, row4 *force,
                                                    row4 *torque)
{
    row4 pushed, turned;
    double arm;

    if (is_mixed) {
        const float *row = sets->float_row[number];
#if WIDE_LEVEL == WIDE_SCALAR
        pushed = row4_load_floats(row);
        turned = row4_load_floats(row + 4);
#else
        pushed = (row4)_mm256_cvtps_pd(_mm_loadu_ps(row));
        turned = (row4)_mm256_cvtps_pd(_mm_loadu_ps(row + 4));
#endif
        arm = (double)row[3 + 4 * side];
    } else {
        const double *row = sets->row[number];
        pushed = row4_load(row);
        turned = row4_load(row + 4);
        arm = row[3 + 4 * side];
    }
    *force = row4_add(*force, row4_mul(row4_set(signs[side]), pushed));
    *torque = row4_add(*torque, row4_mul(row4_set(arm), turned));
}

SCREE_KERNEL_PART void WIDE_FN(fetch_row)(const scree_contact_sets *sets, uint32_t number,
                                          bool is_mixed, bool has_moments)
{
    if (is_mixed)
        fetch(sets->float_row[number]);
    else
        fetch(sets->row[number]);
    if (has_moments)
        fetch(sets->moment[number]);
}

/*  Sums of rows over a body's contacts, and of the moments of laws that have such. `is_mixed` and `has_moments` are
    constants to the compiler. */
SCREE_KERNEL_PART WIDE_TARGET void
WIDE_FN(sum_contacts)(const scree_contact_list *list, const scree_contact_sets *sets, uint32_t slot,
                      bool is_mixed, bool has_moments, row4 *force, row4 *torque)
{
    const uint32_t end = list->end[slot];
#if WIDE_LEVEL == WIDE_AVX512
    /* force and torque as one: a row times {sign, sign, sign, sign, arm, arm, arm, arm} */
    const __m512d of_side = _mm512_setr_pd(1, -1, 0, 0, 0, 0, 0, 0);
    const __m512i first = _mm512_setr_epi64(8, 8, 8, 8, 3, 3, 3, 3);
    const __m512i second = _mm512_setr_epi64(9, 9, 9, 9, 7, 7, 7, 7);
    __m512d sum = _mm512_setzero_pd();
#else
    *force = *torque = row4_set(0);
#endif

    for (uint32_t e = list->begin[slot]; e < end; e++) {
        uint32_t entry = list->entry[e], number = list->number_next[entry >> 1][0];
        uint32_t ahead = list->number_next[list->entry[e + SCREE_ENTRIES_AHEAD] >> 1][0];
        WIDE_FN(fetch_row)(sets, ahead, is_mixed, has_moments);
#if WIDE_LEVEL == WIDE_AVX512
        __m512d row = is_mixed ? _mm512_cvtps_pd(_mm256_loadu_ps(sets->float_row[number]))
                               : _mm512_loadu_pd(sets->row[number]);
        __m512i choice = _mm512_mask_blend_epi64((__mmask8) - (int)(entry & 1), first, second);
        sum = _mm512_add_pd(sum, _mm512_mul_pd(_mm512_permutex2var_pd(row, choice, of_side), row));
        if (has_moments) {
            __m256d moment = _mm256_mul_pd(_mm256_set1_pd(signs[entry & 1]),
                                           _mm256_loadu_pd(sets->moment[number]));
            sum = _mm512_mask_add_pd(sum, 0xf0, sum, _mm512_broadcast_f64x4(moment));
        }
#else
        WIDE_FN(add_row)(sets, number, entry & 1, is_mixed, force, torque);
        if (has_moments)
            *torque = row4_add(
                *torque, row4_mul(row4_set(signs[entry & 1]), row4_load(sets->moment[number])));
#endif
    }
#if WIDE_LEVEL == WIDE_AVX512
    *force = (row4)_mm512_castpd512_pd256(sum);
    *torque = (row4)_mm512_extractf64x4_pd(sum, 1);
#endif
}

/*  `is_mixed` and `has_moments` are constants in each of the four that use this. */
SCREE_KERNEL_PART WIDE_TARGET bool WIDE_FN(sum_rows)(const scree_sum_run *run, uint32_t begin,
                                                     uint32_t end, bool is_mixed, bool has_moments)
{
    scree_world *world = run->world;
    scree_crowd *bodies = &world->bodies;
    const scree_contact_list *list = &world->pairs;
    const scree_contact_sets *sets = &world->contacts;
    const scree_surface_list *walls = world->surfaces.next.count ? &world->surfaces.next : NULL;
    const double *g = world->def.gravity;
    const row4 gravity = row4_of(g[0], g[1], g[2], 0), zero = row4_set(0);
    const row4 share = row4_of(run->share, run->share, run->share, 0);
    bool has_loads = bodies->loaded != 0;
    row4 probe = zero;

    for (uint32_t slot = begin; slot < end; slot++) {
        row4 force, torque;
        WIDE_FN(sum_contacts)(list, sets, slot, is_mixed, has_moments, &force, &torque);
        for (uint32_t c = walls ? walls->begin[slot] : 0; walls && c < walls->end[slot]; c++) {
            force = row4_add(force, row4_load(walls->row[c]));
            torque = row4_add(torque, row4_load(walls->row[c] + 4));
        }
        row4 applied = row4_mul(row4_set(bodies->inertia[slot][3]), gravity);
        if (has_loads) {
            const double *load = bodies->load[slot];
            applied = row4_add(applied, row4_of(load[0], load[1], load[2], 0));
            torque = row4_add(torque, row4_of(load[3], load[4], load[5], 0));
        }
        force = row4_three(row4_add(force, applied));
        torque = row4_three(torque);
        row4_store(bodies->force[slot], force);
        row4_store(bodies->torque[slot], torque);
        /* zero times a finite number is zero */
        probe = row4_add(probe, row4_add(row4_mul(force, zero), row4_mul(torque, zero)));
        if (run->finishes) {
            row4 velocity = row4_load(bodies->velocity[slot]), spin = row4_load(bodies->spin[slot]);
            row4 kick = row4_sub(force, row4_load(bodies->force_twin[slot]));
            row4 turn = row4_sub(torque, row4_load(bodies->torque_twin[slot]));
            kick = row4_mul(row4_mul(kick, row4_set(bodies->velocity[slot][3])), share);
            turn = row4_mul(row4_mul(turn, row4_set(bodies->spin[slot][3])), share);
            row4_store(bodies->velocity[slot], row4_add(velocity, kick));
            row4_store(bodies->spin[slot], row4_add(spin, turn));
        }
    }
    double sums[4];
    row4_store(sums, probe);
    return sums[0] + sums[1] + sums[2] == 0;
}

/*  Each by itself: together in one function they would be in each other's way. */
#define SUM_WAY(name, is_mixed, has_moments)                                                       \
    static WIDE_TARGET bool WIDE_FN(name)(const scree_sum_run *run, uint32_t begin, uint32_t end)  \
    {                                                                                              \
        return WIDE_FN(sum_rows)(run, begin, end, is_mixed, has_moments);                          \
    }
SUM_WAY(sum_forces, false, false)
SUM_WAY(sum_moments, false, true)
SUM_WAY(sum_mixed, true, false)
SUM_WAY(sum_mixed_moments, true, true)
#undef SUM_WAY

static bool WIDE_FN(sum_bodies)(const scree_sum_run *run, uint32_t begin, uint32_t end)
{
    static scree_sum_fn *const ways[2][2] = {{WIDE_FN(sum_forces), WIDE_FN(sum_moments)},
                                             {WIDE_FN(sum_mixed), WIDE_FN(sum_mixed_moments)}};
    const scree_contact_sets *sets = &run->world->contacts;

    return ways[sets->is_mixed][sets->has_moments](run, begin, end);
}

/* ---- kicks and turns ---- */

/*  As scree_turn, of as many as there are lanes; false where some turn by so much that the series do not reach,
    and nothing is done. */
static inline WIDE_TARGET bool WIDE_FN(turn_some)(scree_crowd *bodies, double dt, double share,
                                                  uint32_t slot)
{
    const wide zero = wide_set(0), one = wide_set(1), step = wide_set(0.5 * dt);
    wide spin[4], torque[4], q[4], half[3], turned[4];

    wide_load_rows(bodies->spin_twin[slot], side_by_side, spin);
    wide_load_rows(bodies->torque_twin[slot], side_by_side, torque);
    for (int k = 0; k < 3; k++)
        half[k] = (spin[k] + torque[k] * spin[3] * wide_set(share)) * step;
    wide s = half[0] * half[0] + half[1] * half[1] + half[2] * half[2];
    if (wide_less_equal(s, wide_set(SCREE_MOST_OF_SERIES)) != (1u << WIDE_LANES) - 1)
        return false;

    /* see scree_turn_by_half */
    wide w = one + s * (wide_set(-1.0 / 2) +
                        s * (wide_set(1.0 / 24) +
                             s * (wide_set(-1.0 / 720) +
                                  s * (wide_set(1.0 / 40320) + s * wide_set(-1.0 / 3628800)))));
    wide sine = one + s * (wide_set(-1.0 / 6) +
                           s * (wide_set(1.0 / 120) +
                                s * (wide_set(-1.0 / 5040) + s * (wide_set(1.0 / 362880) +
                                                                  s * wide_set(-1.0 / 39916800)))));
    wide x = sine * half[0], y = sine * half[1], z = sine * half[2];
    wide_load_rows(bodies->orientation_twin[slot], side_by_side, q);
    turned[0] = w * q[0] - x * q[1] - y * q[2] - z * q[3];
    turned[1] = w * q[1] + x * q[0] + y * q[3] - z * q[2];
    turned[2] = w * q[2] - x * q[3] + y * q[0] + z * q[1];
    turned[3] = w * q[3] + x * q[2] - y * q[1] + z * q[0];
    wide norm = (turned[0] * turned[0] + turned[1] * turned[1]) +
                (turned[2] * turned[2] + turned[3] * turned[3]);
    wide scale = wide_set(1.5) - wide_set(0.5) * norm;
    /* what does not turn keeps its bits */
    wide most = wide_max(wide_abs(half[0]), wide_max(wide_abs(half[1]), wide_abs(half[2])));
    for (int k = 0; k < 4; k++)
        turned[k] = wide_where(most, zero, q[k], turned[k] * scale);
    wide_store_rows(bodies->orientation[slot], 4, turned);
    return true;
}

static inline WIDE_TARGET void WIDE_FN(kick)(scree_crowd *bodies, double dt, double share,
                                             uint32_t slot)
{
    /* the fourth of a row is not a velocity: it goes nowhere */
    const row4 step = row4_of(dt, dt, dt, 0), part = row4_set(share);
    const double *velocity_row = bodies->velocity_twin[slot], *spin_row = bodies->spin_twin[slot];
    row4 velocity = row4_load(velocity_row), spin = row4_load(spin_row);
    row4 acceleration = row4_mul(row4_load(bodies->force_twin[slot]), row4_set(velocity_row[3]));
    row4 turning = row4_mul(row4_load(bodies->torque_twin[slot]), row4_set(spin_row[3]));
    row4 mean = row4_add(velocity, row4_mul(acceleration, part));

    row4_store(bodies->velocity[slot], row4_add(velocity, row4_mul(acceleration, step)));
    row4_store(bodies->position[slot],
               row4_add(row4_load(bodies->position_twin[slot]), row4_mul(mean, step)));
    row4_store(bodies->spin[slot], row4_add(spin, row4_mul(turning, step)));
}

static WIDE_TARGET void WIDE_FN(drift_bodies)(scree_crowd *bodies, double dt, double share,
                                              uint32_t begin, uint32_t end)
{
    uint32_t at = begin;

    for (uint32_t slot = begin; slot < end; slot++)
        WIDE_FN(kick)(bodies, dt, share, slot);
    while (at < end) {
        uint32_t many = end - at < WIDE_LANES ? 1 : WIDE_LANES;
        if (many == WIDE_LANES && WIDE_FN(turn_some)(bodies, dt, share, at)) {
            at += WIDE_LANES;
            continue;
        }
        for (uint32_t slot = at; slot < at + many; slot++)
            turn_one(bodies, dt, share, slot);
        at += many;
    }
}

/* ---- ways ---- */

/*  Every operation here errs by half a last bit of its result, and results are no more than what is added: the
    rest of `grain` is spare. */
static inline WIDE_TARGET wide WIDE_FN(shorten)(wide from, wide way)
{
    return from - (way + wide_abs(from) * wide_set(2 * DBL_EPSILON));
}

static WIDE_TARGET void WIDE_FN(follow_bodies)(const scree_crowd *bodies,
                                               scree_surface_search *search, uint32_t begin,
                                               uint32_t end)
{
    const wide more = wide_set(1 + 16 * DBL_EPSILON);
    double *left = search->left, *clear = search->clear;
    uint32_t slot = begin;

    for (; slot + WIDE_LANES <= end; slot += WIDE_LANES) {
        wide a[4], b[4];
        wide_load_rows(bodies->position[slot], side_by_side, a);
        wide_load_rows(bodies->position_twin[slot], side_by_side, b);
        wide x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
        wide way = wide_sqrt(x * x + y * y + z * z) * more;
        wide_store(left + slot, WIDE_FN(shorten)(wide_load(left + slot), way));
        wide_store(clear + slot, WIDE_FN(shorten)(wide_load(clear + slot), way));
    }
    if (slot < end && WIDE_LANES > 1)
        follow_bodies_scalar(bodies, search, slot, end);
}
