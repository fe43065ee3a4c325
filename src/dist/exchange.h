/*  Sends bodies and their contacts from one rank to another. A record has all data that a world keeps: bodies are
    identified by global ids, pair parameters by their interaction and materials, meshes and clumps by their digests
    (shape_exchange.h).

    A contact is sent with each of its bodies, since both owners need it. If one rank gets both bodies, it uses one
    of the two records: that of the first body, which has the smaller global id. */
#ifndef SCREE_DIST_EXCHANGE_H
#define SCREE_DIST_EXCHANGE_H

#include "dist/comm.h"
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

/*  Received records, in the order of their ranks. */
typedef struct scree_received
{
    scree_body_record *body;
    scree_pair_record *pair;
    scree_wall_contact_record *wall;
    scree_shape_contact_record *shape;
    size_t body_count, pair_count, wall_count, shape_count;
    size_t body_capacity, pair_capacity, wall_capacity, shape_capacity;
    size_t *body_start; /* those of rank r: from start[r] to start[r + 1] - 1 */
    size_t start_capacity;
} scree_received;

void scree_received_free(scree_received *received, scree_memory *memory);

/*  Collective: sends the owned bodies 0 .. count - 1 of `world` and their contacts to the ranks `to`; a rank may
    send to itself. `to` also has the ranks to which the bodies of others go, which are ghosts here. SCREE_OUT_OF_MEMORY on all ranks, or a status of `comm`. */
scree_status scree_send_bodies(scree_received *received, scree_memory *memory,
                               const scree_comm *comm, const scree_world *world, uint32_t count,
                               const uint32_t *to);
/*  Collective: sends ghosts, copies of bodies without contacts: body[start[r]] .. body[start[r + 1] - 1] to rank r.
    The same statuses. */
scree_status scree_send_ghosts(scree_received *received, scree_memory *memory,
                               const scree_comm *comm, const scree_world *world,
                               const uint32_t *body, const size_t *start);

#endif
