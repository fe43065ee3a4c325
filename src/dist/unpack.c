/*  Bodies are found by global id, in a table made for this purpose. New lists have only touching pairs, as after a
    snapshot: a search makes the neighbour list before the next step. They are made next to the present lists, in
    those that serve as scratch between steps, so that a failure changes nothing. */
#include "dist/unpack.h"

#include "dist/unpack_shapes.h"
#include "world/search/sort_bodies.h"
#include "world/step/room_data.h"

/* ---- bodies ---- */

static void forget_contacts(scree_world *world)
{
    world->pairs.count = 0;
    world->pairs.is_indexed = false;
    world->wall_contacts.now.count = 0;
    /* their handles may name other bodies from now on */
    world->shape_contacts.now.count = world->shape_contacts.next.count = 0;
}

/*  Frees all names: names are private to this part. */
static void forget_bodies(scree_body_arrays *bodies)
{
    bodies->count = bodies->name_count = bodies->free_name = bodies->retired = 0;
    bodies->special = bodies->odd = bodies->loaded = bodies->nonspheres = 0;
    bodies->added = bodies->removed = 0;
    bodies->least_is_known = false;
    scree_serials_free(&bodies->serials, bodies->memory);
}

static scree_status make_room(scree_world *world, size_t count)
{
    const uint32_t before = world->bodies.count;
    scree_status status = scree_bodies_reserve(&world->bodies, count);

    if (!status)
        status = scree_contact_list_admit(&world->pairs, before, (uint32_t)count);
    if (!status)
        status = scree_wall_contacts_admit(&world->wall_contacts, before, (uint32_t)count);
    return status;
}

#define X_UNPACK(type, name, n, when)                                                              \
    if (bodies->name)                                                                              \
        memcpy(bodies->name[slot], record->name, sizeof record->name);

/*  A body keeps the name that it has in this world. `shape`: with the meshes and clumps of this world. */
static void unpack_body(const scree_body_record *record, scree_body_arrays *bodies, uint32_t slot,
                        scree_shape shape)
{
    const scree_body_id id = bodies->id[slot][0];

    SCREE_BODY_FIELDS(X_UNPACK)
    if (bodies->keeps[SCREE_KEEP_HEAT])
        memcpy(bodies->heat[slot], record->heat, sizeof record->heat);
    if (bodies->keeps[SCREE_KEEP_AMBIENT])
        memcpy(bodies->ambient[slot], record->ambient, sizeof record->ambient);
    if (bodies->keeps[SCREE_KEEP_SLEEP])
        memcpy(bodies->sleep[slot], record->sleep, sizeof record->sleep);
    bodies->id[slot][0] = id;
    bodies->shape[slot][0] = shape;
}

/*  SCREE_BAD_VALUE if a mesh or clump is not here, SCREE_OUT_OF_MEMORY. */
static scree_status enter(const scree_received *received, scree_world *part, uint32_t more_flags)
{
    scree_body_arrays *bodies = &part->bodies;
    scree_geometry_index index;
    scree_status status = scree_geometry_index_make(&index, &part->shape_finder.meshes);

    for (size_t k = 0; k < received->body_count && !status; k++) {
        scree_shape shape;
        status = scree_geometry_index_shape(&index, &received->body[k], &shape);
        if (status)
            break;
        const uint32_t slot = scree_bodies_push(bodies);
        unpack_body(&received->body[k], bodies, slot, shape);
        bodies->flags[slot][0] |= more_flags;
        scree_bodies_tally(bodies, slot, 1);
        bodies->added++;
    }
    scree_geometry_index_free(&index);
    return status;
}

static scree_status sort(scree_world *part)
{
    const scree_step step = scree_world_this_step(part, 0);

    if (part->bodies.count < 2)
        return SCREE_OK;
    return scree_bodies_sort(&step, &part->order, &part->bodies, &part->pairs,
                             &part->wall_contacts);
}

scree_status scree_unpack_bodies(const scree_received *received, scree_world *part)
{
    scree_status status;

    forget_contacts(part);
    forget_bodies(&part->bodies);
    status = make_room(part, received->body_count);
    if (!status)
        status = enter(received, part, 0);
    if (status)
        return status;
    scree_wall_contacts_clear_search(&part->wall_contacts, part->bodies.count);
    return sort(part);
}

scree_status scree_unpack_ghosts(const scree_received *received, scree_world *part)
{
    scree_status status = make_room(part, part->bodies.count + received->body_count);

    return status ? status : enter(received, part, SCREE_GHOST);
}

/* ---- contacts of bodies ---- */

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
    const scree_status status = scree_contact_list_reserve_memory(list, planes);
    list->count = 0;
    return status;
}

static bool find_pair(const scree_serials *table, const scree_pair_record *record, uint32_t owned,
                      uint32_t *first, uint32_t *second)
{
    return scree_slots_of_pair(table, record->first, record->second, record->goes_with_second,
                               owned, first, second);
}

static void put_pair(const scree_pair_record *record, const scree_rules *rules,
                     scree_contact_list *list, uint32_t first, uint32_t second)
{
    const size_t c = list->count++;

    list->first[c][0] = first;
    list->second[c][0] = second;
    list->touches[c][0] = list->touches_next[c][0] = 1;
    list->slot[c][0] = scree_packed_law_slot(rules, &record->law);
    for (uint32_t m = 0; m < list->planes; m++)
        list->history[m][c] = record->history[m];
}

static scree_status make_pairs(const scree_received *received, scree_world *world, uint32_t owned,
                               const scree_serials *table)
{
    scree_contact_list *list = &world->spare;
    uint32_t first, second;
    const scree_status status =
        reserve_pairs(world, list, received->pair_count, (uint32_t)world->rules.planes);

    if (status)
        return status;
    for (size_t k = 0; k < received->pair_count; k++)
        if (find_pair(table, &received->pair[k], owned, &first, &second))
            put_pair(&received->pair[k], &world->rules, list, first, second);
        else if (first == UINT32_MAX && second == UINT32_MAX)
            return SCREE_BAD_VALUE;
    return scree_contact_list_count(list, world->bodies.count, &world->workers);
}

/*  Installs the new list, and the forces of its contacts, of which there is only one copy. */
static void take_pairs(const scree_received *received, scree_world *world, uint32_t owned,
                       const scree_serials *table)
{
    const scree_contact_list kept = world->pairs;
    uint32_t first, second;
    size_t c = 0;

    world->pairs = world->spare;
    world->spare = kept;
    for (size_t k = 0; k < received->pair_count; k++) {
        const scree_pair_record *record = &received->pair[k];
        if (!find_pair(table, record, owned, &first, &second))
            continue;
        memcpy(world->contacts.row[c], record->row, sizeof record->row);
        if (world->contacts.has_moments)
            memcpy(world->contacts.moment[c], record->moment, sizeof record->moment);
        if (world->contacts.has_account)
            memcpy(world->contacts.account[c], record->account, sizeof record->account);
        c++;
    }
    scree_contact_list_index(&world->pairs, &world->bodies);
}

/* ---- contacts with walls ---- */

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
static scree_status make_wall_contacts(const scree_received *received, scree_world *world,
                                       const scree_serials *table)
{
    scree_wall_contact_list *list = &world->wall_contacts.next;
    const uint32_t count = world->bodies.count;

    list->count = 0;
    if (scree_wall_contact_list_reserve(list, world->wall_contacts.memory, received->wall_count,
                                        (uint32_t)world->rules.planes, count))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t slot = 0; slot < count; slot++)
        list->begin[slot] = list->end[slot] = 0;
    for (size_t k = 0; k < received->wall_count; k++) {
        const uint32_t slot = scree_slot_of_serial(table, received->wall[k].serial);
        if (slot == UINT32_MAX)
            return SCREE_BAD_VALUE;
        put_wall(&received->wall[k], &world->rules, list, slot);
    }
    return SCREE_OK;
}

/* ---- what the list of events knows of contacts ---- */

static scree_status reserve_spans(const scree_received *received, scree_world *world)
{
    return world->def.events ? scree_spans_clear(&world->events.next_spans, &world->memory,
                                                 received->pair_count + received->wall_count +
                                                     received->shape_count)
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

static void take_spans(const scree_received *received, scree_world *world,
                       const scree_serials *table)
{
    scree_event_log *log = &world->events;
    const scree_span_table before = log->spans;

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
    log->spans = log->next_spans;
    log->next_spans = before;
}

/* ---- all ---- */

/*  Everything that can fail. */
static scree_status make_contacts(const scree_received *received, scree_world *world,
                                  uint32_t owned, const scree_serials *table)
{
    scree_status status = make_pairs(received, world, owned, table);

    if (!status)
        status = make_wall_contacts(received, world, table);
    if (!status)
        status = reserve_spans(received, world);
    return status ? status : scree_unpack_shape_contacts(received, world, owned, table);
}

static void take_contacts(const scree_received *received, scree_world *world, uint32_t owned,
                          const scree_serials *table)
{
    take_pairs(received, world, owned, table);
    take_spans(received, world, table);
    scree_wall_contacts_accept(&world->wall_contacts);
    scree_shape_contacts_accept(&world->shape_contacts);
    world->needs_search = true;
    world->list_is_new = false;
    world->rows_are_stale = false;
    scree_sleep_forget(&world->sleep);
    world->wall_contacts.has_rows = true;
    world->detection_stats.contacts =
        world->pairs.count + world->wall_contacts.now.count + world->shape_contacts.now.count;
    world->contacts.touching = world->pairs.count;
}

scree_status scree_unpack_contacts(const scree_received *received, scree_world *part,
                                   uint32_t owned)
{
    scree_serials table;
    scree_status status = scree_slot_table_make(&table, &part->memory, &part->bodies);

    if (!status)
        status = make_contacts(received, part, owned, &table);
    if (!status)
        take_contacts(received, part, owned, &table);
    scree_serials_free(&table, &part->memory);
    return status;
}

/*  Whether all bodies of the records are in the whole world. */
static bool all_are_here(const scree_received *received, const scree_serials *table)
{
    bool all = true;

    for (size_t k = 0; k < received->body_count; k++)
        all &= scree_slot_of_serial(table, received->body[k].serial[0]) != UINT32_MAX;
    for (size_t k = 0; k < received->pair_count; k++)
        all &= scree_slot_of_serial(table, received->pair[k].first) != UINT32_MAX &&
               scree_slot_of_serial(table, received->pair[k].second) != UINT32_MAX;
    for (size_t k = 0; k < received->shape_count; k++)
        all &= scree_slot_of_serial(table, received->shape[k].first) != UINT32_MAX &&
               (!received->shape[k].second ||
                scree_slot_of_serial(table, received->shape[k].second) != UINT32_MAX);
    return all;
}

scree_status scree_unpack_into_whole(const scree_received *received, scree_world *whole)
{
    const bool had_rows = whole->contacts.has_rows;
    const uint32_t count = whole->bodies.count;
    scree_serials table;
    scree_status status = received->body_count == count
                              ? scree_slot_table_make(&table, &whole->memory, &whole->bodies)
                              : SCREE_BAD_VALUE;

    if (status)
        return status;
    status = all_are_here(received, &table) ? make_contacts(received, whole, count, &table)
                                            : SCREE_BAD_VALUE;
    for (size_t k = 0; k < received->body_count && !status; k++) {
        const uint32_t slot = scree_slot_of_serial(&table, received->body[k].serial[0]);
        unpack_body(&received->body[k], &whole->bodies, slot, whole->bodies.shape[slot][0]);
    }
    if (!status) {
        take_contacts(received, whole, count, &table);
        /* the search for walls has used other positions */
        scree_wall_contacts_renew_all(&whole->wall_contacts, count);
    } else {
        whole->contacts.has_rows = had_rows;
    }
    scree_serials_free(&table, &whole->memory);
    return status;
}
