#include "world/save/pack_shape.h"

#include "world/collide/geometry_digest.h"

#include <string.h>

/* ---- writing ---- */

scree_packed_mesh scree_mesh_pack(const scree_mesh *mesh)
{
    if (scree_mesh_is_superquadric(mesh))
        return (scree_packed_mesh){.digest = scree_mesh_digest(mesh),
                                   .corners = SCREE_QUADRIC_CORNERS,
                                   .vertex_count = SCREE_QUADRIC_ROWS};
    return (scree_packed_mesh){.digest = scree_mesh_digest(mesh),
                               .corners = (uint32_t)mesh->corners,
                               .vertex_count = mesh->vertex_count,
                               .facet_count = mesh->facet_count,
                               .dropped_flat = mesh->dropped_flat,
                               .dropped_duplicates = mesh->dropped_duplicates};
}

scree_packed_mesh scree_clump_pack(const scree_clump *clump)
{
    return (scree_packed_mesh){.digest = scree_clump_digest(clump),
                               .corners = SCREE_CLUMP_CORNERS,
                               .vertex_count = 2 * clump->pebble_count + SCREE_CLUMP_MASS_ROWS};
}

void scree_mesh_write_rows(const scree_mesh *mesh, const scree_shape_rows *to)
{
    const size_t corner_count = (size_t)mesh->facet_count * (size_t)mesh->corners;
    const scree_superquadric *quadric = &mesh->quadric;

    if (scree_mesh_is_superquadric(mesh)) {
        memcpy(to->vertex[0], quadric->radii, sizeof *to->vertex);
        memcpy(to->vertex[1], quadric->exponents, sizeof quadric->exponents);
        to->vertex[1][2] = quadric->facets;
        return;
    }
    memcpy(to->vertex, mesh->vertices, mesh->vertex_count * sizeof *to->vertex);
    memcpy(to->corner, mesh->facets, corner_count * sizeof *to->corner);
    memcpy(to->source, mesh->source, mesh->facet_count * sizeof *to->source);
}

void scree_clump_write_rows(const scree_clump *clump, const scree_shape_rows *to)
{
    const scree_clump_mass *mass = &clump->mass;
    double(*vertex)[3] = to->vertex;

    for (uint32_t p = 0; p < clump->pebble_count; p++, vertex += 2) {
        memcpy(vertex[0], clump->pebbles[p].centre, sizeof *vertex);
        vertex[1][0] = clump->pebbles[p].radius;
    }
    memcpy(vertex[0], mass->centre, sizeof *vertex);
    memcpy(vertex[1], mass->inertia, sizeof mass->inertia);
    vertex[4][0] = mass->volume;
}

/* ---- reading ---- */

bool scree_packed_mesh_is_sound(const scree_packed_mesh *row)
{
    if (row->corners == SCREE_CLUMP_CORNERS)
        return row->facet_count == 0 && row->vertex_count > SCREE_CLUMP_MASS_ROWS &&
               row->vertex_count % 2 == 1 && row->none == 0;
    if (row->corners == SCREE_QUADRIC_CORNERS)
        return row->facet_count == 0 && row->vertex_count == SCREE_QUADRIC_ROWS && row->none == 0;
    return (row->corners == 2 || row->corners == 3) && row->none == 0;
}

static scree_status fail_with(scree_error *error, const scree_error *why, scree_status status)
{
    return scree_fail(error, status == SCREE_OUT_OF_MEMORY ? status : SCREE_BAD_FILE, "%s",
                      why->text);
}

/*  The counts of repaired facets cannot be computed again, so they are restored. */
static void set_history(scree_mesh *mesh, const scree_packed_mesh *row, const uint32_t *sources)
{
    memcpy(mesh->source, sources, mesh->facet_count * sizeof *sources);
    mesh->dropped_flat = row->dropped_flat;
    mesh->dropped_duplicates = row->dropped_duplicates;
}

static scree_status make_mesh(const scree_packed_mesh *row, const scree_shape_rows *rows,
                              size_t number, const scree_allocator *allocator, scree_mesh **made,
                              scree_error *error)
{
    scree_mesh_def def = scree_default_mesh_def();
    scree_error why = {SCREE_OK, ""};
    scree_mesh *mesh;
    scree_status status;

    def.corners = (int)row->corners;
    def.vertices = &rows->vertex[0][0];
    def.vertex_count = row->vertex_count;
    def.facets = rows->corner;
    def.facet_count = row->facet_count;
    def.weld = 0; /* vertices are merged already */
    def.allocator = *allocator;
    def.error = &why;
    status = scree_mesh_create(&def, &mesh);
    if (status)
        return fail_with(error, &why, status);
    if (mesh->facet_count != row->facet_count || mesh->vertex_count != row->vertex_count ||
        scree_mesh_digest(mesh) != row->digest) {
        scree_mesh_destroy(mesh);
        return scree_fail(error, SCREE_BAD_FILE, "mesh %zu is not what its digest says", number);
    }
    set_history(mesh, row, rows->source);
    *made = mesh;
    return SCREE_OK;
}

static scree_status make_quadric(const scree_packed_mesh *row, const double (*vertices)[3],
                                 size_t number, const scree_allocator *allocator, scree_mesh **made,
                                 scree_error *error)
{
    scree_superquadric_def def = scree_default_superquadric_def();
    scree_error why = {SCREE_OK, ""};
    scree_mesh *mesh;

    memcpy(def.radii, vertices[0], sizeof def.radii);
    memcpy(def.exponents, vertices[1], sizeof def.exponents);
    def.dimensions = def.radii[2] == 0 ? 2 : 3;
    /* a number that is no count is refused there */
    def.facets = vertices[1][2] >= 0 && vertices[1][2] < UINT32_MAX ? (uint32_t)vertices[1][2] : 0;
    def.allocator = *allocator;
    def.error = &why;
    const scree_status status = scree_mesh_superquadric(&def, &mesh);
    if (status)
        return fail_with(error, &why, status);
    if (scree_mesh_digest(mesh) != row->digest) {
        scree_mesh_destroy(mesh);
        return scree_fail(error, SCREE_BAD_FILE, "superquadric %zu is not what its digest says",
                          number);
    }
    *made = mesh;
    return SCREE_OK;
}

static scree_status make_clump(const scree_packed_mesh *row, const double (*vertices)[3],
                               size_t number, int dimensions, scree_memory *memory,
                               scree_clump **made, scree_error *error)
{
    const uint32_t count = (row->vertex_count - SCREE_CLUMP_MASS_ROWS) / 2;
    const double(*rows)[3] = vertices + 2 * (size_t)count;
    scree_clump_def def = scree_default_clump_def();
    scree_clump_mass mass = {.volume = rows[4][0]};
    scree_error why = {SCREE_OK, ""};
    scree_pebble *pebbles;
    scree_clump *clump;
    scree_status status;

    if (scree_memory_take(memory, count, sizeof *pebbles, &pebbles))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "meshes: out of memory");
    for (uint32_t p = 0; p < count; p++) {
        memcpy(pebbles[p].centre, vertices[2 * (size_t)p], sizeof pebbles[p].centre);
        pebbles[p].radius = vertices[2 * (size_t)p + 1][0];
    }
    memcpy(mass.centre, rows[0], sizeof mass.centre);
    memcpy(mass.inertia, rows[1], sizeof mass.inertia);
    def.dimensions = dimensions;
    def.pebbles = pebbles;
    def.pebble_count = count;
    def.mass = &mass;
    def.allocator = memory->allocator;
    def.error = &why;
    status = scree_clump_create(&def, &clump);
    scree_memory_give(memory, &pebbles, count, sizeof *pebbles);
    if (status)
        return fail_with(error, &why, status);
    if (scree_clump_digest(clump) != row->digest) {
        scree_clump_destroy(clump);
        return scree_fail(error, SCREE_BAD_FILE, "clump %zu is not what its digest says", number);
    }
    *made = clump;
    return SCREE_OK;
}

scree_status scree_shape_unpack(const scree_packed_mesh *row, const scree_shape_rows *rows,
                                size_t number, int dimensions, scree_memory *memory,
                                scree_mesh_or_clump *made, scree_error *error)
{
    *made = (scree_mesh_or_clump){NULL, NULL};
    if (row->corners == SCREE_CLUMP_CORNERS)
        return make_clump(row, (const double(*)[3])rows->vertex, number, dimensions, memory,
                          &made->clump, error);
    if (row->corners == SCREE_QUADRIC_CORNERS)
        return make_quadric(row, (const double(*)[3])rows->vertex, number, &memory->allocator,
                            &made->mesh, error);
    return make_mesh(row, rows, number, &memory->allocator, &made->mesh, error);
}
