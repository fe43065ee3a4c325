/*  Finds pairs: tests each body with the runs of bodies that it may touch. A block is a range of consecutive bodies;
    its pairs are those of its bodies with later rows of their level. */
#include "detect/flat.h"

#include "base/bits.h"
#include "detect/exact.h"

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"

#if defined(__GNUC__) && !defined(SCREE_COVERAGE)
#define FLAT_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define FLAT_LIKELY(x) __builtin_expect(!!(x), 1)
#else
#define FLAT_UNLIKELY(x) (x)
#define FLAT_LIKELY(x) (x)
#endif

/*  Rows of its level that a body searches, including its own. */
#define FLAT_ROWS 5

/*  The sink is emptied above this number: a body adds at most five vectors before the next check, and the elements
    behind the last of them. */
#define FLAT_FULL (SCREE_SINK_CAPACITY - 96u)

typedef enum flat_kind
{
    FLAT_EVEN,    /* spheres of one radius */
    FLAT_SPHERES, /* spheres */
    FLAT_BOXES,
    FLAT_EVEN_FINE, /* the same with whole numbers */
    FLAT_SPHERES_FINE,
} flat_kind;

#define FLAT_KINDS 5

static inline bool has_radii(flat_kind kind)
{
    return kind == FLAT_SPHERES || kind == FLAT_SPHERES_FINE;
}

static inline bool is_fine(flat_kind kind)
{
    return kind == FLAT_EVEN_FINE || kind == FLAT_SPHERES_FINE;
}

/*  One of x y z as a float. */
static inline float read_place(const float *column, size_t i, flat_kind kind)
{
    return is_fine(kind) ? (float)scree_flat_whole(column + i) : column[i];
}

#define FLAT_KERNELS(X)                                                                            \
    X(even_2, FLAT_EVEN, 2)                                                                        \
    X(even_3, FLAT_EVEN, 3)                                                                        \
    X(spheres_2, FLAT_SPHERES, 2)                                                                  \
    X(spheres_3, FLAT_SPHERES, 3)                                                                  \
    X(boxes_2, FLAT_BOXES, 2)                                                                      \
    X(boxes_3, FLAT_BOXES, 3)                                                                      \
    X(even_fine_2, FLAT_EVEN_FINE, 2)                                                              \
    X(even_fine_3, FLAT_EVEN_FINE, 3)                                                              \
    X(spheres_fine_2, FLAT_SPHERES_FINE, 2)                                                        \
    X(spheres_fine_3, FLAT_SPHERES_FINE, 3)

typedef struct flat_sweep
{
    const scree_flat *self;
    const scree_bodies *bodies;
    scree_sink *sink;
    uint32_t id;        /* of the body being tested */
    float square;       /* of the reach of spheres of one radius, or 0 */
    size_t fill, named; /* of the sink: seconds, and firsts */
    uint16_t clear;     /* of the sink, as long as no pair in it is in doubt */
    float least,
        most; /* bodies apart by no more than `least` overlap, by more than `most` do not */
} flat_sweep;

/*  Cells of a level in the range of a body; for spheres with many rows in range also what the rows are cut by. */
typedef struct flat_window
{
    uint32_t first[3], last[3];
    bool is_cut;
    float at[3], reach;
} flat_window;

typedef struct flat_kernels
{
    void (*row)(flat_sweep *sweep, const scree_flat_level *level, const uint32_t *row,
                uint32_t first, uint32_t last);
    void (*level)(flat_sweep *sweep, const scree_flat_level *from, const scree_flat_level *into,
                  uint32_t first, uint32_t last);
    void (*islets)(flat_sweep *sweep, const scree_flat_islet *islet, uint32_t first, uint32_t last);
    void (*guest)(flat_sweep *sweep, const scree_flat_level *into, const float *record,
                  const flat_window *window);
} flat_kernels;

/*  count < 32. */
static inline uint32_t low_bits(uint32_t count)
{
    return (1u << count) - 1;
}

/*  Applies the formula of the rule to pairs in doubt. */
static uint32_t decide(const flat_sweep *sweep, uint32_t begin, uint32_t hits, uint32_t doubts)
{
    const scree_bodies *bodies = sweep->bodies;
    uint32_t i = sweep->id;
    sweep->sink->clear = 0;
    for (uint32_t lane = 0; doubts >> lane; lane++) {
        if (!(doubts >> lane & 1))
            continue;
        uint32_t j = sweep->self->id[begin + lane];
        bool overlap = sweep->self->volume == SCREE_SPHERES
                           ? scree_spheres_overlap(bodies->sphere[i], bodies->sphere[j])
                           : scree_boxes_overlap(&bodies->box[i], &bodies->box[j]);
        if (!overlap)
            hits &= ~(1u << lane);
    }
    return hits;
}

/*  Bounds for the results of kernels; for spheres of one radius the result is the squared distance. */
static inline void set_doubt(flat_sweep *sweep, float doubt)
{
    sweep->least = (sweep->square - doubt) * (1 - 0x1p-22f);
    sweep->most = (sweep->square + doubt) * (1 + 0x1p-22f);
}

static void empty_sink(flat_sweep *sweep)
{
    for (size_t k = sweep->named; k < sweep->fill; k++)
        sweep->sink->first[k] = sweep->id;
    sweep->sink->fill = (uint32_t)sweep->fill;
    sweep->sink->flush(sweep->sink);
    sweep->sink->clear = sweep->clear;
    sweep->fill = sweep->named = 0;
}

/* ---- windows on other levels ---- */

/*  Floats of a far body are not its position. Its box, in double, contains all that it may overlap. */
static void box_window(const flat_sweep *sweep, const scree_flat_level *into, const scree_box *box,
                       float lower[3], float upper[3])
{
    const scree_flat *self = sweep->self;
    const scree_flat_frame *frame = &self->island[into->island].frame;
    for (int k = 0; k < 3; k++) {
        lower[k] = scree_flat_to_frame(frame, k, box->lower[k]) - into->size[k] - into->slack;
        upper[k] = scree_flat_to_frame(frame, k, box->upper[k]) + into->slack;
        upper[k] += self->volume == SCREE_SPHERES ? into->size[k] : 0;
    }
}

SCREE_KERNEL_PART flat_window find_window(const flat_sweep *sweep, const scree_flat_level *from,
                                          const scree_flat_level *into, uint32_t i, flat_kind kind,
                                          int dimensions)
{
    const scree_flat *self = sweep->self;
    flat_window window = {{0, 0, 0}, {0, 0, 0}, false, {0, 0, 0}, 0};
    const float slack = from->slack + into->slack;
    float lower[3] = {0, 0, 0}, upper[3] = {0, 0, 0};
    if (from->is_far) {
        scree_box box = scree_flat_box(sweep->bodies, self->id[i]);
        box_window(sweep, into, &box, lower, upper);
    } else if (kind == FLAT_BOXES) {
        for (int k = 0; k < dimensions; k++) {
            lower[k] = self->column[k][i] - (into->size[k] + slack);
            upper[k] = self->column[3 + k][i] + slack;
        }
    } else {
        window.reach = self->column[3][i] + into->size[0] + slack;
        for (int k = 0; k < dimensions; k++) {
            window.at[k] = read_place(self->column[k], i, kind);
            lower[k] = window.at[k] - window.reach;
            upper[k] = window.at[k] + window.reach;
        }
    }
    for (int k = 0; k < 3; k++) { /* in two dimensions all is in cell 0 of the third */
        window.first[k] = scree_flat_cell(into, k, lower[k]);
        window.last[k] = scree_flat_cell(into, k, upper[k]);
    }
    window.is_cut = has_radii(kind) && !from->is_far &&
                    window.last[1] - window.first[1] + window.last[2] - window.first[2] > 4;
    return window;
}

/*  Returns the smallest distance, on one axis, from the centre of the window to a body of that cell. The outermost
    cells are unbounded; others are taken a little larger, because of the rounding in scree_flat_cell. */
static float gap_to_cell(const scree_flat_level *level, const flat_window *window, int axis,
                         uint32_t cell)
{
    float edge = level->edge[axis], low = ((float)cell - level->shift[axis]) * edge;
    float below = low - edge * 0x1p-8f - window->at[axis];
    float above = window->at[axis] - (low + edge * (1 + 0x1p-8f));
    float gap = 0;
    if (cell > 0 && below > gap)
        gap = below;
    if (cell + 1 < level->cells[axis] && above > gap)
        gap = above;
    return gap;
}

/*  Finds the cells of a row in the range of the sphere. Returns false if there are none. */
static bool cut_row(const scree_flat_level *level, const flat_window *window, uint32_t y,
                    uint32_t z, uint32_t *first, uint32_t *last)
{
    float gap_y = gap_to_cell(level, window, 1, y), gap_z = gap_to_cell(level, window, 2, z);
    float rest = window->reach * window->reach * (1 + 0x1p-20f) - gap_y * gap_y - gap_z * gap_z;
    if (!(rest > 0))
        return false;
    float half = sqrtf(rest) * (1 + 0x1p-20f);
    *first = scree_flat_cell(level, 0, window->at[0] - half);
    *last = scree_flat_cell(level, 0, window->at[0] + half);
    return true;
}

#define FLAT_LEVEL WIDE_SCALAR
#include "detect/flat_wide.h"

#include "detect/flat_sweep.inc.h"
#undef FLAT_LEVEL

#if WIDE_HAS_128
/*  For each four bits the numbers of four bytes whose bits are set, side by side. */
#include "detect/flat_order_four.h"
#define FLAT_LEVEL WIDE_128
#include "detect/flat_wide.h"

#include "detect/flat_sweep.inc.h"
#undef FLAT_LEVEL
#endif

#if WIDE_HAS_X86
/*  For each byte the places of its bits, each in a byte. */
#include "detect/flat_order.h"
#define FLAT_LEVEL WIDE_AVX2
#include "detect/flat_wide.h"

#include "detect/flat_sweep.inc.h"
#undef FLAT_LEVEL
#define FLAT_LEVEL WIDE_AVX512
#include "detect/flat_wide.h"

#include "detect/flat_sweep.inc.h"
#undef FLAT_LEVEL
#endif

static const flat_kernels *choose_kernels(const scree_flat *self, flat_kind kind)
{
    static const flat_kernels(*const tables[])[FLAT_KINDS] = WIDE_LEVELS(kernels);
    return &tables[self->simd][self->dimensions - 2][kind];
}

/*  For the search of a level in itself. If a vector of 16 lanes would be mostly empty, AVX2 with 8 lanes is faster: if
    a cell of equal spheres has fewer than 3/4 bodies, so that a run has four. With different radii, and with boxes, the
    length of runs varies widely, and 16 lanes are faster. */
static const flat_kernels *choose_own_kernels(const scree_flat *self, const scree_flat_level *level,
                                              flat_kind kind)
{
#if WIDE_HAS_X86
    size_t cells = (size_t)level->rows * (level->cells[0] - 2 * SCREE_FLAT_MARGIN);
    bool is_even = kind == FLAT_EVEN || kind == FLAT_EVEN_FINE;
    if (self->simd == SCREE_SIMD_AVX512 && is_even && 4 * (size_t)level->count <= 3 * cells)
        return &kernels_avx2[self->dimensions - 2][kind];
#endif
    (void)level;
    return choose_kernels(self, kind);
}

static flat_kind kind_of(const scree_flat *self, const scree_flat_level *level, bool is_even)
{
    if (self->volume == SCREE_BOXES)
        return FLAT_BOXES;
    if (self->island[level->island].frame.is_fine)
        return is_even ? FLAT_EVEN_FINE : FLAT_SPHERES_FINE;
    return is_even ? FLAT_EVEN : FLAT_SPHERES;
}

/*  Returns the row of body `i` in its level. */
static uint32_t find_row(const scree_flat *self, const scree_flat_level *level, uint32_t i)
{
    const uint32_t *start = self->start + level->first_cell;
    uint32_t low = 0, high = level->rows;
    while (low < high) { /* the first row that ends after i */
        uint32_t middle = low + (high - low) / 2;
        if (start[(size_t)level->cells[0] * (middle + 1)] > i)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/*  The islet that body `i` is in. */
static const scree_flat_islet *find_islet(const scree_flat *self, uint32_t i)
{
    uint32_t low = 0, high = self->islet_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (self->islet[middle].first <= i)
            low = middle;
        else
            high = middle;
    }
    return &self->islet[low];
}

/*  Finds pairs of bodies [first, last) of a level with each other and with those that follow. */
static void sweep_own(flat_sweep *sweep, const scree_flat_level *level, uint32_t first,
                      uint32_t last)
{
    const scree_flat *self = sweep->self;
    flat_kind kind = kind_of(self, level, level->is_even);
    const flat_kernels *kernels = choose_own_kernels(self, level, kind);
    float reach = 2 * level->size[0];
    sweep->square = kind == FLAT_EVEN || kind == FLAT_EVEN_FINE ? reach * reach : 0;
    set_doubt(sweep, scree_flat_doubt(self->volume, &self->island[level->island].frame, reach));
    if (level->is_islets) {
        kernels->islets(sweep, find_islet(self, first), first, last);
        return;
    }
    uint32_t row = find_row(self, level, first);
    while (first < last && !sweep->sink->stopped) {
        const uint32_t *start = self->start + level->first_cell + (size_t)level->cells[0] * row;
        uint32_t stop = start[level->cells[0]] < last ? start[level->cells[0]] : last;
        if (first < stop)
            kernels->row(sweep, level, start, first, stop);
        first = stop;
        row++;
    }
}

/*  Returns by how much spheres overlap at least if they are not in doubt: see CLEAR in flat_plan.c. Islets have other
    frames. */
static uint16_t clear_of(const scree_flat *self, const scree_flat_level *level)
{
    const scree_flat_frame *frame = &self->island[level->island].frame;
    bool is_known = self->volume == SCREE_SPHERES && !level->is_islets;
    return scree_sink_clear(is_known ? 0.25 * frame->error / frame->scale : 0);
}

/*  Returns the level of a block: the last one that has bodies and begins at or before it. */
static const scree_flat_level *find_level(const scree_flat *self, size_t block)
{
    uint32_t low = 0, high = self->level_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (self->level[middle].first_block <= block)
            low = middle;
        else
            high = middle;
    }
    while (self->level[low].count == 0)
        low--;
    return &self->level[low];
}

void scree_flat_pairs(const void *state, const scree_bodies *bodies, size_t block,
                      scree_scratch *scratch, scree_sink *sink)
{
    const scree_flat *self = state;
    if (self->is_crowded) {
        scree_bvh8_pairs(&self->tree, block, scratch, sink);
        return;
    }
    const scree_flat_level *level = find_level(self, block);
    const scree_flat_island *island = &self->island[level->island];
    uint32_t first = level->first + (uint32_t)(block - level->first_block) * SCREE_FLAT_BLOCK;
    uint32_t end = level->first + level->count;
    uint32_t last = end - first < SCREE_FLAT_BLOCK ? end : first + SCREE_FLAT_BLOCK;

    flat_sweep sweep = {.self = self, .bodies = bodies, .sink = sink};
    sweep.clear = sink->clear = clear_of(self, level);
    sweep_own(&sweep, level, first, last);
    const flat_kernels *kernels = choose_kernels(self, kind_of(self, level, false));
    for (uint32_t l = 0; l < island->level_count && !sink->stopped; l++) {
        const scree_flat_level *into = &self->level[island->first_level + l];
        if (!(level->targets >> l & 1))
            continue;
        sweep.square = 0;
        set_doubt(&sweep,
                  scree_flat_doubt(self->volume, &island->frame, level->size[0] + into->size[0]));
        kernels->level(&sweep, level, into, first, last);
    }
    sink->fill = (uint32_t)sweep.fill;
}

/* ---- a body from elsewhere ---- */

/*  Whether floats of its position are as accurate as those of the bodies of the island. */
static bool is_in_range(const scree_flat_frame *frame, const scree_bodies *bodies, uint32_t id)
{
    const double *low = bodies->sphere ? bodies->sphere[id] : bodies->box[id].lower;
    const double *high = bodies->sphere ? low : bodies->box[id].upper;
    for (int k = 0; k < bodies->dimensions; k++) {
        double lower = (low[k] - frame->origin[k]) * frame->scale;
        double upper = (high[k] - frame->origin[k]) * frame->scale;
        if (!(lower >= -frame->range && upper <= frame->range))
            return false;
    }
    return true;
}

static void look_into(flat_sweep *sweep, const scree_flat_level *level, const scree_box *box,
                      const float *record)
{
    const scree_flat *self = sweep->self;
    const scree_flat_frame *frame = &self->island[level->island].frame;
    flat_kind kind = kind_of(self, level, self->columns < 4);
    flat_window window = {{0, 0, 0}, {0, 0, 0}, false, {0, 0, 0}, 0};
    float lower[3], upper[3], reach = level->size[0];
    if (self->volume == SCREE_SPHERES)
        reach += (float)(sweep->bodies->sphere[sweep->id][3] * frame->scale) * (1 + 0x1p-22f);
    sweep->square = kind == FLAT_EVEN || kind == FLAT_EVEN_FINE ? reach * reach : 0;
    set_doubt(sweep, scree_flat_doubt(self->volume, frame, reach));
    box_window(sweep, level, box, lower, upper);
    for (int k = 0; k < 3; k++) {
        window.first[k] = scree_flat_cell(level, k, lower[k]);
        window.last[k] = scree_flat_cell(level, k, upper[k]);
    }
    choose_kernels(self, kind)->guest(sweep, level, record, &window);
}

bool scree_flat_sweep_guest(const scree_flat *self, const scree_bodies *bodies, uint32_t id,
                            const scree_box *box, scree_sink *sink)
{
    flat_sweep sweep = {.self = self, .bodies = bodies, .sink = sink, .id = id};
    for (uint32_t k = 0; k < self->island_count; k++) {
        const scree_flat_island *island = &self->island[k];
        bool is_met = !self->is_split || scree_boxes_overlap(box, &island->box);
        bool is_plain = !island->sorts.has_far && is_in_range(&island->frame, bodies, id);
        if (is_met && !is_plain && !self->level[island->first_level].is_islets)
            return false;
    }
    sweep.fill = sweep.named = sink->fill;
    for (uint32_t k = 0; k < self->island_count; k++) {
        const scree_flat_island *island = &self->island[k];
        float record[SCREE_FLAT_COLUMNS] = {0};
        if (self->is_split && !scree_boxes_overlap(box, &island->box))
            continue;
        scree_flat_read(&island->frame, bodies, id, self->columns, record);
        for (uint32_t l = island->first_level; l < island->first_level + island->level_count; l++)
            if (self->level[l].count && !self->level[l].is_islets)
                look_into(&sweep, &self->level[l], box, record);
    }
    sink->fill = (uint32_t)sweep.fill;
    return true;
}
