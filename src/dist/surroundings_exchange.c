#include "dist/surroundings_exchange.h"

#include "world/save/surroundings.h"

/*  Whether this part, and any part, has other definitions than the host's world. */
static scree_status compare_definitions(const scree_comm *comm, const scree_world *whole,
                                        const scree_world *part, bool *differ, bool *some_differ)
{
    uint64_t digest = whole ? scree_world_digest_of_definitions(whole) : 0, word;
    scree_status status = scree_comm_tell_all(comm, &digest, sizeof digest);

    *differ = scree_world_digest_of_definitions(part) != digest;
    word = *differ;
    if (!status)
        status = comm->reduce(comm->user, SCREE_REDUCE_MAX, &word, 1);
    *some_differ = word != 0;
    return status;
}

static scree_status send_surroundings(const scree_comm *comm, scree_memory *memory,
                                      scree_world *whole, bool with_definitions,
                                      scree_surroundings *packed)
{
    scree_status status = scree_comm_agree(
        comm, whole ? scree_surroundings_pack(whole, with_definitions, memory, packed) : SCREE_OK);
    uint64_t count = packed->count;

    if (!status)
        status = scree_comm_tell_all(comm, &count, sizeof count);
    if (!status)
        status = scree_comm_agree(
            comm, whole ? SCREE_OK : scree_surroundings_reserve(packed, memory, (size_t)count));
    return status ? status
                  : scree_comm_tell_all(comm, packed->words, packed->count * sizeof *packed->words);
}

scree_status scree_share_surroundings(const scree_comm *comm, scree_memory *memory,
                                      scree_world *whole, scree_world *part)
{
    scree_surroundings packed = {0};
    bool differ, some_differ;
    scree_status status = compare_definitions(comm, whole, part, &differ, &some_differ);

    if (!status)
        status = send_surroundings(comm, memory, whole, some_differ, &packed);
    if (!status)
        status = scree_comm_agree(comm, scree_surroundings_apply(&packed, differ, part));
    scree_surroundings_free(&packed);
    return status;
}

static void gather_wall(const scree_wall_record *from, scree_wall_record *to)
{
    to->now = to->next = from->now;
    to->drive = from->drive;
    memcpy(to->next_shift, from->next_shift, sizeof to->next_shift);
    to->motion = to->next_motion = from->motion;
    to->heat = from->heat;
}

/*  The detector of the host's world still has the box that it was shown. */
static void gather_cell(const scree_strain *from, scree_strain *to)
{
    const scree_domain shown = to->shown;

    *to = *from;
    to->next = to->now;
    to->shown = shown;
}

void scree_gather_surroundings(const scree_world *part, scree_world *whole)
{
    for (size_t w = 0; w < whole->walls.count; w++)
        gather_wall(&part->walls.wall[w], &whole->walls.wall[w]);
    gather_cell(&part->cell, &whole->cell);
    if (whole->heat.is_on)
        whole->heat.course = part->heat.course;
}
