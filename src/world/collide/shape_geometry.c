/*  The table of meshes: found by address, filled at first use. */
#include "world/collide/shape_geometry.h"

#include "base/hash.h"
#include "base/portable_math.h"
#include "world/collide/geometry_digest.h"

#include <math.h>

#define PI 3.14159265358979323846

/* ---- hash table by address; its order has no effect ---- */

static const void *geometry_of(const scree_shape_data *made)
{
    return made->clump ? (const void *)made->clump : made->mesh;
}

/*  Its entry in the hash table, or a free one. */
static size_t home_of(const scree_shape_table *meshes, const void *geometry)
{
    size_t mask = meshes->home_capacity - 1;
    size_t at = (size_t)scree_hash_word(SCREE_HASH_START, (uint64_t)(uintptr_t)geometry) & mask;

    while (meshes->home[at] && geometry_of(&meshes->mesh[meshes->home[at] - 1]) != geometry)
        at = (at + 1) & mask;
    return at;
}

const scree_shape_data *scree_shape_table_find(const scree_shape_table *meshes,
                                               const void *geometry)
{
    uint32_t number = meshes->count ? meshes->home[home_of(meshes, geometry)] : 0;
    return number ? &meshes->mesh[number - 1] : NULL;
}

const scree_shape_data *scree_shape_table_find_digest(const scree_shape_table *meshes,
                                                      uint64_t digest)
{
    const scree_shape_data *found = NULL;

    for (size_t k = 0; k < meshes->count; k++) {
        const scree_shape_data *mesh = &meshes->mesh[k];
        if (mesh->is_body && mesh->digest == digest && (!found || mesh->is_block))
            found = mesh;
        if (found && found->is_block)
            break;
    }
    return found;
}

static scree_status grow_home(scree_shape_table *meshes)
{
    size_t wanted = meshes->home_capacity ? 2 * meshes->home_capacity : 16;
    uint32_t *home;

    if (2 * (meshes->count + 1) <= meshes->home_capacity)
        return SCREE_OK;
    if (scree_memory_take(meshes->memory, wanted, sizeof *home, &home))
        return SCREE_OUT_OF_MEMORY;
    memset(home, 0, wanted * sizeof *home);
    scree_memory_give(meshes->memory, &meshes->home, meshes->home_capacity, sizeof *meshes->home);
    meshes->home = home;
    meshes->home_capacity = wanted;
    for (size_t k = 0; k < meshes->count; k++)
        meshes->home[home_of(meshes, geometry_of(&meshes->mesh[k]))] = (uint32_t)k + 1;
    return SCREE_OK;
}

/* ---- data of a mesh ---- */

static scree_status make_shape(scree_shape_data *made, scree_error *error)
{
    const scree_mesh *mesh = made->mesh;
    scree_mesh_solid solid;
    double farthest_sq = 0;
    scree_status status = scree_mesh_solid_of(mesh, 1, &solid, error);

    if (status)
        return status;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        double way_sq = 0;
        for (int k = 0; k < 3; k++) {
            double way = mesh->vertices[3 * v + (size_t)k] - solid.centre[k];
            way_sq += way * way;
        }
        farthest_sq = way_sq > farthest_sq ? way_sq : farthest_sq;
    }
    made->solid = solid;
    /* an allowance for rounding by rotation and translation */
    made->reach = sqrt(farthest_sq) * (1 + 0x1p-40);
    if (scree_mesh_is_superquadric(mesh))
        made->reach = mesh->quadric.far * (1 + 0x1p-40);
    made->round = mesh->corners == 3 ? scree_pow(solid.volume * (3 / (4 * PI)), 1.0 / 3)
                                     : sqrt(solid.volume / PI);
    made->is_body = true;
    return SCREE_OK;
}

static scree_status make_block(scree_shape_data *made, scree_memory *memory, scree_error *error)
{
    scree_status status = scree_convex_init(&made->convex, made->mesh, made->solid.inward,
                                            made->solid.centre, memory, error);

    if (status)
        scree_convex_free(&made->convex, memory);
    made->is_block = !status;
    return status;
}

static void find_areas(const scree_mesh *mesh, double *area)
{
    memset(area, 0, mesh->vertex_count * sizeof *area);
    for (size_t f = 0; f < mesh->facet_count; f++) {
        const uint32_t *vertex = mesh->facets + 3 * f;
        const double *a = mesh->vertices + 3 * (size_t)vertex[0];
        const double *b = mesh->vertices + 3 * (size_t)vertex[1];
        const double *c = mesh->vertices + 3 * (size_t)vertex[2];
        double sum = 0;
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            double d = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
            sum += d * d;
        }
        for (int k = 0; k < 3; k++)
            area[vertex[k]] += sqrt(sum) / 6;
    }
}

static void free_mesh(scree_shape_data *mesh, scree_memory *memory)
{
    scree_mesh_boxes_free(&mesh->boxes, memory);
    scree_surrogate_destroy(mesh->tree);
    scree_convex_free(&mesh->convex, memory);
    scree_memory_give(memory, &mesh->area, mesh->mesh->vertex_count, sizeof *mesh->area);
}

static scree_status grow_mesh_tree(const scree_shape_table *meshes, scree_shape_data *mesh)
{
    scree_surrogate_def def = scree_default_surrogate_def();

    def.surface = scree_surface_of(mesh->mesh);
    def.allocator = meshes->memory->allocator;
    def.workers = meshes->workers;
    return scree_surrogate_create(&def, &mesh->tree);
}

/*  Makes what searches need; after a failure the caller frees it. */
static scree_status fill_mesh(const scree_shape_table *meshes, scree_shape_data *made)
{
    const scree_mesh *mesh = made->mesh;

    /* two-dimensional bodies are blocks, which need neither boxes nor trees */
    if (mesh->corners == 2)
        return SCREE_OK;
    if (scree_mesh_boxes_init(&made->boxes, mesh, meshes->memory) ||
        scree_memory_take(meshes->memory, mesh->vertex_count, sizeof *made->area, &made->area) ||
        (meshes->wants_trees && grow_mesh_tree(meshes, made))) {
        free_mesh(made, meshes->memory);
        return SCREE_OUT_OF_MEMORY;
    }
    find_areas(mesh, made->area);
    return SCREE_OK;
}

/*  A zeroed row behind the last one; NULL: out of memory. */
static scree_shape_data *next_row(scree_shape_table *meshes)
{
    if (grow_home(meshes) || scree_memory_reserve(meshes->memory, &meshes->mesh, &meshes->capacity,
                                                  meshes->count + 1, sizeof *meshes->mesh))
        return NULL;
    memset(&meshes->mesh[meshes->count], 0, sizeof *meshes->mesh);
    return &meshes->mesh[meshes->count];
}

static scree_status add_mesh(scree_shape_table *meshes, const scree_mesh *mesh)
{
    scree_shape_data *made = next_row(meshes);

    if (!made)
        return SCREE_OUT_OF_MEMORY;
    made->mesh = mesh;
    if (fill_mesh(meshes, made))
        return SCREE_OUT_OF_MEMORY;
    scree_mesh_hold(mesh);
    made->digest = scree_mesh_digest(mesh);
    meshes->home[home_of(meshes, mesh)] = (uint32_t)++meshes->count;
    return SCREE_OK;
}

static bool is_good_for(const scree_shape_data *mesh, scree_mesh_use use)
{
    return mesh->is_block || use == SCREE_MESH_AS_WALL ||
           (use == SCREE_MESH_AS_BODY && mesh->is_body);
}

scree_status scree_shape_table_take(scree_shape_table *meshes, const scree_mesh *mesh,
                                    scree_mesh_use use, scree_error *error)
{
    scree_shape_data *known = NULL;
    scree_shape_data looked = {.mesh = mesh};
    scree_status status = SCREE_OK;

    if (meshes->count)
        known = (scree_shape_data *)scree_shape_table_find(meshes, mesh);
    if (known && is_good_for(known, use))
        return SCREE_OK;
    /* a mesh that cannot be a body is refused before anything is stored */
    if (use != SCREE_MESH_AS_WALL)
        status = make_shape(&looked, error);
    if (!status && use == SCREE_MESH_AS_BLOCK)
        status = make_block(&looked, meshes->memory, error);
    if (!status && !known) {
        status = add_mesh(meshes, mesh);
        known = status ? NULL : &meshes->mesh[meshes->count - 1];
        if (status) {
            scree_convex_free(&looked.convex, meshes->memory);
            return scree_fail(error, status, "mesh of a body: %s", scree_status_name(status));
        }
    }
    if (!status && use != SCREE_MESH_AS_WALL) {
        known->solid = looked.solid;
        known->reach = looked.reach;
        known->round = looked.round;
        known->is_body = true;
    }
    if (!status && use == SCREE_MESH_AS_BLOCK) {
        known->convex = looked.convex;
        known->is_block = true;
    }
    return status;
}

static scree_status grow_trees(scree_shape_table *meshes, bool of_bodies, scree_error *error)
{
    for (size_t k = 0; k < meshes->count; k++) {
        scree_shape_data *mesh = &meshes->mesh[k];
        if (!mesh->mesh || mesh->mesh->corners != 3 || mesh->tree || (of_bodies && !mesh->is_body))
            continue;
        if (grow_mesh_tree(meshes, mesh))
            return scree_fail(error, SCREE_OUT_OF_MEMORY, "surrogates of a mesh: %s",
                              scree_status_name(SCREE_OUT_OF_MEMORY));
    }
    return SCREE_OK;
}

scree_status scree_shape_table_want_trees(scree_shape_table *meshes, scree_error *error)
{
    meshes->wants_trees = true;
    return grow_trees(meshes, false, error);
}

scree_status scree_shape_table_grow_trees(scree_shape_table *meshes, scree_error *error)
{
    return grow_trees(meshes, true, error);
}

scree_status scree_shape_table_take_clump(scree_shape_table *meshes, const scree_clump *clump)
{
    scree_shape_data *made;

    if (scree_shape_table_find(meshes, clump))
        return SCREE_OK;
    made = next_row(meshes);
    if (!made)
        return SCREE_OUT_OF_MEMORY;
    scree_clump_hold(clump);
    made->clump = clump;
    made->digest = scree_clump_digest(clump);
    made->is_body = true;
    made->reach = clump->reach;
    made->solid.volume = clump->mass.volume;
    memcpy(made->solid.centre, clump->mass.centre, sizeof made->solid.centre);
    memcpy(made->solid.principal, clump->principal, sizeof made->solid.principal);
    memcpy(made->solid.orientation, clump->orientation, sizeof made->solid.orientation);
    meshes->home[home_of(meshes, clump)] = (uint32_t)++meshes->count;
    return SCREE_OK;
}

void scree_shape_table_free(scree_shape_table *meshes)
{
    for (size_t k = 0; k < meshes->count; k++) {
        scree_shape_data *made = &meshes->mesh[k];
        if (made->mesh)
            free_mesh(made, meshes->memory);
        scree_mesh_release(made->mesh);
        scree_clump_release(made->clump);
    }
    scree_memory_give(meshes->memory, &meshes->mesh, meshes->capacity, sizeof *meshes->mesh);
    scree_memory_give(meshes->memory, &meshes->home, meshes->home_capacity, sizeof *meshes->home);
}
