/*  A checkpoint written by all ranks: each writes the rows of a range of ids to its place in one file. The file is that of
    scree_checkpoint_write, byte for byte. All ranks must see its folder. */
#ifndef SCREE_CHECKPOINT_RANKS_H
#define SCREE_CHECKPOINT_RANKS_H

#include "dist/ranks.h"
#include "scree/checkpoint.h"

/*  On all ranks, after scree_ranks_open: what this rank does in scree_ranks_checkpoint_write. */
void scree_ranks_checkpoint_prepare(scree_rank_team *ranks);

/*  On rank 0: writes the host's world, whose steps these ranks take. The statuses of scree_checkpoint_write; SCREE_IO_ERROR
    also if another rank cannot write: the message names it. The old file is unchanged then. */
scree_status scree_ranks_checkpoint_write(scree_rank_team *ranks, scree_world *world,
                                          const char *path, const scree_checkpoint_part *parts,
                                          size_t part_count, scree_error *error);

#endif
