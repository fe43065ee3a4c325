/*  The shortcut past what cannot have changed where bodies rest.

    Forces of contacts follow from poses, velocities and spins, from what contacts remember and from dt. A body has settled when forces
    have been found once since it was put to rest; what a contact of two such bodies remembers stays as it is, by rule. Candidates are
    looked at in tiles. A tile is settled if all its bodies were in an evaluation, and each of its contacts was there already.
    Where they are in the next evaluation as well, and dt is the same, that would find the very same once more: so
    memory and rows of the tile are left as they lie, and both sets of planes hold the same.

    Contacts of bodies that are no spheres are found again by what was found before: see contact_reuse.c.

    A settled body, all of whose candidates are in such tiles, has the sum that it had. All this holds from one step
    taken to the next alone: whatever else happens to a world, an evaluation in between finds all anew. */
#ifndef SCREE_WORLD_SLEEP_TILES_H
#define SCREE_WORLD_SLEEP_TILES_H

#include "world/contacts/batch_room.h"
#include "world/contacts/candidates.h"
#include "world/contacts/wall_contact_list.h"
#include "world/state/body_sleep.h"

/*  An evaluation of this many tiles begins. `may_be_used`: nothing stands against leaving some of them as they are but what
    `rest` knows. SCREE_OUT_OF_MEMORY. */
scree_status scree_rest_begin(scree_rest *rest, scree_memory *memory, double dt, bool is_survey,
                              bool may_be_used, size_t tiles);
/*  Whether a tile of candidates is to be left as it is. */
bool scree_rest_spares_tile(scree_rest *rest, const scree_crowd *bodies,
                            const scree_contact_list *list, size_t tile, size_t begin, size_t end);
/*  It was not: whether it has settled by now. */
void scree_rest_look_at_tile(scree_rest *rest, const scree_crowd *bodies,
                             const scree_contact_list *list, size_t tile, size_t begin, size_t end);
/*  A batch has been computed: what contacts of two settled bodies remember stays. */
void scree_rest_keep_memory(const scree_contact_list *list, scree_contact_sets *sets,
                            const scree_crowd *bodies, const scree_batch_room *room, uint32_t count,
                            uint32_t planes);
/*  Whether the sum over a body's contacts is what it was; NULL: there are no walls. */
bool scree_rest_spares_sum(const scree_rest *rest, const scree_crowd *bodies,
                           const scree_contact_list *list, const scree_surfaces *walls,
                           uint32_t slot);
/*  A step is taken. */
void scree_rest_accept(scree_rest *rest);

#endif
