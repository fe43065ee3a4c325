/*  Makes batches from a list of contacts in the order of bodies: one contact model per batch, and its input. Used
    for wall contacts and for contacts of non-spherical bodies. */
#ifndef SCREE_WORLD_BATCHES_H
#define SCREE_WORLD_BATCHES_H

#include "law/law_table.h"
#include "world/contacts/batch_room.h"

/*  Computes the forces of `count` contacts, at most SCREE_BATCH, that have the pair parameters `slot`. */
typedef void scree_batch_list_fn(void *run, scree_batch_room *room, const uint32_t *contacts,
                                 uint32_t count, const scree_rule_slot *slot);

/*  Makes the batches of one tile of a list. `slots` is the column of pair parameters. Contacts with the same value
    are taken together, and keep their order. */
void scree_batch_list_tile(const scree_rules *rules, scree_batch_room *room, uint32_t (*slots)[1],
                           size_t count, size_t tile, scree_batch_list_fn *run_batch, void *run);

/*  Copies the history of contacts into the batch: that of contact previous_of[c] of the previous step; UINT32_MAX: none. */
void scree_batch_inherit(scree_batch_room *room, uint32_t count, uint32_t memory_count,
                         uint32_t (*previous_of)[1], double *const *history, uint32_t planes);
/*  Computes the rate of approach of new contacts, see contact_onset.h. */
void scree_batch_begin(const scree_world_def *def, scree_batch_room *room, uint32_t count,
                       uint32_t (*previous_of)[1], double dt);
/*  Fills the batch past `count` with valid numbers. */
void scree_batch_pad(scree_batch_room *room, uint32_t count);

#endif
