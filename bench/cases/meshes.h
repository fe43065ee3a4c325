/*  What it costs to find the touching triangles of two meshes: two bodies of 1,280 triangles, round and bumpy, at gaps
    from touching skins to a near miss, with boxes and by looking at every pair. */
#ifndef SCREE_BENCH_MESHES_H
#define SCREE_BENCH_MESHES_H

#include "cases/mesh_case.h"

#define SCREE_MESH_BENCHES SCREE_MESH_CASES

typedef struct scree_mesh_bench
{
    const char *name;
    uint32_t triangles;       /* of each */
    double gap;               /* between the surfaces, at the nearest points; they reach 0.02 */
    scree_mesh_counts counts; /* of one search */
    size_t points;            /* after merging */
    double us[SCREE_SIMD_AVX512 + 1]; /* a search by boxes, by scree_simd; 0: not of this machine */
    double all_us;                    /* by every pair, at the best level */
    double merge_us;
    double build_us; /* what boxes need beside the mesh, once for each */
} scree_mesh_bench;

/*  Each figure is the least of several runs of so many searches. Every case is also put to all pairs: SCREE_BAD_VALUE
    if boxes find anything else. SCREE_OUT_OF_MEMORY. */
scree_status scree_bench_meshes(uint64_t searches, scree_mesh_bench bench[SCREE_MESH_BENCHES],
                                size_t *count, scree_error *error);

#endif
