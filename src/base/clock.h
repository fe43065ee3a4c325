/*  Seconds since a fixed moment; never decreases. For statistics only: no result depends on it. */
#ifndef SCREE_CLOCK_H
#define SCREE_CLOCK_H

double scree_clock_seconds(void);
/*  Processor time used by the calling thread, in seconds. Other processes on the machine do not count. */
double scree_clock_thread_seconds(void);

#endif
