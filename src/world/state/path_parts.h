/*  Motions of walls that are added to each other: see scree_path_part. */
#ifndef SCREE_WORLD_PATH_PARTS_H
#define SCREE_WORLD_PATH_PARTS_H

#include "base/memory.h"
#include "scree/wall.h"

/*  More than any machine has; a list that long is a mistake. */
#define SCREE_MOST_PATH_PARTS 1000u

struct scree_wall_motion;

/*  Whether they can be followed: SCREE_BAD_ARGUMENT, SCREE_BAD_VALUE with motion and field named. In two dimensions they must
    stay in the plane z = 0. */
scree_status scree_path_parts_check(const scree_path_part *parts, size_t count, int dimensions,
                                 scree_error *error);
/*  Rows of all their tables. */
size_t scree_path_parts_row_count(const scree_path_part *parts, size_t count);
/*  A copy with tables of its own; NULL of none. SCREE_OUT_OF_MEMORY: *copy is NULL. */
scree_status scree_path_parts_copy(const scree_path_part *parts, size_t count, scree_memory *memory,
                                const scree_path_part **copy);
void scree_path_parts_free(const scree_path_part **copy, size_t count, scree_memory *memory);

/*  False: they lead nowhere. */
bool scree_path_parts_move(const scree_path_part *parts, size_t count);
/*  What all of them come to at a time, in closed form: a turn about the origin, then a shift. */
void scree_path_parts_at(const scree_path_part *parts, size_t count, double time,
                      struct scree_wall_motion *motion);

#endif
