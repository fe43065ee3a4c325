/*  Whose forces had not settled when an implicit step was given up: the worst, in an order that everyone finds. */
#ifndef SCREE_WORLD_UNCONVERGED_H
#define SCREE_WORLD_UNCONVERGED_H

#include "scree/world.h"

typedef struct scree_unsettled_list
{
    scree_unconverged
        worst[SCREE_MAX_UNCONVERGED]; /* the worst first, of equals the lower serial */
    uint64_t serial[SCREE_MAX_UNCONVERGED];
    uint32_t count;
    uint64_t all; /* bodies that were noted */
} scree_unsettled_list;

void scree_unsettled_clear(scree_unsettled_list *list);
/*  Once for each body; in any order. */
void scree_unsettled_note(scree_unsettled_list *list, scree_body_id id, uint64_t serial,
                          double times);

/*  The first few in words, for a message: as many bytes as there are room, cut off where there is none. */
void scree_unsettled_say(const scree_unsettled_list *list, char *text, size_t room);

#endif
