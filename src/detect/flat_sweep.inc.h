/*  The kernels at one SIMD level: see flat_sweep.c, which includes this once a level. Everything is
    written once over the kind of volume and the number of dimensions, which are constants wherever
    it is used. */

/*  Where numbers are read and ids are written: local to a kernel, so that the compiler knows that no
    id written changes any of it. */
typedef struct FLAT_FN(flat_view)
{
    const float *column[SCREE_FLAT_COLUMNS];
    const uint32_t *id;
    uint32_t *seconds;
    flat_wide at[SCREE_FLAT_COLUMNS]; /* the body that is put to the test, in every lane */
    flat_whole spot[3];               /* where it is, in whole numbers */
    flat_wide most, least;
} FLAT_FN(flat_view);

FLAT_TARGET SCREE_KERNEL_PART FLAT_FN(flat_view) FLAT_FN(make_view)(const flat_sweep *sweep)
{
    FLAT_FN(flat_view) view;
    for (uint32_t k = 0; k < SCREE_FLAT_COLUMNS; k++) {
        view.column[k] = sweep->self->column[k];
        view.at[k] = flat_set(0);
    }
    for (uint32_t k = 0; k < 3; k++)
        view.spot[k] = flat_set_whole(0);
    view.id = sweep->self->id;
    view.seconds = sweep->sink->second;
    view.most = flat_set(sweep->most);
    view.least = flat_set(sweep->least);
    return view;
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

/*  How far from overlapping the bodies at `at` and behind are: see flat_plan.c for what it means. */
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

/*  Tests `count` bodies from `begin`, at most FLAT_RUN. Returns the new end of the seconds; those in doubt
    are among them, and `doubts` is no longer 0. Without a branch for each body, whatever it finds. */
FLAT_TARGET SCREE_KERNEL_PART size_t FLAT_FN(test_some)(const FLAT_FN(flat_view) * view,
                                                        size_t begin, uint32_t count,
                                                        flat_kind kind, int dimensions, size_t fill,
                                                        flat_bits *doubts)
{
    if (FLAT_LANES == 1) {
        for (size_t at = begin; at < begin + count; at++) {
            flat_wide apart = FLAT_FN(apart)(view, at, kind, dimensions);
            flat_bits hit = flat_at_most(1, apart, view->most);
            *doubts = (flat_bits)(*doubts | flat_more_than(hit, apart, view->least));
            flat_put(view->seconds + fill, view->id + at, hit);
            fill += hit;
        }
        return fill;
    }
    for (uint32_t done = 0; done == 0 || (FLAT_RUN > FLAT_LANES && done < count);
         done += FLAT_LANES) {
        flat_wide apart = FLAT_FN(apart)(view, begin + done, kind, dimensions);
        flat_bits hits = flat_at_most(low_bits(count - done), apart, view->most);
        *doubts = (flat_bits)(*doubts | flat_more_than(hits, apart, view->least));
        flat_put(view->seconds + fill, view->id + begin + done, hits);
        fill += scree_count_bits(hits);
    }
    return fill;
}

/*  Tests bodies [begin, end), decides on those in doubt, and empties the sink when it is full. */
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

/*  Pairs of the body with all that were put into the sink for it. */
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

/*  The bodies of one row [first, last) against the rest of their row and the four (in two dimensions
    the one) rows that follow: the cells of a narrow level are as wide as its bodies reach. `row` is
    where the row begins in start. */
FLAT_TARGET SCREE_KERNEL_PART void FLAT_FN(sweep_row)(flat_sweep *sweep,
                                                      const scree_flat_level *level,
                                                      const uint32_t *row, uint32_t first,
                                                      uint32_t last, flat_kind kind, int dimensions)
{
    FLAT_FN(flat_view) view = FLAT_FN(make_view)(sweep);
    const size_t up = level->cells[0], over = up * (level->cells[1] + 2);
    const uint32_t *const row1 = row + up, *const row2 = row + over - up;
    const uint32_t *const row3 = row + over, *const row4 = row3 + up;
    const float slack = level->slack, size = level->size[0];
    const float inverse = level->inverse[0], shift = level->shift[0];

    for (uint32_t i = first; i < last; i++) {
        FLAT_FN(take_body)(&view, i, kind, dimensions);
        const float x = read_place(view.column[0], i, kind);
        const float reach = size + slack +
                            (has_radii(kind)      ? view.column[3][i]
                             : kind == FLAT_BOXES ? 0
                                                  : size);
        const float most = kind == FLAT_BOXES ? view.column[3][i] + slack : x + reach;
        const size_t from = (size_t)(int32_t)((x - reach) * inverse + shift);
        const size_t to = (size_t)(int32_t)(most * inverse + shift) + 1;
        const uint32_t begin0 = i + 1, begin1 = row1[from], end0 = row[to], end1 = row1[to];
        uint32_t begin2 = 0, begin3 = 0, begin4 = 0, end2 = 0, end3 = 0, end4 = 0;
        if (dimensions == 3) {
            begin2 = row2[from], begin3 = row3[from], begin4 = row4[from];
            end2 = row2[to], end3 = row3[to], end4 = row4[to];
        }
        const uint32_t longest =
            (end0 - begin0) | (end1 - begin1) | (end2 - begin2) | (end3 - begin3) | (end4 - begin4);
        const uint32_t id = view.id[i];
        flat_bits doubts = longest > FLAT_RUN;
        if (!doubts) {
            size_t fill = sweep->fill;
            fill =
                FLAT_FN(test_some)(&view, begin0, end0 - begin0, kind, dimensions, fill, &doubts);
            fill =
                FLAT_FN(test_some)(&view, begin1, end1 - begin1, kind, dimensions, fill, &doubts);
            if (dimensions == 3) {
                fill = FLAT_FN(test_some)(&view, begin2, end2 - begin2, kind, dimensions, fill,
                                          &doubts);
                fill = FLAT_FN(test_some)(&view, begin3, end3 - begin3, kind, dimensions, fill,
                                          &doubts);
                fill = FLAT_FN(test_some)(&view, begin4, end4 - begin4, kind, dimensions, fill,
                                          &doubts);
            }
            if (FLAT_LIKELY(!doubts))
                sweep->fill = fill;
        }
        if (FLAT_UNLIKELY(doubts)) { /* what was found so far is found again */
            sweep->id = id;
            FLAT_FN(test_run)(sweep, &view, begin0, end0, kind, dimensions);
            FLAT_FN(test_run)(sweep, &view, begin1, end1, kind, dimensions);
            if (dimensions == 3) {
                FLAT_FN(test_run)(sweep, &view, begin2, end2, kind, dimensions);
                FLAT_FN(test_run)(sweep, &view, begin3, end3, kind, dimensions);
                FLAT_FN(test_run)(sweep, &view, begin4, end4, kind, dimensions);
            }
        }
        FLAT_FN(name_first)(sweep, id);
    }
}

/*  Bodies [first, last) against all of another level, each within its window. Of large ones, rows are
    cut to what the sphere reaches. */
FLAT_TARGET SCREE_KERNEL_PART void
FLAT_FN(sweep_level)(flat_sweep *sweep, const scree_flat_level *from, const scree_flat_level *into,
                     uint32_t first, uint32_t last, flat_kind kind, int dimensions)
{
    FLAT_FN(flat_view) view = FLAT_FN(make_view)(sweep);
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

/*  One body, of which these are the columns, against those in its window. */
FLAT_TARGET SCREE_KERNEL_PART void
FLAT_FN(sweep_guest)(flat_sweep *sweep, const scree_flat_level *into, const float *record,
                     const flat_window *window, flat_kind kind, int dimensions)
{
    FLAT_FN(flat_view) view = FLAT_FN(make_view)(sweep);
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

/*  Bodies [first, last), of which the first is in that islet, against those of their islets that
    follow. */
FLAT_TARGET SCREE_KERNEL_PART void FLAT_FN(sweep_islets)(flat_sweep *sweep,
                                                         const scree_flat_islet *islet,
                                                         uint32_t first, uint32_t last,
                                                         flat_kind kind, int dimensions)
{
    FLAT_FN(flat_view) view = FLAT_FN(make_view)(sweep);
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
        FLAT_FN(sweep_row)(sweep, level, row, first, last, kind, dimensions);                      \
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
