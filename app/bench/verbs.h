/*  The verbs of scree-bench, which measures. */
#ifndef SCREE_APP_BENCH_VERBS_H
#define SCREE_APP_BENCH_VERBS_H

#include "common/options.h"

extern const scree_verb scree_verb_bench_auto;
extern const scree_verb scree_verb_bench_pfc;
extern const scree_verb scree_verb_bench_yade;
extern const scree_verb scree_verb_bench_hash_grids;
extern const scree_verb scree_verb_bench_columns;
extern const scree_verb scree_verb_bench_demo;
extern const scree_verb scree_verb_bench_detect;
extern const scree_verb scree_verb_bench_engines;
extern const scree_verb scree_verb_bench_gpu;
extern const scree_verb scree_verb_bench_ranks;
extern const scree_verb scree_verb_bench_local;
extern const scree_verb scree_verb_bench_meshes;
extern const scree_verb scree_verb_bench_peers;
extern const scree_verb scree_verb_bench_scaling;
extern const scree_verb scree_verb_bench_surrogate;
extern const scree_verb scree_verb_bench_thesis;
extern const scree_verb scree_verb_bench_triangles;
extern const scree_verb scree_verb_bench_worlds;

#endif
