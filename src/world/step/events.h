/*  What happens in a step, listed where def.events says so: contacts that begin and end, bonds that break, bodies that fall
    asleep, wake, or leave. A contact with a wall that passes from facet to facet goes on. */
#ifndef SCREE_WORLD_EVENTS_H
#define SCREE_WORLD_EVENTS_H

#include "base/memory.h"
#include "scree/event.h"
#include "world/contacts/found_contacts.h"
#include "world/step/contact_spans.h"

/*  One event of the step under way, and what it is ordered by. */
typedef struct scree_event_record
{
    scree_event event;
    uint64_t partner; /* of a contact: serial of the second, or place of the wall */
    double begin;     /* of a contact that ends, s; if that is known */
    bool has_begun;   /* it is */
    bool is_early;    /* it was found before the step, as forces were */
} scree_event_record;

/*  Empty where the world lists none. */
typedef struct scree_event_log
{
    scree_event *list; /* of this call, for the host */
    size_t count, capacity;
    scree_event_record *records; /* of the step under way */
    size_t record_count, record_capacity;
    size_t kept_count; /* the first of them, which are early: they stay if the step fails */
    uint8_t *marks;    /* of contacts with walls at the step before: 1: it goes on */
    size_t mark_capacity;
    scree_span_table spans,
        next_spans;     /* what contacts have exerted; and as of the step under way */
    size_t border_room; /* records that are kept free for contacts that the border ends */
    bool
        is_incomplete; /* events of bodies are missing: steps that are taken cannot fail for them */
} scree_event_log;

void scree_event_log_free(scree_event_log *log, scree_memory *memory);

/*  A call begins: nothing is listed. */
void scree_events_begin(scree_event_log *log);
/*  Contacts are others, from a snapshot: nothing is known of what they have exerted. */
void scree_events_forget(scree_event_log *log);
/*  A step begins: nothing has happened in it but what was found early, of bodies that are still there. */
void scree_events_clear(scree_world *world);
/*  Forces have been found anew outside a step: contacts of candidates that are no more have ended. The list knows nothing of
    them any more, so this is kept until a step is taken. */
scree_status scree_events_find_parted(scree_world *world);
/*  The step is about to be taken: what begins and ends in it, and room for what the border may end. */
scree_status scree_events_find(scree_world *world);
/*  The same of bonds, once it is known which break in it. */
scree_status scree_events_find_breaks(scree_world *world);
/*  The step will be taken, forces are known, and it has been decided who sleeps. */
void scree_events_take(scree_world *world, double dt);
/*  A body is about to be removed by the border. */
void scree_events_leave(scree_world *world, uint32_t slot);
/*  The step is over: its events are put in order, behind those before. */
void scree_events_close(scree_world *world);

/* ---- event_list.c: records */

/*  Room for so many more. SCREE_OUT_OF_MEMORY; and what is said of it. */
scree_status scree_events_reserve(scree_event_log *log, scree_memory *memory, size_t more);
scree_status scree_events_lack_memory(scree_error *error);
/*  A new record, of a body and what else is set; there is room. */
scree_event_record *scree_events_push(scree_event_log *log, const scree_crowd *bodies,
                                      scree_event_kind kind, uint32_t first_slot);
/*  The same in a step that is taken. NULL: there is no room, and the list says that something is missing. */
scree_event_record *scree_events_push_late(scree_event_log *log, scree_memory *memory,
                                           const scree_crowd *bodies, scree_event_kind kind,
                                           uint32_t first_slot);

#endif
