/*  The definitions of a world as rows of bytes: materials, interactions, meshes, and handles of walls. A snapshot
    has the state: bodies, contacts, and poses of walls. Both together are sufficient to make the world again. Rows
    have no padding; fields without a comment have the meaning of the same field of the public definition. */
#ifndef SCREE_WORLD_DEFINITIONS_H
#define SCREE_WORLD_DEFINITIONS_H

#include "world/save/pack_shape.h"
#include "world/save/snapshot.h"

typedef struct scree_packed_material
{
    char name[32];
    double density, young, poisson, restitution, friction, rolling_friction, twisting_friction;
    double stiffness, stiffness_ratio;
} scree_packed_material;

/*  Names that are too long are truncated: they are only labels for the host. */
typedef struct scree_packed_rule
{
    uint64_t groups;
    double reach;  /* of the contact model */
    uint32_t type; /* scree_contact_type */
    uint32_t acts; /* 0: no interaction */
    uint32_t is_own;
    uint32_t material[2];
    uint32_t value_count;  /* number of value rows; they follow those of the previous interaction */
    uint32_t memory_count; /* of the contact model */
    uint32_t has_moment;
    char law[40];
} scree_packed_rule;

typedef struct scree_packed_value
{
    char name[40];
    double value;
} scree_packed_value;

typedef struct scree_packed_wall_name
{
    uint32_t generation, taken;
    uint32_t place; /* of its wall, from 0, or the next free name (index1) */
} scree_packed_wall_name;

/*  Counts, then rows. */
typedef struct scree_definitions
{
    uint64_t material_count, rule_count, value_count, mesh_count, vertex_count;
    uint64_t facet_count, corner_count, wall_count, wall_name_count;
    uint64_t free_wall_name; /* index1; 0: none */
    scree_packed_material *materials;
    scree_packed_rule *rules; /* without the default row */
    scree_packed_value *values;
    scree_packed_mesh *meshes; /* vertices and facets follow those of the previous mesh */
    double (*vertices)[3];
    uint32_t *corners;     /* of facets: vertices of their mesh, from 0 */
    uint32_t *sources;     /* scree_mesh_info.source */
    uint32_t *wall_meshes; /* of each wall, from 1; 0: none */
    scree_packed_wall_name *wall_names;
} scree_definitions;

/*  All arrays of rows: name in files, type, array, number of rows. */
#define SCREE_DEFINITION_ARRAYS(X)                                                                 \
    X("materials", "mixed", materials, material_count)                                             \
    X("rules", "mixed", rules, rule_count)                                                         \
    X("rule.values", "mixed", values, value_count)                                                 \
    X("meshes", "mixed", meshes, mesh_count)                                                       \
    X("mesh.vertices", "f64", vertices, vertex_count)                                              \
    X("mesh.corners", "u32", corners, corner_count)                                                \
    X("mesh.sources", "u32", sources, facet_count)                                                 \
    X("wall.meshes", "u32", wall_meshes, wall_count)                                               \
    X("wall.names", "u32", wall_names, wall_name_count)

/*  Bytes of a block with all arrays, each at a multiple of 8. */
size_t scree_definitions_bytes(const scree_definitions *definitions);
/*  Points the arrays into such a block. */
void scree_definitions_place(scree_definitions *definitions, unsigned char *block);

/*  Counts the rows of a world; the pointers are NULL. */
void scree_definitions_count(const scree_rules *rules, const scree_walls *walls,
                             const scree_shape_table *shapes, scree_definitions *definitions);
/*  Fills rows that have been allocated after counting, and are zero. */
void scree_definitions_write(const scree_rules *rules, const scree_walls *walls,
                             const scree_shape_table *shapes, const scree_definitions *definitions);

/*  Adds materials, interactions and walls to a world that has none yet. Walls get the poses and handles of the
    snapshot. Only the number of rows is trusted. SCREE_BAD_FILE if a world cannot have written them,
    SCREE_BAD_ARGUMENT if the world had contact models or paths of the host, SCREE_OUT_OF_MEMORY, each with a
    message. After a failure the world can only be destroyed. */
scree_status scree_definitions_apply(const scree_definitions *definitions,
                                     const scree_snapshot *snapshot, scree_world *world,
                                     scree_error *error);
/*  Adds the meshes and clumps of the bodies in the snapshot to `known`, if it does not have them; nothing else
    changes. SCREE_BAD_FILE, SCREE_OUT_OF_MEMORY. */
scree_status scree_definitions_take_shapes(const scree_definitions *definitions,
                                           const scree_snapshot *snapshot, scree_shape_table *known,
                                           scree_error *error);

#endif
