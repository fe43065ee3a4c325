/*  Contacts in a list, in the order of bodies: batches of those of one law, and what goes into the room for each.
    Contacts of bodies with walls and of bodies of triangles have this in common. */
#ifndef SCREE_WORLD_BATCHES_H
#define SCREE_WORLD_BATCHES_H

#include "law/law_table.h"
#include "world/contacts/batch_room.h"

/*  Forces of `count` contacts, at most SCREE_BATCH, whose law is that of `slot`. */
typedef void scree_batch_list_fn(void *run, scree_batch_room *room, const uint32_t *contacts,
                                 uint32_t count, const scree_rule_slot *slot);

/*  Those of one tile of a list: contacts of one law at a time, by `slots`, the column of that in the list; those that stay
    behind keep their order. */
void scree_batch_list_tile(const scree_rules *rules, scree_batch_room *room, uint32_t (*slots)[1],
                           size_t count, size_t tile, scree_batch_list_fn *run_batch, void *run);

/*  What the contacts in the room remember: of the number heirs[c] in the last step's planes; UINT32_MAX: nothing. */
void scree_batch_inherit(scree_batch_room *room, uint32_t count, uint32_t memory_count,
                         uint32_t (*heirs)[1], double *const *remembered, uint32_t planes);
/*  Of those that remember nothing the rate of approach, see contact_onset.h. */
void scree_batch_begin(const scree_world_def *def, scree_batch_room *room, uint32_t count,
                       uint32_t (*heirs)[1], double dt);
/*  Past `count` the room is full of numbers that can be computed with, whatever its last user left there. */
void scree_batch_pad(scree_batch_room *room, uint32_t count);

#endif
