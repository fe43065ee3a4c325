/*  PFC's claims about its cell space, CS-H1 to CS-H6 of the specification. */
#ifndef SCREE_BENCH_PFC_H
#define SCREE_BENCH_PFC_H

#include "claims/study.h"

/*  SCREE_BAD_VALUE if methods find different pairs. */
scree_status scree_bench_pfc(scree_study *study, scree_error *error);

#endif
