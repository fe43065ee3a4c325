/*  One batch of contacts: where laws read and write, and what these contacts remember. */
#ifndef SCREE_WORLD_BATCH_ROOM_H
#define SCREE_WORLD_BATCH_ROOM_H

#include "scree/world.h"
#include "world/contacts/contact_history.h"

/*  Rooms are filled up to a multiple of this: as many as there are in the widest vector. */
#define SCREE_ROOM_STEP 16u

/*  One batch: what scree_batch points to, and what stays inside. */
typedef struct scree_batch_room
{
    _Alignas(64) double overlap[SCREE_BATCH];
    double normal[3][SCREE_BATCH];
    double approach[SCREE_BATCH];
    double slide[3][SCREE_BATCH];
    double roll[3][SCREE_BATCH];
    double twist[SCREE_BATCH];
    double radius[SCREE_BATCH];
    double mass[SCREE_BATCH];
    double memory[SCREE_MAX_MEMORY][SCREE_BATCH];
    double next[SCREE_MAX_MEMORY][SCREE_BATCH];
    double force[3][SCREE_BATCH];
    double moment[3][SCREE_BATCH];
    double energy[SCREE_BATCH];
    double loss[SCREE_LOSSES][SCREE_BATCH];
    double stiffness[SCREE_BATCH], shear_stiffness[SCREE_BATCH];
    double arm[2][SCREE_BATCH];
    double depth[SCREE_BATCH]; /* overlap over the smaller radius */
    uint32_t contact
        [SCREE_BATCH]; /* where its results go; of pairs of bodies the candidate. Ascending */
    uint8_t is_new[SCREE_BATCH];                      /* of pairs: 1: it remembers nothing */
    uint32_t first[SCREE_BATCH], second[SCREE_BATCH]; /* slots */
} scree_batch_room;

/*  A batch that points into the room, for a law and a step of `dt`. */
scree_batch scree_batch_of_room(const scree_world_def *def, scree_batch_room *room, uint32_t count,
                                double dt, const scree_law *law, bool wants_stiffness);

/*  What contacts remember, into the room; and what they will, out of it. */
void scree_fill_memory(const scree_contact_list *list, scree_batch_room *room, uint32_t count,
                       uint32_t planes);
void scree_write_memory(scree_contact_sets *sets, const scree_batch_room *room, uint32_t count,
                        uint32_t planes);

/*  A full batch of contacts that lie side by side, none of them new: memory is read where it is and written where it goes,
    if a batch's pointers to it are set so. Whether they are. */
bool scree_lend_planes(const scree_contact_list *list, const scree_contact_sets *sets,
                       const scree_batch_room *room, uint32_t count, uint32_t planes,
                       const double *memory[], double *next[]);

#endif
