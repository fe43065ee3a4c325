/*  body, bodies, fill, pour, sink: initial bodies, sources and sinks. */
#include "base/error.h"
#include "language.h"
#include "scree/io.h"

#include <stdio.h>
#include <string.h>

/*  Refuses a count that is too large before memory is allocated. */
static void check_count(scene_reader *reader, uint64_t count)
{
    if (count > SCENE_MOST_BODIES)
        scene_refuse(reader,
                     "count: is %.0f, must be at most %u: each body takes about 700 bytes, these "
                     "would need %.0f GB",
                     (double)count, SCENE_MOST_BODIES, (double)count * 700e-9);
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

    if (reader->scene->list[SCENE_BODIES].count >= SCENE_MOST_BODIES)
        check_count(reader, (uint64_t)SCENE_MOST_BODIES + 1);
    take_shape(reader, &r->shape, &r->body);
    *(scree_scene_body *)scene_row(reader, SCENE_BODIES) = r->body;
    return 0;
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
        {.name = "groups",                                                                         \
         .type = SCENE_GROUPS,                                                                     \
         OF(body.groups),                                                                          \
         .standard = "{1}",                                                                        \
         .help = "groups, numbers from 1 to 64"},                                                  \
        {.name = "meets",                                                                          \
         .type = SCENE_GROUPS,                                                                     \
         OF(body.mask),                                                                            \
         .standard = "all",                                                                        \
         .help = "groups with which it can touch"},                                                \
        {.name = "temperature",                                                                    \
         .type = SCENE_NUMBER,                                                                     \
         OF(body.temperature),                                                                     \
         SCENE_WITHIN(0, 1e9),                                                                     \
         .unit = "K",                                                                              \
         .standard = "that of heat",                                                               \
         .help = "at the start; requires heat { }"},                                               \
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
         "halo"},
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

    r->listed = scene_length(reader, reader->index, 0, SCENE_MOST_BODIES);
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
     .help = "a clump, or a shape of triangles: a globe, a block, or a mesh with a halo; its "
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

/* ---- fill and pour --------------------------------------------------------------------------------------- */

static const scene_word share_words[] = {{"number", 0}, {"mass", 1}, {NULL, 0}};

static const scene_word side_words[] = {{"on", 0}, {"front", 1}, {"back", 2}, {NULL, 0}};

typedef struct source_record
{
    scree_scene_source source;
    int by, side;
} source_record;

static void begin_source(scene_reader *reader, void *record)
{
    source_record *r = record;

    r->source = (scree_scene_source){.line = reader->line,
                                     .name = "",
                                     .is_pour = reader->function->name[0] == 'p',
                                     .stop = INFINITY,
                                     .gap = 0.001,
                                     .groups = 1,
                                     .mask = UINT64_MAX,
                                     .temperature = NAN};
}

/*  For a composed region all its parts are tested. */
static bool may_be_flat(const scree_scene_geometry *g)
{
    if (scene_is_composed(g))
        return may_be_flat(g->first) && may_be_flat(g->second);
    return g->form == SCREE_FORM_BOX || g->form == SCREE_FORM_SPHERE ||
           g->form == SCREE_FORM_FACETS || g->form == SCREE_FORM_PLANE;
}

static void check_region(scene_reader *reader, const scree_scene_source *s)
{
    int dimensions = reader->scene->plan.world.dimensions;

    if (s->region.form == SCREE_FORM_PLANE)
        scene_refuse(reader, "region: is a plane; bodies need a box, cylinder, cone or sphere");
    if (dimensions == 2 && !may_be_flat(&s->region))
        scene_refuse(reader, "region: must be a box, a sphere or facets in two dimensions");
    for (int k = 0; k < dimensions; k++)
        if (s->region.upper[k] - s->region.lower[k] < 2 * s->radius.upper)
            scene_refuse(reader,
                         "region: is %g m wide along %c, less than the largest body, which is %g m",
                         s->region.upper[k] - s->region.lower[k], "xyz"[k], 2 * s -> radius.upper);
}

/*  Bodies extend on both sides of a face, or are on one side of it. */
static void widen_face(scene_reader *reader, scree_scene_source *s)
{
    double reach = s->radius.upper * (s->region.side ? 2 + 2 * s->gap : 1);

    for (int k = 0; k < reader->scene->plan.world.dimensions; k++) {
        s->region.lower[k] -= reach;
        s->region.upper[k] += reach;
    }
}

static void check_face(scene_reader *reader, const source_record *r)
{
    static const char *const of_faces[] = {"side", "normal_speed"};

    for (size_t i = 0; i < SCREE_COUNT_OF(of_faces); i++)
        if (scene_is_given(reader, of_faces[i]) && !r->source.region.is_face)
            scene_refuse(reader, "%s: needs a `face`, which is missing", of_faces[i]);
}

static void read_face(scene_reader *reader, void *target)
{
    const scene_value *value = scene_value_at(reader->L, reader->index);
    scree_scene_geometry *g = target;

    if (!value || value->kind != SCENE_A_REGION ||
        (value->geometry.form != SCREE_FORM_FACETS && value->geometry.form != SCREE_FORM_FILE))
        scene_refuse_value(reader, "facets { ... } or a mesh");
    *g = value->geometry;
    g->is_face = true;
    scene_keep_surface(reader, g);
}

/*  `what` is expected; returns its number. */
static uint32_t thing_at(scene_reader *reader, int index, int item, scene_kind kind,
                         const char *what)
{
    const scene_value *value = scene_value_at(reader->L, index);

    if (value && value->kind == kind)
        return value->index;
    if (item)
        scene_refuse(reader, "item %d is %.60s, must be a value returned by %s { ... }", item,
                     scene_describe(reader->L, index), what);
    char wanted[60];
    snprintf(wanted, sizeof wanted, "a %s or a list of %ss", what, what);
    scene_refuse_value(reader, wanted);
}

/*  One, or a list; returns their numbers, *count of them. */
static const uint32_t *read_things(scene_reader *reader, scene_kind kind, const char *what,
                                   uint32_t *count)
{
    bool is_list = lua_type(reader->L, reader->index) == LUA_TTABLE;
    lua_Integer length = is_list ? scene_length(reader, reader->index, 1, 10000) : 1;
    uint32_t *things = scene_keep(reader, (size_t)length, sizeof *things);

    for (lua_Integer i = 0; i < length; i++) {
        if (!is_list) {
            things[i] = thing_at(reader, reader->index, 0, kind, what);
            continue;
        }
        lua_geti(reader->L, reader->index, i + 1);
        things[i] = thing_at(reader, lua_gettop(reader->L), (int)i + 1, kind, what);
        lua_pop(reader->L, 1);
    }
    *count = (uint32_t)length;
    return things;
}

static void read_keep_off(scene_reader *reader, void *target)
{
    scree_scene_source *s = target;

    s->keep_off = read_things(reader, SCENE_A_WALL, "wall", &s->keep_off_count);
}

/*  A body removed by a sink returns at most once. */
static void read_returns(scene_reader *reader, void *target)
{
    scree_scene_source *s = target;
    const scree_scene_source *others = reader->scene->list[SCENE_SOURCES].rows;

    s->returns = read_things(reader, SCENE_A_SINK, "sink", &s->return_count);
    for (uint32_t i = 0; i < s->return_count; i++) {
        for (uint32_t k = 0; k < i; k++)
            if (s->returns[k] == s->returns[i])
                scene_refuse(reader, "item %u is the sink of item %u again", i + 1, k + 1);
        for (size_t o = 0; o < reader->scene->list[SCENE_SOURCES].count; o++)
            for (uint32_t k = 0; k < others[o].return_count; k++)
                if (others[o].returns[k] == s->returns[i])
                    scene_refuse(reader, "the pour of line %d returns what that sink takes",
                                 others[o].line);
    }
}

static int end_source(scene_reader *reader, void *record)
{
    source_record *r = record;
    scree_scene_source *s = &r->source;

    s->radius.by_mass = r->by == 1;
    check_count(reader, s->count);
    if (scene_is_given(reader, "region") == s->region.is_face)
        scene_refuse(reader, s->region.is_face ? "has `region` and `face`; give one of them"
                                               : "`region` or `face` is missing");
    check_face(reader, r);
    s->region.side = r->side == 2 ? -1 : r->side;
    if (s->region.is_face)
        widen_face(reader, s);
    else
        check_region(reader, s);
    if (s->is_pour) {
        int ways = scene_is_given(reader, "rate") + scene_is_given(reader, "mass_rate") +
                   (s->return_count > 0);
        if (ways != 1)
            scene_refuse(reader, ways ? s->return_count > 0
                                            ? "has `returns` and a rate; give one of them"
                                            : "has `rate` and `mass_rate`; give one of them"
                                      : "`rate`, in bodies per second, or `mass_rate`, in kg/s, is "
                                        "missing; or `returns`, sinks");
        if (!(s->start < s->stop))
            scene_refuse(reader, "stop: is %g, must be after the start at %g",
                         scene_from_si(reader, s->stop, "s"), scene_from_si(reader, s->start, "s"));
    } else {
        int ways = scene_is_given(reader, "count") + scene_is_given(reader, "mass") +
                   scene_is_given(reader, "solid_fraction");
        if (ways != 1)
            scene_refuse(reader, ways ? "has more than one of `count`, `mass` and `solid_fraction`"
                                      : "`count`, `mass` or `solid_fraction` is missing");
    }
    *(scree_scene_source *)scene_row(reader, SCENE_SOURCES) = *s;
    scene_push(reader, &(scene_value){.kind = SCENE_A_SOURCE,
                                      .index = (uint32_t)reader->scene->list[SCENE_SOURCES].count});
    return 1;
}

#define OF(member) .offset = offsetof(source_record, member)
#define REGION_HELP                                                                                \
    "a box, cylinder, cone or sphere, the inside of a mesh or facets, or composed of such: a * "   \
    "b, "                                                                                          \
    "a + b, a - b; bodies lie wholly inside"
#define SOURCE_FIELDS                                                                              \
    {.name = "shape",                                                                              \
     .type = SCENE_BALL,                                                                           \
     OF(source.radius),                                                                            \
     .required = true,                                                                             \
     .help =                                                                                       \
         "a sphere, with one radius or a distribution; a clump, a mixture; or of triangles: a "    \
         "globe, a block, or a mesh with a halo; each body has a random orientation"},             \
        {.name = "material",                                                                       \
         .type = SCENE_MATERIAL,                                                                   \
         OF(source.material),                                                                      \
         .required = true,                                                                         \
         .help = "their material"},                                                                \
        {.name = "by",                                                                             \
         .type = SCENE_WORD,                                                                       \
         OF(by),                                                                                   \
         .words = share_words,                                                                     \
         .standard = "\"number\"",                                                                 \
         .help = "shares of the distribution are by \"number\", or by \"mass\" as with sieves"},   \
        {.name = "velocity",                                                                       \
         .type = SCENE_VECTOR,                                                                     \
         OF(source.velocity),                                                                      \
         .unit = "m/s",                                                                            \
         .standard = "{0, 0, 0}",                                                                  \
         .help = "initial"},                                                                       \
        {.name = "spread",                                                                         \
         .type = SCENE_NUMBER,                                                                     \
         OF(source.spread),                                                                        \
         SCENE_FROM(0),                                                                            \
         .unit = "m/s",                                                                            \
         .standard = "0",                                                                          \
         .help =                                                                                   \
             "each component of the velocity varies at random by up to this in both directions"},  \
        {.name = "gap",                                                                            \
         .type = SCENE_NUMBER,                                                                     \
         OF(source.gap),                                                                           \
         SCENE_FROM(0),                                                                            \
         .standard = "0.001",                                                                      \
         .help = "least free distance around each body, over its radius"},                         \
        {.name = "clear_of",                                                                       \
         .type = SCENE_OWN,                                                                        \
         OF(source),                                                                               \
         .read = read_keep_off,                                                                    \
         .standard = "none",                                                                       \
         .accepts = "a wall or a list of walls",                                                   \
         .help = "walls in which no body may lie: in front of planes and sides of boxes, outside " \
                 "of closed meshes, cylinders and cones; also of walls that a stage adds later. "  \
                 "No body ever touches a wall that is there when it is placed"},                   \
        {.name = "groups",                                                                         \
         .type = SCENE_GROUPS,                                                                     \
         OF(source.groups),                                                                        \
         .standard = "{1}",                                                                        \
         .help = "groups, numbers from 1 to 64"},                                                  \
        {.name = "meets",                                                                          \
         .type = SCENE_GROUPS,                                                                     \
         OF(source.mask),                                                                          \
         .standard = "all",                                                                        \
         .help = "groups with which they can touch"},                                              \
        {.name = "name",                                                                           \
         .type = SCENE_TEXT,                                                                       \
         OF(source.name),                                                                          \
         .standard = "\"fill1\", \"pour1\", ...",                                                  \
         .help = "for messages and metrics"},                                                      \
    {                                                                                              \
        .name = "temperature", .type = SCENE_NUMBER, OF(source.temperature), SCENE_WITHIN(0, 1e9), \
        .unit = "K", .standard = "that of heat", .help = "initial; requires heat { }"              \
    }

static const scene_field fill_fields[] = {
    {.name = "count",
     .type = SCENE_WHOLE,
     OF(source.count),
     SCENE_FROM(1),
     .standard = "none",
     .help = "number of bodies"},
    {.name = "mass",
     .type = SCENE_NUMBER,
     OF(source.mass),
     SCENE_ABOVE(0),
     .unit = "kg",
     .standard = "none",
     .help = "or total mass"},
    {.name = "solid_fraction",
     .type = SCENE_NUMBER,
     OF(source.solid_fraction),
     .lower = 0,
     .upper = 1,
     .above = true,
     .standard = "none",
     .help = "or share of the region's volume; bodies of one size can fill about 0.58, of many "
             "sizes more"},
    {.name = "region",
     .type = SCENE_REGION,
     OF(source.region),
     .required = true,
     .help = REGION_HELP},
    SOURCE_FIELDS,
};

static const scene_field pour_fields[] = {
    {.name = "rate",
     .type = SCENE_NUMBER,
     OF(source.rate),
     SCENE_ABOVE(0),
     .unit = "1/s",
     .standard = "none",
     .help = "bodies per second"},
    {.name = "mass_rate",
     .type = SCENE_NUMBER,
     OF(source.mass_rate),
     SCENE_ABOVE(0),
     .unit = "kg/s",
     .standard = "none",
     .help = "or kilograms per second"},
    {.name = "returns",
     .type = SCENE_OWN,
     OF(source),
     .read = read_returns,
     .standard = "none",
     .accepts = "a sink or a list of sinks",
     .help = "or as many bodies as these sinks have taken since the start: the number of bodies "
             "stays the same, as far as there is room"},
    {.name = "count",
     .type = SCENE_WHOLE,
     OF(source.count),
     SCENE_FROM(1),
     .standard = "no end",
     .help = "ends after this number of bodies"},
    {.name = "mass",
     .type = SCENE_NUMBER,
     OF(source.mass),
     SCENE_ABOVE(0),
     .unit = "kg",
     .standard = "no end",
     .help = "ends after this mass"},
    {.name = "start",
     .type = SCENE_NUMBER,
     OF(source.start),
     SCENE_FROM(0),
     .unit = "s",
     .standard = "0",
     .help = "when it starts"},
    {.name = "stop",
     .type = SCENE_NUMBER,
     OF(source.stop),
     SCENE_ABOVE(0),
     .endless = true,
     .unit = "s",
     .standard = "never",
     .help = "when it ends"},
    {.name = "region",
     .type = SCENE_REGION,
     OF(source.region),
     .standard = "none",
     .help = REGION_HELP},
    {.name = "face",
     .type = SCENE_OWN,
     OF(source.region),
     .read = read_face,
     .standard = "none",
     .accepts = "facets or a mesh",
     .help = "or a surface, which need not be closed: bodies appear anywhere on it, by area"},
    {.name = "side",
     .type = SCENE_WORD,
     OF(side),
     .words = side_words,
     .standard = "\"on\"",
     .help = "of a face: centres are \"on\" it; or bodies lie at a distance of their radius and "
             "gap, at the \"front\", to which normals point (right-hand rule; for segments to the "
             "left of their direction), or at the \"back\""},
    {.name = "normal_speed",
     .type = SCENE_NUMBER,
     OF(source.normal_speed),
     SCENE_ANY,
     .unit = "m/s",
     .standard = "0",
     .help = "of a face: velocity along its normal where a body appears, added to `velocity`"},
    SOURCE_FIELDS,
};
#undef OF

/* ---- sink ------------------------------------------------------------------------------------------------ */

static void begin_sink(scene_reader *reader, void *record)
{
    *(scree_scene_sink *)record =
        (scree_scene_sink){.line = reader->line, .name = "", .stop = INFINITY};
}

static int end_sink(scene_reader *reader, void *record)
{
    scree_scene_sink *sink = record;

    if (!(sink->start < sink->stop))
        scene_refuse(reader, "stop: is %g, must be after the start at %g", sink->stop, sink->start);
    *(scree_scene_sink *)scene_row(reader, SCENE_SINKS) = *sink;
    scene_push(reader, &(scene_value){.kind = SCENE_A_SINK,
                                      .index = (uint32_t)reader->scene->list[SCENE_SINKS].count});
    return 1;
}

#define OF(member) .offset = offsetof(scree_scene_sink, member)
static const scene_field sink_fields[] = {
    {.name = "region",
     .type = SCENE_REGION,
     OF(region),
     .required = true,
     .help = "removes bodies whose centre is in it; of a plane, behind it"},
    {.name = "material",
     .type = SCENE_MATERIAL,
     OF(material),
     .standard = "all",
     .help = "removes only bodies of this material"},
    {.name = "start",
     .type = SCENE_NUMBER,
     OF(start),
     SCENE_FROM(0),
     .unit = "s",
     .standard = "0",
     .help = "when it starts"},
    {.name = "stop",
     .type = SCENE_NUMBER,
     OF(stop),
     SCENE_ABOVE(0),
     .endless = true,
     .unit = "s",
     .standard = "never",
     .help = "when it ends"},
    {.name = "name",
     .type = SCENE_TEXT,
     OF(name),
     .standard = "\"sink1\", ...",
     .help = "for messages and metrics"},
};
#undef OF

#define BODIES(word, what, how, list, record, start, finish)                                       \
    {                                                                                              \
        .name = word, .chapter = "Bodies", .summary = what, .example = how, .fields = list,        \
        .field_count = SCREE_COUNT_OF(list), .record_bytes = sizeof(record), .begin = start,       \
        .end = finish                                                                              \
    }

const scene_function scene_body_functions[] = {
    BODIES("body", "One body.",
           "body { shape = sphere { radius = 0.01 }, material = glass, position = {0, 0, 0.1} }\n"
           "\n"
           "heat { temperature = 300 }\n"
           "brick = material { density = 2000, conductivity = 0.7, heat_capacity = 800 }\n"
           "body { shape = sphere { radius = 0.01 }, material = brick, position = {0, 0, 0.1}, "
           "spin = {0, 0, 10}, groups = {2}, meets = {1, 2},\n"
           "       heat_source = 5, holds_temperature = false }",
           body_fields, body_record, begin_body, end_body),
    BODIES("bodies", "Many bodies, from a list or a file.",
           "bodies { list = { {0, 0, 0.01, 0.005}, {0, 0, 0.03, 0.005} }, material = glass }\n"
           "\n"
           "heat { temperature = 300 }\n"
           "brick = material { density = 2000, conductivity = 0.7, heat_capacity = 800 }\n"
           "bodies { file = \"grains.csv\", material = brick, groups = {2}, meets = {1}, "
           "heat_source = 0.1, holds_temperature = true }",
           bodies_fields, bodies_record, begin_bodies, end_bodies),
    BODIES("fill",
           "Bodies at random positions at the start, without overlap with each other or walls.",
           "fill { count = 1000, shape = sphere { radius = 0.001 }, material = glass, region = box "
           "{ lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} } }\n"
           "fill { mass = 0.1, shape = sphere { radius = 0.002 }, material = glass, region = box { "
           "lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} } - sphere { centre = {0.05, 0.05, 0.05}, "
           "radius = 0.02 }, groups = {2}, meets = {1, 2} }\n"
           "\n"
           "rod = wall { shape = cylinder { from = {0, 0, -1}, to = {0, 0, 1}, radius = 0.01 }, "
           "material = steel }\n"
           "fill { solid_fraction = 0.3, clear_of = rod, shape = sphere { radius = 0.002 }, "
           "material = glass, region = box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} } }",
           fill_fields, source_record, begin_source, end_source),
    BODIES(
        "pour", "Adds bodies during the run, without overlap. A body that finds no room waits.",
        "pour { rate = 5000, count = 20000, shape = sphere { radius = 0.001 }, material = "
        "glass, region = box { lower = {0, 0, 0.2}, upper = {0.1, 0.1, 0.3} } }\n"
        "pour { mass_rate = 0.1, shape = sphere { radius = 0.001 }, material = glass, region = "
        "box { lower = {0, 0, 0.4}, upper = {0.1, 0.1, 0.5} }, groups = {2}, meets = {1, 2} }\n"
        "\n"
        "out = sink { region = plane { point = {0, 0, -0.1} } }\n"
        "pour { returns = out, shape = sphere { radius = 0.001 }, material = glass, region = box "
        "{ lower = {0, 0, 0.2}, upper = {0.1, 0.1, 0.3} } }",
        pour_fields, source_record, begin_source, end_source),
    BODIES("sink", "Removes bodies, and counts them and their mass.",
           "sink { name = \"outlet\", region = plane { point = {0, 0, -0.1} } }", sink_fields,
           scree_scene_sink, begin_sink, end_sink),
};
const size_t scene_body_function_count = SCREE_COUNT_OF(scene_body_functions);
