/*  scree/wall.h: planes and meshes that bodies meet, and how they move: along a path, as servos, or loose.

        scree_wall_def floor = scree_default_wall_def();
        floor.material = material;
        scree_wall_id id;
        scree_world_add_wall(world, &floor, &id);
        scree_wall_servo press = scree_default_wall_servo();
        press.force = 100;
        press.max_speed = 0.1;
        scree_world_set_wall_servo(world, id, &press);

    A wall moves as it is told, unless it is loose: then it is a body among bodies. What bodies do to it is told in
    scree_world_get_wall, facet by facet in scree_world_wall_loads, and sorted into a grid in scree/fields.h. */
#ifndef SCREE_WALL_H
#define SCREE_WALL_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_wall_kind
{
    SCREE_WALL_PLANE, /* infinite; bodies are on the side that its normal points to */
    SCREE_WALL_MESH,  /* both sides are wall */
} scree_wall_kind;

typedef enum scree_path_kind
{
    SCREE_PATH_NONE,
    SCREE_PATH_MOVE, /* shifts by vector * t: `vector` is a velocity, m/s */
    SCREE_PATH_SWING, /* shifts by vector * (sin(2 pi frequency t + phase) - sin(phase)): `vector` is an amplitude, m */
    SCREE_PATH_TABLE, /* shifts and turns as a table says */
    SCREE_PATH_SPIN,  /* turns about `centre` and the axis `vector` by rate * t */
    SCREE_PATH_ROCK,  /* turns about them by angle * (sin(2 pi frequency t + phase) - sin(phase)) */
} scree_path_kind;

/*  One motion of a wall, to be added to others. All that is not needed is 0.

    Each runs on a clock of its own, t, which stands still before `start`, runs until `stop` (0: for ever), and stands still
    again. `ramp` is how long it takes to get going, and to come to rest at `stop`: its rate rises as 3 s^2 - 2 s^3, so
    that the velocity of the wall has no jump. With a ramp t ends at stop - start - ramp. */
typedef struct scree_path_part
{
    scree_path_kind kind;
    double vector[3];
    double centre[3];        /* SPIN, ROCK, and of turns in a table; m */
    double rate, angle;      /* SPIN: rad/s; ROCK: rad */
    double frequency, phase; /* SWING, ROCK: Hz, rad */
    /*  TABLE: rows of t, x, y, z and a quaternion w x y z, ascending in t. Before the first row and after the last it holds;
        between rows shifts go straight, or as a smooth curve through all rows (`smooth`: cubic), and turns go at a constant rate about
        one axis, by the shorter way. Copied. */
    const double (*table)[8];
    size_t table_count;
    bool smooth;
    double
        period; /* TABLE: it begins anew after so long, which closes to the first row; 0: never */
    double start, stop, ramp; /* s */
} scree_path_part;

/*  Where a wall is at a time, beside where it was put. The parts add up: first it turns about `centre`, then
    it is shifted by the others. */
typedef struct scree_wall_path
{
    double velocity[3];              /* m/s */
    double centre[3], axis[3], rate; /* turns about centre, rad/s; axis need not be normalised */
    double swing[3], frequency,
        phase; /* shift swing * sin(2 pi frequency t + phase) less that at t = 0 */
    /*  Table of times: rows of t, x, y, z, ascending in t; between rows linear, outside the first and the
        last hold. Copied. */
    const double (*table)[4];
    size_t table_count;
    /*  Or a function of yours, of time alone: shift[3], velocity[3], turn (unit quaternion w x y z), and
        spin[3]. Used instead of all of the above: what is at x at the start is at turn x + shift, turned
        about the origin. Its name stands for it in snapshots. */
    void (*function)(double time, double shift[3], double velocity[3], double turn[4],
                     double spin[3], void *user);
    void *user;
    /*  Or any number of motions, used instead of velocity, rate, swing and table. All shifts add up. Turns follow
        each other: the axis and centre of a motion are meant as they lie at the start, and are carried along by the
        turns of all motions before it in the list; so a planet is { spin of its orbit, spin about itself }. Copied. */
    const scree_path_part *parts;
    size_t part_count;
} scree_wall_path;

typedef struct scree_wall_def
{
    uint32_t cookie;
    scree_wall_kind kind; /* SCREE_WALL_PLANE */
    double point[3];      /* plane: on it; mesh: its origin is put here; 0 */
    double normal[3]; /* plane: towards the bodies, need not be normalised; 0 0 1, in 2D 0 1 0 */
    double orientation[4]; /* mesh: w x y z; 1 0 0 0 */
    const scree_mesh *mesh;
    scree_material_id material;
    uint64_t groups, mask; /* 1, all */
    scree_wall_path path;  /* at rest */
    uint64_t user;
} scree_wall_def;

SCREE_API scree_wall_def scree_default_wall_def(void);
SCREE_API scree_status scree_world_add_wall(scree_world *world, const scree_wall_def *def,
                                            scree_wall_id *id);
/*  SCREE_BAD_ARGUMENT for an id that names no wall (any more), or one that a servo's area lies between. */
SCREE_API scree_status scree_world_remove_wall(scree_world *world, scree_wall_id id);
/*  Where a path leads at a time: what is at x at its start is then at turn x + shift, `turn` a unit quaternion w x y z about
    the origin. SCREE_BAD_ARGUMENT, SCREE_BAD_VALUE: it cannot be followed, and `error`, which may be NULL, says why. */
SCREE_API scree_status scree_wall_path_place(const scree_wall_path *path, double time,
                                             double shift[3], double turn[4], scree_error *error);
/*  Another path, from now on: the wall stays where it is, and time in the path begins at 0. */
SCREE_API scree_status scree_world_set_wall_path(scree_world *world, scree_wall_id id,
                                                 const scree_wall_path *path);

/*  SERVO. A wall that is driven along an axis so that bodies push against it with a given force, or with a given stress
    on an area. Its speed follows from the force that lacks,

        M dv/dt = target - force - D (v - u) - A v,   |v| <= max_speed

    with M four times the mass of the bodies it touches and 16 K dt^2, K the stiffness of its contacts, u the velocity of
    those bodies, D = 2 sqrt(K M) and A = D / 10: so no step is too long for it. Before what gives way it lacks A v. Where
    it touches nothing it goes at max_speed. What it does beside that, by its path, goes on.

    GHOSTS. No wall feels a body that is owned elsewhere (SCREE_GHOST): where worlds share bodies, each has its own part of what
    pushes a wall that is driven or loose, and such a wall would go another way in each. */
typedef struct scree_wall_servo
{
    uint32_t cookie;
    double axis
        [3]; /* it pushes this way, of any length; of a plane its normal if all are 0; of a mesh must be given */
    double force;  /* N, 0 or more; 0: it gives way to every push */
    double stress; /* Pa (2D: N/m), 0 or more: force = stress times */
    double
        area; /* m^2 (2D: m); 0: of a mesh what it covers as seen along the axis; or, as planes go, the */
    scree_wall_id between
        [4]; /* distance of the first two of these planes times that of the other two (2D: of the first two) */
    double max_speed; /* m/s, above 0; must be given */
    double
        gain; /* m/s for each N that lacks, at most; 0: as the engine chooses, which is the most that is stable */
    double start, stop; /* s of the world's clock: it rests before and after; 0, INFINITY */
} scree_wall_servo;

SCREE_API scree_wall_servo scree_default_wall_servo(void);
/*  From now on; NULL: no more, and the wall stays where it is. In the step that follows it still has the speed of before.
    What cannot be held is said: SCREE_BAD_DEF, SCREE_BAD_VALUE (field and value named), SCREE_BAD_ARGUMENT (no such wall; force
    and stress; no area, or two). While it runs, the log says where it touches nothing, cannot come up to its target or
    has a gain that would not be stable (SCREE_LOG_SERVO). */
SCREE_API scree_status scree_world_set_wall_servo(scree_world *world, scree_wall_id id,
                                                  const scree_wall_servo *servo);

/*  LOOSE WALLS. A wall that is a rigid body: it falls, and goes and turns as bodies push it; what bodies see is a wall. Its centre
    of mass and its spin obey, with what the contacts do to it at the end of each step,

        m dv/dt = force of bodies + m g + force - damping v,    dL/dt = torque of bodies + torque - angular_damping w

    to first order in dt, in place of a path and a servo. Free walls do not touch each other, nor other walls. The energy balance has
    what they give to bodies (energy.walls), and nothing of their own energy. A step must be short enough for them:
    scree_world_stable_step, chosen steps and warnings know of it. */
typedef struct scree_free_wall_def
{
    uint32_t cookie;
    double mass; /* kg, above 0; must be given */
    double inertia
        [3]; /* kg m^2 about the centre, along the axes of `frame`; above 0 if it may turn (2D: about z) */
    double centre[3]; /* of mass, in the frame of the mesh; of a plane from its point; 0 */
    double frame[4];  /* turns the axes of inertia into those of the mesh, w x y z; 1 0 0 0 */
    double velocity[3], spin[3];     /* of the centre, in space, from now on; 0 */
    double force[3], torque[3];      /* loads, in space, N and N m about the centre; 0 */
    double damping, angular_damping; /* N s/m and N m s, 0 or more; 0 */
    uint32_t
        held; /* SCREE_FREEZE_X to SCREE_FREEZE_SPIN_Z: components of velocity and spin that stay; 0 */
} scree_free_wall_def;

SCREE_API scree_free_wall_def scree_default_free_wall_def(void);
/*  From now on; NULL: no more, and the wall stays where it is. SCREE_BAD_DEF, SCREE_BAD_VALUE (field and value named),
    SCREE_BAD_ARGUMENT: no such wall, or one that has a path or servo. */
SCREE_API scree_status scree_world_set_free_wall(scree_world *world, scree_wall_id id,
                                                 const scree_free_wall_def *loose);

/*  What a servo has done. */
typedef struct scree_servo_state
{
    bool is_on;
    double target;     /* N */
    double force;      /* of the bodies on the wall against the axis, in the last step */
    uint64_t contacts; /* then */
    double speed;      /* along the axis, m/s, from now on */
    double shift[3];   /* m, since the wall's path began; servos before are in it */
} scree_servo_state;

typedef struct scree_wall
{
    scree_wall_id id;
    scree_wall_kind kind;
    const scree_mesh *mesh;
    scree_material_id material;
    uint64_t groups, mask, user;
    double position[3], orientation[4]; /* now; of a plane: a point on it */
    double normal[3];                   /* of a plane, now */
    double velocity[3], spin[3];        /* of its position */
    double force[3], torque[3]; /* of the bodies on it in the last step; torque about position */
    scree_servo_state servo;
    bool is_free;
} scree_wall;

SCREE_API scree_status scree_world_get_wall(scree_world *world, scree_wall_id id, scree_wall *wall);

/*  What bodies did to a facet of a wall in the last step: a map of pressure. A contact counts wholly at the facet that it names,
    which at an edge is one of two: facets should be as large as bodies, or sums be taken over several, and over time. */
typedef struct scree_facet_load
{
    double force[3]; /* on the facet, N */
    double
        area; /* m^2; in two dimensions its length; of a plane INFINITY, so that what follows is 0 */
    double
        pressure; /* of the force along the normal, over the area; above 0: bodies push, from either side */
    double shear[3]; /* the rest of the force, over the area */
    uint64_t contacts;
} scree_facet_load;

/*  Of a mesh a row for each facet, as it numbers them; of a plane one. SCREE_BAD_ARGUMENT (NULL, no such wall, another
    count), SCREE_OUT_OF_MEMORY; then nothing is written. */
SCREE_API scree_status scree_world_wall_loads(scree_world *world, scree_wall_id id,
                                              scree_facet_load *loads, size_t count);
/*  Walls in the order they were added; returns how many there are. `ids` may be NULL. */
SCREE_API size_t scree_world_walls(const scree_world *world, scree_wall_id *ids, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
