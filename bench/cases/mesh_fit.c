#include "cases/mesh_fit.h"

#include "base/error.h"
#include "base/random.h"
#include "cases/mesh_case.h"
#include "cases/surrogate.h"
#include "measure/measure.h"
#include "narrow/mesh_boxes.h"

#include <math.h>
#include <string.h>

#define SKIN 0.01
#define SIZES 6u
#define POSES 16u
#define POSES_OF_ALL 2u /* all pairs cost the same in each */
#define RUNS 3
/*  Of one run of one engine in one pose, at least one search; where that takes many times as long, one run will do. */
#define SECONDS 2e-4
#define LONG (20 * SECONDS)

static const uint32_t fit_sizes[SIZES] = {4, 12, 36, 80, 320, 1280};

typedef struct fit_stock
{
    scree_memory memory;
    scree_mesh *mesh[SIZES];
    scree_mesh_boxes boxes[SIZES];
    scree_surrogate *tree[SIZES];
    scree_mesh_finder finder;
    scree_surrogate_search search;
} fit_stock;

static void free_fit_stock(fit_stock *stock)
{
    if (stock->finder.memory)
        scree_mesh_finder_free(&stock->finder);
    if (stock->search.memory)
        scree_surrogate_search_free(&stock->search);
    for (size_t k = 0; k < SIZES; k++) {
        if (stock->boxes[k].mesh)
            scree_mesh_boxes_free(&stock->boxes[k], &stock->memory);
        scree_surrogate_destroy(stock->tree[k]);
        scree_mesh_release(stock->mesh[k]);
    }
}

static scree_status make_tetrahedron(scree_mesh **mesh, scree_error *error)
{
    static const double vertices[12] = {0.29,  0.29, 0.29,  0.29,  -0.29, -0.29,
                                        -0.29, 0.29, -0.29, -0.29, -0.29, 0.29};
    static const uint32_t facets[12] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
    scree_mesh_def def = scree_default_mesh_def();
    def.vertices = vertices;
    def.vertex_count = 4;
    def.facets = facets;
    def.facet_count = 4;
    def.error = error;
    return scree_mesh_create(&def, mesh);
}

static scree_status make_fit_stock(fit_stock *stock, scree_error *error)
{
    scree_status status;
    memset(stock, 0, sizeof *stock);
    scree_memory_init(&stock->memory, NULL);
    if ((status = scree_mesh_finder_init(&stock->finder, &stock->memory, SCREE_SIMD_AUTO)))
        return status;
    scree_surrogate_search_init(&stock->search, &stock->memory);
    for (size_t k = 0; k < SIZES; k++) {
        scree_surrogate_def def = scree_default_surrogate_def();
        status = k == 0 ? make_tetrahedron(&stock->mesh[k], error)
                        : scree_bench_globe(fit_sizes[k], 0.5, 1, &stock->mesh[k], error);
        if (status ||
            (status = scree_mesh_boxes_init(&stock->boxes[k], stock->mesh[k], &stock->memory)))
            return status;
        def.surface = scree_surface_of(stock->mesh[k]);
        def.error = error;
        if ((status = scree_surrogate_create(&def, &stock->tree[k])))
            return status;
    }
    return SCREE_OK;
}

static scree_status find_by(fit_stock *stock, scree_mesh_way way, const scree_mesh_body body[2])
{
    switch (way) {
    case SCREE_MESH_BY_ALL:
        return scree_mesh_find_all(&stock->finder, &body[0], &body[1]);
    case SCREE_MESH_BY_BOXES:
        return scree_mesh_find_boxes(&stock->finder, &body[0], &body[1]);
    default:
        return scree_mesh_find_surrogates(&stock->finder, &stock->search, NULL, &body[0], &body[1]);
    }
}

/*  Two bodies turned at random, a gap apart along the first axis. */
static scree_status pose_bodies(fit_stock *stock, size_t i, size_t j, uint32_t pose,
                                scree_mesh_body body[2])
{
    scree_random random = scree_random_stream(7, pose);
    const double nowhere[3] = {0, 0, 0}, gap = pose % 2 ? 0.05 : 0.01;
    double turn[4];
    for (int s = 0; s < 2; s++) {
        size_t k = s ? j : i;
        for (int c = 0; c < 4; c++)
            turn[c] = scree_random_unit(&random) - 0.5;
        body[s] = (scree_mesh_body){stock->mesh[k], scree_mesh_pose_of(nowhere, turn), SKIN,
                                    &stock->boxes[k], stock->tree[k]};
    }
    return scree_mesh_set_gap(&stock->finder, body, gap, 1e-6);
}

static uint32_t poses_of(scree_mesh_way way)
{
    return way == SCREE_MESH_BY_ALL ? POSES_OF_ALL : POSES;
}

static scree_status time_way(fit_stock *stock, scree_mesh_way way, const scree_mesh_body body[2],
                             double *us)
{
    double least = INFINITY, spent = 0;
    for (int run = 0; run < RUNS && spent < LONG; run++) {
        double begin = scree_thread_seconds();
        uint64_t done = 0;
        for (spent = 0; spent < SECONDS; done++) {
            scree_status status = find_by(stock, way, body);
            if (status)
                return status;
            spent = scree_thread_seconds() - begin;
        }
        least = fmin(least, spent / (double)done);
    }
    *us += 1e6 * least / poses_of(way);
    return SCREE_OK;
}

/*  All engines in one pose, which find the same. */
static scree_status time_pose(fit_stock *stock, const scree_mesh_body body[2], uint32_t pose,
                              scree_mesh_fit_row *row, scree_error *error)
{
    size_t contacts = SIZE_MAX;
    for (int w = 0; w < SCREE_MESH_WAYS; w++) {
        scree_mesh_way way = (scree_mesh_way)w;
        if (pose >= poses_of(way))
            continue;
        scree_status status = time_way(stock, way, body, &row->us[way]);
        if (status)
            return status;
        if (contacts != SIZE_MAX && stock->finder.contact_count != contacts)
            return scree_fail(error, SCREE_BAD_VALUE,
                              "%u and %u triangles: engines find different contacts",
                              row->triangles[0], row->triangles[1]);
        contacts = stock->finder.contact_count;
    }
    return SCREE_OK;
}

static scree_status time_pair(fit_stock *stock, size_t i, size_t j, scree_mesh_fit_row *row,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    *row = (scree_mesh_fit_row){.triangles = {fit_sizes[i], fit_sizes[j]}};
    for (uint32_t pose = 0; pose < POSES && !status; pose++) {
        scree_mesh_body body[2];
        status = pose_bodies(stock, i, j, pose, body);
        if (!status)
            status = time_pose(stock, body, pose, row, error);
    }
    return status;
}

/*  The least sum of squares of (fixed + slope x) / us - 1. */
static scree_mesh_fit fit_way(const scree_mesh_fit_row *row, scree_mesh_way way)
{
    double a = 0, b = 0, c = 0, d = 0, e = 0;
    scree_mesh_fit fit = {0, 0, 1};
    for (size_t k = 0; k < SCREE_MESH_FIT_ROWS; k++) {
        double one = 1 / row[k].us[way];
        double x = one * scree_mesh_cost_of_size(way, row[k].triangles[0], row[k].triangles[1]);
        a += one * one;
        b += one * x;
        c += x * x;
        d += one;
        e += x;
    }
    fit.fixed = (d * c - e * b) / (a * c - b * b);
    fit.slope = (e * a - d * b) / (a * c - b * b);
    for (size_t k = 0; k < SCREE_MESH_FIT_ROWS; k++) {
        double ratio = (fit.fixed + fit.slope * scree_mesh_cost_of_size(way, row[k].triangles[0],
                                                                        row[k].triangles[1])) /
                       row[k].us[way];
        fit.worst = fmax(fit.worst, fmax(ratio, 1 / ratio));
    }
    return fit;
}

scree_status scree_bench_mesh_fit(scree_mesh_fit_row row[SCREE_MESH_FIT_ROWS],
                                  scree_mesh_fit fit[SCREE_MESH_WAYS], scree_error *error)
{
    fit_stock stock;
    scree_status status = make_fit_stock(&stock, error);
    size_t count = 0;
    for (size_t i = 0; i < SIZES && !status; i++)
        for (size_t j = i; j < SIZES && !status; j++)
            status = time_pair(&stock, i, j, &row[count++], error);
    for (int way = 0; way < SCREE_MESH_WAYS && !status; way++)
        fit[way] = fit_way(row, (scree_mesh_way)way);
    free_fit_stock(&stock);
    return status;
}
