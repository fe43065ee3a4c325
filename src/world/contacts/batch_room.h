/*  Memory of one batch of contacts: input and output of contact models, and contact history. */
#ifndef SCREE_WORLD_BATCH_ROOM_H
#define SCREE_WORLD_BATCH_ROOM_H

#include "scree/world.h"
#include "world/contacts/contact_history.h"

/*  The number of contacts is padded to a multiple of this: the widest vector. */
#define SCREE_ROOM_STEP 16u

/*  The arrays that a scree_batch points to, and indices that stay inside the engine. */
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
        [SCREE_BATCH]; /* where results go: for pairs of bodies the index in the list. Ascending */
    uint8_t is_new[SCREE_BATCH];                      /* pairs only: 1: there is no history */
    uint32_t first[SCREE_BATCH], second[SCREE_BATCH]; /* slots */
} scree_batch_room;

/*  A batch that points into this memory, for a contact model and a step of `dt`. */
scree_batch scree_batch_of_room(const scree_world_def *def, scree_batch_room *room, uint32_t count,
                                double dt, const scree_law *law, bool wants_stiffness);

/*  Copies contact history into the batch, and out of it. */
void scree_fill_memory(const scree_contact_list *list, scree_batch_room *room, uint32_t count,
                       uint32_t planes);
void scree_write_memory(scree_contact_sets *sets, const scree_batch_room *room, uint32_t count,
                        uint32_t planes);

/*  Tests whether a full batch is consecutive in the list and none of its contacts is new. If so, sets pointers of
    the batch so that history is read and written in place, without copies. */
bool scree_lend_planes(const scree_contact_list *list, const scree_contact_sets *sets,
                       const scree_batch_room *room, uint32_t count, uint32_t planes,
                       const double *memory[], double *next[]);

#endif
