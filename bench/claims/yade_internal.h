/*  The parts of bench_yade.c that lie in files of their own. */
#ifndef SCREE_BENCH_YADE_INTERNAL_H
#define SCREE_BENCH_YADE_INTERNAL_H

#include "claims/study.h"

/*  Each part measures one claim or several. */
typedef scree_status scree_study_part(scree_study *study, scree_error *error);

scree_study_part scree_yade_mixed_speeds; /* IS-H4, IS-H5 */
scree_study_part scree_yade_audits;       /* IS-H6, IS-H7 */
scree_study_part scree_yade_sizes;        /* IS-H8 */
scree_study_part scree_yade_churn;        /* single changes, IS-30 */

#endif
