/*  The hostile schedulers: tasks run backwards, at once on the caller's thread, or late. */
#include "schedulers.h"
#include "pair_scene.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static void *reverse_enqueue(scree_task_fn *task, void *data, void *user)
{
    reverse_scheduler *self = user;
    uint32_t at = self->count++;
    self->waiting[at].task = task;
    self->waiting[at].data = data;
    return &self->waiting[at];
}

static void reverse_finish(void *handle, void *user)
{
    reverse_scheduler *self = user;
    (void)handle;
    while (self->count > 0) {
        self->count--;
        self->waiting[self->count].task(self->waiting[self->count].data);
    }
}

scree_tasks reverse_scheduler_tasks(reverse_scheduler *self)
{
    self->count = 0;
    return (scree_tasks){reverse_enqueue, reverse_finish, self, 5};
}

static void *inline_enqueue(scree_task_fn *task, void *data, void *user)
{
    (void)user;
    task(data);
    return NULL;
}

static void inline_finish(void *handle, void *user)
{
    (void)handle;
    (void)user;
}

scree_tasks inline_scheduler_tasks(void)
{
    return (scree_tasks){inline_enqueue, inline_finish, NULL, 4};
}

typedef struct delayed
{
    pthread_t thread;
    scree_task_fn *task;
    void *data;
    long nanoseconds;
} delayed;

static void *run_late(void *data)
{
    delayed *d = data;
    struct timespec rest = {0, d->nanoseconds};
    (void)nanosleep(&rest, NULL);
    d->task(d->data);
    return NULL;
}

static void *delay_enqueue(scree_task_fn *task, void *data, void *user)
{
    delay_scheduler *self = user;
    scree_random random = scree_random_stream(self->seed, self->next++);
    delayed *d = scene_memory(sizeof *d);
    d->task = task;
    d->data = data;
    d->nanoseconds = (long)scree_random_below(&random, 50000);
    if (pthread_create(&d->thread, NULL, run_late, d) == 0)
        return d;
    free(d);
    task(data);
    return NULL;
}

static void delay_finish(void *handle, void *user)
{
    delayed *d = handle;
    (void)user;
    (void)pthread_join(d->thread, NULL);
    free(d);
}

scree_tasks delay_scheduler_tasks(delay_scheduler *self)
{
    return (scree_tasks){delay_enqueue, delay_finish, self, 4};
}
