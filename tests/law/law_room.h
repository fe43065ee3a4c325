/*  Numbers of contacts as a law gets and writes them, and vectors. */
#ifndef SCREE_LAW_ROOM_H
#define SCREE_LAW_ROOM_H

#include "scree/law.h"

enum
{
    IN_OVERLAP,
    IN_NORMAL,
    IN_APPROACH = IN_NORMAL + 3,
    IN_SLIDE,
    IN_ROLL = IN_SLIDE + 3,
    IN_TWIST = IN_ROLL + 3,
    IN_RADIUS,
    IN_MASS,
    IN_ARM,
    IN_MEMORY = IN_ARM + 2,
    INPUTS = IN_MEMORY + SCREE_MAX_MEMORY,
    OUT_NEXT = 0,
    OUT_FORCE = SCREE_MAX_MEMORY,
    OUT_MOMENT = OUT_FORCE + 3,
    OUT_ENERGY = OUT_MOMENT + 3,
    OUT_LOSS,
    OUT_STIFFNESS = OUT_LOSS + SCREE_LOSSES,
    OUT_SHEAR,
    OUTPUTS,
};

/*  The arrays of a batch. */
typedef struct law_room
{
    _Alignas(64) double in[INPUTS][SCREE_BATCH], out[OUTPUTS][SCREE_BATCH];
} law_room;

static inline void law_cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double law_dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

#endif
