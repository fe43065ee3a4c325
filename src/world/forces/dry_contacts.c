/*  Tables of the kernels of dry contacts by SIMD level, and which contact models have one. */
#include "world/forces/dry_contacts.h"

#include "base/bits.h"
#include "base/portable_math.h"
#include "base/prefetch.h"
#include "law/formula_law.h"
#include "law/law_builtin.h"
#include "law/law_row.h"

#include <float.h>
#include <math.h>

/*  Number of vectors that pass through each stage together: while the square roots of one are computed, the
    processor starts the next. */
#define DRY_VECTORS 8u

/*  The most history variables of a built-in model. */
#define DRY_MEMORIES (SCREE_HERTZ_MEMORY + SCREE_ROLLING_MEMORY)

/*  Number of history variables of a built-in model. */
static inline uint32_t dry_memories(law_traits traits)
{
    return (traits.is_hertz ? SCREE_HERTZ_MEMORY : SCREE_LINEAR_MEMORY) +
           (traits.rolls ? SCREE_ROLLING_MEMORY : 0);
}

/*  Columns of all vectors in a stage, for contact models written as formulas. */
enum
{
    DRY_OVERLAP,
    DRY_NORMAL,
    DRY_APPROACH = DRY_NORMAL + 3,
    DRY_SLIDE,
    DRY_TWIST = DRY_SLIDE + 3,
    DRY_RADIUS,
    DRY_MASS,
    DRY_ARM,
    DRY_MEMORY = DRY_ARM + 2,
    DRY_READ = DRY_MEMORY + SCREE_HERTZ_MEMORY,
    DRY_NEXT = 0,
    DRY_FORCE = DRY_NEXT + SCREE_HERTZ_MEMORY,
    DRY_WRITTEN = DRY_FORCE + 3,
};

typedef struct dry_columns
{
    _Alignas(64) double read[DRY_READ][SCREE_BATCH], written[DRY_WRITTEN][SCREE_BATCH];
} dry_columns;

/*  Rows are computed in groups of eight: the last row is repeated. */
static void fill_eights(dry_columns *columns, uint32_t rows, uint32_t planes)
{
    for (uint32_t row = rows; row % SCREE_FORMULA_ROWS; row++)
        for (uint32_t c = 0; c < DRY_MEMORY + planes; c++)
            columns->read[c][row] = columns->read[c][rows - 1];
}

static void run_formulas(const scree_dry_run *run, dry_columns *c, uint32_t rows)
{
    scree_batch batch = {
        .count = rows,
        .dt = run->dt,
        .ahead = run->ahead,
        /* cppcheck-suppress ctuuninitvar; the caller has filled what is read */
        .overlap = c->read[DRY_OVERLAP],
        .approach = c->read[DRY_APPROACH],
        .twist = c->read[DRY_TWIST],
        .radius = c->read[DRY_RADIUS],
        .mass = c->read[DRY_MASS],
        .arm = {c->read[DRY_ARM], c->read[DRY_ARM + 1]},
    };

    for (int k = 0; k < 3; k++) {
        batch.normal[k] = c->read[DRY_NORMAL + k];
        batch.slide[k] = c->read[DRY_SLIDE + k];
        batch.force[k] = c->written[DRY_FORCE + k];
    }
    for (uint32_t m = 0; m < SCREE_HERTZ_MEMORY; m++) {
        batch.memory[m] = c->read[DRY_MEMORY + m];
        batch.next[m] = c->written[DRY_NEXT + m];
    }
    fill_eights(c, rows, run->planes);
    run->force(&batch, run->constants, run->user);
}

/*  Prefetches the bodies of the contacts of the next stage. */
static inline void ask_for_bodies(const scree_dry_run *run, uint32_t first,
                                  const uint32_t *candidates, uint32_t begin, uint32_t many,
                                  uint32_t count)
{
    const scree_sum_line *line = scree_sums_of(run->sums, run->worker);

    for (uint32_t k = begin; k < begin + many && k < count; k++) {
        const size_t c = candidates ? candidates[k] : first + k;
        const size_t slot[2] = {run->list->first[c][0], run->list->second[c][0]};
        for (int side = 0; side < 2; side++) {
            SCREE_PREFETCH(run->geometry->velocity + 4 * slot[side]);
            SCREE_PREFETCH(run->geometry->spin + 4 * slot[side]);
            SCREE_PREFETCH(line + slot[side]);
        }
    }
}

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/dry_contacts.inc.h"
#include "world/forces/dry_planes.inc.h"
#if WIDE_HAS_128
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/dry_contacts.inc.h"
#include "world/forces/dry_planes.inc.h"
#endif
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/dry_contacts.inc.h"
#include "world/forces/dry_planes.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "base/wide_rows.h"
#include "world/forces/dry_contacts.inc.h"
#include "world/forces/dry_planes.inc.h"
#endif

/*  The built-in models that have kernels. */
#define DRY_MODELS(X) X(hertz) X(linear) X(hertz_rolling) X(linear_rolling) X(penalty)

static scree_dry_fn *builtin_kernel(scree_simd simd, scree_law_force *force)
{
    const scree_law_kernels *laws = scree_law_kernels_at(simd);

#define X(name)                                                                                    \
    static scree_dry_fn *const name[] = WIDE_LEVELS(dry_##name);                                   \
    if (force == laws->name)                                                                       \
        return name[simd];
    DRY_MODELS(X)
#undef X
    return NULL;
}

scree_dry_fn *scree_dry_kernel(scree_simd simd, const scree_rule_slot *slot)
{
    static scree_dry_fn *const formulas[] = WIDE_LEVELS(dry_formula);
    const scree_formula_law *law = slot->refused ? NULL : scree_formula_law_of(slot->law);

    if (!law)
        return builtin_kernel(simd, slot->force);
    return law->wants_roll || law->law.has_moment || law->law.reach > 0 ||
                   law->law.memory_count > SCREE_HERTZ_MEMORY
               ? NULL
               : formulas[simd];
}

scree_dry_planes_fn *scree_dry_planes_kernel(scree_simd simd, scree_law_force *force)
{
    const scree_law_kernels *laws = scree_law_kernels_at(simd);

#define X(name)                                                                                    \
    static scree_dry_planes_fn *const name[] = WIDE_LEVELS(planes_##name);                         \
    if (force == laws->name)                                                                       \
        return name[simd];
    DRY_MODELS(X)
#undef X
    return NULL;
}
