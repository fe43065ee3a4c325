/*  solver, run, output, picture, metrics, checkpoint: how it is computed, how long, and what is left behind. */
#include "base/error.h"
#include "base/nearest_name.h"
#include "language.h"

#include <string.h>

/* ---- solver ---------------------------------------------------------------------------------------------- */

enum
{
    TIME_UNSAID = -1
};

typedef struct solver_record
{
    scree_world_def def;
    int time, on_nan;
    uint32_t act_every;
} solver_record;

static const scene_word time_words[] = {{"auto", SCREE_TIME_AUTOMATIC},
                                        {"fixed", SCREE_TIME_FIXED},
                                        {"scaled", SCREE_TIME_SCALED},
                                        {NULL, 0}};
static const scene_word stepper_words[] = {
    {"verlet", SCREE_VELOCITY_VERLET}, {"euler", SCREE_SYMPLECTIC_EULER}, {NULL, 0}};
static const scene_word simd_words[] = {{"auto", SCREE_SIMD_AUTO},
                                        {"scalar", SCREE_SIMD_SCALAR},
                                        {"avx2", SCREE_SIMD_AVX2},
                                        {"avx512", SCREE_SIMD_AVX512},
                                        {NULL, 0}};
static const scene_word nan_words[] = {{"stop", 0}, {"quarantine", 1}, {NULL, 0}};

static const char *next_method(const void *list, size_t index)
{
    const scree_method_info *info = scree_method_at(index);
    (void)list;
    return info ? info->name : NULL;
}

static void read_method(scene_reader *reader, void *target)
{
    if (lua_type(reader->L, reader->index) != LUA_TSTRING)
        scene_refuse_value(reader, "the name of a method, as \"auto\"; `scree methods` lists them");
    const char *text = lua_tostring(reader->L, reader->index);
    const scree_method_info *info = scree_method_by_name(text);
    const char *nearest = info ? NULL : scree_nearest_name(text, next_method, NULL);
    if (nearest)
        scene_refuse(reader, "there is no method \"%.40s\"; did you mean \"%s\"?", text, nearest);
    if (!info)
        scene_refuse(reader, "there is no method \"%.40s\"; `scree methods` lists them", text);
    *(const char **)target = info->name;
}

static void begin_solver(scene_reader *reader, void *record)
{
    solver_record *r = record;

    r->def = reader->scene->plan.world;
    r->time = TIME_UNSAID;
    r->act_every = reader->scene->plan.act_every;
}

static int end_solver(scene_reader *reader, void *record)
{
    solver_record *r = record;
    scree_scene_plan *plan = &reader->scene->plan;
    scree_world_def *def = &r->def;
    bool has_dt = scene_is_given(reader, "dt");

    def->time = r->time != TIME_UNSAID ? (scree_time_mode)r->time
                : has_dt               ? SCREE_TIME_FIXED
                                       : SCREE_TIME_AUTOMATIC;
    if (def->time != SCREE_TIME_AUTOMATIC && !has_dt)
        scene_refuse(reader, "`dt` is missing: a %s step needs its length",
                     def->time == SCREE_TIME_FIXED ? "fixed" : "scaled");
    if (def->time == SCREE_TIME_FIXED && scene_is_given(reader, "safety"))
        scene_refuse(reader,
                     "safety: is for time = \"auto\" and \"scaled\"; a fixed step is `dt` long");
    /* domain may come after it, or before */
    scree_world_def so_far = plan->world;
    plan->world = *def;
    plan->world.dimensions = so_far.dimensions;
    memcpy(plan->world.gravity, so_far.gravity, sizeof so_far.gravity);
    memcpy(plan->world.lower, so_far.lower, sizeof so_far.lower);
    memcpy(plan->world.upper, so_far.upper, sizeof so_far.upper);
    memcpy(plan->world.boundary, so_far.boundary, sizeof so_far.boundary);
    plan->world.margin = so_far.margin;
    plan->chooses_dt = !has_dt;
    plan->act_every = r->act_every;
    plan->quarantines = r->on_nan == 1;
    return 0;
}

#define OF(member) .offset = offsetof(solver_record, member)
static const scene_field solver_fields[] = {
    {.name = "dt",
     .type = SCENE_NUMBER,
     OF(def.dt),
     SCENE_ABOVE(0),
     .unit = "s",
     .standard = "automatic",
     .help = "the time step; with time = \"auto\" the longest"},
    {.name = "time",
     .type = SCENE_WORD,
     OF(time),
     .words = time_words,
     .standard = "\"auto\", with dt \"fixed\"",
     .help = "\"auto\": as long as stiffness and speed allow; \"fixed\"; \"scaled\": masses are "
             "raised until dt "
             "is stable, for states at rest"},
    {.name = "safety",
     .type = SCENE_NUMBER,
     OF(def.safety),
     .lower = 0,
     .upper = 1,
     .above = true,
     .standard = "0.2",
     .help = "share of the stable step that is taken"},
    {.name = "stepper",
     .type = SCENE_WORD,
     OF(def.stepper),
     .words = stepper_words,
     .standard = "\"verlet\"",
     .help = "\"verlet\" (velocity Verlet) or \"euler\" (symplectic)"},
    {.name = "method",
     .type = SCENE_OWN,
     OF(def.method),
     .read = read_method,
     .standard = "\"auto\"",
     .accepts = "the name of a method",
     .help = "of contact detection; results do not depend on it"},
    {.name = "threads",
     .type = SCENE_WHOLE32,
     OF(def.thread_count),
     SCENE_WITHIN(1, 1024),
     .standard = "1",
     .help = "results do not depend on it; --threads overrides it"},
    {.name = "simd",
     .type = SCENE_WORD,
     OF(def.simd),
     .words = simd_words,
     .standard = "\"auto\"",
     .help = "vector instructions; results do not depend on them"},
    {.name = "sort_every",
     .type = SCENE_WHOLE32,
     OF(def.sort_every),
     SCENE_WITHIN(0, 4294967295.0),
     .standard = "1000",
     .help = "bodies are laid in memory by place every so many steps; 0: never"},
    {.name = "damping",
     .type = SCENE_NUMBER,
     OF(def.global_damping),
     SCENE_FROM(0),
     .unit = "1/s",
     .standard = "0",
     .help = "rate at which velocities and spins decay"},
    {.name = "local_damping",
     .type = SCENE_NUMBER,
     OF(def.local_damping),
     .lower = 0,
     .upper = 1,
     .below = true,
     .standard = "0",
     .help = "share of the resultant force that opposes motion"},
    {.name = "overlap_limit",
     .type = SCENE_NUMBER,
     OF(def.overlap_limit),
     SCENE_ABOVE(0),
     .endless = true,
     .standard = "0.5",
     .help =
         "of the smaller radius; a contact deeper than that ends the run; math.huge: none does"},
    {.name = "ledger",
     .type = SCENE_SWITCH,
     OF(def.ledger),
     .standard = "false",
     .help = "energies are accounted for by cause"},
    {.name = "events",
     .type = SCENE_SWITCH,
     OF(def.events),
     .standard = "false",
     .help = "contacts that begin and end are listed"},
    {.name = "audit",
     .type = SCENE_WHOLE32,
     OF(def.audit),
     SCENE_WITHIN(0, 4294967295.0),
     .standard = "0",
     .help =
         "every so many steps contacts are held against those of an independent method; 0: never"},
    {.name = "on_nan",
     .type = SCENE_WORD,
     OF(on_nan),
     .words = nan_words,
     .standard = "\"stop\"",
     .help = "a body whose numbers are not finite any more: \"stop\" the run, or \"quarantine\" "
             "takes it out"},
    {.name = "act_every",
     .type = SCENE_WHOLE32,
     OF(act_every),
     SCENE_WITHIN(1, 1000000),
     .standard = "50",
     .help = "steps between what sources, sinks and counting planes do"},
};
#undef OF

/* ---- margin ---------------------------------------------------------------------------------------------- */

static const scene_word margin_words[] = {
    {"none", SCREE_MARGIN_NONE},           {"skin", SCREE_MARGIN_SKIN},
    {"tolerance", SCREE_MARGIN_TOLERANCE}, {"stride", SCREE_MARGIN_STRIDE},
    {"distance", SCREE_MARGIN_DISTANCE},   {"bins", SCREE_MARGIN_BINS},
    {"per_body", SCREE_MARGIN_PER_BODY},   {NULL, 0}};

static void begin_margin(scene_reader *reader, void *record)
{
    *(scree_margin_def *)record = reader->scene->plan.world.margin;
}

static int end_margin(scene_reader *reader, void *record)
{
    reader->scene->plan.world.margin = *(scree_margin_def *)record;
    return 0;
}

#define OF(member) .offset = offsetof(scree_margin_def, member)
static const scene_field margin_fields[] = {
    {.name = "kind",
     .type = SCENE_WORD,
     OF(kind),
     .words = margin_words,
     .standard = "\"per_body\"",
     .help = "\"none\", \"skin\", \"tolerance\", \"stride\", \"distance\", \"bins\", \"per_body\""},
    {.name = "length",
     .type = SCENE_NUMBER,
     OF(length),
     SCENE_ANY,
     .unit = "m",
     .standard = "-0.05",
     .help = "the growth; negative: times the smallest radius"},
    {.name = "speed_factor",
     .type = SCENE_NUMBER,
     OF(speed_factor),
     SCENE_WITHIN(1, 1e6),
     .standard = "1.05",
     .help = "stride: overestimate of the speed"},
    {.name = "velocity",
     .type = SCENE_NUMBER,
     OF(velocity),
     SCENE_FROM(0),
     .standard = "0",
     .help = "tolerance: part that grows with speed times dt"},
    {.name = "extent",
     .type = SCENE_NUMBER,
     OF(extent),
     SCENE_FROM(0),
     .standard = "1/32",
     .help = "tolerance: part that grows with size"},
    {.name = "constant",
     .type = SCENE_NUMBER,
     OF(constant),
     SCENE_FROM(0),
     .unit = "m",
     .standard = "0",
     .help = "tolerance: the same for all"},
    {.name = "reach",
     .type = SCENE_NUMBER,
     OF(reach),
     SCENE_WITHIN(1, 1e6),
     .standard = "2",
     .help = "tolerance: 2: known before the step with a force; 1: in that step"},
    {.name = "bin_count",
     .type = SCENE_WHOLE32,
     OF(bin_count),
     SCENE_WITHIN(1, 100),
     .standard = "5",
     .help = "bins"},
    {.name = "bin_ratio",
     .type = SCENE_NUMBER,
     OF(bin_ratio),
     SCENE_ABOVE(1),
     .standard = "2",
     .help = "bins: speed of one class over the next"},
    {.name = "bin_overlap",
     .type = SCENE_NUMBER,
     OF(bin_overlap),
     .lower = 0,
     .upper = 1,
     .above = true,
     .below = true,
     .standard = "0.8",
     .help = "bins: a body leaves its class below this share of it"},
    {.name = "bin_max_change",
     .type = SCENE_NUMBER,
     OF(bin_max_change),
     SCENE_ANY,
     .standard = "0.3",
     .help = "bins: the reference speed follows by this share; 0: at once"},
    {.name = "target_steps",
     .type = SCENE_NUMBER,
     OF(target_steps),
     SCENE_ANY,
     .standard = "50",
     .help = "per_body: steps that the growth should last; negative: `length`"},
    {.name = "min_fraction",
     .type = SCENE_NUMBER,
     OF(min_fraction),
     SCENE_WITHIN(0, 1),
     .standard = "0.1",
     .help = "per_body: least growth over `length`"},
};
#undef OF

/* ---- run ------------------------------------------------------------------------------------------------- */

typedef struct run_record
{
    double time;
    uint64_t steps, seed;
    const char *title;
} run_record;

static void begin_run(scene_reader *reader, void *record)
{
    (void)reader;
    ((run_record *)record)->seed = 1;
    ((run_record *)record)->title = "";
}

static int end_run(scene_reader *reader, void *record)
{
    run_record *r = record;
    scree_scene_plan *plan = &reader->scene->plan;

    if (scene_is_given(reader, "time") == scene_is_given(reader, "steps"))
        scene_refuse(reader, r->steps ? "has `time` and `steps`; one of both says how long"
                                      : "`time` is missing, in s; or `steps`: how long it is");
    plan->end_time = r->time;
    plan->end_steps = r->steps;
    plan->seed = r->seed;
    plan->title = r->title;
    return 0;
}

#define OF(member) .offset = offsetof(run_record, member)
static const scene_field run_fields[] = {
    {.name = "time",
     .type = SCENE_NUMBER,
     OF(time),
     SCENE_ABOVE(0),
     .unit = "s",
     .standard = "none",
     .help = "how long"},
    {.name = "steps",
     .type = SCENE_WHOLE,
     OF(steps),
     SCENE_WITHIN(1, 1e15),
     .standard = "none",
     .help = "or how many steps"},
    {.name = "seed",
     .type = SCENE_WHOLE,
     OF(seed),
     SCENE_FROM(0),
     .standard = "1",
     .help =
         "of the random numbers of sources; the same seed gives the same bodies on every machine"},
    {.name = "title",
     .type = SCENE_TEXT,
     OF(title),
     .standard = "the scene's name",
     .help = "for people"},
};
#undef OF

/* ---- output ---------------------------------------------------------------------------------------------- */

static const scene_word write_words[] = {
    {"vtk", SCREE_WRITE_VTP_BODIES | SCREE_WRITE_VTP_WALLS},
    {"vtp", SCREE_WRITE_VTP_BODIES},
    {"walls", SCREE_WRITE_VTP_WALLS},
    {"contacts", SCREE_WRITE_VTP_CONTACTS},
    {"lammps", SCREE_WRITE_LAMMPS},
    {"csv", SCREE_WRITE_CSV},
    {"stl", SCREE_WRITE_STL},
    {"vtkhdf", SCREE_WRITE_VTKHDF},
    {"picture", SCENE_WRITES_PICTURE},
    {NULL, 0},
};

/*  As export has them, for messages; what each format can write of these it writes. */
static const scene_word field_words[] = {
    {"id", 0},       {"serial", 1}, {"material", 2},    {"user", 3},  {"mass", 4},    {"radius", 5},
    {"velocity", 6}, {"spin", 7},   {"orientation", 8}, {"force", 9}, {"torque", 10}, {NULL, 0}};

static void read_export_fields(scene_reader *reader, void *target)
{
    scree_scene_output *output = target;
    lua_Integer count = scene_length(reader, reader->index, 1, 32);
    const char **names = scene_keep(reader, (size_t)count + 1, sizeof *names);

    for (lua_Integer i = 0; i < count; i++) {
        lua_geti(reader->L, reader->index, i + 1);
        const char *text =
            lua_type(reader->L, -1) == LUA_TSTRING ? lua_tostring(reader->L, -1) : "";
        const scene_word *word = field_words;
        while (word->name && strcmp(word->name, text) != 0)
            word++;
        if (!word->name)
            scene_refuse(reader,
                         "item %d is \"%.40s\"; there are id, serial, material, user, mass, "
                         "radius, velocity, "
                         "spin, orientation, force, torque",
                         (int)i + 1, text);
        names[i] = word->name;
        lua_pop(reader->L, 1);
    }
    output->fields = names;
    output->field_count = (size_t)count;
}

static void check_every(scene_reader *reader, const scree_scene_every *every, bool needed)
{
    bool has_time = scene_is_given(reader, "every"),
         has_steps = scene_is_given(reader, "every_steps");

    if (has_time && has_steps)
        scene_refuse(reader, "has `every` and `every_steps`; one of both says how often");
    if (needed && !has_time && !has_steps)
        scene_refuse(reader, "`every` is missing, in s; or `every_steps`: how often");
    (void)every;
}

static void begin_output(scene_reader *reader, void *record)
{
    ((scree_scene_output *)record)->line = reader->line;
}

/*  "picture" in an output: the pictures that are not due at times of their own are due with it. */
static int end_output(scene_reader *reader, void *record)
{
    scree_scene_output *output = record;

    check_every(reader, &output->every, true);
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
     .help = "how often, in simulated time"},
    {.name = "every_steps",
     .type = SCENE_WHOLE,
     OF(every.steps),
     SCENE_WITHIN(1, 1e15),
     .standard = "none",
     .help = "or in steps"},
    {.name = "write",
     .type = SCENE_FLAGS,
     OF(write),
     .words = write_words,
     .required = true,
     .help = "\"vtk\" (\"vtp\": bodies, and \"walls\"), \"contacts\", \"vtkhdf\" for ParaView; "
             "\"lammps\" for OVITO; "
             "\"csv\"; \"stl\": walls; \"picture\""},
    {.name = "fields",
     .type = SCENE_OWN,
     .read = read_export_fields,
     .standard = "all",
     .accepts = "a list of fields, as {\"radius\", \"velocity\"}",
     .help = "of bodies: id, serial, material, user, mass, radius, velocity, spin, orientation, "
             "force, torque"},
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
            def->clips[i][k] = scene_item_number(reader, -1, k + 1);
        lua_pop(L, 1);
    }
    def->clip_count = (uint32_t)count;
}

static void begin_picture(scene_reader *reader, void *record)
{
    scree_scene_picture *picture = record;

    picture->line = reader->line;
    picture->def = scree_default_picture_def();
}

static int end_picture(scene_reader *reader, void *record)
{
    scree_scene_picture *picture = record;
    scree_picture_def *def = &picture->def;
    scree_error error = {SCREE_OK, ""};

    check_every(reader, &picture->every, false);
    def->ranged = scene_is_given(reader, "range");
    def->camera.placed = scene_is_given(reader, "eye");
    if (def->camera.placed != scene_is_given(reader, "target"))
        scene_refuse(reader, def->camera.placed ? "`target` is missing: where the eye looks to"
                                                : "`eye` is missing: where one looks from");
    def->camera.boxed = scene_is_given(reader, "lower");
    if (def->camera.boxed != scene_is_given(reader, "upper"))
        scene_refuse(reader, "`%s` is missing: the other corner of what is seen",
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
     .help = "how often, in simulated time"},
    {.name = "every_steps",
     .type = SCENE_WHOLE,
     OF(every.steps),
     SCENE_WITHIN(1, 1e15),
     .standard = "none",
     .help = "or in steps"},
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
     .help = "what bodies are coloured by: `scree help render` lists fields; \"none\": one colour"},
    {.name = "range",
     .type = SCENE_OWN,
     OF(def.range),
     .read = read_range,
     .accepts = "two numbers, as {0, 1}",
     .standard = "from the bodies",
     .help = "of the colours, as {0, 1}"},
    {.name = "logarithmic",
     .type = SCENE_SWITCH,
     OF(def.logarithmic),
     .standard = "false",
     .help = "colours go by the logarithm"},
    {.name = "map",
     .type = SCENE_TEXT,
     OF(def.map),
     .standard = "what suits the field",
     .help = "of colours"},
    {.name = "colour_bar",
     .type = SCENE_SWITCH,
     OF(def.colour_bar),
     .standard = "true",
     .help = "says which colour is which number"},
    {.name = "time_label",
     .type = SCENE_SWITCH,
     OF(def.time_label),
     .standard = "true",
     .help = "says the time"},
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
     .help =
         "\"glass\" where they stand before bodies, \"cut\" there, \"solid\", \"lines\", \"none\""},
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
     .help = "what is between others is darker"},
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
     .help = "where one looks from"},
    {.name = "target",
     .type = SCENE_VECTOR,
     OF(def.camera.target),
     .unit = "m",
     .standard = "fitted",
     .help = "where one looks to"},
    {.name = "up",
     .type = SCENE_VECTOR,
     OF(def.camera.up),
     .standard = "{0, 0, 1}",
     .help = "what is up in the picture"},
    {.name = "angle",
     .type = SCENE_NUMBER,
     OF(def.camera.angle),
     .lower = 0,
     .upper = 3,
     .above = true,
     .unit = "rad",
     .standard = "0.5",
     .help = "perspective: from the lower to the upper border"},
    {.name = "tall",
     .type = SCENE_NUMBER,
     OF(def.camera.height),
     SCENE_ABOVE(0),
     .unit = "m",
     .standard = "fitted",
     .help = "orthographic with an eye: from the lower to the upper border"},
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
    scree_scene_every every;
    uint32_t keep;
} every_record;

static int end_metrics(scene_reader *reader, void *record)
{
    every_record *r = record;

    check_every(reader, &r->every, true);
    reader->scene->plan.metrics = r->every;
    return 0;
}

static void begin_checkpoint(scene_reader *reader, void *record)
{
    ((every_record *)record)->keep = reader->scene->plan.checkpoints_kept;
}

static int end_checkpoint(scene_reader *reader, void *record)
{
    every_record *r = record;

    check_every(reader, &r->every, true);
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
     .help = "how often, in simulated time"},                                                      \
    {                                                                                              \
        .name = "every_steps", .type = SCENE_WHOLE, .offset = offsetof(every_record, every.steps), \
        SCENE_WITHIN(1, 1e15), .standard = "none", .help = "or in steps"                           \
    }

static const scene_field metrics_fields[] = {EVERY_FIELDS};
static const scene_field checkpoint_fields[] = {
    EVERY_FIELDS,
    {.name = "keep",
     .type = SCENE_WHOLE32,
     .offset = offsetof(every_record, keep),
     SCENE_WITHIN(1, 1000000),
     .standard = "3",
     .help = "how many of them, the latest"},
};

#define RUN(word, what, how, list, record, start, finish, single)                                  \
    {                                                                                              \
        .name = word, .chapter = "The run", .summary = what, .example = how, .fields = list,       \
        .field_count = SCREE_COUNT_OF(list), .record_bytes = sizeof(record), .begin = start,       \
        .end = finish, .once = single                                                              \
    }

const scene_function scene_run_functions[] = {
    RUN("run", "How long. Each scene has one.", "run { time = 5, title = \"a drum\" }", run_fields,
        run_record, begin_run, end_run, true),
    RUN("solver", "Time step, detection, books. All of it has defaults.",
        "solver { stepper = \"euler\", threads = 2 }", solver_fields, solver_record, begin_solver,
        end_solver, true),
    RUN("margin", "How far detection looks ahead; results do not depend on it.",
        "margin { kind = \"skin\", length = 0.0002 }", margin_fields, scree_margin_def,
        begin_margin, end_margin, true),
    RUN("output", "Files that are written in the course of the run.",
        "output { every = 0.01, write = {\"vtk\", \"picture\"} }", output_fields,
        scree_scene_output, begin_output, end_output, false),
    RUN("picture", "How pictures look, and when they are taken.",
        "picture { every = 0.1, field = \"speed\" }", picture_fields, scree_scene_picture,
        begin_picture, end_picture, false),
    RUN("metrics",
        "How often a row of metrics.csv is written; a hundred times in a run if not said.",
        "metrics { every = 0.01 }", metrics_fields, every_record, NULL, end_metrics, true),
    RUN("checkpoint",
        "How often a state is kept from which the run can go on; at the end if not said.",
        "checkpoint { every = 0.5, keep = 3 }", checkpoint_fields, every_record, begin_checkpoint,
        end_checkpoint, true),
};
const size_t scene_run_function_count = SCREE_COUNT_OF(scene_run_functions);
