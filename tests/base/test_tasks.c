/*  Work on threads: every block exactly once, whatever schedules them. The built-in pool, and three hosts
    that keep to the letter of the contract and nothing more. */
#define _GNU_SOURCE /* pthread_setattr_default_np */
#include "base/clock.h"
#include "base/random.h"
#include "base/tasks.h"
#include "harness/failing_allocator.h"
#include "test.h"

#include <pthread.h>
#include <time.h>

#define MAX_BLOCKS 5000

/* ---- the work: block b writes a number that depends on b alone, and counts itself ---- */

typedef struct sheet
{
    atomic_uint visits[MAX_BLOCKS];
    atomic_bool busy[SCREE_MAX_WORKERS]; /* a worker number is used by one block at a time */
    atomic_uint faults;
    uint64_t value[MAX_BLOCKS];
    uint32_t worker_count;
} sheet;

static void fill_block(void *data, size_t block, uint32_t worker)
{
    sheet *self = data;
    scree_random random = scree_random_stream(1, block);

    if (worker >= self->worker_count || atomic_exchange(&self->busy[worker], true))
        atomic_fetch_add(&self->faults, 1);
    for (int i = 0; i < 10; i++)
        self->value[block] += scree_random_u64(&random);
    atomic_fetch_add(&self->visits[block], 1);
    atomic_store(&self->busy[worker], false);
}

static uint64_t digest_of_run(const scree_workers *workers, size_t block_count)
{
    sheet *self = calloc(1, sizeof *self);
    uint64_t digest = 0;
    bool right;

    self->worker_count = workers->count;
    scree_workers_run(workers, block_count, fill_block, self);
    right = self->faults == 0;
    for (size_t i = 0; i < MAX_BLOCKS; i++) {
        right = right && self->visits[i] == (i < block_count);
        digest = digest * 0x9E3779B97F4A7C15u + self->value[i];
    }
    free(self);
    CHECK(right);
    return digest;
}

static void check_all_sizes(const scree_workers *workers)
{
    static const size_t counts[] = {0, 1, 2, 3, 7, 16, 17, 255, 256, 257, 1000, MAX_BLOCKS};
    static const scree_workers alone = {.count = 1};

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        CHECK(digest_of_run(workers, counts[i]) == digest_of_run(&alone, counts[i]));
}

static void count_up(void *data)
{
    atomic_fetch_add((atomic_int *)data, 1);
}

static void count_block(void *data, size_t block, uint32_t worker)
{
    (void)block;
    (void)worker;
    count_up(data);
}

/* ---- the pool ---- */

TEST(every_block_runs_once)
{
    static const uint32_t counts[] = {1, 2, 7, 16, SCREE_MAX_WORKERS};

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        scree_workers workers;
        CHECK_EQUAL(scree_workers_init(&workers, NULL, counts[i], NULL, NULL), SCREE_OK);
        CHECK_EQUAL(workers.count, counts[i]);
        CHECK_EQUAL(workers.pool == NULL, counts[i] == 1);
        check_all_sizes(&workers);
        scree_workers_free(&workers);
        CHECK(workers.pool == NULL);
        scree_workers_free(&workers);
    }
}

TEST(workers_of_zero_bytes_run_alone)
{
    scree_workers workers = {0};
    atomic_int counter = 0;

    scree_workers_run(&workers, 10, count_block, &counter);
    CHECK_EQUAL(counter, 10);
    scree_workers_free(&workers);
}

TEST(many_tiny_runs_are_quick)
{
    scree_workers workers;
    atomic_int counter = 0;
    double begin, seconds;

    CHECK_EQUAL(scree_workers_init(&workers, NULL, 4, NULL, NULL), SCREE_OK);
    begin = scree_clock_seconds();
    for (int i = 0; i < 10000; i++)
        scree_workers_run(&workers, 3, count_block, &counter);
    seconds = scree_clock_seconds() - begin;
    scree_workers_free(&workers);
    CHECK_EQUAL(counter, 30000);
    CHECK(seconds <
          20.0); /* 0.1 as a rule; a lost wake-up or a sleep shows, a busy machine does not */
}

TEST(a_pool_starts_and_stops)
{
    failing_allocator books = {0};
    scree_allocator hooks = failing_allocator_hooks(&books);

    for (uint32_t i = 0; i < 200; i++) {
        scree_pool *pool;
        CHECK_EQUAL(scree_pool_create(i % 5 + 1, &hooks, &pool), SCREE_OK);
        CHECK_EQUAL(scree_pool_thread_count(pool), i % 5 + 1);
        scree_pool_destroy(pool);
    }
    CHECK(failing_allocator_is_clean(&books));
    scree_pool_destroy(NULL);
}

TEST(a_pool_refuses_what_it_cannot_be)
{
    failing_allocator books = {.fail_at = 1};
    scree_allocator hooks = failing_allocator_hooks(&books), partial = hooks;
    scree_pool *pool = NULL;

    partial.release = NULL;
    CHECK_EQUAL(scree_pool_create(0, NULL, &pool), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_pool_create(257, NULL, &pool), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_pool_create(2, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_pool_create(2, &partial, &pool), SCREE_BAD_DEF);
    CHECK_EQUAL(scree_pool_create(2, &hooks, &pool), SCREE_OUT_OF_MEMORY);
    CHECK(pool == NULL);
    CHECK(failing_allocator_is_clean(&books));
    CHECK_EQUAL(scree_pool_thread_count(NULL), 0);
    CHECK(scree_pool_tasks(NULL).enqueue == NULL);
}

/*  More tasks than slots, more than threads, finished in another order than begun. Every slot comes
    back: the second round finds as many as the first. */
static void take_many_tasks(const scree_tasks *tasks)
{
    void *handles[600];
    atomic_int counter = 0;
    int inline_count = 0;

    for (int i = 0; i < 600; i++) {
        handles[i] = tasks->enqueue(count_up, &counter, tasks->user);
        inline_count += handles[i] == NULL;
    }
    CHECK_EQUAL(inline_count, 600 - 256);
    for (int i = 0; i < 600; i += 2)
        if (handles[i])
            tasks->finish(handles[i], tasks->user);
    for (int i = 599; i > 0; i -= 2)
        if (handles[i])
            tasks->finish(handles[i], tasks->user);
    CHECK_EQUAL(counter, 600);
}

TEST(a_pool_takes_any_number_of_tasks)
{
    static const uint32_t thread_counts[] = {1, 3};

    for (int i = 0; i < 2; i++) {
        scree_pool *pool;
        scree_tasks tasks;

        CHECK_EQUAL(scree_pool_create(thread_counts[i], NULL, &pool), SCREE_OK);
        tasks = scree_pool_tasks(pool);
        CHECK_EQUAL(tasks.worker_count, thread_counts[i]);
        take_many_tasks(&tasks);
        take_many_tasks(&tasks);
        scree_pool_destroy(pool);
    }
}

/*  Without a thread besides the caller, `finish` takes tasks out of the middle of the line. */
TEST(tasks_leave_the_line_in_any_order)
{
    static const int orders[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}, {2, 0, 3, 1}};
    scree_pool *pool;
    scree_tasks tasks;

    CHECK_EQUAL(scree_pool_create(1, NULL, &pool), SCREE_OK);
    tasks = scree_pool_tasks(pool);
    for (int i = 0; i < 4; i++) {
        atomic_int counters[5] = {0};
        void *handles[5];
        for (int j = 0; j < 4; j++)
            handles[j] = tasks.enqueue(count_up, &counters[j], tasks.user);
        for (int j = 0; j < 4; j++) {
            int at = orders[i][j];
            CHECK_EQUAL(counters[at], 0);
            tasks.finish(handles[at], tasks.user);
            CHECK_EQUAL(counters[at], 1);
            /* the line still has an end */
            handles[4] = tasks.enqueue(count_up, &counters[4], tasks.user);
            tasks.finish(handles[4], tasks.user);
            CHECK_EQUAL(counters[4], j + 1);
        }
    }
    scree_pool_destroy(pool);
}

/*  glibc: with a default stack that no address space has, no thread starts. */
#if defined(__GLIBC__)
static void keep_log(scree_log_level level, scree_log_id id, const char *text, void *user)
{
    if (level == SCREE_LOG_WARNING && id == SCREE_LOG_FEWER_THREADS)
        snprintf(user, 100, "%s", text);
}

TEST(fewer_threads_do_the_same_work)
{
    char text[100] = "";
    scree_log log = {keep_log, text};
    scree_workers workers;
    pthread_attr_t usual, huge;
    scree_status status;

    pthread_getattr_default_np(&usual);
    pthread_attr_init(&huge);
    pthread_attr_setstacksize(&huge, (size_t)1 << 47);
    CHECK_EQUAL(pthread_setattr_default_np(&huge), 0);
    status = scree_workers_init(&workers, NULL, 4, NULL, &log);
    pthread_setattr_default_np(&usual);
    pthread_attr_destroy(&huge);
    pthread_attr_destroy(&usual);

    CHECK_EQUAL(status, SCREE_OK);
    CHECK_EQUAL(workers.count, 1);
    CHECK_SAYS(text, "1 of 4 threads");
    check_all_sizes(&workers);
    scree_workers_free(&workers);
}
#endif

/* ---- several at once ---- */

static void *run_many(void *data)
{
    const scree_workers *workers = data;
    atomic_int counter = 0;

    for (int i = 0; i < 500; i++)
        scree_workers_run(workers, 20, count_block, &counter);
    return counter == 10000 ? data : NULL;
}

static void check_two_threads(scree_workers *first, scree_workers *second)
{
    pthread_t threads[2];
    void *results[2];

    CHECK_EQUAL(pthread_create(&threads[0], NULL, run_many, first), 0);
    CHECK_EQUAL(pthread_create(&threads[1], NULL, run_many, second), 0);
    pthread_join(threads[0], &results[0]);
    pthread_join(threads[1], &results[1]);
    CHECK(results[0] == first && results[1] == second);
}

TEST(two_pools_do_not_notice_each_other)
{
    scree_workers workers[2];

    for (int i = 0; i < 2; i++)
        CHECK_EQUAL(scree_workers_init(&workers[i], NULL, 3, NULL, NULL), SCREE_OK);
    check_two_threads(&workers[0], &workers[1]);
    for (int i = 0; i < 2; i++)
        scree_workers_free(&workers[i]);
}

TEST(two_threads_may_share_a_pool)
{
    scree_pool *pool;
    scree_tasks tasks;
    scree_workers workers[2];

    CHECK_EQUAL(scree_pool_create(3, NULL, &pool), SCREE_OK);
    tasks = scree_pool_tasks(pool);
    for (int i = 0; i < 2; i++)
        CHECK_EQUAL(scree_workers_init(&workers[i], &tasks, 1, NULL, NULL), SCREE_OK);
    CHECK(workers[0].pool == NULL);
    check_two_threads(&workers[0], &workers[1]);
    for (int i = 0; i < 2; i++)
        scree_workers_free(&workers[i]);
    scree_pool_destroy(pool);
}

/* ---- hosts ---- */

/*  Runs nothing before the last task is waited for, then all of them, the last first. */
typedef struct late_task
{
    scree_task_fn *run;
    void *data;
} late_task;

typedef struct late_host
{
    late_task tasks[SCREE_MAX_WORKERS];
    int count, finished, most;
} late_host;

static void *enqueue_late(scree_task_fn *task, void *data, void *user)
{
    late_host *host = user;

    host->tasks[host->count] = (late_task){task, data};
    return &host->tasks[host->count++];
}

static void finish_late(void *handle, void *user)
{
    late_host *host = user;

    (void)handle;
    if (host->finished == 0)
        for (int i = host->count; i-- > 0;)
            host->tasks[i].run(host->tasks[i].data);
    host->most = host->count > host->most ? host->count : host->most;
    if (++host->finished == host->count)
        host->finished = host->count = 0;
}

TEST(a_host_may_run_tasks_late_and_in_reverse)
{
    static late_host host;
    scree_tasks tasks = {enqueue_late, finish_late, &host, 7};
    scree_workers workers;

    CHECK_EQUAL(scree_workers_init(&workers, &tasks, 99, NULL, NULL), SCREE_OK);
    CHECK_EQUAL(workers.count, 7);
    check_all_sizes(&workers);
    CHECK_EQUAL(host.count, 0);
    CHECK(host.most > 0 && host.most <= 7);
    scree_workers_free(&workers);
}

static void *run_at_once(scree_task_fn *task, void *data, void *user)
{
    (void)user;
    task(data);
    return NULL;
}

static void never_finish(void *handle, void *user)
{
    (void)handle;
    *(bool *)user = true;
}

TEST(a_host_may_run_tasks_at_once)
{
    bool finish_was_called = false;
    scree_tasks tasks = {run_at_once, never_finish, &finish_was_called, 16};
    scree_workers workers;

    CHECK_EQUAL(scree_workers_init(&workers, &tasks, 0, NULL, NULL), SCREE_OK);
    check_all_sizes(&workers);
    CHECK(!finish_was_called);
    scree_workers_free(&workers);
}

/*  A thread a task, each asleep for a random time before and after its work. */
typedef struct slow_task
{
    scree_task_fn *run;
    void *data;
    pthread_t thread;
    uint32_t nanoseconds;
} slow_task;

typedef struct slow_host
{
    slow_task tasks[SCREE_MAX_WORKERS];
    scree_random random;
    uint32_t enqueued, finished;
} slow_host;

static void *run_slowly(void *data)
{
    slow_task *task = data;
    struct timespec pause = {0, task->nanoseconds};

    nanosleep(&pause, NULL);
    task->run(task->data);
    nanosleep(&pause, NULL);
    return NULL;
}

static void *enqueue_slowly(scree_task_fn *task, void *data, void *user)
{
    slow_host *host = user;
    slow_task *slot = &host->tasks[host->enqueued];

    *slot = (slow_task){.run = task, .data = data};
    slot->nanoseconds = scree_random_below(&host->random, 300000);
    if (pthread_create(&slot->thread, NULL, run_slowly, slot) != 0) {
        task(data);
        return NULL;
    }
    host->enqueued++;
    return slot;
}

static void finish_slowly(void *handle, void *user)
{
    slow_host *host = user;

    pthread_join(((slow_task *)handle)->thread, NULL);
    if (++host->finished == host->enqueued)
        host->finished = host->enqueued = 0;
}

TEST(a_host_may_be_slow)
{
    static slow_host host;
    scree_tasks tasks = {enqueue_slowly, finish_slowly, &host, 5};
    scree_workers workers;

    host.random = scree_random_stream(8, 0);
    CHECK_EQUAL(scree_workers_init(&workers, &tasks, 1, NULL, NULL), SCREE_OK);
    for (int i = 0; i < 5; i++)
        check_all_sizes(&workers);
    CHECK_EQUAL(host.enqueued, 0);
    scree_workers_free(&workers);
}

TEST(workers_refuse_what_cannot_work)
{
    bool called = false;
    scree_tasks none = {0}, good = {run_at_once, never_finish, &called, 4};
    scree_tasks no_finish = good, no_enqueue = good, no_workers = good, too_many = good;
    failing_allocator books = {.fail_at = 1};
    scree_allocator hooks = failing_allocator_hooks(&books), partial = hooks;
    scree_workers workers;

    no_finish.finish = NULL;
    no_enqueue.enqueue = NULL;
    no_workers.worker_count = 0;
    too_many.worker_count = SCREE_MAX_WORKERS + 1;
    partial.reallocate = NULL;
    CHECK_EQUAL(scree_workers_init(&workers, &no_finish, 1, NULL, NULL), SCREE_BAD_DEF);
    CHECK_EQUAL(scree_workers_init(&workers, &no_enqueue, 1, NULL, NULL), SCREE_BAD_DEF);
    CHECK_EQUAL(scree_workers_init(&workers, &no_workers, 1, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_workers_init(&workers, &too_many, 1, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_workers_init(&workers, &none, 0, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_workers_init(&workers, NULL, 257, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_workers_init(&workers, NULL, 2, &partial, NULL), SCREE_BAD_DEF);
    CHECK_EQUAL(scree_workers_init(&workers, NULL, 2, &hooks, NULL), SCREE_OUT_OF_MEMORY);
    CHECK_EQUAL(workers.count, 1);
    CHECK(workers.pool == NULL);
    scree_workers_free(&workers);
    CHECK_EQUAL(scree_workers_init(&workers, &none, 1, NULL, NULL), SCREE_OK);
    CHECK_EQUAL(workers.count, 1);
    CHECK(!called);
}

TEST(blocks_cover_the_items)
{
    CHECK_EQUAL(scree_block_count(0, 8), 0);
    CHECK_EQUAL(scree_block_count(1, 8), 1);
    CHECK_EQUAL(scree_block_count(8, 8), 1);
    CHECK_EQUAL(scree_block_count(9, 8), 2);
    CHECK_EQUAL(scree_block_end(0, 8, 9), 8);
    CHECK_EQUAL(scree_block_end(1, 8, 9), 9);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(every_block_runs_once),
        CASE(workers_of_zero_bytes_run_alone),
        CASE(many_tiny_runs_are_quick),
        CASE(a_pool_starts_and_stops),
        CASE(a_pool_refuses_what_it_cannot_be),
        CASE(a_pool_takes_any_number_of_tasks),
        CASE(tasks_leave_the_line_in_any_order),
#if defined(__GLIBC__)
        CASE(fewer_threads_do_the_same_work),
#endif
        CASE(two_pools_do_not_notice_each_other),
        CASE(two_threads_may_share_a_pool),
        CASE(a_host_may_run_tasks_late_and_in_reverse),
        CASE(a_host_may_run_tasks_at_once),
        CASE(a_host_may_be_slow),
        CASE(workers_refuse_what_cannot_work),
        CASE(blocks_cover_the_items),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
