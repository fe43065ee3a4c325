/*  Children, and the clock. */
#include "torture.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double torture_clock(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void torture_sleep(double seconds)
{
    struct timespec length = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (nanosleep(&length, &length) != 0 && errno == EINTR) {
    }
}

static void redirect(const torture *t, const char *name, int to)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%s", t->work, name);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file >= 0) {
        dup2(file, to);
        close(file);
    }
}

pid_t torture_start(const torture *t, const char *const *environment, const char *const *words)
{
    const char *argv[24] = {t->program, "run"};
    size_t count = 2;

    for (; *words && count < 23; words++)
        argv[count++] = *words;
    argv[count] = NULL;
    (void)fflush(stdout);
    pid_t child = fork();
    if (child != 0)
        return child;
    redirect(t, "out", STDOUT_FILENO);
    redirect(t, "err", STDERR_FILENO);
    for (; environment && *environment; environment++) {
        char name[64];
        size_t length = strcspn(*environment, "=");
        snprintf(name, sizeof name, "%.*s", (int)length, *environment);
        setenv(name, *environment + length + 1, 1);
    }
    /* execv takes what it does not change as if it might */
    execv(t->program, (char *const *)(void *)argv);
    _exit(127);
}

int torture_wait(pid_t child, double limit)
{
    double begin = torture_clock();
    int status;

    for (;;) {
        pid_t got = waitpid(child, &status, WNOHANG);
        if (got == child)
            break;
        if (got < 0)
            return 1001;
        if (torture_clock() - begin > limit) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return 1000;
        }
        torture_sleep(0.0005);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int torture_errors(const torture *t, char text[1000])
{
    char path[400];
    int lines = 0, c;
    size_t used = 0;

    snprintf(path, sizeof path, "%s/err", t->work);
    FILE *file = fopen(path, "rb");
    while (file && (c = fgetc(file)) != EOF) {
        lines += c == '\n';
        if (used < 999)
            text[used++] = (char)c;
    }
    text[used] = 0;
    if (file)
        fclose(file);
    return lines;
}
