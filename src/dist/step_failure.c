/*  Two reductions choose the rank, so that the choice depends on bodies and not on the number of ranks. */
#include "dist/step_failure.h"

#include "base/error.h"
#include "world/step/world_data.h"

#include <stdio.h>

/*  Of one rank. Words and bytes only, as it is sent. */
typedef struct failure_message
{
    scree_error error;
    uint64_t serial; /* of the failed body; 0: none */
} failure_message;

static failure_message message_of(const scree_world *part, scree_status status)
{
    failure_message own;

    memset(&own, 0, sizeof own);
    own.error.status = status;
    snprintf(own.error.text, sizeof own.error.text, "%s", part->error.text);
    const size_t slot = scree_bodies_slot(&part->bodies, part->failed_body);
    own.serial = slot == SIZE_MAX ? 0 : part->bodies.serial[slot][0];
    return own;
}

static bool owns_failed_body(const scree_world *part)
{
    const size_t slot = scree_bodies_slot(&part->bodies, part->failed_body);

    return slot != SIZE_MAX && !scree_is_ghost(&part->bodies, (uint32_t)slot);
}

/*  In the order of one process: crossings first, then the smallest global id of each kind. */
static uint64_t order_of(const failure_message *own, bool is_crossing, scree_status failed)
{
    if (!own->error.status || !own->error.text[0])
        return UINT64_MAX;
    const uint64_t is_other = own->error.status != failed, is_late = !is_crossing;

    return is_other << 62 | is_late << 61 | (own->serial & (((uint64_t)1 << 61) - 1));
}

static scree_status choose_rank(const scree_comm *comm, const scree_world *part, uint64_t order,
                                uint64_t *chosen)
{
    uint64_t least = order;
    scree_status status = comm->reduce(comm->user, SCREE_REDUCE_MIN, &least, 1);

    *chosen = UINT64_MAX;
    if (order == least && order != UINT64_MAX)
        *chosen = (uint64_t)!owns_failed_body(part) << 32 | comm->rank;
    if (!status)
        status = comm->reduce(comm->user, SCREE_REDUCE_MIN, chosen, 1);
    if (*chosen != UINT64_MAX)
        *chosen &= UINT32_MAX;
    return status;
}

static void tell_host(scree_world *whole, const failure_message *message, scree_status failed)
{
    whole->failed_body = (scree_body_id){0, 0};
    for (uint32_t slot = 0; message->serial && slot < whole->bodies.count; slot++)
        if (whole->bodies.serial[slot][0] == message->serial)
            whole->failed_body = whole->bodies.id[slot][0];
    scree_fail(&whole->error, failed, "%s",
               message->error.text[0] ? message->error.text : scree_status_name(failed));
}

scree_status scree_step_failure_report(const scree_comm *comm, const scree_world *part,
                                       scree_status own, bool is_crossing, scree_status failed,
                                       scree_world *whole)
{
    failure_message message = message_of(part, own);
    scree_rank_message transfer = {0, sizeof message, &message};
    uint64_t chosen;
    scree_status status = choose_rank(comm, part, order_of(&message, is_crossing, failed), &chosen);

    if (!status && chosen != UINT64_MAX && chosen != 0) {
        transfer.rank = comm->rank ? 0 : (uint32_t)chosen;
        const bool sends = comm->rank == chosen, receives = comm->rank == 0;
        status = comm->exchange(comm->user, &transfer, sends, &transfer, receives);
    }
    if (whole)
        tell_host(whole, &message, failed);
    return status;
}
