/*  Search for neighbour pairs: rows by body, see step_numbers.h. Bodies are sorted into cells at least as wide as
    the range of two of them, and each tests the cells around its own. The order within a cell varies from run to
    run, which has no effect, since sums are exact. */
#include "gpu/c_words.h"
#include "world/device/step_numbers.h"

/*  ---- cells ---- */

/*  Bounds of positions: one row {lower, upper} per group; `local_rows` has 6 doubles per work-item. */
__kernel void bound(uint count, __global const double4 *position, __global double *bounds,
                    __local double *local_rows)
{
    const size_t me = get_local_id(0), size = get_local_size(0);
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};

    for (size_t i = get_global_id(0); i < count; i += get_global_size(0)) {
        const double4 p = position[i];
        const double place[3] = {p.x, p.y, p.z};
        for (int k = 0; k < 3; k++) {
            low[k] = place[k] < low[k] ? place[k] : low[k];
            high[k] = place[k] > high[k] ? place[k] : high[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        local_rows[6 * me + k] = low[k];
        local_rows[6 * me + 3 + k] = high[k];
    }
    for (size_t half_size = size / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < half_size)
            for (int k = 0; k < 3; k++) {
                __local double *mine = local_rows + 6 * me, *other = local_rows + 6 * (me + half_size);
                mine[k] = other[k] < mine[k] ? other[k] : mine[k];
                mine[3 + k] = other[3 + k] > mine[3 + k] ? other[3 + k] : mine[3 + k];
            }
    }
    if (me == 0)
        for (int k = 0; k < 6; k++)
            bounds[6 * get_group_id(0) + k] = local_rows[k];
}

/*  Cell coordinates of a position in the box of all cells, along its edges. NaN is put into the first cell. */
inline void cells_along(const scree_cell_numbers *cells, double4 p, int at[3])
{
    double share[3];

    share[2] = (p.z - cells->lower[2]) / cells->length[2];
    share[1] = (p.y - cells->lower[1] - share[2] * cells->tilt[2]) / cells->length[1];
    share[0] = (p.x - cells->lower[0] - share[1] * cells->tilt[0] - share[2] * cells->tilt[1]) /
               cells->length[0];
    for (int k = 0; k < 3; k++) {
        const int last = (int)cells->cells[k] - 1;
        double cell = (cells->periodic >> k & 1 ? share[k] - floor(share[k]) : share[k]) * cells->cells[k];
        at[k] = !(cell > 0) ? 0 : cell < last ? (int)cell : last;
    }
}

inline uint cell_of(const scree_cell_numbers *cells, double4 p)
{
    int at[3];

    cells_along(cells, p, at);
    return (uint)at[0] + cells->cells[0] * ((uint)at[1] + cells->cells[1] * (uint)at[2]);
}

__kernel void count_cells(const scree_cell_numbers cells, uint count, __global const double4 *position,
                          __global uint *many)
{
    const size_t i = get_global_id(0);

    if (i < count)
        atomic_inc(&many[cell_of(&cells, position[i])]);
}

/*  `next` is the index for the next body of each cell; at the end it is the end of the cell. */
__kernel void fill_cells(const scree_cell_numbers cells, uint count, __global const double4 *position,
                         __global uint *next, __global uint *bodies)
{
    const size_t i = get_global_id(0);

    if (i < count)
        bodies[atomic_inc(&next[cell_of(&cells, position[i])])] = (uint)i;
}

/*  ---- prefix sums ---- */

/*  Exclusive prefix sums of blocks of 2048 numbers; `sums` gets the total of each block. Groups of 256; `shared` has
    room for 256. */
__kernel void scan_blocks(uint count, __global uint *numbers, __global uint *sums, __local uint *shared)
{
    const uint me = (uint)get_local_id(0), block = (uint)get_group_id(0);
    const uint first = 2048 * block + 8 * me;
    uint own[8], sum = 0;

    for (uint k = 0; k < 8; k++) {
        own[k] = first + k < count ? numbers[first + k] : 0;
        sum += own[k];
    }
    shared[me] = sum;
    for (uint reach = 1; reach < 256; reach *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint before = me >= reach ? shared[me - reach] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        shared[me] += before;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = me ? shared[me - 1] : 0;
    for (uint k = 0; k < 8; k++) {
        if (first + k < count)
            numbers[first + k] = sum;
        sum += own[k];
    }
    if (me == 255)
        sums[block] = shared[255];
}

__kernel void add_blocks(uint count, __global uint *numbers, __global const uint *sums)
{
    const size_t i = get_global_id(0);

    if (i < count)
        numbers[i] += sums[i / 2048];
}

/*  ---- rows ---- */

/*  Which contact model acts; 0: no interaction. */
#define LAW_OF(kind, j) (MATERIALS > 1 ? pair_slot[(kind) * MATERIALS + material[j]] : pair_slot[0])

/*  Whether two bodies are so near that they may touch before the next search, including the nearest image. */
inline bool may_meet(const scree_step_numbers *numbers, const scree_cell_numbers *cells, double4 here,
                     double4 there)
{
    double dx = there.x - here.x, dy = there.y - here.y, dz = there.z - here.z;
    const double far = here.w + there.w + numbers->reach + 2 * numbers->allowed;

#if PERIODIC
    if (cells->periodic & 4) {
        const double n = rint(dz / cells->length[2]);
        dz -= n * cells->length[2];
        dy -= n * cells->tilt[2];
        dx -= n * cells->tilt[1];
    }
    if (cells->periodic & 2) {
        const double n = rint(dy / cells->length[1]);
        dy -= n * cells->length[1];
        dx -= n * cells->tilt[0];
    }
    if (cells->periodic & 1)
        dx -= rint(dx / cells->length[0]) * cells->length[0];
#endif
    return dx * dx + dy * dy + dz * dz < far * far;
}

/*  Neighbouring cells, from..to. On periodic axes with few cells each is visited once. */
inline void cells_beside(const scree_cell_numbers *cells, const int at[3], int axis, int *from, int *to)
{
    const int many = (int)cells->cells[axis];

    *from = at[axis] - 1;
    *to = at[axis] + 1;
    if (many < 3 || !(cells->periodic >> axis & 1)) {
        *from = many < 3 ? 0 : max(*from, 0);
        *to = many < 3 ? many - 1 : min(*to, many - 1);
    }
}

inline uint come_round(int at, uint many)
{
    return (uint)(at < 0 ? at + (int)many : at >= (int)many ? at - (int)many : at);
}

/*  Executes WHAT for each body `j`, other than `i`, that may touch it. Cells along x are contiguous, except where
    they wrap around. */
#define FOR_EACH_IN_CELLS(WHAT)                                                                    \
    {                                                                                              \
        int cell[3], from[3], to[3];                                                               \
        cells_along(&cells, here, cell);                                                           \
        for (int k = 0; k < 3; k++)                                                                \
            cells_beside(&cells, cell, k, &from[k], &to[k]);                                       \
        const bool in_pieces = from[0] < 0 || to[0] >= (int)cells.cells[0];                        \
        for (int cz = from[2]; cz <= to[2]; cz++)                                                  \
            for (int cy = from[1]; cy <= to[1]; cy++) {                                            \
                const uint row = cells.cells[0] * (come_round(cy, cells.cells[1]) +                \
                                                   cells.cells[1] * come_round(cz, cells.cells[2])); \
                for (int cx = from[0]; cx <= to[0]; cx = in_pieces ? cx + 1 : to[0] + 1) {         \
                    const uint begin = row + come_round(cx, cells.cells[0]);                       \
                    const uint end_cell = in_pieces ? begin : row + (uint)to[0];                   \
                    const uint first = begin ? cell_ends[begin - 1] : 0;                           \
                    const uint last = cell_ends[end_cell];                                         \
                    for (uint k = first; k < last; k++) {                                          \
                        const uint j = bodies[k];                                                  \
                        if (j != i && may_meet(&numbers, &cells, here, position[j]) &&             \
                            LAW_OF(kind, j)) {                                                     \
                            WHAT                                                                   \
                        }                                                                          \
                    }                                                                              \
                }                                                                                  \
            }                                                                                      \
    }

/*  The same from the lists of gpu/device_search.h, for bodies of very different sizes. */
#define FOR_EACH_NEAR(WHAT)                                                                        \
    if (is_listed) {                                                                               \
        for (uint at_list = start[i]; at_list < start[i + 1]; at_list++) {                         \
            const uint j = partner[at_list];                                                       \
            if (may_meet(&numbers, &cells, here, position[j]) && LAW_OF(kind, j)) {                \
                WHAT                                                                               \
            }                                                                                      \
        }                                                                                          \
    } else                                                                                         \
        FOR_EACH_IN_CELLS(WHAT)

/*  False for a wall of facets, which facets.cl looks at. */
inline bool near_plane(const scree_step_numbers *numbers, double4 here, __global const double *plane)
{
    const double overlap = here.w - (plane[12] * (here.x - plane[0]) + plane[13] * (here.y - plane[1]) +
                                     plane[14] * (here.z - plane[2]));

    return plane[SCREE_PLANE_IS_MESH] == 0 && !(overlap < -(numbers->reach + 2 * numbers->allowed));
}

/*  Counts the entries of each row; the largest count of each slice, times SCREE_SLICE, becomes its width. Groups are
    whole slices. */
__kernel void count_rows(const scree_step_numbers numbers, const scree_cell_numbers cells,
                         __global const double4 *position, __global const uint *cell_ends,
                         __global const uint *bodies, uint is_listed, __global const uint *start,
                         __global const uint *partner, __global const uint *material,
                         __global const uint *pair_slot, __global const uint *wall_slot,
                         __global const double *all_planes, uint planes_at, __global uint *widths,
                         __local uint *shared)
{
    __global const double *planes = all_planes + (size_t)SCREE_PLANE_NUMBERS * planes_at;
    const uint i = (uint)get_global_id(0), me = (uint)get_local_id(0);
    uint many = 0;

    if (i < numbers.count) {
        const double4 here = position[i];
        const uint kind = MATERIALS > 1 ? material[i] : 0;
        FOR_EACH_NEAR(many++;)
        for (uint w = 0; w < numbers.walls; w++)
            many += wall_slot[w * MATERIALS + kind] && near_plane(&numbers, here, planes + SCREE_PLANE_NUMBERS * (size_t)w);
    }
    shared[me] = many;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me % SCREE_SLICE == 0 && i < numbers.count) {
        for (uint k = 1; k < SCREE_SLICE; k++)
            many = max(many, shared[me + k]);
        widths[i / SCREE_SLICE] = many * SCREE_SLICE;
    }
}

/*  Writes the contacts of the previous rows first, with their history, then all other near bodies. `left` is the
    displacement that bodies may still make. */
__kernel void fill_rows(const scree_step_numbers numbers, const scree_cell_numbers cells,
                        __global const double4 *position, __global const uint *cell_ends,
                        __global const uint *bodies, uint is_listed, __global const uint *start,
                        __global const uint *partner, __global const uint *material,
                        __global const uint *pair_slot, __global const uint *wall_slot,
                        __global const double *all_planes, uint planes_at, __global const uint *rank,
                        __global const uint *old_base, __global const uint *old_entries,
                        __global const double *old_memory, uint old_room, __global const uint *base,
                        __global uint *entries, __global double *memory, __global float *left)
{
    const uint i = (uint)get_global_id(0);

    if (i >= numbers.count)
        return;
    __global const double *planes = all_planes + (size_t)SCREE_PLANE_NUMBERS * planes_at;
    const double4 here = position[i];
    const uint kind = MATERIALS > 1 ? material[i] : 0, slice = i / SCREE_SLICE, lane = i % SCREE_SLICE;
    const uint own_rank = rank[i], old_begin = old_base[slice] + lane, old_end = old_base[slice + 1];
    uint at = base[slice] + lane;
    const uint end = base[slice + 1];
    uint old_stop = old_end;

    for (uint from = old_begin; from < old_end; from += SCREE_SLICE) {
        const uint entry = old_entries[from];
        if (entry == SCREE_ENTRY_NONE) {
            old_stop = from;
            break;
        }
        if (!(entry & SCREE_ENTRY_TOUCHES))
            continue;
        const uint j = entry & SCREE_ENTRY_BODY;
        bool stays;
        if (entry & SCREE_ENTRY_WALL) {
            stays = near_plane(&numbers, here, planes + SCREE_PLANE_NUMBERS * (size_t)j);
        } else {
            stays = may_meet(&numbers, &cells, here, position[j]);
        }
        if (!stays)
            continue;
        entries[at] = entry;
        for (uint m = 0; m < PLANES; m++)
            memory[(size_t)m * numbers.planes_room + at] = old_memory[(size_t)m * old_room + from];
        at += SCREE_SLICE;
    }
    const uint new_begin = base[slice] + lane, kept_end = at;
    FOR_EACH_NEAR({
        bool is_kept = false;
        for (uint k2 = new_begin; k2 < kept_end && !is_kept; k2 += SCREE_SLICE)
            is_kept = (entries[k2] & (SCREE_ENTRY_BODY | SCREE_ENTRY_WALL)) == j;
        if (!is_kept && at < end) {
            entries[at] = j | (rank[j] < own_rank ? SCREE_ENTRY_SECOND : 0);
            at += SCREE_SLICE;
        }
    })
    for (uint w = 0; w < numbers.walls; w++) {
        bool is_kept = !wall_slot[w * MATERIALS + kind] || !near_plane(&numbers, here, planes + SCREE_PLANE_NUMBERS * (size_t)w);
        for (uint k2 = new_begin; k2 < kept_end && !is_kept; k2 += SCREE_SLICE)
            is_kept = (entries[k2] & (SCREE_ENTRY_BODY | SCREE_ENTRY_WALL)) == (w | SCREE_ENTRY_WALL);
        if (!is_kept && at < end) {
            entries[at] = w | SCREE_ENTRY_WALL;
            at += SCREE_SLICE;
        }
    }
    if (at < end)
        entries[at] = SCREE_ENTRY_NONE;
    left[i] = convert_float_rtn(numbers.allowed * (1 - 0x1p-20));
}
