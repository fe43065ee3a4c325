/*  What contacts of a batch exert, added to the sums of bodies. */
#ifndef SCREE_WORLD_PUSH_KERNELS_H
#define SCREE_WORLD_PUSH_KERNELS_H

#include "world/state/sums.h"

/*  Contacts of two bodies each, or of one with a wall. The first gets `force` and the torque arm[0] * turn + moment, the second the opposite
    force, and the torque arm[1] * turn - moment. Arrays have room for a full vector; past `count` slots are of some bodies. */
typedef struct scree_pushes
{
    uint32_t count;
    const uint32_t *first, *second; /* slots; no `second`: walls */
    const double *force[3], *arm[2];
    const double *mass, *radius; /* of contacts, for their quanta: */
    scree_quantum_rule rule;
    const double *normal[3]; /* turn is normal x force */
    const double *moment[3]; /* NULL: none */
    bool are_few;            /* no body has more contacts than SCREE_FEW_CONTACTS */
} scree_pushes;

/*  Contact k alone, whatever it counts: the torques on both by the same operations as in vectors. */
void scree_push_one(scree_sums *sums, uint32_t worker, const scree_pushes *p, uint32_t k);

/*  How a vector of contacts is counted: the first that does for all its numbers. */
typedef enum scree_push_way
{
    PUSH_FEW,   /* sums of few contacts need no look: each number is below 2^51 quanta, */
    PUSH_SHORT, /* and sums are looked at, */
    PUSH_LONG   /* and numbers may be larger */
} scree_push_way;

/*  From quanta to units, at most. With few contacts none comes to SCREE_SUM_PART units then. */
static inline int most_shift(scree_push_way way)
{
    return way == PUSH_FEW ? SCREE_SUM_FEW_SHIFT : SCREE_SUM_SHIFT;
}

/*  Adds as worker `worker`. */
typedef void scree_push_fn(scree_sums *sums, uint32_t worker, const scree_pushes *pushes);
/*  By SIMD level. */
extern scree_push_fn *const scree_push_kernels[];

#endif
