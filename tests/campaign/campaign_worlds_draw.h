/*  A random world of some features, and its reference: what a feature draws depends on the seed and on it alone, so a world keeps
    the rest of its features where one is taken away. */
#ifndef SCREE_TESTS_CAMPAIGN_WORLDS_DRAW_H
#define SCREE_TESTS_CAMPAIGN_WORLDS_DRAW_H

#include "campaign_worlds_reference.h"

typedef enum drawn_feature
{
    DRAWN_GRAVITY,
    DRAWN_PLANES,
    DRAWN_MOVING_PLANES,
    DRAWN_MESH,        /* a wall of many facets in one plane, which moves */
    DRAWN_PERIODIC,    /* on some axes */
    DRAWN_BOUNDARY,    /* stop, reflect or destroy, on some axes */
    DRAWN_DAMPING,     /* global and local */
    DRAWN_RULES,       /* laws, materials */
    DRAWN_PLANE_WORLD, /* two dimensions */
    DRAWN_EULER,       /* symplectic or explicit */
    DRAWN_FROZEN,      /* components, kinematic and static bodies */
    DRAWN_LOADS,
    DRAWN_GROUPS,
    DRAWN_CHANGES, /* on the way: bodies come, go, get other velocities; gravity, friction, damping */
    DRAWN_HOST,    /* a force function */
    DRAWN_CLUMPS,
    DRAWN_METHOD, /* a method of detection, a margin, sorting, levels of SIMD, threads */
    DRAWN_SAVED,  /* a snapshot is taken, and restored after other steps */
    DRAWN_BOOKS,  /* energies, events, audits */
    DRAWN_BELTS,  /* of walls */
    DRAWN_JOINTS, /* between bodies */
    DRAWN_FEATURES,
} drawn_feature;

extern const char *const drawn_feature_names[DRAWN_FEATURES];

typedef struct drawn_world
{
    uint64_t seed;
    uint32_t features, bodies; /* features: bits; bodies: how many at the start */
    scree_world *world;
    reference_world reference;
} drawn_world;

/*  The features of a seed: two of them, and now and then more. */
uint32_t drawn_features_of(uint64_t seed);
uint32_t drawn_bodies_of(uint64_t seed);
/*  From seed, features and bodies. Returns NULL, or why there is no such world. */
const char *drawn_world_open(drawn_world *drawn);
void drawn_world_close(drawn_world *drawn);
/*  One more body, in the world and in its reference; none where there is no room for it. Returns NULL, or why it is not there. */
const char *drawn_body_add(drawn_world *drawn);
/*  What the host does before step `step` of `steps`, to both. Returns NULL, or why it cannot. */
const char *drawn_world_meddle(drawn_world *drawn, uint32_t step, uint32_t steps);

#endif
