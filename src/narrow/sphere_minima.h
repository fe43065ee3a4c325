/*  Shared by the stages that turn facets into contacts: see sphere_mesh.c. */
#ifndef SCREE_SPHERE_MINIMA_H
#define SCREE_SPHERE_MINIMA_H

#include "narrow/sphere_mesh.h"

#include "base/vector.h"

#define SCREE_NO_TOUCH UINT32_MAX

/*  A facet within the radius. */
typedef struct scree_touch
{
    scree_facet_point nearest;
    uint32_t facet;
    uint32_t beaten_by; /* the best facet that beats it, or SCREE_NO_TOUCH */
    uint32_t walk;      /* the last walk that visited it, while cycles are searched */
} scree_touch;

/*  Constants of all stages of one call. */
typedef struct scree_surface_view
{
    const scree_mesh *mesh;
    const double *vertices;
    bool is_moved; /* normals must be computed from vertices */
    const double *centre;
    double radius;
    double tolerance_sq; /* of positions, */
    double slack;        /* and of squared distances */
    const scree_mesh_memory *old;
    size_t old_count;
} scree_surface_view;

/* ---- features ---- */

static inline bool scree_is_vertex(uint32_t feature)
{
    return feature >= SCREE_ON_VERTEX;
}

static inline size_t scree_corner_of(const scree_surface_view *s, uint32_t facet, uint32_t k)
{
    return (size_t)facet * (size_t)s->mesh->corners + k;
}

/*  The mesh's index of a facet's edge, vertex, or of the facet itself. */
static inline uint32_t scree_feature_id(const scree_surface_view *s, uint32_t facet,
                                        uint32_t feature)
{
    if (feature == SCREE_ON_FACE)
        return facet;
    if (scree_is_vertex(feature))
        return s->mesh->facets[scree_corner_of(s, facet, feature - SCREE_ON_VERTEX)];
    return s->mesh->edge_of[scree_corner_of(s, facet, feature - SCREE_ON_EDGE)];
}

static inline bool scree_is_rim(const scree_surface_view *s, uint32_t facet, uint32_t feature)
{
    uint32_t id = scree_feature_id(s, facet, feature);
    if (feature == SCREE_ON_FACE)
        return false;
    return scree_is_vertex(feature) ? s->mesh->vertex_is_rim[id] : s->mesh->edge_is_rim[id];
}

/*  Iterates over the facets around an edge or vertex. */
static inline const uint32_t *scree_facets_around(const scree_surface_view *s, uint32_t facet,
                                                  uint32_t feature, size_t *count)
{
    uint32_t id = scree_feature_id(s, facet, feature);
    const uint32_t *start = scree_is_vertex(feature) ? s->mesh->vertex_start : s->mesh->edge_start;
    const uint32_t *list = scree_is_vertex(feature) ? s->mesh->vertex_facet : s->mesh->edge_facet;
    *count = start[id + 1] - start[id];
    return list + start[id];
}

static inline const double *scree_corner_place(const scree_surface_view *s, uint32_t facet,
                                               uint32_t k)
{
    return s->vertices + 3 * (size_t)s->mesh->facets[scree_corner_of(s, facet, k)];
}

static inline void scree_normal_of(const scree_surface_view *s, uint32_t facet, double normal[3])
{
    const double *corner[3] = {NULL, NULL, NULL};
    if (!s->is_moved) {
        for (size_t k = 0; k < 3; k++)
            normal[k] = s->mesh->normals[3 * (size_t)facet + k];
        return;
    }
    for (uint32_t i = 0; i < (uint32_t)s->mesh->corners; i++)
        corner[i] = scree_corner_place(s, facet, i);
    scree_facet_normal(s->mesh->corners, corner, normal);
}

static inline scree_facet_point scree_surface_nearest(const scree_surface_view *s, uint32_t facet,
                                                      const double place[3])
{
    double normal[3];
    scree_normal_of(s, facet, normal);
    return scree_facet_nearest(s->mesh, s->vertices, normal, facet, place);
}

/*  Finds the facets nearer than the radius, sorted by facet. Returns their number. `touch` has room for all of
    `facets`. */
size_t scree_find_touches(scree_touch *touch, const scree_surface_view *s, const uint32_t *facets,
                          size_t facet_count);
/*  Writes the local minima, each place once, to `minimum`, which has room for `count`. Returns their number, at least
    one if there is a touch. Sets the tolerances of `s`. */
size_t scree_find_minima(scree_surface_view *s, scree_touch *touch, size_t count,
                         scree_touch *minimum);

#endif
