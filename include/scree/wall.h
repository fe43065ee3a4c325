/*  scree/wall.h: walls (planes and meshes), and how they move: along a path, by a servo, or as free rigid bodies.

        scree_wall_def floor = scree_default_wall_def();
        floor.material = material;
        scree_wall_id id;
        scree_world_add_wall(world, &floor, &id);
        scree_wall_servo_def press = scree_default_wall_servo_def();
        press.force = 100;
        press.max_speed = 0.1;
        scree_world_set_wall_servo(world, id, &press);

    A wall has a prescribed motion, unless it is free: then the forces on it move it. scree_world_get_wall reads the
    total force of the bodies on a wall, scree_world_wall_loads the load on each facet, and scree/fields.h the load on a
    grid. */
#ifndef SCREE_WALL_H
#define SCREE_WALL_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  The kinds of walls. */
typedef enum scree_wall_kind
{
    SCREE_WALL_PLANE, /* an infinite plane; bodies are on the side that the normal points to */
    SCREE_WALL_MESH,  /* a mesh; bodies may be on both sides */
} scree_wall_kind;

/*  The kinds of motions that a path is made of. */
typedef enum scree_path_kind
{
    SCREE_PATH_NONE, /* no motion */
    SCREE_PATH_MOVE, /* shifts by vector * t; `vector` is a velocity, m/s */
    /*  Shifts by vector * (sin(2 pi frequency t + phase) - sin(phase)); `vector` is an amplitude, m. */
    SCREE_PATH_SWING,
    SCREE_PATH_TABLE, /* shifts and rotates as given by a table */
    SCREE_PATH_SPIN,  /* rotates about `centre` and the axis `vector` by rate * t */
    /*  Rotates about them by angle * (sin(2 pi frequency t + phase) - sin(phase)). */
    SCREE_PATH_ROCK,
} scree_path_kind;

/*  One motion of a path. Motions are added. Members that a kind does not use are 0.

    Each motion has its own time t, which is constant before `start`, runs until `stop` (0: without end), and is
    constant again. `ramp` is the time of smooth starting and stopping: the rate of t rises as 3 s^2 - 2 s^3, so that
    the velocity of the wall has no jump. With a ramp t ends at stop - start - ramp. */
typedef struct scree_path_part
{
    scree_path_kind kind;    /* what it does */
    double vector[3];        /* velocity, amplitude or axis, see the kinds */
    double centre[3];        /* centre of rotation of SPIN, ROCK and TABLE, m */
    double rate, angle;      /* SPIN: rate, rad/s; ROCK: amplitude, rad */
    double frequency, phase; /* SWING, ROCK: Hz, rad */
    /*  TABLE: rows of t, x, y, z and a quaternion w x y z, with ascending t. Before the first row and after the last
        the position is constant. Between rows shifts are linear, or cubic if `smooth`; rotations are about one axis at
        a constant rate, the shorter way. The rows are copied. */
    const double (*table)[8];
    size_t table_count; /* number of rows */
    bool smooth;        /* cubic interpolation of the shifts */
    /*  TABLE: it repeats after this time, and returns to the first row; 0: never; s. */
    double period;
    double start, stop, ramp; /* see above, s */
} scree_path_part;

/*  The prescribed motion of a wall relative to its initial position. The parts are added: the wall rotates about
    `centre`, then it is shifted. */
typedef struct scree_wall_path
{
    double velocity[3]; /* shift at a constant velocity, m/s */
    /*  Rotation about centre and axis, rad/s; the axis may have any length. */
    double centre[3], axis[3], rate;
    /*  Shift by swing * (sin(2 pi frequency t + phase) - sin(phase)); m, Hz, rad. */
    double swing[3], frequency, phase;
    /*  Shifts at given times: rows of t, x, y, z with ascending t, linear between rows, constant before the first and
        after the last. Copied. */
    const double (*table)[4];
    size_t table_count; /* number of rows */
    /*  A function of the host, used instead of all the above. It depends on time alone, and sets shift[3], velocity[3],
        `turn` (a unit quaternion w x y z) and spin[3], the angular velocity: a point at x initially is at turn x +
        shift, rotated about the origin. Snapshots store its name. */
    void (*function)(double time, double shift[3], double velocity[3], double turn[4],
                     double spin[3], void *user);
    void *user; /* passed to the function */
    /*  Any number of motions, used instead of velocity, rate, swing and table. Shifts are added. Rotations are applied
        in order: the axis and the centre of a motion are those at the start, moved by the rotations before it in the
        list. For example a planet is { spin of its orbit, spin about itself }. Copied. */
    const scree_path_part *parts;
    size_t part_count; /* number of motions */
} scree_wall_path;

/*  How to create a wall. */
typedef struct scree_wall_def
{
    uint32_t cookie;      /* set by the default function */
    uint32_t size;        /* in bytes, set by the default function */
    scree_wall_kind kind; /* SCREE_WALL_PLANE */
    double point[3];      /* plane: a point on it; mesh: the position of its origin; m; 0 */
    /*  Plane: towards the bodies, of any length; 0 0 1, in two dimensions 0 1 0. */
    double normal[3];
    double orientation[4];      /* mesh: quaternion w x y z; 1 0 0 0 */
    const scree_mesh *mesh;     /* of SCREE_WALL_MESH */
    scree_material_id material; /* must be given */
    uint64_t groups, mask;      /* groups it belongs to, and collides with; 1, all */
    scree_wall_path path;       /* its motion; at rest */
    uint64_t user;              /* free for the host; 0 */
} scree_wall_def;

/*  What scree_default_wall_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_wall_def(scree_wall_def *def, size_t size);
/*  Returns a definition with default values. */
static inline scree_wall_def scree_default_wall_def(void)
{
    scree_wall_def def;
    scree_init_wall_def(&def, sizeof def);
    return def;
}
/*  Adds a wall. `id` may be NULL. On failure nothing changes. SCREE_BAD_DEF; SCREE_BAD_VALUE, SCREE_BAD_ARGUMENT: a
    field is out of range, as the message says; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_add_wall(scree_world *world, const scree_wall_def *def,
                                            scree_wall_id *id);
/*  Removes a wall. SCREE_BAD_ARGUMENT: `id` names no wall, or one that the area of a servo is measured with. */
SCREE_API scree_status scree_world_remove_wall(scree_world *world, scree_wall_id id);
/*  Computes the position on a path: a point at x initially is at turn x + shift at `time`, with `turn` a unit
    quaternion w x y z about the origin. SCREE_BAD_ARGUMENT, SCREE_BAD_VALUE: the path is invalid; `error`, which may be
    NULL, gets the reason. */
SCREE_API scree_status scree_wall_path_place(const scree_wall_path *path, double time,
                                             double shift[3], double turn[4], scree_error *error);
/*  Sets another path, from now on. The wall stays where it is, and the time of the path starts at 0. Statuses of
    scree_world_add_wall. */
SCREE_API scree_status scree_world_set_wall_path(scree_world *world, scree_wall_id id,
                                                 const scree_wall_path *path);

/*  SERVO. A servo moves a wall along an axis so that bodies push against it with a target force, or a target stress on
    an area. Its velocity v follows from

        M dv/dt = target - force - D (v - u) - A v,   |v| <= max_speed

    where M is four times the mass of the bodies in contact plus 16 K dt^2, K the stiffness of its contacts, u the
    velocity of those bodies, D = 2 sqrt(K M) and A = D / 10. It is stable for any time step. A servo wall that touches
    nothing moves at max_speed. Against a yielding packing the force stays A v below the target. The motion of its path
    continues in addition.

    GHOSTS. Walls feel no force of bodies owned elsewhere (SCREE_GHOST). If worlds share bodies, each world has only its
    part of the force on a servo wall or free wall, and the wall would move differently in each. */
typedef struct scree_wall_servo_def
{
    uint32_t cookie; /* set by the default function */
    uint32_t size;   /* in bytes, set by the default function */
    /*  Direction of pushing, of any length; all 0: the normal of a plane; must be given for a mesh; 0. */
    double axis[3];
    double force;  /* target force, N, 0 or more; 0: it yields to any push; 0 */
    double stress; /* target stress instead, Pa (2D: N/m), 0 or more; 0 */
    /*  Area of the stress, m^2 (2D: m); 0: the projection of a mesh along the axis, or as `between` says; 0. */
    double area;
    /*  Planes that bound the area: the distance of the first two times that of the other two (2D: of the first two). */
    scree_wall_id between[4];
    double max_speed;   /* m/s, above 0; must be given */
    double gain;        /* largest speed per missing force, m/(s N); 0: the largest stable one; 0 */
    double start, stop; /* time of the world at which it starts and stops, s; 0, INFINITY */
} scree_wall_servo_def;

/*  What scree_default_wall_servo_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_wall_servo_def(scree_wall_servo_def *def, size_t size);
/*  Returns a definition with default values. Set max_speed, and force or stress. */
static inline scree_wall_servo_def scree_default_wall_servo_def(void)
{
    scree_wall_servo_def def;
    scree_init_wall_servo_def(&def, sizeof def);
    return def;
}
/*  Turns a servo on from now on; NULL turns it off, and the wall stays where it is. In the next step the wall still has
    its previous velocity. The log says if it touches nothing, cannot reach its target, or has a gain that would be
    unstable (SCREE_LOG_SERVO). SCREE_BAD_DEF; SCREE_BAD_VALUE, naming field and value; SCREE_BAD_ARGUMENT: no such
    wall, both force and stress, no area, or two. */
SCREE_API scree_status scree_world_set_wall_servo(scree_world *world, scree_wall_id id,
                                                  const scree_wall_servo_def *servo);
/*  What scree_world_get_wall_servo calls: writes the first `size` bytes of the definition. */
SCREE_API bool scree_world_read_wall_servo(const scree_world *world, scree_wall_id id,
                                           scree_wall_servo_def *servo, size_t size);
/*  Returns whether the wall has a servo, and reads its definition, with the axis as a unit vector, or the default one.
    `servo` may be NULL. */
static inline bool scree_world_get_wall_servo(const scree_world *world, scree_wall_id id,
                                              scree_wall_servo_def *servo)
{
    return scree_world_read_wall_servo(world, id, servo, sizeof *servo);
}

/*  BELTS. The surface of a wall can move along itself while the wall stays where it is: a conveyor belt, a roller, a
    disc that turns in its plane. Where a body touches the wall, the surface has the velocity

        velocity + rate axis x (point - centre)

    without its component along the contact normal, in addition to that of the wall. Friction acts against it, rolling
    friction does not. What the belt does on bodies is part of energy.walls. The vectors are those of the present, and
    turn with the wall. */
typedef struct scree_wall_belt_def
{
    uint32_t cookie;    /* set by the default function */
    uint32_t size;      /* in bytes, set by the default function */
    double velocity[3]; /* m/s; 0 */
    double centre[3];   /* a point of the axis of rotation, m; 0 */
    double axis[3];     /* axis of rotation, of any length above 0; 0 0 1 */
    double rate;        /* angular velocity, rad/s; 0 */
} scree_wall_belt_def;

/*  What scree_default_wall_belt_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_wall_belt_def(scree_wall_belt_def *def, size_t size);
/*  Returns a definition with default values. */
static inline scree_wall_belt_def scree_default_wall_belt_def(void)
{
    scree_wall_belt_def def;
    scree_init_wall_belt_def(&def, sizeof def);
    return def;
}
/*  Lets the surface move from now on; NULL stops it. Sleeping bodies wake up. SCREE_BAD_DEF; SCREE_BAD_VALUE, naming
    field and value; SCREE_BAD_ARGUMENT: no such wall. */
SCREE_API scree_status scree_world_set_wall_belt(scree_world *world, scree_wall_id id,
                                                 const scree_wall_belt_def *belt);
/*  What scree_world_get_wall_belt calls: writes the first `size` bytes of the definition. */
SCREE_API bool scree_world_read_wall_belt(const scree_world *world, scree_wall_id id,
                                          scree_wall_belt_def *belt, size_t size);
/*  Returns whether the wall has a belt, and reads its definition, in space as it is now and with the axis as a unit
    vector, or the default one. `belt` may be NULL. */
static inline bool scree_world_get_wall_belt(const scree_world *world, scree_wall_id id,
                                             scree_wall_belt_def *belt)
{
    return scree_world_read_wall_belt(world, id, belt, sizeof *belt);
}

/*  FREE WALLS. A free wall is a rigid body: it falls, and bodies push and turn it. The velocity v of its centre of mass
    and its angular velocity w obey

        m dv/dt = force of bodies + m g + force - damping v,    dL/dt = torque of bodies + torque - angular_damping w

    with the contact forces at the end of each step, to first order in dt. It has no path and no servo. Free walls do
    not collide with walls. The energy balance contains the energy that they give to bodies (energy.walls), but not
    their own. The time step must be short enough for them: scree_world_stable_step, automatic steps and warnings take
    them into account. */
typedef struct scree_free_wall_def
{
    uint32_t cookie; /* set by the default function */
    uint32_t size;   /* in bytes, set by the default function */
    double mass;     /* kg, above 0; must be given */
    /*  About the centre, along the axes of `frame`, kg m^2; above 0 if it can rotate (2D: about z); 0. */
    double inertia[3];
    /*  Centre of mass in the frame of the mesh, or from the point of a plane, m; 0. */
    double centre[3];
    double frame[4]; /* rotates the axes of inertia into those of the mesh, w x y z; 1 0 0 0 */
    /*  Velocity of the centre, m/s, and angular velocity, rad/s, from now on; 0. */
    double velocity[3], spin[3];
    double force[3], torque[3];      /* constant load, N, and N m about the centre; 0 */
    double damping, angular_damping; /* N s/m and N m s, 0 or more; 0 */
    /*  SCREE_FREEZE_X to SCREE_FREEZE_SPIN_Z: components of the motion that stay constant; 0. */
    uint32_t held;
} scree_free_wall_def;

/*  What scree_default_free_wall_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_free_wall_def(scree_free_wall_def *def, size_t size);
/*  Returns a definition with default values. Set `mass`. */
static inline scree_free_wall_def scree_default_free_wall_def(void)
{
    scree_free_wall_def def;
    scree_init_free_wall_def(&def, sizeof def);
    return def;
}
/*  Makes a wall free from now on; NULL fixes it where it is. SCREE_BAD_DEF; SCREE_BAD_VALUE, naming field and value;
    SCREE_BAD_ARGUMENT: no such wall, or one with a path or servo. */
SCREE_API scree_status scree_world_set_free_wall(scree_world *world, scree_wall_id id,
                                                 const scree_free_wall_def *def);
/*  What scree_world_get_free_wall calls: writes the first `size` bytes of the definition. */
SCREE_API bool scree_world_read_free_wall(const scree_world *world, scree_wall_id id,
                                          scree_free_wall_def *def, size_t size);
/*  Returns whether the wall is free, and reads its definition with the velocity and angular velocity of now, or the
    default one. `def` may be NULL. */
static inline bool scree_world_get_free_wall(const scree_world *world, scree_wall_id id,
                                             scree_free_wall_def *def)
{
    return scree_world_read_free_wall(world, id, def, sizeof *def);
}

/*  The state of a servo. */
typedef struct scree_servo_state
{
    bool is_on;        /* it runs */
    double target;     /* target force, N */
    double force;      /* force of the bodies against the axis in the last step, N */
    uint64_t contacts; /* number of contacts in the last step */
    double speed;      /* along the axis, for the next step, m/s */
    double shift[3];   /* shift by servos since the path of the wall began, m */
} scree_servo_state;

/*  The state of a wall. */
typedef struct scree_wall
{
    scree_wall_id id;            /* its handle */
    scree_wall_kind kind;        /* plane or mesh */
    const scree_mesh *mesh;      /* NULL for a plane */
    scree_material_id material;  /* as in scree_wall_def */
    uint64_t groups, mask, user; /* as in scree_wall_def */
    /*  Current position of its origin (for a plane of a point on it), m; w x y z. */
    double position[3], orientation[4];
    double normal[3]; /* current normal of a plane */
    /*  Velocity at `position`, m/s, and angular velocity, rad/s. */
    double velocity[3], spin[3];
    /*  Of the bodies on it in the last step, N; torque about `position`, N m. */
    double force[3], torque[3];
    scree_servo_state servo; /* its servo */
    bool is_free;            /* it is a free wall */
} scree_wall;

/*  Reads the state of a wall. SCREE_BAD_ARGUMENT. */
SCREE_API scree_status scree_world_get_wall(scree_world *world, scree_wall_id id, scree_wall *wall);

/*  The load on a facet of a wall in the last step. A contact counts entirely at the facet that it names; at an edge
    this is one of two. Use facets as large as bodies, or average over several facets or over time. */
typedef struct scree_facet_load
{
    double force[3]; /* force of the bodies, N */
    /*  m^2; in two dimensions its length, m; INFINITY for a plane, for which pressure and shear are 0. */
    double area;
    double pressure;   /* normal force over area, Pa; positive if bodies push, from either side */
    double shear[3];   /* tangential force over area, Pa */
    uint64_t contacts; /* number of contacts */
} scree_facet_load;

/*  Reads the loads on all facets of a mesh, in their order, or one load for a plane. On failure nothing is written.
    SCREE_BAD_ARGUMENT: NULL, no such wall, or `count` is not the number of facets; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_wall_loads(scree_world *world, scree_wall_id id,
                                              scree_facet_load *loads, size_t count);
/*  Lists the walls in the order in which they were added, at most `capacity`. `ids` may be NULL. Returns the number of
    walls. */
SCREE_API size_t scree_world_walls(const scree_world *world, scree_wall_id *ids, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
