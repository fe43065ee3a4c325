/*  A run that gets a signal completes its step and stops; after a second one it ends at once. */
#ifndef SCREE_RUN_SIGNALS_H
#define SCREE_RUN_SIGNALS_H

/*  Records SIGINT, SIGTERM, SIGHUP, SIGXCPU and SIGUSR1 (sent by batch systems before their time limit) from now on.
    A signal that the parent process ignores stays ignored. */
void scree_signals_begin(void);
/*  The same in the process of another program: a second signal does not end it. */
void scree_signals_begin_hosted(void);
/*  The first signal since then; 0: none. */
int scree_signals_caught(void);
void scree_signals_end(void);

#endif
