/*  Bodies spread over ranks: who owns which, which copies are where, and what travels in each step.

    A part has the bodies that its rank owns in slots 0 .. owned - 1, and behind them copies of bodies of other ranks, in the order of
    these. Slots stay until bodies are spread again. Copies hold while no body is farther than `room` from where it was then. */
#ifndef SCREE_DIST_SPREAD_H
#define SCREE_DIST_SPREAD_H

#include "dist/cargo.h"
#include "dist/halo.h"
#include "dist/partition.h"

/*  What a step sends of a body: place, velocity and spin. */
#define SCREE_SHARED_NUMBERS 9

typedef struct scree_spread
{
    scree_memory *memory;
    const scree_comm *comm;
    scree_partition partition;
    uint32_t owned;
    scree_halo_list sent; /* owned bodies that other ranks have copies of */
    size_t *copy_start;   /* copies of bodies of rank r: from owned + start[r] */
    double (*origin)[3];  /* of bodies that are owned, when they were spread */
    double room;
    uint64_t count, moved; /* how often they were spread, and bodies that changed owner then */
    /* messages of a step, and room for them */
    double (*out)[SCREE_SHARED_NUMBERS], (*in)[SCREE_SHARED_NUMBERS];
    scree_parcel *parcels; /* size that go out, then size that come */
    size_t out_parcels, in_parcels;
    /* while bodies are spread */
    scree_cargo cargo, copies;
    uint32_t *to;
    size_t start_capacity, origin_capacity, out_capacity, in_capacity, parcel_capacity, to_capacity;
} scree_spread;

void scree_spread_free(scree_spread *spread);

/*  Collective: bodies 0 .. count - 1 of `from` and their contacts go to their owners, and copies to who needs them. `from` may be `part`.
    `way`: at least what a body moves in the step to come. SCREE_OUT_OF_MEMORY, SCREE_TOO_LARGE, SCREE_BAD_VALUE where a contact is not
    covered by copies, all on all ranks alike; what `comm` returns. Afterwards the part is of no use. */
scree_status scree_spread_bodies(scree_spread *spread, const scree_world *from, uint32_t count,
                                 scree_world *part, double way);

/*  How far the farthest body of this rank will be, at most, from where it was when bodies were spread: after the next step. Forces are
    known. */
double scree_spread_reach(const scree_spread *spread, const scree_world *part);
/*  And how far the one goes that goes farthest in that step. */
double scree_spread_way(const scree_world *part, uint32_t owned);

/*  Collective: copies get the state of their bodies. */
scree_status scree_spread_share(const scree_spread *spread, scree_world *part);

#endif
