/*  The kernels at one SIMD level: see flat_sweep.c, which includes this once a level. Everything is
    written once over the kind of volume and the number of dimensions, which are constants wherever
    it is used. */

/*  One body as it is put to the test, in every lane. */
typedef struct FLAT_FN(flat_probe)
{
    flat_wide at[SCREE_FLAT_COLUMNS];
} FLAT_FN(flat_probe);

FLAT_TARGET FLAT_INLINE FLAT_FN(flat_probe)
    FLAT_FN(make_probe)(const scree_flat *self, uint32_t i, flat_kind kind, int dimensions)
{
    FLAT_FN(flat_probe) probe;
    for (uint32_t k = 0; k < SCREE_FLAT_COLUMNS; k++)
        if (uses_column(k, kind, dimensions))
            probe.at[k] = flat_set(self->column[k][i]);
    return probe;
}

/*  How far from overlapping the bodies at `at` and behind are: see flat_plan.c for what it means. */
FLAT_TARGET FLAT_INLINE flat_wide FLAT_FN(apart)(const scree_flat *self,
                                                 const FLAT_FN(flat_probe) * probe, uint32_t at,
                                                 flat_kind kind, int dimensions)
{
    if (kind == FLAT_BOXES) {
        flat_wide most = flat_sub(flat_load(self->column[0] + at), probe->at[3]);
        for (int k = 0; k < dimensions; k++) {
            if (k > 0)
                most = flat_max(most, flat_sub(flat_load(self->column[k] + at), probe->at[3 + k]));
            most = flat_max(most, flat_sub(probe->at[k], flat_load(self->column[3 + k] + at)));
        }
        return most;
    }
    flat_wide d = flat_sub(flat_load(self->column[0] + at), probe->at[0]), sum = flat_mul(d, d);
    for (int k = 1; k < dimensions; k++) {
        d = flat_sub(flat_load(self->column[k] + at), probe->at[k]);
        sum = flat_mul_add(d, d, sum);
    }
    if (kind == FLAT_SPHERES) {
        flat_wide reach = flat_add(flat_load(self->column[3] + at), probe->at[3]);
        sum = flat_mul_sub_from(reach, reach, sum);
    }
    return sum;
}

/*  Tests bodies [begin, end), at most FLAT_LANES of them. Returns the new end of the seconds. */
FLAT_TARGET FLAT_INLINE uint32_t FLAT_FN(test_some)(const flat_sweep *sweep,
                                                    const FLAT_FN(flat_probe) * probe,
                                                    uint32_t begin, uint32_t end, flat_kind kind,
                                                    int dimensions, uint32_t fill)
{
    const scree_flat *self = sweep->self;
    flat_wide apart = FLAT_FN(apart)(self, probe, begin, kind, dimensions);
    uint32_t hits = flat_at_most(apart, flat_set(sweep->most)) & low_bits(end - begin);
    uint32_t doubts = flat_above(apart, flat_set(sweep->least)) & hits;
    if (SCREE_UNLIKELY(doubts))
        hits = decide(sweep, begin, hits, doubts);
    flat_put(sweep->sink->second + fill, self->id + begin, hits);
    return fill + count_bits(hits);
}

/*  The same for any number; empties the sink when it is full. */
FLAT_TARGET FLAT_INLINE void FLAT_FN(test_run)(flat_sweep *sweep, const FLAT_FN(flat_probe) * probe,
                                               uint32_t begin, uint32_t end, flat_kind kind,
                                               int dimensions)
{
    for (; begin < end; begin += FLAT_LANES) {
        uint32_t stop = end - begin < FLAT_LANES ? end : begin + FLAT_LANES;
        sweep->fill = FLAT_FN(test_some)(sweep, probe, begin, stop, kind, dimensions, sweep->fill);
        if (SCREE_UNLIKELY(sweep->fill > SCREE_SINK_CAPACITY - FLAT_ROOM))
            empty_sink(sweep);
    }
}

/*  Pairs of the body with all that were put into the sink for it. */
FLAT_TARGET FLAT_INLINE void FLAT_FN(name_first)(flat_sweep *sweep)
{
    for (uint32_t k = sweep->named; k < sweep->fill; k += FLAT_LANES)
        flat_put_same(sweep->sink->first + k, sweep->id);
    sweep->named = sweep->fill;
}

/*  Bodies [first, last), all of one row, against the rest of their row and the four (in two
    dimensions the one) rows that follow: the cells of a narrow level are as wide as its bodies
    reach. `row` is the first cell of theirs in start. */
FLAT_TARGET FLAT_INLINE void FLAT_FN(sweep_row)(flat_sweep *sweep, const scree_flat_level *level,
                                                const uint32_t *row, uint32_t first, uint32_t last,
                                                flat_kind kind, int dimensions)
{
    const scree_flat *self = sweep->self;
    const size_t up = level->cells[0], over = up * (level->cells[1] + 2);
    const uint32_t *const rows[4] = {row + up, row + over - up, row + over, row + over + up};
    const uint32_t others = dimensions == 3 ? 4 : 1;

    for (uint32_t i = first; i < last; i++) {
        FLAT_FN(flat_probe) probe = FLAT_FN(make_probe)(self, i, kind, dimensions);
        float x = self->column[0][i], least = x - level->size[0] - self->slack, most;
        if (kind == FLAT_BOXES)
            most = self->column[3][i] + self->slack;
        else
            most = x +
                   (kind == FLAT_EVEN ? level->size[0] * 2 : self->column[3][i] + level->size[0]) +
                   self->slack;
        if (kind != FLAT_BOXES)
            least = x - (most - x);
        uint32_t from = scree_flat_cell(level, 0, least), to = scree_flat_cell(level, 0, most) + 1;
        uint32_t begin[5], end[5], longest = 0;
        begin[0] = i + 1;
        end[0] = row[to];
        for (uint32_t k = 0; k < others; k++) {
            begin[k + 1] = rows[k][from];
            end[k + 1] = rows[k][to];
        }
        for (uint32_t k = 0; k <= others; k++)
            longest |= end[k] - begin[k];
        sweep->id = self->id[i];
        if (FLAT_LANES > 1 && longest <= FLAT_LANES) {
            uint32_t fill = sweep->fill;
            for (uint32_t k = 0; k <= others; k++)
                fill = FLAT_FN(test_some)(sweep, &probe, begin[k], end[k], kind, dimensions, fill);
            sweep->fill = fill;
        } else
            for (uint32_t k = 0; k <= others; k++)
                FLAT_FN(test_run)(sweep, &probe, begin[k], end[k], kind, dimensions);
        FLAT_FN(name_first)(sweep);
        if (SCREE_UNLIKELY(sweep->fill > SCREE_SINK_CAPACITY - FLAT_ROOM))
            empty_sink(sweep);
    }
}

/* ---- one kernel for each kind ---- */

#define KERNEL(name, kind, dimensions)                                                             \
    FLAT_TARGET static void FLAT_FN(sweep_row_##name)(                                             \
        flat_sweep * sweep, const scree_flat_level *level, const uint32_t *row, uint32_t first,    \
        uint32_t last)                                                                             \
    {                                                                                              \
        FLAT_FN(sweep_row)(sweep, level, row, first, last, kind, dimensions);                      \
    }
FLAT_KERNELS(KERNEL)
#undef KERNEL

#define ENTRY(name, kind, dimensions) [dimensions - 2][kind] = {FLAT_FN(sweep_row_##name)},
static const flat_kernels FLAT_FN(kernels)[2][3] = {FLAT_KERNELS(ENTRY)};
#undef ENTRY
