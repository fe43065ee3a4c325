/*  kill -9 at random moments: while starting, in a step, while a file is written. After each kill all files are looked
    at; then the run continues, with other numbers of threads, and may be killed again. */
#include "torture.h"

#include "base/random.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_KILLS 4 /* of one run; then it may come to its end */

/*  Killed before this the run has not begun. */
static bool has_scene(const char *folder)
{
    char path[600];
    struct stat info;
    snprintf(path, sizeof path, "%s/scene.lua", folder);
    return stat(path, &info) == 0;
}

static pid_t start(const torture *t, const char *folder, uint32_t threads)
{
    char count[16];
    snprintf(count, sizeof count, "%u", threads);
    const char *const fresh[] = {t->scene, "--out", folder, "--threads", count, NULL};
    const char *const resumed[] = {"--resume", folder, "--threads", count, NULL};
    return torture_start(t, NULL, has_scene(folder) ? resumed : fresh);
}

/*  One run, killed `kills` times; false if anything is not as it should be. */
static bool kill_and_resume(torture *t, const char *folder, scree_random *random, uint32_t kills,
                            uint64_t *hit)
{
    char digest[17] = "none", text[1000];

    for (uint32_t k = 0; k < kills; k++) {
        pid_t child = start(t, folder, 1 + scree_random_below(random, 3));
        if (child < 0)
            return false;
        torture_sleep(t->seconds * scree_random_range(random, 0, 1.1));
        kill(child, SIGKILL);
        int code = torture_wait(child, 20);
        *hit += code == -SIGKILL;
        if (code != -SIGKILL && code != 0) {
            torture_errors(t, text);
            printf("%s: exit code %d: %s", folder, code, text);
            return false;
        }
        if (!torture_same(t, folder, false, true))
            return false;
    }
    pid_t child = start(t, folder, 1 + scree_random_below(random, 3));
    int code = child < 0 ? 1001 : torture_wait(child, 60);
    if (code != 0 || !torture_digest(folder, digest) || strcmp(digest, t->digest) != 0) {
        torture_errors(t, text);
        printf("%s: exit code %d, digest %s, must be 0 and %s: %s\n", folder, code, digest,
               t->digest, text);
        return false;
    }
    return torture_same(t, folder, false, false);
}

int torture_kill(torture *t, uint64_t runs, uint64_t seed)
{
    scree_random random = scree_random_stream(seed, 0);
    uint64_t done = 0, hit = 0;
    double begin = torture_clock(), shown = begin;

    while (done < runs) {
        char folder[400];
        uint64_t left = runs - done;
        uint32_t kills = 1 + scree_random_below(&random, MAX_KILLS);
        kills = kills < left ? kills : (uint32_t)left;
        snprintf(folder, sizeof folder, "%s/run", t->work);
        if (kill_and_resume(t, folder, &random, kills, &hit)) {
            t->passed++;
        } else {
            printf("FAILED: seed %llu, after %llu kills; the folder is %s\n",
                   (unsigned long long)seed, (unsigned long long)done, folder);
            t->failed++;
            return 1;
        }
        done += kills;
        torture_remove(folder);
        if (torture_clock() - shown > 10) {
            shown = torture_clock();
            printf("%llu kills\n", (unsigned long long)done);
        }
    }
    printf("%llu kills, %llu of them before the end of the run; every run went on to digest %s, "
           "%.1f s\n",
           (unsigned long long)done, (unsigned long long)hit, t->digest, torture_clock() - begin);
    return 0;
}
