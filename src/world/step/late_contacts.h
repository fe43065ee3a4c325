/*  Contacts that were found only after they overlapped. */
#ifndef SCREE_WORLD_LATE_CONTACTS_H
#define SCREE_WORLD_LATE_CONTACTS_H

#include "scree/base.h"

struct scree_world;

/*  Called after a search that was made because margins were used up: counts late contacts in the detection
    statistics. The list is not indexed yet. */
scree_status scree_world_count_late(struct scree_world *world);

#endif
