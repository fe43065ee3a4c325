/*  Hashes of meshes and clumps. */
#include "world/collide/geometry_digest.h"

#include "base/hash.h"

uint64_t scree_mesh_digest(const scree_mesh *mesh)
{
    uint64_t hash = SCREE_HASH_START;

    if (!mesh)
        return 0;
    hash = scree_hash_word(hash, (uint64_t)mesh->corners);
    hash = scree_hash_word(hash, mesh->vertex_count);
    hash = scree_hash_word(hash, mesh->facet_count);
    for (size_t k = 0; k < 3 * (size_t)mesh->vertex_count; k++)
        hash = scree_hash_number(hash, mesh->vertices[k]);
    for (size_t k = 0; k < (size_t)mesh->corners * mesh->facet_count; k++)
        hash = scree_hash_word(hash, mesh->facets[k]);
    if (scree_mesh_is_superquadric(mesh)) {
        for (int k = 0; k < 3; k++)
            hash = scree_hash_number(hash, mesh->quadric.radii[k]);
        for (int k = 0; k < 2; k++)
            hash = scree_hash_number(hash, mesh->quadric.exponents[k]);
    }
    return hash;
}

uint64_t scree_clump_digest(const scree_clump *clump)
{
    uint64_t hash = scree_hash_text(SCREE_HASH_START, "clump");
    const scree_clump_mass *mass = &clump->mass;

    hash = scree_hash_word(hash, (uint64_t)clump->dimensions);
    hash = scree_hash_word(hash, clump->pebble_count);
    for (uint32_t p = 0; p < clump->pebble_count; p++) {
        for (int k = 0; k < 3; k++)
            hash = scree_hash_number(hash, clump->pebbles[p].centre[k]);
        hash = scree_hash_number(hash, clump->pebbles[p].radius);
    }
    hash = scree_hash_number(hash, mass->volume);
    for (int k = 0; k < 3; k++) {
        hash = scree_hash_number(hash, mass->centre[k]);
        for (int j = 0; j < 3; j++)
            hash = scree_hash_number(hash, mass->inertia[k][j]);
    }
    return hash;
}
