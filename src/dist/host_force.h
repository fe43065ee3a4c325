/*  The force function of the host, which only rank 0 has, and which may read all bodies. In each evaluation every rank sends
    the state and the forces of its bodies to rank 0, which writes them to the second copies of the host's world, calls
    the function as one process does, and sends the forces back. */
#ifndef SCREE_DIST_HOST_FORCE_H
#define SCREE_DIST_HOST_FORCE_H

#include "dist/gather_rows.h"
#include "world/step/world_data.h"

/*  What the function may read of a body, and where it adds. */
typedef struct scree_host_row
{
    uint64_t serial;
#define X(type, name, n, when) type name[n];
    SCREE_MOTION_FIELDS(X)
#undef X
} scree_host_row;

typedef struct scree_host_forces
{
    scree_host_row *own, *all; /* of this rank; on rank 0 those of all, by rank */
    size_t own_capacity, all_capacity;
    scree_row_inbox inbox;
} scree_host_forces;

void scree_host_forces_free(scree_host_forces *forces, scree_memory *memory);

/*  Collective. Calls the function of `whole`, the host's world, NULL on ranks other than 0, and sets forces and torques of
    bodies 0 .. owned - 1 of a part. A message of a failure of the sink is that of `sink`. The status of the function, on
    all ranks alike; SCREE_OUT_OF_MEMORY; statuses of `comm`. */
scree_status scree_ask_host(scree_host_forces *forces, scree_memory *memory, const scree_comm *comm,
                            scree_world *whole, uint32_t owned, double time,
                            scree_force_sink *sink);

#endif
