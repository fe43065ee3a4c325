/*  Contacts that begin and end, listed where def.events says so. A contact with a wall that passes from facet
    to facet goes on. */
#ifndef SCREE_WORLD_EVENTS_H
#define SCREE_WORLD_EVENTS_H

#include "world/step/world_data.h"

/*  One event of the step under way, and what it is ordered by. */
typedef struct scree_event_record
{
    scree_event event;
    uint64_t serial;  /* of the first */
    uint64_t partner; /* serial of the second, or place of the wall */
} scree_event_record;

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
