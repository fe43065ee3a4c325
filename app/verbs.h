/*  The verbs of the program, one file each. */
#ifndef SCREE_VERBS_H
#define SCREE_VERBS_H

#include "common/options.h"

extern const scree_verb scree_verb_new;
extern const scree_verb scree_verb_check;
extern const scree_verb scree_verb_scene;
extern const scree_verb scree_verb_run;
extern const scree_verb scree_verb_lab;
extern const scree_verb scree_verb_methods;
extern const scree_verb scree_verb_detect;
extern const scree_verb scree_verb_bench_detect;
extern const scree_verb scree_verb_bench_thesis;
extern const scree_verb scree_verb_bench_pfc;
extern const scree_verb scree_verb_bench_yade;
extern const scree_verb scree_verb_bench_hash_grids;
extern const scree_verb scree_verb_bench_auto;
extern const scree_verb scree_verb_bench_columns;
extern const scree_verb scree_verb_bench_scaling;
extern const scree_verb scree_verb_bench_gpu;
extern const scree_verb scree_verb_bench_peers;
extern const scree_verb scree_verb_bench_engines;
extern const scree_verb scree_verb_bench_triangles;
extern const scree_verb scree_verb_bench_local;
extern const scree_verb scree_verb_bench_meshes;
extern const scree_verb scree_verb_bench_surrogate;
extern const scree_verb scree_verb_bench_worlds;
extern const scree_verb scree_verb_bench_demo;
extern const scree_verb scree_verb_demo;
extern const scree_verb scree_verb_render;
extern const scree_verb scree_verb_plot;
extern const scree_verb scree_verb_info;
extern const scree_verb scree_verb_mesh_info;
extern const scree_verb scree_verb_diff;
extern const scree_verb scree_verb_convert;
extern const scree_verb scree_verb_fields;
extern const scree_verb scree_verb_mesh_tree;

/*  True if there is a method of this name; else a message with the nearest one. */
bool scree_check_method(const scree_verb *verb, const char *name);

/*  Words of --simd; indexes are those of scree_simd. */
extern const char *const scree_simd_words[];

#endif
