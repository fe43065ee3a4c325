/*  How does scree run on the threads of my own program?
    Give it two functions: one that takes a task, one that waits for it. Here each task gets a
   thread of its own; a job system would put it into its queue. The pairs are the same for any
   number. */
#include "scree/scree.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct job
{
    pthread_t thread;
    scree_task_fn *task;
    void *data;
} job;

static void *run_job(void *argument)
{
    job *j = argument;
    j->task(j->data);
    return NULL;
}

static void *enqueue(scree_task_fn *task, void *data, void *user)
{
    (void)user;
    job *j = malloc(sizeof *j);
    if (j) {
        j->task = task;
        j->data = data;
        if (pthread_create(&j->thread, NULL, run_job, j) == 0)
            return j;
        free(j);
    }
    /* no thread to be had: done here and now */
    task(data);
    return NULL;
}

static void finish(void *handle, void *user)
{
    (void)user;
    job *j = handle;
    pthread_join(j->thread, NULL);
    free(j);
}

static uint64_t count_pairs(uint32_t workers, const scree_table *table)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;
    scree_pairs pairs = {0, NULL, NULL};
    def.tasks = (scree_tasks){enqueue, finish, NULL, workers};
    def.method = "hashing2";
    if (scree_detector_create(&def, &detector))
        return 0;
    if (scree_detector_update(detector, table, NULL) ||
        scree_detector_pairs(detector, NULL, &pairs))
        puts(scree_detector_message(detector));
    scree_detector_destroy(detector);
    return pairs.count;
}

int main(void)
{
    enum
    {
        COUNT = 20000
    };
    static double x[COUNT], y[COUNT], z[COUNT], r[COUNT];
    for (int i = 0; i < COUNT; i++) {
        x[i] = i * 0.618033988749895 - (int)(i * 0.618033988749895);
        y[i] = i * 0.754877666246693 - (int)(i * 0.754877666246693);
        z[i] = (double)i / COUNT;
        r[i] = 0.02;
    }
    scree_table table =
        scree_table_spheres(COUNT, scree_doubles(x, sizeof *x), scree_doubles(y, sizeof *y),
                            scree_doubles(z, sizeof *z), scree_doubles(r, sizeof *r));
    uint64_t one = count_pairs(1, &table), four = count_pairs(4, &table);
    printf("%" PRIu64 " pairs on one thread, %" PRIu64 " on four\n", one, four);
    return one == four && one > 0 ? 0 : 1;
}
