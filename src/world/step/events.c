/*  Finds what begins and ends by comparing, before a step is taken, who touched with who touches. */
#include "world/step/events.h"

#include "world/step/world_data.h"

#include <stdlib.h>
#include <string.h>

/* ---- records ---- */

void scree_event_log_free(scree_event_log *log, scree_memory *memory)
{
    scree_memory_give(memory, &log->list, log->capacity, sizeof *log->list);
    scree_memory_give(memory, &log->records, log->record_capacity, sizeof *log->records);
    scree_memory_give(memory, &log->marks, log->mark_capacity, sizeof *log->marks);
}

static scree_status reserve_records(scree_event_log *log, scree_memory *memory, size_t more)
{
    size_t records = log->record_count + more;

    if (scree_memory_reserve(memory, &log->records, &log->record_capacity, records,
                             sizeof *log->records) ||
        scree_memory_reserve(memory, &log->list, &log->capacity, log->count + records,
                             sizeof *log->list))
        return SCREE_OUT_OF_MEMORY;
    return SCREE_OK;
}

static scree_status lacks_memory(scree_error *error)
{
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "world: the list of events: out of memory");
}

static scree_event_record *push(scree_event_log *log, const scree_crowd *bodies, bool begins,
                                uint32_t first_slot)
{
    scree_event_record *record = &log->records[log->record_count++];

    memset(record, 0, sizeof *record);
    record->event.begins = begins;
    record->event.first = bodies->id[first_slot][0];
    record->serial = bodies->serial[first_slot][0];
    return record;
}

static void note_pair(scree_event_log *log, const scree_crowd *bodies,
                      const scree_contact_list *list, size_t c, bool begins)
{
    uint32_t second = list->second[c][0];
    scree_event_record *record = push(log, bodies, begins, list->first[c][0]);

    record->event.second = bodies->id[second][0];
    record->partner = bodies->serial[second][0];
}

static void note_surface(scree_event_log *log, const scree_crowd *bodies, const scree_walls *walls,
                         const scree_surface_list *list, size_t c, bool begins)
{
    uint32_t wall = list->wall[c][0];
    scree_event_record *record = push(log, bodies, begins, list->body[c][0]);

    record->event.wall = walls->wall[wall].id;
    record->event.facet = list->memory[c][0].facet;
    record->partner = wall;
}

void scree_events_clear(scree_world *world)
{
    world->events.record_count = 0;
}

/* ---- pairs ---- */

/*  The candidate of two bodies, looked for at the one that has fewer. */
static bool is_candidate(const scree_contact_list *list, uint32_t first, uint32_t second)
{
    bool at_first = list->end[first] - list->begin[first] < list->end[second] - list->begin[second];
    uint32_t at = at_first ? first : second, partner = at_first ? second : first;

    for (uint32_t e = list->begin[at]; e < list->end[at]; e++) {
        uint32_t c = list->entry[e] >> 1;
        if ((list->entry[e] & 1 ? list->first[c][0] : list->second[c][0]) == partner)
            return true;
    }
    return false;
}

/*  Of the list before this one; its slots are those of now. */
scree_status scree_events_find_parted(scree_world *world)
{
    const scree_contact_list *old = &world->spare;

    if (!world->def.events || !world->list_is_new)
        return SCREE_OK;
    for (size_t c = 0; c < old->count; c++) {
        if (!old->touches[c][0] || is_candidate(&world->pairs, old->first[c][0], old->second[c][0]))
            continue;
        if (reserve_records(&world->events, &world->memory, 1))
            return lacks_memory(&world->error);
        note_pair(&world->events, &world->bodies, old, c, false);
    }
    return SCREE_OK;
}

static size_t count_pair_changes(const scree_contact_list *list)
{
    size_t count = 0;

    for (size_t c = 0; c < list->count; c++)
        count += list->touches[c][0] != list->touches_next[c][0];
    return count;
}

static void find_pairs(scree_event_log *log, const scree_crowd *bodies,
                       const scree_contact_list *list)
{
    for (size_t c = 0; c < list->count; c++)
        if (list->touches[c][0] != list->touches_next[c][0])
            note_pair(log, bodies, list, c, list->touches_next[c][0]);
}

/* ---- walls ---- */

/*  Contacts of before that go on are marked. SCREE_OUT_OF_MEMORY. */
static scree_status mark_heirs(scree_event_log *log, scree_memory *memory,
                               const scree_surfaces *surfaces)
{
    const scree_surface_list *now = &surfaces->now, *next = &surfaces->next;

    if (scree_memory_reserve(memory, &log->marks, &log->mark_capacity, now->count,
                             sizeof *log->marks))
        return SCREE_OUT_OF_MEMORY;
    if (now->count)
        memset(log->marks, 0, now->count);
    for (size_t c = 0; c < next->count; c++)
        if (next->heir[c][0] != UINT32_MAX)
            log->marks[next->heir[c][0]] = 1;
    return SCREE_OK;
}

static void find_surfaces(scree_event_log *log, const scree_crowd *bodies, const scree_walls *walls,
                          const scree_surfaces *surfaces)
{
    const scree_surface_list *now = &surfaces->now, *next = &surfaces->next;

    for (size_t c = 0; c < next->count; c++)
        if (next->heir[c][0] == UINT32_MAX)
            note_surface(log, bodies, walls, next, c, true);
    for (size_t c = 0; c < now->count; c++)
        if (now->body[c][0] != UINT32_MAX && now->wall[c][0] != UINT32_MAX && !log->marks[c])
            note_surface(log, bodies, walls, now, c, false);
}

/* ---- bodies of triangles: all contacts of a pair are one ---- */

static bool is_of_same_pair(const scree_solid_list *list, size_t c, size_t d)
{
    return memcmp(list->pair[c], list->pair[d], sizeof *list->pair) == 0;
}

static void note_solid(scree_event_log *log, const scree_crowd *bodies, const scree_walls *walls,
                       const scree_solid_list *list, size_t c, bool begins)
{
    uint32_t first, second, wall;

    if ((c > 0 && is_of_same_pair(list, c, c - 1)) ||
        !scree_solids_resolve(bodies, walls, list->pair[c], &first, &second, &wall))
        return;
    scree_event_record *record = push(log, bodies, begins, first);
    record->event.second = list->pair[c][0].second;
    record->event.wall = list->pair[c][0].wall;
    record->partner = second == UINT32_MAX ? wall : bodies->serial[second][0];
}

/*  Of pairs that were looked at. */
static void find_solids(scree_event_log *log, const scree_crowd *bodies, const scree_walls *walls,
                        const scree_solid_contacts *contacts, const scree_solids *solids)
{
    const scree_solid_list *now = &contacts->now, *next = &contacts->next;

    for (size_t k = 0; k < solids->work_count; k++) {
        const scree_solid_work *work = &solids->work[k];
        bool touched = work->old_begin < work->old_end, touches = work->begin < work->end;
        if (touches && !touched)
            note_solid(log, bodies, walls, next, work->begin, true);
        if (touched && !touches)
            note_solid(log, bodies, walls, now, work->old_begin, false);
    }
}

/*  Pairs of the last step that nobody looked at in this one. */
static void find_parted_solids(scree_event_log *log, const scree_crowd *bodies,
                               const scree_walls *walls, const scree_solid_list *now,
                               const scree_solids *solids)
{
    size_t c = 0;

    for (size_t k = 0; k < solids->work_count; k++) {
        const scree_solid_work *work = &solids->work[k];
        if (work->old_begin == work->old_end)
            continue;
        for (; c < work->old_begin; c++)
            note_solid(log, bodies, walls, now, c, false);
        c = work->old_end;
    }
    for (; c < now->count; c++)
        note_solid(log, bodies, walls, now, c, false);
}

/* ---- the step ---- */

static bool border_destroys(const scree_world_def *def)
{
    for (int k = 0; k < 3; k++)
        if (def->boundary[k] == SCREE_BOUNDARY_DESTROY)
            return true;
    return false;
}

scree_status scree_events_find(scree_world *world)
{
    size_t room;
    scree_status status;

    if (!world->def.events)
        return SCREE_OK;
    status = scree_events_find_parted(world);
    if (status)
        return status;
    if (mark_heirs(&world->events, &world->memory, &world->surfaces))
        return lacks_memory(&world->error);
    room =
        count_pair_changes(&world->pairs) + world->surfaces.now.count + world->surfaces.next.count;
    room += world->solid_contacts.now.count + world->solid_contacts.next.count;
    if (border_destroys(&world->def))
        room += world->pairs.count + world->surfaces.next.count + world->solid_contacts.next.count;
    if (reserve_records(&world->events, &world->memory, room))
        return lacks_memory(&world->error);
    find_pairs(&world->events, &world->bodies, &world->pairs);
    find_surfaces(&world->events, &world->bodies, &world->walls, &world->surfaces);
    find_solids(&world->events, &world->bodies, &world->walls, &world->solid_contacts,
                &world->solids);
    find_parted_solids(&world->events, &world->bodies, &world->walls, &world->solid_contacts.now,
                       &world->solids);
    return SCREE_OK;
}

/*  A name that is gone makes a contact dead, so these end once as well. */
static void leave_solids(scree_event_log *log, const scree_crowd *bodies, const scree_walls *walls,
                         const scree_solid_list *list, uint32_t slot)
{
    const scree_body_id *id = bodies->id[slot];

    for (size_t c = 0; c < list->count; c++)
        if (memcmp(&list->pair[c][0].first, id, sizeof *id) == 0 ||
            memcmp(&list->pair[c][0].second, id, sizeof *id) == 0)
            note_solid(log, bodies, walls, list, c, false);
}

/*  Contacts are marked as ended by scree_contact_list_forget, so none ends twice. */
void scree_events_leave(scree_world *world, uint32_t slot)
{
    const scree_contact_list *list = &world->pairs;
    const scree_surface_list *walls = &world->surfaces.now;

    if (!world->def.events || !world->step_is_taken)
        return;
    for (uint32_t e = list->count ? list->begin[slot] : 0; list->count && e < list->end[slot]; e++)
        if (list->touches[list->entry[e] >> 1][0])
            note_pair(&world->events, &world->bodies, list, list->entry[e] >> 1, false);
    for (uint32_t c = walls->count ? walls->begin[slot] : 0; walls->count && c < walls->end[slot];
         c++)
        note_surface(&world->events, &world->bodies, &world->walls, walls, c, false);
    leave_solids(&world->events, &world->bodies, &world->walls, &world->solid_contacts.now, slot);
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static bool is_of_wall(const scree_event *event)
{
    return event->wall.index1 != 0;
}

/*  As contacts are ordered; what begins and ends in one step begins first. */
static int compare_records(const void *a, const void *b)
{
    const scree_event_record *first = a, *second = b;
    int order = compare(first->serial, second->serial);

    if (!order)
        order = compare(is_of_wall(&first->event), is_of_wall(&second->event));
    if (!order)
        order = compare(first->partner, second->partner);
    if (!order)
        order = compare(first->event.facet, second->event.facet);
    return order ? order : compare(second->event.begins, first->event.begins);
}

void scree_events_close(scree_world *world)
{
    scree_event_log *log = &world->events;

    if (log->record_count == 0)
        return;
    qsort(log->records, log->record_count, sizeof *log->records, compare_records);
    for (size_t k = 0; k < log->record_count; k++) {
        scree_event *event = &log->list[log->count++];
        *event = log->records[k].event;
        event->step = world->clock.steps;
    }
    log->record_count = 0;
}

scree_status scree_world_events(scree_world *world, const scree_event **events, size_t *count)
{
    if (!world)
        return SCREE_BAD_ARGUMENT;
    if (!events || !count)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT, "world: events or count is NULL");
    if (!world->def.events)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "world: events are listed only where def.events says so");
    *events = world->events.list;
    *count = world->events.count;
    return SCREE_OK;
}
