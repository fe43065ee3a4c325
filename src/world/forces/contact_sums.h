/*  Sums over all contacts: before the first is added, and after the last. */
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
    scree_crowd *bodies;
    const scree_contact_list *pairs;
    const scree_contact_sets *contacts;
    const scree_surfaces *surfaces; /* NULL: there are no walls */
    const scree_rest *rest;
    scree_sums *sums;
    scree_force_scratch *scratch; /* by worker */
    bool has_host;                /* whose function adds forces */
    bool in_place;                /* forces of before lie where those of now will */
} scree_sum_job;

/*  Of a contact of two bodies, and of one with a wall; bodies of any shape by the spheres around them. */
scree_quantum scree_pair_quantum(const scree_quantum_rule *rule, const scree_crowd *bodies,
                                 uint32_t first, uint32_t second);
scree_quantum scree_wall_quantum(const scree_quantum_rule *rule, const scree_crowd *bodies,
                                 uint32_t slot);

/*  All sums are 0, in quanta for the bodies there are and the length of the step. SCREE_OUT_OF_MEMORY, with the message. */
scree_status scree_contact_sums_begin(const scree_sum_job *job);
/*  All contacts have been added, but those that were left as they are, beside what rests: these are now. Whether all sums fit;
    what fits in no number of words is as if it were not finite. */
bool scree_contact_sums_fit(const scree_sum_job *job);
/*  They did not: all are 0, and have more words. SCREE_OUT_OF_MEMORY, with the message. */
scree_status scree_contact_sums_widen(const scree_sum_job *job);

#endif
