/*  stage, and changes at the start of a stage: drive, set_friction, hold, release. All stages are read with the
    scene; nothing runs before all of them are valid. */
#include "language.h"

#include <string.h>

#define MAX_STAGES 64
#define MAX_ITEMS 256

/* ---- changes that have functions of their own -------------------------------------------------------------- */

int scene_push_change(scene_reader *reader, const scree_scene_change *change)
{
    scree_scene_change *kept = scene_keep(reader, 1, sizeof *kept);

    *kept = *change;
    kept->line = reader->line;
    scene_push(reader, &(scene_value){.kind = SCENE_A_CHANGE, .change = kept});
    return 1;
}

typedef struct drive_record
{
    scree_scene_wall wall; /* a copy with the new motion */
    uint32_t index;
} drive_record;

/*  Reads the wall first: other fields change a copy of it. */
static void read_driven(scene_reader *reader, void *target)
{
    const scene_value *value = scene_value_at(reader->L, reader->index);
    drive_record *r = target;

    if (!value || value->kind != SCENE_A_WALL)
        scene_refuse_value(reader, "what wall { ... } gave back");
    const scree_scene_wall *walls = reader->scene->list[SCENE_WALLS].rows;
    r->index = value->index;
    r->wall = walls[value->index - 1];
    r->wall.path = scree_default_wall_def().path;
    r->wall.has_servo = r->wall.is_free = r->wall.has_belt = false;
    r->wall.servo_sides = 0;
}

static int end_drive(scene_reader *reader, void *record)
{
    drive_record *r = record;
    scree_scene_wall *kept = scene_keep(reader, 1, sizeof *kept);

    if (r->wall.has_servo)
        scene_check_servo(reader, &r->wall);
    if (r->wall.is_free)
        scene_check_loose(reader, &r->wall);
    *kept = r->wall;
    return scene_push_change(
        reader, &(scree_scene_change){.kind = SCREE_CHANGE_DRIVE, .index = r->index, .wall = kept});
}

static const scene_field drive_fields[] = {
    {.name = "wall",
     .type = SCENE_OWN,
     .offset = 0,
     .read = read_driven,
     .required = true,
     .accepts = "a wall",
     .help = "which wall"},
    {.name = "motion",
     .type = SCENE_OWN,
     .offset = offsetof(drive_record, wall.path),
     .read = scene_read_motion,
     .standard = "none",
     .accepts = "a motion, a list of them, or a function of time",
     .help = "as that of a wall; its time begins with the stage"},
    {.name = "servo",
     .type = SCENE_OWN,
     .offset = offsetof(drive_record, wall),
     .read = scene_read_servo,
     .standard = "none",
     .accepts = "a servo",
     .help = "as that of a wall; its start and stop count from the beginning of the stage"},
    {.name = "belt",
     .type = SCENE_OWN,
     .offset = offsetof(drive_record, wall),
     .read = scene_read_belt,
     .standard = "none",
     .accepts = "a belt",
     .help = "as that of a wall"},
    {.name = "free",
     .type = SCENE_OWN,
     .offset = offsetof(drive_record, wall),
     .read = scene_read_loose,
     .standard = "none",
     .accepts = "a free wall",
     .help = "as that of a wall"},
};

/* ---- bodies that are held ---- */

static void begin_hold(scene_reader *reader, void *record)
{
    scree_scene_change *change = record;

    change->kind =
        strcmp(reader->function->name, "hold") == 0 ? SCREE_CHANGE_HOLD : SCREE_CHANGE_RELEASE;
    change->groups = UINT64_MAX;
    change->components = SCREE_FREEZE;
}

static int end_hold(scene_reader *reader, void *record)
{
    const scree_scene_change *change = record;

    if (!change->components)
        scene_refuse(reader, "what: is empty; without it all components are meant");
    if (!change->groups)
        scene_refuse(reader, "groups: is empty; without it bodies of all groups are meant");
    return scene_push_change(reader, change);
}

#define OF(member) .offset = offsetof(scree_scene_change, member)
#define HOLD_FIELDS                                                                                \
    {.name = "region",                                                                             \
     .type = SCENE_REGION,                                                                         \
     OF(region),                                                                                   \
     .standard = "everywhere",                                                                     \
     .help = "bodies with their centre in it"},                                                    \
        {.name = "material",                                                                       \
         .type = SCENE_MATERIAL,                                                                   \
         OF(material),                                                                             \
         .standard = "any",                                                                        \
         .help = "of this material"},                                                              \
        {.name = "groups",                                                                         \
         .type = SCENE_GROUPS,                                                                     \
         OF(groups),                                                                               \
         .standard = "any",                                                                        \
         .help = "in one of these groups"},                                                        \
        {.name = "what",                                                                           \
         .type = SCENE_FLAGS,                                                                      \
         OF(components),                                                                           \
         .words = scene_freeze_words,                                                              \
         .standard = "\"all\"",                                                                    \
         .help = "components: \"x\", \"y\", \"z\", \"spin_x\", \"spin_y\", \"spin_z\", \"all\""},

static const scene_field hold_fields[] = {HOLD_FIELDS};
#undef OF

/* ---- stage ------------------------------------------------------------------------------------------------- */

typedef struct stage_record
{
    scree_scene_stage stage;
    scree_scene_change *changes;
    uint32_t count, room;
    bool or_fail;
    double gravity[3], damping, local_damping, dt;
} stage_record;

static void begin_stage(scene_reader *reader, void *record)
{
    stage_record *r = record;

    r->stage = (scree_scene_stage){.line = reader->line, .name = "", .check_every = 50};
    r->or_fail = true;
    r->damping = reader->scene->plan.world.global_damping;
    r->local_damping = reader->scene->plan.world.local_damping;
    if (reader->scene->list[SCENE_STAGES].count >= MAX_STAGES)
        scene_refuse(reader, "there can be %d stages", MAX_STAGES);
}

static scree_scene_change *add_change(scene_reader *reader, stage_record *r,
                                      scree_scene_change_kind kind)
{
    if (r->count == r->room) {
        uint32_t room = 2 * r->room + 8;
        scree_scene_change *grown = scene_keep(reader, room, sizeof *grown);
        if (r->count)
            memcpy(grown, r->changes, r->count * sizeof *grown);
        r->changes = grown;
        r->room = room;
    }
    scree_scene_change *change = &r->changes[r->count++];
    *change = (scree_scene_change){.line = reader->line, .kind = kind, .groups = UINT64_MAX};
    return change;
}

/*  Reads item number `item` of a list, at the top of the stack; 0: a single value. */
typedef void read_item_fn(scene_reader *reader, stage_record *r, const scene_value *value,
                          int item);

static void read_items(scene_reader *reader, stage_record *r, read_item_fn *read)
{
    if (lua_type(reader->L, reader->index) != LUA_TTABLE) {
        read(reader, r, scene_value_at(reader->L, reader->index), 0);
        return;
    }
    int field = reader->index, count = (int)scene_length(reader, field, 1, MAX_ITEMS);
    for (int i = 1; i <= count; i++) {
        lua_geti(reader->L, field, i);
        reader->index = lua_gettop(reader->L);
        read(reader, r, scene_value_at(reader->L, reader->index), i);
        lua_pop(reader->L, 1);
        reader->index = field;
    }
}

/*  The number that this stage will have. */
static uint32_t number_of(const scene_reader *reader)
{
    return (uint32_t)reader->scene->list[SCENE_STAGES].count + 1;
}

static const char *name_of_stage(const scene_reader *reader, uint32_t number)
{
    return ((const scree_scene_stage *)reader->scene->list[SCENE_STAGES].rows)[number - 1].name;
}

/*  An object belongs to only one stage. */
static void claim(scene_reader *reader, uint32_t *stage, const char *what, int line)
{
    if (*stage == number_of(reader))
        scene_refuse(reader, "has the %s of line %d twice", what, line);
    if (*stage)
        scene_refuse(reader, "the %s of line %d comes with stage \"%.40s\" already", what, line,
                     name_of_stage(reader, *stage));
    *stage = number_of(reader);
}

static void add_item(scene_reader *reader, stage_record *r, const scene_value *value, int item)
{
    scree_scene_source *sources = reader->scene->list[SCENE_SOURCES].rows;
    scree_scene_sink *sinks = reader->scene->list[SCENE_SINKS].rows;
    scree_scene_bond *bonds = reader->scene->list[SCENE_BONDS].rows;

    switch (value ? value->kind : SCENE_A_MATERIAL) {
    case SCENE_A_WALL:
        add_change(reader, r, SCREE_CHANGE_PUT_WALL)->index = value->index;
        return;
    case SCENE_A_SOURCE: {
        scree_scene_source *source = &sources[value->index - 1];
        claim(reader, &source->stage, source->is_pour ? "pour" : "fill", source->line);
        if (!source->is_pour)
            add_change(reader, r, SCREE_CHANGE_FILL)->index = value->index;
        return;
    }
    case SCENE_A_SINK:
        claim(reader, &sinks[value->index - 1].stage, "sink", sinks[value->index - 1].line);
        return;
    case SCENE_A_BOND:
        claim(reader, &bonds[value->index - 1].stage, "bond", bonds[value->index - 1].line);
        add_change(reader, r, SCREE_CHANGE_BOND)->index = value->index;
        return;
    default:
        if (item)
            scene_refuse(
                reader,
                "item %d is %.60s, must be a wall, or what pour, fill, sink or bond gave back",
                item, scene_describe(reader->L, reader->index));
        scene_refuse_value(reader,
                           "a wall, or what pour, fill, sink or bond gave back, or a list of such");
    }
}

static void read_add(scene_reader *reader, void *target)
{
    read_items(reader, target, add_item);
}

static void end_source(scene_reader *reader, uint32_t *end, const char *what, int line)
{
    if (*end == number_of(reader))
        scene_refuse(reader, "has the %s of line %d twice", what, line);
    if (*end)
        scene_refuse(reader, "the %s of line %d was removed by stage \"%.40s\"", what, line,
                     name_of_stage(reader, *end));
    *end = number_of(reader);
}

static void remove_item(scene_reader *reader, stage_record *r, const scene_value *value, int item)
{
    scree_scene_source *source = reader->scene->list[SCENE_SOURCES].rows;
    scree_scene_sink *sink = reader->scene->list[SCENE_SINKS].rows;

    switch (value ? value->kind : SCENE_A_MATERIAL) {
    case SCENE_A_WALL:
        add_change(reader, r, SCREE_CHANGE_TAKE_WALL)->index = value->index;
        return;
    case SCENE_A_SOURCE:
        source += value->index - 1;
        if (!source->is_pour)
            scene_refuse(reader, "the fill of line %d has ended; to remove bodies, give a region",
                         source->line);
        end_source(reader, &source->stage_end, "pour", source->line);
        return;
    case SCENE_A_SINK:
        sink += value->index - 1;
        end_source(reader, &sink->stage_end, "sink", sink->line);
        return;
    case SCENE_A_REGION:
    case SCENE_A_BALL:
        scene_read_region(reader, &add_change(reader, r, SCREE_CHANGE_TAKE_BODIES)->region);
        return;
    default:
        if (item)
            scene_refuse(
                reader,
                "item %d is %.60s, must be a wall, a region, or what pour or sink gave back", item,
                scene_describe(reader->L, reader->index));
        scene_refuse_value(
            reader,
            "a wall, a region whose bodies go, or what pour or sink gave back, or a list of such");
    }
}

static void read_remove(scene_reader *reader, void *target)
{
    read_items(reader, target, remove_item);
}

static void change_item(scene_reader *reader, stage_record *r, const scene_value *value, int item)
{
    if (value && value->kind == SCENE_A_CHANGE) {
        int line = value->change->line;
        *add_change(reader, r, value->change->kind) = *value->change;
        r->changes[r->count - 1].line = line;
        return;
    }
    if (item)
        scene_refuse(reader,
                     "item %d is %.60s, must be what drive, set_friction, set_material, set_rule, "
                     "set_fluid, hold or "
                     "release gave back",
                     item, scene_describe(reader->L, reader->index));
    scene_refuse_value(
        reader, "what drive, set_friction, set_material, set_rule, set_fluid, hold or release gave "
                "back, or a list of such");
}

static void read_change(scene_reader *reader, void *target)
{
    read_items(reader, target, change_item);
}

/*  Numbers that are fields of the stage itself. */
static void add_numbers(scene_reader *reader, stage_record *r)
{
    if (scene_is_given(reader, "gravity"))
        memcpy(add_change(reader, r, SCREE_CHANGE_GRAVITY)->number, r->gravity, sizeof r->gravity);
    if (scene_is_given(reader, "damping") || scene_is_given(reader, "local_damping")) {
        scree_scene_change *change = add_change(reader, r, SCREE_CHANGE_DAMPING);
        /* NAN: unchanged */
        change->number[0] = scene_is_given(reader, "damping") ? r->damping : NAN;
        change->number[1] = scene_is_given(reader, "local_damping") ? r->local_damping : NAN;
    }
    if (scene_is_given(reader, "dt"))
        add_change(reader, r, SCREE_CHANGE_STEP)->number[0] = r->dt;
}

/*  By kind; changes of the same kind in the order of the script. */
static void sort_changes(scree_scene_change *changes, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = i; k > 0 && changes[k - 1].kind > changes[k].kind; k--) {
            scree_scene_change before = changes[k - 1];
            changes[k - 1] = changes[k];
            changes[k] = before;
        }
}

static int end_stage(scene_reader *reader, void *record)
{
    stage_record *r = record;

    if (scene_is_given(reader, "or_fail") && !scene_is_given(reader, "at_most"))
        scene_refuse(reader, "or_fail: is for `at_most`, and there is none");
    if (scene_is_given(reader, "at_most") && !r->stage.ends)
        scene_refuse(
            reader,
            "at_most: is for a condition, and `ends` is missing; ends = after(%g) ends it then",
            scene_from_si(reader, r->stage.at_most, "s"));
    scene_check_name(reader, r->stage.name);
    add_numbers(reader, r);
    sort_changes(r->changes, r->count);
    r->stage.continues = !r->or_fail;
    r->stage.changes = r->changes;
    r->stage.change_count = r->count;
    *(scree_scene_stage *)scene_row(reader, SCENE_STAGES) = r->stage;
    return 0;
}

#define OF(member) .offset = offsetof(stage_record, member)
static const scene_field stage_fields[] = {
    {.name = "name",
     .type = SCENE_TEXT,
     OF(stage.name),
     .standard = "\"stage1\", ...",
     .help = "for messages"},
    {.name = "ends",
     .type = SCENE_OWN,
     OF(stage.ends),
     .read = scene_read_condition,
     .standard = "of the last stage the run's end",
     .accepts = "a condition",
     .help = "what ends it: after(2), quiet, count, wall_force, wall_moved, broken, all, any"},
    {.name = "at_most",
     .type = SCENE_NUMBER,
     OF(stage.at_most),
     SCENE_ABOVE(0),
     .unit = "s",
     .standard = "as long as it takes",
     .help = "how long it may last; then the run fails, or, with or_fail = false, the next stage "
             "begins"},
    {.name = "or_fail",
     .type = SCENE_SWITCH,
     OF(or_fail),
     .standard = "true",
     .help = "false: after at_most the next stage begins, with a warning"},
    {.name = "check_every",
     .type = SCENE_WHOLE32,
     OF(stage.check_every),
     SCENE_WITHIN(1, 1000000),
     .standard = "50",
     .help =
         "steps between looks at conditions and at_most; times and steps of after are met exactly"},
    {.name = "remove",
     .type = SCENE_OWN,
     .offset = 0,
     .read = read_remove,
     .standard = "none",
     .accepts = "a wall, a region, a pour or sink, or a list of them",
     .help = "first of all: walls that go, regions whose bodies go, pours and sinks that end"},
    {.name = "add",
     .type = SCENE_OWN,
     .offset = 0,
     .read = read_add,
     .standard = "none",
     .accepts = "a wall, fill, pour, sink or bond, or a list of them",
     .help = "what comes with the stage, and is not there before it; times of pours and sinks "
             "count from its beginning; bonds are made last"},
    {.name = "change",
     .type = SCENE_OWN,
     .offset = 0,
     .read = read_change,
     .standard = "none",
     .accepts = "what drive, set_friction, set_material, set_rule, set_fluid, hold or release gave "
                "back, or a "
                "list of such",
     .help = "drive, set_friction, set_material, set_rule, set_fluid, hold and release"},
    {.name = "gravity",
     .type = SCENE_VECTOR,
     OF(gravity),
     .unit = "m/s^2",
     .standard = "as it was",
     .help = "from now on"},
    {.name = "damping",
     .type = SCENE_NUMBER,
     OF(damping),
     SCENE_FROM(0),
     .unit = "1/s",
     .standard = "as it was",
     .help = "from now on, as that of the solver"},
    {.name = "local_damping",
     .type = SCENE_NUMBER,
     OF(local_damping),
     .lower = 0,
     .upper = 1,
     .below = true,
     .standard = "as it was",
     .help = "from now on, as that of the solver"},
    {.name = "dt",
     .type = SCENE_NUMBER,
     OF(dt),
     SCENE_ABOVE(0),
     .unit = "s",
     .standard = "as it was",
     .help = "the time step from now on; where the step is automatic, the longest"},
    {.name = "metrics_every",
     .type = SCENE_NUMBER,
     OF(stage.metrics_every),
     SCENE_ABOVE(0),
     .unit = "s",
     .standard = "as metrics says",
     .help = "between rows of metrics.csv, from the beginning of the stage to its end"},
    {.name = "output_every",
     .type = SCENE_NUMBER,
     OF(stage.output_every),
     SCENE_ABOVE(0),
     .unit = "s",
     .standard = "as output and picture say",
     .help =
         "between frames and pictures of all outputs, from the beginning of the stage to its end"},
};
#undef OF

#define STAGE(word, what, how, list, record, start, finish)                                        \
    {                                                                                              \
        .name = word, .chapter = "Stages", .summary = what, .example = how, .fields = list,        \
        .field_count = SCREE_COUNT_OF(list), .record_bytes = sizeof(record), .begin = start,       \
        .end = finish, .may_be_replaced = true                                                     \
    }

const scene_function scene_stage_functions[] = {
    STAGE("stage",
          "An act of the scene: what changes at its beginning, and what ends it. The first begins "
          "with the run, each of the others where the one before it ends; the run ends with the "
          "last.",
          "gate = wall { shape = plane { }, material = steel }\n"
          "more = fill { count = 5, shape = sphere { radius = 0.001 }, material = glass, region = "
          "box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} } }\n"
          "stage { name = \"settle\", add = {more}, ends = quiet { energy = 1e-9 }, at_most = 1, "
          "or_fail = false }\n"
          "stage { name = \"flow\", remove = gate, ends = after(0.5), check_every = 100 }\n"
          "\n"
          "slow = set_friction { to = 0.1 }\n"
          "stage { gravity = {0, 0, 0}, damping = 2, local_damping = 0.1, ends = after { steps = "
          "100 }, at_most = 1 }\n"
          "stage { remove = {box { lower = {0, 0, 0}, upper = {1, 1, 1} }}, change = slow, dt = "
          "1e-6, metrics_every = 1e-3, output_every = 1e-2, ends = after(0.01) }",
          stage_fields, stage_record, begin_stage, end_stage),
    STAGE("drive",
          "For `change`: another motion, servo or both of a wall, from the beginning of the stage "
          "on. What is not said stops.",
          "lid = wall { shape = plane { point = {0, 0, 1}, normal = {0, 0, -1} }, material = steel "
          "}\nstage { ends = after(0.1), change = drive { wall = lid, motion = move { velocity = "
          "{0, 0, -0.1} } } }\nstage { ends = after(0.1), change = drive { wall = lid, servo = "
          "servo { force = 1, speed = 0.1 } } }\nstage { ends = after(0.1), change = drive { wall "
          "= lid, free = free_wall { mass = 1, held = \"all\" } } }",
          drive_fields, drive_record, NULL, end_drive),
    STAGE("hold",
          "For `change`: bodies that are there then stand still, or in the components that are "
          "said, whatever pushes them.",
          "stage { ends = after(0.1), change = hold { region = box { lower = {0, 0, 0}, upper = "
          "{1, 1, 0.1} }, material = glass, groups = {1}, what = {\"x\", \"spin_y\"} } }",
          hold_fields, scree_scene_change, begin_hold, end_hold),
    STAGE("release", "For `change`: bodies that were held are held no more.",
          "stage { ends = after(0.1), change = hold { } }\nstage { ends = after(0.1), change = "
          "release { region = box { lower = {0, 0, 0}, upper = {1, 1, 0.1} }, material = glass, "
          "groups = {1}, what = \"all\" } }",
          hold_fields, scree_scene_change, begin_hold, end_hold),
};
const size_t scene_stage_function_count = SCREE_COUNT_OF(scene_stage_functions);
