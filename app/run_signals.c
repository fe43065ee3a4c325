/*  The handler only notes the signal. At the second one it ends the program with the code that shells expect,
    without cleaning up: what is being written has not got its name yet, so no file is torn. */
#include "run_signals.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static const int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1};
#define WATCHED (sizeof watched / sizeof *watched)

static struct sigaction before[WATCHED];
static volatile sig_atomic_t caught;

static void note(int number)
{
    if (caught)
        _exit(128 + number);
    caught = number;
}

void scree_signals_begin(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = note;
    /* writes go on where they were: nothing fails because somebody pressed a key */
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    caught = 0;
    for (size_t k = 0; k < WATCHED; k++)
        if (sigaction(watched[k], NULL, &before[k]) == 0 && before[k].sa_handler != SIG_IGN)
            sigaction(watched[k], &action, NULL);
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
