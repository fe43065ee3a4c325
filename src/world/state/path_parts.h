/*  Motions of a wall that are superposed: see scree_path_part. */
#ifndef SCREE_WORLD_PATH_PARTS_H
#define SCREE_WORLD_PATH_PARTS_H

#include "base/memory.h"
#include "scree/wall.h"

/*  Far more than any machine has; a longer list must be a mistake. */
#define SCREE_MAX_PATH_PARTS 1000u

struct scree_wall_motion;

/*  Checks a list. SCREE_BAD_ARGUMENT, SCREE_BAD_VALUE; the message names motion and field. In two dimensions all
    motions must stay in the plane z = 0. */
scree_status scree_path_parts_check(const scree_path_part *parts, size_t count, int dimensions,
                                    scree_error *error);
/*  Total number of table rows. */
size_t scree_path_parts_row_count(const scree_path_part *parts, size_t count);
/*  A copy that owns its tables; NULL if there are no parts. SCREE_OUT_OF_MEMORY: *copy is NULL. */
scree_status scree_path_parts_copy(const scree_path_part *parts, size_t count, scree_memory *memory,
                                   const scree_path_part **copy);
void scree_path_parts_free(const scree_path_part **copy, size_t count, scree_memory *memory);

/*  Whether any part moves the wall. */
bool scree_path_parts_move(const scree_path_part *parts, size_t count);
/*  The combined motion at a time, in closed form: a rotation about the origin, then a shift. */
void scree_path_parts_at(const scree_path_part *parts, size_t count, double time,
                         struct scree_wall_motion *motion);

/*  Bounds of the motion between two times. */
typedef struct scree_path_bound
{
    double shift;             /* path length of all shifts together */
    double turn;              /* sum of all angles */
    double speed, turn_speed; /* sums of the largest rates */
    double centre[3];         /* of the first rotation, with all shifts of the first time */
    double spread;            /* the centres of later rotations are at most this far from it */
} scree_path_bound;

scree_path_bound scree_path_parts_bound(const scree_path_part *parts, size_t count, double from,
                                        double to);

#endif
