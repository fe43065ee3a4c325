/*  Figures in what other engines print. */
#ifndef SCREE_ENGINE_LOG_H
#define SCREE_ENGINE_LOG_H

#include <stdbool.h>

/*  The number that follows the last `words` in `text`, which begins a line. False if there is none. */
bool scree_log_number(const char *text, const char *words, double *value);

/*  Processor seconds of the last run: "Loop time of 2.5 on ..." times "80.0% CPU use". */
bool scree_log_lammps(const char *text, double *seconds);

/*  Processor seconds between the first "ran-for 165728031 ..." and the last, which are nanoseconds; wherever
    in a line, for they come from another process. False if there are not two, or no time is between. */
bool scree_log_ran_for(const char *text, double *seconds);

#endif
