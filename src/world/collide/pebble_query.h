/*  Finds the pebbles of a clump that may reach into a sphere, several at once, in the clump's frame. */
#ifndef SCREE_WORLD_PEBBLE_QUERY_H
#define SCREE_WORLD_PEBBLE_QUERY_H

#include "base/common.h"

/*  Writes to `near` the indices of pebbles (centre and radius) whose centre is within their radius + `more` of
    `centre`, ascending; returns their number. Reads whole groups of pebbles, and `near` needs room for another. */
typedef uint32_t scree_pebble_sift_fn(const double (*pebble)[4], uint32_t count,
                                      const double centre[3], double more, uint32_t *near);

/*  By SIMD level; all give the same result. */
extern scree_pebble_sift_fn *const scree_pebble_sift_kernels[];

#endif
