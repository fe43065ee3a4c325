/*  What ranks send of bodies and contacts: all data that a world keeps. Bodies are identified by global ids, pair parameters by
    their interaction and materials, meshes and clumps by their digests (shape_exchange.h). */
#ifndef SCREE_DIST_PACK_RECORDS_H
#define SCREE_DIST_PACK_RECORDS_H

#include "world/save/pack_law.h"
#include "world/save/snapshot.h"
#include "world/step/world_data.h"

typedef struct scree_body_record
{
#define X(type, name, n, when) type name[n];
    SCREE_BODY_FIELDS(X)
#undef X
    double heat[SCREE_HEATS];         /* 0 without heat */
    double ambient[SCREE_AMBIENTS];   /* 0 without an energy balance and a fluid or force field */
    double sleep[SCREE_SLEEP_VALUES]; /* 0 without sleep */
    uint64_t geometry; /* digest of its mesh or clump, to which `shape` does not point, or 0 */
} scree_body_record;

/*  What the list of events knows of a contact. */
typedef struct scree_span_record
{
    uint64_t is_known;
    double begin, impulse[3];
} scree_span_record;

typedef struct scree_pair_record
{
    uint64_t first, second; /* global ids */
    scree_packed_law law;
    uint32_t goes_with_second;
    uint32_t other_rank; /* of the body that it does not go with */
    double history[SCREE_MAX_MEMORY], row[8], moment[4], account[4];
    scree_span_record span;
} scree_pair_record;

typedef struct scree_wall_contact_record
{
    uint64_t serial;
    scree_packed_law law;
#define X(type, name, n) type name[n];
    SCREE_SURFACE_FIELDS(X)
#undef X
    double history[SCREE_MAX_MEMORY];
    scree_span_record span;
} scree_wall_contact_record;

/*  Of a non-spherical body, with another body or with a wall. */
typedef struct scree_shape_contact_record
{
    uint64_t first, second; /* global ids; second is 0 for walls: */
    uint32_t wall, facet;
    scree_packed_law law;
    uint32_t goes_with_second;
    uint32_t other_rank; /* as of a pair */
    scree_mesh_memory memory;
#define X(name, n) double name[n];
    SCREE_SHAPE_CONTACT_COLUMNS(X)
#undef X
    double history[SCREE_MAX_MEMORY];
    scree_span_record span;
} scree_shape_contact_record;

void scree_pack_body_record(const scree_world *world, uint32_t slot, scree_body_record *record);
/*  Of the contact `c` of two bodies. `other_rank`: of the body that the record does not go with. */
void scree_pack_pair_record(const scree_world *world, size_t c, bool goes_with_second,
                            uint32_t other_rank, scree_pair_record *record);
/*  Of the contact `c` of the body in this slot with a wall. */
void scree_pack_wall_record(const scree_world *world, uint32_t slot, size_t c,
                            scree_wall_contact_record *record);
/*  Of a contact of a non-spherical body. `second`: a slot, or UINT32_MAX, and then `wall` is an index. */
void scree_pack_shape_record(const scree_world *world, size_t c, uint32_t second, uint32_t wall,
                             bool goes_with_second, uint32_t other_rank,
                             scree_shape_contact_record *record);

#endif
