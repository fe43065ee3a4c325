/*  Sums of forces as they are at the end of a step, at one SIMD level: see sum_kernels.h. */

/*  Whole numbers of units as numbers, rounded once. */
#if WIDE_LEVEL == WIDE_SCALAR
static inline void row_of_counts_scalar(const int64_t count[4], double unit, row4 *row)
{
    *row = row4_of((double)count[0] * unit, (double)count[1] * unit, (double)count[2] * unit, 0);
}
#else
/*  The upper half belongs to a double whose last digit is 2^32, the lower one to one whose last digit is 1; the offsets that make
    them so go away exactly, and the one addition rounds. */
static inline WIDE_TARGET void WIDE_FN(row_of_counts)(const int64_t count[4], double unit,
                                                      row4 *row)
{
    const __m256i high_bits = _mm256_set1_epi64x(0x4530000080000000);
    const __m256i low_bits = _mm256_set1_epi64x(0x4330000000000000);
    __m256i counts = _mm256_load_si256((const __m256i *)(const void *)count);
    __m256d high = _mm256_castsi256_pd(_mm256_xor_si256(_mm256_srli_epi64(counts, 32), high_bits));
    __m256d low = _mm256_castsi256_pd(_mm256_blend_epi32(low_bits, counts, 0x55));
    __m256d sum = _mm256_add_pd(_mm256_sub_pd(high, _mm256_set1_pd(0x1p84 + 0x1p63 + 0x1p52)), low);

    *row = (row4)_mm256_mul_pd(sum, _mm256_set1_pd(unit));
}
#endif

/*  What all workers added; it is 0 again then. */
static inline WIDE_TARGET void WIDE_FN(take_sum)(scree_sums *sums, uint32_t slot, row4 *force,
                                                 row4 *torque)
{
    const scree_sum_line empty = {0};
    scree_sum_line *line = scree_sums_of(sums, 0) + slot;

    if (sums->words > 1) {
        double both[8] = {0};
        (void)scree_sums_read(sums, slot, both, both + 4);
        scree_sums_clear(sums, slot);
        *force = row4_load(both);
        *torque = row4_load(both + 4);
        return;
    }
    for (uint32_t worker = 1; worker < sums->workers; worker++) {
        scree_sum_line *other = scree_sums_of(sums, worker) + slot;
        for (int k = 0; k < 4; k++) {
            line->force[k] += other->force[k];
            line->torque[k] += other->torque[k];
        }
        *other = empty;
    }
    WIDE_FN(row_of_counts)(line->force, sums->unit.force, force);
    WIDE_FN(row_of_counts)(line->torque, sums->unit.torque, torque);
    *line = empty;
}

static WIDE_TARGET bool WIDE_FN(sum_bodies)(const scree_sum_run *run, uint32_t begin, uint32_t end)
{
    scree_crowd *bodies = run->job->bodies;
    const double *g = run->job->step->def->gravity;
    const row4 gravity = row4_of(g[0], g[1], g[2], 0), zero = row4_set(0);
    const row4 share = row4_of(run->share, run->share, run->share, 0);
    bool has_loads = bodies->loaded != 0;
    row4 probe = zero;

    for (uint32_t slot = begin; slot < end; slot++) {
        row4 force, torque;
        WIDE_FN(take_sum)(run->job->sums, slot, &force, &torque);
        row4 applied = row4_mul(row4_set(bodies->inertia[slot][3]), gravity);
        if (has_loads) {
            const double *load = bodies->load[slot];
            applied = row4_add(applied, row4_of(load[0], load[1], load[2], 0));
            torque = row4_add(torque, row4_of(load[3], load[4], load[5], 0));
        }
        force = row4_three(row4_add(force, applied));
        torque = row4_three(torque);
        /* zero times a finite number is zero */
        probe = row4_add(probe, row4_add(row4_mul(force, zero), row4_mul(torque, zero)));
        if (run->finishes) {
            row4 velocity = row4_load(bodies->velocity[slot]), spin = row4_load(bodies->spin[slot]);
            row4 kick = row4_sub(force, row4_load(run->force[slot]));
            row4 turn = row4_sub(torque, row4_load(run->torque[slot]));
            kick = row4_mul(row4_mul(kick, row4_set(bodies->velocity[slot][3])), share);
            turn = row4_mul(row4_mul(turn, row4_set(bodies->spin[slot][3])), share);
            row4_store(bodies->velocity[slot], row4_add(velocity, kick));
            row4_store(bodies->spin[slot], row4_add(spin, turn));
        }
        /* they may lie where those of the beginning did */
        row4_store(bodies->force[slot], force);
        row4_store(bodies->torque[slot], torque);
    }
    double sums[4];
    row4_store(sums, probe);
    return sums[0] + sums[1] + sums[2] == 0;
}
