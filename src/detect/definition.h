/*  Checks of a detector's definition. */
#ifndef SCREE_DEFINITION_H
#define SCREE_DEFINITION_H

#include "detect/method.h"

/*  Every field but allocator, tasks and thread_count, which are checked where they are used. */
scree_status scree_detector_def_check(const scree_detector_def *def, const scree_method **method,
                                      scree_error *error);

#endif
