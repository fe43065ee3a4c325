/*  Walls of a world: planes and meshes that bodies cannot move, at rest or on a given path. */
#ifndef SCREE_WALLS_H
#define SCREE_WALLS_H

#include "base/memory.h"
#include "scree/world.h"

/*  Where a wall is, and how it moves. A plane lies through `position`; its normal turns with it. */
typedef struct scree_wall_pose
{
    double position[3], orientation[4];
    double velocity[3], spin[3]; /* of the point at `position` */
    double normal[3];
} scree_wall_pose;

typedef struct scree_wall_record
{
    scree_wall_id id;
    scree_wall_def def; /* where its path began; the path is the record's own, the mesh is held */
    double start_time;  /* when that was */
    bool moves;
    scree_wall_pose now;  /* at the clock of the world, */
    scree_wall_pose next; /* and at the end of the step under way */
} scree_wall_record;

typedef struct scree_wall_name
{
    uint32_t generation;
    bool taken;
    uint32_t place; /* of its wall, or the next free name, index1 */
} scree_wall_name;

typedef struct scree_walls
{
    scree_memory *memory;
    scree_wall_record *wall; /* in the order they were added, without holes */
    size_t count, capacity;
    scree_wall_name *names; /* by index1 - 1 */
    size_t name_count, name_capacity;
    uint32_t free_name;
    int dimensions;
} scree_walls;

void scree_walls_init(scree_walls *walls, scree_memory *memory, int dimensions);
void scree_walls_free(scree_walls *walls);
/*  SIZE_MAX where the id names no wall. */
size_t scree_walls_place(const scree_walls *walls, scree_wall_id id);
/*  `next` of all walls at a time. SCREE_BAD_VALUE where a path leads to what cannot be used: then nothing has
    changed that counts. */
scree_status scree_walls_move(scree_walls *walls, double time, scree_error *error);
/*  The step is taken. */
void scree_walls_accept(scree_walls *walls);

/*  From space to the frame of the wall's mesh, and back, at `next`; a direction turns only. */
void scree_wall_to_mesh(const scree_wall_record *wall, const double point[3], double local[3]);
void scree_wall_from_mesh(const scree_wall_record *wall, const double local[3], double point[3]);
void scree_wall_turn_from_mesh(const scree_wall_record *wall, const double local[3],
                               double direction[3]);

#endif
