/*  Shared by the stages that turn facets into contacts: see sphere_mesh.c. */
#ifndef SCREE_SPHERE_MINIMA_H
#define SCREE_SPHERE_MINIMA_H

#include "narrow/sphere_mesh.h"

#include "base/vector.h"

#include "narrow/surface_view.inc.h"

/*  Finds the facets nearer than the radius, sorted by facet. Returns their number. `touch` has room for all of
    `facets`. */
size_t scree_find_touches(scree_touch *touch, const scree_surface_view *s, const uint32_t *facets,
                          size_t facet_count);
/*  Writes the local minima, each place once, to `minimum`, which has room for `count`. Returns their number, at least
    one if there is a touch. Sets the tolerances of `s`. */
size_t scree_find_minima(scree_surface_view *s, scree_touch *touch, size_t count,
                         scree_touch *minimum);

#endif
