/*  The handler only notes the signal. At the second one it ends the program with the code that shells expect,
    without cleaning up: what is being written has not got its name yet, so no file is torn. One wish may come as
    several signals: `timeout`, and batch systems, send it to the program and to its group at once. So a second one
    counts only after a moment. A host's process is not ended: what it has in memory is its own. */
#include "app/run/signals.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOMENT 0.1 /* s: nobody presses a key twice in it */

static const int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1};
#define WATCHED (sizeof watched / sizeof *watched)

static struct sigaction before[WATCHED];
static volatile sig_atomic_t caught;
static volatile sig_atomic_t is_hosted;
static struct timespec when; /* the first was caught; written before `caught` is */

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
    /* writes go on where they were: nothing fails because somebody pressed a key */
    action.sa_flags = SA_RESTART;
    /* one at a time: what the handler writes is read by no other */
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
