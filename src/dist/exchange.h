/*  Sends bodies and their contacts from one rank to another, as records (pack_records.h).

    A contact is sent with each of its bodies, since both owners need it. If one rank gets both bodies, it uses one
    of the two records: that of the first body, which has the smaller global id.

    Records travel in rounds, so that a rank that sends to all, or hears from all, has memory for a part of them at a time. */
#ifndef SCREE_DIST_EXCHANGE_H
#define SCREE_DIST_EXCHANGE_H

#include "dist/comm.h"
#include "dist/pack_records.h"

/*  Kinds of records. */
enum
{
    SCREE_RECORD_BODY,
    SCREE_RECORD_PAIR,
    SCREE_RECORD_WALL,
    SCREE_RECORD_SHAPE,
    SCREE_RECORDS,
};

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

/*  Ranks are divided into `count` groups of neighbours. In each round one group sends to all, or all send to one group. */
typedef struct scree_rounds
{
    uint32_t count;
    bool is_by_sender;
} scree_rounds;

#define SCREE_ONE_ROUND ((scree_rounds){1, false})
/*  Rank 0 has about an eighth of all records at a time. More rounds would take longer: it looks at all bodies in each. */
#define SCREE_MAX_ROUNDS 8u

/*  As many rounds as make sense for so many ranks. */
static inline scree_rounds scree_rounds_of(uint32_t size, bool is_by_sender)
{
    return (scree_rounds){size < SCREE_MAX_ROUNDS ? size : SCREE_MAX_ROUNDS, is_by_sender};
}

/*  Records on their way: begin, each round once, end. */
typedef struct scree_sending
{
    const scree_world *world;
    uint32_t count;     /* owned bodies */
    const uint32_t *to; /* destination of each body, also of ghosts */
    const uint32_t *ghost;
    const size_t
        *ghost_start; /* ghosts for each rank; NULL: bodies are sent, with their contacts */
    scree_memory *memory;
    const scree_comm *comm;
    scree_rounds rounds;
    uint64_t *counts; /* of rank r and kind k: [r * SCREE_RECORDS + k] */
    uint64_t *at;     /* write position of each message; NULL while records are counted */
    uint64_t *from;   /* counts of other ranks */
    scree_rank_message *messages;
    scree_body_record *body;
    scree_pair_record *pair;
    scree_wall_contact_record *wall;
    scree_shape_contact_record *shape;
    size_t capacity[SCREE_RECORDS]; /* of what is sent in a round */
    size_t incoming[SCREE_RECORDS]; /* in all rounds */
} scree_sending;

/*  Collective: begins to send the owned bodies 0 .. count - 1 of `world` and their contacts to the ranks `to`; a rank may
    send to itself. `to` also has the ranks to which the bodies of others go, which are ghosts here. Reserves memory for all
    rounds: only a status of `comm` can stop them. SCREE_OUT_OF_MEMORY on all ranks, or a status of `comm`. */
scree_status scree_sending_begin(scree_sending *sending, scree_received *received,
                                 scree_memory *memory, const scree_comm *comm,
                                 const scree_world *world, uint32_t count, const uint32_t *to,
                                 scree_rounds rounds);
/*  Collective. `received` gets what this rank is sent in this round; it stays as it is if this rank is sent nothing in it. */
scree_status scree_sending_round(scree_sending *sending, scree_received *received, uint32_t round);
void scree_sending_end(scree_sending *sending);

/*  Collective: all of it. By receivers, as each must be sent to in one round. The same statuses. */
scree_status scree_send_bodies(scree_received *received, scree_memory *memory,
                               const scree_comm *comm, const scree_world *world, uint32_t count,
                               const uint32_t *to, scree_rounds rounds);
/*  Collective: sends ghosts, copies of bodies without contacts: body[start[r]] .. body[start[r + 1] - 1] to rank r.
    The same statuses. */
scree_status scree_send_ghosts(scree_received *received, scree_memory *memory,
                               const scree_comm *comm, const scree_world *world,
                               const uint32_t *body, const size_t *start);

#endif
