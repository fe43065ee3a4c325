/*  Bodies that come and go one by one: what insertion and removal cost. */
#ifndef SCREE_CHURN_H
#define SCREE_CHURN_H

#include "scree/detect.h"

/*  Half of the operations remove a body at random, the others put it in at a new place. *ns gets the
    time of one, of the calling thread, with that of an update of no body at the end: changes may have waited for it. */
scree_status scree_churn_run(const char *method, const char *scene, size_t n, size_t operations,
                             uint64_t seed, double *ns, scree_error *error);

#endif
