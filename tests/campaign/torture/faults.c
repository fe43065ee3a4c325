/*  Each call on each file made to fail in turn. A run may miss a frame or stop, with a word and a code; it must not
    crash, hang or fill the terminal, and when the disk works again it continues bit-identically. */
#include "torture.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_LINES 60 /* on standard error: ten of a kind, six kinds */

typedef struct fault
{
    const char *call, *how;
} fault;

static pid_t start(const torture *t, const char *library, const fault *f, uint64_t at,
                   const char *folder)
{
    char preload[600], call[40], number[40], how[40], path[400], report[400];

    snprintf(preload, sizeof preload, "LD_PRELOAD=%s", library);
    snprintf(call, sizeof call, "FAIL_CALL=%s", f->call);
    snprintf(number, sizeof number, "FAIL_AT=%llu", (unsigned long long)at);
    snprintf(how, sizeof how, "FAIL_HOW=%s", f->how);
    snprintf(path, sizeof path, "FAIL_PATH=%s/run", t->work);
    snprintf(report, sizeof report, "FAIL_REPORT=%s/calls", t->work);
    /* the address sanitizer wants to be the first library, but can do without */
    const char *const environment[] = {
        preload, call, number, how, path, report, "ASAN_OPTIONS=verify_asan_link_order=0", NULL};
    const char *const words[] = {t->scene, "--out", folder, "--threads", "1", NULL};
    return torture_start(t, environment, words);
}

/*  How many such calls a run makes where none fails. */
static uint64_t count_calls(const torture *t, const char *library, const fault *f,
                            const char *folder)
{
    char path[400], text[1000];
    unsigned long long calls = 0;
    const fault none = {f->call, "0"};
    int code = torture_wait(start(t, library, &none, 0, folder), 60);

    snprintf(path, sizeof path, "%s/calls", t->work);
    FILE *file = fopen(path, "rb");
    if (file && fscanf(file, "%llu", &calls) != 1)
        calls = 0;
    if (file)
        fclose(file);
    if (code != 0) {
        torture_errors(t, text);
        printf("%s: a run where nothing fails ends with %d: %s\n", f->call, code, text);
        calls = 0;
    }
    torture_remove(folder);
    return calls;
}

static bool exists(const char *folder, const char *name)
{
    char path[600];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return stat(path, &info) == 0;
}

/*  The disk works again. */
static bool continues(const torture *t, const char *folder)
{
    char digest[17] = "none", text[1000];
    const char *const fresh[] = {t->scene, "--out", folder, "--threads", "1", NULL};
    const char *const resumed[] = {"--resume", folder, "--threads", "2", NULL};
    int code =
        torture_wait(torture_start(t, NULL, exists(folder, "scene.lua") ? resumed : fresh), 60);

    if (code != 0 || !torture_digest(folder, digest) || strcmp(digest, t->digest) != 0) {
        torture_errors(t, text);
        printf("going on: exit code %d, digest %s, must be 0 and %s: %s\n", code, digest, t->digest,
               text);
        return false;
    }
    /* frames that were missed before the last checkpoint stay away */
    return torture_same(t, folder, true, false);
}

static bool try_one(const torture *t, const char *library, const fault *f, uint64_t at,
                    const char *folder)
{
    char text[1000], digest[17] = "none";
    int code = torture_wait(start(t, library, f, at, folder), 60);
    int lines = torture_errors(t, text);
    bool is_kill = strcmp(f->how, "kill") == 0 || strcmp(f->how, "after") == 0;
    bool finished = torture_digest(folder, digest);
    const char *wrong = NULL;

    if (is_kill ? code != -SIGKILL && code != 0 : code != 0 && code != 4)
        wrong = "a code that it must not have";
    else if (!is_kill && code != 0 && lines == 0)
        wrong = "nothing said";
    else if (lines > MAX_LINES)
        wrong = "too much said";
    else if (code == 0 && (!finished || strcmp(digest, t->digest) != 0))
        wrong = "another end";
    else if (exists(folder, "") && !torture_same(t, folder, true, code != 0))
        wrong = "files that are not whole";
    else if (!continues(t, folder))
        wrong = "does not go on";
    if (wrong)
        printf("FAILED: %s number %llu, %s: %s; exit code %d, %d lines: %.300s\n", f->call,
               (unsigned long long)at, f->how, wrong, code, lines, text);
    return wrong == NULL;
}

int torture_faults(torture *t, const char *library, uint64_t every)
{
    static const fault faults[] = {
        {"open", "28"},     {"open", "full"},   {"open", "kill"},    {"write", "5"},
        {"write", "full"},  {"write", "short"}, {"write", "kill"},   {"write", "after"},
        {"fsync", "5"},     {"fsync", "full"},  {"fsync", "kill"},   {"rename", "5"},
        {"rename", "full"}, {"rename", "kill"}, {"rename", "after"}, {"mkdir", "13"},
        {"ftruncate", "5"}, {"close", "5"},     {"close", "kill"},
    };
    char folder[400];
    uint64_t tried = 0;

    snprintf(folder, sizeof folder, "%s/run", t->work);
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        const fault *f = &faults[k];
        uint64_t calls = count_calls(t, library, f, folder);
        if (calls == 0) {
            printf("FAILED: no call of %s was seen\n", f->call);
            t->failed++;
            return 1;
        }
        /* the first ones all, and the last; between them samples that differ by the kind of fault */
        for (uint64_t at = 1; at <= calls; at += at < 8 && every > 1 ? 1 + every / 8 : every) {
            bool good = try_one(t, library, f, at, folder);
            t->passed += good;
            t->failed += !good;
            tried++;
            if (!good)
                return 1;
            torture_remove(folder);
        }
    }
    printf("%llu calls made to fail\n", (unsigned long long)tried);
    return 0;
}
