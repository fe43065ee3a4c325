/*  Pairs: each body against the runs of those it may touch. A block is a number of consecutive bodies;
    its pairs are those that its bodies find in later rows of their level. */
#include "detect/flat.h"

#include "detect/exact.h"

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"

#if defined(__GNUC__)
#define FLAT_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define FLAT_LIKELY(x) __builtin_expect(!!(x), 1)
#define FLAT_INLINE static inline __attribute__((always_inline))
#else
#define FLAT_UNLIKELY(x) (x)
#define FLAT_LIKELY(x) (x)
#define FLAT_INLINE static inline
#endif

/*  Above this the sink is emptied: one body adds five vectors at most before it is looked at again,
    and what is behind the last of them. */
#define FLAT_FULL (SCREE_SINK_CAPACITY - 96u)

typedef enum flat_kind
{
    FLAT_EVEN,    /* spheres of one radius */
    FLAT_SPHERES, /* spheres */
    FLAT_BOXES,
} flat_kind;

#define FLAT_KERNELS(X)                                                                            \
    X(even_2, FLAT_EVEN, 2)                                                                        \
    X(even_3, FLAT_EVEN, 3)                                                                        \
    X(spheres_2, FLAT_SPHERES, 2)                                                                  \
    X(spheres_3, FLAT_SPHERES, 3)                                                                  \
    X(boxes_2, FLAT_BOXES, 2)                                                                      \
    X(boxes_3, FLAT_BOXES, 3)

typedef struct flat_sweep
{
    const scree_flat *self;
    const scree_bodies *bodies;
    scree_sink *sink;
    uint32_t id;        /* of the body being tested */
    size_t fill, named; /* of the sink: seconds, and firsts */
    float least,
        most; /* bodies apart by no more than `least` overlap, by more than `most` do not */
} flat_sweep;

typedef struct flat_kernels
{
    void (*row)(flat_sweep *sweep, const scree_flat_level *level, const uint32_t *row,
                uint32_t first, uint32_t last);
} flat_kernels;

/*  count < 32. */
static inline uint32_t low_bits(uint32_t count)
{
    return (1u << count) - 1;
}

static inline uint32_t count_bits(uint32_t bits)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_popcount(bits);
#else
    uint32_t count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
#endif
}

/*  The rule's own formula for those in doubt. */
static uint32_t decide(const flat_sweep *sweep, uint32_t begin, uint32_t hits, uint32_t doubts)
{
    const scree_bodies *bodies = sweep->bodies;
    uint32_t i = sweep->id;
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

static void empty_sink(flat_sweep *sweep)
{
    for (size_t k = sweep->named; k < sweep->fill; k++)
        sweep->sink->first[k] = sweep->id;
    sweep->sink->fill = (uint32_t)sweep->fill;
    sweep->sink->flush(sweep->sink);
    sweep->fill = sweep->named = 0;
}

#define FLAT_LEVEL WIDE_SCALAR
#include "detect/flat_wide.h"

#include "detect/flat_sweep.inc.h"
#undef FLAT_LEVEL

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
#if WIDE_HAS_X86
    if (self->simd == SCREE_SIMD_AVX512)
        return &kernels_avx512[self->dimensions - 2][kind];
    if (self->simd == SCREE_SIMD_AVX2)
        return &kernels_avx2[self->dimensions - 2][kind];
#endif
    return &kernels_scalar[self->dimensions - 2][kind];
}

/*  The row of the level that body `i` is in. */
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

void scree_flat_pairs(const void *state, const scree_bodies *bodies, size_t block,
                      scree_scratch *scratch, scree_sink *sink)
{
    const scree_flat *self = state;
    const scree_flat_level *level = self->level;
    (void)scratch;
    while (level + 1 < self->level + self->level_count && block >= level[1].first_block)
        level++;
    uint32_t first = level->first + (uint32_t)(block - level->first_block) * SCREE_FLAT_BLOCK;
    uint32_t end = level->first + level->count;
    uint32_t last = end - first < SCREE_FLAT_BLOCK ? end : first + SCREE_FLAT_BLOCK;

    flat_sweep sweep = {.self = self, .bodies = bodies, .sink = sink};
    flat_kind kind = self->volume == SCREE_BOXES ? FLAT_BOXES
                     : level->is_even            ? FLAT_EVEN
                                                 : FLAT_SPHERES;
    const flat_kernels *kernels = choose_kernels(self, kind);
    sweep.most = self->doubt;
    sweep.least = -self->doubt;
    if (kind == FLAT_EVEN) {
        float reach = 2 * level->size[0], square = reach * reach;
        sweep.most = (square + self->doubt) * (1 + 0x1p-22f);
        sweep.least = (square - self->doubt) * (1 - 0x1p-22f);
    }
    uint32_t row = find_row(self, level, first);
    while (first < last && !sink->stopped) {
        const uint32_t *start = self->start + level->first_cell + (size_t)level->cells[0] * row;
        uint32_t stop = start[level->cells[0]] < last ? start[level->cells[0]] : last;
        if (first < stop)
            kernels->row(&sweep, level, start, first, stop);
        first = stop;
        row++;
    }
    sink->fill = (uint32_t)sweep.fill;
}
