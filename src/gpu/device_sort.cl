/*  Prefix sums, and passes of a radix sort by digits of 4 bits. A group of 256 work-items processes a tile of 2048
    rows, each item 8 consecutive rows: see gpu/device_sort.c. */

#define GROUP 256u
#define ITEMS 8u
#define TILE (GROUP * ITEMS)
#define DIGITS 16u

/*  Exclusive prefix sum over the items of a group; *all is the total. */
static uint scan_group(const uint own, local uint *work, uint *all)
{
    const uint me = (uint)get_local_id(0);
    uint sum = own;

    work[me] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < GROUP; step *= 2) {
        const uint before = me >= step ? work[me - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += before;
        work[me] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    *all = work[GROUP - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum - own;
}

kernel void scan_tiles(const uint count, global uint *numbers, global uint *sums)
{
    local uint work[GROUP];
    const ulong first = (ulong)get_group_id(0) * TILE + get_local_id(0) * ITEMS;
    uint own[ITEMS], sum = 0, all;

    for (uint k = 0; k < ITEMS; k++) {
        own[k] = first + k < count ? numbers[first + k] : 0;
        sum += own[k];
    }
    sum = scan_group(sum, work, &all);
    for (uint k = 0; k < ITEMS; k++) {
        if (first + k < count)
            numbers[first + k] = sum;
        sum += own[k];
    }
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = all;
}

kernel void scan_add(const uint count, global uint *numbers, global const uint *sums)
{
    const ulong i = get_global_id(0);

    if (i < count)
        numbers[i] += sums[i / TILE];
}

/* ---- one pass of the sort ---- */

static uint digit_of(const ulong key, const uint shift)
{
    return (uint)(key >> shift) & (DIGITS - 1);
}

/*  Histogram of digits for each tile: all tiles of digit 0, then of digit 1, and so on. */
kernel void sort_count(const uint count, const uint shift, const uint tiles, global const ulong *keys,
                       global uint *histogram)
{
    local uint bins[DIGITS];
    const uint me = (uint)get_local_id(0), tile = (uint)get_group_id(0);
    const ulong first = (ulong)tile * TILE + me;

    if (me < DIGITS)
        bins[me] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < ITEMS; k++)
        if (first + k * GROUP < count)
            atomic_inc(&bins[digit_of(keys[first + k * GROUP], shift)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < DIGITS)
        histogram[me * tiles + tile] = bins[me];
}

/*  Each item has 8 consecutive keys. Counts of digits by item, summed over digits and then items, give each key its
    rank in the tile: in order of digits, and among equals in order of rows. `histogram` has the sums over all tiles. */
kernel void sort_scatter(const uint count, const uint shift, const uint tiles, global const ulong *keys,
                         global const uint *payload, global const uint *histogram, global ulong *to_keys,
                         global uint *to_payload)
{
    local ushort ranks[DIGITS * GROUP];
    local uint work[GROUP];
    const uint me = (uint)get_local_id(0), tile = (uint)get_group_id(0);
    const ulong first = (ulong)tile * TILE + me * ITEMS;
    ulong own[ITEMS], seen = 0;
    uint sum = 0, all;

    /* 4 bits for each digit, as there are at most 8 of one */
    for (uint k = 0; k < ITEMS; k++)
        if (first + k < count) {
            own[k] = keys[first + k];
            seen += (ulong)1 << (4 * digit_of(own[k], shift));
        }
    for (uint d = 0; d < DIGITS; d++)
        ranks[d * GROUP + me] = (ushort)(seen >> (4 * d) & 15);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < DIGITS; k++)
        sum += ranks[me * DIGITS + k];
    sum = scan_group(sum, work, &all);
    for (uint k = 0; k < DIGITS; k++) {
        const uint here = ranks[me * DIGITS + k];
        ranks[me * DIGITS + k] = (ushort)sum;
        sum += here;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    seen = 0;
    for (uint k = 0; k < ITEMS; k++)
        if (first + k < count) {
            const uint digit = digit_of(own[k], shift);
            const uint rank = ranks[digit * GROUP + me] + ((uint)(seen >> (4 * digit)) & 15);
            const uint to = histogram[digit * tiles + tile] + rank - ranks[digit * GROUP];
            to_keys[to] = own[k];
            to_payload[to] = payload[first + k];
            seen += (ulong)1 << (4 * digit);
        }
}
