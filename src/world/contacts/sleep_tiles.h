/*  Skips forces that cannot have changed between sleeping bodies.

    Contact forces depend on poses, velocities, contact history and dt. A body is settled if forces have been
    evaluated once since it fell asleep. By definition the history of a contact between two settled bodies does not
    change. Pairs are processed in tiles. A tile is settled if all its bodies were settled in an evaluation, and each
    of its contacts existed before. If the bodies are still asleep in the next evaluation and dt is the same, it
    would compute the same values again. So history and force records of the tile are left unchanged, and both sets
    of history arrays contain the same values.

    Contacts of non-spherical bodies are found again from stored results: see contact_reuse.c.

    A settled body whose pairs are all in such tiles keeps its sum of forces. All this is valid only from one
    accepted step to the next: any other change of the world makes the next evaluation compute everything. */
#ifndef SCREE_WORLD_SLEEP_TILES_H
#define SCREE_WORLD_SLEEP_TILES_H

#include "world/contacts/batch_room.h"
#include "world/contacts/candidates.h"
#include "world/contacts/wall_contact_list.h"
#include "world/state/body_sleep.h"

/*  Starts an evaluation of this many tiles. `may_be_used`: tiles may be skipped if the state in `rest` allows it.
    SCREE_OUT_OF_MEMORY. */
scree_status scree_sleep_begin(scree_sleep_state *sleep, scree_memory *memory, double dt,
                               bool is_survey, bool may_be_used, size_t tiles);
/*  Whether a tile of pairs is to be skipped. */
bool scree_sleep_spares_tile(scree_sleep_state *sleep, const scree_body_arrays *bodies,
                             const scree_contact_list *list, size_t tile, size_t begin, size_t end);
/*  Called for a tile that was not skipped: finds whether it is settled now. */
void scree_sleep_look_at_tile(scree_sleep_state *sleep, const scree_body_arrays *bodies,
                              const scree_contact_list *list, size_t tile, size_t begin,
                              size_t end);
/*  Called after a batch was computed: restores the history of contacts between two settled bodies. */
void scree_sleep_keep_memory(const scree_contact_list *list, scree_contact_sets *sets,
                             const scree_body_arrays *bodies, const scree_batch_room *room,
                             uint32_t count, uint32_t planes);
/*  Whether the sum over the contacts of a body is unchanged. `walls` is NULL if there are none. */
bool scree_sleep_spares_sum(const scree_sleep_state *sleep, const scree_body_arrays *bodies,
                            const scree_contact_list *list, const scree_wall_contacts *walls,
                            uint32_t slot);
/*  Accepts a step. */
void scree_sleep_accept(scree_sleep_state *sleep);

#endif
