/*  scree/chains.h: force chains, the rows of bodies that carry most of the load.

        size_t count = scree_world_body_count(world);
        scree_chain_body *bodies = calloc(count, sizeof *bodies);
        scree_chains chains;
        scree_chains_def def = scree_default_chains_def();
        if (scree_world_chains(world, &def, bodies, NULL, count, &chains)) puts(scree_world_message(world));
        printf("%zu chains, %g of all bodies\n", chains.count, chains.share);

    WHAT A CHAIN IS (Peters, Muthuswamy, Wibowo, Tordesillas, Phys. Rev. E 72 (2005) 041307). Each body has a stress, that of the
    contacts with bodies and walls around it: the sum of force times arm over its volume. Where the greatest of its
    principal stresses, of those that press, is above the mean of all bodies, the body is one that carries. Two of these that
    press on each other are linked where the line between their centres is within an angle, 45 degrees, of both directions in which
    they are pressed most. At least three that hang together are a chain. So chains may branch, and which bodies make one
    does not depend on where a walk along it begins; Peters et al. follow one way from each body.

    Forces are those of the last step. Sums go by the order of contacts, which is that of serials: the answer is the same
    bytes whatever the method, threads and order of bodies. */
#ifndef SCREE_CHAINS_H
#define SCREE_CHAINS_H

#include "scree/base.h"
#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_chains_def
{
    uint32_t cookie;
    uint32_t min_bodies; /* bodies of a chain, 2 or more; 3 */
    double angle;        /* rad, from 0 to pi / 2; pi / 4 */
    double above;        /* times the mean stress, from 0; 1 */
} scree_chains_def;

SCREE_API scree_chains_def scree_default_chains_def(void);

/*  Of one body. */
typedef struct scree_chain_body
{
    double stress; /* Pa (2D: N/m): the greatest principal one, above 0 where it presses */
    double direction
        [3];        /* in which that presses, unit, of either sign; of a body without contacts 0 */
    uint32_t chain; /* from 1, by the smallest serial in each; 0: none */
} scree_chain_body;

typedef struct scree_chains
{
    size_t count;       /* of chains */
    size_t bodies;      /* in them */
    size_t longest;     /* bodies of the longest */
    double mean_length; /* bodies a chain; 0 without chains */
    double share;       /* of all bodies, that are in chains */
    double mean_stress; /* of all bodies */
} scree_chains;

/*  `bodies` has `count` rows, those of scree_world_bodies. `members` is NULL, or has as many: its first chains->bodies are then
    set to rows of bodies, those of the first chain by serial, then those of the second and so on. SCREE_BAD_ARGUMENT (NULL, another count), SCREE_BAD_DEF, SCREE_BAD_VALUE (a number that cannot be used), SCREE_OUT_OF_MEMORY; then
    nothing is written. */
SCREE_API scree_status scree_world_chains(scree_world *world, const scree_chains_def *def,
                                          scree_chain_body *bodies, uint32_t *members, size_t count,
                                          scree_chains *chains);

#ifdef __cplusplus
}
#endif

#endif
