/*  Makes the contacts of a world from records that arrive in parts, in any number of them. Bodies are found by global id, in a
    table made for this purpose. New lists have only touching pairs, as after a snapshot: a search makes the neighbour
    list before the next step. They are made next to the present lists, in those that serve as scratch between steps, so
    that they replace those only when all records are there. */
#ifndef SCREE_DIST_UNPACK_CONTACTS_H
#define SCREE_DIST_UNPACK_CONTACTS_H

#include "dist/unpack_shapes.h"

typedef struct scree_contact_intake
{
    scree_world *world;
    uint32_t owned;
    scree_serials table;
    scree_shape_intake shapes;
} scree_contact_intake;

/*  For so many records of each kind in all, of bodies below `owned`. Everything that can fail for want of memory:
    SCREE_OUT_OF_MEMORY, SCREE_TOO_LARGE. Afterwards forces of the present contacts may be overwritten, but not before
    records are added. To be ended, also after a failure. */
scree_status scree_contact_intake_begin(scree_contact_intake *intake, scree_world *world,
                                        uint32_t owned, const size_t incoming[SCREE_RECORDS]);
/*  Adds contacts. One ends if its other body is not here, because the host has moved it away. SCREE_BAD_VALUE if no
    body of a contact is here. */
scree_status scree_contact_intake_add(scree_contact_intake *intake, const scree_received *received);
/*  The new contacts replace the present ones: the world is in the state after a step. */
scree_status scree_contact_intake_accept(scree_contact_intake *intake);
void scree_contact_intake_end(scree_contact_intake *intake);

#endif
