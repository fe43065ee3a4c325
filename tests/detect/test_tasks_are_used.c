/*  Whether work is given to the host's threads at all. What is found never depends on it, so only a look at
    the calls can tell: where there are two workers and enough bodies, each kind of search hands tasks to
    the host; where there is one worker, or next to no bodies, none. */
#include "base/random.h"
#include "scree/detect.h"
#include "test.h"

#define MOST 12000u

static double number[4][MOST];

static void fill(void)
{
    scree_random random = scree_random_stream(8, 1);
    for (uint32_t i = 0; i < MOST; i++) {
        for (int k = 0; k < 3; k++)
            number[k][i] = scree_random_range(&random, 0, 24);
        number[3][i] = 0.5;
    }
}

static void *run_here(scree_task_fn *task, void *data, void *user)
{
    ++*(uint32_t *)user;
    task(data);
    return NULL;
}

static void finish(void *handle, void *user)
{
    (void)handle, (void)user;
}

static int pass(uint32_t first, uint32_t second, void *user)
{
    (void)first, (void)second, (void)user;
    return 0;
}

enum calls
{
    UPDATE,
    FOR_EACH,
    PAIRS,
    CANONICAL,
    NEIGHBORS,
    CALLS,
};

/*  Tasks given to the host in each call. */
static void count_tasks(const char *method, uint32_t workers, uint32_t bodies,
                        uint32_t tasks[CALLS])
{
    uint32_t given = 0;
    scree_pairs pairs;
    scree_pairs_options canonical = {.canonical = true};
    scree_neighbors neighbors;
    scree_detector *d;
    scree_detector_def def = scree_default_detector_def();
    scree_table table =
        scree_table_spheres(bodies, scree_doubles(number[0], 8), scree_doubles(number[1], 8),
                            scree_doubles(number[2], 8), scree_doubles(number[3], 8));
    def.method = method;
    def.tasks = (scree_tasks){run_here, finish, &given, workers};
    CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
    for (int call = 0; call < CALLS; call++) {
        given = 0;
        scree_status status =
            call == UPDATE     ? scree_detector_update(d, &table, NULL)
            : call == FOR_EACH ? scree_detector_for_each_pair(d, pass, NULL)
            : call < NEIGHBORS ? scree_detector_pairs(d, call == PAIRS ? NULL : &canonical, &pairs)
                               : scree_detector_neighbors(d, NULL, &neighbors);
        CHECK_EQUAL(status, SCREE_OK);
        tasks[call] = given;
    }
    scree_detector_destroy(d);
}

TEST(two_workers_get_work)
{
    fill();
    for (size_t m = 0; m < scree_method_count(); m++) {
        const scree_method_info *info = scree_method_at(m);
        uint32_t tasks[CALLS];
        if (!(info->capabilities & SCREE_METHOD_THREADS) ||
            (info->capabilities & SCREE_METHOD_QUADRATIC))
            continue;
        count_tasks(info->name, 2, MOST, tasks);
        for (int call = FOR_EACH; call < CALLS; call++)
            if (tasks[call] == 0)
                FAIL("%s: call %d gave no task to the host", info->name, call);
    }
}

TEST(one_worker_needs_no_tasks)
{
    fill();
    for (size_t m = 0; m < scree_method_count(); m++) {
        uint32_t tasks[CALLS];
        if (scree_method_at(m)->capabilities & SCREE_METHOD_QUADRATIC)
            continue;
        count_tasks(scree_method_at(m)->name, 1, MOST, tasks);
        for (int call = 0; call < CALLS; call++)
            CHECK_EQUAL(tasks[call], 0);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(two_workers_get_work),
        CASE(one_worker_needs_no_tasks),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
