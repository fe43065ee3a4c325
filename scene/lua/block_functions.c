/*  block and, in two dimensions, polygon: convex bodies given by points or a file. Variants are scaled copies
    (stones.c). */
#include "base/error.h"
#include "base/portable_math.h"
#include "field_rows.h"
#include "language.h"

#include <math.h>

#define MAX_POINTS 65535
#define MAX_REGULAR 1000
#define PI 3.14159265358979323846
#define FARTHEST 1e50 /* m */
/*  More than a block can have (shape/convex.h), since each of its faces may be several facets. */
#define MAX_FACETS 43690
/*  Cost of a point in the script's budget, for each variant. */
#define CHARGE 400u
#define USUAL_ROUNDING 0.05
/*  Coordinates in files are often single precision: 1e-7 of the size. */
#define TOLERANCE 1e-6
/*  Volume that a mesh may lack compared with its convex hull: more than rounding, and less than anyone would call
    non-convex. */
#define MAX_HOLLOW_SHARE 1e-3

typedef struct block_record
{
    double *points;
    const char *file;
    scree_scene_sizes scale, radius;
    double rounding;
    uint32_t point_count, variants, regular;
} block_record;

static void begin_block(scene_reader *reader, void *record)
{
    block_record *r = record;

    (void)reader;
    r->scale = (scree_scene_sizes){.spread = SCREE_SPREAD_FIXED, .lower = 1, .upper = 1};
    r->rounding = USUAL_ROUNDING;
}

/*  Two or three coordinates each; with two z is 0. */
static void read_points(scene_reader *reader, block_record *r, int wanted)
{
    lua_State *L = reader->L;
    lua_Integer count = scene_length(reader, reader->index, wanted + 1, MAX_POINTS);

    r->points = scene_keep(reader, 3 * (size_t)count, sizeof *r->points);
    r->point_count = (uint32_t)count;
    for (lua_Integer i = 0; i < count; i++) {
        lua_geti(L, reader->index, i + 1);
        if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) != (lua_Unsigned)wanted)
            scene_refuse(reader, "point %d is %s, must be {x, y%s}", (int)i + 1,
                         scene_describe(L, -1), wanted == 3 ? ", z" : "");
        r->points[3 * i + 2] = 0;
        for (int k = 0; k < wanted; k++) {
            double x = r->points[3 * i + k] = scene_item_in_si(reader, -1, k + 1, "m");
            if (!(fabs(x) <= FARTHEST))
                scene_refuse(reader, "point %d has the coordinate %g, must be within %g",
                             (int)i + 1, x, FARTHEST);
        }
        lua_pop(L, 1);
    }
}

static void read_block_points(scene_reader *reader, void *target)
{
    read_points(reader, target, 3);
}

static void read_polygon_points(scene_reader *reader, void *target)
{
    read_points(reader, target, 2);
}

static void check_block(scene_reader *reader)
{
    bool has_file = scene_is_given(reader, "file");

    if (reader->scene->plan.world.dimensions == 2)
        scene_refuse(reader, "is for three dimensions; in two use `polygon`");
    if (has_file == scene_is_given(reader, "points"))
        scene_refuse(reader, has_file ? "has `points` and `file`; give one of them"
                                      : "`points` or `file` is missing");
    if (scene_is_given(reader, "scale") && scene_is_given(reader, "radius"))
        scene_refuse(reader, "has `scale` and `radius`; give one of them");
}

static void check_polygon(scene_reader *reader)
{
    bool is_regular = scene_is_given(reader, "regular");

    if (reader->scene->plan.world.dimensions == 3)
        scene_refuse(
            reader,
            "is for two dimensions: `domain { dimensions = 2, ... }`; in three use `block`");
    if (is_regular == scene_is_given(reader, "points"))
        scene_refuse(reader, is_regular ? "has `points` and `regular`; give one of them"
                                        : "`points` or `regular` is missing");
    if (scene_is_given(reader, "scale") && scene_is_given(reader, "radius"))
        scene_refuse(reader, "has `scale` and `radius`; give one of them");
    if (is_regular && !scene_is_given(reader, "scale") && !scene_is_given(reader, "radius"))
        scene_refuse(reader, "`radius` or `scale` is missing: the size of a regular polygon");
}

/* ---- pattern of variants --------------------------------------------------------------------------------- */

/*  The surface of a file must enclose the convex hull of its vertices. */
static void check_convex(scene_reader *reader, const scree_mesh *mesh, const scree_mesh *hull,
                         const char *file)
{
    scree_mesh_solid solid, whole;
    scree_error error;

    if (scree_mesh_solid_of(mesh, 1, &solid, &error) ||
        scree_mesh_solid_of(hull, 1, &whole, &error))
        scene_refuse(reader, "%s: %s", file, error.text);
    if (solid.volume < (1 - MAX_HOLLOW_SHARE) * whole.volume)
        scene_refuse(reader,
                     "%s: it is not convex: it fills %.4g of the convex hull of its vertices; "
                     "`mesh` makes bodies of any surface",
                     file, solid.volume / whole.volume);
}

static void warn_of_inner_points(scene_reader *reader, uint32_t given, uint32_t used)
{
    if (used < given)
        scree_log_write(&reader->scene->log, SCREE_LOG_WARNING, SCREE_LOG_SHAPE,
                        "%s:%d: %s: %u of %u points are not corners: they are inside the hull of "
                        "the others, in its faces, or duplicates, and are left out",
                        reader->scene->name, reader->line, reader->function->name, given - used,
                        given);
}

/*  Raises no Lua error while it owns a mesh. */
static const scree_mesh *make_block_pattern(scene_reader *reader, const block_record *r)
{
    scree_hull_def def = scree_default_hull_def();
    const scree_mesh *mesh = NULL;
    scree_scene_geometry surface;
    scree_error error = {SCREE_OK, ""};

    def.points = r->points;
    def.point_count = r->point_count;
    if (r->file) {
        scene_open_mesh(reader, scene_file_path(reader, r->file), 1, &surface);
        mesh = scene_last_mesh(reader);
        def.points = scree_mesh_describe(mesh).vertices;
        def.point_count = scree_mesh_describe(mesh).vertex_count;
        def.tolerance = TOLERANCE;
    }
    if (reader->scene->plan.world.dimensions == 2)
        def.corners = 2;
    scene_charge(reader->L, (uint64_t)def.point_count * CHARGE);
    def.allocator = reader->scene->memory.allocator;
    def.error = &error;
    scree_mesh **kept = scene_row(reader, SCENE_MESHES);
    *kept = NULL;
    scree_status status = scree_mesh_hull(&def, kept);
    if (status == SCREE_OUT_OF_MEMORY)
        scene_lacks_memory(reader->L);
    if (status)
        scene_refuse(reader, "%s%s%s", mesh ? r->file : "", mesh ? ": " : "", error.text);
    if (scree_mesh_describe(*kept).facet_count > MAX_FACETS)
        scene_refuse(
            reader,
            "%s%s%u corners are more than a block can have: faces and edges have 16-bit numbers",
            mesh ? r->file : "", mesh ? ": " : "", scree_mesh_describe(*kept).vertex_count);
    if (mesh)
        check_convex(reader, mesh, *kept, r->file);
    else
        warn_of_inner_points(reader, r->point_count, scree_mesh_describe(*kept).vertex_count);
    return *kept;
}

/* ---- the call -------------------------------------------------------------------------------------------- */

typedef struct block_maker
{
    const scree_mesh *pattern;
    double rounding;
    bool by_radius;
} block_maker;

static scree_status make_block_stone(scene_reader *reader, const void *how, uint32_t number,
                                     double size, scree_scene_stone *stone, scree_error *error)
{
    const block_maker *m = how;
    scree_mesh **kept = scene_row(reader, SCENE_MESHES);

    (void)number;
    *kept = NULL;
    scree_status status =
        scene_make_stone(reader->scene, m->pattern, m->by_radius ? 0 : size,
                         m->by_radius ? size : 0, m->rounding, kept, stone, error);
    stone->is_block = !status;
    return status;
}

static int push_blocks(scene_reader *reader, const block_record *r)
{
    bool by_radius = scene_is_given(reader, "radius");
    scene_stones made = {.sizes = by_radius ? &r->radius : &r->scale,
                         .make = make_block_stone,
                         .file = r->file ? r->file : ""};

    made.variants = scene_count_variants(reader, r->variants, made.sizes);
    if (made.sizes->spread == SCREE_SPREAD_FIXED && made.variants > 1)
        scene_refuse(reader, "variants: there are %u of one size, all alike", made.variants);
    const block_maker how = {make_block_pattern(reader, r), r->rounding, by_radius};
    uint32_t corners = scree_mesh_describe(how.pattern).vertex_count;
    scene_charge(reader->L, (uint64_t)made.variants * corners * CHARGE);
    made.how = &how;
    reader->scene->plan.has_stones = true;
    return scene_push_stones(reader, &made);
}

static int end_block(scene_reader *reader, void *record)
{
    check_block(reader);
    return push_blocks(reader, record);
}

/*  Corners are 1 m from the centre, with a side at the bottom. Sine and cosine are the same on every machine. */
static void fill_regular(scene_reader *reader, block_record *r)
{
    r->points = scene_keep(reader, 3 * (size_t)r->regular, sizeof *r->points);
    r->point_count = r->regular;
    for (uint32_t c = 0; c < r->regular; c++) {
        double angle = PI * ((2.0 * c + 1) / r->regular - 0.5);
        r->points[3 * (size_t)c] = scree_cos(angle);
        r->points[3 * (size_t)c + 1] = scree_sin(angle);
        r->points[3 * (size_t)c + 2] = 0;
    }
}

static int end_polygon(scene_reader *reader, void *record)
{
    block_record *r = record;

    check_polygon(reader);
    if (scene_is_given(reader, "regular"))
        fill_regular(reader, r);
    return push_blocks(reader, r);
}

#define OF(member) .offset = offsetof(block_record, member)

static const scene_field block_fields[] = {
    {.name = "points",
     .type = SCENE_OWN,
     .read = read_block_points,
     .unit = "m",
     .standard = "none",
     .accepts = "a list of at least four rows {x, y, z}",
     .help =
         "rows {x, y, z}, at least four that are not in one plane: the block is their convex hull"},
    {.name = "file",
     .type = SCENE_TEXT,
     OF(file),
     .standard = "none",
     .help = "STL, OBJ or PLY, relative to the scene: a closed convex surface"},
    SCENE_SIZE_ROWS(scale, radius, SCENE_SCALE_OF_FILE, "the ball with the same volume"),
    {.name = "rounding",
     .type = SCENE_NUMBER,
     OF(rounding),
     .lower = 0,
     .upper = 1,
     .above = true,
     .standard = "0.05",
     .help = "radius of its edges and corners, around what the points span, over the radius of the "
             "ball that has its volume; contacts may be deeper"},
    SCENE_VARIANTS_ROW(variants, SCENE_VARIANTS_HELP),
};

static const scene_field polygon_fields[] = {
    {.name = "points",
     .type = SCENE_OWN,
     .read = read_polygon_points,
     .unit = "m",
     .standard = "none",
     .accepts = "a list of at least three rows {x, y}",
     .help =
         "rows {x, y}, at least three that are not on one line: the polygon is their convex hull"},
    {.name = "regular",
     .type = SCENE_WHOLE32,
     OF(regular),
     SCENE_WITHIN(3, MAX_REGULAR),
     .standard = "none",
     .help = "instead: number of corners, all 1 m from the centre before scaling"},
    SCENE_SIZE_ROWS(scale, radius, "of all lengths", "the disc with the same area"),
    {.name = "rounding",
     .type = SCENE_NUMBER,
     OF(rounding),
     .lower = 0,
     .upper = 1,
     .above = true,
     .standard = "0.05",
     .help = "radius of its corners, around what the points span, over the radius of the disc that "
             "has its area; at walls of segments a contact must not be deeper"},
    SCENE_VARIANTS_ROW(variants, SCENE_VARIANTS_HELP),
};
#undef OF

const scene_function scene_block_functions[] = {
    {.name = "block",
     .chapter = "Shapes of triangles",
     .summary =
         "The shape of convex bodies with faces, edges and corners: the convex hull of points.",
     .example = "block { points = {{0, 0, 0}, {0.004, 0, 0}, {0, 0.004, 0}, {0, 0, 0.004}}, radius "
                "= uniform(0.002, 0.004) }",
     .fields = block_fields,
     .field_count = SCREE_COUNT_OF(block_fields),
     .record_bytes = sizeof(block_record),
     .begin = begin_block,
     .end = end_block},
    {.name = "polygon",
     .chapter = "Shapes of triangles",
     .summary =
         "The shape of convex bodies in two dimensions: a polygon, the convex hull of points.",
     .example = "polygon { points = {{0, 0}, {0.02, 0}, {0.02, 0.01}, {0, 0.01}} }",
     .fields = polygon_fields,
     .field_count = SCREE_COUNT_OF(polygon_fields),
     .record_bytes = sizeof(block_record),
     .begin = begin_block,
     .end = end_polygon},
};
const size_t scene_block_function_count = SCREE_COUNT_OF(scene_block_functions);
