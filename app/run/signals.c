/*  The handler only records the signal. A second signal ends the program with the usual exit code, without cleaning
    up: files that are being written have temporary names, so none is corrupted. One request may arrive as several
    signals: `timeout` and batch systems send it to the program and to its process group. So a second signal counts
    only after a short time. The process of a host is never ended, since it may have data in memory. */
#include "app/run/signals.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOMENT 0.1 /* s: a key is not pressed twice within it */

static const int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1};
#define WATCHED (sizeof watched / sizeof *watched)

static struct sigaction before[WATCHED];
static volatile sig_atomic_t caught;
static volatile sig_atomic_t is_hosted;
static struct timespec when; /* time of the first; written before `caught` */

static void note(int number)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!caught) {
        when = now;
        caught = number;
    } else if (!is_hosted &&
               (double)(now.tv_sec - when.tv_sec) + 1e-9 * (double)(now.tv_nsec - when.tv_nsec) >
                   MOMENT) {
        _exit(128 + number);
    }
}

static void begin(bool hosted)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = note;
    /* restart interrupted writes, so that a signal causes no error */
    action.sa_flags = SA_RESTART;
    /* block all signals during the handler */
    sigemptyset(&action.sa_mask);
    for (size_t k = 0; k < WATCHED; k++)
        sigaddset(&action.sa_mask, watched[k]);
    caught = 0;
    is_hosted = hosted;
    for (size_t k = 0; k < WATCHED; k++)
        if (sigaction(watched[k], NULL, &before[k]) == 0 && before[k].sa_handler != SIG_IGN)
            sigaction(watched[k], &action, NULL);
}

void scree_signals_begin(void)
{
    begin(false);
}

void scree_signals_begin_hosted(void)
{
    begin(true);
}

int scree_signals_caught(void)
{
    return caught;
}

void scree_signals_end(void)
{
    for (size_t k = 0; k < WATCHED; k++)
        sigaction(watched[k], &before[k], NULL);
}
