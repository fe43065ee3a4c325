/*  Scenes from one 64-bit number: where bodies are, in which frame of coordinates, what they are
    besides, what is done with them, and how they are handed over. */
#ifndef HARNESS_GENERATE_H
#define HARNESS_GENERATE_H

#include "reference.h"

/*  A body before it is a sphere or a box: where its middle is and how far it reaches on each axis. */
typedef struct blob
{
    double centre[3], half[3];
} blob;

typedef struct placement
{
    const char *name;
    bool is_dense; /* the number of pairs grows with the square: keep it small */
    void (*place)(scree_random *random, blob *blobs, uint32_t count, int dimensions);
} placement;

extern const placement harness_placements[];
extern const uint32_t harness_placement_count;

/*  Bodies at most `max_bodies`; steps at least `min_steps`. Free with scene_free. */
typedef struct generate_options
{
    uint32_t max_bodies; /* 0: 200, mostly far fewer */
    uint32_t min_bodies;
    uint32_t min_steps;
} generate_options;

test_scene scene_generate(uint64_t seed, const generate_options *options);

#endif
