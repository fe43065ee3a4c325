/*  Colours of walls: a value for each facet of meshes, and the scale on which it is shown. Planes have no facets and keep
    their plain colour. */
#ifndef SCREE_WALL_COLOURS_H
#define SCREE_WALL_COLOURS_H

#include "base/error.h"
#include "base/memory.h"
#include "picture/colour_map.h"
#include "scree/picture.h"

typedef struct scree_wall_colours
{
    bool is_on;
    bool is_empty; /* no facet has a value above 0 */
    const char *name, *unit;
    double range[2];
    scree_palette palette;
    double *value; /* of all facets of meshes, wall after wall */
    size_t count;
    size_t *start; /* by wall: its first facet */
    size_t walls;
} scree_wall_colours;

/*  Index of a field of walls; 0 for none, -1 if there is no such field. */
int scree_wall_field_index(const char *name);

/*  Reads the field that the definition names. SCREE_OUT_OF_MEMORY, and any reason why forces cannot be computed. */
scree_status scree_wall_colours_read(scree_wall_colours *colours, scree_world *world,
                                     const scree_picture_def *def, scree_memory *memory,
                                     scree_error *error);
void scree_wall_colours_free(scree_wall_colours *colours, scree_memory *memory);

/*  Light of a facet of a mesh. */
const float *scree_wall_colours_at(const scree_wall_colours *colours, size_t wall, uint32_t facet);

#endif
