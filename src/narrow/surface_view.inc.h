/*  A mesh as the search for contacts of a sphere sees it, in plain C and plain OpenCL C. The includer has scree_mesh
    and scree_facet_nearest. */

/*  Constants of all stages of one call. */
typedef struct scree_surface_view
{
    const scree_mesh *mesh;
    SCREE_GLOBAL const double *vertices;
    bool is_moved; /* normals must be computed from vertices */
    const double *centre;
    double radius;
    double tolerance_sq; /* of positions, */
    double slack;        /* and of squared distances */
    const scree_mesh_memory *old;
    size_t old_count;
} scree_surface_view;

/* ---- features ---- */

SCREE_KERNEL_FUNCTION bool scree_is_vertex(uint32_t feature)
{
    return feature >= SCREE_ON_VERTEX;
}

SCREE_KERNEL_FUNCTION size_t scree_corner_of(const scree_surface_view *s, uint32_t facet,
                                             uint32_t k)
{
    return (size_t)facet * (size_t)s->mesh->corners + k;
}

/*  The mesh's index of a facet's edge, vertex, or of the facet itself. */
SCREE_KERNEL_FUNCTION uint32_t scree_feature_id(const scree_surface_view *s, uint32_t facet,
                                                uint32_t feature)
{
    if (feature == SCREE_ON_FACE)
        return facet;
    if (scree_is_vertex(feature))
        return s->mesh->facets[scree_corner_of(s, facet, feature - SCREE_ON_VERTEX)];
    return s->mesh->edge_of[scree_corner_of(s, facet, feature - SCREE_ON_EDGE)];
}

SCREE_KERNEL_FUNCTION bool scree_is_rim(const scree_surface_view *s, uint32_t facet,
                                        uint32_t feature)
{
    uint32_t id = scree_feature_id(s, facet, feature);
    if (feature == SCREE_ON_FACE)
        return false;
    return scree_is_vertex(feature) ? s->mesh->vertex_is_rim[id] : s->mesh->edge_is_rim[id];
}

/*  Iterates over the facets around an edge or vertex. */
SCREE_KERNEL_FUNCTION SCREE_GLOBAL const uint32_t *
scree_facets_around(const scree_surface_view *s, uint32_t facet, uint32_t feature, size_t *count)
{
    uint32_t id = scree_feature_id(s, facet, feature);
    SCREE_GLOBAL const uint32_t *start =
        scree_is_vertex(feature) ? s->mesh->vertex_start : s->mesh->edge_start;
    SCREE_GLOBAL const uint32_t *list =
        scree_is_vertex(feature) ? s->mesh->vertex_facet : s->mesh->edge_facet;
    *count = start[id + 1] - start[id];
    return list + start[id];
}

SCREE_KERNEL_FUNCTION SCREE_GLOBAL const double *scree_corner_place(const scree_surface_view *s,
                                                                    uint32_t facet, uint32_t k)
{
    return s->vertices + 3 * (size_t)s->mesh->facets[scree_corner_of(s, facet, k)];
}

SCREE_KERNEL_FUNCTION void scree_corner_at(const scree_surface_view *s, uint32_t facet, uint32_t k,
                                           double place[3])
{
    SCREE_GLOBAL const double *corner = scree_corner_place(s, facet, k);

    for (int i = 0; i < 3; i++)
        place[i] = corner[i];
}

/*  Devices have meshes in their own frame only. */
SCREE_KERNEL_FUNCTION void scree_normal_of(const scree_surface_view *s, uint32_t facet,
                                           double normal[3])
{
    for (size_t k = 0; k < 3 && !s->is_moved; k++)
        normal[k] = s->mesh->normals[3 * (size_t)facet + k];
#ifndef __OPENCL_C_VERSION__
    const double *corner[3] = {NULL, NULL, NULL};
    for (uint32_t i = 0; i < (uint32_t)s->mesh->corners && s->is_moved; i++)
        corner[i] = scree_corner_place(s, facet, i);
    if (s->is_moved)
        scree_facet_normal(s->mesh->corners, corner, normal);
#endif
}

SCREE_KERNEL_FUNCTION scree_facet_point scree_surface_nearest(const scree_surface_view *s,
                                                              uint32_t facet, const double place[3])
{
    double normal[3];
    scree_normal_of(s, facet, normal);
    return scree_facet_nearest(s->mesh, s->vertices, normal, facet, place);
}
