/*  Contacts that begin and end, listed where def.events says so. A contact with a wall that passes from facet
    to facet goes on. */
#ifndef SCREE_WORLD_EVENTS_H
#define SCREE_WORLD_EVENTS_H

#include "base/memory.h"
#include "scree/world.h"

/*  One event of the step under way, and what it is ordered by. */
typedef struct scree_event_record
{
    scree_event event;
    uint64_t serial;  /* of the first */
    uint64_t partner; /* serial of the second, or place of the wall */
} scree_event_record;

/*  Empty where the world lists none. */
typedef struct scree_event_log
{
    scree_event *list; /* of this call, for the host */
    size_t count, capacity;
    scree_event_record *records; /* of the step under way */
    size_t record_count, record_capacity;
    uint8_t *marks; /* of contacts with walls at the step before: 1: it goes on */
    size_t mark_capacity;
} scree_event_log;

void scree_event_log_free(scree_event_log *log, scree_memory *memory);

/*  A step begins: nothing has happened in it. */
void scree_events_clear(scree_world *world);
/*  Forces have been found anew before the step: contacts of candidates that are no more have ended. */
scree_status scree_events_find_parted(scree_world *world);
/*  The step is about to be taken: what begins and ends in it, and room for what the border may end. */
scree_status scree_events_find(scree_world *world);
/*  A body is about to be removed by the border. */
void scree_events_leave(scree_world *world, uint32_t slot);
/*  The step is over: its events are put in order, behind those before. */
void scree_events_close(scree_world *world);

#endif
