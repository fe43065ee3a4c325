/*  The kernels for one SIMD instruction set: see flat_sweep.c, which includes this file once for each. The code is the
    same for all kinds of volumes and dimensions, which are constants at each call. */

/*  Pointers to the numbers that are read and the ids that are written. They are local to a kernel, so that the compiler
    knows that writing ids does not change them. */
typedef struct FLAT_FN(flat_view)
{
    const float *column[SCREE_FLAT_COLUMNS];
    const uint32_t *id;
    uint32_t *seconds;
    flat_wide at[SCREE_FLAT_COLUMNS]; /* the body that is tested, in all lanes */
    flat_whole spot[3];               /* where it is, in whole numbers */
    flat_wide most, least;
} FLAT_FN(flat_view);

/*  Fills all but the body. By address: a returned view would be copied in memory. */
FLAT_TARGET SCREE_KERNEL_PART void FLAT_FN(make_view)(const flat_sweep *sweep,
                                                      FLAT_FN(flat_view) * view)
{
    for (uint32_t k = 0; k < SCREE_FLAT_COLUMNS; k++)
        view->column[k] = sweep->self->column[k];
    view->id = sweep->self->id;
    view->seconds = sweep->sink->second;
    view->most = flat_set(sweep->most);
    view->least = flat_set(sweep->least);
}

/*  Distances along one axis. */
FLAT_TARGET SCREE_KERNEL_PART flat_wide FLAT_FN(along)(const FLAT_FN(flat_view) * view, size_t at,
                                                       flat_kind kind, int axis)
{
    if (is_fine(kind))
        return flat_sub_whole(view->column[axis] + at, view->spot[axis]);
    return flat_sub(flat_load(view->column[axis] + at), view->at[axis]);
}

/*  Puts a body to the test. */
FLAT_TARGET SCREE_KERNEL_PART void FLAT_FN(take_body)(FLAT_FN(flat_view) * view, uint32_t i,
                                                      flat_kind kind, int dimensions)
{
    for (int k = 0; k < dimensions; k++) {
        if (is_fine(kind))
            view->spot[k] = flat_set_whole(scree_flat_whole(view->column[k] + i));
        else
            view->at[k] = flat_set(view->column[k][i]);
        if (kind == FLAT_BOXES)
            view->at[3 + k] = flat_set(view->column[3 + k][i]);
    }
    if (has_radii(kind))
        view->at[3] = flat_set(view->column[3][i]);
}

/*  Returns the distance from overlap of the bodies from `at` on, as defined in flat_plan.c. */
FLAT_TARGET SCREE_KERNEL_PART flat_wide FLAT_FN(apart)(const FLAT_FN(flat_view) * view, size_t at,
                                                       flat_kind kind, int dimensions)
{
    if (kind == FLAT_BOXES) {
        flat_wide most = flat_sub(flat_load(view->column[0] + at), view->at[3]);
        most = flat_max(most, flat_sub(view->at[0], flat_load(view->column[3] + at)));
        most = flat_max(most, flat_sub(flat_load(view->column[1] + at), view->at[4]));
        most = flat_max(most, flat_sub(view->at[1], flat_load(view->column[4] + at)));
        if (dimensions == 3) {
            most = flat_max(most, flat_sub(flat_load(view->column[2] + at), view->at[5]));
            most = flat_max(most, flat_sub(view->at[2], flat_load(view->column[5] + at)));
        }
        return most;
    }
    flat_wide dx = FLAT_FN(along)(view, at, kind, 0), dy = FLAT_FN(along)(view, at, kind, 1);
    flat_wide sum = flat_mul_add(dy, dy, flat_mul(dx, dx));
    if (dimensions == 3) {
        flat_wide dz = FLAT_FN(along)(view, at, kind, 2);
        sum = flat_mul_add(dz, dz, sum);
    }
    if (has_radii(kind)) {
        flat_wide reach = flat_add(flat_load(view->column[3] + at), view->at[3]);
        sum = flat_mul_sub_from(reach, reach, sum);
    }
    return sum;
}

/*  Tests `count` bodies from `begin`, at most FLAT_RUN. Returns the new end of the list of second bodies, which
    includes those in doubt; `doubts` says whether there are some. There is no branch for each body. */
FLAT_TARGET SCREE_KERNEL_PART size_t FLAT_FN(test_some)(const FLAT_FN(flat_view) * view,
                                                        size_t begin, uint32_t count,
                                                        flat_kind kind, int dimensions, size_t fill,
                                                        flat_doubts *doubts)
{
    if (FLAT_LANES == 1) {
        for (size_t at = begin; at < begin + count; at++) {
            flat_wide apart = FLAT_FN(apart)(view, at, kind, dimensions);
            flat_bits hit = flat_at_most(1, apart, view->most);
            *doubts = flat_add_doubts(*doubts, hit, apart, view->most, view->least);
            flat_put(view->seconds + fill, view->id + at, hit);
            fill += hit;
        }
        return fill;
    }
    for (uint32_t done = 0; done == 0 || (FLAT_RUN > FLAT_LANES && done < count);
         done += FLAT_LANES) {
        flat_wide apart = FLAT_FN(apart)(view, begin + done, kind, dimensions);
        flat_bits hits = flat_at_most(low_bits(count - done), apart, view->most);
        *doubts = flat_add_doubts(*doubts, hits, apart, view->most, view->least);
        flat_put(view->seconds + fill, view->id + begin + done, hits);
        fill += scree_count_bits(hits);
    }
    return fill;
}

/*  Tests bodies [begin, end), decides those in doubt, and empties the sink when it is full. */
FLAT_TARGET SCREE_KERNEL_PART void FLAT_FN(test_run)(flat_sweep *sweep,
                                                     const FLAT_FN(flat_view) * view,
                                                     uint32_t begin, uint32_t end, flat_kind kind,
                                                     int dimensions)
{
    size_t fill = sweep->fill;
    for (; begin < end; begin += FLAT_LANES) {
        uint32_t count = end - begin < FLAT_LANES ? end - begin : FLAT_LANES;
        flat_wide apart = FLAT_FN(apart)(view, begin, kind, dimensions);
        flat_bits hits = flat_at_most(low_bits(count), apart, view->most);
        flat_bits doubts = flat_more_than(hits, apart, view->least);
        if (FLAT_UNLIKELY(doubts))
            hits = (flat_bits)decide(sweep, begin, hits, doubts);
        flat_put(view->seconds + fill, view->id + begin, hits);
        fill += FLAT_LANES == 1 ? hits : scree_count_bits(hits);
        if (FLAT_UNLIKELY(fill > FLAT_FULL)) {
            sweep->fill = fill;
            empty_sink(sweep);
            fill = 0;
        }
    }
    sweep->fill = fill;
}

/*  Completes the pairs of the body with all that were put into the sink for it. */
FLAT_TARGET SCREE_KERNEL_PART void FLAT_FN(name_first)(flat_sweep *sweep, uint32_t id)
{
    uint32_t *first = sweep->sink->first;
    size_t k = sweep->named;
    do {
        flat_put_same(first + k, id);
        k += FLAT_LANES;
    } while (FLAT_UNLIKELY(k < sweep->fill));
    sweep->named = sweep->fill;
    if (FLAT_UNLIKELY(sweep->fill > FLAT_FULL))
        empty_sink(sweep);
}

/* ---- a row of a level among its own ---- */

/*  Begin and end of the runs of a body: the rest of its row, then the next four rows, in two dimensions one. */
typedef struct FLAT_FN(flat_runs)
{
    uint32_t begin[FLAT_ROWS], end[FLAT_ROWS];
} FLAT_FN(flat_runs);

/*  Handles a tested body with long runs, or with partners in doubt. */
FLAT_TARGET SCREE_KERNEL_PART void
FLAT_FN(test_long_runs)(flat_sweep *sweep, const FLAT_FN(flat_view) * view, uint32_t i,
                        const FLAT_FN(flat_runs) * runs, flat_kind kind, int dimensions)
{
    sweep->id = view->id[i];
    FLAT_FN(test_run)(sweep, view, runs->begin[0], runs->end[0], kind, dimensions);
    FLAT_FN(test_run)(sweep, view, runs->begin[1], runs->end[1], kind, dimensions);
    if (dimensions == 3) {
        FLAT_FN(test_run)(sweep, view, runs->begin[2], runs->end[2], kind, dimensions);
        FLAT_FN(test_run)(sweep, view, runs->begin[3], runs->end[3], kind, dimensions);
        FLAT_FN(test_run)(sweep, view, runs->begin[4], runs->end[4], kind, dimensions);
    }
}

/*  Tests the body with its runs. */
FLAT_TARGET SCREE_KERNEL_PART void FLAT_FN(test_runs)(flat_sweep *sweep,
                                                      const FLAT_FN(flat_view) * view, uint32_t i,
                                                      FLAT_FN(flat_runs) runs, flat_kind kind,
                                                      int dimensions)
{
    const uint32_t count0 = runs.end[0] - runs.begin[0], count1 = runs.end[1] - runs.begin[1];
    const uint32_t count2 = runs.end[2] - runs.begin[2], count3 = runs.end[3] - runs.begin[3];
    const uint32_t count4 = runs.end[4] - runs.begin[4];
    bool is_slow = (count0 | count1 | count2 | count3 | count4) > FLAT_RUN;
    flat_doubts doubts = flat_no_doubts;
    size_t fill = sweep->fill;

    /* unrolled: in a loop the ends of runs would be in memory */
    if (FLAT_LIKELY(!is_slow)) {
        fill = FLAT_FN(test_some)(view, runs.begin[0], count0, kind, dimensions, fill, &doubts);
        fill = FLAT_FN(test_some)(view, runs.begin[1], count1, kind, dimensions, fill, &doubts);
        if (dimensions == 3) {
            fill = FLAT_FN(test_some)(view, runs.begin[2], count2, kind, dimensions, fill, &doubts);
            fill = FLAT_FN(test_some)(view, runs.begin[3], count3, kind, dimensions, fill, &doubts);
            fill = FLAT_FN(test_some)(view, runs.begin[4], count4, kind, dimensions, fill, &doubts);
        }
        is_slow = flat_any_doubts(doubts);
    }
    if (FLAT_LIKELY(!is_slow))
        sweep->fill = fill;
    else /* what was found so far is found again */
        FLAT_FN(test_long_runs)(sweep, view, i, &runs, kind, dimensions);
    FLAT_FN(name_first)(sweep, view->id[i]);
}

/*  Tests the bodies [first, last) of one row with the rest of the row and the next four rows, in two dimensions one:
    the cells of a narrow level are as wide as the range of its bodies. `row` is the position of the row in start. */
FLAT_TARGET SCREE_KERNEL_PART void FLAT_FN(sweep_row)(flat_sweep *sweep,
                                                      const scree_flat_level *level,
                                                      const uint32_t *row, uint32_t first,
                                                      uint32_t last, flat_kind kind, int dimensions)
{
    FLAT_FN(flat_view) view;
    FLAT_FN(make_view)(sweep, &view);
    const size_t up = level->cells[0], over = up * (level->cells[1] + 2);
    const uint32_t *const row1 = row + up, *const row2 = row + over - up;
    const uint32_t *const row3 = row + over, *const row4 = row3 + up;
    const float slack = level->slack, size = level->size[0];
    const float inverse = level->inverse[0], shift = level->shift[0];

    for (uint32_t i = first; i < last; i++) {
        FLAT_FN(take_body)(&view, i, kind, dimensions);
        const float x = read_place(view.column[0], i, kind);
        const float reach = size + slack + (has_radii(kind) ? view.column[3][i] : 0);
        const float most = kind == FLAT_BOXES ? view.column[3][i] + slack : x + reach;
        const size_t from = (size_t)(int32_t)((x - reach) * inverse + shift);
        const size_t to = (size_t)(int32_t)(most * inverse + shift) + 1;
        FLAT_FN(flat_runs) runs = {{i + 1, row1[from]}, {row[to], row1[to]}};
        if (dimensions == 3) {
            runs.begin[2] = row2[from], runs.begin[3] = row3[from], runs.begin[4] = row4[from];
            runs.end[2] = row2[to], runs.end[3] = row3[to], runs.end[4] = row4[to];
        }
        FLAT_FN(test_runs)(sweep, &view, i, runs, kind, dimensions);
    }
}

/*  As sweep_row, for spheres of one radius. Those that overlap are less than two cells apart on x (see flat_plan.c), so
    the window is the same for all bodies of a cell, and runs have fixed widths in cells. */
FLAT_TARGET SCREE_KERNEL_PART void
FLAT_FN(sweep_even_row)(flat_sweep *sweep, const scree_flat_level *level, const uint32_t *row,
                        uint32_t first, uint32_t last, flat_kind kind, int dimensions)
{
    FLAT_FN(flat_view) view;
    FLAT_FN(make_view)(sweep, &view);
    const size_t up = level->cells[0];
    const uint32_t *const over = dimensions == 3 ? row + up * (level->cells[1] + 1) : row;
    const float inverse = level->inverse[0], shift = level->shift[0];

    for (uint32_t i = first; i < last; i++) {
        FLAT_FN(take_body)(&view, i, kind, dimensions);
        const float x = read_place(view.column[0], i, kind);
        const size_t cell = (size_t)(int32_t)(x * inverse + shift) - 2;
        const uint32_t *const low = row + cell, *const high = over + cell;
        FLAT_FN(flat_runs) runs = {{i + 1, low[up]}, {low[5], low[up + 5]}};
        if (dimensions == 3) {
            runs.begin[2] = high[0], runs.begin[3] = high[up], runs.begin[4] = high[2 * up];
            runs.end[2] = high[5], runs.end[3] = high[up + 5], runs.end[4] = high[2 * up + 5];
        }
        FLAT_FN(test_runs)(sweep, &view, i, runs, kind, dimensions);
    }
}

/*  Tests bodies [first, last) with those of another level, each within its window. For large spheres, rows are cut to
    the range of the sphere. */
FLAT_TARGET SCREE_KERNEL_PART void
FLAT_FN(sweep_level)(flat_sweep *sweep, const scree_flat_level *from, const scree_flat_level *into,
                     uint32_t first, uint32_t last, flat_kind kind, int dimensions)
{
    FLAT_FN(flat_view) view;
    FLAT_FN(make_view)(sweep, &view);
    const uint32_t *start = sweep->self->start + into->first_cell;
    const size_t up = into->cells[0], over = up * (into->cells[1] + 2);

    for (uint32_t i = first; i < last && !sweep->sink->stopped; i++) {
        FLAT_FN(take_body)(&view, i, kind, dimensions);
        flat_window window = find_window(sweep, from, into, i, kind, dimensions);
        sweep->id = view.id[i];
        for (uint32_t z = window.first[2]; z <= window.last[2]; z++) {
            for (uint32_t y = window.first[1]; y <= window.last[1]; y++) {
                uint32_t begin = window.first[0], end = window.last[0];
                if (window.is_cut && !cut_row(into, &window, y, z, &begin, &end))
                    continue;
                const uint32_t *row = start + up * (y + 1) + (dimensions == 3 ? over * (z + 1) : 0);
                FLAT_FN(test_run)(sweep, &view, row[begin], row[end + 1], kind, dimensions);
            }
        }
        FLAT_FN(name_first)(sweep, sweep->id);
    }
}

/*  Tests one body, given by its columns, with those in its window. */
FLAT_TARGET SCREE_KERNEL_PART void
FLAT_FN(sweep_guest)(flat_sweep *sweep, const scree_flat_level *into, const float *record,
                     const flat_window *window, flat_kind kind, int dimensions)
{
    FLAT_FN(flat_view) view;
    FLAT_FN(make_view)(sweep, &view);
    const uint32_t *start = sweep->self->start + into->first_cell;
    const size_t up = into->cells[0], over = up * (into->cells[1] + 2);
    for (int k = 0; k < dimensions; k++) {
        if (is_fine(kind))
            view.spot[k] = flat_set_whole(scree_flat_whole(record + k));
        else
            view.at[k] = flat_set(record[k]);
        if (kind == FLAT_BOXES)
            view.at[3 + k] = flat_set(record[3 + k]);
    }
    if (has_radii(kind))
        view.at[3] = flat_set(record[3]);
    for (uint32_t z = window->first[2]; z <= window->last[2]; z++) {
        for (uint32_t y = window->first[1]; y <= window->last[1]; y++) {
            const uint32_t *row = start + up * (y + 1) + (dimensions == 3 ? over * (z + 1) : 0);
            FLAT_FN(test_run)
            (sweep, &view, row[window->first[0]], row[window->last[0] + 1], kind, dimensions);
        }
    }
    FLAT_FN(name_first)(sweep, sweep->id);
}

/*  Tests bodies [first, last) with the following bodies of their islets. The first is in the given islet. */
FLAT_TARGET SCREE_KERNEL_PART void FLAT_FN(sweep_islets)(flat_sweep *sweep,
                                                         const scree_flat_islet *islet,
                                                         uint32_t first, uint32_t last,
                                                         flat_kind kind, int dimensions)
{
    FLAT_FN(flat_view) view;
    FLAT_FN(make_view)(sweep, &view);
    uint32_t end = 0;
    for (uint32_t i = first; i < last && !sweep->sink->stopped; i++) {
        if (i >= end) {
            while (i >= islet->first + islet->count)
                islet++;
            end = islet->first + islet->count;
            set_doubt(sweep, islet->doubt);
            view.most = flat_set(sweep->most);
            view.least = flat_set(sweep->least);
        }
        if (end == i + 1)
            continue;
        FLAT_FN(take_body)(&view, i, kind, dimensions);
        sweep->id = view.id[i];
        FLAT_FN(test_run)(sweep, &view, i + 1, end, kind, dimensions);
        FLAT_FN(name_first)(sweep, sweep->id);
    }
}

/* ---- one kernel for each kind ---- */

#define KERNEL(name, kind, dimensions)                                                             \
    FLAT_TARGET static void FLAT_FN(sweep_row_##name)(                                             \
        flat_sweep * sweep, const scree_flat_level *level, const uint32_t *row, uint32_t first,    \
        uint32_t last)                                                                             \
    {                                                                                              \
        if (kind == FLAT_EVEN || kind == FLAT_EVEN_FINE)                                           \
            FLAT_FN(sweep_even_row)(sweep, level, row, first, last, kind, dimensions);             \
        else                                                                                       \
            FLAT_FN(sweep_row)(sweep, level, row, first, last, kind, dimensions);                  \
    }                                                                                              \
    FLAT_TARGET static void FLAT_FN(sweep_level_##name)(                                           \
        flat_sweep * sweep, const scree_flat_level *from, const scree_flat_level *into,            \
        uint32_t first, uint32_t last)                                                             \
    {                                                                                              \
        FLAT_FN(sweep_level)(sweep, from, into, first, last, kind, dimensions);                    \
    }                                                                                              \
    FLAT_TARGET static void FLAT_FN(sweep_guest_##name)(                                           \
        flat_sweep * sweep, const scree_flat_level *into, const float *record,                     \
        const flat_window *window)                                                                 \
    {                                                                                              \
        FLAT_FN(sweep_guest)(sweep, into, record, window, kind, dimensions);                       \
    }                                                                                              \
    FLAT_TARGET static void FLAT_FN(sweep_islets_##name)(                                          \
        flat_sweep * sweep, const scree_flat_islet *islet, uint32_t first, uint32_t last)          \
    {                                                                                              \
        FLAT_FN(sweep_islets)(sweep, islet, first, last, kind, dimensions);                        \
    }
FLAT_KERNELS(KERNEL)
#undef KERNEL

#define ENTRY(name, kind, dimensions)                                                              \
    [dimensions - 2][kind] = {FLAT_FN(sweep_row_##name), FLAT_FN(sweep_level_##name),              \
                              FLAT_FN(sweep_islets_##name), FLAT_FN(sweep_guest_##name)},
static const flat_kernels FLAT_FN(kernels)[2][FLAT_KINDS] = {FLAT_KERNELS(ENTRY)};
#undef ENTRY
