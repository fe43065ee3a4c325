/*  As many random scenes as one likes: every method against the reference, until one differs. Then
    the scene is made small and printed, with the command that repeats it. */
#include "harness/shrink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct campaign
{
    uint64_t seed, scenes;
    double seconds; /* 0: no limit */
    uint32_t threads, jobs;
    const char *method;
    bool is_quiet; /* differences are not made small */
} campaign;

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/*  Seeds first, first + jobs, ...; returns the exit code. */
static int run_share(const campaign *c, uint32_t job)
{
    check_options options = {.method = c->method, .all_simd = true};
    scree_pool *pool = NULL;
    double start = now(), shown = start;
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
    for (uint64_t k = job; k < c->scenes && code == 0; k += c->jobs) {
        double time = now();
        if (c->seconds > 0 && time - start > c->seconds)
            break;
        if (time - shown > 10) {
            printf("%llu scenes, %.0f a second\n", (unsigned long long)done,
                   (double)done / (time - start));
            shown = time;
        }
        code = check_seed(c->seed + k, &options, c->is_quiet) ? 0 : 1;
        done++;
    }
    scree_pool_destroy(pool);
    if (code) {
        uint64_t seed = c->seed + job + (done - 1) * c->jobs;
        printf("first difference: seed %llu\n", (unsigned long long)seed);
    } else
        printf("%llu scenes x %zu methods, no difference, %.1f s\n", (unsigned long long)done,
               c->method ? (size_t)1 : scree_method_count(), now() - start);
    return code;
}

static int run_jobs(const campaign *c)
{
    int worst = 0;
    for (uint32_t job = 0; job < c->jobs; job++) {
        pid_t child = fork();
        if (child == 0) {
            int code = run_share(c, job);
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
           "                       [--method NAME] [--jobs J] [--shrink yes|no]\n");
    return 2;
}

int main(int argc, char **argv)
{
    campaign c = {1, 10000, 0, 1, 1, NULL, false};
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc < 2 || strcmp(argv[1], "detect") != 0)
        return usage();
    for (int k = 2; k < argc; k += 2) {
        const char *name = argv[k], *value = k + 1 < argc ? argv[k + 1] : NULL;
        if (!value)
            return usage();
        if (strcmp(name, "--scenes") == 0)
            c.scenes = strtoull(value, NULL, 10);
        else if (strcmp(name, "--seed") == 0)
            c.seed = strtoull(value, NULL, 10);
        else if (strcmp(name, "--threads") == 0)
            c.threads = (uint32_t)strtoul(value, NULL, 10);
        else if (strcmp(name, "--seconds") == 0)
            c.seconds = strtod(value, NULL);
        else if (strcmp(name, "--jobs") == 0)
            c.jobs = (uint32_t)strtoul(value, NULL, 10);
        else if (strcmp(name, "--shrink") == 0)
            c.is_quiet = strcmp(value, "no") == 0;
        else if (strcmp(name, "--method") == 0)
            c.method = value;
        else
            return usage();
    }
    if (c.method && !scree_method_by_name(c.method)) {
        printf("campaign: there is no method %s\n", c.method);
        return 2;
    }
    c.threads = c.threads ? c.threads : 1;
    return c.jobs > 1 ? run_jobs(&c) : run_share(&c, 0);
}
