/*  What a second thread is worth, by the clock: a note for the record of the checklist. */
#ifndef SCREE_SPEED_UP_H
#define SCREE_SPEED_UP_H

#include "claims/study.h"
#include "measure/contest.h"

/*  The entry with one thread and with two, in turn. SCREE_BAD_VALUE if they find different pairs. */
scree_status scree_study_speed_up(scree_study *study, const char *rows, const scree_entry *entry,
                                  scree_error *error);

#endif
