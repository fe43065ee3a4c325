/*  Walls of a world: planes and meshes that bodies cannot move, at rest or on a given path. */
#ifndef SCREE_WORLD_WALLS_H
#define SCREE_WORLD_WALLS_H

#include "base/memory.h"
#include "scree/heat.h"
#include "scree/wall.h"

/*  Where a wall is, and how it moves. A plane lies through `position`; its normal turns with it. */
typedef struct scree_wall_pose
{
    double position[3], orientation[4];
    double velocity[3], spin[3]; /* of the point at `position` */
    double normal[3];
} scree_wall_pose;

/*  How far servos have driven a wall, all in all, and what the one that it has does. */
typedef struct scree_wall_drive
{
    double shift[3];
    double speed;         /* along the axis, from here on */
    double target, force; /* N, in the last step */
    uint64_t contacts;
} scree_wall_drive;

/*  What a servo has come to since a step, to be said if it does not hold: no part of the state. */
typedef struct scree_servo_watch
{
    uint64_t from;
    uint64_t fast, touching; /* steps at most speed, and with contacts */
    double force, target;    /* sums over steps, N */
    uint64_t next_word;      /* step before which nothing more is said of it */
} scree_servo_watch;

/*  Where the centre of mass of a free wall is, and how it goes; its axes are those of inertia. */
typedef struct scree_loose_ride
{
    double place[3], velocity[3];
    double orientation[4], spin[3];
} scree_loose_ride;

typedef struct scree_wall_record
{
    scree_wall_id id;
    scree_wall_def def; /* where its path began; the path is the record's own, the mesh is held */
    double start_time;  /* when that was */
    bool path_moves;
    scree_wall_pose now;  /* at the clock of the world, */
    scree_wall_pose next; /* and at the end of the step under way */
    bool has_servo;
    scree_wall_servo_def servo; /* its axis is a unit vector; `area` is that of a mesh, too */
    scree_wall_drive drive;     /* at the clock of the world, */
    double next_shift[3];       /* and at the end of the step under way */
    bool is_free;
    scree_free_wall_def loose;
    scree_loose_ride ride;      /* at the clock of the world, */
    scree_loose_ride next_ride; /* and at the end of the step under way */
    scree_wall_heat heat;
    uint64_t touched_at; /* step in which the servo last touched something, or was off, */
    uint64_t next_word;  /* and before which nothing more is said of that: no part of the state */
    scree_servo_watch watch;
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
/*  Of one that goes. */
void scree_wall_free(scree_walls *walls, scree_wall_record *wall);
/*  SIZE_MAX where the id names no wall. */
size_t scree_walls_place(const scree_walls *walls, scree_wall_id id);
/*  Whether one is not where its path began to lead it at all times. */
static inline bool scree_wall_moves(const scree_wall_record *wall)
{
    return wall->path_moves || wall->has_servo || wall->is_free;
}
/*  The step is taken. */
void scree_walls_accept(scree_walls *walls);

/*  From space to the frame of the wall's mesh, and back, at `next`; a direction turns only. */
void scree_wall_to_mesh(const scree_wall_record *wall, const double point[3], double local[3]);
void scree_wall_from_mesh(const scree_wall_record *wall, const double local[3], double point[3]);
void scree_wall_turn_from_mesh(const scree_wall_record *wall, const double local[3],
                               double direction[3]);

#endif
