/*  From records to a world again: a part of the world that has what came and nothing else, or the whole world of a host, whose
    bodies get the state that they have come to. */
#ifndef SCREE_DIST_UNLOAD_H
#define SCREE_DIST_UNLOAD_H

#include "dist/cargo.h"

/*  The bodies of a part are those in the cargo, in the order of space; its contacts end. SCREE_OUT_OF_MEMORY, SCREE_TOO_LARGE: it may
    have lost bodies then. */
scree_status scree_unload_bodies(const scree_cargo *cargo, scree_world *part);
/*  Behind the bodies of a part come copies, which it does not move. The same statuses. */
scree_status scree_unload_copies(const scree_cargo *cargo, scree_world *part);
/*  Contacts go on where a body of theirs is owned: it is below `owned`. Those end whose other body is not here: the host has moved
    it away. Afterwards the part is as after a step. SCREE_BAD_VALUE where no body of a contact is here, SCREE_OUT_OF_MEMORY. */
scree_status scree_unload_contacts(const scree_cargo *cargo, scree_world *part, uint32_t owned);

/*  Bodies of the host's world get the state in the cargo, which has all of them, and its contacts are those that came. On failure
    nothing has changed: SCREE_BAD_VALUE where a body is not here, SCREE_OUT_OF_MEMORY. */
scree_status scree_unload_into_whole(const scree_cargo *cargo, scree_world *whole);

#endif
