/*  Walls of a world: planes and meshes. Walls stay where they are, follow a given path, or are moved by a servo or
    as free walls. */
#ifndef SCREE_WORLD_WALLS_H
#define SCREE_WORLD_WALLS_H

#include "base/memory.h"
#include "scree/heat.h"
#include "scree/wall.h"

/*  Pose and velocity of a wall. A plane goes through `position`; its normal rotates with the wall. */
typedef struct scree_wall_pose
{
    double position[3], orientation[4];
    double velocity[3], spin[3]; /* of the point at `position` */
    double normal[3];
} scree_wall_pose;

/*  Total displacement of a wall by servos, and the state of its present servo. */
typedef struct scree_wall_drive
{
    double shift[3];
    double speed;         /* along the axis, for the next step */
    double target, force; /* N, in the last step */
    uint64_t contacts;
} scree_wall_drive;

/*  Statistics of a servo since a step, for warnings if it does not reach its target: no part of the state. */
typedef struct scree_servo_watch
{
    uint64_t from;
    uint64_t fast, touching; /* steps at max_speed, and with contacts */
    double force, target;    /* sums over steps, N */
    uint64_t next_word;      /* no further warning before this step */
} scree_servo_watch;

/*  Centre of mass and velocities of a free wall; its axes are the principal axes of inertia. */
typedef struct scree_free_wall_motion
{
    double place[3], velocity[3];
    double orientation[4], spin[3];
} scree_free_wall_motion;

/*  Motion of the surface along itself, in the frame of the wall; the axis is a unit vector. All 0 if it is off. */
typedef struct scree_belt
{
    uint64_t is_on;
    double velocity[3], centre[3], axis[3], rate;
} scree_belt;

/*  How a wall wears; all 0 if it does not. */
typedef struct scree_wear_model
{
    uint64_t is_on;
    double coefficient, hardness;
    double erosion, reference_speed, reference_diameter;
    double speed_exponent, diameter_exponent, angle_exponent, hardness_exponent;
} scree_wear_model;

/*  Sums of a facet, see base/fixed_sum.h. The front is the side to which its normal points. */
typedef enum scree_wear_sum
{
    SCREE_SLID_FRONT, /* normal force times way, J */
    SCREE_SLID_BACK,
    SCREE_ERODED_FRONT, /* eroded volume over `erosion`, kg */
    SCREE_ERODED_BACK,
    SCREE_HIT, /* kinetic energy along the normal of bodies that hit, J */
    SCREE_WEAR_SUMS
} scree_wear_sum;

typedef struct scree_wear_row
{
    uint64_t sum[SCREE_WEAR_SUMS][2];
    uint64_t impacts;
} scree_wear_row;

typedef struct scree_wear
{
    scree_wear_model model;
    scree_wear_row *row; /* by facet; one for a plane */
    size_t rows;
} scree_wear;

typedef struct scree_wall_record
{
    scree_wall_id id;
    scree_wall_def
        def;           /* start of its path; the record owns the path and a reference to the mesh */
    double start_time; /* time at which the path started */
    bool path_moves;
    scree_wall_pose now;  /* at the present time */
    scree_wall_pose next; /* at the end of the current step */
    bool has_servo;
    scree_wall_servo_def servo; /* the axis is a unit vector; for meshes, too, `area` is set */
    scree_wall_drive drive;     /* at the present time */
    double next_shift[3];       /* at the end of the current step */
    bool is_free;
    scree_free_wall_def free_wall;
    scree_free_wall_motion motion;      /* at the present time */
    scree_free_wall_motion next_motion; /* at the end of the current step */
    scree_belt belt;
    scree_wear wear; /* owned by the record */
    scree_wall_heat heat;
    uint64_t touched_at; /* last step in which the servo touched something or was off */
    uint64_t next_word;  /* no further warning about that before this step: no part of the state */
    scree_servo_watch watch;
} scree_wall_record;

typedef struct scree_wall_name
{
    uint32_t generation;
    bool taken;
    uint32_t place; /* of its wall, or the next free name (index1) */
} scree_wall_name;

typedef struct scree_walls
{
    scree_memory *memory;
    scree_wall_record *wall; /* in the order of addition, without holes */
    size_t count, capacity;
    scree_wall_name *names; /* index: index1 - 1 */
    size_t name_count, name_capacity;
    uint32_t free_name;
    int dimensions;
} scree_walls;

void scree_walls_init(scree_walls *walls, scree_memory *memory, int dimensions);
void scree_walls_free(scree_walls *walls);
/*  Frees the memory of a removed wall. */
void scree_wall_free(scree_walls *walls, scree_wall_record *wall);
/*  SIZE_MAX if there is no such wall. */
size_t scree_walls_place(const scree_walls *walls, scree_wall_id id);
/*  The same for calls of hosts: SCREE_BAD_ARGUMENT with a message if there is no such wall. */
scree_status scree_walls_find(const scree_walls *walls, scree_wall_id id, size_t *place,
                              scree_error *error);
/*  Whether the wall ever leaves its first pose. */
static inline bool scree_wall_moves(const scree_wall_record *wall)
{
    return wall->path_moves || wall->has_servo || wall->is_free;
}
/*  Velocity of a belt at the origin of its wall, and its angular velocity, with the pose `next`; 0 without one. */
void scree_wall_belt_motion(const scree_wall_record *wall, double velocity[3], double spin[3]);
/*  Its velocity at a contact: without the component along the normal, a unit vector. */
void scree_wall_belt_at(const scree_wall_record *wall, const double point[3],
                        const double normal[3], double velocity[3]);
bool scree_walls_have_belts(const scree_walls *walls);
/*  The number of facets; 1 for a plane. */
size_t scree_wall_facets(const scree_wall_record *wall);
/*  In two dimensions its length; INFINITY for a plane. */
double scree_wall_facet_area(const scree_wall_record *wall, uint32_t facet);
bool scree_walls_wear(const scree_walls *walls);
/*  The number of rows of all walls that wear. */
size_t scree_walls_wear_rows(const scree_walls *walls);
/*  Sets all sums to 0. */
void scree_walls_clear_wear(scree_walls *walls);
/*  Accepts the step. */
void scree_walls_accept(scree_walls *walls);

/*  From space to the frame of the wall's mesh, and back, with the pose `next`; directions are only rotated. */
void scree_wall_to_mesh(const scree_wall_record *wall, const double point[3], double local[3]);
void scree_wall_from_mesh(const scree_wall_record *wall, const double local[3], double point[3]);
void scree_wall_turn_from_mesh(const scree_wall_record *wall, const double local[3],
                               double direction[3]);

#endif
