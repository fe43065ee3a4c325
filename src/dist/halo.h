/*  Which bodies a rank needs copies of: those that may touch bodies that it owns.

    Two bodies may touch before the next distribution if their centres are nearer than R1 + R2, with R the radius and a margin.
    THE RULE. First, each body goes to every rank whose part its box of twice its R touches. As R1 + R2 <= 2 max(R1, R2), the part that
    the centre of the smaller body is in is among those that the larger one goes to: so the owner of the smaller knows every pair. Then
    that owner sends the smaller one back to the owner of the larger. Now both owners have both bodies, at any ratio of sizes, and
    nothing travels as far as the largest body anywhere reaches. */
#ifndef SCREE_DIST_HALO_H
#define SCREE_DIST_HALO_H

#include "dist/partition.h"

/*  To rank r go the bodies body[start[r]] .. body[start[r + 1] - 1], by their number in the places of this rank. */
typedef struct scree_halo_list
{
    uint32_t *body;
    size_t *start; /* size + 1 */
    size_t capacity, start_capacity;
} scree_halo_list;

/*  What came in the first round: from rank r the rows start[r] to start[r + 1] - 1. */
typedef struct scree_halo_copies
{
    const double (*row)[4];
    const size_t *start;
} scree_halo_copies;

void scree_halo_list_free(scree_halo_list *list, scree_memory *memory);

/*  The first round. `margin` is added to each radius. SCREE_OUT_OF_MEMORY. */
scree_status scree_halo_first(scree_halo_list *list, scree_memory *memory,
                              const scree_partition *partition, const scree_comm *comm,
                              const scree_places *places, double margin);
/*  Both rounds: what goes in the `first`, and behind it for each rank what goes back to the owner of larger bodies. SCREE_OUT_OF_MEMORY. */
scree_status scree_halo_all(scree_halo_list *list, scree_memory *memory,
                            const scree_halo_list *first, const scree_comm *comm,
                            const scree_places *places, const scree_halo_copies *copies,
                            double margin);

#endif
