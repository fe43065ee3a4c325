/*  The list of events: records of the current step, sorted at its end and appended to those of earlier steps. */
#include "world/step/events.h"
#include "world/step/world_data.h"

#include <stdlib.h>
#include <string.h>

/* ---- records ---- */

void scree_event_log_free(scree_event_log *log, scree_memory *memory)
{
    scree_memory_give(memory, &log->list, log->capacity, sizeof *log->list);
    scree_memory_give(memory, &log->records, log->record_capacity, sizeof *log->records);
    scree_memory_give(memory, &log->done, log->done_capacity, sizeof *log->done);
    scree_memory_give(memory, &log->marks, log->mark_capacity, sizeof *log->marks);
    scree_spans_free(&log->spans, memory);
    scree_spans_free(&log->next_spans, memory);
}

void scree_events_begin(scree_event_log *log)
{
    log->count = 0;
    log->is_incomplete = false;
}

void scree_events_forget(scree_event_log *log)
{
    scree_events_begin(log);
    log->spans.room = 0;
    log->kept_count = 0;
}

scree_status scree_events_reserve(scree_event_log *log, scree_memory *memory, size_t more)
{
    size_t records = log->record_count + more;

    if (scree_memory_reserve(memory, &log->records, &log->record_capacity, records,
                             sizeof *log->records))
        return SCREE_OUT_OF_MEMORY;
    return log->is_part ? scree_memory_reserve(memory, &log->done, &log->done_capacity,
                                               log->done_count + records, sizeof *log->done)
                        : scree_memory_reserve(memory, &log->list, &log->capacity,
                                               log->count + records, sizeof *log->list);
}

scree_status scree_events_lack_memory(scree_error *error)
{
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "world: the list of events: out of memory");
}

scree_event_record *scree_events_push(scree_event_log *log, const scree_body_arrays *bodies,
                                      scree_event_kind kind, uint32_t first_slot)
{
    scree_event_record *record = &log->records[log->record_count++];

    memset(record, 0, sizeof *record);
    record->event.kind = kind;
    record->event.first = bodies->id[first_slot][0];
    record->event.first_serial = bodies->serial[first_slot][0];
    record->is_of_ghost = scree_is_ghost(bodies, first_slot);
    return record;
}

scree_event_record *scree_events_push_late(scree_event_log *log, scree_memory *memory,
                                           const scree_body_arrays *bodies, scree_event_kind kind,
                                           uint32_t first_slot)
{
    if (scree_events_reserve(log, memory, 1 + log->boundary_room)) {
        log->is_incomplete = true;
        return NULL;
    }
    return scree_events_push(log, bodies, kind, first_slot);
}

static bool is_still_there(const scree_world *world, const scree_event *event)
{
    const scree_body_arrays *bodies = &world->bodies;

    return scree_bodies_slot(bodies, event->first) != SIZE_MAX &&
           scree_bodies_slot(bodies, event->second) != SIZE_MAX;
}

/*  Early events are always of pairs. Bodies of a part may have got other handles since, but none was removed. */
void scree_events_clear(scree_world *world)
{
    scree_event_log *log = &world->events;
    size_t kept = 0;

    for (size_t k = 0; k < log->kept_count; k++)
        if (log->is_part || is_still_there(world, &log->records[k].event))
            log->records[kept++] = log->records[k];
    log->record_count = log->kept_count = kept;
}

/* ---- the list ---- */

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static bool is_of_wall(const scree_event *event)
{
    return event->wall.index1 != 0;
}

/*  Beginning and ending contacts are one group; each other kind is a group of its own. */
static uint64_t group_of(const scree_event *event)
{
    return event->kind == SCREE_EVENT_CONTACT_END ? SCREE_EVENT_CONTACT_BEGIN : event->kind;
}

/*  In the order of contacts. If a contact begins and ends in the same step, the beginning comes first, unless the
    end was found before the step. */
static int compare_contacts(const scree_event_record *a, const scree_event_record *b)
{
    int order = compare(is_of_wall(&a->event), is_of_wall(&b->event));

    if (!order)
        order = compare(a->partner, b->partner);
    if (!order)
        order = compare(a->event.facet, b->event.facet);
    if (!order)
        order = compare(b->is_early, a->is_early);
    return order ? order : compare(a->event.kind, b->event.kind);
}

int scree_event_records_compare(const void *a, const void *b)
{
    const scree_event_record *first = a, *second = b;
    int order = compare(first->event.step, second->event.step);

    if (!order)
        order = compare(group_of(&first->event), group_of(&second->event));
    if (!order)
        order = compare(first->event.first_serial, second->event.first_serial);
    if (!order && group_of(&first->event) != SCREE_EVENT_CONTACT_BEGIN &&
        group_of(&first->event) != SCREE_EVENT_DEEP) {
        order = compare(first->event.second_serial, second->event.second_serial);
        return order ? order : compare(first->event.joint.index1, second->event.joint.index1);
    }
    return order ? order : compare_contacts(first, second);
}

void scree_events_close(scree_world *world)
{
    scree_event_log *log = &world->events;

    if (log->record_count == 0)
        return;
    for (size_t k = 0; k < log->record_count; k++) {
        scree_event_record *record = &log->records[k];
        record->event.step = world->clock.steps;
        record->event.time = world->clock.time;
        if (record->has_begun)
            record->event.duration = record->event.time - record->begin;
    }
    qsort(log->records, log->record_count, sizeof *log->records, scree_event_records_compare);
    for (size_t k = 0; k < log->record_count; k++) {
        const scree_event_record *record = &log->records[k];
        if (!log->is_part)
            log->list[log->count++] = record->event;
        else if (!record->is_of_ghost)
            log->done[log->done_count++] = *record;
    }
    log->record_count = log->kept_count = 0;
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
    if (world->events.is_incomplete)
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY,
                          "world: events of bodies are missing: out of memory in a step");
    *events = world->events.list;
    *count = world->events.count;
    return SCREE_OK;
}
