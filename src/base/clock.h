/*  Seconds since some fixed moment, never going back. For statistics: no result depends on it. */
#ifndef SCREE_CLOCK_H
#define SCREE_CLOCK_H

double scree_clock_seconds(void);
/*  That the processor has worked for the calling thread: others on the machine do not count. */
double scree_clock_thread_seconds(void);

#endif
