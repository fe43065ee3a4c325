/*  What a step with a margin needs, determined before anything is changed. */
#ifndef SCREE_PLAN_H
#define SCREE_PLAN_H

#include "detect/detector_internal.h"

typedef struct scree_plan
{
    scree_speeds speeds;
    size_t row_count; /* rows that must be mapped, in detector->rows */
    size_t present;   /* rows of bodies that are there */
    uint64_t late;
    double used, smallest, farthest;
    bool all_must;     /* all must be mapped because of one: rows are not listed */
    size_t known_rows; /* number of rows with known remaining displacement, see leeway.h */
    bool is_in_order;  /* all can be mapped by scree_look_map_all, or, */
    bool is_plain;     /* without a margin, by scree_replace_all */
    bool are_named;    /* all ids of the table have been checked, and there is room for them */
} scree_plan;

static inline bool scree_row_is_bounded(const scree_row *row)
{
    return row->usable && !(row->flags & (SCREE_INFINITE | SCREE_NO_BOUND));
}

/*  Reads the position and speed of every body. Afterwards there is room for all changes. */
scree_status scree_plan_make(scree_detector *detector, const scree_table *table, scree_plan *plan);

/*  Checks speed, kind and constant of a row, and, if the body is to be mapped, that its tolerance is valid. */
scree_status scree_plan_check_row_motion(scree_detector *detector, const scree_row *row,
                                         size_t index, const scree_row_motion *row_motion,
                                         bool is_mapped);

#endif
