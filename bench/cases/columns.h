/*  What each column of a table and each feature of a detector costs: the same equal spheres with one more
    column, in a periodic cell, with a margin, with their pairs in another form, all beside the bare table. */
#ifndef SCREE_BENCH_COLUMNS_H
#define SCREE_BENCH_COLUMNS_H

#include "scenes/scenes.h"

typedef enum scree_column_case
{
    SCREE_CASE_BARE,
    SCREE_CASE_IDS,     /* given, in order */
    SCREE_CASE_MIXED,   /* given, in any order */
    SCREE_CASE_FLAGS,   /* all 0 */
    SCREE_CASE_GROUPS,  /* two of four each: a quarter of all pairs is left out */
    SCREE_CASE_MASKS,   /* so, and one in four does not meet one of them */
    SCREE_CASE_OWNERS,  /* each its own */
    SCREE_CASE_PERIODS, /* the box is the cell */
    SCREE_CASE_SHEARED, /* the same, tilted along all three edges */
    SCREE_CASE_FAR,     /* periodic, and each body some ten periods away */
    SCREE_CASE_ADVANCE, /* without a margin */
    SCREE_CASE_SKIN,    /* an update with a skin of a tenth of a radius */
    SCREE_CASE_MAPPING, /* an advance with it that maps all */
    SCREE_CASE_QUIET,   /* an advance with it that maps none: nothing is searched */
    SCREE_CASE_QUIET_PERIODS,
    SCREE_CASE_TOLD, /* quiet, and the caller says how far bodies have gone */
    /* the same pairs in other forms; those before are arrays as found */
    SCREE_CASE_CANONICAL,
    SCREE_CASE_EACH,   /* a call for each pair */
    SCREE_CASE_BLOCKS, /* a call for each block */
    SCREE_CASE_CSR,    /* neighbours as found */
    SCREE_CASE_HALF_CSR,
    SCREE_CASE_NEIGHBORS, /* in order, 64-bit starts */
    SCREE_CASES
} scree_column_case;

extern const char *const scree_column_case_names[];

/*  One case, at one level. */
typedef struct scree_column_row
{
    double ns_update,
        ns_pairs; /* a body: processor time, or by the clock with several threads; least of all runs */
    uint64_t pairs;
} scree_column_row;

/*  All cases at one level with so many threads: `repeats` times each in turn. SCREE_BAD_VALUE, with a message, if two cases
    that must find the same pairs do not. */
scree_status scree_bench_columns(const char *method, size_t n, scree_simd simd, uint32_t threads,
                                 uint32_t repeats, scree_column_row row[SCREE_CASES],
                                 scree_error *error);

#endif
