/*  output, picture, metrics, checkpoint: files of a run and their intervals. */
#include "base/error.h"
#include "language.h"

#include <string.h>

/* ---- output ---------------------------------------------------------------------------------------------- */

static const scene_word write_words[] = {
    {"vtk", SCREE_WRITE_VTP_BODIES | SCREE_WRITE_VTP_WALLS | SCREE_WRITE_VTP_SOLIDS |
                SCREE_WRITE_VTP_PEBBLES},
    {"vtp", SCREE_WRITE_VTP_BODIES},
    {"walls", SCREE_WRITE_VTP_WALLS},
    {"solids", SCREE_WRITE_VTP_SOLIDS},
    {"pebbles", SCREE_WRITE_VTP_PEBBLES},
    {"contacts", SCREE_WRITE_VTP_CONTACTS},
    {"lammps", SCREE_WRITE_LAMMPS},
    {"csv", SCREE_WRITE_CSV},
    {"stl", SCREE_WRITE_STL},
    {"solids-stl", SCREE_WRITE_STL_SOLIDS},
    {"vtkhdf", SCREE_WRITE_VTKHDF},
    {"picture", SCENE_WRITES_PICTURE},
    {NULL, 0},
};

/*  The fields of bodies for exports: each format writes those that it supports. NULL past the last. */
static const char *export_field(size_t index)
{
    return scree_export_field_name(SCREE_EXPORT_VTP_BODIES, index);
}

static void refuse_export_field(scene_reader *reader, lua_Integer item, const char *text)
{
    char list[256] = "";

    for (size_t f = 0; export_field(f); f++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", f ? ", " : "",
                 export_field(f));
    scene_refuse(reader, "item %d is \"%.40s\"; there are %s", (int)item, text, list);
}

static void read_export_fields(scene_reader *reader, void *target)
{
    scree_scene_output *output = target;
    lua_Integer count = scene_length(reader, reader->index, 1, 32);
    const char **names = scene_keep(reader, (size_t)count + 1, sizeof *names);

    for (lua_Integer i = 0; i < count; i++) {
        lua_geti(reader->L, reader->index, i + 1);
        const char *text =
            lua_type(reader->L, -1) == LUA_TSTRING ? lua_tostring(reader->L, -1) : "";
        size_t f = 0;
        while (export_field(f) && strcmp(export_field(f), text) != 0)
            f++;
        if (!export_field(f))
            refuse_export_field(reader, i + 1, text);
        names[i] = export_field(f);
        lua_pop(reader->L, 1);
    }
    output->fields = names;
    output->field_count = (size_t)count;
}

void scene_check_every(scene_reader *reader, bool needed)
{
    bool has_time = scene_is_given(reader, "every"),
         has_steps = scene_is_given(reader, "every_steps");

    if (has_time && has_steps)
        scene_refuse(reader, "has `every` and `every_steps`; give one of them");
    if (needed && !has_time && !has_steps)
        scene_refuse(reader, "`every`, in s, or `every_steps` is missing");
}

static void begin_output(scene_reader *reader, void *record)
{
    ((scree_scene_output *)record)->line = reader->line;
}

/*  "picture" in an output: pictures without intervals of their own are taken with it. */
static int end_output(scene_reader *reader, void *record)
{
    scree_scene_output *output = record;

    scene_check_every(reader, true);
    *(scree_scene_output *)scene_row(reader, SCENE_OUTPUTS) = *output;
    return 0;
}

#define OF(member) .offset = offsetof(scree_scene_output, member)
static const scene_field output_fields[] = {
    {.name = "every",
     .type = SCENE_NUMBER,
     OF(every.time),
     SCENE_ABOVE(0),
     .unit = "s",
     .standard = "none",
     .help = "interval in simulated time"},
    {.name = "every_steps",
     .type = SCENE_WHOLE,
     OF(every.steps),
     SCENE_WITHIN(1, 1e15),
     .standard = "none",
     .help = "or interval in steps"},
    {.name = "write",
     .type = SCENE_FLAGS,
     OF(write),
     .words = write_words,
     .required = true,
     .help = "\"vtk\" (\"vtp\": bodies, \"walls\", \"solids\": bodies of triangles, and "
             "\"pebbles\": of clumps, and spheres beside them), "
             "\"contacts\", \"vtkhdf\" for ParaView; \"lammps\" for OVITO; "
             "\"csv\"; \"stl\": walls; \"solids-stl\"; \"picture\""},
    {.name = "fields",
     .type = SCENE_OWN,
     .read = read_export_fields,
     .standard = "all",
     .accepts = "a list of fields, as {\"radius\", \"velocity\"}",
     .help = "of bodies: serial, id, material, user, chain, mass, radius, velocity, spin, "
             "orientation, force, torque, temperature; chain only where it is named"},
};
#undef OF

/* ---- picture --------------------------------------------------------------------------------------------- */

static const scene_word wall_words[] = {
    {"glass", SCREE_PICTURE_WALLS_GLASS}, {"cut", SCREE_PICTURE_WALLS_CUT},
    {"solid", SCREE_PICTURE_WALLS_SOLID}, {"lines", SCREE_PICTURE_WALLS_LINES},
    {"none", SCREE_PICTURE_WALLS_NONE},   {NULL, 0}};
static const scene_word shadow_words[] = {{"soft", SCREE_PICTURE_SHADOWS_SOFT},
                                          {"hard", SCREE_PICTURE_SHADOWS_HARD},
                                          {"none", SCREE_PICTURE_SHADOWS_NONE},
                                          {NULL, 0}};
static const scene_word background_words[] = {
    {"dark", SCREE_PICTURE_DARK}, {"light", SCREE_PICTURE_LIGHT}, {NULL, 0}};
static const scene_word projection_words[] = {{"perspective", SCREE_PICTURE_PERSPECTIVE},
                                              {"orthographic", SCREE_PICTURE_ORTHOGRAPHIC},
                                              {NULL, 0}};

static void read_range(scene_reader *reader, void *target)
{
    double *range = target;

    if (scene_length(reader, reader->index, 2, 2))
        for (int k = 0; k < 2; k++)
            range[k] = scene_item_number(reader, reader->index, k + 1);
    if (!(range[0] < range[1]))
        scene_refuse(reader, "is from %g to %g; the first must be below the second", range[0],
                     range[1]);
}

static void read_clips(scene_reader *reader, void *target)
{
    scree_picture_def *def = target;
    lua_State *L = reader->L;
    lua_Integer count = scene_length(reader, reader->index, 1, SCREE_PICTURE_MAX_CLIPS);

    for (lua_Integer i = 0; i < count; i++) {
        lua_geti(L, reader->index, i + 1);
        if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) != 4)
            scene_refuse(reader, "item %d is %s, must be {a, b, c, d}", (int)i + 1,
                         scene_describe(L, -1));
        for (int k = 0; k < 4; k++)
            def->clips[i][k] = scene_item_in_si(reader, -1, k + 1, k == 3 ? "m" : "");
        lua_pop(L, 1);
    }
    def->clip_count = (uint32_t)count;
}

/*  The colour scale has the unit of its quantity. */
static const char *unit_of_colour(const char *name)
{
    const scree_picture_field *field;

    for (size_t i = 0; (field = scree_picture_field_at(i)) != NULL; i++)
        if (strcmp(field->name, name) == 0)
            return field->unit;
    return "";
}

static void begin_picture(scene_reader *reader, void *record)
{
    scree_scene_picture *picture = record;

    picture->line = reader->line;
    picture->def = scree_default_picture_def();
}

static int end_picture(scene_reader *reader, void *record)
{
    static const scene_old_word old_field = {"resting", "sleeping"};
    scree_scene_picture *picture = record;
    scree_picture_def *def = &picture->def;
    scree_error error = {SCREE_OK, ""};

    scene_check_every(reader, false);
    if (strcmp(def->field, old_field.old_name) == 0) {
        scene_warn_of_old_name(reader, &old_field, old_field.old_name, old_field.name);
        def->field = old_field.name;
    }
    def->ranged = scene_is_given(reader, "range");
    for (int k = 0; def->ranged && k < 2; k++)
        def->range[k] = scene_to_si(reader, def->range[k], unit_of_colour(def->field));
    if (scene_is_given(reader, "wall_range") && !def->wall_field)
        scene_refuse(reader, "wall_range: needs a `wall_field`");
    for (int k = 0; k < 2; k++)
        def->wall_range[k] =
            scene_to_si(reader, def->wall_range[k],
                        def->wall_field && strcmp(def->wall_field, "wear") == 0 ? "m" : "Pa");
    def->camera.placed = scene_is_given(reader, "eye");
    if (def->camera.placed != scene_is_given(reader, "target"))
        scene_refuse(reader, def->camera.placed
                                 ? "`target` is missing: the point that the camera looks at"
                                 : "`eye` is missing: the position of the camera");
    def->camera.boxed = scene_is_given(reader, "lower");
    if (def->camera.boxed != scene_is_given(reader, "upper"))
        scene_refuse(reader, "`%s` is missing: the other corner of the view",
                     def->camera.boxed ? "upper" : "lower");
    if (scree_picture_check(def, &error))
        scene_refuse(reader, "%s", error.text);
    *(scree_scene_picture *)scene_row(reader, SCENE_PICTURES) = *picture;
    return 0;
}

#define OF(member) .offset = offsetof(scree_scene_picture, member)
static const scene_field picture_fields[] = {
    {.name = "every",
     .type = SCENE_NUMBER,
     OF(every.time),
     SCENE_ABOVE(0),
     .unit = "s",
     .standard = "with output, or once at the end",
     .help = "interval in simulated time"},
    {.name = "every_steps",
     .type = SCENE_WHOLE,
     OF(every.steps),
     SCENE_WITHIN(1, 1e15),
     .standard = "none",
     .help = "or interval in steps"},
    {.name = "width",
     .type = SCENE_WHOLE32,
     OF(def.width),
     SCENE_WITHIN(1, 16384),
     .standard = "1920",
     .help = "pixels"},
    {.name = "height",
     .type = SCENE_WHOLE32,
     OF(def.height),
     SCENE_WITHIN(1, 16384),
     .standard = "1080",
     .help = "pixels"},
    {.name = "field",
     .type = SCENE_TEXT,
     OF(def.field),
     .standard = "\"speed\"",
     .help = "value that colours bodies: `scree help render` lists fields; \"none\": one colour"},
    {.name = "range",
     .type = SCENE_OWN,
     OF(def.range),
     .read = read_range,
     .accepts = "two numbers, as {0, 1}",
     .standard = "from the bodies",
     .help = "of the colours, as {0, 1}, in the unit of the field"},
    {.name = "wall_field",
     .type = SCENE_TEXT,
     OF(def.wall_field),
     .standard = "\"none\"",
     .help = "what bodies do to each facet colours meshes of walls: \"pressure\", \"shear\", "
             "\"wear\"; glass stays glass, so use it with walls = \"cut\" or \"solid\""},
    {.name = "wall_range",
     .type = SCENE_OWN,
     OF(def.wall_range),
     .read = read_range,
     .accepts = "two numbers, as {0, 1000}",
     .standard = "from 0 to the largest",
     .help = "of its colours, in the unit of the field"},
    {.name = "logarithmic",
     .type = SCENE_SWITCH,
     OF(def.logarithmic),
     .standard = "false",
     .help = "logarithmic colour scale"},
    {.name = "map",
     .type = SCENE_TEXT,
     OF(def.map),
     .standard = "what suits the field",
     .help = "colour map"},
    {.name = "colour_bar",
     .type = SCENE_SWITCH,
     OF(def.colour_bar),
     .standard = "true",
     .help = "shows which colour is which number"},
    {.name = "time_label",
     .type = SCENE_SWITCH,
     OF(def.time_label),
     .standard = "true",
     .help = "shows the time"},
    {.name = "title",
     .type = SCENE_TEXT,
     OF(def.title),
     .standard = "\"\"",
     .help = "on the upper left"},
    {.name = "background",
     .type = SCENE_WORD,
     OF(def.background),
     .words = background_words,
     .standard = "\"dark\"",
     .help = "\"dark\" or \"light\""},
    {.name = "walls",
     .type = SCENE_WORD,
     OF(def.walls),
     .words = wall_words,
     .standard = "\"glass\"",
     .help = "\"glass\": transparent where they hide bodies, \"cut\": left out there, \"solid\", "
             "\"lines\", \"none\""},
    {.name = "shadows",
     .type = SCENE_WORD,
     OF(def.shadows),
     .words = shadow_words,
     .standard = "\"soft\"",
     .help = "\"soft\", \"hard\", \"none\""},
    {.name = "occlusion",
     .type = SCENE_SWITCH,
     OF(def.occlusion),
     .standard = "true",
     .help = "ambient occlusion"},
    {.name = "light",
     .type = SCENE_VECTOR,
     OF(def.light),
     .standard = "over the eye's left shoulder",
     .help = "direction towards it"},
    {.name = "samples",
     .type = SCENE_WHOLE32,
     OF(def.samples),
     SCENE_WITHIN(1, 4),
     .standard = "2",
     .help = "along each side of a pixel"},
    {.name = "clips",
     .type = SCENE_OWN,
     OF(def),
     .read = read_clips,
     .accepts = "one to eight rows, as {{0, 1, 0, 0}}",
     .standard = "none",
     .help = "rows {a, b, c, d}: bodies with a x + b y + c z > d are left out"},
    {.name = "projection",
     .type = SCENE_WORD,
     OF(def.camera.projection),
     .words = projection_words,
     .standard = "\"perspective\"",
     .help = "or \"orthographic\""},
    {.name = "eye",
     .type = SCENE_VECTOR,
     OF(def.camera.eye),
     .unit = "m",
     .standard = "fitted",
     .help = "position of the camera"},
    {.name = "target",
     .type = SCENE_VECTOR,
     OF(def.camera.target),
     .unit = "m",
     .standard = "fitted",
     .help = "point that the camera looks at"},
    {.name = "up",
     .type = SCENE_VECTOR,
     OF(def.camera.up),
     .standard = "{0, 0, 1}",
     .help = "direction that is up in the picture"},
    {.name = "angle",
     .type = SCENE_NUMBER,
     OF(def.camera.angle),
     .lower = 0,
     .upper = 3,
     .above = true,
     .unit = "rad",
     .standard = "0.5",
     .help = "perspective: vertical field of view"},
    {.name = "tall",
     .type = SCENE_NUMBER,
     OF(def.camera.height),
     SCENE_ABOVE(0),
     .unit = "m",
     .standard = "fitted",
     .help = "orthographic with an eye: visible height"},
    {.name = "turn",
     .type = SCENE_NUMBER,
     OF(def.camera.turn),
     SCENE_ANY,
     .unit = "rad",
     .standard = "0.6",
     .help = "fitted: at 0 the eye looks along +y"},
    {.name = "rise",
     .type = SCENE_NUMBER,
     OF(def.camera.rise),
     SCENE_ANY,
     .unit = "rad",
     .standard = "0.45",
     .help = "fitted: of the eye"},
    {.name = "zoom",
     .type = SCENE_NUMBER,
     OF(def.camera.zoom),
     SCENE_ABOVE(0),
     .standard = "1",
     .help = "fitted: how near"},
    {.name = "lower",
     .type = SCENE_VECTOR,
     OF(def.camera.lower),
     .unit = "m",
     .standard = "the bodies'",
     .help = "fitted: a corner of what is seen, the same in each picture of a series"},
    {.name = "upper",
     .type = SCENE_VECTOR,
     OF(def.camera.upper),
     .unit = "m",
     .standard = "the bodies'",
     .help = "the opposite corner"},
};
#undef OF

/* ---- metrics, checkpoint ---------------------------------------------------------------------------------- */

typedef struct every_record
{
    scree_scene_every every, sample;
    uint32_t keep;
} every_record;

static int end_metrics(scene_reader *reader, void *record)
{
    every_record *r = record;

    scene_check_every(reader, true);
    if (scene_is_given(reader, "sample_every") && scene_is_given(reader, "sample_every_steps"))
        scene_refuse(reader, "has `sample_every` and `sample_every_steps`; give one of them");
    reader->scene->plan.metrics = r->every;
    reader->scene->plan.sample = r->sample;
    if (scene_is_given(reader, "sample_every") || scene_is_given(reader, "sample_every_steps"))
        reader->scene->plan.sample_line = reader->line;
    return 0;
}

static void begin_checkpoint(scene_reader *reader, void *record)
{
    ((every_record *)record)->keep = reader->scene->plan.checkpoints_kept;
}

static int end_checkpoint(scene_reader *reader, void *record)
{
    every_record *r = record;

    scene_check_every(reader, true);
    reader->scene->plan.checkpoint = r->every;
    reader->scene->plan.checkpoints_kept = r->keep;
    return 0;
}

#define EVERY_FIELDS                                                                               \
    {.name = "every",                                                                              \
     .type = SCENE_NUMBER,                                                                         \
     .offset = offsetof(every_record, every.time),                                                 \
     SCENE_ABOVE(0),                                                                               \
     .unit = "s",                                                                                  \
     .standard = "none",                                                                           \
     .help = "interval in simulated time"},                                                        \
    {                                                                                              \
        .name = "every_steps", .type = SCENE_WHOLE, .offset = offsetof(every_record, every.steps), \
        SCENE_WITHIN(1, 1e15), .standard = "none", .help = "or in steps"                           \
    }

static const scene_field metrics_fields[] = {
    EVERY_FIELDS,
    {.name = "sample_every",
     .type = SCENE_NUMBER,
     .offset = offsetof(every_record, sample.time),
     SCENE_ABOVE(0),
     .unit = "s",
     .standard = "none",
     .help = "sampling interval of measures with `mean`; there must be one"},
    {.name = "sample_every_steps",
     .type = SCENE_WHOLE,
     .offset = offsetof(every_record, sample.steps),
     SCENE_WITHIN(1, 1e15),
     .standard = "none",
     .help = "or interval in steps"},
};
static const scene_field checkpoint_fields[] = {
    EVERY_FIELDS,
    {.name = "keep",
     .type = SCENE_WHOLE32,
     .offset = offsetof(every_record, keep),
     SCENE_WITHIN(1, 1000000),
     .standard = "3",
     .help = "number of checkpoints that are kept, the latest ones"},
};

#define RUN(word, what, how, list, record, start, finish, single)                                  \
    {                                                                                              \
        .name = word, .chapter = "The run", .summary = what, .example = how, .fields = list,       \
        .field_count = SCREE_COUNT_OF(list), .record_bytes = sizeof(record), .begin = start,       \
        .end = finish, .once = single                                                              \
    }

const scene_function scene_output_functions[] = {
    RUN("output", "Files that are written during the run.",
        "output { every = 0.01, write = {\"vtk\", \"picture\"} }\n"
        "output { every_steps = 1000, write = \"csv\", fields = {\"radius\", \"velocity\"} }",
        output_fields, scree_scene_output, begin_output, end_output, false),
    RUN("picture", "Pictures: their look, and when they are drawn.",
        "picture { every = 0.1, field = \"speed\" }\n"
        "picture { every = 1, field = \"force\", logarithmic = true, map = \"ember\", background = "
        "\"light\", shadows = \"hard\", occlusion = false, light = {1, -1, 2}, samples = 3,\n"
        "          projection = \"orthographic\", eye = {1, -1, 1}, tall = 0.3, target = {0, 0, "
        "0.1}, up = {0, 0, 1}, clips = {{0, 1, 0, 0.05}} }\n"
        "picture { every = 1, walls = \"cut\", wall_field = \"pressure\", wall_range = {0, 1e4} }",
        picture_fields, scree_scene_picture, begin_picture, end_picture, false),
    RUN("metrics",
        "How often a row of metrics.csv is written; by default a hundred times in a run.",
        "metrics { every = 0.01 }\n"
        "\n"
        "measure { what = \"speed\", mean = true }\n"
        "metrics { every_steps = 1000, sample_every_steps = 10 }",
        metrics_fields, every_record, NULL, end_metrics, true),
    RUN("checkpoint",
        "How often a checkpoint is written, from which the run can continue; by default at the "
        "end.",
        "checkpoint { every = 0.5, keep = 3 }", checkpoint_fields, every_record, begin_checkpoint,
        end_checkpoint, true),
};
const size_t scene_output_function_count = SCREE_COUNT_OF(scene_output_functions);
