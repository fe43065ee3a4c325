/*  What grids of fields and of walls share. */
#ifndef SCREE_WORLD_FIELDS_H
#define SCREE_WORLD_FIELDS_H

#include "scree/fields.h"
#include "world/step/world_data.h"

/*  Whether so many cells are those of the grid, and it can be used; of a grid without kernel all axes must have a length.
    SCREE_BAD_DEF, SCREE_BAD_ARGUMENT, SCREE_BAD_VALUE. */
scree_status scree_fields_check(scree_world *world, const scree_fields_def *def, double weight,
                                size_t count, bool has_kernel);
/*  What scree_shape_mass says of a body's volume, without looking at every facet again. */
double scree_fields_volume_of(const scree_world *world, uint32_t slot);
/*  From a contact's point to the nearest image of the body's centre. */
void scree_fields_way_to_body(const scree_world *world, const double point[3], scree_body_id id,
                              double way[3]);
/*  Unit normal of a facet as the wall lies now; of a plane its own. */
void scree_wall_facet_normal(const scree_wall_record *wall, uint32_t facet, double normal[3]);

#endif
