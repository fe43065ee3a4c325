/*  The claims about hierarchical hash grids, HG-H1 to HG-H7 of the specification. */
#ifndef SCREE_BENCH_HASH_GRIDS_H
#define SCREE_BENCH_HASH_GRIDS_H

#include "claims/study.h"

/*  SCREE_BAD_VALUE if methods find different pairs. */
scree_status scree_bench_hash_grids(scree_study *study, scree_error *error);

#endif
