#include "dist/event_exchange.h"

#include "dist/gather_rows.h"
#include "dist/unpack_shapes.h"

#include <stdlib.h>

/* ---- to the parts ---- */

static scree_status give_early(scree_world *whole, scree_world *part)
{
    scree_event_log *from = &whole->events, *to = &part->events;

    scree_events_clear(whole);
    if (scree_events_reserve(to, &part->memory, from->kept_count))
        return SCREE_OUT_OF_MEMORY;
    if (from->kept_count)
        memcpy(to->records, from->records, from->kept_count * sizeof *to->records);
    to->record_count = to->kept_count = from->kept_count;
    return SCREE_OK;
}

scree_status scree_give_early_events(const scree_comm *comm, scree_world *whole, scree_world *part)
{
    scree_event_log *log = &part->events;

    log->is_part = true;
    log->is_incomplete = false;
    log->record_count = log->kept_count = log->done_count = 0;
    return scree_comm_agree(comm, whole ? give_early(whole, part) : SCREE_OK);
}

/* ---- to the host ---- */

/*  On rank 0, while events are gathered. */
typedef struct merging
{
    scree_event_record *records; /* of all ranks */
    size_t capacity;
    scree_serials table; /* bodies of the host's world by global id */
} merging;

static scree_status reserve(merging *all, size_t total, scree_world *whole, size_t contacts)
{
    scree_event_log *log = whole ? &whole->events : NULL;

    if (!log)
        return SCREE_OK;
    if (scree_memory_reserve(&whole->memory, &all->records, &all->capacity, total,
                             sizeof *all->records) ||
        scree_events_reserve(log, &whole->memory, total + contacts))
        return SCREE_OUT_OF_MEMORY;
    return scree_slot_table_make(&all->table, &whole->memory, &whole->bodies);
}

static scree_body_id find_body(const scree_world *whole, const scree_serials *table,
                               uint64_t serial)
{
    const uint32_t slot = serial ? scree_slot_of_serial(table, serial) : UINT32_MAX;

    return slot == UINT32_MAX ? (scree_body_id){0, 0} : whole->bodies.id[slot][0];
}

/*  `last`: number of the last step. */
static void take(const merging *all, size_t total, uint64_t last, scree_world *whole)
{
    scree_event_log *log = &whole->events;

    if (total)
        qsort(all->records, total, sizeof *all->records, scree_event_records_compare);
    for (size_t k = 0; k < total; k++) {
        scree_event_record *record = &all->records[k];
        record->event.first = find_body(whole, &all->table, record->event.first_serial);
        record->event.second = find_body(whole, &all->table, record->event.second_serial);
        if (record->event.step < last)
            log->list[log->count++] = record->event;
        else
            log->records[log->record_count++] = *record;
    }
}

scree_status scree_gather_events(const scree_comm *comm, scree_memory *memory, scree_world *part,
                                 scree_world *whole, size_t contacts)
{
    scree_event_log *log = &part->events;
    scree_row_inbox inbox = {0};
    merging all = {0};
    uint64_t is_incomplete = log->is_incomplete;
    scree_status status = comm->reduce(comm->user, SCREE_REDUCE_MAX, &is_incomplete, 1);

    if (!status)
        status = scree_rows_count(&inbox, memory, comm, log->done_count);
    if (!status)
        status = scree_comm_agree(comm, reserve(&all, inbox.total, whole, contacts));
    if (!status)
        status = scree_rows_gather(&inbox, comm, log->done, all.records, sizeof *log->done);
    if (!status && whole) {
        /* its early records are those of the parts now */
        whole->events.record_count = whole->events.kept_count = 0;
        whole->events.boundary_room = contacts;
        whole->events.is_incomplete |= is_incomplete != 0;
        take(&all, inbox.total, part->clock.steps, whole);
    }
    if (!status)
        log->done_count = 0;
    if (whole) {
        scree_serials_free(&all.table, &whole->memory);
        scree_memory_give(&whole->memory, &all.records, all.capacity, sizeof *all.records);
    }
    scree_row_inbox_free(&inbox, memory);
    return status;
}
