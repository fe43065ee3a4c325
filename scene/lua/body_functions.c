/*  body, bodies: bodies at the start, one by one, from a list or a file. */
#include "base/error.h"
#include "field_rows.h"
#include "language.h"
#include "scree/io.h"

#include <stdio.h>
#include <string.h>

void scene_check_body_count(scene_reader *reader, uint64_t count)
{
    if (count > SCENE_MAX_BODIES)
        scene_refuse(reader,
                     "count: is %.0f, must be at most %u: each body takes about 700 bytes, these "
                     "would need %.0f GB",
                     (double)count, SCENE_MAX_BODIES, (double)count * 700e-9);
}

/* ---- body ------------------------------------------------------------------------------------------------ */

typedef struct body_record
{
    scree_scene_body body;
    scree_scene_sizes shape;
    scree_scene_sizes radius;
} body_record;

const scene_word scene_freeze_words[] = {
    {"x", SCREE_FREEZE_X},           {"y", SCREE_FREEZE_Y},
    {"z", SCREE_FREEZE_Z},           {"spin_x", SCREE_FREEZE_SPIN_X},
    {"spin_y", SCREE_FREEZE_SPIN_Y}, {"spin_z", SCREE_FREEZE_SPIN_Z},
    {"all", SCREE_FREEZE},           {NULL, 0}};

static void begin_body(scene_reader *reader, void *record)
{
    ((body_record *)record)->body = (scree_scene_body){.line = reader->line,
                                                       .orientation = {1},
                                                       .groups = 1,
                                                       .mask = UINT64_MAX,
                                                       .temperature = NAN};
}

/*  A shape with a single size. */
static void take_shape(scene_reader *reader, const scree_scene_sizes *sizes, scree_scene_body *body)
{
    if (sizes->stones && sizes->table_count > 1)
        scene_refuse(reader, "shape: has %u variants; one body has one", sizes->table_count);
    if (!sizes->stones && sizes->spread != SCREE_SPREAD_FIXED)
        scene_refuse(reader, "shape: has a distribution of sizes; one body has one");
    body->stone = sizes->stones;
    body->radius = sizes->lower;
}

static int end_body(scene_reader *reader, void *record)
{
    body_record *r = record;

    if (reader->scene->list[SCENE_BODIES].count >= SCENE_MAX_BODIES)
        scene_check_body_count(reader, (uint64_t)SCENE_MAX_BODIES + 1);
    take_shape(reader, &r->shape, &r->body);
    *(scree_scene_body *)scene_row(reader, SCENE_BODIES) = r->body;
    scene_push_index(reader, SCENE_A_BODY, reader->scene->list[SCENE_BODIES].count);
    return 1;
}

#define OF(member) .offset = offsetof(body_record, member)
#define MOVING_FIELDS                                                                              \
    {.name = "velocity",                                                                           \
     .type = SCENE_VECTOR,                                                                         \
     OF(body.velocity),                                                                            \
     .unit = "m/s",                                                                                \
     .standard = "{0, 0, 0}",                                                                      \
     .help = "at the start"},                                                                      \
        {.name = "freeze",                                                                         \
         .type = SCENE_FLAGS,                                                                      \
         OF(body.flags),                                                                           \
         .words = scene_freeze_words,                                                              \
         .standard = "{}",                                                                         \
         .help = "components that keep the velocity they have: \"x\", \"y\", \"z\", \"spin_x\", "  \
                 "\"spin_y\", "                                                                    \
                 "\"spin_z\", or \"all\""},                                                        \
        SCENE_GROUP_ROWS(body.groups, body.mask, "it"), SCENE_TEMPERATURE_ROW(body.temperature),   \
        {.name = "heat_source",                                                                    \
         .type = SCENE_NUMBER,                                                                     \
         OF(body.heat_source),                                                                     \
         SCENE_ANY,                                                                                \
         .unit = "W",                                                                              \
         .standard = "0",                                                                          \
         .help = "heat source of each body; negative: a sink"},                                    \
    {                                                                                              \
        .name = "holds_temperature", .type = SCENE_SWITCH, OF(body.holds_temperature),             \
        .standard = "false", .help = "keeps its temperature, whatever flows"                       \
    }

static const scene_field body_fields[] = {
    {.name = "shape",
     .type = SCENE_BALL,
     OF(shape),
     .required = true,
     .help =
         "a sphere, in two dimensions a disc; a clump; or one of triangles: a globe, a mesh with a "
         "contact skin"},
    {.name = "material",
     .type = SCENE_MATERIAL,
     OF(body.material),
     .required = true,
     .help = "its material"},
    {.name = "position",
     .type = SCENE_VECTOR,
     OF(body.position),
     .unit = "m",
     .required = true,
     .help = "of its centre of mass"},
    MOVING_FIELDS,
    {.name = "spin",
     .type = SCENE_VECTOR,
     OF(body.spin),
     .unit = "rad/s",
     .standard = "{0, 0, 0}",
     .help = "angular velocity at the start"},
    {.name = "orientation",
     .type = SCENE_QUATERNION,
     OF(body.orientation),
     .standard = "{1, 0, 0, 0}",
     .help = "a quaternion, w x y z; of a mesh or clump it rotates the mesh's or clump's axes"},
    {.name = "mass",
     .type = SCENE_NUMBER,
     OF(body.mass),
     SCENE_ABOVE(0),
     .unit = "kg",
     .standard = "from shape and density",
     .help = "overrides it"},
};

/* ---- bodies ---------------------------------------------------------------------------------------------- */

typedef struct bodies_record
{
    scree_scene_body body;
    uint32_t materials[64];
    uint32_t material_count;
    double scale;
    double radius;
    scree_scene_sizes shape;
    const char *file;
    lua_Integer listed;
} bodies_record;
#undef OF
#define OF(member) .offset = offsetof(bodies_record, member)

static void begin_bodies(scene_reader *reader, void *record)
{
    bodies_record *r = record;

    r->body = (scree_scene_body){.line = reader->line,
                                 .orientation = {1},
                                 .groups = 1,
                                 .mask = UINT64_MAX,
                                 .temperature = NAN};
    r->scale = 1;
}

/*  One, or a list: the first is that of type 1 in the file. */
static void read_types(scene_reader *reader, void *target)
{
    bodies_record *r = target;
    const scene_value *value = scene_value_at(reader->L, reader->index);

    if (value && value->kind == SCENE_A_MATERIAL) {
        r->materials[0] = value->index;
        r->material_count = 1;
        return;
    }
    lua_Integer count = scene_length(reader, reader->index, 1, 64);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_geti(reader->L, reader->index, i);
        value = scene_value_at(reader->L, -1);
        if (!value || value->kind != SCENE_A_MATERIAL)
            scene_refuse(reader, "item %d is %s, must be a value returned by material { ... }",
                         (int)i, scene_describe(reader->L, -1));
        r->materials[i - 1] = value->index;
        lua_pop(reader->L, 1);
    }
    r->material_count = (uint32_t)count;
}

/*  Only checked here, and read when all else is known. */
static void read_listed(scene_reader *reader, void *target)
{
    bodies_record *r = target;

    r->listed = scene_length(reader, reader->index, 0, SCENE_MAX_BODIES);
}

static scree_scene_body *add_body(scene_reader *reader, const bodies_record *r,
                                  const double position[3], double radius)
{
    scree_scene_body *body = scene_row(reader, SCENE_BODIES);

    *body = r->body;
    body->material = r->materials[0];
    body->radius = r->scale * radius;
    for (int k = 0; k < 3; k++)
        body->position[k] = r->scale * position[k];
    return body;
}

/*  Shapes are assigned in turn, so that each occurs equally often. */
static void add_stone(scene_reader *reader, const bodies_record *r, lua_Integer i,
                      const double position[3])
{
    const scree_scene_stone *stone = &r->shape.stones[(i - 1) % r->shape.table_count];
    scree_scene_body *body = add_body(reader, r, position, 0);

    body->stone = stone;
    body->radius = stone->around;
    body->is_turned = true;
}

static void add_listed(scene_reader *reader, const bodies_record *r)
{
    lua_State *L = reader->L;
    int dimensions = reader->scene->plan.world.dimensions;
    bool are_stones = r->shape.stones != NULL;
    int wanted = are_stones ? dimensions : dimensions + 1;

    lua_getfield(L, 1, "list");
    int list = lua_gettop(L);
    for (lua_Integer i = 1; i <= r->listed; i++) {
        double row[4] = {0};
        lua_geti(L, list, i);
        if (lua_type(L, -1) != LUA_TTABLE || (int)lua_rawlen(L, -1) != wanted)
            scene_refuse(reader, "list: row %d is %s, must be {x, y%s%s}", (int)i,
                         scene_describe(L, -1), dimensions == 3 ? ", z" : "",
                         are_stones ? "" : ", radius");
        for (int k = 0; k < wanted; k++)
            row[k] = scene_item_in_si(reader, -1, k + 1, "m");
        double radius = row[dimensions];
        row[3] = 0;
        if (dimensions == 2)
            row[2] = 0;
        if (!are_stones && !(radius > 0))
            scene_refuse(reader, "list: row %d has the radius %g, must be above 0", (int)i, radius);
        if (are_stones)
            add_stone(reader, r, i, row);
        else
            add_body(reader, r, row, radius);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/*  Adds the bodies of a file to the list; false: out of memory. No Lua error may be raised here, since the list must
    be freed. */
static bool keep_imported(scene_reader *reader, const bodies_record *r,
                          const scree_body_list *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const scree_body_def *def = &found->bodies[i];
        scree_scene_body *body = scene_add_row(reader->scene, SCENE_BODIES);
        if (!body)
            return false;
        *body = r->body;
        body->material = r->materials[found->types ? found->types[i] - 1 : 0];
        body->radius = r->scale * def->shape.radius;
        if (def->mass > 0)
            body->mass = def->mass;
        for (int k = 0; k < 3; k++) {
            body->position[k] = r->scale * def->position[k];
            body->velocity[k] += r->scale * def->velocity[k];
            body->spin[k] = def->spin[k];
        }
        memcpy(body->orientation, def->orientation, sizeof body->orientation);
    }
    return true;
}

static void add_imported(scene_reader *reader, const bodies_record *r)
{
    scree_error error = {SCREE_OK, ""};
    scree_import_def def = scree_default_import_def();
    scree_body_list found = {0};
    const char *path = scene_file_path(reader, r->file);

    def.radius = r->radius;
    def.allocator = reader->scene->memory.allocator;
    scree_status status = scree_import_bodies(path, &def, &found, &error);
    if (status)
        scene_fail_as(reader,
                      status == SCREE_IO_ERROR || status == SCREE_OUT_OF_MEMORY ? status
                                                                                : SCREE_BAD_FILE,
                      error.text);
    uint32_t types = found.type_count;
    bool fits = types <= r->material_count;
    bool kept = fits && keep_imported(reader, r, &found);
    scree_body_list_free(&found);
    if (!fits)
        scene_refuse(
            reader,
            "material: the file has %u types of bodies, and there %s %u; give a list of materials, "
            "one for each type",
            types, r->material_count == 1 ? "is" : "are", r->material_count);
    if (!kept)
        scene_lacks_memory(reader->L);
}

static int end_bodies(scene_reader *reader, void *record)
{
    bodies_record *r = record;
    bool has_file = scene_is_given(reader, "file");

    if (has_file == scene_is_given(reader, "list"))
        scene_refuse(reader, has_file ? "has `list` and `file`; give one of them"
                                      : "`list` or `file` is missing");
    if (has_file && scene_is_given(reader, "shape"))
        scene_refuse(reader,
                     "shape: only with a `list`; bodies of a file have the radii in the file");
    if (scene_is_given(reader, "shape") && !r->shape.stones)
        scene_refuse(
            reader, "shape: is for clumps and bodies of triangles; spheres have radii in the list");
    if (has_file)
        add_imported(reader, r);
    else
        add_listed(reader, r);
    return 0;
}

static const scene_field bodies_fields[] = {
    {.name = "list",
     .type = SCENE_OWN,
     .read = read_listed,
     .unit = "m",
     .standard = "none",
     .accepts = "a list of rows {x, y, z, radius}, in two dimensions {x, y, radius}, with a shape "
                "{x, y, z}",
     .help = "rows {x, y, z, radius}, in two dimensions {x, y, radius}; with a shape {x, y, z}"},
    {.name = "shape",
     .type = SCENE_BALL,
     OF(shape),
     .standard = "spheres",
     .help = "a clump, an ellipsoid, a superquadric, or of triangles: a globe, a block, or a mesh "
             "with a contact skin; its "
             "variants are used in turn, each body with a random orientation"},
    {.name = "file",
     .type = SCENE_TEXT,
     OF(file),
     .standard = "none",
     .help = "or a file: CSV, LAMMPS data or dump, Yade's text, relative to the scene"},
    {.name = "material",
     .type = SCENE_OWN,
     .read = read_types,
     .required = true,
     .accepts = "a material, or a list of up to 64",
     .help = "or a list for types 1, 2, ... in the file"},
    {.name = "scale",
     .type = SCENE_NUMBER,
     OF(scale),
     SCENE_ABOVE(0),
     .standard = "1",
     .help = "factor for lengths and velocities: 0.001 for a file in millimetres"},
    {.name = "radius",
     .type = SCENE_NUMBER,
     OF(radius),
     SCENE_ABOVE(0),
     .standard = "none",
     .help = "if the file has none; in units of the file, before `scale`"},
    MOVING_FIELDS,
};
#undef OF

const scene_function scene_body_functions[] = {
    SCENE_BODIES_FUNCTION(
        "body", "One body. What it returns can be joined by `joint`.",
        "body { shape = sphere { radius = 0.01 }, material = glass, position = {0, 0, 0.1} }\n"
        "\n"
        "heat { temperature = 300 }\n"
        "brick = material { density = 2000, conductivity = 0.7, heat_capacity = 800 }\n"
        "body { shape = sphere { radius = 0.01 }, material = brick, position = {0, 0, 0.1}, "
        "spin = {0, 0, 10}, groups = {2}, meets = {1, 2},\n"
        "       heat_source = 5, holds_temperature = false }",
        body_fields, body_record, begin_body, end_body),
    SCENE_BODIES_FUNCTION(
        "bodies", "Many bodies, from a list or a file.",
        "bodies { list = { {0, 0, 0.01, 0.005}, {0, 0, 0.03, 0.005} }, material = glass }\n"
        "\n"
        "heat { temperature = 300 }\n"
        "brick = material { density = 2000, conductivity = 0.7, heat_capacity = 800 }\n"
        "bodies { file = \"grains.csv\", material = brick, groups = {2}, meets = {1}, "
        "heat_source = 0.1, holds_temperature = true }",
        bodies_fields, bodies_record, begin_bodies, end_bodies),
};
const size_t scene_body_function_count = SCREE_COUNT_OF(scene_body_functions);
