/*  Distribution of bodies over ranks: which rank owns which body, where ghosts are, and what is sent in each step.

    A part has the bodies of its rank in slots 0 .. owned - 1, followed by ghosts in the order of their ranks. Slots
    stay until the next distribution. Ghosts are complete while no body is farther than `room` from its position at
    the distribution. */
#ifndef SCREE_DIST_DISTRIBUTION_H
#define SCREE_DIST_DISTRIBUTION_H

#include "dist/exchange.h"
#include "dist/ghosts.h"
#include "dist/partition.h"

typedef struct scree_distribution
{
    scree_memory *memory;
    const scree_comm *comm;
    scree_partition partition;
    uint32_t owned;
    scree_ghost_list sent; /* owned bodies that are ghosts on other ranks */
    size_t *copy_start;    /* ghosts of bodies of rank r: from owned + start[r] */
    double (*origin)[3];   /* positions of owned bodies at the distribution */
    double room;
    double cell_way;       /* upper bound of how far the edges of the cell have moved since */
    uint64_t count, moved; /* number of distributions, and bodies that changed their owner */
    bool has_shapes;       /* there are non-spherical bodies, on any rank */
    bool has_heat;
    bool has_sleep, has_events;
    /* messages of a step and their buffers: so many numbers for each body */
    size_t shared;
    double *out, *in;
    scree_rank_message *messages; /* `size` that are sent, then `size` that are received */
    size_t out_messages, in_messages;
    /* during a distribution */
    scree_received received, ghosts;
    uint32_t *to, *work;  /* by body: the rank that it is sent to; what it costs in a step */
    double (*wrapped)[4]; /* places in a periodic box */
    size_t start_capacity, origin_capacity, out_capacity, in_capacity, message_capacity,
        to_capacity, work_capacity, wrapped_capacity;
} scree_distribution;

void scree_distribution_free(scree_distribution *distribution);
/*  Frees what is needed only during a distribution, and for all bodies that this rank has distributed. */
void scree_distribution_shrink(scree_distribution *distribution);

/*  Collective: sends bodies 0 .. count - 1 of `from` with their contacts to their owners, and ghosts to the ranks
    that need them. `from` may be `part`. `way`: upper bound of the displacement in the next step.
    `rounds`: by receivers.
    SCREE_OUT_OF_MEMORY, SCREE_TOO_LARGE, SCREE_BAD_VALUE if a contact has no ghost, each on all ranks alike;
    statuses of `comm`. After a failure the part must not be used. */
scree_status scree_distribute_bodies(scree_distribution *distribution, const scree_world *from,
                                     uint32_t count, scree_world *part, double way,
                                     scree_rounds rounds);

/*  An upper bound of the next step; forces of the first `count` bodies must be known. Where bodies bound it each rank
    has its own bound, and the smallest counts. */
double scree_distribution_longest_step(const scree_world *world, uint32_t count);
/*  Whether bodies bound it: only where a cell moves, which the step alone decides. */
bool scree_bodies_bound_step(const scree_world *world);
/*  Upper bound of the distance of any body of this rank, or of an image, from its position at the distribution after a
    step of at most `dt`. Forces must be known. */
double scree_distribution_drift_bound(const scree_distribution *distribution,
                                      const scree_world *part, double dt);
/*  Upper bound of the displacement in that step alone. */
double scree_distribution_step_bound(const scree_world *part, uint32_t owned, double dt);
/*  Before a step: counts the motion of the cell in it. */
void scree_distribution_note_step(scree_distribution *distribution, const scree_world *part,
                                  double dt);

/*  Collective: updates the temperatures of ghosts, if there is heat. */
scree_status scree_update_temperatures(const scree_distribution *distribution,
                                       scree_body_arrays *bodies);
/*  Collective: updates the state of ghosts, temperatures included. */
scree_status scree_update_ghosts(const scree_distribution *distribution, scree_world *part);

#endif
