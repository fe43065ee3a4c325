/*  scree/joint.h: joints hold two bodies together, or a body and a wall or the fixed world.

        scree_joint_def def = scree_default_joint_def();
        def.kind = SCREE_JOINT_HINGE;
        def.first = door;
        def.axis[2] = 1;
        def.anchor[0] = 0.4;
        def.upper = 1.5;
        scree_joint_id hinge;
        scree_world_add_joint(world, &def, &hinge);

    FORCES. What a joint holds is held by springs with dashpots, like a contact: the two ends yield a little under load.
    An end is a point and a frame of a body, a wall or the world. Let d be the vector from the first end to the second,
    and force and torque those on the second body, both at the second end:

        held displacement        -stiffness d             - c (rate of d)
        held rotation, angle a   -turn_stiffness a        - c (rate of a)

    with dashpots c = 2 damping_ratio sqrt(stiffness m), where m is the effective mass of the two ends, or their
    moment of inertia. Forces and torques on the two bodies are opposite and act at one point, so momentum and angular
    momentum are conserved. Limits are springs of the same stiffness without a dashpot.

    STIFFNESS. A stiffness of 0 is chosen when the joint is made: m (0.2 / T)^2. T is the time step, or for automatic
    steps and mass scaling the present one over the safety factor; before the first step that is the largest one
    allowed. Lever arms are those of now, of a slider those at its limits. Then eight joints on a body leave time steps
    as they are. The stable time step takes joints into account. Under a load F the ends move F / stiffness apart: give
    a stiffness where loads are large.

    CONTACTS. Two joined bodies do not touch each other unless `collide` is set, nor does a body touch the wall that it
    is joined to. After the joint has broken they do.

    LIMITS OF USE. Worlds with joints take explicit steps on one host: sleep, local time steps, implicit integrators,
    ranks and devices are refused, and so are joints to ghosts and free walls. A servo does not measure forces of
    joints. With periodic boundaries the nearest image counts, as with bonds. */
#ifndef SCREE_JOINT_H
#define SCREE_JOINT_H

#include "scree/wall.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  The kinds of joints. */
typedef enum scree_joint_kind
{
    SCREE_JOINT_HINGE,  /* rotation about the axis is free */
    SCREE_JOINT_SLIDER, /* motion along the axis is free */
    SCREE_JOINT_BALL,   /* all rotations are free; not in two dimensions, where a hinge is that */
    SCREE_JOINT_WELD,   /* nothing is free */
    /*  A spring between two points: it holds their distance, and nothing else. With a stiffness of 0 it is a rod. */
    SCREE_JOINT_SPRING,
} scree_joint_kind;

/*  What a motor does. */
typedef enum scree_motor_mode
{
    SCREE_MOTOR_OFF,
    SCREE_MOTOR_SPEED,    /* effort = damping (target - speed) */
    SCREE_MOTOR_POSITION, /* effort = stiffness (target - position) - damping speed */
} scree_motor_mode;

/*  The motor of a hinge or slider. Its effort is the torque about the axis, or the force along it. */
typedef struct scree_joint_motor
{
    scree_motor_mode mode; /* SCREE_MOTOR_OFF */
    double target;         /* rad/s or m/s; rad or m */
    double max_effort; /* largest torque, N m, or force, N; above 0, must be given if it is on */
    /*  Of the formulas above; 0: chosen when it is set, with the time T of the stiffness of a joint: damping 0.1 m / T
        with the smaller effective inertia, and the stiffness that is then critically damped. */
    double stiffness, damping;
} scree_joint_motor;

/*  How to create a joint. */
typedef struct scree_joint_def
{
    uint32_t cookie;       /* set by the default function */
    uint32_t size;         /* in bytes, set by the default function */
    scree_joint_kind kind; /* SCREE_JOINT_HINGE */
    scree_body_id first;   /* the body that is moved; must be given */
    scree_body_id second;  /* relative to this body; none: */
    scree_wall_id wall;    /* this wall, and if there is none, the fixed world */
    double anchor[3]; /* where the two are joined now; spring: the end at the first body; m; 0 */
    double second_anchor[3]; /* spring: the other end, m; 0 */
    /*  Axis of a hinge and slider now, of any length; angles and distances of the first body relative to the second are
        positive about and along it. Ball: the axis whose tilt `upper` limits. 0 0 1; in two dimensions a slider has
        1 0 0, and a hinge needs 0 0 1. */
    double axis[3];
    double stiffness;      /* N/m; 0: chosen; 0 */
    double turn_stiffness; /* hinge, slider, weld; ball: of its limit; N m/rad; 0: chosen; 0 */
    double damping_ratio;  /* 0 to 1; 0.1 */
    double rest_length;    /* spring: m; negative: the present length; -1 */
    /*  Limits of the angle, rad, or distance, m, both 0 now; spring: of its length. Ball: of the tilt of the axis, with
        lower at -INFINITY. -INFINITY, INFINITY. */
    double lower, upper;
    scree_joint_motor motor; /* hinge and slider; off */
    /*  The joint breaks in a step at whose end its force is above `strength`, N, or its torque above `turn_strength`,
        N m; INFINITY. */
    double strength, turn_strength;
    bool collide;  /* joined bodies touch each other; false */
    uint64_t user; /* free for the host; 0 */
} scree_joint_def;

/*  What scree_default_joint_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_joint_def(scree_joint_def *def, size_t size);
/*  Returns a definition with default values. */
static inline scree_joint_def scree_default_joint_def(void)
{
    scree_joint_def def;
    scree_init_joint_def(&def, sizeof def);
    return def;
}

/*  Adds a joint. `id` may be NULL. On failure nothing changes. SCREE_BAD_DEF; SCREE_BAD_VALUE, naming field and value;
    SCREE_BAD_ARGUMENT: the ends cannot be joined, a field is of another kind, a stiffness cannot be chosen before the
    first automatic step, or the world has what excludes joints; SCREE_TOO_LARGE: 2^32 - 1 joints were made;
    SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_add_joint(scree_world *world, const scree_joint_def *def,
                                             scree_joint_id *id);
/*  Removes a joint, also a broken one. SCREE_BAD_ARGUMENT: `id` names no joint. Joints of a body or wall that is removed
    are removed with it; SCREE_EVENT_JOINT_LOST reports them. */
SCREE_API scree_status scree_world_remove_joint(scree_world *world, scree_joint_id id);
/*  Sets the motor of a hinge or slider from now on; NULL turns it off. SCREE_BAD_VALUE, naming field and value;
    SCREE_BAD_ARGUMENT: `id` names no joint, or one without a free axis. */
SCREE_API scree_status scree_world_set_joint_motor(scree_world *world, scree_joint_id id,
                                                   const scree_joint_motor *motor);

/*  The state of a joint now. Forces are computed from present positions and velocities; those of the last step had the
    velocities that were predicted for its end. */
typedef struct scree_joint
{
    scree_joint_id id;           /* its handle */
    scree_joint_kind kind;       /* as in scree_joint_def */
    scree_body_id first, second; /* as in scree_joint_def */
    scree_wall_id wall;          /* as in scree_joint_def */
    uint64_t user;               /* as in scree_joint_def */
    bool is_broken;              /* it has broken: all below is 0 */
    double point[3], axis[3];    /* the second end, m, and the axis of the first: unit vector */
    /*  Angle of a hinge since it was made, also beyond a turn, rad; distance of a slider, m; length of a spring, m; tilt
        of the axis of a ball, rad; 0 for a weld. */
    double position;
    double speed;               /* its rate, rad/s or m/s */
    double force[3], torque[3]; /* on the first body, N; N m, about `point` */
    double effort;     /* of motor and limits on the first body about or along the axis, N m or N */
    double elastic;    /* energy of its springs, J */
    double lost;       /* energy lost in its dashpots since it was made, and when it broke, J */
    double motor_work; /* work of its motor since it was made, J */
    double stiffness, turn_stiffness; /* given or chosen, N/m; N m/rad */
    scree_joint_motor motor;          /* with the values that were chosen */
} scree_joint;

/*  Lists all joints in the order in which they were made. The list is valid until the next call that lists joints.
    SCREE_BAD_ARGUMENT, SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_joints(scree_world *world, const scree_joint **joints,
                                          size_t *count);
/*  Reads one joint. SCREE_BAD_ARGUMENT. */
SCREE_API scree_status scree_world_get_joint(scree_world *world, scree_joint_id id,
                                             scree_joint *joint);

/*  Numbers of joints. All but `intact` are part of the state. */
typedef struct scree_joint_counts
{
    uint64_t intact;       /* now */
    uint64_t made, broken; /* since the world was created */
    uint64_t lost;         /* removed with a body or wall */
} scree_joint_counts;

/*  Returns the numbers of joints. All are 0 if `world` is NULL. */
SCREE_API scree_joint_counts scree_world_joint_counts(const scree_world *world);

/*  ENERGY. With an energy balance (scree/statistics.h) springs of joints are part of energy.elastic, their dashpots and
    what broken joints had stored of energy.damping, motors of energy.loads, and walls and images that move joined bodies
    of energy.walls and energy.boundary. */

#ifdef __cplusplus
}
#endif

#endif
