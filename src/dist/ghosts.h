/*  Finds which ghosts each rank needs: copies of bodies that may touch its own.

    Two bodies may touch before the next distribution if their centres are nearer than R1 + R2, where R is the radius
    plus a margin.

    THE RULE. First, each body is sent to every rank whose part overlaps its box of twice its R. Since R1 + R2 <= 2
    max(R1, R2), the part that contains the centre of the smaller body is one of those that the larger one is sent
    to: so the owner of the smaller body knows every pair. Second, that owner sends the smaller body to the owner of
    the larger. Then both owners have both bodies, at any size ratio, and small bodies are never sent as far as the
    largest body reaches.

    In a periodic box a body is sent to a rank if the box of any of its images overlaps that rank's part. The body itself
    is sent, once: worlds find the nearest image. */
#ifndef SCREE_DIST_GHOSTS_H
#define SCREE_DIST_GHOSTS_H

#include "dist/partition.h"

/*  A periodic box that all centres are in. */
typedef struct scree_periodic_box
{
    double lower[3], upper[3];
    double period[3]; /* 0: this axis is not periodic */
} scree_periodic_box;

/*  Rank r gets the bodies body[start[r]] .. body[start[r + 1] - 1], by their index on this rank. */
typedef struct scree_ghost_list
{
    uint32_t *body;
    size_t *start; /* size + 1 entries */
    size_t capacity, start_capacity;
} scree_ghost_list;

/*  Received in the first round: rows start[r] to start[r + 1] - 1 are from rank r. */
typedef struct scree_ghost_rows
{
    const double (*row)[4];
    const size_t *start;
} scree_ghost_rows;

/*  A body that must be a ghost on a rank wherever it is. */
typedef struct scree_ghost_wish
{
    uint32_t rank, body;
} scree_ghost_wish;

void scree_ghost_list_free(scree_ghost_list *list, scree_memory *memory);

/*  The first round. `margin` is added to each radius. SCREE_OUT_OF_MEMORY. */
scree_status scree_ghosts_first_round(scree_ghost_list *list, scree_memory *memory,
                                      const scree_partition *partition, const scree_comm *comm,
                                      const scree_places *places, const scree_periodic_box *box,
                                      double margin);
/*  Both rounds: the bodies of `first`, followed for each rank by those of `wishes`, which are sorted by rank, and those
    sent to the owners of larger bodies. SCREE_OUT_OF_MEMORY. */
scree_status scree_ghosts_both_rounds(scree_ghost_list *list, scree_memory *memory,
                                      const scree_ghost_list *first, const scree_comm *comm,
                                      const scree_places *places, const scree_periodic_box *box,
                                      const scree_ghost_rows *ghosts,
                                      const scree_ghost_wish *wishes, size_t wish_count,
                                      double margin);

#endif
