/*  Neighbour lists by grids of levels: see gpu/device_search.h. PERIODIC and FULL are 0 or 1. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

#include "gpu/search_frame.h"

/*  Relative enlargement of cells: rounding of positions never moves a body beyond the next cell. */
#define WIDER (1 + 0x1p-20)

/*  Rows longer than this are sorted together. */
#define LONG_ROW 48u

/* ---- the extent of all bodies ---- */

/*  Each work-item computes the extent of some bodies: lower and upper corners, smallest and largest width, how many of
    them count, and whether all are finite. The host combines the rows. */
kernel void search_extent(const uint count, const double margin, global const double4 *spheres,
                          global double *extents)
{
    const uint me = (uint)get_global_id(0), step = (uint)get_global_size(0);
    double3 lower = INFINITY, upper = -INFINITY;
    double least = INFINITY, most = 0, bodies = 0, lost = 0;

    for (ulong i = me; i < count; i += step) {
        const double4 s = spheres[i];
        const double width = 2 * s.w + margin;
        if (!(s.w >= 0))
            continue;
        bodies += 1;
        lost += !(fabs(s.x) < 1e150 && fabs(s.y) < 1e150 && fabs(s.z) < 1e150 && width < 1e150);
        lower.x = s.x < lower.x ? s.x : lower.x;
        lower.y = s.y < lower.y ? s.y : lower.y;
        lower.z = s.z < lower.z ? s.z : lower.z;
        upper.x = s.x > upper.x ? s.x : upper.x;
        upper.y = s.y > upper.y ? s.y : upper.y;
        upper.z = s.z > upper.z ? s.z : upper.z;
        least = width > 0 && width < least ? width : least;
        most = width > most ? width : most;
    }
    global double *mine = extents + SEARCH_EXTENTS * (ulong)me;
    mine[0] = lower.x, mine[1] = lower.y, mine[2] = lower.z;
    mine[3] = upper.x, mine[4] = upper.y, mine[5] = upper.z;
    mine[6] = least, mine[7] = most, mine[8] = bodies, mine[9] = lost;
}

/* ---- cells ---- */

/*  Coordinates along the edges of the cell, 0 to 1. */
static double3 shares_of(constant search_frame *frame, const double4 s)
{
    const double x = s.x - frame->origin[0], y = s.y - frame->origin[1], z = s.z - frame->origin[2];
    double3 share;

    share.z = z / frame->edge[2];
    share.y = (y - share.z * frame->tilt[2]) / frame->edge[1];
    share.x = (x - share.z * frame->tilt[1] - share.y * frame->tilt[0]) / frame->edge[0];
#if PERIODIC
    share.x -= frame->period[0] > 0 ? floor(share.x) : 0;
    share.y -= frame->period[1] > 0 ? floor(share.y) : 0;
    share.z -= frame->period[2] > 0 ? floor(share.z) : 0;
#endif
    return share;
}

static uint cell_on(const double share, const uint cells)
{
    const double at = share * cells;

    return at >= cells ? cells - 1 : at > 0 ? (uint)at : 0;
}

static ulong number_of(constant search_level *level, const uint x, const uint y, const uint z)
{
    return level->first + ((ulong)z * level->cells[1] + y) * level->cells[0] + x;
}

static uint level_of(constant search_frame *frame, const double width)
{
    double cell = 0.5 * frame->width;
    uint level = 0;

    while (level + 1 < frame->levels && width * WIDER <= cell) {
        cell *= 0.5;
        level++;
    }
    return level;
}

/*  The key of each body is the number of its cell; those without a radius come last. */
kernel void search_keys(const uint count, global const double4 *spheres, constant search_frame *frame,
                        global ulong *keys, global uint *ids)
{
    const uint i = (uint)get_global_id(0);

    if (i >= count)
        return;
    const double4 s = spheres[i];
    ids[i] = i;
    keys[i] = frame->cells;
    if (s.w >= 0) {
        constant search_level *level = &frame->level[level_of(frame, 2 * s.w + frame->margin)];
        const double3 share = shares_of(frame, s);
        keys[i] = number_of(level, cell_on(share.x, level->cells[0]), cell_on(share.y, level->cells[1]),
                            cell_on(share.z, level->cells[2]));
    }
}

/*  The first row from `low` to `high` whose key is not below. */
static uint first_not_below(global const ulong *keys, const ulong key, uint low, uint high)
{
    while (low < high) {
        const uint middle = low + (high - low) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*  The beginnings of cells among the sorted bodies: every 2^shift-th cell. */
kernel void search_table(const uint entries, const uint count, const uint shift, global const ulong *keys,
                         global uint *table)
{
    const uint i = (uint)get_global_id(0);

    if (i < entries)
        table[i] = first_not_below(keys, (ulong)i << shift, 0, count);
}

/*  The first of the sorted bodies of each level; the last entry is the number that count. */
kernel void search_levels(const uint count, constant search_frame *frame, global const ulong *keys,
                          global uint *level_begin)
{
    const uint i = (uint)get_global_id(0);

    if (i <= frame->levels)
        level_begin[i] =
            first_not_below(keys, i < frame->levels ? frame->level[i].first : frame->cells, 0, count);
}

kernel void search_gather(const uint count, global const double4 *spheres, global const uint *ids,
                          global double4 *sorted)
{
    const uint i = (uint)get_global_id(0);

    if (i < count)
        sorted[i] = spheres[ids[i]];
}

/* ---- pairs ---- */

/*  State of a body that searches. */
typedef struct looking
{
    constant search_frame *frame;
    global const ulong *keys;
    global const uint *table;
    global const uint *level_begin;
    global const uint *ids;
    global const double4 *sorted;
    global uint *counted;      /* number of partners that others add to the row of each body */
    global const uint *start;  /* when rows are filled: where each row begins, */
    global const uint *own;    /* number of partners found by the body itself, which come first, */
    global uint *partner;
    double4 me;
    uint id, mine;             /* mine: number found so far for the own row */
} looking;

/*  The first sorted body of the cell with this number. */
static uint begin_of(const looking *l, const ulong cell)
{
    const uint shift = l->frame->shift;
    const uint low = l->table[cell >> shift];

    return shift == 0 ? low : first_not_below(l->keys, cell, low, l->table[(cell >> shift) + 1]);
}

#if PERIODIC
/*  The detector's own: see detect/cell.c. */
static double nearest_whole(const double x)
{
    return fabs(x) < 0x1p51 ? (x + 3 * 0x1p51) - 3 * 0x1p51 : rint(x);
}
#endif

/*  The rule, evaluated with the smaller index first, so that rounding does not depend on which body searches. */
static int are_near(constant search_frame *frame, const double4 a, const double4 b)
{
    double3 d = a.xyz - b.xyz;
    const double reach = (a.w + b.w) + frame->margin;

#if PERIODIC
    /* nearly all pairs: no boundary lies between, and the following would find that */
    if (fabs(d.x) < frame->inner[0] && fabs(d.y) < frame->inner[1] && fabs(d.z) < frame->inner[2])
        return d.x * d.x + d.y * d.y + d.z * d.z <= reach * reach;
    double3 n = 0, p = d;
    if (frame->period[2] > 0) {
        n.z = nearest_whole(p.z / frame->period[2]);
        p.y -= n.z * frame->tilt[2];
        p.x -= n.z * frame->tilt[1];
    }
    if (frame->period[1] > 0) {
        n.y = nearest_whole(p.y / frame->period[1]);
        p.x -= n.y * frame->tilt[0];
    }
    if (frame->period[0] > 0)
        n.x = nearest_whole(p.x / frame->period[0]);
    d.x -= n.x * frame->period[0] + n.y * frame->tilt[0] + n.z * frame->tilt[1];
    d.y -= n.y * frame->period[1] + n.z * frame->tilt[2];
    d.z -= n.z * frame->period[2];
#endif
    return d.x * d.x + d.y * d.y + d.z * d.z <= reach * reach;
}

/*  Counts a partner in the row of this body, or writes it there. */
static void keep_own(looking *l, const int fills, const uint other)
{
    if (fills)
        l->partner[l->start[l->id] + l->mine] = other;
    l->mine++;
}

/*  Does the same in the row of the other body, which does not search this one; several work-items may do so
    concurrently. */
static void keep_other(const looking *l, const int fills, const uint other)
{
    const uint at = atomic_inc(&l->counted[other]);

    if (fills)
        l->partner[l->start[other] + l->own[other] + at] = l->id;
}

/*  Searches cells `first` to `last`, which are adjacent. `is_own`: on the level of the body, where the others search as
    well. */
static void look_along(looking *l, const int fills, const int is_own, const ulong first, const ulong last)
{
    const uint end = begin_of(l, last + 1);
    const int both = FULL;

    for (uint k = begin_of(l, first); k < end; k++) {
        const uint other = l->ids[k];
        const int is_first = l->id < other;
        if (other == l->id || (is_own & !is_first & !both))
            continue;
        if (!are_near(l->frame, is_first ? l->me : l->sorted[k], is_first ? l->sorted[k] : l->me))
            continue;
        if (both | is_first)
            keep_own(l, fills, other);
        const int is_others = both | !is_first;
        if (!is_own && is_others)
            keep_other(l, fills, other);
    }
}

/*  The range of cells around one on an axis: from lower to upper, and one more across the boundary, or none. */
typedef struct around
{
    uint lower, upper, across;
} around;
#define NOT_ACROSS 0xffffffffu

static around look_around(const uint cell, const uint cells, const double period)
{
    around a;

    a.lower = cell > 0 ? cell - 1 : 0;
    a.upper = cell + 1 < cells ? cell + 1 : cells - 1;
    a.across = NOT_ACROSS;
    /* with one or two cells all have been searched already */
    if (period > 0 && cells > 2 && (cell == 0 || cell == cells - 1))
        a.across = cell == 0 ? cells - 1 : 0;
    return a;
}

static uint count_of(const around a)
{
    return a.upper - a.lower + 1 + (a.across != NOT_ACROSS);
}

static uint cell_at(const around a, const uint k)
{
    return a.lower + k <= a.upper ? a.lower + k : a.across;
}

static void look_at_level(looking *l, const int fills, const int is_own, constant search_level *level,
                          const double3 share)
{
    constant search_frame *frame = l->frame;
    const around x = look_around(cell_on(share.x, level->cells[0]), level->cells[0], frame->period[0]);
    const around y = look_around(cell_on(share.y, level->cells[1]), level->cells[1], frame->period[1]);
    const around z = look_around(cell_on(share.z, level->cells[2]), level->cells[2], frame->period[2]);

    for (uint kz = 0; kz < count_of(z); kz++)
        for (uint ky = 0; ky < count_of(y); ky++) {
            const ulong line = number_of(level, 0, cell_at(y, ky), cell_at(z, kz));
            look_along(l, fills, is_own, line + x.lower, line + x.upper);
            if (x.across != NOT_ACROSS)
                look_along(l, fills, is_own, line + x.across, line + x.across);
        }
}

static uint look(looking *l, const int fills)
{
    const uint own = level_of(l->frame, 2 * l->me.w + l->frame->margin);
    const double3 share = shares_of(l->frame, l->me);

    for (uint level = 0; level <= own; level++)
        if (l->level_begin[level + 1] > l->level_begin[level])
            look_at_level(l, fills, level == own, &l->frame->level[level], share);
    return l->mine;
}

/*  Counts the partners that each body finds for its own row, and those that others find for it. */
kernel void search_count(const uint count, constant search_frame *frame, global const ulong *keys,
                         global const uint *table, global const uint *level_begin, global const uint *ids,
                         global const double4 *sorted, global uint *own, global uint *counted)
{
    const uint i = (uint)get_global_id(0);
    looking l;

    if (i >= count)
        return;
    l.frame = frame, l.keys = keys, l.table = table, l.level_begin = level_begin;
    l.ids = ids, l.sorted = sorted, l.counted = counted;
    l.me = sorted[i], l.id = ids[i], l.mine = 0;
    own[l.id] = l.me.w >= 0 ? look(&l, 0) : 0;
}

/*  The same again, writing the rows. */
kernel void search_fill(const uint count, constant search_frame *frame, global const ulong *keys,
                        global const uint *table, global const uint *level_begin, global const uint *ids,
                        global const double4 *sorted, global const uint *own, global uint *counted, global const uint *start,
                        global uint *partner)
{
    const uint i = (uint)get_global_id(0);
    looking l;

    if (i >= count)
        return;
    l.frame = frame, l.keys = keys, l.table = table, l.level_begin = level_begin;
    l.ids = ids, l.sorted = sorted, l.counted = counted;
    l.own = own, l.start = start, l.partner = partner;
    l.me = sorted[i], l.id = ids[i], l.mine = 0;
    if (l.me.w >= 0)
        look(&l, 1);
}

/* ---- rows ---- */

/*  The length of each row, for the prefix sum; and the sum of several of them, as 64 bits, from which the host checks
    that 32 bits suffice. */
kernel void search_lengths(const uint count, global const uint *own, global const uint *counted,
                           global uint *start, global ulong *totals)
{
    const uint me = (uint)get_global_id(0), step = (uint)get_global_size(0);
    ulong total = 0;

    for (ulong i = me; i <= count; i += step) {
        const uint length = i < count ? own[i] + counted[i] : 0;
        start[i] = length;
        total += length;
    }
    totals[me] = total;
}

/*  Sorts each short row; records the length of long ones, and their total number of partners. */
kernel void search_sort_rows(const uint count, global const uint *start, global uint *partner,
                             global uint *long_length, global uint *long_total)
{
    const uint i = (uint)get_global_id(0);
    uint row[LONG_ROW];

    if (i > count)
        return;
    const uint first = start[i], length = i < count ? start[i + 1] - first : 0;
    long_length[i] = length > LONG_ROW ? length : 0;
    if (length > LONG_ROW)
        atomic_add(long_total, length);
    if (length < 2 || length > LONG_ROW)
        return;
    for (uint k = 0; k < length; k++) {
        const uint next = partner[first + k];
        uint at = k;
        for (; at > 0 && row[at - 1] > next; at--)
            row[at] = row[at - 1];
        row[at] = next;
    }
    for (uint k = 0; k < length; k++)
        partner[first + k] = row[k];
}

/*  The long row that partner `k` of all long rows is in. */
static uint long_row_of(global const uint *long_start, const uint count, const uint k)
{
    uint low = 0, high = count;

    while (low + 1 < high) {
        const uint middle = low + (high - low) / 2;
        if (long_start[middle] <= k)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/*  Partners of long rows as keys: row, then partner. */
kernel void search_take_long(const uint total, const uint count, const uint bits, global const uint *long_start,
                             global const uint *start, global const uint *partner, global ulong *keys)
{
    const uint k = (uint)get_global_id(0);

    if (k < total) {
        const uint row = long_row_of(long_start, count, k);
        keys[k] = (ulong)row << bits | partner[start[row] + k - long_start[row]];
    }
}

/*  The reverse, after they are sorted. */
kernel void search_put_long(const uint total, const uint bits, global const uint *long_start,
                            global const uint *start, global uint *partner, global const ulong *keys)
{
    const uint k = (uint)get_global_id(0);

    if (k < total) {
        const uint row = (uint)(keys[k] >> bits);
        partner[start[row] + k - long_start[row]] = (uint)(keys[k] & (((ulong)1 << bits) - 1));
    }
}
