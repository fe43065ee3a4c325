/*  Communication that counts: bytes and messages sent to other ranks, and the time in calls, in which a rank waits for
    others. */
#ifndef SCREE_DIST_COMM_METER_H
#define SCREE_DIST_COMM_METER_H

#include "dist/comm.h"

typedef struct scree_comm_meter
{
    scree_comm inner;
    uint64_t bytes, messages; /* of exchanges */
    double seconds;           /* in all calls, by the clock */
} scree_comm_meter;

/*  Returns a communication that calls `inner` and counts. The meter must outlive it. */
scree_comm scree_comm_metered(scree_comm_meter *meter, const scree_comm *inner);

#endif
