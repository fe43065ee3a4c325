/*  Wear of walls on ranks: the part of each rank has what its bodies have worn since the last gathering, and the host's
    world all before. */
#ifndef SCREE_DIST_WEAR_EXCHANGE_H
#define SCREE_DIST_WEAR_EXCHANGE_H

#include "dist/comm.h"
#include "world/step/world_data.h"

/*  The sum of all parts, as it travels. */
typedef struct scree_wear_parcel
{
    uint64_t *words;
    size_t count;
} scree_wear_parcel;

/*  Collective: sums the wear of all parts, which does not change. Walls wear on all ranks or on none. SCREE_OUT_OF_MEMORY
    on all ranks alike, and statuses of `comm`. */
scree_status scree_wear_collect(const scree_comm *comm, scree_memory *memory,
                                const scree_walls *part, scree_wear_parcel *parcel);
/*  Adds it to the host's world, which other ranks do not have (NULL), and begins at 0 again in this part. */
void scree_wear_deliver(const scree_wear_parcel *parcel, scree_walls *part, scree_walls *whole);
void scree_wear_parcel_free(scree_wear_parcel *parcel, scree_memory *memory);

#endif
