/*  fill, pour, sink: bodies at random positions, and where bodies leave. */
#include "base/error.h"
#include "field_rows.h"
#include "language.h"

#include <stdio.h>

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
            scene_refuse(
                reader,
                "region: is %g m wide along %c, less than the largest body, which is %g m wide",
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
            scene_refuse(reader, "%s: `face` is missing; only a source with a face has this",
                         of_faces[i]);
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
    scene_check_body_count(reader, s->count);
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
     .help = "a sphere, with one radius or a distribution; a clump, a mixture, an ellipsoid, a "   \
             "superquadric; or of triangles: a globe, a block, or a mesh with a contact skin; "    \
             "each body has a random orientation"},                                                \
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
        SCENE_GROUP_ROWS(source.groups, source.mask, "they"),                                      \
        {.name = "name",                                                                           \
         .type = SCENE_TEXT,                                                                       \
         OF(source.name),                                                                          \
         .standard = "\"fill1\", \"pour1\", ...",                                                  \
         .help = "for messages and metrics"},                                                      \
        SCENE_TEMPERATURE_ROW(source.temperature)

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
    SCENE_PERIOD_ROWS(source.start, source.stop),
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
    SCENE_PERIOD_ROWS(start, stop),
    {.name = "name",
     .type = SCENE_TEXT,
     OF(name),
     .standard = "\"sink1\", ...",
     .help = "for messages and metrics"},
};
#undef OF

const scene_function scene_source_functions[] = {
    SCENE_BODIES_FUNCTION(
        "fill",
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
    SCENE_BODIES_FUNCTION(
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
    SCENE_BODIES_FUNCTION("sink", "Removes bodies, and counts them and their mass.",
                          "sink { name = \"outlet\", region = plane { point = {0, 0, -0.1} } }",
                          sink_fields, scree_scene_sink, begin_sink, end_sink),
};
const size_t scene_source_function_count = SCREE_COUNT_OF(scene_source_functions);
