/*  wall, and its servo. Motions of walls are in path_functions.c. */
#include "field_rows.h"
#include "language.h"

#include <string.h>

/* ---- servo ----------------------------------------------------------------------------------------------- */

typedef struct servo_record
{
    scree_wall_servo_def servo;
    uint32_t sides;
} servo_record;

static const scene_word side_words[] = {
    {"-x", 1}, {"+x", 2}, {"-y", 4}, {"+y", 8}, {"-z", 16}, {"+z", 32}, {NULL, 0},
};

static void begin_servo(scene_reader *reader, void *record)
{
    (void)reader;
    ((servo_record *)record)->servo = scree_default_wall_servo_def();
}

static int end_servo(scene_reader *reader, void *record)
{
    servo_record *r = record;
    scene_value value = {.kind = SCENE_A_SERVO, .servo = r->servo, .sides = r->sides};
    bool has_force = scene_is_given(reader, "force");

    if (has_force == scene_is_given(reader, "stress"))
        scene_refuse(reader, has_force ? "has `force` and `stress`; give one of them"
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
     .help = "force of the bodies on it; on each side of a box"},
    {.name = "stress",
     .type = SCENE_NUMBER,
     OF(servo.stress),
     SCENE_FROM(0),
     .unit = "Pa",
     .flat_unit = "N/m",
     .standard = "none",
     .help = "or force per area"},
    {.name = "speed",
     .type = SCENE_NUMBER,
     OF(servo.max_speed),
     .lower = 0,
     .upper = 1e9,
     .above = true,
     .unit = "m/s",
     .required = true,
     .help = "largest speed; also the speed while it touches nothing"},
    {.name = "area",
     .type = SCENE_NUMBER,
     OF(servo.area),
     SCENE_ABOVE(0),
     .unit = "m^2",
     .flat_unit = "m",
     .standard = "of a box as its sides go; of a mesh what it covers, seen along the axis",
     .help = "area for the stress; required for a single plane"},
    {.name = "axis",
     .type = SCENE_VECTOR,
     OF(servo.axis),
     .standard = "of planes and boxes towards the bodies",
     .help = "direction of its motion, of any length"},
    {.name = "sides",
     .type = SCENE_FLAGS,
     OF(sides),
     .words = side_words,
     .standard = "all",
     .help = "of a box: the controlled sides: \"-x\", \"+x\", \"-y\", \"+y\", \"-z\", \"+z\""},
    {.name = "gain",
     .type = SCENE_NUMBER,
     OF(servo.gain),
     SCENE_ABOVE(0),
     .unit = "m/s N",
     .standard = "as contacts are stiff",
     .help = "largest speed for each newton of missing force; it is reduced where it would not be "
             "stable"},
    {.name = "start",
     .type = SCENE_NUMBER,
     OF(servo.start),
     SCENE_FROM(0),
     .unit = "s",
     .standard = "0",
     .help = "when it starts"},
    {.name = "stop",
     .type = SCENE_NUMBER,
     OF(servo.stop),
     SCENE_ABOVE(0),
     .unit = "s",
     .standard = "never",
     .help = "when it ends: the wall then stays where it is, or continues its motion"},
};
#undef OF

void scene_read_servo(scene_reader *reader, void *target)
{
    const scene_value *value = scene_value_at(reader->L, reader->index);
    scree_scene_wall *wall = target;

    if (!value || value->kind != SCENE_A_SERVO)
        scene_refuse_value(reader, "a servo, as servo { stress = 1000, speed = 0.1 }");
    wall->has_servo = true;
    wall->servo = value->servo;
    wall->servo_sides = value->sides;
}

void scene_check_servo(scene_reader *reader, const scree_scene_wall *wall)
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

/*  The surface of a wall: a shape, or directly the name of a mesh file. */
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
    if (scene_is_composed(&value->geometry))
        scene_refuse(reader, "is composed of regions; a wall has one surface: make one of each");
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
                ? "has `shape` and `mesh`; give one of them"
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
        scene_refuse(reader, "shape: a box with all sides open is not a wall");
    if (r->wall.has_servo)
        scene_check_servo(reader, &r->wall);
    if (r->wall.is_free)
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
     .help = "its surface; a plane has bodies on one side, all other surfaces on both"},
    {.name = "mesh",
     .type = SCENE_TEXT,
     OF(file),
     .standard = "none",
     .help = "or a file: STL, OBJ or PLY, relative to the scene"},
    {.name = "scale",
     .type = SCENE_NUMBER,
     OF(scale),
     SCENE_ABOVE(0),
     .standard = "1",
     .help = "factor for the numbers of the file: 0.001 for millimetres"},
    {.name = "material",
     .type = SCENE_MATERIAL,
     OF(wall.material),
     .required = true,
     .help = "its material"},
    {.name = "motion",
     .type = SCENE_OWN,
     OF(wall.path),
     .read = scene_read_motion,
     .standard = "none",
     .accepts = "a motion, a list of them, or a function of time",
     .help = "move, spin, swing, path, or a list of several, which add up; or, also in a list, a "
             "function of time that "
             "returns the displacement {x, y, z} and, for a rotation, a quaternion {w, x, y, z}"},
    {.name = "servo",
     .type = SCENE_OWN,
     OF(wall),
     .read = scene_read_servo,
     .standard = "none",
     .accepts = "a servo",
     .help = "beside its motion it is driven so that bodies push against it with a given force"},
    {.name = "belt",
     .type = SCENE_OWN,
     OF(wall),
     .read = scene_read_belt,
     .standard = "none",
     .accepts = "a belt",
     .help = "its surface moves along itself, and drags bodies along"},
    {.name = "wear",
     .type = SCENE_OWN,
     OF(wall),
     .read = scene_read_wear,
     .standard = "none",
     .accepts = "wear",
     .help = "bodies wear it, by sliding and by impacts"},
    {.name = "free",
     .old_name = "loose",
     .type = SCENE_OWN,
     OF(wall),
     .read = scene_read_loose,
     .standard = "none",
     .accepts = "a free wall",
     .help = "makes it a free rigid body, moved by bodies, its weight and loads"},
    {.name = "temperature",
     .type = SCENE_NUMBER,
     OF(wall.heat.temperature),
     SCENE_WITHIN(0, 1e9),
     .unit = "K",
     .standard = "it insulates",
     .help = "fixed, whatever flows; requires heat { }"},
    {.name = "position",
     .type = SCENE_VECTOR,
     OF(wall.position),
     .unit = "m",
     .standard = "{0, 0, 0}",
     .help = "position of the mesh's origin"},
    {.name = "orientation",
     .type = SCENE_QUATERNION,
     OF(wall.orientation),
     .standard = "{1, 0, 0, 0}",
     .help = "of the mesh: a quaternion, w x y z"},
    SCENE_GROUP_ROWS(wall.groups, wall.mask, "it"),
    {.name = "name",
     .type = SCENE_TEXT,
     OF(wall.name),
     .standard = "\"\"",
     .help = "for messages and metrics"},
};
#undef OF

const scene_function scene_wall_functions[] = {
    {.name = "wall",
     .chapter = "Walls",
     .summary = "A surface that bodies collide with. It is at rest, or moves as given. Gives back "
                "the wall, for measure.",
     .example = "drum = wall { mesh = \"drum.stl\", material = steel, motion = spin { axis = {0, "
                "1, 0}, rate = 6 } }\n"
                "sieve = wall { shape = plane { point = {0, 0, 0.02} }, material = steel, groups = "
                "{2}, meets = {3} }",
     .fields = wall_fields,
     .field_count = SCREE_COUNT_OF(wall_fields),
     .record_bytes = sizeof(wall_record),
     .begin = begin_wall,
     .end = end_wall},
    {.name = "servo",
     .chapter = "Walls",
     .summary = "Moves a wall so that bodies push against it with a given force or stress. Its "
                "response follows from its contacts, so it is stable for any time step.",
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
const size_t scene_wall_function_count = SCREE_COUNT_OF(scene_wall_functions);
