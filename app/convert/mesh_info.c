/*  scree mesh info: the content of a mesh file, its defects as a body, and the mass properties of the enclosed body. */
#include "app/convert/verbs.h"
#include "common/json.h"

#include "scree/io.h"
#include "scree/shape.h"

#include <string.h>

/*  Everything that is printed. */
typedef struct mesh_facts
{
    const char *path;
    double density;
    scree_mesh_info info;
    scree_mesh_report report;
    bool is_solid; /* otherwise `why` has the reason */
    scree_mesh_solid solid;
    scree_error why;
} mesh_facts;

#define MAX_WARNINGS 8

typedef struct warning
{
    char text[160];
} warning;

static scree_status find_facts(const scree_mesh *mesh, mesh_facts *facts, scree_error *error)
{
    scree_status status = scree_mesh_check(mesh, &facts->report, error);
    if (status)
        return status;
    facts->info = scree_mesh_describe(mesh);
    status = scree_mesh_solid_of(mesh, facts->density, &facts->solid, &facts->why);
    facts->is_solid = status == SCREE_OK;
    return SCREE_OK;
}

/* ---- warnings ---- */

static void warn_if(uint32_t count, const char *format, warning *list, size_t *listed)
{
    if (count > 0)
        snprintf(list[(*listed)++].text, sizeof list->text, format, count);
}

static size_t list_warnings(const mesh_facts *facts, warning list[MAX_WARNINGS])
{
    const scree_mesh_info *info = &facts->info;
    const scree_mesh_report *report = &facts->report;
    size_t listed = 0;
    warn_if(info->dropped_flat, "%u facets have no area, and are dropped", list, &listed);
    warn_if(info->dropped_duplicates, "%u facets repeat others, and are dropped", list, &listed);
    warn_if(info->open_edges, "%u edges have one facet: the surface is open", list, &listed);
    warn_if(info->nonmanifold_edges, "%u edges have more than two facets", list, &listed);
    warn_if(info->flipped_edges, "%u edges have facets with opposite orientation", list, &listed);
    if (report->crossings > 0)
        snprintf(list[listed++].text, sizeof list->text,
                 "%u pairs of facets intersect, facets %u and %u first", report->crossings,
                 info->source[report->first[0]], info->source[report->first[1]]);
    if (facts->is_solid && facts->solid.inward)
        snprintf(list[listed++].text, sizeof list->text, "normals point inward");
    if (!facts->is_solid)
        snprintf(list[listed++].text, sizeof list->text, "no mass: %.120s", facts->why.text);
    return listed;
}

/* ---- text ---- */

static const char *how_oriented(const scree_mesh_report *report)
{
    return report->oriented     ? "oriented"
           : report->orientable ? "not consistently oriented, but orientable"
                                : "one-sided";
}

static void print_solid(const mesh_facts *facts)
{
    const scree_mesh_solid *s = &facts->solid;
    printf("area         %.9g\nvolume       %.9g\n", s->area, s->volume);
    printf("mass         %.9g at density %g\n", s->mass, facts->density);
    printf("centre       %.9g %.9g %.9g\n", s->centre[0], s->centre[1], s->centre[2]);
    for (int k = 0; k < 3; k++)
        printf("%-12s %.9g %.9g %.9g\n", k == 0 ? "inertia" : "", s->inertia[k][0],
               s->inertia[k][1], s->inertia[k][2]);
    printf("principal    %.9g %.9g %.9g\n", s->principal[0], s->principal[1], s->principal[2]);
    printf("turned by    %.9g %.9g %.9g %.9g\n", s->orientation[0], s->orientation[1],
           s->orientation[2], s->orientation[3]);
}

static void print_text(const mesh_facts *facts)
{
    const scree_mesh_info *info = &facts->info;
    const scree_mesh_report *report = &facts->report;
    warning list[MAX_WARNINGS];
    size_t listed = list_warnings(facts, list);
    printf("%s: %u vertices, %u facets, %u edges\n", facts->path, info->vertex_count,
           info->facet_count, info->edge_count);
    printf("surface      %s, %s, %u %s\n", report->closed ? "closed" : "open", how_oriented(report),
           report->patches, report->patches == 1 ? "patch" : "patches");
    for (int k = 0; k < 3; k++)
        printf("%-12c %.9g to %.9g, %.9g wide\n", "xyz"[k], info -> lower[k], info -> upper[k],
               info -> upper[k] - info -> lower[k]);
    if (facts->is_solid)
        print_solid(facts);
    for (size_t k = 0; k < listed; k++)
        printf("warning      %s\n", list[k].text);
}

/* ---- JSON ---- */

static void tell_numbers(scree_json *json, const char *name, const double *values, size_t count)
{
    scree_json_list(json, name);
    for (size_t k = 0; k < count; k++)
        scree_json_real(json, NULL, values[k]);
    scree_json_end(json);
}

static void tell_solid(scree_json *json, const mesh_facts *facts)
{
    const scree_mesh_solid *s = &facts->solid;
    scree_json_real(json, "density", facts->density);
    scree_json_real(json, "area", s->area);
    scree_json_real(json, "volume", s->volume);
    scree_json_real(json, "mass", s->mass);
    tell_numbers(json, "centre", s->centre, 3);
    tell_numbers(json, "inertia", s->inertia[0], 9);
    tell_numbers(json, "principal", s->principal, 3);
    tell_numbers(json, "orientation", s->orientation, 4);
}

static void print_json(const mesh_facts *facts)
{
    const scree_mesh_info *info = &facts->info;
    const scree_mesh_report *report = &facts->report;
    scree_json json = scree_json_begin(stdout, false);
    warning list[MAX_WARNINGS];
    size_t listed = list_warnings(facts, list);
    scree_json_text(&json, "file", facts->path);
    scree_json_count(&json, "vertices", info->vertex_count);
    scree_json_count(&json, "facets", info->facet_count);
    scree_json_count(&json, "edges", info->edge_count);
    scree_json_count(&json, "patches", report->patches);
    scree_json_flag(&json, "closed", report->closed);
    scree_json_flag(&json, "oriented", report->oriented);
    scree_json_flag(&json, "orientable", report->orientable);
    scree_json_count(&json, "open_edges", info->open_edges);
    scree_json_count(&json, "nonmanifold_edges", info->nonmanifold_edges);
    scree_json_count(&json, "flipped_edges", info->flipped_edges);
    scree_json_count(&json, "dropped_flat", info->dropped_flat);
    scree_json_count(&json, "dropped_duplicates", info->dropped_duplicates);
    scree_json_count(&json, "crossings", report->crossings);
    tell_numbers(&json, "lower", info->lower, 3);
    tell_numbers(&json, "upper", info->upper, 3);
    if (facts->is_solid)
        tell_solid(&json, facts);
    scree_json_list(&json, "warnings");
    for (size_t k = 0; k < listed; k++)
        scree_json_text(&json, NULL, list[k].text);
    scree_json_end(&json);
    scree_json_finish(&json);
}

static int run_mesh_info(const scree_arguments *arguments)
{
    const scree_verb *verb = &scree_verb_mesh_info;
    mesh_facts facts = {.path = arguments->operand, .density = 1};
    scree_error error = {SCREE_OK, ""};
    scree_mesh *mesh;
    if (!facts.path)
        return scree_usage_error("mesh info: which file? see scree help mesh info");
    if (!scree_parse_real(verb, arguments, "density", 1e-100, 1e100, &facts.density))
        return SCREE_EXIT_USAGE;
    scree_status status = scree_mesh_read(facts.path, NULL, &mesh, &error);
    if (status)
        return scree_status_error(status, error.text);
    status = find_facts(mesh, &facts, &error);
    int code = SCREE_EXIT_OK;
    if (status)
        code = scree_status_error(status, error.text);
    else if (scree_argument(verb, arguments, "json"))
        print_json(&facts);
    else
        print_text(&facts);
    scree_mesh_destroy(mesh);
    return code;
}

static const scree_option options[] = {
    {"density", "VALUE", "density of the body inside the surface; default 1"},
    {"json", NULL, "As one JSON object."},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_mesh_info = {
    .name = "mesh info",
    .operand = "FILE",
    .summary = "Describes a mesh: counts, holes, mass.",
    .text =
        "FILE is STL, OBJ or PLY. Defects of the surface of a body are warnings: open edges, "
        "facets\n"
        "with opposite orientation, facets that intersect. Lengths are in the units of the file.",
    .example = "scree mesh info bucket.stl",
    .options = options,
    .run = run_mesh_info,
};
