/*  Contacts of a sphere with a mesh, on the host. */
#include "narrow/sphere_minima.h"

#include "base/portable_math.h"

#include <math.h>

#include "narrow/sphere_mesh.inc.h"

static scree_status match_neighbours(scree_sphere_mesh *work, scree_memory *memory,
                                     const scree_surface_view *s)
{
    size_t count = list_matches(work, s);

    if (count > work->match_capacity) {
        scree_status status = scree_memory_reserve(memory, &work->matches, &work->match_capacity,
                                                   count, sizeof *work->matches);
        if (status)
            return status;
        count = list_matches(work, s);
    }
    take_matches(work, count);
    return SCREE_OK;
}

scree_status scree_sphere_mesh_contacts(scree_sphere_mesh *work, scree_memory *memory,
                                        const scree_mesh *mesh, const double *vertices,
                                        const uint32_t *facets, size_t facet_count,
                                        const double centre[3], double radius,
                                        const scree_mesh_memory *old, size_t old_count)
{
    scree_surface_view s = {.mesh = mesh,
                            .vertices = vertices ? vertices : mesh->vertices,
                            .is_moved = vertices && vertices != mesh->vertices,
                            .centre = centre,
                            .radius = radius,
                            .old = old,
                            .old_count = old_count};
    scree_touch *minimum;
    size_t count, minimum_count;
    scree_status status;
    work->count = 0;
    if ((status = scree_memory_reserve(memory, &work->touches, &work->touch_capacity,
                                       2 * facet_count, sizeof *work->touches)))
        return status;
    work->touch_count = count = scree_find_touches(work->touches, &s, facets, facet_count);
    if (count == 0)
        return SCREE_OK;
    minimum = work->touches + count;
    minimum_count = scree_find_minima(&s, work->touches, count, minimum);
    if ((status = scree_memory_reserve(memory, &work->contacts, &work->capacity, minimum_count,
                                       sizeof *work->contacts)))
        return status;
    begin_sphere_mesh(work, &s, minimum, minimum_count);
    match_same_features(work, &s);
    if ((status = match_neighbours(work, memory, &s))) {
        work->count = 0;
        return status;
    }
    set_contact_sides(work, &s, minimum);
    return SCREE_OK;
}

void scree_sphere_mesh_free(scree_sphere_mesh *work, scree_memory *memory)
{
    scree_memory_give(memory, &work->contacts, work->capacity, sizeof *work->contacts);
    scree_memory_give(memory, &work->touches, work->touch_capacity, sizeof *work->touches);
    scree_memory_give(memory, &work->matches, work->match_capacity, sizeof *work->matches);
    work->count = work->capacity = 0;
    work->touch_count = work->touch_capacity = 0;
    work->match_count = work->match_capacity = 0;
}
