/*  Adds the forces of a batch to the sums of bodies. */
#ifndef SCREE_WORLD_PUSH_KERNELS_H
#define SCREE_WORLD_PUSH_KERNELS_H

#include "world/state/sums.h"

/*  Contacts of two bodies, or of a body and a wall. The first gets `force` and the torque arm[0] * turn + moment,
    the second the opposite force and the torque arm[1] * turn - moment. Arrays have room for a full vector; slots
    past `count` are valid. */
typedef struct scree_pushes
{
    uint32_t count;
    const uint32_t *first, *second; /* slots; no `second`: walls */
    const double *force[3], *arm[2];
    const double *mass, *radius; /* effective, for the quanta: */
    scree_quantum_rule rule;
    const double *normal[3]; /* turn = normal x force */
    const double *moment[3]; /* NULL: none */
    bool are_few;            /* no body has more contacts than SCREE_FEW_CONTACTS */
} scree_pushes;

/*  Adds contact k alone, of any size. Torques are computed with the same operations as in vectors. */
void scree_push_one(scree_sums *sums, uint32_t worker, const scree_pushes *p, uint32_t k);

/*  Ways to add a vector of contacts. The first that fits all values is used. */
typedef enum scree_push_way
{
    PUSH_FEW,   /* values below 2^51 quanta; few contacts, so sums need no check */
    PUSH_SHORT, /* the same, but sums are checked */
    PUSH_LONG   /* values of any size */
} scree_push_way;

/*  Largest shift from quanta to units. With few contacts no value reaches SCREE_SUM_PART units then. */
static inline int max_shift(scree_push_way way)
{
    return way == PUSH_FEW ? SCREE_SUM_FEW_SHIFT : SCREE_SUM_SHIFT;
}

/*  Adds to the sums of worker `worker`. */
typedef void scree_push_fn(scree_sums *sums, uint32_t worker, const scree_pushes *pushes);
/*  By SIMD level. */
extern scree_push_fn *const scree_push_kernels[];

#endif
