/*  Finds which ghosts each rank needs: copies of bodies that may touch its own.

    Two bodies may touch before the next distribution if their centres are nearer than R1 + R2, where R is the radius
    plus a margin.

    THE RULE. First, each body is sent to every rank whose part overlaps its box of twice its R. Since R1 + R2 <= 2
    max(R1, R2), the part that contains the centre of the smaller body is one of those that the larger one is sent
    to: so the owner of the smaller body knows every pair. Second, that owner answers: it says which copies may touch
    one of its bodies that is no larger, and sends its smaller bodies that may touch a copy. Copies that are not named
    are dropped. So both owners have both bodies of each pair, at any size ratio, and no body is sent that is in no
    pair.

    In a periodic domain, which may be tilted, a body is sent to a rank if the box of any of its images overlaps that
    rank's part. All centres are in the box of the domain. The body itself is sent, once: worlds find the nearest
    image. */
#ifndef SCREE_DIST_GHOSTS_H
#define SCREE_DIST_GHOSTS_H

#include "dist/partition.h"
#include "world/state/cell_box.h"

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
                                      const scree_places *places, const scree_domain *box,
                                      double margin);

/*  What a rank answers to the copies that it received. */
typedef struct scree_ghost_answer
{
    uint8_t *needed; /* of each row received: 1 or 0; for the owner of that row */
    size_t needed_capacity;
    scree_ghost_list near; /* smaller bodies that the owners of copies need; may have some twice */
} scree_ghost_answer;

void scree_ghost_answer_free(scree_ghost_answer *answer, scree_memory *memory);
/*  The second round. SCREE_OUT_OF_MEMORY. */
scree_status scree_ghosts_answer(scree_ghost_answer *answer, scree_memory *memory,
                                 const scree_comm *comm, const scree_places *places,
                                 const scree_domain *box, const scree_ghost_rows *ghosts,
                                 double margin);
/*  The result, each body once a rank: those of `first` that are needed (an answer for each of its entries), those of
    `near`, and `wishes`, which are sorted by rank. `bodies` is the number of this rank. SCREE_OUT_OF_MEMORY. */
scree_status scree_ghosts_choose(scree_ghost_list *list, scree_memory *memory,
                                 const scree_comm *comm, size_t bodies,
                                 const scree_ghost_list *first, const uint8_t *is_needed,
                                 const scree_ghost_list *near, const scree_ghost_wish *wishes,
                                 size_t wish_count);

#endif
