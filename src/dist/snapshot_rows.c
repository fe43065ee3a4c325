#include "dist/snapshot_rows.h"

#include "dist/unpack_shapes.h"

scree_row_kind scree_row_kind_of(const char *section)
{
    static const struct
    {
        const char *begin;
        scree_row_kind kind;
    } kinds[] = {{"solid.mesh", SCREE_ROWS_OF_HOST},      {"body.id", SCREE_ROWS_OF_HOST},
                 {"body.", SCREE_ROWS_OF_BODIES},         {"heat.body", SCREE_ROWS_OF_BODIES},
                 {"rest.body", SCREE_ROWS_OF_BODIES},     {"ambient.body", SCREE_ROWS_OF_BODIES},
                 {"pair.", SCREE_ROWS_OF_PAIRS},          {"surface.", SCREE_ROWS_OF_WALL_CONTACTS},
                 {"solid.", SCREE_ROWS_OF_SHAPE_CONTACTS}};

    for (size_t k = 0; k < SCREE_COUNT_OF(kinds); k++)
        if (strncmp(section, kinds[k].begin, strlen(kinds[k].begin)) == 0)
            return kinds[k].kind;
    return SCREE_ROWS_OF_HOST;
}

/*  While rows are made. */
typedef struct making
{
    scree_snapshot_rows_part *part;
    const scree_world *world; /* its interactions */
    const scree_snapshot_frame *frame;
    scree_serials mesh; /* number of each mesh by its digest */
    scree_sorter sorter;
    /* of each kind: records in the order of their rows, and what decides it */
    uint64_t *key[SCREE_ROW_KINDS];
    uint32_t *record[SCREE_ROW_KINDS];
    scree_shape_arrival *arrivals; /* contacts of shapes in their order */
    uint64_t *second;              /* rows of the second bodies: of pairs, then of shapes */
    size_t capacity[SCREE_ROW_KINDS], second_count, second_capacity;
} making;

/* ---- records that this rank writes ---- */

/*  Of the two records of a contact that of the first body counts. */
static bool is_kept(const scree_pair_record *record)
{
    return !record->goes_with_second;
}

static bool is_shape_kept(const scree_shape_contact_record *record)
{
    return !record->goes_with_second;
}

/*  The wall has not been removed since. */
static bool is_wall_kept(const scree_wall_contact_record *record)
{
    return record->wall[0] != UINT32_MAX;
}

static scree_status reserve(making *m)
{
    const scree_received *received = &m->part->received;
    scree_memory *memory = m->part->memory;
    const size_t most[SCREE_ROW_KINDS] = {received->body_count, received->pair_count,
                                          received->wall_count, received->shape_count};

    for (int kind = 0; kind < SCREE_ROW_KINDS; kind++) {
        if (most[kind] > UINT32_MAX)
            return SCREE_TOO_LARGE;
        m->capacity[kind] = most[kind];
        if (scree_memory_take(memory, most[kind], sizeof *m->key[kind], &m->key[kind]) ||
            scree_memory_take(memory, most[kind], sizeof *m->record[kind], &m->record[kind]))
            return SCREE_OUT_OF_MEMORY;
    }
    m->second_capacity = received->pair_count + received->shape_count;
    return scree_memory_take(memory, m->second_capacity, sizeof *m->second, &m->second) ||
                   scree_memory_take(memory, received->shape_count, sizeof *m->arrivals,
                                     &m->arrivals) ||
                   scree_memory_reserve(memory, &m->part->ranges.id, &m->part->ranges.id_capacity,
                                        received->body_count, sizeof *m->part->ranges.id)
               ? SCREE_OUT_OF_MEMORY
               : SCREE_OK;
}

static scree_status sort(making *m, scree_row_kind kind)
{
    return m->part->count[kind]
               ? scree_sort_u64(&m->sorter, m->part->memory, &m->world->workers, m->key[kind],
                                m->record[kind], (size_t)m->part->count[kind])
               : SCREE_OK;
}

static scree_status sort_bodies(making *m)
{
    const scree_received *received = &m->part->received;
    scree_id_ranges *ranges = &m->part->ranges;

    for (size_t k = 0; k < received->body_count; k++) {
        m->key[SCREE_ROWS_OF_BODIES][k] = received->body[k].serial[0];
        m->record[SCREE_ROWS_OF_BODIES][k] = (uint32_t)k;
    }
    m->part->count[SCREE_ROWS_OF_BODIES] = received->body_count;
    const scree_status status = sort(m, SCREE_ROWS_OF_BODIES);
    ranges->count = received->body_count;
    for (size_t k = 0; k < received->body_count; k++)
        ranges->id[k] = m->key[SCREE_ROWS_OF_BODIES][k];
    return status;
}

/*  Chooses records, and lists the ids whose rows are not known yet. */
static void choose_records(making *m)
{
    const scree_received *received = &m->part->received;
    uint64_t *count = m->part->count;

    for (size_t k = 0; k < received->pair_count; k++)
        if (is_kept(&received->pair[k])) {
            m->second[m->second_count++] = received->pair[k].second;
            m->record[SCREE_ROWS_OF_PAIRS][count[SCREE_ROWS_OF_PAIRS]++] = (uint32_t)k;
        }
    for (size_t k = 0; k < received->wall_count; k++)
        if (is_wall_kept(&received->wall[k])) {
            m->key[SCREE_ROWS_OF_WALL_CONTACTS][count[SCREE_ROWS_OF_WALL_CONTACTS]] =
                received->wall[k].serial;
            m->record[SCREE_ROWS_OF_WALL_CONTACTS][count[SCREE_ROWS_OF_WALL_CONTACTS]++] =
                (uint32_t)k;
        }
    for (size_t k = 0; k < received->shape_count; k++) {
        const scree_shape_contact_record *record = &received->shape[k];
        if (!is_shape_kept(record))
            continue;
        m->arrivals[count[SCREE_ROWS_OF_SHAPE_CONTACTS]++] = (scree_shape_arrival){
            {record->first, record->second ? record->second : record->wall, !record->second}, k};
    }
    scree_shape_arrivals_sort(m->arrivals, (size_t)count[SCREE_ROWS_OF_SHAPE_CONTACTS]);
    for (uint64_t k = 0; k < count[SCREE_ROWS_OF_SHAPE_CONTACTS]; k++) {
        const scree_shape_contact_record *record = &received->shape[m->arrivals[k].row];
        /* of a contact with a wall, the row of the first body, which is not used */
        m->second[m->second_count++] = record->second ? record->second : record->first;
    }
}

/*  The row of a body of this range. */
static uint64_t row_here(const making *m, uint64_t id)
{
    const scree_id_ranges *ranges = &m->part->ranges;
    size_t low = 0, high = ranges->count;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (ranges->id[middle] <= id)
            low = middle;
        else
            high = middle;
    }
    return scree_id_ranges_first_row(ranges, ranges->comm->rank) + low;
}

/*  By the first body, then the second. Afterwards the keys are the rows of both. */
static scree_status sort_pairs(making *m)
{
    uint64_t *key = m->key[SCREE_ROWS_OF_PAIRS];
    const uint32_t *record = m->record[SCREE_ROWS_OF_PAIRS];

    for (uint64_t k = 0; k < m->part->count[SCREE_ROWS_OF_PAIRS]; k++)
        key[k] = row_here(m, m->part->received.pair[record[k]].first) << 32 | m->second[k];
    return sort(m, SCREE_ROWS_OF_PAIRS);
}

static scree_status find_order(making *m)
{
    const scree_comm *comm = m->part->comm;
    scree_status status = reserve(m);

    if (!status)
        status = sort_bodies(m);
    status = scree_comm_agree(comm, status);
    if (status)
        return status;
    choose_records(m);
    status = scree_id_ranges_find_rows(&m->part->ranges, m->second, m->second_count);
    if (status)
        return status;
    for (size_t k = 0; k < m->second_count && !status; k++)
        status = m->second[k] > UINT32_MAX ? SCREE_BAD_VALUE : SCREE_OK;
    if (!status)
        status = sort_pairs(m);
    if (!status)
        status = sort(m, SCREE_ROWS_OF_WALL_CONTACTS);
    return scree_comm_agree(comm, status);
}

/* ---- rows ---- */

#define X_ROW(type, name, n, when)                                                                 \
    {                                                                                              \
        scree_packed_##type(*to)[n] = scree_snapshot_rows(rows, "body." #name);                    \
        for (uint64_t row = 0; row < count; row++)                                                 \
            for (int k = 0; k < (n); k++)                                                          \
                scree_pack_##type(&body[order[row]].name[k], &to[row][k]);                         \
    }

/*  Columns that not all worlds have. */
#define WRITE_COLUMN(section, name)                                                                \
    if (scree_snapshot_rows(rows, section)) {                                                      \
        unsigned char *to = scree_snapshot_rows(rows, section);                                    \
        for (uint64_t row = 0; row < count; row++, to += sizeof body->name)                        \
            memcpy(to, body[order[row]].name, sizeof body->name);                                  \
    }

static void write_bodies(const making *m)
{
    const scree_snapshot *rows = m->part->rows;
    const scree_body_record *body = m->part->received.body;
    const uint32_t *order = m->record[SCREE_ROWS_OF_BODIES];
    const uint64_t count = m->part->count[SCREE_ROWS_OF_BODIES];
    scree_packed_scree_shape *shape = scree_snapshot_rows(rows, "body.shape");

    SCREE_BODY_FIELDS(X_ROW)
    WRITE_COLUMN("heat.body", heat)
    WRITE_COLUMN("rest.body", sleep)
    WRITE_COLUMN("ambient.body", ambient)
    for (uint64_t row = 0; row < count; row++) {
        const scree_body_record *record = &body[order[row]];
        if (record->geometry)
            shape[row] = (scree_packed_scree_shape){
                (uint64_t)record->shape[0].kind |
                    (uint64_t)scree_slot_of_serial(&m->mesh, record->geometry) << 32,
                scree_shape_skin(&record->shape[0])};
    }
}

/*  History beyond the model's own variables is undefined and written as 0. */
static void write_history(const making *m, const scree_packed_law *law, const double *from,
                          double *to)
{
    const scree_rule_slot *slot =
        &m->world->rules.slots[scree_packed_law_slot(&m->world->rules, law)];

    memcpy(to, from, (slot->law ? slot->law->memory_count : 0) * sizeof *to);
}

static void write_pairs(const making *m)
{
    const scree_snapshot *rows = m->part->rows;
    const scree_snapshot_head *head = &m->frame->head;
    uint32_t *first = scree_snapshot_rows(rows, "pair.first");
    uint32_t *second = scree_snapshot_rows(rows, "pair.second");
    scree_packed_law *law = scree_snapshot_rows(rows, "pair.law");
    double(*row)[8] = scree_snapshot_rows(rows, "pair.row");
    double(*moment)[4] = scree_snapshot_rows(rows, "pair.moment");
    double(*account)[4] = scree_snapshot_rows(rows, "pair.account");
    double *history = scree_snapshot_rows(rows, "pair.remembered");

    for (uint64_t at = 0; at < m->part->count[SCREE_ROWS_OF_PAIRS]; at++) {
        const scree_pair_record *record =
            &m->part->received.pair[m->record[SCREE_ROWS_OF_PAIRS][at]];
        first[at] = (uint32_t)(m->key[SCREE_ROWS_OF_PAIRS][at] >> 32);
        second[at] = (uint32_t)m->key[SCREE_ROWS_OF_PAIRS][at];
        law[at] = record->law;
        write_history(m, &record->law, record->history, history + at * head->planes);
        if (head->is_stale)
            continue;
        memcpy(row[at], record->row, sizeof record->row);
        if (head->has_moments)
            memcpy(moment[at], record->moment, sizeof record->moment);
        if (head->has_account)
            memcpy(account[at], record->account, sizeof record->account);
    }
}

#define X_WALL(name, n)                                                                            \
    memcpy((double(*)[n])scree_snapshot_rows(rows, "surface." #name) + at, record->name,           \
           sizeof record->name);

static void write_wall_contacts(const making *m)
{
    const scree_snapshot *rows = m->part->rows;
    uint32_t *body = scree_snapshot_rows(rows, "surface.body");
    uint32_t *wall = scree_snapshot_rows(rows, "surface.wall");
    scree_packed_law *law = scree_snapshot_rows(rows, "surface.law");
    scree_packed_mesh_memory *memory = scree_snapshot_rows(rows, "surface.memory");
    double *history = scree_snapshot_rows(rows, "surface.remembered");

    for (uint64_t at = 0; at < m->part->count[SCREE_ROWS_OF_WALL_CONTACTS]; at++) {
        const scree_wall_contact_record *record =
            &m->part->received.wall[m->record[SCREE_ROWS_OF_WALL_CONTACTS][at]];
        body[at] = (uint32_t)row_here(m, record->serial);
        wall[at] = record->wall[0];
        law[at] = record->law;
        memory[at] = scree_mesh_memory_pack(&record->memory[0]);
        SCREE_WALL_CONTACT_COLUMNS(X_WALL)
        write_history(m, &record->law, record->history, history + at * m->frame->head.planes);
    }
}

#define X_SHAPE(name, n)                                                                           \
    memcpy((double(*)[n])scree_snapshot_rows(rows, "solid." #name) + at, record->name,             \
           sizeof record->name);

static void write_shape_contacts(const making *m)
{
    const scree_snapshot *rows = m->part->rows;
    const uint64_t *second = m->second + m->part->count[SCREE_ROWS_OF_PAIRS];
    uint32_t *body[2] = {scree_snapshot_rows(rows, "solid.first"),
                         scree_snapshot_rows(rows, "solid.second")};
    uint32_t *wall = scree_snapshot_rows(rows, "solid.wall");
    uint32_t *facet = scree_snapshot_rows(rows, "solid.facet");
    scree_packed_law *law = scree_snapshot_rows(rows, "solid.law");
    scree_packed_mesh_memory *memory = scree_snapshot_rows(rows, "solid.memory");
    double *history = scree_snapshot_rows(rows, "solid.remembered");

    for (uint64_t at = 0; at < m->part->count[SCREE_ROWS_OF_SHAPE_CONTACTS]; at++) {
        const scree_shape_contact_record *record = &m->part->received.shape[m->arrivals[at].row];
        body[0][at] = (uint32_t)row_here(m, record->first);
        body[1][at] = record->second ? (uint32_t)second[at] : UINT32_MAX;
        wall[at] = record->second ? UINT32_MAX : record->wall;
        facet[at] = record->facet;
        law[at] = record->law;
        memory[at] = scree_mesh_memory_pack(&record->memory);
        SCREE_SHAPE_CONTACT_COLUMNS(X_SHAPE)
        write_history(m, &record->law, record->history, history + at * m->frame->head.planes);
    }
}

/* ---- all ---- */

/*  Rows of each rank, in the place of its number. */
static scree_status sum_counts(scree_snapshot_rows_part *part)
{
    const size_t size = part->comm->size, words = size * SCREE_ROW_KINDS;
    uint64_t *counts = NULL;
    scree_status status = scree_comm_agree(
        part->comm, scree_memory_take(part->memory, words, sizeof *counts, &counts));

    if (!status) {
        memset(counts, 0, words * sizeof *counts);
        memcpy(counts + part->comm->rank * (size_t)SCREE_ROW_KINDS, part->count,
               sizeof part->count);
        status = part->comm->reduce(part->comm->user, SCREE_REDUCE_SUM, counts, words);
    }
    for (size_t r = 0; r < size && !status; r++)
        for (int kind = 0; kind < SCREE_ROW_KINDS; kind++) {
            if (r < part->comm->rank)
                part->before[kind] += counts[r * SCREE_ROW_KINDS + (size_t)kind];
            part->total[kind] += counts[r * SCREE_ROW_KINDS + (size_t)kind];
        }
    scree_memory_give(part->memory, &counts, words, sizeof *counts);
    return status;
}

static scree_status make_sections(making *m)
{
    const uint64_t *count = m->part->count;
    scree_snapshot_head head = m->frame->head;
    const scree_snapshot_tail tail = {.meshes = m->frame->tail.meshes,
                                      .contacts = count[SCREE_ROWS_OF_SHAPE_CONTACTS],
                                      .has_heat = m->frame->tail.has_heat,
                                      .has_sleep = m->frame->tail.has_sleep,
                                      .has_ambient_work = m->frame->tail.has_ambient_work};

    head.bodies = count[SCREE_ROWS_OF_BODIES];
    head.pairs = count[SCREE_ROWS_OF_PAIRS];
    head.wall_contacts = count[SCREE_ROWS_OF_WALL_CONTACTS];
    head.names = head.walls = head.table_rows = 0;
    scree_status status =
        scree_snapshot_make(&m->part->memory->allocator, &head, &tail, &m->part->rows);
    if (!status && tail.meshes)
        status = scree_serials_reserve(&m->mesh, m->part->memory, (size_t)tail.meshes);
    for (uint64_t k = 0; k < tail.meshes && !status; k++)
        scree_serials_add(&m->mesh, m->frame->mesh[k], (uint32_t)k + 2);
    return scree_comm_agree(m->part->comm, status);
}

/*  The records of each range to its rank. */
static scree_status send(scree_snapshot_rows_part *part, const scree_world *world, uint32_t owned)
{
    const uint32_t all = world->bodies.count;
    uint32_t *to = NULL;
    scree_status status =
        scree_comm_agree(part->comm, scree_memory_take(part->memory, all, sizeof *to, &to));

    for (uint32_t slot = 0; slot < all && !status; slot++)
        to[slot] = scree_id_ranges_owner(&part->ranges, world->bodies.serial[slot][0]);
    if (!status)
        status = scree_send_bodies(&part->received, part->memory, part->comm, world, owned, to,
                                   SCREE_ONE_ROUND);
    scree_memory_give(part->memory, &to, all, sizeof *to);
    return status;
}

static void free_making(making *m)
{
    scree_memory *memory = m->part->memory;

    for (int kind = 0; kind < SCREE_ROW_KINDS; kind++) {
        scree_memory_give(memory, &m->key[kind], m->capacity[kind], sizeof *m->key[kind]);
        scree_memory_give(memory, &m->record[kind], m->capacity[kind], sizeof *m->record[kind]);
    }
    scree_memory_give(memory, &m->second, m->second_capacity, sizeof *m->second);
    scree_memory_give(memory, &m->arrivals, m->part->received.shape_count, sizeof *m->arrivals);
    scree_sorter_free(&m->sorter, memory);
    scree_serials_free(&m->mesh, memory);
}

static scree_status make_rows(making *m)
{
    scree_status status = find_order(m);

    if (!status)
        status = sum_counts(m->part);
    if (!status)
        status = make_sections(m);
    if (status)
        return status;
    write_bodies(m);
    write_pairs(m);
    write_wall_contacts(m);
    if (m->frame->tail.meshes)
        write_shape_contacts(m);
    return SCREE_OK;
}

scree_status scree_snapshot_rows_make(scree_snapshot_rows_part *part, scree_memory *memory,
                                      const scree_comm *comm, const scree_world *world,
                                      uint32_t owned, const scree_snapshot_frame *frame)
{
    making m = {.part = part, .world = world, .frame = frame};

    *part = (scree_snapshot_rows_part){.memory = memory, .comm = comm};
    scree_status status = scree_id_ranges_make(&part->ranges, memory, comm, &world->bodies, owned);
    if (!status)
        status = send(part, world, owned);
    if (!status)
        status = make_rows(&m);
    free_making(&m);
    scree_received_free(&part->received, memory);
    return status;
}

void scree_snapshot_rows_free(scree_snapshot_rows_part *part)
{
    scree_snapshot_destroy(part->rows);
    scree_id_ranges_free(&part->ranges);
}
