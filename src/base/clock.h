/*  Seconds since some fixed moment, never going back. For statistics: no result depends on it. */
#ifndef SCREE_CLOCK_H
#define SCREE_CLOCK_H

double scree_clock_seconds(void);

#endif
