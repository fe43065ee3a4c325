/*  plane, box, cylinder, cone, sphere, facets, mesh: regions and surfaces; and wall, which is made of a surface. */
#include "base/error.h"
#include "field_rows.h"
#include "language.h"
#include "scree/io.h"

#include <stdio.h>
#include <string.h>

#define OF(member) .offset = offsetof(scree_scene_geometry, member)

static int push_region(scene_reader *reader, const scree_scene_geometry *geometry)
{
    scene_value value = {.kind = SCENE_A_REGION, .geometry = *geometry};
    scene_push(reader, &value);
    return 1;
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* ---- plane ----------------------------------------------------------------------------------------------- */

static void begin_plane(scene_reader *reader, void *record)
{
    scree_scene_geometry *g = record;

    g->form = SCREE_FORM_PLANE;
    g->normal[reader->scene->plan.world.dimensions == 2 ? 1 : 2] = 1;
}

static int end_plane(scene_reader *reader, void *record)
{
    scree_scene_geometry *g = record;
    double length = length_of(g->normal);

    if (!(length > 1e-100 && length < 1e100))
        scene_refuse(reader, "normal: has the length %g, must be a direction", length);
    return push_region(reader, g);
}

static const scene_field plane_fields[] = {
    {.name = "point",
     .type = SCENE_VECTOR,
     OF(point),
     .unit = "m",
     .standard = "{0, 0, 0}",
     .help = "a point on it"},
    {.name = "normal",
     .type = SCENE_VECTOR,
     OF(normal),
     .standard = "{0, 0, 1}, in two dimensions {0, 1, 0}",
     .help = "a wall has its bodies on this side; measured flow is positive in this direction; a "
             "sink is behind it. Any length"},
};

/* ---- box ------------------------------------------------------------------------------------------------- */

static const scene_word box_sides[] = {{"-x", 1},  {"+x", 2},  {"-y", 4}, {"+y", 8},
                                       {"-z", 16}, {"+z", 32}, {NULL, 0}};

static void begin_box(scene_reader *reader, void *record)
{
    (void)reader;
    ((scree_scene_geometry *)record)->form = SCREE_FORM_BOX;
}

static int end_box(scene_reader *reader, void *record)
{
    scree_scene_geometry *g = record;
    int dimensions = reader->scene->plan.world.dimensions;

    for (int k = 0; k < dimensions; k++)
        if (!(g->lower[k] < g->upper[k]))
            scene_refuse(reader, "lower is %g along %c and upper is %g; lower must be below upper",
                         scene_from_si(reader, g->lower[k], "m"), "xyz"[k],
                         scene_from_si(reader, g->upper[k], "m"));
    return push_region(reader, g);
}

static const scene_field box_fields[] = {
    {.name = "lower",
     .type = SCENE_VECTOR,
     OF(lower),
     .unit = "m",
     .required = true,
     .help = "one corner"},
    {.name = "upper",
     .type = SCENE_VECTOR,
     OF(upper),
     .unit = "m",
     .required = true,
     .help = "the opposite corner"},
    {.name = "open",
     .type = SCENE_FLAGS,
     OF(open),
     .words = box_sides,
     .standard = "{}",
     .help = "as a wall: sides that are omitted: \"-x\", \"+x\", \"-y\", \"+y\", \"-z\", \"+z\"; "
             "bodies are inside"},
};

/* ---- cylinder and cone ----------------------------------------------------------------------------------- */

static const scene_word end_words[] = {{"from", 1}, {"to", 2}, {NULL, 0}};

static void begin_cylinder(scene_reader *reader, void *record)
{
    scree_scene_geometry *g = record;

    g->form = strcmp(reader->function->name, "cone") == 0 ? SCREE_FORM_CONE : SCREE_FORM_CYLINDER;
    g->facets = 64;
}

static int end_cylinder(scene_reader *reader, void *record)
{
    scree_scene_geometry *g = record;
    double along[3], height;

    if (g->form == SCREE_FORM_CYLINDER)
        g->radius_to = g->radius;
    for (int k = 0; k < 3; k++)
        along[k] = g->to[k] - g->from[k];
    height = length_of(along);
    if (!(height > 0 && isfinite(height)))
        scene_refuse(reader, "to: is where `from` is; the axis must have a length");
    if (!(g->radius + g->radius_to > 0))
        scene_refuse(reader, "radius: one of `radius` and `radius_to` must be above 0");
    /* each end is a disc: along axis k its extent is radius * sin(angle to k) */
    for (int k = 0; k < 3; k++) {
        double cosine = along[k] / height,
               reach = sqrt(cosine * cosine < 1 ? 1 - cosine * cosine : 0);
        double a = g->from[k] - reach * g->radius, b = g->to[k] - reach * g->radius_to;
        g->lower[k] = a < b ? a : b;
        a = g->from[k] + reach * g->radius;
        b = g->to[k] + reach * g->radius_to;
        g->upper[k] = a > b ? a : b;
    }
    return push_region(reader, g);
}

#define ROUND_FIELDS                                                                               \
    {.name = "from",                                                                               \
     .type = SCENE_VECTOR,                                                                         \
     OF(from),                                                                                     \
     .unit = "m",                                                                                  \
     .required = true,                                                                             \
     .help = "middle of one end"},                                                                 \
    {                                                                                              \
        .name = "to", .type = SCENE_VECTOR, OF(to), .unit = "m", .required = true,                 \
        .help = "middle of the other end"                                                          \
    }
#define ROUND_FIELDS_AFTER                                                                         \
    {.name = "open",                                                                               \
     .type = SCENE_FLAGS,                                                                          \
     OF(open),                                                                                     \
     .words = end_words,                                                                           \
     .standard = "{}",                                                                             \
     .help = "as a wall: ends that are omitted: \"from\", \"to\""},                                \
    {                                                                                              \
        .name = "facets", .type = SCENE_WHOLE32, OF(facets), SCENE_WITHIN(3, 100000),              \
        .standard = "64",                                                                          \
        .help = "as a wall: number of flat strips around, with corners on the circle"              \
    }

static const scene_field cylinder_fields[] = {
    ROUND_FIELDS,
    {.name = "radius",
     .type = SCENE_NUMBER,
     OF(radius),
     SCENE_ABOVE(0),
     .unit = "m",
     .required = true,
     .help = "of both ends"},
    ROUND_FIELDS_AFTER,
};

static const scene_field cone_fields[] = {
    ROUND_FIELDS,
    {.name = "radius",
     .type = SCENE_NUMBER,
     OF(radius),
     SCENE_FROM(0),
     .unit = "m",
     .required = true,
     .help = "of the end at `from`; 0 is a tip"},
    {.name = "radius_to",
     .type = SCENE_NUMBER,
     OF(radius_to),
     SCENE_FROM(0),
     .unit = "m",
     .required = true,
     .help = "of the end at `to`"},
    ROUND_FIELDS_AFTER,
};
#undef OF

/* ---- sphere ---------------------------------------------------------------------------------------------- */

typedef struct sphere_record
{
    double centre[3];
    scree_scene_sizes radius;
} sphere_record;

static int end_sphere(scene_reader *reader, void *record)
{
    sphere_record *r = record;
    bool placed = scene_is_given(reader, "centre");
    scene_value value = {.kind = SCENE_A_BALL, .has_centre = placed, .sizes = r->radius};
    scree_scene_geometry *g = &value.geometry;

    if (!(r->radius.lower > 0))
        scene_refuse(reader, "radius: goes down to %g, must be above 0", r->radius.lower);
    if (placed && r->radius.spread != SCREE_SPREAD_FIXED)
        scene_refuse(reader, "radius: of a region must be one number");
    g->form = SCREE_FORM_SPHERE;
    g->radius = r->radius.upper;
    for (int k = 0; k < 3; k++) {
        g->from[k] = r->centre[k];
        g->lower[k] = r->centre[k] - g->radius;
        g->upper[k] = r->centre[k] + g->radius;
    }
    scene_push(reader, &value);
    return 1;
}

static const scene_field sphere_fields[] = {
    {.name = "radius",
     .type = SCENE_SIZES,
     .offset = offsetof(sphere_record, radius),
     SCENE_ABOVE(0),
     .unit = "m",
     .required = true,
     .help = "a number, or for a body's shape a distribution"},
    {.name = "centre",
     .type = SCENE_VECTOR,
     .offset = offsetof(sphere_record, centre),
     .unit = "m",
     .standard = "none",
     .help = "makes it a region; without it, the shape of bodies"},
};

/* ---- facets ---------------------------------------------------------------------------------------------- */

#define MAX_VERTICES 10000000

static void read_vertices(scene_reader *reader, void *target)
{
    scree_scene_geometry *g = target;
    lua_State *L = reader->L;
    lua_Integer count = scene_length(reader, reader->index, 2, MAX_VERTICES);
    double *vertices = scene_keep(reader, (size_t)count * 3, sizeof *vertices);

    for (lua_Integer i = 0; i < count; i++) {
        lua_geti(L, reader->index, i + 1);
        if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) < 2 || lua_rawlen(L, -1) > 3)
            scene_refuse(reader, "vertex %d is %s, must be three numbers", (int)i + 1,
                         scene_describe(L, -1));
        scene_read_vector(reader, lua_gettop(L), &vertices[3 * i]);
        lua_pop(L, 1);
    }
    g->vertices = vertices;
    g->vertex_count = (uint32_t)count;
}

static void read_corners(scene_reader *reader, void *target)
{
    scree_scene_geometry *g = target;
    lua_State *L = reader->L;
    lua_Integer count = scene_length(reader, reader->index, 1, MAX_VERTICES);
    int wanted = reader->scene->plan.world.dimensions;
    uint32_t *corners = scene_keep(reader, (size_t)count * 3, sizeof *corners);

    for (lua_Integer i = 0; i < count; i++) {
        lua_geti(L, reader->index, i + 1);
        if (lua_type(L, -1) != LUA_TTABLE || (int)lua_rawlen(L, -1) != wanted)
            scene_refuse(reader, "facet %d must be the numbers of %d vertices, as {1, 2%s}",
                         (int)i + 1, wanted, wanted == 3 ? ", 3" : "");
        for (int k = 0; k < wanted; k++) {
            double x = scene_item_number(reader, -1, k + 1);
            if (!(x >= 1 && x <= g->vertex_count && x == floor(x)))
                scene_refuse(reader, "facet %d names vertex %g; there are vertices 1 to %u",
                             (int)i + 1, x, g->vertex_count);
            corners[i * wanted + k] = (uint32_t)x - 1;
        }
        lua_pop(L, 1);
    }
    g->corners = corners;
    g->corner_count = wanted;
    g->facet_count = (uint32_t)count;
}

static int end_facets(scene_reader *reader, void *record)
{
    scree_scene_geometry *g = record;

    g->form = SCREE_FORM_FACETS;
    for (int k = 0; k < 3; k++) {
        g->lower[k] = INFINITY;
        g->upper[k] = -INFINITY;
    }
    for (uint32_t i = 0; i < 3 * g->vertex_count; i++) {
        g->lower[i % 3] = g->vertices[i] < g->lower[i % 3] ? g->vertices[i] : g->lower[i % 3];
        g->upper[i % 3] = g->vertices[i] > g->upper[i % 3] ? g->vertices[i] : g->upper[i % 3];
    }
    return push_region(reader, g);
}

static const scene_field facets_fields[] = {
    {.name = "vertices",
     .type = SCENE_OWN,
     .read = read_vertices,
     .unit = "m",
     .required = true,
     .accepts = "a list of points, as {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}",
     .help = "the points"},
    {.name = "facets",
     .type = SCENE_OWN,
     .read = read_corners,
     .required = true,
     .accepts = "a list of triangles, as {{1, 2, 3}}, in two dimensions of segments, as {{1, 2}}",
     .help = "indices of the points of each triangle, from 1; in two dimensions of each segment"},
};

/* ---- mesh ------------------------------------------------------------------------------------------------ */

typedef struct mesh_record
{
    const char *file;
    scree_scene_sizes scale;
    double skin;
    uint32_t variants;
} mesh_record;

const char *scene_file_path(scene_reader *reader, const char *file)
{
    const char *folder = file[0] == '/' ? "" : reader->scene->folder;
    char *path;

    if (!file[0])
        scene_refuse(reader, "the name of a file is empty");
    if (reader->scene->without_files)
        scene_refuse(reader, "a scene that was sent here may name no files");
    path = scene_keep(reader, strlen(folder) + strlen(file) + 1, 1);
    sprintf(path, "%s%s", folder, file);
    reader->scene->names_files = true;
    return path;
}

void scene_open_mesh(scene_reader *reader, const char *path, double scale, scree_scene_geometry *g)
{
    scree_error error = {SCREE_OK, ""};
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh **kept = scene_row(reader, SCENE_MESHES);

    *kept = NULL;
    def.allocator = reader->scene->memory.allocator;
    scree_status status = scree_mesh_read(path, &def, kept, &error);
    if (status)
        scene_fail_as(reader,
                      status == SCREE_IO_ERROR || status == SCREE_OUT_OF_MEMORY ? status
                                                                                : SCREE_BAD_FILE,
                      error.text);
    scree_mesh_info info = scree_mesh_describe(*kept);
    g->form = SCREE_FORM_FILE;
    g->path = path;
    g->scale = scale;
    g->vertices = info.vertices;
    g->corners = info.facets;
    g->vertex_count = info.vertex_count;
    g->facet_count = info.facet_count;
    g->open_edges = info.open_edges;
    g->corner_count = info.corners;
    for (int k = 0; k < 3; k++) {
        g->lower[k] = scale * info.lower[k];
        g->upper[k] = scale * info.upper[k];
    }
}

static void begin_mesh(scene_reader *reader, void *record)
{
    (void)reader;
    ((mesh_record *)record)->scale =
        (scree_scene_sizes){.spread = SCREE_SPREAD_FIXED, .lower = 1, .upper = 1};
}

static int end_mesh(scene_reader *reader, void *record)
{
    mesh_record *r = record;
    scree_scene_geometry geometry = {0};

    if (reader->scene->plan.world.dimensions == 2)
        scene_refuse(reader, "a mesh of triangles is for three dimensions; use facets { ... }");
    bool is_body = scene_is_given(reader, "contact_skin");
    if (!is_body && r->scale.spread != SCREE_SPREAD_FIXED)
        scene_refuse(reader, "scale: of a surface must be one number; the shape of bodies has a "
                             "`contact_skin`");
    if (!is_body && scene_is_given(reader, "variants"))
        scene_refuse(reader, "variants: is for the shape of bodies, which has a `contact_skin`");
    scene_open_mesh(reader, scene_file_path(reader, r->file), is_body ? 1 : r->scale.upper,
                    &geometry);
    return is_body
               ? scene_push_mesh_body(reader, &geometry, r->file, &r->scale, r->skin, r->variants)
               : push_region(reader, &geometry);
}

#define OF(member) .offset = offsetof(mesh_record, member)
static const scene_field mesh_fields[] = {
    {.name = "file",
     .type = SCENE_TEXT,
     OF(file),
     .required = true,
     .help = "STL, OBJ or PLY, relative to the scene"},
    {.name = "scale",
     .type = SCENE_SIZES,
     OF(scale),
     SCENE_ABOVE(0),
     .standard = "1",
     .help = "factor for the numbers of the file: 0.001 for millimetres; for bodies also a "
             "distribution"},
    {.name = "contact_skin",
     .old_name = "halo",
     .type = SCENE_NUMBER,
     OF(skin),
     .lower = 0,
     .upper = 1,
     .above = true,
     .standard = "none: a surface",
     .help = "makes it the shape of bodies: " SCENE_SKIN_HELP "; 0.1 is usual"},
    SCENE_VARIANTS_ROW(variants, "of bodies: " SCENE_VARIANTS_HELP),
};
#undef OF

#define SURFACE(word, what, how, list, record, start, finish)                                      \
    {                                                                                              \
        .name = word, .chapter = "Places and surfaces", .summary = what, .example = how,           \
        .fields = list, .field_count = SCREE_COUNT_OF(list), .record_bytes = sizeof(record),       \
        .begin = start, .end = finish                                                              \
    }

const scene_function scene_surface_functions[] = {
    SURFACE("plane", "An infinite plane.", "plane { point = {0, 0, 0}, normal = {0, 0, 1} }",
            plane_fields, scree_scene_geometry, begin_plane, end_plane),
    SURFACE("box", "A box; as a wall, planes with the bodies inside.",
            "box { lower = {-0.1, -0.1, 0}, upper = {0.1, 0.1, 0.4}, open = {\"+z\"} }", box_fields,
            scree_scene_geometry, begin_box, end_box),
    SURFACE("cylinder", "A cylinder, for example a drum or a pipe.",
            "cylinder { from = {0, -0.05, 0}, to = {0, 0.05, 0}, radius = 0.1 }", cylinder_fields,
            scree_scene_geometry, begin_cylinder, end_cylinder),
    SURFACE("cone", "A cone or a part of one, for example a hopper.",
            "cone { from = {0, 0, 0}, to = {0, 0, 0.1}, radius = 0.02, radius_to = 0.1, open = "
            "{\"from\", "
            "\"to\"} }",
            cone_fields, scree_scene_geometry, begin_cylinder, end_cylinder),
    SURFACE("sphere", "The shape of bodies; with a centre, a region.",
            "sphere { radius = loguniform(0.0005, 0.005) }", sphere_fields, sphere_record, NULL,
            end_sphere),
    SURFACE("facets",
            "A surface of triangles listed in the scene, in two dimensions of segments; as a "
            "region, its inside.",
            "facets { vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, facets = {{1, 2, 3}} }",
            facets_fields, scree_scene_geometry, NULL, end_facets),
    SURFACE(
        "mesh",
        "A surface from a file; as a region, its inside. With a contact skin, the shape of bodies; "
        "then it must be closed.",
        "mesh { file = \"drum.stl\", scale = 0.001 }", mesh_fields, mesh_record, begin_mesh,
        end_mesh),
};
const size_t scene_surface_function_count = SCREE_COUNT_OF(scene_surface_functions);
