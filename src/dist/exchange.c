/*  Records are counted by rank, written in the order of ranks, and sent: one message for each rank and kind of
    record. */
#include "dist/exchange.h"

static const size_t record_bytes[SCREE_RECORDS] = {
    sizeof(scree_body_record), sizeof(scree_pair_record), sizeof(scree_wall_contact_record),
    sizeof(scree_shape_contact_record)};

void scree_received_free(scree_received *received, scree_memory *memory)
{
    scree_memory_give(memory, &received->body, received->body_capacity, sizeof *received->body);
    scree_memory_give(memory, &received->pair, received->pair_capacity, sizeof *received->pair);
    scree_memory_give(memory, &received->wall, received->wall_capacity, sizeof *received->wall);
    scree_memory_give(memory, &received->shape, received->shape_capacity, sizeof *received->shape);
    scree_memory_give(memory, &received->body_start, received->start_capacity,
                      sizeof *received->body_start);
}

/* ---- writing ---- */

/*  Write position of the next record of a kind for a rank; SIZE_MAX while records are counted, or in the rounds of
    other ranks. */
static size_t next_place(const scree_sending *out, uint32_t rank, int kind)
{
    const uint32_t k = rank * SCREE_RECORDS + (uint32_t)kind;

    if (!out->at)
        out->counts[k]++;
    return out->at && out->at[k] != UINT64_MAX ? (size_t)out->at[k]++ : SIZE_MAX;
}

static void put_pair(const scree_sending *out, uint32_t rank, size_t c, bool goes_with_second)
{
    const scree_contact_list *list = &out->world->pairs;
    const uint32_t other = goes_with_second ? list->first[c][0] : list->second[c][0];
    const size_t at = next_place(out, rank, SCREE_RECORD_PAIR);

    if (at != SIZE_MAX)
        scree_pack_pair_record(out->world, c, goes_with_second, out->to[other], &out->pair[at]);
}

static void put_bodies(const scree_sending *out)
{
    const scree_wall_contact_list *walls = &out->world->wall_contacts.now;

    for (uint32_t slot = 0; slot < out->count; slot++) {
        size_t at = next_place(out, out->to[slot], SCREE_RECORD_BODY);
        if (at != SIZE_MAX)
            scree_pack_body_record(out->world, slot, &out->body[at]);
        for (size_t c = walls->count ? walls->begin[slot] : 0; walls->count && c < walls->end[slot];
             c++) {
            at = next_place(out, out->to[slot], SCREE_RECORD_WALL);
            if (at != SIZE_MAX)
                scree_pack_wall_record(out->world, slot, c, &out->wall[at]);
        }
    }
}

/*  Bodies that are not owned are not sent, nor are contacts between two of them. */
static void put_pairs(const scree_sending *out)
{
    const scree_contact_list *list = &out->world->pairs;

    for (size_t c = 0; c < list->count; c++) {
        const uint32_t first = list->first[c][0], second = list->second[c][0];
        if (!list->touches[c][0])
            continue;
        const uint32_t to_first = first < out->count ? out->to[first] : UINT32_MAX;
        const uint32_t to_second = second < out->count ? out->to[second] : UINT32_MAX;
        if (to_first != UINT32_MAX)
            put_pair(out, to_first, c, false);
        if (to_second != UINT32_MAX && to_second != to_first)
            put_pair(out, to_second, c, true);
    }
}

/*  As put_pairs. Contacts of removed bodies are left out. */
static void put_shapes(const scree_sending *out)
{
    const scree_world *world = out->world;
    const scree_shape_contact_list *list = &world->shape_contacts.now;
    uint32_t slot[2], wall;

    for (size_t c = 0; c < list->count; c++) {
        uint32_t to[2] = {UINT32_MAX, UINT32_MAX}, partner_to[2];
        if (!scree_shape_contacts_resolve(&world->bodies, &world->walls, list->pair[c], &slot[0],
                                          &slot[1], &wall))
            continue;
        for (int k = 0; k < 2; k++)
            if (slot[k] < out->count)
                to[k] = out->to[slot[k]];
        for (int k = 0; k < 2; k++)
            partner_to[k] = slot[1 - k] == UINT32_MAX ? UINT32_MAX : out->to[slot[1 - k]];
        for (int k = 0; k < 2; k++) {
            if (to[k] == UINT32_MAX || (k == 1 && to[1] == to[0]))
                continue;
            const size_t at = next_place(out, to[k], SCREE_RECORD_SHAPE);
            if (at != SIZE_MAX)
                scree_pack_shape_record(world, c, slot[1], wall, k == 1, partner_to[k],
                                        &out->shape[at]);
        }
    }
}

static void put_ghosts(const scree_sending *out)
{
    for (uint32_t r = 0; r < out->comm->size; r++)
        for (size_t k = out->ghost_start[r]; k < out->ghost_start[r + 1]; k++) {
            const size_t at = next_place(out, r, SCREE_RECORD_BODY);
            if (at != SIZE_MAX)
                scree_pack_body_record(out->world, out->ghost[k], &out->body[at]);
        }
}

static void put_all(const scree_sending *out)
{
    if (out->ghost_start) {
        put_ghosts(out);
        return;
    }
    put_bodies(out);
    put_pairs(out);
    put_shapes(out);
}

/* ---- rounds ---- */

typedef struct rank_range
{
    uint32_t begin, end;
} rank_range;

static bool is_in(rank_range range, uint32_t rank)
{
    return rank >= range.begin && rank < range.end;
}

static rank_range group_of(const scree_sending *s, uint32_t round, bool is_whole)
{
    const uint64_t size = s->comm->size;

    return is_whole ? (rank_range){0, s->comm->size}
                    : (rank_range){(uint32_t)(size * round / s->rounds.count),
                                   (uint32_t)(size * (round + 1) / s->rounds.count)};
}

static rank_range senders_of(const scree_sending *s, uint32_t round)
{
    return group_of(s, round, !s->rounds.is_by_sender);
}

static rank_range receivers_of(const scree_sending *s, uint32_t round)
{
    return group_of(s, round, s->rounds.is_by_sender);
}

/*  Records of one kind from or to a range of ranks. */
static size_t count_of(const uint64_t *counts, rank_range range, int kind)
{
    size_t total = 0;

    for (uint32_t r = range.begin; r < range.end; r++)
        total += (size_t)counts[r * SCREE_RECORDS + (uint32_t)kind];
    return total;
}

static void find_incoming(const scree_sending *s, uint32_t round, size_t incoming[SCREE_RECORDS])
{
    const bool receives = is_in(receivers_of(s, round), s->comm->rank);

    for (int kind = 0; kind < SCREE_RECORDS; kind++)
        incoming[kind] = receives ? count_of(s->from, senders_of(s, round), kind) : 0;
}

/* ---- memory ---- */

static scree_status reserve_incoming(scree_received *received, scree_memory *memory,
                                     const size_t incoming[SCREE_RECORDS])
{
    return scree_memory_reserve(memory, &received->body, &received->body_capacity,
                                incoming[SCREE_RECORD_BODY], sizeof *received->body) ||
                   scree_memory_reserve(memory, &received->pair, &received->pair_capacity,
                                        incoming[SCREE_RECORD_PAIR], sizeof *received->pair) ||
                   scree_memory_reserve(memory, &received->wall, &received->wall_capacity,
                                        incoming[SCREE_RECORD_WALL], sizeof *received->wall) ||
                   scree_memory_reserve(memory, &received->shape, &received->shape_capacity,
                                        incoming[SCREE_RECORD_SHAPE], sizeof *received->shape)
               ? SCREE_OUT_OF_MEMORY
               : SCREE_OK;
}

/*  For the largest round of each kind. */
static scree_status reserve_all(scree_sending *s, scree_received *received)
{
    size_t most[SCREE_RECORDS] = {0};

    for (uint32_t round = 0; round < s->rounds.count; round++) {
        size_t incoming[SCREE_RECORDS];
        find_incoming(s, round, incoming);
        for (int kind = 0; kind < SCREE_RECORDS; kind++) {
            const size_t out = is_in(senders_of(s, round), s->comm->rank)
                                   ? count_of(s->counts, receivers_of(s, round), kind)
                                   : 0;
            s->capacity[kind] = out > s->capacity[kind] ? out : s->capacity[kind];
            most[kind] = incoming[kind] > most[kind] ? incoming[kind] : most[kind];
            s->incoming[kind] += incoming[kind];
        }
    }
    if (scree_memory_take(s->memory, s->capacity[SCREE_RECORD_BODY], sizeof *s->body, &s->body) ||
        scree_memory_take(s->memory, s->capacity[SCREE_RECORD_PAIR], sizeof *s->pair, &s->pair) ||
        scree_memory_take(s->memory, s->capacity[SCREE_RECORD_WALL], sizeof *s->wall, &s->wall) ||
        scree_memory_take(s->memory, s->capacity[SCREE_RECORD_SHAPE], sizeof *s->shape,
                          &s->shape) ||
        scree_memory_reserve(s->memory, &received->body_start, &received->start_capacity,
                             (size_t)s->comm->size + 1, sizeof *received->body_start))
        return SCREE_OUT_OF_MEMORY;
    return reserve_incoming(received, s->memory, most);
}

static scree_status reserve_numbers(scree_sending *s)
{
    const size_t words = (size_t)s->comm->size * SCREE_RECORDS;

    if (scree_memory_take(s->memory, 2 * words, sizeof *s->counts, &s->counts) ||
        scree_memory_take(s->memory, 2 * (size_t)s->comm->size, sizeof *s->messages, &s->messages))
        return SCREE_OUT_OF_MEMORY;
    memset(s->counts, 0, 2 * words * sizeof *s->counts);
    s->from = s->counts + words;
    return SCREE_OK;
}

void scree_sending_end(scree_sending *s)
{
    const size_t words = (size_t)s->comm->size * SCREE_RECORDS;

    scree_memory_give(s->memory, &s->body, s->capacity[SCREE_RECORD_BODY], sizeof *s->body);
    scree_memory_give(s->memory, &s->pair, s->capacity[SCREE_RECORD_PAIR], sizeof *s->pair);
    scree_memory_give(s->memory, &s->wall, s->capacity[SCREE_RECORD_WALL], sizeof *s->wall);
    scree_memory_give(s->memory, &s->shape, s->capacity[SCREE_RECORD_SHAPE], sizeof *s->shape);
    scree_memory_give(s->memory, &s->at, words, sizeof *s->at);
    scree_memory_give(s->memory, &s->counts, 2 * words, sizeof *s->counts);
    scree_memory_give(s->memory, &s->messages, 2 * (size_t)s->comm->size, sizeof *s->messages);
}

/* ---- messages ---- */

/*  Where records for the receivers of a round are written. */
static void find_places(const scree_sending *s, rank_range receivers)
{
    uint64_t total[SCREE_RECORDS] = {0};

    for (uint32_t r = 0; r < s->comm->size; r++)
        for (uint32_t kind = 0; kind < SCREE_RECORDS; kind++) {
            const uint32_t k = r * SCREE_RECORDS + kind;
            s->at[k] = is_in(receivers, r) ? total[kind] : UINT64_MAX;
            total[kind] += is_in(receivers, r) ? s->counts[k] : 0;
        }
}

static void note_incoming(const scree_sending *s, uint32_t round, scree_received *received)
{
    const rank_range senders = senders_of(s, round);
    size_t incoming[SCREE_RECORDS], start = 0;

    find_incoming(s, round, incoming);
    for (uint32_t r = 0; r < s->comm->size; r++) {
        received->body_start[r] = start;
        start += is_in(senders, r) ? (size_t)s->from[r * SCREE_RECORDS + SCREE_RECORD_BODY] : 0;
    }
    received->body_start[s->comm->size] = start;
    received->body_count = incoming[SCREE_RECORD_BODY];
    received->pair_count = incoming[SCREE_RECORD_PAIR];
    received->wall_count = incoming[SCREE_RECORD_WALL];
    received->shape_count = incoming[SCREE_RECORD_SHAPE];
}

/*  Makes the messages of one kind, for every rank of a range that has any. Returns their number. */
static size_t make_messages(scree_rank_message *messages, rank_range range, const uint64_t *counts,
                            int kind, void *rows)
{
    unsigned char *at = rows;
    size_t made = 0;

    for (uint32_t r = range.begin; r < range.end; r++) {
        const size_t bytes =
            (size_t)counts[r * SCREE_RECORDS + (uint32_t)kind] * record_bytes[kind];
        if (bytes)
            messages[made++] = (scree_rank_message){r, bytes, at};
        at = at ? at + bytes : NULL;
    }
    return made;
}

scree_status scree_sending_round(scree_sending *s, scree_received *received, uint32_t round)
{
    const rank_range senders = senders_of(s, round), receivers = receivers_of(s, round);
    const bool sends = is_in(senders, s->comm->rank), receives = is_in(receivers, s->comm->rank);
    scree_rank_message *in = s->messages + s->comm->size;
    scree_status status = SCREE_OK;

    if (receives)
        note_incoming(s, round, received);
    if (sends) {
        find_places(s, receivers);
        put_all(s);
    }
    void *const to[SCREE_RECORDS] = {s->body, s->pair, s->wall, s->shape};
    void *const from[SCREE_RECORDS] = {received->body, received->pair, received->wall,
                                       received->shape};
    for (int kind = 0; kind < SCREE_RECORDS && !status; kind++) {
        const size_t out_count =
            sends ? make_messages(s->messages, receivers, s->counts, kind, to[kind]) : 0;
        const size_t in_count =
            receives ? make_messages(in, senders, s->from, kind, from[kind]) : 0;
        status = s->comm->exchange(s->comm->user, s->messages, out_count, in, in_count);
    }
    return status;
}

/* ---- all ---- */

static scree_status begin_sending(scree_sending *s, scree_received *received)
{
    const size_t words = (size_t)s->comm->size * SCREE_RECORDS;
    scree_status status = scree_comm_agree(s->comm, reserve_numbers(s));

    if (status)
        return status;
    put_all(s);
    status = s->comm->all_to_all(s->comm->user, s->counts, s->from, SCREE_RECORDS);
    if (status)
        return status;
    status = scree_memory_take(s->memory, words, sizeof *s->at, &s->at);
    if (!status)
        status = reserve_all(s, received);
    return scree_comm_agree(s->comm, status);
}

scree_status scree_sending_begin(scree_sending *sending, scree_received *received,
                                 scree_memory *memory, const scree_comm *comm,
                                 const scree_world *world, uint32_t count, const uint32_t *to,
                                 scree_rounds rounds)
{
    *sending = (scree_sending){
        .world = world, .count = count, .to = to, .memory = memory, .comm = comm, .rounds = rounds};
    return begin_sending(sending, received);
}

static scree_status send_all(scree_sending *s, scree_received *received)
{
    scree_status status = begin_sending(s, received);

    for (uint32_t round = 0; round < s->rounds.count && !status; round++)
        status = scree_sending_round(s, received, round);
    scree_sending_end(s);
    return status;
}

scree_status scree_send_bodies(scree_received *received, scree_memory *memory,
                               const scree_comm *comm, const scree_world *world, uint32_t count,
                               const uint32_t *to, scree_rounds rounds)
{
    scree_sending sending = {
        .world = world, .count = count, .to = to, .memory = memory, .comm = comm, .rounds = rounds};

    return send_all(&sending, received);
}

scree_status scree_send_ghosts(scree_received *received, scree_memory *memory,
                               const scree_comm *comm, const scree_world *world,
                               const uint32_t *body, const size_t *start)
{
    scree_sending sending = {.world = world,
                             .ghost = body,
                             .ghost_start = start,
                             .memory = memory,
                             .comm = comm,
                             .rounds = SCREE_ONE_ROUND};

    return send_all(&sending, received);
}
