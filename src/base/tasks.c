/*  Distribution of work over threads. Each worker has a contiguous part of the blocks and takes them one after the
    other, so the data of one call is in its cache in the next. A worker that has finished its part takes blocks of
    others, so faster workers take more. The calling thread is worker 0 and is never idle. Any scheduler is therefore
    correct: one that runs nothing before `finish` only leaves all blocks to the caller. */
#include "base/tasks.h"
#include "base/error.h"

/*  Blocks of one worker that have not been taken yet, on a cache line of their own. */
typedef struct block_part
{
    _Alignas(64) _Atomic size_t next;
    size_t end;
} block_part;

/*  One call of scree_workers_run. Lives on the caller's stack: the call returns after the last
 * task. */
typedef struct block_run
{
    scree_block_fn *run;
    void *data;
    block_part *parts;
    uint32_t count; /* number of parts and of workers */
} block_run;

typedef struct block_worker
{
    block_run *blocks;
    uint32_t worker;
} block_worker;

static void work_through_part(const block_worker *self, block_part *part)
{
    const block_run *blocks = self->blocks;

    /* relaxed: the counter only hands out numbers; the locks of the scheduler order the data that blocks write */
    for (;;) {
        size_t block = atomic_fetch_add_explicit(&part->next, 1, memory_order_relaxed);
        if (block >= part->end)
            return;
        blocks->run(blocks->data, block, self->worker);
    }
}

static void work_through_blocks(void *data)
{
    const block_worker *self = data;
    const uint32_t count = self->blocks->count;

    for (uint32_t k = 0; k < count; k++)
        work_through_part(self, &self->blocks->parts[(self->worker + k) % count]);
}

/*  Divides blocks into parts whose sizes differ by at most one. */
static size_t end_of_part(size_t block_count, uint32_t worker, uint32_t count)
{
    size_t more = block_count % count;

    return block_count / count * (worker + 1) + (worker + 1 < more ? worker + 1 : more);
}

void scree_workers_run(const scree_workers *workers, size_t block_count, scree_block_fn *run,
                       void *data)
{
    const scree_tasks *tasks = &workers->tasks;
    block_worker each[SCREE_MAX_WORKERS];
    block_part parts[SCREE_MAX_WORKERS];
    void *handles[SCREE_MAX_WORKERS];
    uint32_t worker, count = block_count < workers->count ? (uint32_t)block_count : workers->count;
    block_run blocks = {.run = run, .data = data, .parts = parts, .count = count};

    /* too little work for two workers: no counter, no scheduler */
    if (count <= 1) {
        for (size_t block = 0; block < block_count; block++)
            run(data, block, 0);
        return;
    }

    for (worker = 0; worker < count; worker++) {
        each[worker] = (block_worker){&blocks, worker};
        parts[worker].end = end_of_part(block_count, worker, count);
        atomic_init(&parts[worker].next, worker ? parts[worker - 1].end : 0);
    }
    for (worker = 1; worker < count; worker++)
        handles[worker] = tasks->enqueue(work_through_blocks, &each[worker], tasks->user);
    work_through_blocks(&each[0]);
    for (worker = 1; worker < count; worker++)
        if (handles[worker])
            tasks->finish(handles[worker], tasks->user);
}

/*  The library's own threads, with the same interface as the host's. */
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
