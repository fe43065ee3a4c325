/*  Walls of a world: planes and meshes that bodies cannot move, at rest or on a given path. */
#ifndef SCREE_WALLS_H
#define SCREE_WALLS_H

#include "base/memory.h"
#include "scree/world.h"

/*  Where a wall is, and how it moves. */
typedef struct scree_wall_pose
{
    double position[3], orientation[4]; /* of a plane, position is its point */
    double velocity[3], spin[3];        /* of the point at `position` */
    double normal[3];                   /* of a plane */
} scree_wall_pose;

typedef struct scree_wall_record
{
    scree_wall_id id;
    scree_wall_def
        def; /* as it was given, or at the last set_path; its table is the record's own */
    scree_wall_pose start; /* where the path began, */
    double start_time;     /* and when */
    scree_wall_pose now;   /* at the clock of the world */
    scree_wall_pose next;  /* at the end of the step under way */
    bool moves;
    double *vertices; /* of a mesh, in space, at `next`: x y z each; NULL for planes */
} scree_wall_record;

typedef struct scree_walls
{
    scree_memory *memory;
    scree_wall_record *wall; /* in the order they were added, without holes */
    size_t count, capacity;
    struct scree_wall_name *names; /* by index1 - 1 */
    size_t name_count, name_capacity;
    uint32_t free_name;
} scree_walls;

void scree_walls_init(scree_walls *walls, scree_memory *memory);
void scree_walls_free(scree_walls *walls);
/*  SIZE_MAX where the id names no wall. */
size_t scree_walls_place(const scree_walls *walls, scree_wall_id id);
scree_status scree_walls_add(scree_walls *walls, const scree_wall_def *def, double time,
                             int dimensions, scree_wall_id *id, scree_error *error);
void scree_walls_remove(scree_walls *walls, size_t place);
scree_status scree_walls_set_path(scree_walls *walls, size_t place, const scree_wall_path *path,
                                  double time, scree_error *error);
/*  `next` of all walls, and the vertices of those that move, at a time. SCREE_BAD_VALUE where a path's
    function gives a number that is not finite: nothing has changed that counts. */
scree_status scree_walls_move(scree_walls *walls, double time, scree_error *error);
/*  The step is taken. */
void scree_walls_accept(scree_walls *walls);

#endif
