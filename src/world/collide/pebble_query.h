/*  Which pebbles of a clump may reach into a ball: several at once, in the clump's own frame. */
#ifndef SCREE_WORLD_PEBBLE_QUERY_H
#define SCREE_WORLD_PEBBLE_QUERY_H

#include "base/common.h"

/*  Numbers of those pebbles, centre and radius, whose centre is no farther from `centre` than their radius and `more`: ascending,
    into `near`; returns how many. There is room for 8 more than there are pebbles. */
typedef uint32_t scree_pebble_sift_fn(const double (*pebble)[4], uint32_t count,
                                      const double centre[3], double more, uint32_t *near);

/*  By SIMD level; all find the same. */
extern scree_pebble_sift_fn *const scree_pebble_sift_kernels[];

#endif
