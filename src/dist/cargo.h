/*  Bodies and their contacts on the way from one rank to another. A record has all that a world keeps of one: bodies are named by
    their serial numbers, laws by what they are for.

    A contact goes with each of its bodies, for both owners know it. Where one rank gets both bodies it gets one of the two
    records: that of the first body, which has the smaller serial number. */
#ifndef SCREE_DIST_CARGO_H
#define SCREE_DIST_CARGO_H

#include "dist/comm.h"
#include "world/save/pack_law.h"
#include "world/step/world_data.h"

typedef struct scree_body_record
{
#define X(type, name, n, when) type name[n];
    SCREE_BODY_FIELDS(X)
#undef X
} scree_body_record;

typedef struct scree_pair_record
{
    uint64_t first, second; /* serials */
    scree_packed_law law;
    uint64_t goes_with_second;
    double remembered[SCREE_MAX_MEMORY], row[8], moment[4];
} scree_pair_record;

typedef struct scree_wall_contact_record
{
    uint64_t serial;
    scree_packed_law law;
#define X(type, name, n) type name[n];
    SCREE_SURFACE_FIELDS(X)
#undef X
    double remembered[SCREE_MAX_MEMORY];
} scree_wall_contact_record;

/*  Records that came, those of rank 0 first. */
typedef struct scree_cargo
{
    scree_body_record *body;
    scree_pair_record *pair;
    scree_wall_contact_record *wall;
    size_t body_count, pair_count, wall_count;
    size_t body_capacity, pair_capacity, wall_capacity;
    size_t *body_start; /* those of rank r: from start[r] to start[r + 1] - 1 */
    size_t start_capacity;
} scree_cargo;

void scree_cargo_free(scree_cargo *cargo, scree_memory *memory);

/*  Collective: bodies 0 .. count - 1 of `world`, which it owns, go with their contacts to the ranks `to`; a rank may send to itself.
    SCREE_OUT_OF_MEMORY, on all ranks alike; what `comm` returns. */
scree_status scree_cargo_send(scree_cargo *cargo, scree_memory *memory, const scree_comm *comm,
                              const scree_world *world, uint32_t count, const uint32_t *to);
/*  Collective: copies of bodies, without contacts: body[start[r]] .. body[start[r + 1] - 1] to rank r. The same statuses. */
scree_status scree_cargo_send_copies(scree_cargo *cargo, scree_memory *memory,
                                     const scree_comm *comm, const scree_world *world,
                                     const uint32_t *body, const size_t *start);

#endif
