/*  CGRID (Williams, Perkins & Cook 2004): a grid for bodies of any size. A body is entered in every
    bin that its box overlaps. Bins are subdivided one axis at a time: bodies enter the list of a
   layer (Z) at their first one and leave it after their last, from there the list of a row (Y) in
   the same way, and from there the bins along X, so that memory holds one row of bins and never the
   grid.

    ONCE. The bins of a body on an axis are [index(lower), index(upper)], and index() is never
    decreasing (lattice.h). So the bin of the component-wise maximum of two lower corners has, on
   each axis, the larger of the two first bins; if two bodies share any bin they share that one; and
    overlapping boxes do share it, as index(max lower) <= index(min upper). A pair is reported there
    and nowhere else. This holds for any rounding, and for bodies clamped into the outermost bins. */
#include "detect/lattice.h"
#include "detect/method.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define NONE 0xffffffffu
#define BLOCK_BODIES 1024u /* on average, at least, in a block of the search */
#define MAX_BLOCKS 64u
#define MAX_ENTRIES 16.0 /* of a body in bins, on average */

/*  Bins that a box overlaps. */
struct bins
{
    uint32_t first[3], last[3];
};

/*  The outermost axis (Y in 2D, Z in 3D) is cut into blocks of `block_bins` bins. Invariant: the
    bodies whose first bin there is s are order[start[s]] to order[start[s + 1] - 1]; those that
    began in an earlier block and reach into block b are carried[carried_start[b]] and so on. */
struct cgrid
{
    scree_lattice lattice;
    int outer;
    uint32_t block_bins;
    uint64_t remapped;
    size_t row_entries; /* no row has more entries in its bins than this */
    struct bins *bins;  /* by id */
    uint32_t *start, *order, *carried;
    size_t bins_capacity, start_capacity, order_capacity, carried_capacity;
    size_t carried_start[MAX_BLOCKS + 1];
};

/* ---- building -----------------------------------------------------------------------------------
 */

/*  Bins of bin_factor times the mean width of the bodies, axis by axis; where they have no width,
   of that of the other axes; points get 64 bins along the domain. */
static void choose_bins(const scree_extent *extent, double factor, double bin[3])
{
    double mean = 0, range = 0;

    for (int k = 0; k < 3; k++) {
        mean = fmax(mean, extent->mean_width[k]);
        range = fmax(range, extent->upper[k] - extent->lower[k]);
    }
    for (int k = 0; k < 3; k++) {
        double width = extent->mean_width[k] > 0 ? extent->mean_width[k] : mean;
        bin[k] = width > 0 ? factor * width : range / 64; /* only speed */
        bin[k] = fmax(bin[k], DBL_MIN); /* no division by zero; all in one place: one bin */
    }
}

/*  Expected entries of all bodies if bins were s times larger is the polynomial sum[0] + sum[1] / s
   + sum[2] / s^2 + sum[3] / s^3: a box of width w lies in 1 + w / bin bins of an axis on average.
   An estimate: bins of any size find the same, and only speed and memory depend on it. */
static void sum_entries(const scree_lattice *lattice, const scree_bodies *bodies, double sum[4])
{
    memset(sum, 0, 4 * sizeof *sum);
    for (uint32_t p = 0; p < bodies->active_count; p++) {
        const scree_box *box = &bodies->box[bodies->active[p]];
        double along[3] = {0};
        for (int k = 0; k < bodies->dimensions; k++)
            along[k] =
                fmin((box->upper[k] - box->lower[k]) / lattice->cell[k], (double)lattice->count[k]);
        sum[0] += 1;
        sum[1] += along[0] + along[1] + along[2];
        sum[2] += along[0] * along[1] + along[1] * along[2] + along[2] * along[0];
        sum[3] += along[0] * along[1] * along[2];
    }
}

/*  How much larger bins must be for MAX_ENTRIES a body: only speed and memory. The sums are at most N (2N + 65)^3, so
   some hundred turns end this. */
static double enlargement(const double sum[4])
{
    double s = 1;

    while (sum[1] / s + sum[2] / (s * s) + sum[3] / (s * s * s) > (MAX_ENTRIES - 1) * sum[0])
        s *= 1.25;
    return s;
}

/*  The lattice covers the centres only: bins for the space that only giants reach would cost more than they save. */
static void lay(struct cgrid *self, const scree_method_env *env, const scree_bodies *bodies)
{
    double bin[3], sum[4], limit = 2 * (double)bodies->active_count + 64, larger;
    scree_extent extent;

    scree_extent_measure(&extent, bodies);
    choose_bins(&extent, env->def->bin_factor, bin);
    scree_extent_trim(&extent, bodies, bin);
    scree_lattice_lay(&self->lattice, &extent, bin, limit, limit);
    sum_entries(&self->lattice, bodies, sum);
    larger = enlargement(sum);
    if (larger > 1) {
        for (int k = 0; k < 3; k++)
            bin[k] = self->lattice.cell[k] * larger;
        scree_lattice_lay(&self->lattice, &extent, bin, limit, limit);
    }
    self->outer = bodies->dimensions - 1;
}

static void enter(struct cgrid *self, const scree_bodies *bodies, uint32_t id)
{
    const scree_box *box = &bodies->box[id];
    struct bins *bins = &self->bins[id];

    for (int k = 0; k < bodies->dimensions; k++) {
        bins->first[k] = scree_lattice_index(&self->lattice, k, box->lower[k]);
        bins->last[k] = scree_lattice_index(&self->lattice, k, box->upper[k]);
    }
    self->row_entries += (size_t)bins->last[0] - bins->first[0] + 1;
}

/*  Counting sort by the first bin of the outermost axis. */
static void sort_bodies(struct cgrid *self, const scree_bodies *bodies)
{
    uint32_t count = self->lattice.count[self->outer], total = 0;

    memset(self->start, 0, ((size_t)count + 1) * sizeof *self->start);
    for (uint32_t p = 0; p < bodies->active_count; p++)
        self->start[self->bins[bodies->active[p]].first[self->outer]]++;
    for (uint32_t s = 0; s <= count; s++) {
        uint32_t here = self->start[s];
        self->start[s] = total;
        total += here;
    }
    for (uint32_t p = 0; p < bodies->active_count; p++) {
        uint32_t id = bodies->active[p];
        self->order[self->start[self->bins[id].first[self->outer]]++] = id;
    }
    memmove(self->start + 1, self->start, count * sizeof *self->start);
    self->start[0] = 0;
}

/*  Two rounds over the bodies that reach into later blocks: count, then list. */
static scree_status carry_bodies(struct cgrid *self, const scree_method_env *env,
                                 const scree_bodies *bodies)
{
    size_t *start = self->carried_start, total = 0;
    scree_status status;

    memset(start, 0, sizeof self->carried_start);
    for (uint32_t p = 0; p < bodies->active_count; p++) {
        const struct bins *bins = &self->bins[bodies->active[p]];
        uint32_t last = bins->last[self->outer] / self->block_bins;
        for (uint32_t b = bins->first[self->outer] / self->block_bins + 1; b <= last; b++)
            start[b]++;
    }
    for (uint32_t b = 0; b <= MAX_BLOCKS; b++) {
        size_t here = start[b];
        start[b] = total;
        total += here;
    }
    status = scree_memory_reserve(env->memory, &self->carried, &self->carried_capacity, total,
                                  sizeof *self->carried);
    if (status)
        return status;
    for (uint32_t p = 0; p < bodies->active_count; p++) {
        const struct bins *bins = &self->bins[bodies->active[p]];
        uint32_t last = bins->last[self->outer] / self->block_bins;
        for (uint32_t b = bins->first[self->outer] / self->block_bins + 1; b <= last; b++)
            self->carried[start[b]++] = bodies->active[p];
    }
    memmove(start + 1, start, MAX_BLOCKS * sizeof *start);
    start[0] = 0;
    return SCREE_OK;
}

static scree_status cgrid_build(void *state, const scree_method_env *env,
                                const scree_bodies *bodies)
{
    struct cgrid *self = state;
    scree_status status;

    lay(self, env, bodies);
    uint32_t bins = self->lattice.count[self->outer];
    uint32_t blocks = bodies->active_count / BLOCK_BODIES + 1;
    self->block_bins = bins / (blocks < MAX_BLOCKS ? blocks : MAX_BLOCKS) + 1;

    status = scree_memory_reserve(env->memory, &self->bins, &self->bins_capacity, bodies->bound,
                                  sizeof *self->bins);
    if (!status)
        status = scree_memory_reserve(env->memory, &self->start, &self->start_capacity,
                                      (size_t)bins + 1, sizeof *self->start);
    if (!status)
        status = scree_memory_reserve(env->memory, &self->order, &self->order_capacity,
                                      bodies->active_count, sizeof *self->order);
    if (status)
        return status;
    self->row_entries = 0;
    for (uint32_t p = 0; p < bodies->active_count; p++)
        enter(self, bodies, bodies->active[p]);
    self->remapped += bodies->active_count;
    sort_bodies(self, bodies);
    return carry_bodies(self, env, bodies);
}

/* ---- searching ----------------------------------------------------------------------------------
 */

/*  An entry of a body in a bin. `begins` has bit k set if the body has its first bin of axis k
   here: two bodies meet in the bin of the once-rule if together they have all bits. */
struct entry
{
    uint32_t id, next, begins;
};

/*  The bodies that are in, at one level. */
struct list
{
    uint32_t *ids, count;
};

struct search
{
    const struct cgrid *self;
    scree_sink *sink;
    uint32_t all; /* begins of a bin where a body starts on every axis */
    struct list layer, row;
    uint32_t *row_head, *row_next; /* bodies of a layer by their first row */
    uint32_t *bin_head;            /* entries of a row by bin */
    struct entry *entries;
};

static void drop_ended(struct search *search, struct list *list, int axis, uint32_t bin)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < list->count; i++)
        if (search->self->bins[list->ids[i]].last[axis] > bin)
            list->ids[kept++] = list->ids[i];
    list->count = kept;
}

/*  Meets the bodies already in the bin, then joins them. */
static void enter_bin(struct search *search, uint32_t bin, struct entry entry, uint32_t slot)
{
    uint32_t head = search->bin_head[bin];

    for (uint32_t e = head; e != NONE; e = search->entries[e].next)
        if ((search->entries[e].begins | entry.begins) == search->all)
            scree_sink_pair(search->sink, entry.id, search->entries[e].id);
    entry.next = head;
    search->entries[slot] = entry;
    search->bin_head[bin] = slot;
}

/*  All bins of one row: outer bin z, and bin y of the axis between (0 in 2D). */
static void search_row(struct search *search, const struct list *row, uint32_t y, uint32_t z)
{
    const struct bins *all_bins = search->self->bins;
    int outer = search->self->outer;
    uint32_t slot = 0;

    if (row->count < 2)
        return;
    for (uint32_t i = 0; i < row->count; i++) {
        const struct bins *bins = &all_bins[row->ids[i]];
        struct entry entry = {.id = row->ids[i]};
        uint32_t outside = 0;
        outside |= (uint32_t)(bins->first[outer] == z) << outer;
        if (outer == 2)
            outside |= (uint32_t)(bins->first[1] == y) << 1;
        for (uint32_t x = bins->first[0]; x <= bins->last[0]; x++) {
            entry.begins = outside | (x == bins->first[0]);
            enter_bin(search, x, entry, slot++);
        }
    }
    for (uint32_t i = 0; i < row->count; i++) {
        const struct bins *bins = &all_bins[row->ids[i]];
        for (uint32_t x = bins->first[0]; x <= bins->last[0]; x++)
            search->bin_head[x] = NONE;
    }
}

/*  3D: the rows of layer z, bodies going in at their first and out after their last. */
static void search_layer(struct search *search, const struct list *layer, uint32_t z)
{
    const struct cgrid *self = search->self;

    if (layer->count < 2)
        return;
    for (uint32_t i = 0; i < layer->count; i++) {
        uint32_t id = layer->ids[i], y = self->bins[id].first[1];
        search->row_next[id] = search->row_head[y];
        search->row_head[y] = id;
    }
    search->row.count = 0;
    for (uint32_t y = 0; y < self->lattice.count[1] && !search->sink->stopped; y++) {
        for (uint32_t id = search->row_head[y]; id != NONE; id = search->row_next[id])
            search->row.ids[search->row.count++] = id;
        search->row_head[y] = NONE;
        search_row(search, &search->row, y, z);
        drop_ended(search, &search->row, 1, y);
    }
}

/*  The number of entries changes a little with every step; the power of two above it rarely does.
 */
static size_t round_up(size_t count)
{
    size_t size = 64;

    while (size < count)
        size *= 2;
    return size;
}

static bool make_search(struct search *search, const struct cgrid *self, const scree_bodies *bodies,
                        scree_scratch *scratch, scree_sink *sink)
{
    size_t bins = self->lattice.count[0], rows = self->lattice.count[1];

    *search = (struct search){.self = self, .sink = sink, .all = (2u << self->outer) - 1};
    search->layer.ids =
        scree_scratch_take(scratch, bodies->active_count, sizeof *search->layer.ids);
    search->bin_head = scree_scratch_take(scratch, bins, sizeof *search->bin_head);
    search->entries =
        scree_scratch_take(scratch, round_up(self->row_entries), sizeof *search->entries);
    if (!search->layer.ids || !search->bin_head || !search->entries)
        return false;
    memset(search->bin_head, 0xff, bins * sizeof *search->bin_head);
    if (self->outer == 1)
        return true;
    search->row.ids = scree_scratch_take(scratch, bodies->active_count, sizeof *search->row.ids);
    search->row_head = scree_scratch_take(scratch, rows, sizeof *search->row_head);
    search->row_next = scree_scratch_take(scratch, bodies->bound, sizeof *search->row_next);
    if (!search->row.ids || !search->row_head || !search->row_next)
        return false;
    memset(search->row_head, 0xff, rows * sizeof *search->row_head);
    return true;
}

static size_t cgrid_block_count(const void *state, const scree_bodies *bodies)
{
    const struct cgrid *self = state;

    (void)bodies;
    return scree_block_count(self->lattice.count[self->outer], self->block_bins);
}

static void cgrid_pairs(const void *state, const scree_bodies *bodies, size_t block,
                        scree_scratch *scratch, scree_sink *sink)
{
    const struct cgrid *self = state;
    uint32_t begin = (uint32_t)block * self->block_bins;
    uint32_t end =
        (uint32_t)scree_block_end(block, self->block_bins, self->lattice.count[self->outer]);
    struct search search;

    if (bodies->active_count < 2 || !make_search(&search, self, bodies, scratch, sink))
        return;
    for (size_t i = self->carried_start[block]; i < self->carried_start[block + 1]; i++)
        search.layer.ids[search.layer.count++] = self->carried[i];
    for (uint32_t z = begin; z < end && !sink->stopped; z++) {
        for (uint32_t i = self->start[z]; i < self->start[z + 1]; i++)
            search.layer.ids[search.layer.count++] = self->order[i];
        if (self->outer == 2)
            search_layer(&search, &search.layer, z);
        else
            search_row(&search, &search.layer, 0, z);
        drop_ended(&search, &search.layer, self->outer, z);
    }
}

/* ---- queries ---- */

static void offer(const struct cgrid *self, const scree_bodies *bodies, const scree_probe *probe,
                  const struct bins *wanted, uint32_t id, scree_hit_sink *sink)
{
    bool shared = true;

    for (int k = 0; k < bodies->dimensions; k++)
        shared &= (self->bins[id].first[k] <= wanted->last[k]) &
                  (wanted->first[k] <= self->bins[id].last[k]);
    if (shared && (!probe->is_ray || scree_probe_meets(probe, &bodies->box[id])))
        scree_sink_hit(sink, id);
}

/*  Bodies that reach the probe's bins began either in its last bin or before, in its block, or were
    carried into that block: each is in one of these lists, once. */
static void cgrid_query(const void *state, const scree_bodies *bodies, const scree_probe *probe,
                        scree_hit_sink *sink)
{
    const struct cgrid *self = state;
    struct bins wanted;

    if (bodies->active_count == 0)
        return;
    for (int k = 0; k < bodies->dimensions; k++) {
        wanted.first[k] = scree_lattice_index(&self->lattice, k, probe->box.lower[k]);
        wanted.last[k] = scree_lattice_index(&self->lattice, k, probe->box.upper[k]);
    }
    uint32_t block = wanted.first[self->outer] / self->block_bins;
    uint32_t end = self->start[wanted.last[self->outer] + 1];
    for (size_t i = self->carried_start[block]; i < self->carried_start[block + 1]; i++)
        offer(self, bodies, probe, &wanted, self->carried[i], sink);
    for (uint32_t i = self->start[block * self->block_bins]; i < end && !sink->stopped; i++)
        offer(self, bodies, probe, &wanted, self->order[i], sink);
}

static void cgrid_stats(const void *state, scree_stats *stats)
{
    const struct cgrid *self = state;
    stats->remapped += self->remapped;
}

/*  Bins are made row by row while pairs are sought; here they are made all at once, from those of each body. */
static void cgrid_outline(const void *state, const scree_bodies *bodies, scree_scratch *scratch,
                          scree_outline_sink *sink)
{
    const struct cgrid *self = state;
    scree_outline_entries entries;
    size_t count = 0;

    for (uint32_t i = 0; i < bodies->active_count; i++) {
        const struct bins *bins = &self->bins[bodies->active[i]];
        size_t own = 1;
        for (int k = 0; k < bodies->dimensions; k++)
            own *= (size_t)bins->last[k] - bins->first[k] + 1;
        count += own;
    }
    if (!scree_outline_take(scratch, count, &entries))
        return;
    for (uint32_t i = 0; i < bodies->active_count; i++) {
        const struct bins *bins = &self->bins[bodies->active[i]];
        uint32_t at[3], last_z = bodies->dimensions == 3 ? bins->last[2] : 0;
        for (at[2] = bodies->dimensions == 3 ? bins->first[2] : 0; at[2] <= last_z; at[2]++)
            for (at[1] = bins->first[1]; at[1] <= bins->last[1]; at[1]++)
                for (at[0] = bins->first[0]; at[0] <= bins->last[0]; at[0]++)
                    scree_outline_enter(&entries, scree_outline_key(&self->lattice, at),
                                        bodies->active[i]);
    }
    scree_outline_cells(sink, &self->lattice, &entries, 0);
}

static void cgrid_destroy(void *state, const scree_method_env *env)
{
    struct cgrid *self = state;

    scree_memory_give(env->memory, &self->bins, self->bins_capacity, sizeof *self->bins);
    scree_memory_give(env->memory, &self->start, self->start_capacity, sizeof *self->start);
    scree_memory_give(env->memory, &self->order, self->order_capacity, sizeof *self->order);
    scree_memory_give(env->memory, &self->carried, self->carried_capacity, sizeof *self->carried);
}

const scree_method scree_method_cgrid = {
    .info = {.name = "cgrid",
             .summary = "bodies in every bin they overlap, bins made row by row (CGRID 2004)",
             .cost = "N, whatever the sizes",
             .worst_time =
                 "N^2, where sizes range over many orders, or most bodies lie in few places",
             .worst_memory = "N",
             .capabilities = SCREE_METHOD_QUERY | SCREE_METHOD_THREADS,
             .exponent = {1.0, 1.0}},
    .state_bytes = sizeof(struct cgrid),
    .destroy = cgrid_destroy,
    .build = cgrid_build,
    .block_count = cgrid_block_count,
    .pairs = cgrid_pairs,
    .query = cgrid_query,
    .stats = cgrid_stats,
    .outline = cgrid_outline,
};
