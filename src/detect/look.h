/*  A step with a margin if the table has the same bodies as before: the quick check. */
#ifndef SCREE_LOOK_H
#define SCREE_LOOK_H

#include "detect/plan.h"

typedef enum scree_look
{
    SCREE_LOOK_DONE,   /* the plan lists the bodies that must be mapped; usually none */
    SCREE_LOOK_ALL,    /* all rows are valid, and all bodies must be mapped */
    SCREE_LOOK_CLOSER, /* some row must be read with all checks */
} scree_look;

/*  Whether the table may have exactly the present bodies, all active, with the same columns. */
bool scree_look_fits(const scree_detector *detector, const scree_table *table);

/*  Whether displacements of blocks are given and can replace reading their rows. */
bool scree_look_follows_travel(const scree_detector *detector, const scree_table *table);

/*  Checks all rows, except blocks whose displacements make that unnecessary. There must be room in detector->rows.
    Unless it returns SCREE_LOOK_CLOSER the plan is complete. */
scree_look scree_look_at_all(scree_detector *detector, const scree_table *table, scree_plan *plan);

/*  Without motion, or if all bodies must be mapped anyway: whether the table has the present bodies in the order of
    their ids, and what the run depends on. */
bool scree_look_at_rest(scree_detector *detector, const scree_table *table, scree_plan *plan);

/*  Maps all bodies again, if the plan says that they are in order and the run has begun. They stay in their lists. */
void scree_look_map_all(scree_detector *detector, const scree_table *table, scree_plan *plan);

/*  Reads only the speeds of bodies 0 to count - 1. SCREE_BAD_VALUE if one is invalid. */
scree_status scree_look_at_speeds(scree_detector *detector, size_t count, scree_plan *plan);

/*  Whether the motion of bodies 0 to count - 1 is valid. They may be other bodies than the present ones; all are
    active. */
bool scree_look_is_motion_usable(scree_detector *detector, size_t count);

#endif
