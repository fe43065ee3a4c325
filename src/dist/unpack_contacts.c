#include "dist/unpack_contacts.h"

#include "world/step/room_data.h"

/* ---- contacts of spheres ---- */

/*  Reserves pairs in an empty list, and their forces. */
static scree_status reserve_pairs(scree_world *world, scree_contact_list *list, size_t count,
                                  uint32_t planes)
{
    list->count = 0;
    list->has_pairs_without_law = list->rows_are_next = list->is_indexed = false;
    list->alike = 0;
    list->packed_tiles = 0;
    list->gaps.is_known = false;
    world->contacts.has_rows = true;
    if (scree_contact_list_reserve(list, count) ||
        scree_contact_sets_reserve(&world->contacts, count, planes, world->rules.has_moments,
                                   world->def.energy_balance))
        return SCREE_OUT_OF_MEMORY;
    list->count = count;
    scree_status status = scree_contact_list_reserve_memory(list, planes);
    if (!status)
        status = scree_contact_list_reserve_index(list, world->bodies.count);
    list->count = 0;
    return status;
}

static void put_pair(const scree_pair_record *record, scree_world *world, uint32_t first,
                     uint32_t second)
{
    scree_contact_list *list = &world->spare;
    const size_t c = list->count++;

    list->first[c][0] = first;
    list->second[c][0] = second;
    list->touches[c][0] = list->touches_next[c][0] = 1;
    list->slot[c][0] = scree_packed_law_slot(&world->rules, &record->law);
    for (uint32_t m = 0; m < list->planes; m++)
        list->history[m][c] = record->history[m];
    memcpy(world->contacts.row[c], record->row, sizeof record->row);
    if (world->contacts.has_moments)
        memcpy(world->contacts.moment[c], record->moment, sizeof record->moment);
    if (world->contacts.has_account)
        memcpy(world->contacts.account[c], record->account, sizeof record->account);
}

static scree_status add_pairs(const scree_contact_intake *intake, const scree_received *received)
{
    uint32_t first, second;

    for (size_t k = 0; k < received->pair_count; k++) {
        const scree_pair_record *record = &received->pair[k];
        if (scree_slots_of_pair(&intake->table, record->first, record->second,
                                record->goes_with_second, intake->owned, &first, &second))
            put_pair(record, intake->world, first, second);
        else if (first == UINT32_MAX && second == UINT32_MAX)
            return SCREE_BAD_VALUE;
    }
    return SCREE_OK;
}

/* ---- contacts with walls ---- */

static scree_status reserve_wall_contacts(scree_world *world, size_t wanted)
{
    scree_wall_contact_list *list = &world->wall_contacts.next;
    const uint32_t count = world->bodies.count;

    list->count = 0;
    if (scree_wall_contact_list_reserve(list, world->wall_contacts.memory, wanted,
                                        (uint32_t)world->rules.planes, count))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t slot = 0; slot < count; slot++)
        list->begin[slot] = list->end[slot] = 0;
    return SCREE_OK;
}

#define X_UNPACK_WALL(type, name, n) memcpy(list->name[c], record->name, sizeof record->name);

static void put_wall(const scree_wall_contact_record *record, const scree_rules *rules,
                     scree_wall_contact_list *list, uint32_t slot)
{
    const uint32_t c = (uint32_t)list->count++;

    SCREE_SURFACE_FIELDS(X_UNPACK_WALL)
    list->body[c][0] = slot;
    list->slot[c][0] = scree_packed_law_slot(rules, &record->law);
    list->previous[c][0] = UINT32_MAX;
    for (uint32_t m = 0; m < list->planes; m++)
        list->history[m][c] = record->history[m];
    if (list->end[slot] == 0)
        list->begin[slot] = c;
    list->end[slot] = c + 1;
}

/*  Records of one body are contiguous. */
static scree_status add_wall_contacts(const scree_contact_intake *intake,
                                      const scree_received *received)
{
    for (size_t k = 0; k < received->wall_count; k++) {
        const uint32_t slot = scree_slot_of_serial(&intake->table, received->wall[k].serial);
        if (slot == UINT32_MAX)
            return SCREE_BAD_VALUE;
        put_wall(&received->wall[k], &intake->world->rules, &intake->world->wall_contacts.next,
                 slot);
    }
    return SCREE_OK;
}

/* ---- what the list of events knows of contacts ---- */

static scree_status reserve_spans(scree_world *world, const size_t incoming[SCREE_RECORDS])
{
    return world->def.events
               ? scree_spans_clear(&world->events.next_spans, &world->memory,
                                   incoming[SCREE_RECORD_PAIR] + incoming[SCREE_RECORD_WALL] +
                                       incoming[SCREE_RECORD_SHAPE])
               : SCREE_OK;
}

static void put_span(scree_world *world, const scree_serials *table, uint64_t first,
                     uint64_t second, uint32_t wall, uint32_t facet,
                     const scree_span_record *record)
{
    const uint32_t slot = scree_slot_of_serial(table, first);
    const uint32_t partner = second ? scree_slot_of_serial(table, second) : UINT32_MAX;
    scree_contact_span span = {.begin = record->begin};

    if (!record->is_known || slot == UINT32_MAX || (second && partner == UINT32_MAX))
        return;
    memcpy(span.impulse, record->impulse, sizeof span.impulse);
    span.name.first = world->bodies.id[slot][0];
    span.name.facet = facet;
    if (second)
        span.name.second = world->bodies.id[partner][0];
    else
        span.name.wall = world->walls.wall[wall].id;
    scree_spans_put(&world->events.next_spans, &span);
}

static void add_spans(const scree_contact_intake *intake, const scree_received *received)
{
    scree_world *world = intake->world;
    const scree_serials *table = &intake->table;

    if (!world->def.events)
        return;
    for (size_t k = 0; k < received->pair_count; k++) {
        const scree_pair_record *record = &received->pair[k];
        put_span(world, table, record->first, record->second, 0, 0, &record->span);
    }
    for (size_t k = 0; k < received->wall_count; k++) {
        const scree_wall_contact_record *record = &received->wall[k];
        put_span(world, table, record->serial, 0, record->wall[0], record->memory[0].facet,
                 &record->span);
    }
    /* all contacts of a pair of shapes are one */
    for (size_t k = 0; k < received->shape_count; k++) {
        const scree_shape_contact_record *record = &received->shape[k];
        put_span(world, table, record->first, record->second, record->wall, 0, &record->span);
    }
}

static void accept_spans(scree_event_log *log)
{
    const scree_span_table before = log->spans;

    log->spans = log->next_spans;
    log->next_spans = before;
}

/* ---- all ---- */

scree_status scree_contact_intake_begin(scree_contact_intake *intake, scree_world *world,
                                        uint32_t owned, const size_t incoming[SCREE_RECORDS])
{
    *intake = (scree_contact_intake){.world = world, .owned = owned, .shapes.world = world};
    scree_status status = scree_slot_table_make(&intake->table, &world->memory, &world->bodies);

    if (!status)
        status = reserve_pairs(world, &world->spare, incoming[SCREE_RECORD_PAIR],
                               (uint32_t)world->rules.planes);
    if (!status)
        status = reserve_wall_contacts(world, incoming[SCREE_RECORD_WALL]);
    if (!status)
        status = reserve_spans(world, incoming);
    return status ? status
                  : scree_shape_intake_begin(&intake->shapes, world, incoming[SCREE_RECORD_SHAPE]);
}

scree_status scree_contact_intake_add(scree_contact_intake *intake, const scree_received *received)
{
    scree_status status = add_pairs(intake, received);

    if (!status)
        status = add_wall_contacts(intake, received);
    if (!status)
        status = scree_shape_intake_add(&intake->shapes, received, intake->owned, &intake->table);
    if (!status)
        add_spans(intake, received);
    return status;
}

scree_status scree_contact_intake_accept(scree_contact_intake *intake)
{
    scree_world *world = intake->world;
    const scree_status status =
        scree_contact_list_count(&world->spare, world->bodies.count, &world->workers);
    const scree_contact_list before = world->pairs;

    if (status)
        return status;
    world->pairs = world->spare;
    world->spare = before;
    scree_contact_list_index(&world->pairs, &world->bodies);
    if (world->def.events)
        accept_spans(&world->events);
    scree_wall_contacts_accept(&world->wall_contacts);
    scree_shape_intake_sort(&intake->shapes);
    scree_shape_contacts_accept(&world->shape_contacts);
    world->needs_search = true;
    world->list_is_new = false;
    world->rows_are_stale = false;
    scree_sleep_forget(&world->sleep);
    world->wall_contacts.has_rows = true;
    world->detection_stats.contacts =
        world->pairs.count + world->wall_contacts.now.count + world->shape_contacts.now.count;
    world->contacts.touching = world->pairs.count;
    return SCREE_OK;
}

void scree_contact_intake_end(scree_contact_intake *intake)
{
    scree_shape_intake_end(&intake->shapes);
    scree_serials_free(&intake->table, &intake->world->memory);
}
