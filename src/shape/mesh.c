/*  Creates and destroys meshes. The stages are in their own files: mesh_clean.c, mesh_edges.c, mesh_tree.c. */
#include "shape/mesh.h"

#include "base/error.h"
#include "base/sized_definition.h"

#include <math.h>

#define DEF_COOKIE 0x3e54ac37u

void scree_init_mesh_def(scree_mesh_def *def, size_t size)
{
    static const scree_mesh_def own = {
        .cookie = DEF_COOKIE, .size = sizeof(scree_mesh_def), .corners = 3, .weld = 1e-9};

    scree_definition_write(def, size, &own, sizeof own);
}

/* ---- checks ---- */

static scree_status check_fields(const scree_mesh_def *def)
{
    scree_error *error = def->error;
    if (def->corners != 2 && def->corners != 3)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "mesh def: corners is %d, must be 2 or 3",
                          def->corners);
    if (!(def->weld == 0 || (def->weld >= 1e-14 && def->weld <= 0.1)))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "mesh def: weld is %g, must be 0, or 1e-14 to 0.1 of the extent",
                          def->weld);
    if (def->facet_count == 0)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "mesh def: facet_count is 0, at least 1");
    if (def->facet_count > SCREE_MESH_MAX_FACETS)
        return scree_fail(error, SCREE_TOO_LARGE, "mesh def: facet_count is %u, at most %u",
                          def->facet_count, SCREE_MESH_MAX_FACETS);
    if (!def->vertices)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "mesh def: vertices is NULL");
    return SCREE_OK;
}

static scree_status check_corner(const scree_mesh_def *def, uint32_t facet, int corner,
                                 uint32_t vertex)
{
    if (vertex >= def->vertex_count)
        return scree_fail(def->error, SCREE_BAD_ARGUMENT,
                          "mesh def: facet %u, corner %d is vertex %u, but vertex_count is %u",
                          facet, corner, vertex, def->vertex_count);
    for (int k = 0; k < 3; k++) {
        double value = def->vertices[3 * (size_t)vertex + (size_t)k];
        if (!(fabs(value) <= SCREE_MESH_LARGEST))
            return scree_fail(def->error, SCREE_BAD_VALUE,
                              "mesh def: facet %u, corner %d (vertex %u): %c is %g, must be finite "
                              "and at most 1e60 in magnitude",
                              facet, corner, vertex, "xyz"[k], value);
        if (k == 2 && def->corners == 2 && value != 0)
            return scree_fail(def->error, SCREE_BAD_VALUE,
                              "mesh def: facet %u, corner %d (vertex %u): z is %g, must be 0 in a "
                              "mesh of segments",
                              facet, corner, vertex, value);
    }
    return SCREE_OK;
}

static scree_status check_facets(const scree_mesh_def *def)
{
    uint32_t next = 0;
    for (uint32_t f = 0; f < def->facet_count; f++)
        for (int i = 0; i < def->corners; i++, next++) {
            scree_status status = check_corner(def, f, i, def->facets ? def->facets[next] : next);
            if (status)
                return status;
        }
    return SCREE_OK;
}

/* ---- creation ---- */

static void free_mesh(scree_mesh *mesh)
{
    scree_memory memory;
    size_t facets = mesh->facet_count, vertices = mesh->vertex_count, edges = mesh->edge_count;
    size_t corners = facets * (size_t)mesh->corners;
    scree_memory_give(&mesh->memory, &mesh->vertices, 3 * vertices, sizeof(double));
    scree_memory_give(&mesh->memory, &mesh->normals, 3 * facets, sizeof(double));
    scree_memory_give(&mesh->memory, &mesh->facets, corners, sizeof(uint32_t));
    scree_memory_give(&mesh->memory, &mesh->source, facets, sizeof(uint32_t));
    scree_memory_give(&mesh->memory, &mesh->edge_of, corners, sizeof(uint32_t));
    scree_memory_give(&mesh->memory, &mesh->edge_start, edges + 1, sizeof(uint32_t));
    scree_memory_give(&mesh->memory, &mesh->edge_facet, corners, sizeof(uint32_t));
    scree_memory_give(&mesh->memory, &mesh->vertex_start, vertices + 1, sizeof(uint32_t));
    scree_memory_give(&mesh->memory, &mesh->vertex_facet, corners, sizeof(uint32_t));
    scree_memory_give(&mesh->memory, &mesh->edge_is_rim, edges, 1);
    scree_memory_give(&mesh->memory, &mesh->vertex_is_rim, vertices, 1);
    scree_memory_give(&mesh->memory, &mesh->patch, facets, sizeof(uint32_t));
    scree_memory_give(&mesh->memory, &mesh->turn, facets, 1);
    scree_memory_give(&mesh->memory, &mesh->tree.groups, mesh->tree.group_count,
                      sizeof(scree_mesh_group));
    scree_memory_give(&mesh->memory, &mesh->tree.facet, facets, sizeof(uint32_t));
    scree_memory_init(&memory, &mesh->memory.allocator);
    scree_memory_give(&memory, &mesh, 1, sizeof *mesh);
}

static scree_status set_normals(scree_mesh *mesh)
{
    scree_status status = scree_memory_take(&mesh->memory, 3 * (size_t)mesh->facet_count,
                                            sizeof(double), &mesh->normals);
    if (status)
        return status;
    for (size_t f = 0; f < mesh->facet_count; f++) {
        const double *corner[3] = {NULL, NULL, NULL};
        for (int i = 0; i < mesh->corners; i++)
            corner[i] =
                mesh->vertices + 3 * (size_t)mesh->facets[f * (size_t)mesh->corners + (size_t)i];
        scree_facet_normal(mesh->corners, corner, mesh->normals + 3 * f);
    }
    return SCREE_OK;
}

static scree_status make(scree_mesh *mesh, const scree_mesh_def *def)
{
    scree_status status = scree_mesh_clean(mesh, def);
    if (!status)
        status = set_normals(mesh);
    if (!status)
        status = scree_mesh_link(mesh);
    if (!status)
        status = scree_mesh_grow_tree(mesh);
    return status;
}

scree_status scree_mesh_create(const scree_mesh_def *def, scree_mesh **mesh)
{
    scree_memory memory;
    scree_mesh *made = NULL;
    scree_status status;
    if (!mesh)
        return SCREE_BAD_ARGUMENT;
    *mesh = NULL;
    if (!def)
        return SCREE_BAD_ARGUMENT;
    scree_mesh_def own = scree_default_mesh_def();
    if (!scree_definition_read(&own, def))
        return SCREE_BAD_DEF; /* def->error is invalid then */
    def = &own;
    if ((status = scree_memory_init(&memory, &def->allocator)))
        return scree_fail(def->error, status, "mesh def: allocator has some functions, not all");
    if ((status = check_fields(def)) || (status = check_facets(def)))
        return status;
    if ((status = scree_memory_take(&memory, 1, sizeof *made, &made)))
        return scree_fail(def->error, status, "mesh def: out of memory");
    *made = (scree_mesh){.corners = def->corners};
    scree_memory_init(&made->memory, &def->allocator);
    atomic_init(&made->users, 1);
    status = make(made, def);
    if (!status) {
        *mesh = made;
        return SCREE_OK;
    }
    free_mesh(made);
    if (status == SCREE_OUT_OF_MEMORY)
        scree_fail(def->error, status, "mesh def: out of memory");
    return status;
}

/*  The count is the only thing that changes in a mesh; to its users it is const. */
static atomic_size_t *users_of(const scree_mesh *mesh)
{
    return &((scree_mesh *)(uintptr_t)mesh)->users;
}

void scree_mesh_hold(const scree_mesh *mesh)
{
    atomic_fetch_add_explicit(users_of(mesh), 1, memory_order_relaxed);
}

void scree_mesh_release(const scree_mesh *mesh)
{
    /* the last user must wait for all others: they only read, but the reads must be complete */
    if (mesh && atomic_fetch_sub_explicit(users_of(mesh), 1, memory_order_acq_rel) == 1)
        free_mesh((scree_mesh *)(uintptr_t)mesh);
}

void scree_mesh_destroy(scree_mesh *mesh)
{
    scree_mesh_release(mesh);
}

scree_mesh_info scree_mesh_describe(const scree_mesh *mesh)
{
    scree_mesh_info info = {0};
    if (!mesh)
        return info;
    info.corners = mesh->corners;
    info.vertex_count = mesh->vertex_count;
    info.facet_count = mesh->facet_count;
    info.edge_count = mesh->edge_count;
    info.vertices = mesh->vertices;
    info.facets = mesh->facets;
    info.source = mesh->source;
    info.dropped_flat = mesh->dropped_flat;
    info.dropped_duplicates = mesh->dropped_duplicates;
    info.open_edges = mesh->open_edges;
    info.nonmanifold_edges = mesh->nonmanifold_edges;
    info.flipped_edges = mesh->flipped_edges;
    for (int k = 0; k < 3; k++) {
        info.lower[k] = mesh->lower[k];
        info.upper[k] = mesh->upper[k];
        info.radii[k] = mesh->quadric.radii[k];
    }
    info.far = mesh->quadric.far;
    for (int k = 0; k < 2; k++)
        info.exponents[k] = mesh->quadric.exponents[k];
    return info;
}
