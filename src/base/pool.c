/*  A fixed set of threads that run tasks. Tasks wait in a queue under one lock. A caller that waits for a task that no
    thread has begun runs it itself. So a pool without threads, or with fewer threads than tasks, still finishes
    everything.

    A step has many short tasks, and waking a thread takes as long as some of them. So an idle thread, and a caller
    whose task is not done, spin for a tenth of a millisecond before they sleep. They yield the core while they spin: if
    there are more threads than cores, the thread they wait for may need it. */
#include "base/tasks.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

#define POLLS 3000
#define POLLS_PER_YIELD 64

typedef enum slot_state
{
    SLOT_FREE,
    SLOT_QUEUED,
    SLOT_RUNNING,
    SLOT_DONE,
} slot_state;

typedef struct task_slot
{
    scree_task_fn *task;
    void *data;
    _Atomic slot_state state;
    struct task_slot *next; /* in the queue, or in the free list */
} task_slot;

/*  Everything below `lock` is read and written under it, except atomic members, which are also read without it. The
    rest does not change while threads run. The first `used_count` slots have been used; those that are SLOT_FREE are in
    `free_slots`. Queued slots are linked from `first` to `last`, oldest first. */
struct scree_pool
{
    scree_allocator allocator;
    uint32_t started; /* threads besides the caller */
    pthread_t threads[SCREE_MAX_WORKERS];

    pthread_mutex_t lock;
    pthread_cond_t work; /* a task was queued, or the pool is closing */
    pthread_cond_t done; /* a task ended that a caller waits for */
    uint32_t sleepers;   /* threads waiting for `work` */
    uint32_t waiters;    /* callers waiting for `done` */
    atomic_bool closing;
    _Atomic uint32_t queued; /* length of the queue */
    uint32_t used_count;
    task_slot *free_slots, *first, *last;
    task_slot slots[SCREE_MAX_WORKERS];
};

/*  Takes `slot` out of the queue, whose length is at most the number of workers. */
static void remove_queued(scree_pool *pool, const task_slot *slot)
{
    task_slot *before = NULL, **link = &pool->first;

    while (*link != slot) {
        before = *link;
        link = &before->next;
    }
    *link = slot->next;
    if (pool->last == slot)
        pool->last = before;
    pool->queued--;
}

static void pause_briefly(int look)
{
#if defined(__x86_64__) || defined(__i386__)
    _mm_pause();
#endif
    if (look % POLLS_PER_YIELD == POLLS_PER_YIELD - 1)
        (void)sched_yield();
}

/*  Releases the lock while it waits. */
static void poll_for_tasks(scree_pool *pool)
{
    pthread_mutex_unlock(&pool->lock);
    for (int look = 0; look < POLLS && pool->queued == 0 && !pool->closing; look++)
        pause_briefly(look);
    pthread_mutex_lock(&pool->lock);
}

static void look_for_end(scree_pool *pool, const task_slot *slot)
{
    pthread_mutex_unlock(&pool->lock);
    for (int look = 0; look < POLLS && slot->state != SLOT_DONE; look++)
        pause_briefly(look);
    pthread_mutex_lock(&pool->lock);
}

/*  Runs a queued slot with the lock released. */
static void run_slot(scree_pool *pool, task_slot *slot)
{
    remove_queued(pool, slot);
    slot->state = SLOT_RUNNING;
    pthread_mutex_unlock(&pool->lock);
    slot->task(slot->data);
    pthread_mutex_lock(&pool->lock);
    slot->state = SLOT_DONE;
    if (pool->waiters > 0)
        pthread_cond_broadcast(&pool->done);
}

static void *serve_pool(void *data)
{
    scree_pool *pool = data;

    pthread_mutex_lock(&pool->lock);
    for (;;) {
        if (!pool->first && !pool->closing)
            poll_for_tasks(pool);
        if (pool->first) {
            run_slot(pool, pool->first);
        } else if (pool->closing) {
            break;
        } else {
            pool->sleepers++;
            pthread_cond_wait(&pool->work, &pool->lock);
            pool->sleepers--;
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static task_slot *take_slot(scree_pool *pool)
{
    task_slot *slot = pool->free_slots;

    if (slot)
        pool->free_slots = slot->next;
    else if (pool->used_count < SCREE_MAX_WORKERS)
        slot = &pool->slots[pool->used_count++];
    return slot;
}

static void *enqueue_in_pool(scree_task_fn *task, void *data, void *user)
{
    scree_pool *pool = user;
    task_slot *slot;

    pthread_mutex_lock(&pool->lock);
    slot = take_slot(pool);
    if (slot) {
        slot->task = task;
        slot->data = data;
        slot->next = NULL;
        slot->state = SLOT_QUEUED;
        if (pool->last)
            pool->last->next = slot;
        else
            pool->first = slot;
        pool->last = slot;
        pool->queued++;
        if (pool->sleepers > 0)
            pthread_cond_signal(&pool->work);
    }
    pthread_mutex_unlock(&pool->lock);

    /* no slot left, because several callers share the pool: the caller runs its task itself */
    if (!slot)
        task(data);
    return slot;
}

static void finish_in_pool(void *handle, void *user)
{
    scree_pool *pool = user;
    task_slot *slot = handle;

    pthread_mutex_lock(&pool->lock);
    if (slot->state == SLOT_QUEUED)
        run_slot(pool, slot);
    else if (slot->state != SLOT_DONE)
        look_for_end(pool, slot);
    pool->waiters++;
    while (slot->state != SLOT_DONE)
        pthread_cond_wait(&pool->done, &pool->lock);
    pool->waiters--;
    slot->state = SLOT_FREE;
    slot->next = pool->free_slots;
    pool->free_slots = slot;
    pthread_mutex_unlock(&pool->lock);
}

scree_status scree_pool_create(uint32_t thread_count, const scree_allocator *allocator,
                               scree_pool **pool_out)
{
    scree_memory memory;
    scree_pool *pool;
    scree_status status;

    if (!pool_out || thread_count == 0 || thread_count > SCREE_MAX_WORKERS)
        return SCREE_BAD_ARGUMENT;
    status = scree_memory_init(&memory, allocator);
    if (status)
        return status;
    status = scree_memory_take(&memory, 1, sizeof *pool, &pool);
    if (status)
        return status;
    *pool = (scree_pool){
        .allocator = memory.allocator,
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .work = PTHREAD_COND_INITIALIZER,
        .done = PTHREAD_COND_INITIALIZER,
    };

    while (pool->started + 1 < thread_count &&
           pthread_create(&pool->threads[pool->started], NULL, serve_pool, pool) == 0)
        pool->started++;
    *pool_out = pool;
    return SCREE_OK;
}

void scree_pool_destroy(scree_pool *pool)
{
    scree_allocator allocator;

    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i < pool->started; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);

    /* a copy, because the hooks are in the block that they release */
    allocator = pool->allocator;
    allocator.release(pool, sizeof *pool, allocator.user);
}

scree_tasks scree_pool_tasks(scree_pool *pool)
{
    scree_tasks tasks = {0};

    if (pool)
        tasks = (scree_tasks){
            .enqueue = enqueue_in_pool,
            .finish = finish_in_pool,
            .user = pool,
            .worker_count = pool->started + 1,
        };
    return tasks;
}

uint32_t scree_pool_thread_count(const scree_pool *pool)
{
    return pool ? pool->started + 1 : 0;
}
