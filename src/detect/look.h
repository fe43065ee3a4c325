/*  A step with a margin, where the table is the same crowd as before: the quick look. */
#ifndef SCREE_LOOK_H
#define SCREE_LOOK_H

#include "detect/plan.h"

typedef enum scree_look
{
    SCREE_LOOK_DONE,   /* the plan says who must be mapped, one by one; mostly nobody */
    SCREE_LOOK_ALL,    /* all rows can be used, and all bodies must be mapped */
    SCREE_LOOK_CLOSER, /* some row must be read with every check */
} scree_look;

/*  Whether the table may be the crowd that is there, all of them active, with the same columns. */
bool scree_look_fits(const scree_detector *detector, const scree_table *table);

/*  Whether ways of blocks are given and can stand for a look at their rows. */
bool scree_look_follows_travel(const scree_detector *detector, const scree_table *table);

/*  Looks at all rows, but for those of blocks whose ways say that it is not needed. There is room in detector->rows; but for SCREE_LOOK_CLOSER the plan is complete. */
scree_look scree_look_at_all(scree_detector *detector, const scree_table *table, scree_plan *plan);

/*  Without motion, and where all are to be mapped anyway, whether the table is the crowd that is there in order
    of their ids, and what the run depends on. */
bool scree_look_at_rest(scree_detector *detector, const scree_table *table, scree_plan *plan);

/*  Maps all bodies anew, if the plan says that they are in order and the run has begun. They stay in their
    lists. */
void scree_look_map_all(scree_detector *detector, const scree_table *table, scree_plan *plan);

/*  The speeds alone, of bodies 0 to count - 1. SCREE_BAD_VALUE if one cannot be used. */
scree_status scree_look_at_speeds(scree_detector *detector, size_t count, scree_plan *plan);

/*  Whether the motion of bodies 0 to count - 1 can be used, which may be others than those that are there,
    and all of which are active. */
bool scree_look_is_motion_usable(scree_detector *detector, size_t count);

#endif
