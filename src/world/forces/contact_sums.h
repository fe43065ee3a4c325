/*  Force accumulation over all contacts: before the first contact is added, and after the last. */
#ifndef SCREE_WORLD_CONTACT_SUMS_H
#define SCREE_WORLD_CONTACT_SUMS_H

#include "world/contacts/contact_history.h"
#include "world/contacts/wall_contact_list.h"
#include "world/forces/force_job.h"
#include "world/state/body_sleep.h"
#include "world/state/sums.h"

/*  Sums of forces on bodies. step/room_data.c fills it before the first contact is added. */
typedef struct scree_sum_job
{
    const scree_step *step;
    scree_body_arrays *bodies;
    const scree_contact_list *pairs;
    const scree_contact_sets *contacts;
    const scree_wall_contacts *wall_contacts; /* NULL: there are no walls */
    const scree_sleep_state *sleep;
    scree_sums *sums;
    scree_force_scratch *scratch; /* by worker */
    bool has_more; /* the host, a fluid or force fields add forces that contacts do not tell of */
    bool in_place; /* the arrays with the previous forces are overwritten */
} scree_sum_job;

/*  Quanta of a contact of two bodies, and of a body with a wall, from the bounding spheres. */
scree_quantum scree_pair_quantum(const scree_quantum_rule *rule, const scree_body_arrays *bodies,
                                 uint32_t first, uint32_t second);
scree_quantum scree_wall_quantum(const scree_quantum_rule *rule, const scree_body_arrays *bodies,
                                 uint32_t slot);

/*  Clears all sums, and sets quanta for the present bodies and the length of the step. SCREE_OUT_OF_MEMORY, with the
    message. */
scree_status scree_contact_sums_begin(const scree_sum_job *job);
/*  Called after all contacts were added. Adds those that sleep has skipped, then returns whether all sums fit. A
    value that no number of words can hold is treated as not finite. */
bool scree_contact_sums_fit(const scree_sum_job *job);
/*  Called if sums did not fit: clears all, and adds words. SCREE_OUT_OF_MEMORY, with the message. */
scree_status scree_contact_sums_widen(const scree_sum_job *job);

#endif
