/*  wall, and how it moves: move, spin, swing, path; a list of these is all of them at once; servo. */
#include "language.h"

#include <string.h>

/* ---- motions --------------------------------------------------------------------------------------------- */

#define OF(member) .offset = offsetof(scree_wall_path, member)

static int push_motion(scene_reader *reader, const scree_wall_path *path, uint32_t part)
{
    scene_value value = {.kind = SCENE_A_MOTION, .path = *path, .parts = part};
    scene_push(reader, &value);
    return 1;
}

static int end_move(scene_reader *reader, void *record)
{
    return push_motion(reader, record, SCENE_MOVES);
}

static const scene_field move_fields[] = {
    {.name = "velocity",
     .type = SCENE_VECTOR,
     OF(velocity),
     .unit = "m/s",
     .required = true,
     .help = "which it keeps"},
};

static void begin_spin(scene_reader *reader, void *record)
{
    (void)reader;
    ((scree_wall_path *)record)->axis[2] = 1;
}

static int end_spin(scene_reader *reader, void *record)
{
    scree_wall_path *path = record;
    double square = path->axis[0] * path->axis[0] + path->axis[1] * path->axis[1] +
                    path->axis[2] * path->axis[2];

    if (!(square > 1e-200 && square < 1e200))
        scene_refuse(reader, "axis: has the length %g, must be a direction", sqrt(square));
    return push_motion(reader, path, SCENE_SPINS);
}

static const scene_field spin_fields[] = {
    {.name = "rate",
     .type = SCENE_NUMBER,
     OF(rate),
     SCENE_ANY,
     .unit = "rad/s",
     .required = true,
     .help = "by the right hand; 2 * math.pi is one turn a second"},
    {.name = "axis",
     .type = SCENE_VECTOR,
     OF(axis),
     .standard = "{0, 0, 1}",
     .help = "of any length"},
    {.name = "centre",
     .type = SCENE_VECTOR,
     OF(centre),
     .unit = "m",
     .standard = "{0, 0, 0}",
     .help = "a point on the axis"},
};

static int end_swing(scene_reader *reader, void *record)
{
    return push_motion(reader, record, SCENE_SWINGS);
}

static const scene_field swing_fields[] = {
    {.name = "amplitude",
     .type = SCENE_VECTOR,
     OF(swing),
     .unit = "m",
     .required = true,
     .help = "a vector: it goes so far to both sides"},
    {.name = "frequency",
     .type = SCENE_NUMBER,
     OF(frequency),
     SCENE_FROM(0),
     .unit = "Hz",
     .required = true,
     .help = "swings a second"},
    {.name = "phase",
     .type = SCENE_NUMBER,
     OF(phase),
     SCENE_ANY,
     .unit = "rad",
     .standard = "0",
     .help = "of the sine at the start"},
};

#define MOST_ROWS 1000000

static void read_rows(scene_reader *reader, void *target)
{
    scree_wall_path *path = target;
    lua_State *L = reader->L;
    lua_Integer count = scene_length(reader, reader->index, 2, MOST_ROWS);
    double(*rows)[4] = scene_keep(reader, (size_t)count, sizeof *rows);

    for (lua_Integer i = 0; i < count; i++) {
        lua_geti(L, reader->index, i + 1);
        if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) != 4)
            scene_refuse(reader, "row %d is %s, must be {time, x, y, z}", (int)i + 1,
                         scene_describe(L, -1));
        for (int k = 0; k < 4; k++)
            rows[i][k] = scene_item_in_si(reader, -1, k + 1, k == 0 ? "s" : "m");
        if (i > 0 && !(rows[i][0] > rows[i - 1][0]))
            scene_refuse(reader,
                         "row %d is at time %g, and the one before at %g; times must ascend",
                         (int)i + 1, scene_from_si(reader, rows[i][0], "s"),
                         scene_from_si(reader, rows[i - 1][0], "s"));
        lua_pop(L, 1);
    }
    path->table = (const double(*)[4])rows;
    path->table_count = (size_t)count;
}

static int end_path(scene_reader *reader, void *record)
{
    return push_motion(reader, record, SCENE_FOLLOWS);
}

static const scene_field path_fields[] = {
    {.name = NULL,
     .type = SCENE_OWN,
     .read = read_rows,
     .required = true,
     .unit = "s, m",
     .accepts = "two or more rows, as {{0, 0, 0, 0}, {1, 0, 0, 0.1}}",
     .help = "rows of time and shift, as {{0, 0, 0, 0}, {1, 0, 0, 0.1}}: straight between, at rest "
             "before and after"},
};
#undef OF

static const scene_value *motion_at(scene_reader *reader, int index)
{
    const scene_value *value = scene_value_at(reader->L, index);

    if (!value || value->kind != SCENE_A_MOTION)
        scene_refuse_value(reader, "a motion, as spin { rate = 6 }, or a list of them");
    return value;
}

static void add_motion(const scene_value *value, scree_wall_path *path)
{
    if (value->parts & SCENE_MOVES)
        memcpy(path->velocity, value->path.velocity, sizeof path->velocity);
    if (value->parts & SCENE_SPINS) {
        memcpy(path->centre, value->path.centre, sizeof path->centre);
        memcpy(path->axis, value->path.axis, sizeof path->axis);
        path->rate = value->path.rate;
    }
    if (value->parts & SCENE_SWINGS) {
        memcpy(path->swing, value->path.swing, sizeof path->swing);
        path->frequency = value->path.frequency;
        path->phase = value->path.phase;
    }
    if (value->parts & SCENE_FOLLOWS) {
        path->table = value->path.table;
        path->table_count = value->path.table_count;
    }
}

#define MOST_MOTIONS 4

void scene_read_motion(scene_reader *reader, void *target)
{
    const scene_value *motion[MOST_MOTIONS];

    if (lua_type(reader->L, reader->index) != LUA_TTABLE) {
        add_motion(motion_at(reader, reader->index), target);
        return;
    }
    int count = (int)scene_length(reader, reader->index, 1, MOST_MOTIONS);
    for (int i = 0; i < count; i++) {
        lua_geti(reader->L, reader->index, i + 1);
        motion[i] = motion_at(reader, -1);
        for (int k = 0; k < i; k++)
            if (motion[k]->parts & motion[i]->parts)
                scene_refuse(
                    reader,
                    "items %d and %d are `%s` and `%s`; a wall can have only one motion of "
                    "each kind",
                    k + 1, i + 1, motion[k]->made_by, motion[i]->made_by);
        add_motion(motion[i], target);
        lua_pop(reader->L, 1);
    }
}

/* ---- servo ----------------------------------------------------------------------------------------------- */

typedef struct servo_record
{
    scree_wall_servo servo;
    uint32_t sides;
} servo_record;

static const scene_word side_words[] = {
    {"-x", 1}, {"+x", 2}, {"-y", 4}, {"+y", 8}, {"-z", 16}, {"+z", 32}, {NULL, 0},
};

static void begin_servo(scene_reader *reader, void *record)
{
    (void)reader;
    ((servo_record *)record)->servo = scree_default_wall_servo();
}

static int end_servo(scene_reader *reader, void *record)
{
    servo_record *r = record;
    scene_value value = {.kind = SCENE_A_SERVO, .servo = r->servo, .sides = r->sides};
    bool has_force = scene_is_given(reader, "force");

    if (has_force == scene_is_given(reader, "stress"))
        scene_refuse(reader, has_force ? "has `force` and `stress`; one of both is held"
                                       : "`force` or `stress` is missing: what is to be held");
    if (has_force && scene_is_given(reader, "area"))
        scene_refuse(reader, "area: is what a `stress` is on");
    if (!(r->servo.stop > r->servo.start))
        scene_refuse(reader, "stop: is at %g, must be after `start`, %g",
                     scene_from_si(reader, r->servo.stop, "s"),
                     scene_from_si(reader, r->servo.start, "s"));
    scene_push(reader, &value);
    return 1;
}

#define OF(member) .offset = offsetof(servo_record, member)
static const scene_field servo_fields[] = {
    {.name = "force",
     .type = SCENE_NUMBER,
     OF(servo.force),
     SCENE_FROM(0),
     .unit = "N",
     .standard = "none",
     .help = "with which bodies push against it; of a box each side"},
    {.name = "stress",
     .type = SCENE_NUMBER,
     OF(servo.stress),
     SCENE_FROM(0),
     .unit = "Pa",
     .flat_unit = "N/m",
     .standard = "none",
     .help = "or the force over the area"},
    {.name = "speed",
     .type = SCENE_NUMBER,
     OF(servo.most_speed),
     .lower = 0,
     .upper = 1e9,
     .above = true,
     .unit = "m/s",
     .required = true,
     .help = "at most; where nothing is touched it goes so fast"},
    {.name = "area",
     .type = SCENE_NUMBER,
     OF(servo.area),
     SCENE_ABOVE(0),
     .unit = "m^2",
     .flat_unit = "m",
     .standard = "of a box as its sides go; of a mesh what it covers, seen along the axis",
     .help = "that the stress is on; a plane alone has none"},
    {.name = "axis",
     .type = SCENE_VECTOR,
     OF(servo.axis),
     .standard = "of planes and boxes towards the bodies",
     .help = "that it pushes along, of any length"},
    {.name = "sides",
     .type = SCENE_FLAGS,
     OF(sides),
     .words = side_words,
     .standard = "all",
     .help = "of a box: those that are driven, of \"-x\", \"+x\", \"-y\", \"+y\", \"-z\", "
             "\"+z\""},
    {.name = "gain",
     .type = SCENE_NUMBER,
     OF(servo.gain),
     SCENE_ABOVE(0),
     .unit = "m/s N",
     .standard = "as contacts are stiff",
     .help = "speed for each newton that lacks, at most; what would not be stable is not used"},
    {.name = "start",
     .type = SCENE_NUMBER,
     OF(servo.start),
     SCENE_FROM(0),
     .unit = "s",
     .standard = "0",
     .help = "when it begins"},
    {.name = "stop",
     .type = SCENE_NUMBER,
     OF(servo.stop),
     SCENE_ABOVE(0),
     .unit = "s",
     .standard = "never",
     .help = "when it ends: the wall stays where it is then, or goes on by its motion"},
};
#undef OF

static void read_servo(scene_reader *reader, void *target)
{
    const scene_value *value = scene_value_at(reader->L, reader->index);
    scree_scene_wall *wall = target;

    if (!value || value->kind != SCENE_A_SERVO)
        scene_refuse_value(reader, "a servo, as servo { stress = 1000, speed = 0.1 }");
    wall->has_servo = true;
    wall->servo = value->servo;
    wall->servo_sides = value->sides;
}

/*  What a servo needs of the surface that it drives. */
static void check_servo(scene_reader *reader, const scree_scene_wall *wall)
{
    const scree_scene_geometry *surface = &wall->surface;
    const double *axis = wall->servo.axis;
    bool is_box = surface->form == SCREE_FORM_BOX, is_plane = surface->form == SCREE_FORM_PLANE;
    bool has_axis = axis[0] != 0 || axis[1] != 0 || axis[2] != 0;
    bool lacks_area = wall->servo.stress > 0 && wall->servo.area == 0;

    if (wall->servo_sides && !is_box)
        scene_refuse(reader, "servo: sides: are of a box");
    if (wall->servo_sides & surface->open)
        scene_refuse(reader, "servo: sides: has one that is open");
    if (is_box && has_axis)
        scene_refuse(reader, "servo: axis: sides of a box are driven inwards, each along its own");
    if (!is_box && !is_plane && !has_axis)
        scene_refuse(reader, "servo: axis: is missing: the direction in which the mesh pushes");
    if (lacks_area && is_plane)
        scene_refuse(reader, "servo: area: is missing: a plane has no end");
    if (lacks_area && is_box && surface->open)
        scene_refuse(reader,
                     "servo: area: is missing: a box with open sides does not say what it is");
}

/* ---- wall ------------------------------------------------------------------------------------------------ */

typedef struct wall_record
{
    scree_scene_wall wall;
    const char *file;
    double scale;
} wall_record;

static void begin_wall(scene_reader *reader, void *record)
{
    wall_record *r = record;

    r->wall = (scree_scene_wall){.line = reader->line,
                                 .name = "",
                                 .orientation = {1},
                                 .groups = 1,
                                 .mask = UINT64_MAX,
                                 .path = scree_default_wall_def().path};
    r->wall.heat.temperature = NAN;
    r->scale = 1;
}

/*  What surface it has: a shape, or the shorter way to say a mesh file. */
static void read_shape(scene_reader *reader, void *target)
{
    const scene_value *value = scene_value_at(reader->L, reader->index);
    bool is_two = reader->scene->plan.world.dimensions == 2;

    if (!value || value->kind != SCENE_A_REGION)
        scene_refuse_value(reader, "a plane, box, cylinder, cone, facets or mesh");
    if (is_two &&
        (value->geometry.form == SCREE_FORM_CYLINDER || value->geometry.form == SCREE_FORM_CONE))
        scene_refuse(reader, "is a %s; walls in two dimensions are planes, boxes and facets",
                     value->made_by);
    *(scree_scene_geometry *)target = value->geometry;
}

static int end_wall(scene_reader *reader, void *record)
{
    wall_record *r = record;
    bool has_file = scene_is_given(reader, "mesh");

    if (has_file == scene_is_given(reader, "shape"))
        scene_refuse(
            reader,
            has_file
                ? "has `shape` and `mesh`; one of both says what it is"
                : "`shape` is missing: a plane, box, cylinder, cone, facets; or `mesh`, a file");
    if (has_file && reader->scene->plan.world.dimensions == 2)
        scene_refuse(reader, "mesh: is for three dimensions; use shape = facets { ... }");
    if (has_file)
        scene_open_mesh(reader, scene_file_path(reader, r->file), r->scale, &r->wall.surface);
    else if (scene_is_given(reader, "scale"))
        scene_refuse(reader, "scale: is for `mesh` alone");
    bool is_planes =
        r->wall.surface.form == SCREE_FORM_PLANE || r->wall.surface.form == SCREE_FORM_BOX;
    if (is_planes && (scene_is_given(reader, "position") || scene_is_given(reader, "orientation")))
        scene_refuse(reader,
                     "position: planes and boxes are where their shape says; `position` and "
                     "`orientation` are for meshes");
    if (r->wall.surface.form == SCREE_FORM_BOX && (r->wall.surface.open & 63) == 63)
        scene_refuse(reader, "shape: a box whose sides are all open is no wall");
    if (r->wall.has_servo)
        check_servo(reader, &r->wall);
    if (r->wall.is_loose)
        scene_check_loose(reader, &r->wall);
    r->wall.heat.is_given = scene_is_given(reader, "temperature");
    *(scree_scene_wall *)scene_row(reader, SCENE_WALLS) = r->wall;
    scene_value value = {.kind = SCENE_A_WALL,
                         .index = (uint32_t)reader->scene->list[SCENE_WALLS].count};
    scene_push(reader, &value);
    return 1;
}

#define OF(member) .offset = offsetof(wall_record, member)
static const scene_field wall_fields[] = {
    {.name = "shape",
     .type = SCENE_OWN,
     OF(wall.surface),
     .read = read_shape,
     .accepts = "a plane, box, cylinder, cone, facets or mesh",
     .standard = "none",
     .help = "its surface; a plane has bodies on one side, all others on both"},
    {.name = "mesh",
     .type = SCENE_TEXT,
     OF(file),
     .standard = "none",
     .help = "or a file: STL, OBJ or PLY, beside the scene"},
    {.name = "scale",
     .type = SCENE_NUMBER,
     OF(scale),
     SCENE_ABOVE(0),
     .standard = "1",
     .help = "of the file's numbers: 0.001 for millimetres"},
    {.name = "material",
     .type = SCENE_MATERIAL,
     OF(wall.material),
     .required = true,
     .help = "what it is made of"},
    {.name = "motion",
     .type = SCENE_OWN,
     OF(wall.path),
     .read = scene_read_motion,
     .standard = "none",
     .accepts = "a motion, or a list of them",
     .help = "move, spin, swing, path, or several in a list"},
    {.name = "servo",
     .type = SCENE_OWN,
     OF(wall),
     .read = read_servo,
     .standard = "none",
     .accepts = "a servo",
     .help = "beside its motion it is driven so that bodies push against it with a given force"},
    {.name = "loose",
     .type = SCENE_OWN,
     OF(wall),
     .read = scene_read_loose,
     .standard = "none",
     .accepts = "a loose wall",
     .help = "or bodies, its weight and loads move it as a rigid body"},
    {.name = "temperature",
     .type = SCENE_NUMBER,
     OF(wall.heat.temperature),
     SCENE_WITHIN(0, 1e9),
     .unit = "K",
     .standard = "it insulates",
     .help = "given, whatever flows; takes heat { }"},
    {.name = "position",
     .type = SCENE_VECTOR,
     OF(wall.position),
     .unit = "m",
     .standard = "{0, 0, 0}",
     .help = "where the mesh's origin is put"},
    {.name = "orientation",
     .type = SCENE_QUATERNION,
     OF(wall.orientation),
     .standard = "{1, 0, 0, 0}",
     .help = "of the mesh: a quaternion, w x y z"},
    {.name = "groups",
     .type = SCENE_GROUPS,
     OF(wall.groups),
     .standard = "{1}",
     .help = "numbers from 1 to 64 that it is in"},
    {.name = "meets",
     .type = SCENE_GROUPS,
     OF(wall.mask),
     .standard = "all",
     .help = "groups that it touches"},
    {.name = "name",
     .type = SCENE_TEXT,
     OF(wall.name),
     .standard = "\"\"",
     .help = "for messages and metrics"},
};
#undef OF

#define MOTION(word, what, how, list, start, finish)                                               \
    {                                                                                              \
        .name = word, .chapter = "Walls", .summary = what, .example = how, .fields = list,         \
        .field_count = SCREE_COUNT_OF(list), .record_bytes = sizeof(scree_wall_path),              \
        .begin = start, .end = finish                                                              \
    }

const scene_function scene_motion_functions[] = {
    {.name = "wall",
     .chapter = "Walls",
     .summary =
         "Something that bodies touch and that goes its own way. Gives back the wall, for measure.",
     .example = "drum = wall { mesh = \"drum.stl\", material = steel, motion = spin { axis = {0, "
                "1, 0}, rate = 6 } }\n"
                "sieve = wall { shape = plane { point = {0, 0, 0.02} }, material = steel, groups = "
                "{2}, meets = {3} }",
     .fields = wall_fields,
     .field_count = SCREE_COUNT_OF(wall_fields),
     .record_bytes = sizeof(wall_record),
     .begin = begin_wall,
     .end = end_wall},
    MOTION("move", "A motion with constant velocity.", "move { velocity = {0.1, 0, 0} }",
           move_fields, NULL, end_move),
    MOTION("spin", "A motion round an axis.", "spin { axis = {0, 1, 0}, rate = 6 }", spin_fields,
           begin_spin, end_spin),
    MOTION("swing", "A motion to and fro, by a sine.",
           "swing { amplitude = {0, 0, 0.001}, frequency = 50 }\n"
           "swing { amplitude = {0.001, 0, 0}, frequency = 50, phase = math.pi / 2 }",
           swing_fields, NULL, end_swing),
    MOTION("path", "A motion by a table of times and shifts.",
           "path { {0, 0, 0, 0}, {1, 0, 0, 0.1} }", path_fields, NULL, end_path),
    {.name = "servo",
     .chapter = "Walls",
     .summary = "Drives a wall so that bodies push against it with a given force or stress. How it "
                "goes about that follows from the contacts it has: no step is too long for it.",
     .example = "wall { shape = box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} }, material = "
                "steel, servo = servo { stress = 1000, speed = 0.1 } }\n"
                "wall { shape = plane { point = {0, 0, 0.1}, normal = {0, 0, -1} }, material = "
                "steel, servo = servo { stress = 1000, area = 0.01, gain = 0.001, speed = 0.1 } }",
     .fields = servo_fields,
     .field_count = SCREE_COUNT_OF(servo_fields),
     .record_bytes = sizeof(servo_record),
     .begin = begin_servo,
     .end = end_servo},
};
const size_t scene_motion_function_count = SCREE_COUNT_OF(scene_motion_functions);
