/*  Force sums at the end of a step, at one SIMD level: see sum_kernels.h. Force and torque are processed together. */

/*  Converts whole numbers of units to doubles, rounded once; `unit` is 0 for values without a sum. */
#if WIDE_LEVEL == WIDE_SCALAR || WIDE_LEVEL == WIDE_128
static inline row_pair WIDE_FN(pair_of_counts)(const scree_sum_line *line, row_pair unit)
{
    const int64_t *force = line->force, *torque = line->torque;
    const row_pair counts = {{(double)force[0], (double)force[1], (double)force[2], 0,
                              (double)torque[0], (double)torque[1], (double)torque[2], 0}};

    return WIDE_FN(pair_mul)(counts, unit);
}
#elif WIDE_LEVEL == WIDE_AVX2
/*  The upper half becomes the mantissa of a double whose last digit is 2^32, the lower half of one whose last digit
    is 1. Their offsets are subtracted exactly, and only the addition rounds. */
static inline WIDE_TARGET __m256d row_of_counts_avx2(const int64_t count[4])
{
    const __m256i high_bits = _mm256_set1_epi64x(0x4530000080000000);
    const __m256i low_bits = _mm256_set1_epi64x(0x4330000000000000);
    __m256i counts = _mm256_load_si256((const __m256i *)(const void *)count);
    __m256d high = _mm256_castsi256_pd(_mm256_xor_si256(_mm256_srli_epi64(counts, 32), high_bits));
    __m256d low = _mm256_castsi256_pd(_mm256_blend_epi32(low_bits, counts, 0x55));

    return _mm256_add_pd(_mm256_sub_pd(high, _mm256_set1_pd(0x1p84 + 0x1p63 + 0x1p52)), low);
}

static inline WIDE_TARGET row_pair pair_of_counts_avx2(const scree_sum_line *line, row_pair unit)
{
    row_pair counts = {row_of_counts_avx2(line->force), row_of_counts_avx2(line->torque)};
    return pair_mul_avx2(counts, unit);
}
#else
/*  As with AVX2. */
static inline WIDE_TARGET row_pair pair_of_counts_avx512(const scree_sum_line *line, row_pair unit)
{
    const __m512i high_bits = _mm512_set1_epi64(0x4530000080000000);
    const __m512i low_bits = _mm512_set1_epi64(0x4330000000000000);
    __m512i counts = _mm512_load_si512((const void *)line);
    __m512d high = _mm512_castsi512_pd(_mm512_xor_si512(_mm512_srli_epi64(counts, 32), high_bits));
    __m512d low = _mm512_castsi512_pd(_mm512_mask_mov_epi32(low_bits, 0x5555, counts));

    return ((high - _mm512_set1_pd(0x1p84 + 0x1p63 + 0x1p52)) + low) * unit;
}
#endif

/*  Joins the sums of one word of bodies begin .. end - 1, all of one group: adds those of all workers to the first
    worker that has any, and clears the others. */
static inline WIDE_TARGET scree_sum_line *WIDE_FN(join_lines)(const scree_sums *sums,
                                                              uint32_t begin, uint32_t end)
{
    const size_t group = begin / SCREE_SUM_GROUP;
    const scree_sum_line empty = {0};
    scree_sum_line *joined = NULL;

    for (uint32_t worker = 0; sums->touched && worker < sums->workers; worker++) {
        scree_sum_line *line = scree_sums_of(sums, worker);
        if (!sums->touched[worker * sums->groups + group])
            continue;
        for (uint32_t slot = begin; joined && slot < end; slot++) {
            for (int k = 0; k < 4; k++) {
                joined[slot].force[k] += line[slot].force[k];
                joined[slot].torque[k] += line[slot].torque[k];
            }
            line[slot] = empty;
        }
        joined = joined ? joined : line;
    }
    return joined ? joined : scree_sums_of(sums, 0);
}

/*  The sum of a body, which is cleared. A sum of one word is in these lines. */
static inline WIDE_TARGET row_pair WIDE_FN(take_sum)(scree_sums *sums, scree_sum_line *lines,
                                                     uint32_t slot, row_pair unit)
{
    const scree_sum_line empty = {0};
    row_pair sum;

    if (sums->words > 1) {
        double both[8] = {0};
        (void)scree_sums_read(sums, slot, both, both + 4);
        scree_sums_clear(sums, slot);
        return WIDE_FN(pair_load)(both, both + 4);
    }
    sum = WIDE_FN(pair_of_counts)(&lines[slot], unit);
    lines[slot] = empty;
    return sum;
}

static inline WIDE_TARGET row_pair WIDE_FN(load_of)(const scree_body_arrays *bodies, uint32_t slot)
{
    const double *load = bodies->load[slot];
    const double rows[2][4] = {{load[0], load[1], load[2]}, {load[3], load[4], load[5]}};

    return WIDE_FN(pair_load)(rows[0], rows[1]);
}

/*  `finishes` and `has_loads` are compile-time constants. */
SCREE_KERNEL_PART WIDE_TARGET row_pair WIDE_FN(sum_some)(const scree_sum_run *run, uint32_t begin,
                                                         uint32_t end, bool finishes,
                                                         bool has_loads)
{
    scree_sums *sums = run->job->sums;
    const scree_body_arrays *bodies = run->job->bodies;
    const double *g = run->job->step->def->gravity, f = sums->unit.force, t = sums->unit.torque;
    const double units[2][4] = {{f, f, f, 0}, {t, t, t, 0}}, pull[4] = {g[0], g[1], g[2], 0};
    const double part[4] = {run->share, run->share, run->share, 0};
    const row_pair unit = WIDE_FN(pair_load)(units[0], units[1]);
    const row_pair gravity = WIDE_FN(pair_load)(pull, pull);
    const row_pair share = WIDE_FN(pair_load)(part, part), nothing = WIDE_FN(pair_set)(0);
    double(*force)[4] = bodies->force, (*torque)[4] = bodies->torque;
    double(*velocity)[4] = bodies->velocity, (*spin)[4] = bodies->spin;
    const double(*inertia)[4] = (const double(*)[4])bodies->inertia;
    const double(*before)[4] = run->force, (*torque_before)[4] = run->torque;
    row_pair probe = nothing;
    scree_sum_line *lines = NULL;

    for (uint32_t slot = begin; slot < end; slot++) {
        if (sums->words == 1 && (slot == begin || slot % SCREE_SUM_GROUP == 0))
            lines = WIDE_FN(join_lines)(sums, slot, scree_sums_group_end(slot, end));
        row_pair sum = WIDE_FN(take_sum)(sums, lines, slot, unit);
        row_pair mass = WIDE_FN(pair_set)(inertia[slot][3]);
        row_pair weight = WIDE_FN(pair_mul)(mass, gravity);
        if (has_loads)
            sum = WIDE_FN(pair_add)(
                sum, WIDE_FN(pair_add_lower)(WIDE_FN(load_of)(bodies, slot), weight));
        else
            sum = WIDE_FN(pair_add_lower)(sum, weight);
        /* zero times a finite number is zero */
        probe = WIDE_FN(pair_add)(probe, WIDE_FN(pair_mul)(sum, nothing));
        if (finishes) {
            row_pair motion = WIDE_FN(pair_load)(velocity[slot], spin[slot]);
            row_pair old = WIDE_FN(pair_load)(before[slot], torque_before[slot]);
            row_pair change =
                WIDE_FN(pair_mul)(WIDE_FN(pair_sub)(sum, old), WIDE_FN(pair_fourth)(motion));
            change = WIDE_FN(pair_mul)(change, share);
            WIDE_FN(pair_store)(velocity[slot], spin[slot], WIDE_FN(pair_add)(motion, change));
        }
        /* the result may overwrite the previous sums */
        WIDE_FN(pair_store)(force[slot], torque[slot], sum);
    }
    return probe;
}

static WIDE_TARGET bool WIDE_FN(sum_bodies)(const scree_sum_run *run, uint32_t begin, uint32_t end)
{
    row_pair probe = run->job->bodies->loaded
                         ? WIDE_FN(sum_some)(run, begin, end, run->finishes, true)
                     : run->finishes ? WIDE_FN(sum_some)(run, begin, end, true, false)
                                     : WIDE_FN(sum_some)(run, begin, end, false, false);
    double rows[2][4], all = 0;

    WIDE_FN(pair_store)(rows[0], rows[1], probe);
    for (int k = 0; k < 4; k++)
        all += rows[0][k] + rows[1][k];
    return all == 0;
}
