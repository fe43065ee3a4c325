/*  Meshes that touch, measured. */
#include "bench_meshes.h"

#include "base/error.h"
#include "measure.h"
#include "narrow/mesh_boxes.h"
#include "narrow/mesh_points.h"

#include <math.h>

/*  Of bodies of diameter 1, as in the paper. */
#define HALO 0.01
#define RUNS 5

typedef struct bench_case
{
    scree_memory memory;
    scree_mesh *mesh[2];
    scree_mesh_boxes boxes[2];
    scree_mesh_body body[2];
    scree_mesh_finder finder;
    scree_mesh_merger merger;
} bench_case;

static void free_case(bench_case *c)
{
    scree_mesh_finder_free(&c->finder);
    scree_mesh_merger_free(&c->merger);
    for (int s = 0; s < 2; s++) {
        if (c->boxes[s].mesh)
            scree_mesh_boxes_free(&c->boxes[s], &c->memory);
        scree_mesh_destroy(c->mesh[s]);
    }
}

static scree_status make_case(bench_case *c, bool bumpy, scree_mesh_bench *bench,
                              scree_error *error)
{
    static const double nowhere[3] = {0, 0, 0};
    static const double turns[2][4] = {{0.9, 0.1, 0.3, 0.2}, {0.3, 0.7, -0.2, 0.4}};
    scree_globe_def def = scree_default_globe_def();
    scree_status status;
    memset(c, 0, sizeof *c);
    scree_memory_init(&c->memory, NULL);
    scree_mesh_merger_init(&c->merger, &c->memory);
    if ((status = scree_mesh_finder_init(&c->finder, &c->memory, SCREE_SIMD_AUTO)))
        return status;
    def.bumps = bumpy ? 1.4 : 1;
    def.error = error;
    for (int s = 0; s < 2; s++) {
        def.seed = (uint64_t)s + 1;
        if ((status = scree_mesh_globe(&def, &c->mesh[s])))
            return status;
        double begin = scree_thread_seconds();
        if ((status = scree_mesh_boxes_init(&c->boxes[s], c->mesh[s], &c->memory)))
            return status;
        bench->build_us = (scree_thread_seconds() - begin) * 1e6;
        c->body[s] = (scree_mesh_body){c->mesh[s], scree_mesh_pose_of(nowhere, turns[s]), HALO,
                                       &c->boxes[s], NULL};
    }
    bench->triangles = c->mesh[0]->facet_count;
    return SCREE_OK;
}

/*  Puts the second body so far along the first axis that its surface is a gap away. */
static scree_status set_gap(bench_case *c, double gap)
{
    double near = 0, far = 2;
    scree_mesh_body body[2] = {c->body[0], c->body[1]};
    body[0].halo = body[1].halo = gap / 2;
    while (far - near > 1e-9) {
        double middle = (near + far) / 2;
        body[1].pose.place[0] = middle;
        scree_status status = scree_mesh_find_boxes(&c->finder, &body[0], &body[1]);
        if (status)
            return status;
        if (c->finder.contact_count > 0)
            near = middle;
        else
            far = middle;
    }
    c->body[1].pose.place[0] = far;
    return SCREE_OK;
}

typedef scree_status finding(scree_mesh_finder *finder, const scree_mesh_body *a,
                             const scree_mesh_body *b);

static scree_status time_search(bench_case *c, finding *find, uint64_t searches, double *us)
{
    double least = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        double begin = scree_thread_seconds();
        for (uint64_t k = 0; k < searches; k++) {
            scree_status status = find(&c->finder, &c->body[0], &c->body[1]);
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
            scree_status status = scree_mesh_merge(&c->merger, &c->body[0], &c->body[1],
                                                   c->finder.contacts, c->finder.contact_count);
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
    scree_status status = scree_mesh_finder_init(&all, &c->memory, SCREE_SIMD_AUTO);
    double begin = scree_thread_seconds();
    if (!status)
        status = scree_mesh_find_all(&all, &c->body[0], &c->body[1]);
    bench->all_us = (scree_thread_seconds() - begin) * 1e6;
    c->finder.counts = (scree_mesh_counts){0};
    if (!status)
        status = scree_mesh_find_boxes(&c->finder, &c->body[0], &c->body[1]);
    bench->counts = c->finder.counts;
    if (!status &&
        (all.contact_count != c->finder.contact_count ||
         (all.contact_count > 0 &&
          memcmp(all.contacts, c->finder.contacts, all.contact_count * sizeof *all.contacts) != 0)))
        status = scree_fail(error, SCREE_BAD_VALUE,
                            "%s, gap %g: boxes find %zu contacts, all pairs give %zu", bench->name,
                            bench->gap, c->finder.contact_count, all.contact_count);
    scree_mesh_finder_free(&all);
    return status;
}

static scree_status measure_case(bench_case *c, uint64_t searches, scree_mesh_bench *bench,
                                 scree_error *error)
{
    scree_status status;
    if ((status = set_gap(c, bench->gap)) || (status = hold_against_all(c, bench, error)) ||
        (status = time_merge(c, searches, bench)))
        return status;
    for (int level = SCREE_SIMD_SCALAR; level <= SCREE_SIMD_AVX512; level++) {
        c->finder.simd = scree_simd_resolve((scree_simd)level);
        if (c->finder.simd == (scree_simd)level &&
            (status = time_search(c, scree_mesh_find_boxes, searches, &bench->us[level])))
            return status;
    }
    return SCREE_OK;
}

scree_status scree_bench_meshes(uint64_t searches, scree_mesh_bench bench[SCREE_MESH_BENCHES],
                                size_t *count, scree_error *error)
{
    static const double gaps[] = {0.005, 0.015, 0.05};
    for (*count = 0; *count < SCREE_MESH_BENCHES; ++*count) {
        scree_mesh_bench *b = &bench[*count];
        bench_case c;
        memset(b, 0, sizeof *b);
        b->name = *count % 2 ? "bumpy" : "sphere";
        b->gap = gaps[*count / 2];
        scree_status status = make_case(&c, *count % 2, b, error);
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
