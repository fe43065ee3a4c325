/*  scree mesh tree: the surrogate tree of a mesh, level by level: statistics, each level as an STL file, and a picture
    of all. */
#include "app/convert/mesh_picture.h"
#include "app/convert/verbs.h"
#include "common/out_file.h"
#include "common/report.h"

#include "io/export_stl.h"
#include "io/surrogate_file.h"
#include "scree/io.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const scree_option options[] = {
    {"out", "FOLDER",
     "where STL files go: level-0.stl, the root, and so on; none are written without it"},
    {"picture", "FILE", "a PNG file of all levels side by side"},
    {"cache", "FILE", "read the tree from this file, or build and write it"},
    {"eps", "X", "contact skin of the surface, for volumes, in its own units; 0"},
    {"threads", "N", "number of threads; default 1"},
    {"functional", NULL, "surrogates as the functional gives them, without tightening"},
    {"format", "WORD", "table, csv or json; table"},
    {NULL, NULL, NULL},
};

static const scree_report_column columns[] = {
    {"level", false, false},        {"surrogates", false, false},  {"leaves", false, false},
    {"facets_least", false, false}, {"facets_most", false, false}, {"longest_edge", false, false},
    {"largest_halo", false, false}, {"halo_volume", false, false}, {"spheres_%", false, false},
};

static int write_level(const scree_surrogate *tree, uint32_t level, const char *folder)
{
    scree_error error = {SCREE_OK, ""};
    scree_file file;
    char path[1024];
    uint32_t begin = tree->level_start[level], end = tree->level_start[level + 1];
    if (snprintf(path, sizeof path, "%s/level-%" PRIu32 ".stl", folder, level) >= (int)sizeof path)
        return scree_usage_error("mesh tree: --out is too long");
    scree_status status = scree_file_begin(&file, path, NULL, &error);
    if (!status) {
        scree_stl_put_head(&file, end - begin);
        for (uint32_t n = begin; n < end; n++) {
            const double *const corner[3] = {tree->nodes[n].corner[0], tree->nodes[n].corner[1],
                                             tree->nodes[n].corner[2]};
            scree_stl_put_triangle(&file, corner);
        }
        status = scree_file_commit(&file);
    }
    return status ? scree_status_error(status, error.text) : SCREE_EXIT_OK;
}

static int write_levels(const scree_surrogate *tree, const char *folder)
{
    int code = scree_make_folder(folder);
    for (int k = 0; k < 9 * (int)tree->node_count && code == SCREE_EXIT_OK; k++)
        if (!scree_is_float(tree->nodes[k / 9].corner[k / 3 % 3][k % 3]))
            return scree_usage_error("mesh tree: coordinates are too large for STL's floats");
    for (uint32_t level = 0; level < tree->level_count && code == SCREE_EXIT_OK; level++)
        code = write_level(tree, level, folder);
    return code;
}

static int report_levels(const scree_surrogate *tree, const scree_surface *surface, double eps,
                         int format)
{
    scree_surrogate_level level[SCREE_SURROGATE_LEVELS];
    scree_report report;
    scree_surrogate_describe(tree, surface, eps, level);
    scree_report_begin(&report, columns, SCREE_COUNT_OF(columns));
    for (uint32_t k = 0; k < tree->level_count; k++) {
        scree_report_add(&report, "%" PRIu32, k);
        scree_report_add(&report, "%" PRIu32, level[k].nodes);
        scree_report_add(&report, "%" PRIu32, level[k].leaves);
        scree_report_add(&report, "%" PRIu32, level[k].min_facets);
        scree_report_add(&report, "%" PRIu32, level[k].max_facets);
        scree_report_add(&report, "%.4g", level[k].longest_edge);
        scree_report_add(&report, "%.4g", level[k].largest_radius);
        scree_report_add(&report, "%.4g", level[k].halo_volume);
        scree_report_add(&report, "%.1f", 100 * level[k].halo_volume / level[k].sphere_volume);
    }
    return scree_report_end(&report, format, stdout);
}

/*  The tree of the mesh that was read. */
static int show_tree(const scree_arguments *arguments, const scree_mesh *mesh, double eps,
                     uint32_t threads, int format)
{
    static const char *const origins[] = {"read from", "built and written to",
                                          "built, but not written to"};
    const scree_verb *verb = &scree_verb_mesh_tree;
    const char *cache = scree_argument(verb, arguments, "cache"),
               *out = scree_argument(verb, arguments, "out"),
               *picture = scree_argument(verb, arguments, "picture");
    scree_surrogate_def def = scree_default_surrogate_def();
    scree_error error = {SCREE_OK, ""};
    scree_surrogate_origin origin;
    scree_surrogate *tree;
    scree_workers workers;
    int code;
    scree_status status = scree_workers_init(&workers, NULL, threads, NULL, NULL);
    if (status)
        return scree_status_error(status, "no threads");
    def.surface = scree_surface_of(mesh);
    def.tighten = !scree_argument(verb, arguments, "functional");
    def.workers = &workers;
    def.error = &error;
    status = cache ? scree_surrogate_cached(cache, &def, &tree, &origin)
                   : scree_surrogate_create(&def, &tree);
    scree_workers_free(&workers);
    if (status)
        return scree_status_error(status, error.text);
    code = out ? write_levels(tree, out) : SCREE_EXIT_OK;
    if (code == SCREE_EXIT_OK && picture)
        code = scree_mesh_picture(tree, mesh, picture);
    if (code == SCREE_EXIT_OK)
        code = report_levels(tree, &def.surface, eps, format);
    if (code == SCREE_EXIT_OK && cache)
        fprintf(stderr, "the tree was %s %s\n", origins[origin], cache);
    scree_surrogate_destroy(tree);
    return code;
}

static int run_mesh_tree(const scree_arguments *arguments)
{
    const scree_verb *verb = &scree_verb_mesh_tree;
    scree_error error = {SCREE_OK, ""};
    scree_mesh *mesh;
    double eps = 0;
    uint64_t threads = 1;
    int format = SCREE_REPORT_TABLE, code;
    if (!scree_parse_real(verb, arguments, "eps", 0, 1e60, &eps) ||
        !scree_parse_count(verb, arguments, "threads", 1, SCREE_MAX_WORKERS, &threads) ||
        !scree_parse_word(verb, arguments, "format", scree_report_formats, &format))
        return SCREE_EXIT_USAGE;
    if (!arguments->operand)
        return scree_usage_error("mesh tree: which file?");
    scree_status status = scree_mesh_read(arguments->operand, NULL, &mesh, &error);
    if (status)
        return scree_status_error(status, error.text);
    code = show_tree(arguments, mesh, eps, (uint32_t)threads, format);
    scree_mesh_destroy(mesh);
    return code;
}

const scree_verb scree_verb_mesh_tree = {
    .name = "mesh tree",
    .operand = "FILE",
    .summary = "Builds the surrogate tree of a mesh and writes its levels as STL files.",
    .text = "Level 0 is one triangle for the whole mesh. The halo of a surrogate triangle contains "
            "all that\n"
            "it stands for; spheres_% is the volume of the halos as a percentage of that of "
            "bounding spheres.",
    .example = "scree mesh tree bucket.stl --out levels",
    .options = options,
    .run = run_mesh_tree,
};
