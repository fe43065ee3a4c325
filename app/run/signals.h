/*  A run that is asked to stop finishes its step first; asked again, it stops at once. */
#ifndef SCREE_RUN_SIGNALS_H
#define SCREE_RUN_SIGNALS_H

/*  From now on SIGINT, SIGTERM, SIGHUP, SIGXCPU and SIGUSR1 (what batch systems send ahead of their
    time limit) are noted; one that the parent has chosen to ignore stays ignored. */
void scree_signals_begin(void);
/*  The same in the process of another program: a second signal does not end it. */
void scree_signals_begin_hosted(void);
/*  The signal that came first since then; 0: none. */
int scree_signals_caught(void);
void scree_signals_end(void);

#endif
