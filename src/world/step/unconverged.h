/*  The bodies with the largest residuals when an implicit step was given up, in a reproducible order. */
#ifndef SCREE_WORLD_UNCONVERGED_H
#define SCREE_WORLD_UNCONVERGED_H

#include "scree/world.h"

typedef struct scree_unconverged_list
{
    scree_unconverged
        worst[SCREE_MAX_UNCONVERGED]; /* largest first; of equal ones the smaller global id */
    uint64_t serial[SCREE_MAX_UNCONVERGED];
    uint32_t count;
    uint64_t all; /* number of bodies that did not converge */
} scree_unconverged_list;

void scree_unconverged_clear(scree_unconverged_list *list);
/*  Call once for each body, in any order. */
void scree_unconverged_note(scree_unconverged_list *list, scree_body_id id, uint64_t serial,
                            double times);

/*  Writes the first few to a message, truncated to the buffer. */
void scree_unconverged_say(const scree_unconverged_list *list, char *text, size_t room);

#endif
