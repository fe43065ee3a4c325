/*  Meshes that touch, measured. */
#include "cases/meshes.h"

#include "base/error.h"
#include "cases/mesh_case.h"
#include "measure/measure.h"
#include "narrow/mesh_points.h"

#include <math.h>
#include <string.h>

#define RUNS 5

typedef struct bench_case
{
    scree_mesh_case two;
    scree_mesh_merger merger;
} bench_case;

static void free_case(bench_case *c)
{
    scree_mesh_merger_free(&c->merger);
    scree_mesh_case_close(&c->two);
}

static scree_status make_case(bench_case *c, size_t number, scree_mesh_bench *bench,
                              scree_error *error)
{
    scree_status status = scree_mesh_case_open(&c->two, number, error);
    scree_mesh_merger_init(&c->merger, &c->two.memory);
    bench->build_us = c->two.build_us;
    bench->triangles = status ? 0 : c->two.mesh[0]->facet_count;
    return status;
}

typedef scree_status finding(scree_mesh_finder *finder, const scree_mesh_body *a,
                             const scree_mesh_body *b);

static scree_status time_search(bench_case *c, finding *find, uint64_t searches, double *us)
{
    double least = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        double begin = scree_thread_seconds();
        for (uint64_t k = 0; k < searches; k++) {
            scree_status status = find(&c->two.finder, &c->two.body[0], &c->two.body[1]);
            if (status)
                return status;
        }
        least = fmin(least, scree_thread_seconds() - begin);
    }
    *us = least * 1e6 / (double)searches;
    return SCREE_OK;
}

static scree_status time_merge(bench_case *c, uint64_t searches, scree_mesh_bench *bench)
{
    double least = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        double begin = scree_thread_seconds();
        for (uint64_t k = 0; k < searches; k++) {
            scree_status status =
                scree_mesh_merge(&c->merger, &c->two.body[0], &c->two.body[1],
                                 c->two.finder.contacts, c->two.finder.contact_count);
            if (status)
                return status;
        }
        least = fmin(least, scree_thread_seconds() - begin);
    }
    bench->merge_us = least * 1e6 / (double)searches;
    bench->points = c->merger.count;
    return SCREE_OK;
}

/*  By all pairs, and whether boxes find the same. */
static scree_status hold_against_all(bench_case *c, scree_mesh_bench *bench, scree_error *error)
{
    scree_mesh_finder all;
    scree_status status = scree_mesh_finder_init(&all, &c->two.memory, SCREE_SIMD_AUTO);
    double begin = scree_thread_seconds();
    if (!status)
        status = scree_mesh_find_all(&all, &c->two.body[0], &c->two.body[1]);
    bench->all_us = (scree_thread_seconds() - begin) * 1e6;
    c->two.finder.counts = (scree_mesh_counts){0};
    if (!status)
        status = scree_mesh_find_boxes(&c->two.finder, &c->two.body[0], &c->two.body[1]);
    bench->counts = c->two.finder.counts;
    if (!status &&
        (all.contact_count != c->two.finder.contact_count ||
         (all.contact_count > 0 && memcmp(all.contacts, c->two.finder.contacts,
                                          all.contact_count * sizeof *all.contacts) != 0)))
        status = scree_fail(error, SCREE_BAD_VALUE,
                            "%s, gap %g: boxes find %zu contacts, all pairs give %zu", bench->name,
                            bench->gap, c->two.finder.contact_count, all.contact_count);
    scree_mesh_finder_free(&all);
    return status;
}

static scree_status measure_case(bench_case *c, uint64_t searches, scree_mesh_bench *bench,
                                 scree_error *error)
{
    scree_status status;
    if ((status = hold_against_all(c, bench, error)) || (status = time_merge(c, searches, bench)))
        return status;
    for (int level = SCREE_SIMD_SCALAR; level <= SCREE_SIMD_AVX512; level++) {
        c->two.finder.simd = scree_simd_resolve((scree_simd)level);
        if (c->two.finder.simd == (scree_simd)level &&
            (status = time_search(c, scree_mesh_find_boxes, searches, &bench->us[level])))
            return status;
    }
    return SCREE_OK;
}

scree_status scree_bench_meshes(uint64_t searches, scree_mesh_bench bench[SCREE_MESH_BENCHES],
                                size_t *count, scree_error *error)
{
    for (*count = 0; *count < SCREE_MESH_BENCHES; ++*count) {
        scree_mesh_bench *b = &bench[*count];
        bench_case c;
        memset(b, 0, sizeof *b);
        b->name = scree_mesh_case_name(*count);
        b->gap = scree_mesh_case_gap(*count);
        scree_status status = make_case(&c, *count, b, error);
        if (!status)
            status = measure_case(&c, searches, b, error);
        free_case(&c);
        if (status == SCREE_OUT_OF_MEMORY)
            scree_fail(error, status, "no memory for meshes");
        if (status)
            return status;
    }
    return SCREE_OK;
}
