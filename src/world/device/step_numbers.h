/*  Numbers that hosts and kernels of a step share. Plain C, and plain OpenCL C. */
#ifndef SCREE_WORLD_STEP_NUMBERS_H
#define SCREE_WORLD_STEP_NUMBERS_H

#ifndef __OPENCL_C_VERSION__
#include <stdint.h>
#endif

/*  Who may touch whom lies in rows by body: bodies 32 s .. 32 s + 31 are slice s, and entry k of body i is at
    base[s] + 32 k + i - 32 s, so that neighbours in memory are read together. Each row ends with SCREE_ENTRY_NONE, or where the
    next slice begins. Each pair stands in the rows of both. What a contact remembers lies at the place of its entry, in planes; both
    rows find the same bits, from the same numbers in the same order. */
#define SCREE_SLICE 32u
#define SCREE_ENTRY_NONE 0xffffffffu
#define SCREE_ENTRY_BODY 0x1fffffffu /* slot of the other; or number of the wall */
#define SCREE_ENTRY_TOUCHES 0x20000000u
#define SCREE_ENTRY_WALL 0x40000000u
#define SCREE_ENTRY_SECOND 0x80000000u /* the other is the first of the two */

/*  What kernels have to tell: words of one buffer. Steps are counted from 1 since the state was sent. */
enum
{
    SCREE_TOLD_STOP, /* step before whose forces who may touch must be looked for again; UINT32_MAX: none */
    SCREE_TOLD_FAIL, /* step whose forces cannot be taken as they are; UINT32_MAX: none */
    SCREE_TOLD_WHY,  /* bits of scree_step_trouble */
    SCREE_TOLD_WORDS = 4,
};

/*  Why a step is left to the host. */
enum
{
    SCREE_TROUBLE_DEPTH = 1,  /* an overlap is beyond the limit */
    SCREE_TROUBLE_NUMBER = 2, /* a number is not finite */
    SCREE_TROUBLE_RANGE = 4,  /* a sum wants more than one word */
    SCREE_TROUBLE_TURN = 8,   /* a body turns by more than series reach */
    SCREE_TROUBLE_WAY = 16,   /* a body goes so far that it may pass something unseen */
};

/*  A slot of the table of laws: its constants, and behind them: */
#define SCREE_LAW_ROW 32
#define SCREE_LAW_ROW_FIXED 24 /* reach */
#define SCREE_LAW_ROW_SHARE 25
#define SCREE_LAW_ROW_ROOT 26
#define SCREE_LAW_ROW_KIND 27   /* of its formula: number in LAWS of step.cl */
#define SCREE_LAW_ROW_MEMORY 28 /* numbers that it remembers */

/*  Of each wall: place, velocity, spin, normal, in rows of four. */
#define SCREE_PLANE_NUMBERS 16

/*  Of the domain at an instant: lower and upper limits, periods (0: not periodic), tilts xy, xz, yz; see
    world/state/cell_box.h. */
#define SCREE_DOMAIN_NUMBERS 12

/*  Of the steps of a call. Doubles first: so it has no gaps. */
typedef struct scree_step_numbers
{
    double dt, ahead; /* velocities are so much ahead, see scree_def_ahead */
    double gravity[3];
    double force_unit, torque_unit;         /* of sums, */
    double per_force_unit, per_torque_unit; /* and 1 over these */
    double force_rule;                      /* scree_quantum_rule */
    double overlap_limit;
    double global_damping, local_damping;
    double allowed;  /* that a body may move before who may touch is looked for again */
    double most_way; /* in one step: on no longer way it can pass anything, see step/crossings.c */
    double reach;    /* that bodies act beyond touching, at most */
    double gradient[9]; /* of the cell's flow, by rows, */
    double kick[9];     /* and what a homogeneous one adds to velocities in a step */
    uint32_t count, walls, materials, has_weight;
    uint32_t planes_room; /* places of a plane of memory */
    uint32_t cell_moves, has_kick;
    uint32_t wraps_matter; /* to contacts with walls */
} scree_step_numbers;

/*  Cells of the search. */
typedef struct scree_cell_numbers
{
    double lower[3], length[3], tilt[3]; /* of all together; they lean as the domain does */
    uint32_t cells[3], periodic;         /* `periodic`: bits of axes */
} scree_cell_numbers;

#endif
