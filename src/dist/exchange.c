/*  Records are counted by rank, written in the order of ranks, and sent: one message for each rank and kind of
    record. */
#include "dist/exchange.h"

/*  Kinds of records, in the order of their counts. */
enum
{
    BODY,
    PAIR,
    WALL,
    SHAPE,
    KINDS,
};

void scree_received_free(scree_received *received, scree_memory *memory)
{
    scree_memory_give(memory, &received->body, received->body_capacity, sizeof *received->body);
    scree_memory_give(memory, &received->pair, received->pair_capacity, sizeof *received->pair);
    scree_memory_give(memory, &received->wall, received->wall_capacity, sizeof *received->wall);
    scree_memory_give(memory, &received->shape, received->shape_capacity, sizeof *received->shape);
    scree_memory_give(memory, &received->body_start, received->start_capacity,
                      sizeof *received->body_start);
}

/* ---- sending ---- */

typedef struct outgoing
{
    const scree_world *world;
    uint32_t count;     /* owned bodies */
    const uint32_t *to; /* destination of each body, also of ghosts */
    uint32_t size;
    uint64_t *counts; /* of rank r and kind k: [r * KINDS + k] */
    uint64_t *at;     /* write position of each message; NULL while records are counted */
    scree_body_record *body;
    scree_pair_record *pair;
    scree_wall_contact_record *wall;
    scree_shape_contact_record *shape;
    size_t total[KINDS];
} outgoing;

/*  Write position of the next record of a kind for a rank; SIZE_MAX while records are counted. */
static size_t next_place(const outgoing *out, uint32_t rank, int kind)
{
    if (out->at)
        return (size_t)out->at[rank * KINDS + (uint32_t)kind]++;
    out->counts[rank * KINDS + (uint32_t)kind]++;
    return SIZE_MAX;
}

#define X_PACK(type, name, n, when)                                                                \
    if (bodies->name)                                                                              \
        memcpy(record->name, bodies->name[slot], sizeof record->name);

static void pack_body(const scree_world *world, uint32_t slot, scree_body_record *record)
{
    const scree_body_arrays *bodies = &world->bodies;

    memset(record, 0, sizeof *record);
    SCREE_BODY_FIELDS(X_PACK)
    if (bodies->keeps[SCREE_KEEP_HEAT])
        memcpy(record->heat, bodies->heat[slot], sizeof record->heat);
    if (bodies->keeps[SCREE_KEEP_AMBIENT])
        memcpy(record->ambient, bodies->ambient[slot], sizeof record->ambient);
    if (bodies->keeps[SCREE_KEEP_SLEEP])
        memcpy(record->sleep, bodies->sleep[slot], sizeof record->sleep);
    if (!scree_is_not_sphere(bodies, slot))
        return;
    record->geometry = scree_shape_table_find(&world->shape_finder.meshes,
                                              scree_shape_geometry(&bodies->shape[slot][0]))
                           ->digest;
    record->shape[0].mesh = NULL;
}

static void pack_span(const scree_world *world, const scree_span_name *name,
                      scree_span_record *record)
{
    const scree_contact_span *span =
        world->def.events ? scree_spans_find(&world->events.spans, name) : NULL;

    if (!span)
        return;
    record->is_known = 1;
    record->begin = span->begin;
    memcpy(record->impulse, span->impulse, sizeof record->impulse);
}

static void pack_pair(const scree_world *world, size_t c, bool goes_with_second,
                      uint32_t other_rank, scree_pair_record *record)
{
    const scree_contact_list *list = &world->pairs;
    const scree_contact_sets *exerted = &world->contacts;

    memset(record, 0, sizeof *record);
    record->first = world->bodies.serial[list->first[c][0]][0];
    record->second = world->bodies.serial[list->second[c][0]][0];
    record->law = scree_packed_law_of(&world->rules, list->slot[c][0]);
    record->goes_with_second = goes_with_second;
    record->other_rank = other_rank;
    pack_span(world,
              &(scree_span_name){.first = world->bodies.id[list->first[c][0]][0],
                                 .second = world->bodies.id[list->second[c][0]][0]},
              &record->span);
    for (uint32_t m = 0; m < list->planes; m++)
        record->history[m] = list->history[m][c];
    if (!exerted->has_rows || world->rows_are_stale)
        return;
    memcpy(record->row, exerted->row[c], sizeof record->row);
    if (exerted->has_moments)
        memcpy(record->moment, exerted->moment[c], sizeof record->moment);
    if (exerted->has_account)
        memcpy(record->account, exerted->account[c], sizeof record->account);
}

#define X_PACK_WALL(type, name, n)                                                                 \
    if (list->name)                                                                                \
        memcpy(record->name, list->name[c], sizeof record->name);

static void pack_wall(const scree_world *world, uint32_t slot, size_t c,
                      scree_wall_contact_record *record)
{
    const scree_wall_contact_list *list = &world->wall_contacts.now;

    memset(record, 0, sizeof *record);
    record->serial = world->bodies.serial[slot][0];
    record->law = scree_packed_law_of(&world->rules, list->slot[c][0]);
    if (list->wall[c][0] != UINT32_MAX)
        pack_span(world,
                  &(scree_span_name){.first = world->bodies.id[slot][0],
                                     .wall = world->walls.wall[list->wall[c][0]].id,
                                     .facet = list->memory[c][0].facet},
                  &record->span);
    SCREE_SURFACE_FIELDS(X_PACK_WALL)
    for (uint32_t m = 0; m < list->planes; m++)
        record->history[m] = list->history[m][c];
}

static void put_pair(const outgoing *out, uint32_t rank, size_t c, bool goes_with_second)
{
    const scree_contact_list *list = &out->world->pairs;
    const uint32_t other = goes_with_second ? list->first[c][0] : list->second[c][0];
    const size_t at = next_place(out, rank, PAIR);

    if (at != SIZE_MAX)
        pack_pair(out->world, c, goes_with_second, out->to[other], &out->pair[at]);
}

static void put_bodies(const outgoing *out)
{
    const scree_wall_contact_list *walls = &out->world->wall_contacts.now;

    for (uint32_t slot = 0; slot < out->count; slot++) {
        size_t at = next_place(out, out->to[slot], BODY);
        if (at != SIZE_MAX)
            pack_body(out->world, slot, &out->body[at]);
        for (size_t c = walls->count ? walls->begin[slot] : 0; walls->count && c < walls->end[slot];
             c++) {
            at = next_place(out, out->to[slot], WALL);
            if (at != SIZE_MAX)
                pack_wall(out->world, slot, c, &out->wall[at]);
        }
    }
}

/*  Bodies that are not owned are not sent, nor are contacts between two of them. */
static void put_pairs(const outgoing *out)
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

/* ---- contacts of non-spherical bodies ---- */

#define X_PACK_SHAPE(name, n) memcpy(record->name, list->name[c], sizeof record->name);

static void pack_shape(const scree_world *world, size_t c, uint32_t second, uint32_t wall,
                       bool goes_with_second, uint32_t other_rank,
                       scree_shape_contact_record *record)
{
    const scree_shape_contact_list *list = &world->shape_contacts.now;
    const size_t first = scree_bodies_slot(&world->bodies, list->pair[c]->first);

    memset(record, 0, sizeof *record);
    record->first = world->bodies.serial[first][0];
    record->second = second == UINT32_MAX ? 0 : world->bodies.serial[second][0];
    record->wall = wall;
    record->facet = list->facet[c][0];
    record->law = scree_packed_law_of(&world->rules, list->slot[c][0]);
    record->goes_with_second = goes_with_second;
    record->other_rank = other_rank;
    record->memory = list->memory[c][0];
    pack_span(world,
              &(scree_span_name){.first = list->pair[c]->first,
                                 .second = list->pair[c]->second,
                                 .wall = list->pair[c]->wall},
              &record->span);
    SCREE_SHAPE_CONTACT_COLUMNS(X_PACK_SHAPE)
    for (uint32_t m = 0; m < list->planes; m++)
        record->history[m] = list->history[m][c];
}

/*  As put_pairs. Contacts of removed bodies are left out. */
static void put_shapes(const outgoing *out)
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
            const size_t at = next_place(out, to[k], SHAPE);
            if (at != SIZE_MAX)
                pack_shape(world, c, slot[1], wall, k == 1, partner_to[k], &out->shape[at]);
        }
    }
}

/* ---- messages ---- */

static void find_places(outgoing *out)
{
    memset(out->total, 0, sizeof out->total);
    for (uint32_t r = 0; r < out->size; r++)
        for (int kind = 0; kind < KINDS; kind++) {
            const uint32_t k = r * KINDS + (uint32_t)kind;
            out->at[k] = out->total[kind];
            out->total[kind] += (size_t)out->counts[k];
        }
}

static scree_status reserve_incoming(scree_received *received, scree_memory *memory, uint32_t size,
                                     const uint64_t *from)
{
    size_t total[KINDS] = {0};

    if (scree_memory_reserve(memory, &received->body_start, &received->start_capacity,
                             (size_t)size + 1, sizeof *received->body_start))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t r = 0; r < size; r++) {
        received->body_start[r] = total[BODY];
        for (int kind = 0; kind < KINDS; kind++)
            total[kind] += (size_t)from[r * KINDS + (uint32_t)kind];
    }
    received->body_start[size] = total[BODY];
    received->body_count = total[BODY];
    received->pair_count = total[PAIR];
    received->wall_count = total[WALL];
    received->shape_count = total[SHAPE];
    return scree_memory_reserve(memory, &received->body, &received->body_capacity, total[BODY],
                                sizeof *received->body) ||
                   scree_memory_reserve(memory, &received->pair, &received->pair_capacity,
                                        total[PAIR], sizeof *received->pair) ||
                   scree_memory_reserve(memory, &received->wall, &received->wall_capacity,
                                        total[WALL], sizeof *received->wall) ||
                   scree_memory_reserve(memory, &received->shape, &received->shape_capacity,
                                        total[SHAPE], sizeof *received->shape)
               ? SCREE_OUT_OF_MEMORY
               : SCREE_OK;
}

/*  Makes the messages of one kind, for every rank that has any. Returns their number. */
static size_t make_messages(scree_rank_message *messages, uint32_t size, const uint64_t *counts,
                            int kind, void *rows, size_t row_bytes)
{
    unsigned char *at = rows;
    size_t made = 0;

    for (uint32_t r = 0; r < size; r++) {
        const size_t bytes = (size_t)counts[r * KINDS + (uint32_t)kind] * row_bytes;
        if (bytes)
            messages[made++] = (scree_rank_message){r, bytes, at};
        at = at ? at + bytes : NULL;
    }
    return made;
}

static scree_status exchange_kind(const outgoing *out, const scree_comm *comm, const uint64_t *from,
                                  scree_rank_message *messages, int kind, void *sent,
                                  void *received, size_t row_bytes)
{
    scree_rank_message *in = messages + out->size;
    const size_t out_count = make_messages(messages, out->size, out->counts, kind, sent, row_bytes);
    const size_t in_count = make_messages(in, out->size, from, kind, received, row_bytes);

    return comm->exchange(comm->user, messages, out_count, in, in_count);
}

/*  The counts are known; then records are written and sent. */
static scree_status lay_and_send(outgoing *out, void (*lay)(const outgoing *out, const void *what),
                                 const void *what, scree_received *received, scree_memory *memory,
                                 const scree_comm *comm, uint64_t *from,
                                 scree_rank_message *messages)
{
    scree_status status = comm->all_to_all(comm->user, out->counts, from, KINDS);

    if (status)
        return status;
    find_places(out);
    if (scree_memory_take(memory, out->total[BODY], sizeof *out->body, &out->body) ||
        scree_memory_take(memory, out->total[PAIR], sizeof *out->pair, &out->pair) ||
        scree_memory_take(memory, out->total[WALL], sizeof *out->wall, &out->wall) ||
        scree_memory_take(memory, out->total[SHAPE], sizeof *out->shape, &out->shape) ||
        reserve_incoming(received, memory, out->size, from))
        status = SCREE_OUT_OF_MEMORY;
    status = scree_comm_agree(comm, status);
    if (!status) {
        lay(out, what);
        status = exchange_kind(out, comm, from, messages, BODY, out->body, received->body,
                               sizeof *out->body);
    }
    if (!status)
        status = exchange_kind(out, comm, from, messages, PAIR, out->pair, received->pair,
                               sizeof *out->pair);
    if (!status)
        status = exchange_kind(out, comm, from, messages, WALL, out->wall, received->wall,
                               sizeof *out->wall);
    if (!status)
        status = exchange_kind(out, comm, from, messages, SHAPE, out->shape, received->shape,
                               sizeof *out->shape);
    scree_memory_give(memory, &out->body, out->total[BODY], sizeof *out->body);
    scree_memory_give(memory, &out->pair, out->total[PAIR], sizeof *out->pair);
    scree_memory_give(memory, &out->wall, out->total[WALL], sizeof *out->wall);
    scree_memory_give(memory, &out->shape, out->total[SHAPE], sizeof *out->shape);
    return status;
}

static scree_status send(outgoing *out, void (*lay)(const outgoing *out, const void *what),
                         const void *what, scree_received *received, scree_memory *memory,
                         const scree_comm *comm)
{
    const size_t words = (size_t)comm->size * KINDS;
    uint64_t *numbers = NULL; /* counts, write positions, counts of other ranks */
    scree_rank_message *messages = NULL;
    scree_status status;

    out->size = comm->size;
    status = scree_memory_take(memory, 3 * words, sizeof *numbers, &numbers);
    if (!status)
        status = scree_memory_take(memory, 2 * (size_t)comm->size, sizeof *messages, &messages);
    status = scree_comm_agree(comm, status);
    if (!status) {
        memset(numbers, 0, 3 * words * sizeof *numbers);
        out->counts = numbers;
        lay(out, what);
        out->at = numbers + words;
        status =
            lay_and_send(out, lay, what, received, memory, comm, numbers + 2 * words, messages);
    }
    scree_memory_give(memory, &numbers, 3 * words, sizeof *numbers);
    scree_memory_give(memory, &messages, 2 * (size_t)comm->size, sizeof *messages);
    return status;
}

/* ---- bodies with their contacts, and ghosts ---- */

static void lay_all(const outgoing *out, const void *what)
{
    (void)what;
    put_bodies(out);
    put_pairs(out);
    put_shapes(out);
}

scree_status scree_send_bodies(scree_received *received, scree_memory *memory,
                               const scree_comm *comm, const scree_world *world, uint32_t count,
                               const uint32_t *to)
{
    outgoing out = {.world = world, .count = count, .to = to};

    return send(&out, lay_all, NULL, received, memory, comm);
}

typedef struct ghosts
{
    const uint32_t *body;
    const size_t *start;
} ghosts;

static void write_ghosts(const outgoing *out, const void *what)
{
    const ghosts *of = what;

    for (uint32_t r = 0; r < out->size; r++)
        for (size_t k = of->start[r]; k < of->start[r + 1]; k++) {
            const size_t at = next_place(out, r, BODY);
            if (at != SIZE_MAX)
                pack_body(out->world, of->body[k], &out->body[at]);
        }
}

scree_status scree_send_ghosts(scree_received *received, scree_memory *memory,
                               const scree_comm *comm, const scree_world *world,
                               const uint32_t *body, const size_t *start)
{
    const ghosts what = {body, start};
    outgoing out = {.world = world};

    return send(&out, write_ghosts, &what, received, memory, comm);
}
