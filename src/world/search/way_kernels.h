/*  Displacements of several bodies at once. */
#ifndef SCREE_WORLD_WAY_KERNELS_H
#define SCREE_WORLD_WAY_KERNELS_H

#include "world/contacts/wall_contact_list.h"

/*  The largest displacement of the bodies begin .. end - 1, rounded up; not finite if one of them is not. `before`
    has their previous positions, the first being that of body `begin`. Displacements are subtracted from left and
    clear, unless `search` is NULL. */
typedef double scree_way_fn(const scree_body_arrays *bodies, const double (*before)[4],
                            scree_wall_contact_search *search, uint32_t begin, uint32_t end);

/*  By SIMD level. */
extern scree_way_fn *const scree_way_kernels[];

#endif
