/*  The way from the parts to the world of the host: the state of all its bodies, which arrives in rounds, and its contacts. */
#ifndef SCREE_DIST_WHOLE_INTAKE_H
#define SCREE_DIST_WHOLE_INTAKE_H

#include "dist/unpack_contacts.h"

typedef struct scree_whole_intake
{
    scree_world *whole;
    scree_contact_intake contacts;
    bool had_rows;
} scree_whole_intake;

/*  The sum of a hash of each of the first bodies' global ids: whether parts have all bodies of the host's world. */
uint64_t scree_sum_of_ids(const scree_body_arrays *bodies, uint32_t count);

/*  For so many records of each kind, of bodies whose ids have this sum. Nothing has changed for the host afterwards, whether
    it fails or not: SCREE_BAD_VALUE if the bodies are others than those of the world, SCREE_OUT_OF_MEMORY,
    SCREE_TOO_LARGE. To be ended, also after a failure. */
scree_status scree_whole_intake_begin(scree_whole_intake *intake, scree_world *whole,
                                      const size_t incoming[SCREE_RECORDS], uint64_t ids);
/*  From the first call on, until all have been accepted, the world has neither the state before nor that after. */
scree_status scree_whole_intake_add(scree_whole_intake *intake, const scree_received *received);
scree_status scree_whole_intake_accept(scree_whole_intake *intake);
/*  `is_accepted`: otherwise the contacts of the world stay, if nothing was added. */
void scree_whole_intake_end(scree_whole_intake *intake, bool is_accepted);

#endif
