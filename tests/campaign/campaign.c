/*  As much that is random as one likes: scenes for every method against the reference, pairs of triangles, poses of
    meshes; until one differs. A scene that does is made small and printed, with the command that repeats it. */
#include "campaign.h"

#include "harness/shrink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double campaign_now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

campaign_watch campaign_begin(void)
{
    double start = campaign_now();
    return (campaign_watch){start, start};
}

bool campaign_is_over(const campaign *c, campaign_watch *watch, uint64_t done, const char *what)
{
    double time = campaign_now();
    if (c->seconds > 0 && time - watch->start > c->seconds)
        return true;
    if (time - watch->shown > 10) {
        printf("%llu %s, %.0f a second\n", (unsigned long long)done, what,
               (double)done / (time - watch->start));
        watch->shown = time;
    }
    return false;
}

/*  Seeds first, first + jobs, ...; returns the exit code. */
static int campaign_detect(const campaign *c, uint32_t job)
{
    check_options options = {.method = c->method, .all_simd = true};
    scree_pool *pool = NULL;
    campaign_watch watch = campaign_begin();
    uint64_t done = 0;

    if (c->threads > 1) {
        if (scree_pool_create(c->threads, NULL, &pool)) {
            printf("campaign: no pool of %u threads\n", c->threads);
            return 2;
        }
        options.run.tasks = scree_pool_tasks(pool);
        options.run.thread_count = c->threads;
    }
    int code = 0;
    for (uint64_t k = job; k < c->count && code == 0; k += c->jobs) {
        if (campaign_is_over(c, &watch, done, "scenes"))
            break;
        code = check_seed(c->seed + k, &options, c->is_quiet) ? 0 : 1;
        done++;
    }
    scree_pool_destroy(pool);
    if (code) {
        uint64_t seed = c->seed + job + (done - 1) * c->jobs;
        printf("first difference: seed %llu\n", (unsigned long long)seed);
    } else
        printf("%llu scenes x %zu methods, no difference, %.1f s\n", (unsigned long long)done,
               c->method ? (size_t)1 : scree_method_count(), campaign_now() - watch.start);
    return code;
}

/* ---- the command line ---- */

static const struct topic
{
    const char *name, *count; /* count: the option that says how many */
    int (*run)(const campaign *c, uint32_t job);
    uint64_t otherwise;
    bool can_shrink;
} topics[] = {
    {"detect", "--scenes", campaign_detect, 10000, true},
    {"periodic", "--scenes", campaign_periodic, 10000, false},
    {"triangles", "--pairs", campaign_triangles, 1000000, false},
    {"meshes", "--poses", campaign_meshes, 10000, false},
    {"blocks", "--poses", campaign_blocks, 1000000, false},
    {"grazing", "--poses", campaign_grazing, 1000000, false},
    {"polygons", "--poses", campaign_polygons, 1000000, false},
    {"adversary", "--cases", campaign_adversary, 100000, false},
    {"worlds", "--worlds", campaign_worlds, 10000, true},
};

static int run_jobs(const campaign *c, const struct topic *topic)
{
    int worst = 0;
    for (uint32_t job = 0; job < c->jobs; job++) {
        pid_t child = fork();
        if (child == 0) {
            int code = topic->run(c, job);
            (void)fflush(stdout);
            _exit(code);
        }
        if (child < 0) {
            printf("campaign: no process for job %u\n", job);
            worst = 2;
        }
    }
    for (int status; wait(&status) > 0;) {
        int code = WIFEXITED(status) ? WEXITSTATUS(status) : 3;
        if (code == 3)
            printf("campaign: a job crashed\n");
        worst = code > worst ? code : worst;
    }
    return worst;
}

static int usage(void)
{
    printf("usage: campaign detect [--scenes N] [--seed S] [--threads T] [--seconds LIMIT]\n"
           "                       [--method NAME] [--jobs J] [--shrink yes|no]\n"
           "       campaign periodic [--scenes N] [--seed S] [--seconds LIMIT] [--jobs J]\n"
           "       campaign triangles [--pairs N] [--seed S] [--seconds LIMIT] [--jobs J]\n"
           "       campaign meshes [--poses N] [--seed S] [--seconds LIMIT] [--jobs J]\n"
           "       campaign blocks|grazing|polygons [--poses N] [--seed S] [--seconds LIMIT] "
           "[--jobs J]\n"
           "       campaign adversary [--cases N] [--seed S] [--seconds LIMIT] [--jobs J]\n"
           "       campaign worlds [--worlds N] [--seed S] [--seconds LIMIT] [--jobs J] "
           "[--shrink yes|no]\n");
    return 2;
}

static const struct topic *topic_of(const char *name)
{
    for (size_t k = 0; k < sizeof topics / sizeof *topics; k++)
        if (strcmp(topics[k].name, name) == 0)
            return &topics[k];
    return NULL;
}

/*  Options of all topics, then those of scenes. */
static bool take_option(const struct topic *topic, const char *name, const char *value, campaign *c)
{
    if (strcmp(name, topic->count) == 0)
        c->count = strtoull(value, NULL, 10);
    else if (strcmp(name, "--seed") == 0)
        c->seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--seconds") == 0)
        c->seconds = strtod(value, NULL);
    else if (strcmp(name, "--jobs") == 0)
        c->jobs = (uint32_t)strtoul(value, NULL, 10);
    else if (strcmp(name, "--shrink") == 0 && topic->can_shrink)
        c->is_quiet = strcmp(value, "no") == 0;
    else if (topic->run != campaign_detect)
        return false;
    else if (strcmp(name, "--threads") == 0)
        c->threads = (uint32_t)strtoul(value, NULL, 10);
    else if (strcmp(name, "--method") == 0)
        c->method = value;
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    const struct topic *topic = argc < 2 ? NULL : topic_of(argv[1]);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!topic)
        return usage();
    campaign c = {.seed = 1, .count = topic->otherwise, .threads = 1, .jobs = 1};
    for (int k = 2; k < argc; k += 2)
        if (k + 1 == argc || !take_option(topic, argv[k], argv[k + 1], &c))
            return usage();
    if (c.method && !scree_method_by_name(c.method)) {
        printf("campaign: there is no method %s\n", c.method);
        return 2;
    }
    c.threads = c.threads ? c.threads : 1;
    c.jobs = c.jobs ? c.jobs : 1;
    return c.jobs > 1 ? run_jobs(&c, topic) : topic->run(&c, 0);
}
