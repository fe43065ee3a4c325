/*  Loops over all bodies, in blocks that workers share. The blocks depend on the number of bodies alone. */
#ifndef SCREE_WORLD_BODY_BLOCKS_H
#define SCREE_WORLD_BODY_BLOCKS_H

#include "base/tasks.h"

#define SCREE_BODIES_PER_BLOCK 1024u

/*  Bodies begin .. end - 1. */
typedef struct scree_body_block
{
    size_t index;
    uint32_t begin, end;
    uint32_t worker;
} scree_body_block;

typedef void scree_body_block_fn(void *data, const scree_body_block *block);

/*  Calls `run` once for each block of `count` bodies, as scree_workers_run does. */
void scree_body_blocks_run(const scree_workers *workers, size_t count, scree_body_block_fn *run,
                           void *data);

static inline size_t scree_body_block_count(size_t count)
{
    return scree_block_count(count, SCREE_BODIES_PER_BLOCK);
}

#endif
