/*  What a world is made of, as rows of bytes: materials, rules, meshes, and names of walls. Together with a
    snapshot, which has bodies, contacts, and where walls are, it is all that a world needs to be made anew.
    Rows have no padding, and what is not said of a field is as in the definition of the same name. */
#ifndef SCREE_WORLD_DEFINITIONS_H
#define SCREE_WORLD_DEFINITIONS_H

#include "world/save/snapshot.h"

typedef struct scree_packed_material
{
    char name[32];
    double density, young, poisson, restitution, friction, rolling_friction, twisting_friction;
    double stiffness, stiffness_ratio;
} scree_packed_material;

/*  Names longer than there is room are cut: they are the host's, and for its eyes alone. */
typedef struct scree_packed_rule
{
    uint64_t groups;
    double reach;  /* of the law */
    uint32_t type; /* scree_contact_type */
    uint32_t acts; /* 0: no force, and no law */
    uint32_t is_own;
    uint32_t material[2];
    uint32_t
        value_count; /* rows of values that are its own; they follow those of the rule before */
    uint32_t memory_count; /* of the law */
    uint32_t has_moment;
    char law[40];
} scree_packed_rule;

typedef struct scree_packed_value
{
    char name[40];
    double value;
} scree_packed_value;

/*  Vertices and facets follow those of the mesh before. Clumps come as meshes whose facets would have one corner: they
    have none, and for vertices two rows for each pebble, its centre and (radius, 0, 0), then the centre of mass, the
    three rows of the tensor of inertia and (volume, 0, 0), of density 1. */
#define SCREE_CLUMP_CORNERS 1u
#define SCREE_CLUMP_MASS_ROWS 5u
typedef struct scree_packed_mesh
{
    uint64_t digest;
    uint32_t corners, vertex_count, facet_count, dropped_flat, dropped_duplicates, none;
} scree_packed_mesh;

typedef struct scree_packed_wall_name
{
    uint32_t generation, taken;
    uint32_t place; /* of its wall, from 0, or the next free name, index1 */
} scree_packed_wall_name;

/*  Counts first, then rows. */
typedef struct scree_definitions
{
    uint64_t material_count, rule_count, value_count, mesh_count, vertex_count;
    uint64_t facet_count, corner_count, wall_count, wall_name_count;
    uint64_t free_wall_name; /* index1; 0: none */
    scree_packed_material *materials;
    scree_packed_rule *rules; /* the default row is not among them */
    scree_packed_value *values;
    scree_packed_mesh *meshes;
    double (*vertices)[3];
    uint32_t *corners;     /* of facets: vertices of their mesh, from 0 */
    uint32_t *sources;     /* scree_mesh_info.source */
    uint32_t *wall_meshes; /* of each wall, from 1; 0: none */
    scree_packed_wall_name *wall_names;
} scree_definitions;

/*  Counts of a world; the rows are NULL. */
void scree_definitions_count(const scree_rules *rules, const scree_walls *walls,
                             const scree_solid_meshes *solids, scree_definitions *definitions);
/*  Into rows that have been counted, and are zero. */
void scree_definitions_write(const scree_rules *rules, const scree_walls *walls,
                             const scree_solid_meshes *solids,
                             const scree_definitions *definitions);

/*  Puts materials, rules and walls into a world that has none yet; walls are those of the snapshot, under
    the same names. Trusts nothing but that there are as many rows as is said. SCREE_BAD_FILE where they
    cannot be what a world has written, SCREE_BAD_ARGUMENT where it had laws or paths of the host's own,
    SCREE_OUT_OF_MEMORY, each with a sentence; the world may then be destroyed, and nothing else. */
scree_status scree_definitions_apply(const scree_definitions *definitions,
                                     const scree_snapshot *snapshot, scree_world *world,
                                     scree_error *error);
/*  The meshes and clumps that bodies of the snapshot are made of, where those `known` to a world of its dimensions have none like
    them: they have then, and nothing else changes. SCREE_BAD_FILE, SCREE_OUT_OF_MEMORY. */
scree_status scree_definitions_take_solids(const scree_definitions *definitions,
                                           const scree_snapshot *snapshot,
                                           scree_solid_meshes *known, scree_error *error);

#endif
