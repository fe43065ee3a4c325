#ifndef SCREE_BENCH_MESHES_PEERS_H
#define SCREE_BENCH_MESHES_PEERS_H

#include "app/bench/verbs.h"

/*  Other libraries on the meshes of scree-bench meshes, each asked what it can answer; `programs` is the folder where they
    are. An exit code. */
int scree_bench_meshes_peers(const char *programs, uint64_t searches, int format);

#endif
