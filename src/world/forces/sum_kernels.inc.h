/*  Sums of forces over contacts at one SIMD level: see sum_kernels.h. */

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
