/*  Yade's claims about its collider, IS-H1 to IS-H8 of the specification. */
#ifndef SCREE_BENCH_YADE_H
#define SCREE_BENCH_YADE_H

#include "claims/study.h"

/*  SCREE_BAD_VALUE if methods find different pairs. */
scree_status scree_bench_yade(scree_study *study, scree_error *error);

#endif
