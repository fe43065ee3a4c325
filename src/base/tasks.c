/*  How work gets onto threads. Every worker takes the next block from one counter until there are
    no more, so fast workers take more; the calling thread is worker 0 and is never idle. That
    makes any scheduler right: one that runs nothing before `finish` only leaves the caller all the
    blocks. */
#include "base/tasks.h"
#include "base/error.h"

/*  One call of scree_workers_run. Lives on the caller's stack: the call returns after the last
 * task. */
typedef struct block_run
{
    scree_block_fn *run;
    void *data;
    size_t block_count;
    _Atomic size_t next_block;
} block_run;

typedef struct block_worker
{
    block_run *blocks;
    uint32_t worker;
} block_worker;

static void work_through_blocks(void *data)
{
    const block_worker *self = data;
    block_run *blocks = self->blocks;

    /* relaxed: the counter only deals out numbers; what blocks write is handed over by the locks of
       the scheduler */
    for (;;) {
        size_t block = atomic_fetch_add_explicit(&blocks->next_block, 1, memory_order_relaxed);
        if (block >= blocks->block_count)
            return;
        blocks->run(blocks->data, block, self->worker);
    }
}

void scree_workers_run(const scree_workers *workers, size_t block_count, scree_block_fn *run,
                       void *data)
{
    const scree_tasks *tasks = &workers->tasks;
    block_worker each[SCREE_MAX_WORKERS];
    void *handles[SCREE_MAX_WORKERS];
    block_run blocks = {.run = run, .data = data, .block_count = block_count};
    uint32_t worker, count = block_count < workers->count ? (uint32_t)block_count : workers->count;

    /* too little for two: no counter, no scheduler */
    if (count <= 1) {
        for (size_t block = 0; block < block_count; block++)
            run(data, block, 0);
        return;
    }

    for (worker = 0; worker < count; worker++)
        each[worker] = (block_worker){&blocks, worker};
    for (worker = 1; worker < count; worker++)
        handles[worker] = tasks->enqueue(work_through_blocks, &each[worker], tasks->user);
    work_through_blocks(&each[0]);
    for (worker = 1; worker < count; worker++)
        if (handles[worker])
            tasks->finish(handles[worker], tasks->user);
}

/*  Threads of our own, in the same form as the host's. */
static scree_status start_own_pool(scree_workers *workers, uint32_t thread_count,
                                   const scree_allocator *allocator, const scree_log *log)
{
    scree_status status = scree_pool_create(thread_count, allocator, &workers->pool);

    if (status)
        return status;
    workers->tasks = scree_pool_tasks(workers->pool);
    workers->count = workers->tasks.worker_count;
    if (workers->count < thread_count)
        scree_log_write(log, SCREE_LOG_WARNING, SCREE_LOG_FEWER_THREADS,
                        "the system started %u of %u threads; results are the same", workers->count,
                        thread_count);
    return SCREE_OK;
}

scree_status scree_workers_init(scree_workers *workers, const scree_tasks *tasks,
                                uint32_t thread_count, const scree_allocator *allocator,
                                const scree_log *log)
{
    bool from_host = tasks && tasks->enqueue;
    uint32_t count = from_host ? tasks->worker_count : thread_count;

    *workers = (scree_workers){.count = 1};
    if (tasks && !tasks->enqueue != !tasks->finish)
        return SCREE_BAD_DEF;
    if (count == 0 || count > SCREE_MAX_WORKERS)
        return SCREE_BAD_ARGUMENT;
    if (from_host) {
        workers->tasks = *tasks;
        workers->count = count;
        return SCREE_OK;
    }
    return count == 1 ? SCREE_OK : start_own_pool(workers, count, allocator, log);
}

void scree_workers_free(scree_workers *workers)
{
    scree_pool_destroy(workers->pool);
    *workers = (scree_workers){.count = 1};
}
