/*  Work on several threads. Work is divided into blocks by item count alone, and workers take blocks as they become
    free. Which worker does which block differs from run to run, so a block writes only its own data. */
#ifndef SCREE_TASKS_H
#define SCREE_TASKS_H

#include "base/memory.h"

#define SCREE_MAX_WORKERS 256u

/*  The workers of one object: the host's scheduler, the object's own pool, or the caller alone. */
typedef struct scree_workers
{
    scree_tasks tasks;
    uint32_t count;   /* 1: the caller alone */
    scree_pool *pool; /* owned, or NULL */
} scree_workers;

/*  `tasks` has enqueue and finish, or is all zero (NULL is allowed); then `thread_count` decides. SCREE_BAD_DEF if only
    one function is given; SCREE_BAD_ARGUMENT for a thread or worker count of 0 or above SCREE_MAX_WORKERS; if threads
    are started, also what scree_pool_create returns. On failure `workers` is as after it was freed. */
scree_status scree_workers_init(scree_workers *workers, const scree_tasks *tasks,
                                uint32_t thread_count, const scree_allocator *allocator,
                                const scree_log *log);
void scree_workers_free(scree_workers *workers);

/*  Runs blocks 0 .. block_count - 1, each once, and returns when all are done. The caller is worker 0 and takes blocks
    too; at most workers->count - 1 tasks are enqueued. `worker` is below workers->count, and no two blocks run with the
    same worker at the same time, so it can select scratch memory. */
typedef void scree_block_fn(void *data, size_t block, uint32_t worker);
void scree_workers_run(const scree_workers *workers, size_t block_count, scree_block_fn *run,
                       void *data);

/*  Returns items [begin, end) of block `block` if `count` items are divided into blocks of `block_size`. */
static inline size_t scree_block_count(size_t count, size_t block_size)
{
    return count / block_size + (count % block_size != 0);
}

static inline size_t scree_block_end(size_t block, size_t block_size, size_t count)
{
    size_t end = (block + 1) * block_size;
    return end < count ? end : count;
}

#endif
