/*  The worker pool of the lab. A world knows the number of threads from its creation. How many of them work is decided
    at each task, so it may change at any time. */
#include "lab_internal.h"

/*  The caller works too, so at most one less than the allowed number can help. If there are no more helpers the caller
    does their work itself, and tasks that begin later find nothing to do. */
static void *enqueue(scree_task_fn *task, void *data, void *user)
{
    lab_crew *crew = user;

    if (crew->helping + 1 >= crew->at_work) {
        task(data);
        return NULL;
    }
    void *handle = crew->all.enqueue(task, data, crew->all.user);
    crew->helping += handle != NULL;
    return handle;
}

static void finish(void *handle, void *user)
{
    lab_crew *crew = user;

    crew->all.finish(handle, crew->all.user);
    crew->helping--;
}

void scree_lab_crew_begin(lab_crew *crew, scree_pool *pool, uint32_t at_work)
{
    *crew = (lab_crew){.all = scree_pool_tasks(pool)};
    crew->at_work =
        at_work > 0 && at_work < crew->all.worker_count ? at_work : crew->all.worker_count;
}

scree_tasks scree_lab_crew_tasks(lab_crew *crew)
{
    return (scree_tasks){
        .enqueue = enqueue, .finish = finish, .user = crew, .worker_count = crew->all.worker_count};
}
