/*  Makes a part from records: a world that has exactly the received bodies. */
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

/*  Sets the state of one body. It keeps the name that it has in this world. `shape`: with the meshes and clumps of this
    world. */
void scree_unpack_body_record(const scree_body_record *record, scree_body_arrays *bodies,
                              uint32_t slot, scree_shape shape);

#endif
