/*  What grids of fields and of walls share. */
#ifndef SCREE_WORLD_FIELDS_H
#define SCREE_WORLD_FIELDS_H

#include "scree/fields.h"
#include "world/step/world_data.h"

/*  Whether the grid can be used; without kernel all axes must have a length. SCREE_BAD_DEF, SCREE_BAD_VALUE. */
scree_status scree_fields_check(const scree_fields_def *def, const scree_domain *domain,
                                int dimensions, double weight, bool has_kernel, scree_error *error);
/*  Whether so many cells are those of the grid, which can be used. SCREE_BAD_ARGUMENT. */
scree_status scree_fields_check_count(const scree_fields_def *def, int dimensions, size_t count,
                                      scree_error *error);
/*  What scree_shape_mass says of a body's volume, without looking at every facet again. */
double scree_fields_volume_of(const scree_solid_meshes *meshes, const scree_shape *shape,
                              int dimensions);
/*  From a contact's point to the nearest image of the place where a body's centre is. */
void scree_fields_way_to_body(const scree_domain *domain, int dimensions, const double point[3],
                              const double place[3], double way[3]);
/*  Unit normal of a facet as the wall lies now; of a plane its own. */
void scree_wall_facet_normal(const scree_wall_record *wall, uint32_t facet, double normal[3]);

#endif
