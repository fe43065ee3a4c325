/*  Motions of walls: move, spin, swing, path. A list of them is superposed; a function of time, alone or in a list, is
    sampled to a table. */
#include "language.h"
#include "path_rows.h"
#include "path_sampling.h"

#include <math.h>
#include <string.h>

#define MAX_ROWS 1000000
#define MAX_PARTS 100
#define LARGEST 1e100 /* in magnitude, of a number of a row in SI units */

typedef struct path_record
{
    scree_path_part part;
    const char *file;
} path_record;

#define OF(member) .offset = offsetof(path_record, member)
#define CLOCK                                                                                      \
    {.name = "start",                                                                              \
     .type = SCENE_NUMBER,                                                                         \
     OF(part.start),                                                                               \
     SCENE_FROM(0),                                                                                \
     .unit = "s",                                                                                  \
     .standard = "0",                                                                              \
     .help = "when it starts"},                                                                    \
        {.name = "stop",                                                                           \
         .type = SCENE_NUMBER,                                                                     \
         OF(part.stop),                                                                            \
         SCENE_ABOVE(0),                                                                           \
         .unit = "s",                                                                              \
         .standard = "never",                                                                      \
         .help = "when it ends: the wall then stays where it is"},                                 \
    {                                                                                              \
        .name = "ramp", .type = SCENE_NUMBER, OF(part.ramp), SCENE_FROM(0), .unit = "s",           \
        .standard = "0",                                                                           \
        .help = "time of smooth acceleration at `start`, and of deceleration at `stop`"            \
    }
#define AXIS                                                                                       \
    {.name = "axis",                                                                               \
     .type = SCENE_VECTOR,                                                                         \
     OF(part.vector),                                                                              \
     .standard = "{0, 0, 1}",                                                                      \
     .help = "of any length"},                                                                     \
    {                                                                                              \
        .name = "centre", .type = SCENE_VECTOR, OF(part.centre), .unit = "m",                      \
        .standard = "{0, 0, 0}", .help = "a point on the axis"                                     \
    }

/*  If the world would refuse a motion, the error is reported here, with its line. */
static int push_part(scene_reader *reader, const scree_path_part *part)
{
    scene_value value = {.kind = SCENE_A_MOTION, .part = *part};

    if (part->stop > 0 && !(part->stop > part->start))
        scene_refuse(reader, "stop: is at %g, must be after `start`, %g",
                     scene_from_si(reader, part->stop, "s"),
                     scene_from_si(reader, part->start, "s"));
    if (part->stop > 0 && part->ramp > (part->stop - part->start) / 2)
        scene_refuse(reader,
                     "ramp: takes %g, must be at most half of the time from `start` to "
                     "`stop`, %g",
                     scene_from_si(reader, part->ramp, "s"),
                     scene_from_si(reader, (part->stop - part->start) / 2, "s"));
    scene_push(reader, &value);
    return 1;
}

/* ---- move ---- */

static int end_move(scene_reader *reader, void *record)
{
    path_record *r = record;

    r->part.kind = SCREE_PATH_MOVE;
    return push_part(reader, &r->part);
}

static const scene_field move_fields[] = {
    {.name = "velocity",
     .type = SCENE_VECTOR,
     OF(part.vector),
     .unit = "m/s",
     .required = true,
     .help = "constant velocity"},
    CLOCK,
};

/* ---- spin ---- */

static void begin_spin(scene_reader *reader, void *record)
{
    (void)reader;
    ((path_record *)record)->part.vector[2] = 1;
}

static void check_axis(scene_reader *reader, const double axis[3])
{
    double square = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];

    if (!(square > 1e-200 && square < 1e200))
        scene_refuse(reader, "axis: has the length %g, must be a direction", sqrt(square));
}

static int end_spin(scene_reader *reader, void *record)
{
    path_record *r = record;

    check_axis(reader, r->part.vector);
    r->part.kind = SCREE_PATH_SPIN;
    return push_part(reader, &r->part);
}

static const scene_field spin_fields[] = {
    {.name = "rate",
     .type = SCENE_NUMBER,
     OF(part.rate),
     SCENE_ANY,
     .unit = "rad/s",
     .required = true,
     .help = "angular velocity, by the right-hand rule; 2 * math.pi is one rotation per second"},
    AXIS,
    CLOCK,
};

/* ---- swing ---- */

typedef struct swing_record
{
    path_record path; /* first: its fields are shared */
    double amplitude[3];
} swing_record;

static int end_swing(scene_reader *reader, void *record)
{
    swing_record *r = record;
    scree_path_part *part = &r->path.part;
    bool turns = scene_is_given(reader, "angle");

    if (turns == scene_is_given(reader, "amplitude"))
        scene_refuse(reader, turns ? "has `amplitude` and `angle`; give one of them"
                                   : "`amplitude` or `angle` is missing");
    if (!turns && (scene_is_given(reader, "axis") || scene_is_given(reader, "centre")))
        scene_refuse(reader, "axis and centre need an `angle`");
    if (turns)
        check_axis(reader, part->vector);
    else
        memcpy(part->vector, r->amplitude, sizeof part->vector);
    part->kind = turns ? SCREE_PATH_ROCK : SCREE_PATH_SWING;
    return push_part(reader, part);
}

static const scene_field swing_fields[] = {
    {.name = "amplitude",
     .type = SCENE_VECTOR,
     .offset = offsetof(swing_record, amplitude),
     .unit = "m",
     .standard = "none",
     .help = "a vector: the displacement to each side"},
    {.name = "angle",
     .type = SCENE_NUMBER,
     OF(part.angle),
     SCENE_ANY,
     .unit = "rad",
     .standard = "none",
     .help = "or the rotation to each side, about `axis`"},
    {.name = "frequency",
     .type = SCENE_NUMBER,
     OF(part.frequency),
     SCENE_FROM(0),
     .unit = "Hz",
     .required = true,
     .help = "oscillations per second"},
    {.name = "phase",
     .type = SCENE_NUMBER,
     OF(part.phase),
     SCENE_ANY,
     .unit = "rad",
     .standard = "0",
     .help = "of the sine at the start"},
    AXIS,
    CLOCK,
};

/* ---- path ---- */

static void read_row(scene_reader *reader, lua_Integer i, double row[8])
{
    static const double still[4] = {1, 0, 0, 0};
    lua_State *L = reader->L;
    lua_Unsigned width = lua_type(L, -1) == LUA_TTABLE ? lua_rawlen(L, -1) : 0;

    if (width != 4 && width != 8)
        scene_refuse(reader,
                     "row %d is %s, must be {time, x, y, z}, or these and a quaternion, w x y z",
                     (int)i + 1, scene_describe(L, -1));
    for (int k = 0; k < 4; k++)
        row[k] = scene_item_in_si(reader, -1, k + 1, k == 0 ? "s" : "m");
    memcpy(row + 4, still, sizeof still);
    for (int k = 4; k < (int)width; k++)
        row[k] = scene_item_number(reader, -1, k + 1);
}

static void read_rows(scene_reader *reader, void *target)
{
    scree_path_part *part = target;
    lua_State *L = reader->L;
    lua_Integer count = scene_length(reader, reader->index, 2, MAX_ROWS);
    double(*rows)[8] = scene_keep(reader, (size_t)count, sizeof *rows);

    for (lua_Integer i = 0; i < count; i++) {
        lua_geti(L, reader->index, i + 1);
        read_row(reader, i, rows[i]);
        if (i > 0 && !(rows[i][0] > rows[i - 1][0]))
            scene_refuse(reader,
                         "row %d is at time %g, and the one before at %g; times must ascend",
                         (int)i + 1, scene_from_si(reader, rows[i][0], "s"),
                         scene_from_si(reader, rows[i - 1][0], "s"));
        lua_pop(L, 1);
    }
    part->table = (const double(*)[8])rows;
    part->table_count = (size_t)count;
}

/*  Values in a file are in the scene's units, as those of a table. */
static void read_path_file(scene_reader *reader, const char *file, scree_path_part *part)
{
    scree_error error = {SCREE_OK, ""};
    double(*rows)[8];
    size_t count;
    scree_status status =
        scene_read_path_rows(reader->scene, scene_file_path(reader, file), &rows, &count, &error);

    if (status)
        scene_fail_as(reader, status, error.text);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 4; k++)
            rows[i][k] = scene_to_si(reader, rows[i][k], k == 0 ? "s" : "m");
    part->table = (const double(*)[8])rows;
    part->table_count = count;
}

/*  A world refuses the same, but counts rows from 0. */
static void check_rows(scene_reader *reader, const scree_path_part *part)
{
    for (size_t i = 0; i < part->table_count; i++) {
        const double *row = part->table[i], *q = row + 4;
        double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        for (int k = 0; k < 4; k++)
            if (!(fabs(row[k]) <= LARGEST))
                scene_refuse(reader, "row %d has the number %g, must be at most %g in magnitude",
                             (int)i + 1, row[k], LARGEST);
        if (!(square > 1e-200 && square < 1e200))
            scene_refuse(reader,
                         "row %d has a quaternion of length %g, %g %g %g %g, must be a rotation",
                         (int)i + 1, sqrt(square), q[0], q[1], q[2], q[3]);
    }
}

/*  A periodic table must end where it starts. */
static void check_period(scene_reader *reader, const scree_path_part *part)
{
    const double *first = part->table[0], *last = part->table[part->table_count - 1];
    double passed = last[0] - first[0];

    if (!(part->period >= passed))
        scene_refuse(reader, "period: is %g, must be at least the time of its rows, %g",
                     scene_from_si(reader, part->period, "s"), scene_from_si(reader, passed, "s"));
    if (part->period == passed && memcmp(first + 1, last + 1, 7 * sizeof *first) != 0)
        scene_refuse(reader, "period: if the last row is at its end, it must equal the first, or "
                             "the motion jumps; leave the row out for an automatic return");
}

static int end_path(scene_reader *reader, void *record)
{
    path_record *r = record;
    bool has_file = scene_is_given(reader, "file");

    if (has_file == (r->part.table_count > 0))
        scene_refuse(reader, has_file ? "has rows and `file`; give one of them"
                                      : "it is empty: give rows of time and displacement, as {{0, "
                                        "0, 0, 0}, {1, 0, 0, 0.1}}, or `file`");
    if (has_file)
        read_path_file(reader, r->file, &r->part);
    r->part.kind = SCREE_PATH_TABLE;
    check_rows(reader, &r->part);
    if (r->part.period > 0)
        check_period(reader, &r->part);
    return push_part(reader, &r->part);
}

static const scene_field path_fields[] = {
    {.name = NULL,
     .type = SCENE_OWN,
     .read = read_rows,
     OF(part),
     .standard = "none",
     .unit = "s, m",
     .accepts = "two or more rows, as {{0, 0, 0, 0}, {1, 0, 0, 0.1}}",
     .help = "rows of time and displacement, and a quaternion for a rotation: linear between rows, "
             "at rest before and after"},
    {.name = "file",
     .type = SCENE_TEXT,
     OF(file),
     .standard = "none",
     .help = "or a CSV file of such rows, relative to the scene"},
    {.name = "smooth",
     .type = SCENE_SWITCH,
     OF(part.smooth),
     .standard = "false",
     .help = "a smooth curve through all rows, at rest at its start and end"},
    {.name = "period",
     .type = SCENE_NUMBER,
     OF(part.period),
     SCENE_ABOVE(0),
     .unit = "s",
     .standard = "never",
     .help = "it repeats after this time, returning to the first row"},
    {.name = "centre",
     .type = SCENE_VECTOR,
     OF(part.centre),
     .unit = "m",
     .standard = "{0, 0, 0}",
     .help = "centre of rotation, if rows have quaternions"},
    CLOCK,
};
#undef OF

/* ---- motions of a wall ---- */

/*  Motions that the older fields of a path can express are stored there: so files of such runs stay the same. */
static bool is_plain(const scree_path_part *part)
{
    if (part->start != 0 || part->stop != 0 || part->ramp != 0 || part->kind == SCREE_PATH_ROCK)
        return false;
    for (size_t i = 0; i < part->table_count; i++)
        if (part->table[i][4] != 1 || part->table[i][5] != 0 || part->table[i][6] != 0 ||
            part->table[i][7] != 0)
            return false;
    return !part->smooth && part->period == 0;
}

static void set_plain(scene_reader *reader, const scree_path_part *part, scree_wall_path *path)
{
    double(*rows)[4];

    switch (part->kind) {
    case SCREE_PATH_MOVE:
        memcpy(path->velocity, part->vector, sizeof path->velocity);
        return;
    case SCREE_PATH_SPIN:
        memcpy(path->axis, part->vector, sizeof path->axis);
        memcpy(path->centre, part->centre, sizeof path->centre);
        path->rate = part->rate;
        return;
    case SCREE_PATH_SWING:
        memcpy(path->swing, part->vector, sizeof path->swing);
        path->frequency = part->frequency;
        path->phase = part->phase;
        return;
    default:
        rows = scene_keep(reader, part->table_count, sizeof *rows);
        for (size_t i = 0; i < part->table_count; i++)
            memcpy(rows[i], part->table[i], sizeof *rows);
        path->table = (const double(*)[4])rows;
        path->table_count = part->table_count;
    }
}

/*  A function of time: its part gets a table later (path_sampling.c). */
static void note_function(scene_reader *reader, int function, scree_path_part *part)
{
    struct scene_sampled *sampled = scene_keep(reader, 1, sizeof *sampled);

    *sampled = (struct scene_sampled){
        .part = part, .function = function, .line = reader->line, .before = reader->host->sampled};
    reader->host->sampled = sampled;
}

/*  A motion as it is read: a part, or a function, by its reference in Lua's registry. */
typedef struct motion_item
{
    scree_path_part part;
    int function; /* LUA_NOREF: none */
} motion_item;

static void set_parts(scene_reader *reader, const motion_item *items, size_t count,
                      scree_wall_path *path)
{
    bool all_plain = true;
    uint32_t kinds = 0;

    for (size_t k = 0; k < count; k++) {
        uint32_t kind = 1u << items[k].part.kind;
        all_plain = all_plain && is_plain(&items[k].part) && !(kinds & kind);
        kinds |= kind;
    }
    if (all_plain) {
        for (size_t k = 0; k < count; k++)
            set_plain(reader, &items[k].part, path);
        return;
    }
    scree_path_part *kept = scene_keep(reader, count, sizeof *kept);
    for (size_t k = 0; k < count; k++) {
        kept[k] = items[k].part;
        if (items[k].function != LUA_NOREF)
            note_function(reader, items[k].function, &kept[k]);
    }
    path->parts = kept;
    path->part_count = count;
}

/*  The motion at the top of the stack; false if it is something else. */
static bool take_motion(scene_reader *reader, motion_item *item)
{
    lua_State *L = reader->L;
    const scene_value *value = scene_value_at(L, -1);

    item->function = LUA_NOREF;
    if (lua_type(L, -1) == LUA_TFUNCTION) {
        item->part = (scree_path_part){.kind = SCREE_PATH_TABLE, .smooth = true};
        lua_pushvalue(L, -1);
        item->function = luaL_ref(L, LUA_REGISTRYINDEX);
        return true;
    }
    if (!value || value->kind != SCENE_A_MOTION)
        return false;
    item->part = value->part;
    return true;
}

void scene_read_motion(scene_reader *reader, void *target)
{
    static const char wanted[] = "a motion, as spin { rate = 6 }, a list of them, or a function";
    motion_item items[MAX_PARTS];
    lua_State *L = reader->L;
    int count = 1;

    memset(items, 0, sizeof items);
    if (lua_type(L, reader->index) != LUA_TTABLE) {
        lua_pushvalue(L, reader->index);
        if (!take_motion(reader, items))
            scene_refuse_value(reader, wanted);
        lua_pop(L, 1);
    } else {
        count = (int)scene_length(reader, reader->index, 1, MAX_PARTS);
        for (int i = 0; i < count; i++) {
            lua_geti(L, reader->index, i + 1);
            if (!take_motion(reader, &items[i]))
                scene_refuse(reader,
                             "item %d is %s, must be a motion, as spin { rate = 6 }, or a "
                             "function",
                             i + 1, scene_describe(L, -1));
            lua_pop(L, 1);
        }
    }
    set_parts(reader, items, (size_t)count, target);
}

/* ---- the functions ---- */

#define MOTION(word, what, how, list, record, start, finish)                                       \
    {                                                                                              \
        .name = word, .chapter = "Walls", .summary = what, .example = how, .fields = list,         \
        .field_count = SCREE_COUNT_OF(list), .record_bytes = sizeof(record), .begin = start,       \
        .end = finish                                                                              \
    }

const scene_function scene_path_functions[] = {
    MOTION("move", "A motion with constant velocity.", "move { velocity = {0.1, 0, 0} }",
           move_fields, path_record, NULL, end_move),
    MOTION("spin", "A rotation about an axis.", "spin { axis = {0, 1, 0}, rate = 6 }", spin_fields,
           path_record, begin_spin, end_spin),
    MOTION(
        "swing", "An oscillation: a sine.",
        "swing { amplitude = {0, 0, 0.001}, frequency = 50 }\n"
        "swing { amplitude = {0.001, 0, 0}, frequency = 50, phase = math.pi / 2 }\n"
        "swing { angle = 0.2, axis = {0, 1, 0}, centre = {0, 0, 0.3}, frequency = 2, ramp = 0.5 }",
        swing_fields, swing_record, begin_spin, end_swing),
    MOTION("path", "A motion given by a table of times and displacements.",
           "path { {0, 0, 0, 0}, {1, 0, 0, 0.1} }\n"
           "path { {0, 0, 0, 0}, {0.1, 0, 0, 0.01}, {0.3, 0, 0, 0}, smooth = true, period = 0.3 }",
           path_fields, path_record, NULL, end_path),
};
const size_t scene_path_function_count = SCREE_COUNT_OF(scene_path_functions);
