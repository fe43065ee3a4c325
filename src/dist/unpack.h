/*  Makes a world from records: a part that has exactly the received bodies, or the whole world of a host, whose
    bodies get their new state. */
#ifndef SCREE_DIST_UNPACK_H
#define SCREE_DIST_UNPACK_H

#include "dist/exchange.h"

/*  Replaces the bodies of a part by those received, in spatial order; its contacts end. SCREE_OUT_OF_MEMORY,
    SCREE_TOO_LARGE: the part may have lost bodies then. */
scree_status scree_unpack_bodies(const scree_received *received, scree_world *part);
/*  Adds ghosts behind the bodies of a part. The same statuses. */
scree_status scree_unpack_ghosts(const scree_received *received, scree_world *part);
/*  Adds the contacts of owned bodies, which are those below `owned`. A contact ends if its other body is not here,
    because the host has moved it away. Afterwards the part is in the state after a step. SCREE_BAD_VALUE if no body
    of a contact is here, SCREE_OUT_OF_MEMORY. */
scree_status scree_unpack_contacts(const scree_received *received, scree_world *part,
                                   uint32_t owned);

/*  Sets the state of all bodies of the host's world from the records, and replaces its contacts. On failure nothing
    has changed: SCREE_BAD_VALUE if a body is not here, SCREE_OUT_OF_MEMORY. */
scree_status scree_unpack_into_whole(const scree_received *received, scree_world *whole);

#endif
