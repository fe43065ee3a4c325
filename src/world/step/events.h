/*  Events of a step, listed if def.events is set: contacts that begin and end, bonds and joints that break, bodies
    that fall asleep, wake or leave. A wall contact that moves from facet to facet continues. */
#ifndef SCREE_WORLD_EVENTS_H
#define SCREE_WORLD_EVENTS_H

#include "base/memory.h"
#include "scree/event.h"
#include "world/contacts/found_contacts.h"
#include "world/step/contact_spans.h"

/*  An event of the current step, and its sort keys. */
typedef struct scree_event_record
{
    scree_event event;
    uint64_t partner; /* of a contact: global id of the second body, or index of the wall */
    double begin;     /* start time of a contact that ends, s, if known */
    bool has_begun;   /* it is known */
    bool is_early;    /* found before the step, when forces were evaluated */
    bool is_of_ghost; /* the first body is a ghost: the world that owns it lists the event */
} scree_event_record;

/*  Empty if the world lists no events. */
typedef struct scree_event_log
{
    scree_event *list; /* events of this call, for the host */
    size_t count, capacity;
    scree_event_record *records; /* of the current step */
    size_t record_count, record_capacity;
    size_t kept_count; /* number of early records at the start; they are kept if the step fails */
    bool is_part;      /* on ranks: nothing is listed, and these records wait to be merged: */
    scree_event_record *done; /* of accepted steps, with step, time and duration */
    size_t done_count, done_capacity;
    uint8_t *marks; /* wall contacts of the previous step: 1: continues */
    size_t mark_capacity;
    scree_span_table spans, next_spans; /* impulses of contacts; those of the current step */
    size_t boundary_room;               /* records reserved for contacts that end at the boundary */
    bool is_incomplete; /* events of bodies are missing: accepted steps cannot fail */
} scree_event_log;

void scree_event_log_free(scree_event_log *log, scree_memory *memory);

/*  Called at the start of a call: the list becomes empty. */
void scree_events_begin(scree_event_log *log);
/*  Contacts were replaced by those of a snapshot: their impulses are unknown. */
void scree_events_forget(scree_event_log *log);
/*  Called at the start of a step: removes all records except early ones of existing bodies. */
void scree_events_clear(scree_world *world);
/*  Forces have been evaluated outside a step. Contacts whose pairs are gone have ended. The new list no longer has
    them, so they are kept here until a step is accepted. */
scree_status scree_events_find_parted(scree_world *world);
/*  Called before a step is accepted: finds beginning and ending contacts, and reserves room for those that end at
    the boundary. */
scree_status scree_events_find(scree_world *world);
/*  The same for bonds, once it is known which break in the step. */
scree_status scree_events_find_breaks(scree_world *world);
/*  The step is being accepted: forces are known, and it is decided which bodies sleep. */
void scree_events_take(scree_world *world, double dt);
/*  A body is about to be removed at the boundary. */
void scree_events_leave(scree_world *world, uint32_t slot);
/*  Called at the end of the step: sorts its events and appends them to the list. */
void scree_events_close(scree_world *world);

/* ---- event_list.c: records */

/*  The order of events: by step, then as the list has those of a step. */
int scree_event_records_compare(const void *a, const void *b);

/*  Reserves records. SCREE_OUT_OF_MEMORY, with a message. */
scree_status scree_events_reserve(scree_event_log *log, scree_memory *memory, size_t more);
scree_status scree_events_lack_memory(scree_error *error);
/*  Adds a record for a body; the caller sets the rest. There must be room. */
scree_event_record *scree_events_push(scree_event_log *log, const scree_body_arrays *bodies,
                                      scree_event_kind kind, uint32_t first_slot);
/*  The same in a step that is already accepted. NULL: there is no room, and the list is marked as incomplete. */
scree_event_record *scree_events_push_late(scree_event_log *log, scree_memory *memory,
                                           const scree_body_arrays *bodies, scree_event_kind kind,
                                           uint32_t first_slot);

#endif
