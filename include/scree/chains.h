/*  scree/chains.h: force chains, the chains of bodies that carry most of the load.

        size_t count = scree_world_body_count(world);
        scree_chain_body *bodies = calloc(count, sizeof *bodies);
        scree_chains chains;
        scree_chains_def def = scree_default_chains_def();
        if (scree_world_chains(world, &def, bodies, NULL, count, &chains)) puts(scree_world_message(world));
        printf("%zu chains, %g of all bodies\n", chains.count, chains.share);

    DEFINITION (Peters, Muthuswamy, Wibowo, Tordesillas, Phys. Rev. E 72 (2005) 041307). The stress of a body is the sum
    of contact force times lever arm over its volume, from its contacts with bodies and walls. A body carries load if
    its largest compressive principal stress is above the mean of all bodies. Two such bodies in contact are linked if
    the line between their centres is within an angle (45 degrees by default) of the direction of largest compression of
    both. At least three linked bodies are a chain. Chains may branch, and the result does not depend on where a search
    starts, unlike that of Peters et al., who follow one direction from each body.

    Forces are those of the last step. Sums are in the order of contacts, which follows global ids. The result is
    bit-identical for all methods, numbers of threads and orders of bodies. */
#ifndef SCREE_CHAINS_H
#define SCREE_CHAINS_H

#include "scree/base.h"
#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  What counts as a chain. */
typedef struct scree_chains_def
{
    uint32_t cookie;     /* set by the default function */
    uint32_t size;       /* in bytes, set by the default function */
    uint32_t min_bodies; /* smallest number of bodies in a chain, 2 or more; 3 */
    double angle;        /* largest angle between link and compression, rad, 0 to pi / 2; pi / 4 */
    double above;        /* stress limit over the mean stress, 0 or more; 1 */
} scree_chains_def;

/*  What scree_default_chains_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_chains_def(scree_chains_def *def, size_t size);
/*  Returns a definition with default values. */
static inline scree_chains_def scree_default_chains_def(void)
{
    scree_chains_def def;
    scree_init_chains_def(&def, sizeof def);
    return def;
}

/*  The result for one body. */
typedef struct scree_chain_body
{
    double stress;       /* largest principal stress, Pa (2D: N/m); compression is positive */
    double direction[3]; /* its direction, a unit vector of either sign; 0 without contacts */
    uint32_t chain; /* number of its chain, from 1 by the smallest global id in each; 0: none */
} scree_chain_body;

/*  The result as a whole. */
typedef struct scree_chains
{
    size_t count;       /* number of chains */
    size_t bodies;      /* number of bodies in chains */
    size_t longest;     /* number of bodies in the longest chain */
    double mean_length; /* bodies per chain; 0 without chains */
    double share;       /* fraction of all bodies that are in chains */
    double mean_stress; /* mean stress of all bodies, Pa (2D: N/m) */
} scree_chains;

/*  Finds the force chains. `bodies` gets a result for each of the `count` rows of scree_world_bodies. `members` may be
    NULL; otherwise it has `count` elements, and the first chains->bodies of them get the rows of the bodies in chains:
    those of the first chain by global id, then those of the second, and so on. On failure nothing is written.
    SCREE_BAD_ARGUMENT: NULL, or a count that is not the number of bodies; SCREE_BAD_DEF; SCREE_BAD_VALUE: a number out
    of range; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_chains(scree_world *world, const scree_chains_def *def,
                                          scree_chain_body *bodies, uint32_t *members, size_t count,
                                          scree_chains *chains);

#ifdef __cplusplus
}
#endif

#endif
