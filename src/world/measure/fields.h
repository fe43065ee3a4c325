/*  Shared by the fields and the grids of walls. */
#ifndef SCREE_WORLD_FIELDS_H
#define SCREE_WORLD_FIELDS_H

#include "scree/fields.h"
#include "world/step/world_data.h"

/*  Whether the grid is valid; without kernel all axes must have a length. SCREE_BAD_DEF, SCREE_BAD_VALUE. */
scree_status scree_fields_check(const scree_fields_def *def, const scree_domain *domain,
                                int dimensions, double weight, bool has_kernel, scree_error *error);
/*  Whether this is the number of cells of a valid grid. SCREE_BAD_ARGUMENT. */
scree_status scree_fields_check_count(const scree_fields_def *def, int dimensions, size_t count,
                                      scree_error *error);
/*  The volume of a body as of scree_shape_mass, without a loop over all facets. */
double scree_fields_volume_of(const scree_shape_table *meshes, const scree_shape *shape,
                              int dimensions);
/*  The vector from a contact point to the nearest image of a body's centre. */
void scree_fields_way_to_body(const scree_domain *domain, int dimensions, const double point[3],
                              const double place[3], double way[3]);
/*  Unit normal of a facet at the wall's present pose; of a plane its own. */
void scree_wall_facet_normal(const scree_wall_record *wall, uint32_t facet, double normal[3]);

#endif
