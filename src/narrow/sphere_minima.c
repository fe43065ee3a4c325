/*  The local minima of the distance to a surface, for the host. */
#include "narrow/sphere_minima.h"

#include <math.h>

#include "narrow/sphere_minima.inc.h"

size_t scree_find_touches(scree_touch *touch, const scree_surface_view *s, const uint32_t *facets,
                          size_t facet_count)
{
    size_t count = 0;

    for (size_t i = 0; i < facet_count; i++)
        count += touch_facet(s, facets[i], touch + count);
    sort_touches(touch, count);
    return count;
}
