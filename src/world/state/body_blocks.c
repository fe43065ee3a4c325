/*  Loops over all bodies in blocks. */
#include "world/state/body_blocks.h"

typedef struct block_run
{
    scree_body_block_fn *run;
    void *data;
    size_t count;
} block_run;

static void run_block(void *data, size_t index, uint32_t worker)
{
    const block_run *all = data;
    scree_body_block block = {index, (uint32_t)(index * SCREE_BODIES_PER_BLOCK),
                              (uint32_t)scree_block_end(index, SCREE_BODIES_PER_BLOCK, all->count),
                              worker};

    all->run(all->data, &block);
}

void scree_body_blocks_run(const scree_workers *workers, size_t count, scree_body_block_fn *run,
                           void *data)
{
    block_run all = {run, data, count};

    scree_workers_run(workers, scree_body_block_count(count), run_block, &all);
}
