/*  Scenes of the paper as paths: where bodies are at each step is given, so that all methods see the same. */
#include "cases/surrogate.h"

#include "base/error.h"
#include "base/portable_math.h"
#include "measure/measure.h"
#include "narrow/mesh_boxes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SKIN 0.01
#define RUNS 3
#define PLANE_CELLS 16u /* 512 triangles: 6.27e5 comparisons in the paper, over 1,224 */
#define PLANE_WIDTH 8.0

/* ---- table 1 ---- */

scree_status scree_bench_globe(uint32_t triangles, double radius, double stretch, scree_mesh **mesh,
                               scree_error *error)
{
    scree_globe_def def = scree_default_globe_def();
    def.facets = triangles;
    def.radius = radius;
    def.elongation = stretch;
    def.error = error;
    return scree_mesh_globe(&def, mesh);
}

static scree_status grow_bench_tree(const scree_mesh *mesh, bool tighten, scree_surrogate **tree,
                                    scree_error *error)
{
    scree_surrogate_def def = scree_default_surrogate_def();
    def.surface = scree_surface_of(mesh);
    def.tighten = tighten;
    def.error = error;
    return scree_surrogate_create(&def, tree);
}

static scree_status measure_root(const scree_mesh *mesh, bool tighten, scree_surrogate_shape *shape,
                                 scree_error *error)
{
    const double pi = 3.14159265358979323846;
    scree_surrogate_level level[SCREE_SURROGATE_LEVELS];
    scree_surface surface = scree_surface_of(mesh);
    scree_surrogate *tree;
    double begin = scree_thread_seconds(), radius = 0.5 * shape->stretch;
    scree_status status = grow_bench_tree(mesh, tighten, &tree, error);
    if (status)
        return status;
    shape->build_ms = 1e3 * (scree_thread_seconds() - begin);
    shape->levels = tree->level_count;
    shape->nodes = tree->node_count;
    scree_surrogate_describe(tree, &surface, 0, level);
    if (tighten) {
        shape->tightened.edge = level[0].longest_edge;
        shape->tightened.eps = level[0].largest_radius;
        shape->tightened.percent =
            100 * level[0].halo_volume / (4 * pi / 3 * radius * radius * radius);
    } else {
        shape->functional.edge = level[0].longest_edge;
        shape->functional.eps = level[0].largest_radius;
        shape->functional.percent =
            100 * level[0].halo_volume / (4 * pi / 3 * radius * radius * radius);
    }
    scree_surrogate_destroy(tree);
    return SCREE_OK;
}

scree_status scree_bench_surrogate_shapes(scree_surrogate_shape shape[SCREE_SURROGATE_SHAPES],
                                          scree_error *error)
{
    static const double stretch[5] = {1, 1.2, 1.4, 1.8, 2.6};
    static const uint32_t triangles[3] = {80, 320, 1280};
    static const double paper[5][3][2] = {
        {{0.09, 0.49}, {0.09, 0.50}, {0.08, 0.52}}, {{0.10, 0.55}, {0.10, 0.56}, {0.10, 0.56}},
        {{0.34, 0.54}, {0.12, 0.65}, {0.11, 0.66}}, {{0.14, 0.84}, {0.89, 0.53}, {1.35, 0.51}},
        {{1.54, 0.58}, {2.24, 0.51}, {2.36, 0.52}},
    };
    for (size_t k = 0; k < SCREE_SURROGATE_SHAPES; k++) {
        scree_surrogate_shape *s = &shape[k];
        scree_mesh *mesh;
        scree_status status;
        *s = (scree_surrogate_shape){.stretch = stretch[k / 3], .triangles = triangles[k % 3]};
        s->paper.edge = paper[k / 3][k % 3][0];
        s->paper.eps = paper[k / 3][k % 3][1];
        const double edge = s->paper.edge, radius = 0.5 * s->stretch;
        const double corner[3][3] = {{0, 0, 0}, {edge, 0, 0}, {0.5 * edge, edge * sqrt(0.75), 0}};
        static const double point[3][3];
        s->paper.percent =
            100 * scree_halo_volume(corner, s->paper.eps) / scree_halo_volume(point, radius);
        status = scree_bench_globe(s->triangles, 0.5, s->stretch, &mesh, error);
        if (!status)
            status = measure_root(mesh, false, s, error);
        if (!status)
            status = measure_root(mesh, true, s, error);
        scree_mesh_release(status ? NULL : mesh);
        if (status)
            return status;
    }
    return SCREE_OK;
}

/* ---- scenes ---- */

typedef struct scene_of_two
{
    scree_mesh *mesh[2];
    scree_memory memory;
    scree_mesh_boxes boxes[2];
    scree_surrogate *tree[2], *published[2]; /* tightened, and as the functional alone gives them */
    bool on_plane;
    double first_radius, second_radius;
} scene_of_two;

static void free_scene_of_two(scene_of_two *scene)
{
    for (int k = 0; k < 2; k++) {
        if (scene->boxes[k].mesh)
            scree_mesh_boxes_free(&scene->boxes[k], &scene->memory);
        scree_mesh_release(scene->mesh[k]);
        scree_surrogate_destroy(scene->tree[k]);
        scree_surrogate_destroy(scene->published[k]);
    }
}

scree_status scree_bench_plane(scree_mesh **mesh, scree_error *error)
{
    enum
    {
        side = PLANE_CELLS + 1
    };
    static double vertices[side * side][3];
    static uint32_t facets[2 * PLANE_CELLS * PLANE_CELLS][3];
    scree_mesh_def def = scree_default_mesh_def();
    for (uint32_t i = 0; i < side * side; i++) {
        vertices[i][0] = PLANE_WIDTH * ((double)(i / side) / PLANE_CELLS - 0.5);
        vertices[i][1] = PLANE_WIDTH * ((double)(i % side) / PLANE_CELLS - 0.5);
        vertices[i][2] = 0;
    }
    for (uint32_t c = 0; c < PLANE_CELLS * PLANE_CELLS; c++) {
        uint32_t a = c / PLANE_CELLS * side + c % PLANE_CELLS, b = a + side;
        const uint32_t two[2][3] = {{a, b, b + 1}, {a, b + 1, a + 1}};
        memcpy(facets[2 * c], two, sizeof two);
    }
    def.vertices = vertices[0];
    def.vertex_count = side * side;
    def.facets = facets[0];
    def.facet_count = 2 * PLANE_CELLS * PLANE_CELLS;
    def.error = error;
    return scree_mesh_create(&def, mesh);
}

static scree_status make_scene_of_two(scene_of_two *scene, bool on_plane, uint32_t first,
                                      uint32_t second, double scale, scree_error *error)
{
    scree_status status;
    memset(scene, 0, sizeof *scene);
    scree_memory_init(&scene->memory, NULL);
    scene->on_plane = on_plane;
    scene->first_radius = 0.5;
    scene->second_radius = 0.5 * scale;
    status = scree_bench_globe(first, scene->first_radius, 1, &scene->mesh[0], error);
    if (!status)
        status = on_plane
                     ? scree_bench_plane(&scene->mesh[1], error)
                     : scree_bench_globe(second, scene->second_radius, 1, &scene->mesh[1], error);
    for (int k = 0; k < 2 && !status; k++) {
        status = grow_bench_tree(scene->mesh[k], true, &scene->tree[k], error);
        if (!status)
            status = grow_bench_tree(scene->mesh[k], false, &scene->published[k], error);
        if (!status)
            status = scree_mesh_boxes_init(&scene->boxes[k], scene->mesh[k], &scene->memory);
    }
    if (status)
        free_scene_of_two(scene);
    return status;
}

/*  Step `share` of the way: the bodies come from out of reach until their surfaces touch, and go again; or a globe hops and rolls
    along the plane, which is tilted. Turns are not about axes of the meshes. */
static void pose_scene(const scene_of_two *scene, double share, scree_mesh_body body[2])
{
    double gap = 6 * SKIN * fabs(1 - 2 * share), place[2][3] = {{0, 0, 0}, {0, 0, 0}};
    double turn[2][4] = {{1, 0.13, 0.21, 0.34 + 0.5 * share}, {1, -0.41, 0.3 - 0.3 * share, 0.17}};
    if (scene->on_plane) {
        static const double tilt[4] = {0.98, 0, 0.199, 0};
        double along = 2 * (share - 0.5), angle = along / scene->first_radius, up;
        gap = 6 * SKIN * fabs(scree_sin(9 * share));
        up = scene->first_radius + gap;
        /* along the first axis and up the third, both turned with the plane */
        double c = tilt[0] * tilt[0] - tilt[2] * tilt[2], s = 2 * tilt[0] * tilt[2];
        place[0][0] = c * along + s * up;
        place[0][1] = 0.3 * share;
        place[0][2] = -s * along + c * up;
        turn[0][0] = scree_cos(0.5 * angle);
        turn[0][1] = 0.05;
        turn[0][2] = scree_sin(0.5 * angle);
        turn[0][3] = 0.1;
        memcpy(turn[1], tilt, sizeof tilt);
    } else {
        place[1][0] = scene->first_radius + scene->second_radius + gap;
    }
    for (int k = 0; k < 2; k++)
        body[k] = (scree_mesh_body){.mesh = scene->mesh[k],
                                    .pose = scree_mesh_pose_of(place[k], turn[k]),
                                    .skin = SKIN,
                                    .boxes = &scene->boxes[k]};
}

/* ---- methods ---- */

typedef struct bench_search
{
    scree_memory memory;
    scree_mesh_finder finder;
    scree_surrogate_search search;
    scree_surrogate_front front;
    double *corners[2]; /* of all facets in the world, for flat certified steps */
    uint32_t *pair[2];
    scree_triangle_touch *touches;
} bench_search;

static scree_status begin_bench_search(bench_search *bench, size_t first, size_t second)
{
    scree_status status;
    memset(bench, 0, sizeof *bench);
    scree_memory_init(&bench->memory, NULL);
    if ((status = scree_mesh_finder_init(&bench->finder, &bench->memory, SCREE_SIMD_AUTO)))
        return status;
    scree_surrogate_search_init(&bench->search, &bench->memory);
    scree_surrogate_front_init(&bench->front);
    bench->corners[0] = malloc(first * 9 * sizeof(double));
    bench->corners[1] = malloc(second * 9 * sizeof(double));
    bench->pair[0] = malloc(second * sizeof(uint32_t));
    bench->pair[1] = malloc(second * sizeof(uint32_t));
    bench->touches = malloc(second * sizeof *bench->touches);
    return bench->corners[0] && bench->corners[1] && bench->pair[0] && bench->pair[1] &&
                   bench->touches
               ? SCREE_OK
               : SCREE_OUT_OF_MEMORY;
}

static void end_bench_search(bench_search *bench)
{
    for (int k = 0; k < 2; k++) {
        free(bench->corners[k]);
        free(bench->pair[k]);
    }
    free(bench->touches);
    scree_surrogate_front_free(&bench->front, &bench->memory);
    scree_surrogate_search_free(&bench->search);
    if (bench->finder.memory)
        scree_mesh_finder_free(&bench->finder);
}

/*  All facets of the one with all of the other, by certified steps. Returns how many touch. */
static size_t find_flat_certified(bench_search *bench, const scree_mesh_body body[2],
                                  scree_triangle_counts *counts)
{
    scree_triangle_settings settings = scree_triangle_default_settings();
    uint32_t second = body[1].mesh->facet_count;
    size_t found = 0;
    for (int k = 0; k < 2; k++)
        for (size_t c = 0; c < 3 * (size_t)body[k].mesh->facet_count; c++)
            scree_mesh_place(&body[k].pose,
                             body[k].mesh->vertices + 3 * (size_t)body[k].mesh->facets[c],
                             bench->corners[k] + 3 * c);
    for (uint32_t j = 0; j < second; j++)
        bench->pair[1][j] = j;
    for (uint32_t i = 0; i < body[0].mesh->facet_count; i++) {
        const scree_triangle_pairs pairs = {
            .side = {{bench->corners[0], NULL, NULL, SKIN, NULL},
                     {bench->corners[1], NULL, NULL, SKIN, NULL}},
            .first = bench->pair[0],
            .second = bench->pair[1],
            .count = second,
        };
        for (uint32_t j = 0; j < second; j++)
            bench->pair[0][j] = i;
        found += scree_triangle_batch(&pairs, &settings, bench->touches, NULL, NULL, counts);
    }
    return found;
}

static const struct
{
    const char *name;
    bool is_tree, is_published, has_front, is_boxes;
    scree_surrogate_traversal traversal;
    scree_triangle_method method;
} bench_methods[] = {
    {"flat, comparison", false, false, false, false, 0, SCREE_TRIANGLES_COMPARISON},
    {"flat, certified", false, false, false, false, 0, SCREE_TRIANGLES_CERTIFIED},
    {"sets, comparison, published fit", true, true, false, false, SCREE_SURROGATE_SETS,
     SCREE_TRIANGLES_COMPARISON},
    {"sets, certified, published fit", true, true, false, false, SCREE_SURROGATE_SETS,
     SCREE_TRIANGLES_CERTIFIED},
    {"sets, certified", true, false, false, false, SCREE_SURROGATE_SETS, SCREE_TRIANGLES_CERTIFIED},
    {"pairs, comparison", true, false, false, false, SCREE_SURROGATE_PAIRS,
     SCREE_TRIANGLES_COMPARISON},
    {"pairs, certified, published fit", true, true, false, false, SCREE_SURROGATE_PAIRS,
     SCREE_TRIANGLES_CERTIFIED},
    {"pairs, certified", true, false, false, false, SCREE_SURROGATE_PAIRS,
     SCREE_TRIANGLES_CERTIFIED},
    {"sides, certified", true, false, false, false, SCREE_SURROGATE_SIDES,
     SCREE_TRIANGLES_CERTIFIED},
    {"pairs, with a front", true, false, true, false, SCREE_SURROGATE_PAIRS,
     SCREE_TRIANGLES_CERTIFIED},
    {"sides, with a front", true, false, true, false, SCREE_SURROGATE_SIDES,
     SCREE_TRIANGLES_CERTIFIED},
    {"boxes", false, false, false, true, 0, SCREE_TRIANGLES_COMPARISON},
};

enum
{
    SIDES_CERTIFIED = 8
};

_Static_assert(2 * SCREE_COUNT_OF(bench_methods) == SCREE_SURROGATE_STEPS, "rows of both scenes");

/*  One step by one method: what it took is added. */
static scree_status run_bench_step(bench_search *bench, const scene_of_two *scene, size_t method,
                                   double share, scree_surrogate_row *row)
{
    scree_mesh_body body[2];
    scree_surrogate *const *tree =
        bench_methods[method].is_published ? scene->published : scene->tree;
    size_t found;
    scree_status status = SCREE_OK;
    pose_scene(scene, share, body);
    for (int k = 0; k < 2; k++)
        body[k].tree = tree[k];
    if (bench_methods[method].is_tree) {
        scree_surrogate_counts *counts = &bench->search.counts;
        memset(counts, 0, sizeof *counts);
        bench->search.traversal = bench_methods[method].traversal;
        bench->search.method = bench_methods[method].method;
        status = scree_mesh_find_surrogates(&bench->finder, &bench->search,
                                            bench_methods[method].has_front ? &bench->front : NULL,
                                            &body[0], &body[1]);
        found = bench->finder.contact_count;
        row->comparisons += (double)counts->compared;
        row->fallbacks += (double)counts->offered;
        for (int k = 0; k <= SCREE_SURROGATE_LEVELS; k++)
            row->level[k] += (double)counts->level[k];
    } else if (bench_methods[method].is_boxes) {
        uint64_t before = bench->finder.counts.candidates;
        status = scree_mesh_find_boxes(&bench->finder, &body[0], &body[1]);
        found = bench->finder.contact_count;
        row->comparisons += (double)(bench->finder.counts.candidates - before);
    } else if (bench_methods[method].method == SCREE_TRIANGLES_COMPARISON) {
        status = scree_mesh_find_all(&bench->finder, &body[0], &body[1]);
        found = bench->finder.contact_count;
        row->comparisons += (double)body[0].mesh->facet_count * body[1].mesh->facet_count;
    } else {
        scree_triangle_counts counts = {0};
        found = find_flat_certified(bench, body, &counts);
        row->comparisons += (double)counts.pairs;
        row->fallbacks += (double)counts.compared;
    }
    row->contacts += (double)found;
    return status;
}

/*  All steps, several times over; what is counted is of one. Flat ones cost the same at each step: a tenth of them will do. */
static scree_status run_bench_method(bench_search *bench, const scene_of_two *scene, size_t method,
                                     uint32_t steps, scree_surrogate_row *row)
{
    uint32_t stride = bench_methods[method].is_tree || bench_methods[method].is_boxes ? 1 : 10;
    uint32_t done = 0;
    double least = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        double begin = scree_thread_seconds();
        scree_surrogate_row fresh = *row;
        fresh.comparisons = fresh.fallbacks = fresh.contacts = 0;
        memset(fresh.level, 0, sizeof fresh.level);
        done = 0;
        for (uint32_t n = 0; n < steps; n += stride, done++) {
            scree_status status = run_bench_step(bench, scene, method, (n + 0.5) / steps, &fresh);
            if (status)
                return status;
        }
        *row = fresh;
        least = fmin(least, scree_thread_seconds() - begin);
    }
    row->ns = 1e9 * least / done;
    row->comparisons /= done;
    row->fallbacks /= done;
    row->contacts /= done;
    for (int k = 0; k <= SCREE_SURROGATE_LEVELS; k++)
        row->level[k] /= done;
    return SCREE_OK;
}

/*  Every method against all pairs by comparison, at some of the steps. */
static scree_status hold_methods_together(bench_search *bench, const scene_of_two *scene,
                                          uint32_t steps, scree_error *error)
{
    for (uint32_t n = 0; n < steps; n += 7) {
        double contacts = 0;
        for (size_t m = 0; m < SCREE_COUNT_OF(bench_methods); m++) {
            scree_surrogate_row row = {0};
            scree_status status = run_bench_step(bench, scene, m, (n + 0.5) / steps, &row);
            if (status)
                return status;
            if (m > 0 && row.contacts != contacts)
                return scree_fail(error, SCREE_BAD_VALUE, "step %u: %s finds %g contacts, not %g",
                                  n, bench_methods[m].name, row.contacts, contacts);
            contacts = row.contacts;
        }
    }
    return SCREE_OK;
}

static void set_paper(scree_surrogate_row *row, bool on_plane, size_t method)
{
    static const struct
    {
        double comparisons, fallbacks, seconds;
    } flat[2][2] = {{{1.50e6, 0, 3.96}, {1.50e6, 1.66e3, 1.87}},
                    {{6.27e5, 0, 1.68}, {6.27e5, 1.57e4, 8.00}}},
      tree[2][2] = {{{8.20e3, 0, 2.60e-2}, {7.64e3, 1.44e2, 1.80e-2}},
                    {{5.27e3, 0, 7.68e-2}, {5.03e3, 4.96e2, 4.00e-2}}};
    size_t steps = bench_methods[method].method == SCREE_TRIANGLES_CERTIFIED;
    if (bench_methods[method].is_boxes)
        return;
    if (!bench_methods[method].is_tree) {
        row->paper_comparisons = flat[on_plane][steps].comparisons;
        row->paper_fallbacks = flat[on_plane][steps].fallbacks;
        row->paper_seconds = flat[on_plane][steps].seconds;
    } else {
        row->paper_comparisons = tree[on_plane][steps].comparisons;
        row->paper_fallbacks = tree[on_plane][steps].fallbacks;
        row->paper_seconds = tree[on_plane][steps].seconds;
    }
}

static scree_status run_bench_scene(const scene_of_two *scene, uint32_t steps,
                                    scree_surrogate_row *row, scree_error *error)
{
    bench_search bench;
    scree_status status =
        begin_bench_search(&bench, scene->mesh[0]->facet_count, scene->mesh[1]->facet_count);
    if (!status)
        status = hold_methods_together(&bench, scene, steps, error);
    for (size_t m = 0; m < SCREE_COUNT_OF(bench_methods) && !status; m++) {
        row[m] = (scree_surrogate_row){.scene = scene->on_plane ? "on plane" : "particle-particle",
                                       .method = bench_methods[m].name,
                                       .triangles = scene->mesh[0]->facet_count,
                                       .scale = 1,
                                       .is_tree = bench_methods[m].is_tree};
        set_paper(&row[m], scene->on_plane, m);
        status = run_bench_method(&bench, scene, m, steps, &row[m]);
    }
    end_bench_search(&bench);
    return status;
}

scree_status scree_bench_surrogate_steps(uint32_t steps,
                                         scree_surrogate_row row[SCREE_SURROGATE_STEPS],
                                         size_t *count, scree_error *error)
{
    for (*count = 0; *count < SCREE_SURROGATE_STEPS; *count += SCREE_COUNT_OF(bench_methods)) {
        scene_of_two scene;
        scree_status status = make_scene_of_two(&scene, *count > 0, 1224, 1224, 1, error);
        if (status)
            return status;
        status = run_bench_scene(&scene, steps, row + *count, error);
        free_scene_of_two(&scene);
        if (status)
            return status;
    }
    return SCREE_OK;
}

scree_status scree_bench_surrogate_sizes(uint32_t steps,
                                         scree_surrogate_row row[SCREE_SURROGATE_SIZES],
                                         scree_error *error)
{
    static const uint32_t triangles[] = {80, 320, 1280, 5120};
    static const double iterative[] = {145, 505, 588, 544}, fallbacks[] = {15.9, 41.8, 46.6, 38.0},
                        seconds[] = {8.72e-2, 2.25e-1, 2.60e-1, 2.40e-1};
    size_t method = SIDES_CERTIFIED;
    for (int k = 0; k < SCREE_SURROGATE_SIZES; k++) {
        scene_of_two scene;
        bench_search bench;
        double scale = 1 << k;
        scree_status status = make_scene_of_two(&scene, false, 80, triangles[k], scale, error);
        if (status)
            return status;
        row[k] = (scree_surrogate_row){.scene = "particle-particle",
                                       .method = bench_methods[method].name,
                                       .triangles = triangles[k],
                                       .scale = scale,
                                       .is_tree = true,
                                       .paper_comparisons = iterative[k],
                                       .paper_fallbacks = fallbacks[k],
                                       .paper_seconds = seconds[k]};
        status = begin_bench_search(&bench, 80, triangles[k]);
        if (!status)
            status = run_bench_method(&bench, &scene, method, steps, &row[k]);
        end_bench_search(&bench);
        free_scene_of_two(&scene);
        if (status)
            return status;
    }
    return SCREE_OK;
}
