/*  Three sorts of (key, end) entries held as two arrays: heap sort as the thesis names it,
    insertion sort for what is nearly in order, quick sort for what is in no order at all. None
    recurses and none is quadratic: each has heap sort to fall back on. */
#include "detect/axis_sort.h"

#include <math.h>

scree_status scree_axis_reserve(scree_axis *axis, scree_memory *memory, size_t count)
{
    scree_status status =
        scree_memory_reserve(memory, &axis->key, &axis->key_capacity, count, sizeof *axis->key);
    if (status)
        return status;
    return scree_memory_reserve(memory, &axis->end, &axis->end_capacity, count, sizeof *axis->end);
}

void scree_axis_free(scree_axis *axis, scree_memory *memory)
{
    scree_memory_give(memory, &axis->key, axis->key_capacity, sizeof *axis->key);
    scree_memory_give(memory, &axis->end, axis->end_capacity, sizeof *axis->end);
    axis->key_capacity = axis->end_capacity = 0;
}

/* ---- heap sort ------------------------------------------------------------------------------- */

/*  Puts an entry into the heap below `root`, where there is a hole. Bottom-up: the hole goes down
    along the larger children to a leaf, one comparison a level, then the entry climbs from there,
    which is seldom far as it came from a leaf. Half the comparisons of the usual way. (I. Wegener,
    "Bottom-up heapsort", Theor. Comput. Sci. 118, 1993.) */
static void sift_end(uint64_t *key, uint32_t *end, size_t root, size_t count, uint64_t entry_key,
                     uint32_t entry_end)
{
    size_t hole = root, child = 2 * root + 1;
    while (child < count) {
        if (child + 1 < count &&
            scree_end_before(key[child], end[child], key[child + 1], end[child + 1]))
            child++;
        key[hole] = key[child];
        end[hole] = end[child];
        hole = child;
        child = 2 * hole + 1;
    }
    while (hole > root) {
        size_t parent = (hole - 1) / 2;
        if (!scree_end_before(key[parent], end[parent], entry_key, entry_end))
            break;
        key[hole] = key[parent];
        end[hole] = end[parent];
        hole = parent;
    }
    key[hole] = entry_key;
    end[hole] = entry_end;
}

void scree_axis_heap_sort(uint64_t *key, uint32_t *end, size_t count)
{
    for (size_t root = count / 2; root-- > 0;)
        sift_end(key, end, root, count, key[root], end[root]);

    /* the largest goes to the end, the last leaf takes its place */
    for (size_t last = count; last-- > 1;) {
        uint64_t last_key = key[last];
        uint32_t last_end = end[last];
        key[last] = key[0];
        end[last] = end[0];
        sift_end(key, end, 0, last, last_key, last_end);
    }
}

/* ---- insertion sort -------------------------------------------------------------------------- */

/*  Returns exchanges; stops with entries in no particular order once these exceed `limit`. */
static uint64_t insert_ends(uint64_t *key, uint32_t *end, size_t count, uint64_t limit)
{
    uint64_t exchanges = 0;
    for (size_t p = 1; p < count && exchanges <= limit; p++) {
        uint64_t entry_key = key[p];
        uint32_t entry_end = end[p];
        size_t q = p;
        while (q > 0 && scree_end_before(entry_key, entry_end, key[q - 1], end[q - 1])) {
            key[q] = key[q - 1];
            end[q] = end[q - 1];
            q--;
        }
        key[q] = entry_key;
        end[q] = entry_end;
        exchanges += p - q;
    }
    return exchanges;
}

static unsigned ceil_log2(size_t count)
{
    unsigned levels = 0;
    while (levels < 63 && ((size_t)1 << levels) < count)
        levels++;
    return levels;
}

/*  Bodies that were thrown about leave up to N^2 inversions, and insertion sort would exchange them
    one by one. A step of heap sort costs about as much as eight exchanges of neighbours (it jumps
    through memory, they are next to each other) and there are N log2 N of these steps; past that
    number heap sort from where things stand is at most as slow as what has been spent, so giving up
    costs a factor of two at the worst. */
#define EXCHANGES_PER_HEAP_STEP 8u

uint64_t scree_axis_exchange_limit(size_t count)
{
    return EXCHANGES_PER_HEAP_STEP * (uint64_t)count * ceil_log2(count);
}

uint64_t scree_axis_resort(uint64_t *key, uint32_t *end, size_t count)
{
    uint64_t limit = scree_axis_exchange_limit(count);
    uint64_t exchanges = insert_ends(key, end, count, limit);
    if (exchanges > limit)
        scree_axis_heap_sort(key, end, count);
    return exchanges;
}

/* ---- quick sort ------------------------------------------------------------------------------ */

/*  Pieces this short are left to insertion sort. */
#define QUICK_SORT_SHORT 24u

static void swap_ends(uint64_t *key, uint32_t *end, size_t a, size_t b)
{
    uint64_t k = key[a];
    uint32_t e = end[a];
    key[a] = key[b];
    end[a] = end[b];
    key[b] = k;
    end[b] = e;
}

/*  Hoare's partition around the median of first, middle and last: returns m, 0 < m < count, such
    that all entries below m come before all others. */
static size_t partition_ends(uint64_t *key, uint32_t *end, size_t count)
{
    size_t middle = count / 2, last = count - 1;
    if (scree_end_before(key[middle], end[middle], key[0], end[0]))
        swap_ends(key, end, 0, middle);
    if (scree_end_before(key[last], end[last], key[middle], end[middle])) {
        swap_ends(key, end, middle, last);
        if (scree_end_before(key[middle], end[middle], key[0], end[0]))
            swap_ends(key, end, 0, middle);
    }
    uint64_t pivot_key = key[middle];
    uint32_t pivot_end = end[middle];

    /* first and last are on their sides already and stop the two scans */
    size_t i = 0, j = last;
    for (;;) {
        do
            i++;
        while (scree_end_before(key[i], end[i], pivot_key, pivot_end));
        do
            j--;
        while (scree_end_before(pivot_key, pivot_end, key[j], end[j]));
        if (i >= j)
            return i;
        swap_ends(key, end, i, j);
    }
}

void scree_axis_quick_sort(uint64_t *key, uint32_t *end, size_t count)
{
    /* the longer part waits, so the waiting parts halve in length: 64 are enough for any count */
    struct
    {
        size_t first, count;
        unsigned depth_left;
    } waiting[64];
    size_t waiting_count = 0, first = 0;
    unsigned depth_left = 2 * ceil_log2(count); /* only speed: then heap sort takes over */

    if (count < 2) /* then there may be no arrays either */
        return;
    for (;;) {
        while (count > QUICK_SORT_SHORT && depth_left > 0) {
            depth_left--;
            size_t cut = partition_ends(key + first, end + first, count);
            bool left_waits = cut > count - cut;
            waiting[waiting_count].first = left_waits ? first : first + cut;
            waiting[waiting_count].count = left_waits ? cut : count - cut;
            waiting[waiting_count++].depth_left = depth_left;
            first = left_waits ? first + cut : first;
            count = left_waits ? count - cut : cut;
        }
        if (count > QUICK_SORT_SHORT)
            scree_axis_heap_sort(key + first, end + first, count);
        else
            insert_ends(key + first, end + first, count, UINT64_MAX);
        if (waiting_count == 0)
            return;
        waiting_count--;
        first = waiting[waiting_count].first;
        count = waiting[waiting_count].count;
        depth_left = waiting[waiting_count].depth_left;
    }
}

/* ---- bodies that come and go ----------------------------------------------------------------- */

/*  From the top down: nothing is overwritten before it has been moved, as the free places are at the
    top. */
void scree_axis_merge(scree_axis *axis, size_t count, scree_axis *fresh, size_t fresh_count)
{
    scree_axis_heap_sort(fresh->key, fresh->end, fresh_count);
    while (fresh_count > 0) {
        size_t to = count + fresh_count - 1;
        if (count > 0 && scree_end_before(fresh->key[fresh_count - 1], fresh->end[fresh_count - 1],
                                          axis->key[count - 1], axis->end[count - 1])) {
            count--;
            axis->key[to] = axis->key[count];
            axis->end[to] = axis->end[count];
        } else {
            fresh_count--;
            axis->key[to] = fresh->key[fresh_count];
            axis->end[to] = fresh->end[fresh_count];
        }
    }
}

void scree_axis_drop(scree_axis *axis, size_t kept, const uint8_t *mark)
{
    size_t to = 0;
    for (size_t p = 0; to < kept; p++) {
        axis->key[to] = axis->key[p];
        axis->end[to] = axis->end[p];
        to += !mark[scree_end_id(axis->end[p])];
    }
}

/* ---- ranks ----------------------------------------------------------------------------------- */

/*  From the sorted ends alone: an upper end adds the number of lower ends so far, a lower end subtracts it. */
uint64_t scree_axis_sum_ranges(const scree_axis *axis, size_t end_count)
{
    uint64_t begun = 0, sum = 0;
    for (size_t p = 0; p < end_count; p++) {
        if (scree_end_is_upper(axis->end[p]))
            sum += begun;
        else
            sum -= ++begun;
    }
    return sum;
}

void scree_axis_number(const scree_axis *axis, size_t end_count, uint32_t *number, uint32_t *order,
                       int32_t *stop)
{
    int32_t begun = 0;
    for (size_t p = 0; p < end_count; p++) {
        uint32_t id = scree_end_id(axis->end[p]);
        if (scree_end_is_upper(axis->end[p])) {
            stop[number[id]] = begun;
        } else {
            order[begun] = id;
            number[id] = (uint32_t)begun++;
        }
    }
}

void scree_axis_rank(const scree_axis *axis, size_t end_count, const uint32_t *number,
                     int32_t *lower, int32_t *upper)
{
    int32_t begun = 0;
    for (size_t p = 0; p < end_count; p++) {
        uint32_t i = number[scree_end_id(axis->end[p])];
        if (scree_end_is_upper(axis->end[p]))
            upper[i] = begun;
        else
            lower[i] = begun++;
    }
}

/* ---- search ---------------------------------------------------------------------------------- */

double scree_axis_share(const scree_box *box, const uint32_t *ids, size_t count, int k)
{
    double least = HUGE_VAL, most = -HUGE_VAL, sum = 0;
    for (size_t i = 0; i < count; i++) {
        const scree_box *b = &box[ids[i]];
        least = b->lower[k] < least ? b->lower[k] : least;
        most = b->upper[k] > most ? b->upper[k] : most;
        sum += b->upper[k] - b->lower[k];
    }
    return most > least ? sum / (most - least) : HUGE_VAL;
}

size_t scree_axis_count_up_to(const uint64_t *key, size_t count, uint64_t bound)
{
    size_t first = 0;
    while (count > 0) {
        size_t half = count / 2;
        if (key[first + half] <= bound) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

void scree_axis_query(const scree_bodies *bodies, int axis, const uint32_t *order, size_t count,
                      const scree_probe *probe, scree_hit_sink *sink)
{
    /* `first` is how many begin before the probe ends */
    size_t first = 0;
    while (count > 0) {
        size_t half = count / 2;
        if (bodies->box[order[first + half]].lower[axis] <= probe->box.upper[axis]) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    for (size_t i = 0; i < first && !sink->stopped; i++)
        if (scree_probe_meets(probe, &bodies->box[order[i]]))
            scree_sink_hit(sink, order[i]);
}

/* ---- outline --------------------------------------------------------------------------------- */

void scree_axis_outline(const scree_axis *axis, size_t count, int k, const uint32_t *names,
                        const scree_bodies *bodies, scree_outline_sink *sink)
{
    scree_outline_piece piece = {.kind = SCREE_OUTLINE_RANGE, .axis = (uint32_t)k, .count = 1};

    for (size_t p = 0; p < count && !sink->stopped; p++) {
        uint32_t name = scree_end_id(axis->end[p]);
        if (scree_end_is_upper(axis->end[p]))
            continue;
        const scree_box *box = &bodies->box[names ? names[name] : name];
        for (int i = 0; i < 3; i++) {
            piece.lower[i] = box->lower[i];
            piece.upper[i] = box->upper[i];
        }
        scree_outline_put(sink, &piece);
        piece.place++;
    }
}
