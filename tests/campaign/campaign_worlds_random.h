/*  Random numbers of a drawn world. */
#ifndef SCREE_TESTS_CAMPAIGN_WORLDS_RANDOM_H
#define SCREE_TESTS_CAMPAIGN_WORLDS_RANDOM_H

#include "campaign_worlds_draw.h"

#include "base/random.h"
#include "law/law_room.h"

#include <math.h>
#include <string.h>

static inline bool drawn_has(const drawn_world *d, drawn_feature feature)
{
    return (d->features >> feature & 1) != 0;
}

static inline scree_random drawn_stream(const drawn_world *d, uint32_t stream)
{
    return scree_random_stream(d->seed, stream);
}

static inline double draw(scree_random *random, double lower, double upper)
{
    return scree_random_range(random, lower, upper);
}

static inline void draw_direction(scree_random *random, int dimensions, double n[3])
{
    double length = 0;

    while (length < 1e-3) {
        for (int k = 0; k < 3; k++)
            n[k] = k < dimensions ? scree_random_normal(random) : 0;
        length = sqrt(law_dot3(n, n));
    }
    for (int k = 0; k < 3; k++)
        n[k] /= length;
}

static inline void draw_vector(scree_random *random, int dimensions, double size, double v[3])
{
    for (int k = 0; k < 3; k++)
        v[k] = k < dimensions ? size * scree_random_normal(random) : 0;
}

#endif
