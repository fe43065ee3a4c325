/*  A detector: the bodies, a method's structure over them, and the arrays results are put into. */
#ifndef SCREE_DETECTOR_INTERNAL_H
#define SCREE_DETECTOR_INTERNAL_H

#include "detect/collect.h"
#include "detect/pair_list.h"

struct scree_detector
{
    scree_memory memory;
    scree_detector_def def;
    scree_workers workers;
    scree_error error;
    const scree_method *method;
    void *state;
    scree_method_env env;
    scree_store store;
    scree_search search;
    scree_pair_arrays arrays;
    uint32_t *changed; /* ids that move, then ids that leave or enter, in one call */
    size_t changed_capacity;
    bool is_stale; /* the structure is not that of the bodies: build before it is used */
    scree_stats stats;
};

/*  Builds the method's structure for the bodies there are. */
scree_status scree_detector_build(scree_detector *detector);

/*  SCREE_OUT_OF_MEMORY with its message. */
scree_status scree_detector_out_of_memory(scree_detector *detector, const char *what);

#endif
