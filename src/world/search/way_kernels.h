/*  How far bodies have gone, several at once. */
#ifndef SCREE_WORLD_WAY_KERNELS_H
#define SCREE_WORLD_WAY_KERNELS_H

#include "world/contacts/wall_contact_list.h"

/*  The greatest way of the bodies begin .. end - 1, rounded up; no finite number where some way is none. `before` is where the
    first of them was, and so on. Ways are taken from what is left and clear, unless `search` is NULL. */
typedef double scree_way_fn(const scree_crowd *bodies, const double (*before)[4],
                            scree_surface_search *search, uint32_t begin, uint32_t end);

/*  By SIMD level. */
extern scree_way_fn *const scree_way_kernels[];

#endif
