/*  Values shared by host and kernels of a step. Plain C, and plain OpenCL C. */
#ifndef SCREE_WORLD_STEP_NUMBERS_H
#define SCREE_WORLD_STEP_NUMBERS_H

#ifndef __OPENCL_C_VERSION__
#include <stdint.h>
#endif

/*  Neighbour pairs are stored as rows by body. Bodies 32 s .. 32 s + 31 are slice s, and entry k of body i is at
    base[s] + 32 k + i - 32 s, so that accesses are coalesced. A row ends with SCREE_ENTRY_NONE, or where the next
    slice begins. Each pair is in the rows of both bodies. Contact history is stored at the index of the entry; both
    rows compute the same bits, from the same values in the same order. */
#define SCREE_SLICE 32u
#define SCREE_ENTRY_NONE 0xffffffffu
#define SCREE_ENTRY_BODY 0x1fffffffu /* slot of the other body, or index of the wall */
#define SCREE_ENTRY_TOUCHES 0x20000000u
#define SCREE_ENTRY_WALL 0x40000000u
#define SCREE_ENTRY_SECOND 0x80000000u /* the other body is the first of the two */

/*  Results of kernels: words of one buffer. Steps are counted from 1 since the state was sent. */
enum
{
    SCREE_TOLD_STOP, /* search pairs before the forces of this step; UINT32_MAX: none */
    SCREE_TOLD_FAIL, /* step whose forces cannot be used; UINT32_MAX: none */
    SCREE_TOLD_WHY,  /* bits of scree_step_trouble */
    SCREE_TOLD_WORDS = 4,
};

/*  Why a step is left to the host. */
enum
{
    SCREE_TROUBLE_DEPTH = 1,   /* an overlap exceeds the limit */
    SCREE_TROUBLE_NUMBER = 2,  /* a value is not finite */
    SCREE_TROUBLE_RANGE = 4,   /* a sum needs more than one word */
    SCREE_TROUBLE_TURN = 8,    /* a body rotates too far for the series */
    SCREE_TROUBLE_WAY = 16,    /* a body moves so far that it may pass through something */
    SCREE_TROUBLE_FACETS = 32, /* a body touches more facets than there is room for */
};

/*  Pair parameters: constants, followed by: */
#define SCREE_LAW_ROW 32
#define SCREE_LAW_ROW_FIXED 24 /* interaction range */
#define SCREE_LAW_ROW_SHARE 25
#define SCREE_LAW_ROW_ROOT 26
#define SCREE_LAW_ROW_KIND 27   /* of its formula: number in LAWS of step.cl */
#define SCREE_LAW_ROW_MEMORY 28 /* number of history variables */

/*  Of each wall, in rows of four: position, velocity, angular velocity, normal, orientation. */
#define SCREE_PLANE_NUMBERS 28
#define SCREE_PLANE_IS_MESH 15 /* 1 for a wall of facets, which has no normal */
#define SCREE_PLANE_TURN 16    /* orientation */
#define SCREE_PLANE_BELT 20    /* velocity and angular velocity of its belt, two rows */

/*  The domain at one time: lower and upper limits, periods (0: not periodic), tilts xy, xz, yz; see
    world/state/cell_box.h. */
#define SCREE_DOMAIN_NUMBERS 12

/*  Values for the steps of a call. Doubles come first, so that there is no padding. */
typedef struct scree_step_numbers
{
    double dt, ahead; /* time offset of velocities, see scree_def_ahead */
    double gravity[3];
    double force_unit, torque_unit;         /* units of sums, */
    double per_force_unit, per_torque_unit; /* and their inverses */
    double force_rule;                      /* scree_quantum_rule */
    double overlap_limit;
    double global_damping, local_damping;
    double allowed;     /* displacement of a body until pairs are searched again */
    double max_way;     /* in one step without passing through anything, see step/crossings.c */
    double reach;       /* largest interaction range */
    double gradient[9]; /* velocity gradient of the cell, by rows, */
    double kick[9];     /* and the velocity change by a homogeneous cell in a step */
    uint32_t count, walls, materials, has_weight;
    uint32_t planes_room; /* length of a history array */
    uint32_t cell_moves, has_kick;
    uint32_t wraps_matter; /* for contacts with walls */
    uint32_t has_belts;
} scree_step_numbers;

/*  Cells of the search. */
typedef struct scree_cell_numbers
{
    double lower[3], length[3], tilt[3]; /* of all cells together; tilted like the domain */
    uint32_t cells[3], periodic;         /* `periodic`: bits of axes */
} scree_cell_numbers;

#endif
