/*  joint: holds two bodies together, or a body and a wall or the fixed world. */
#include "lua/language.h"

#include <stddef.h>

static const scene_word kind_words[] = {
    {"hinge", SCREE_JOINT_HINGE}, {"slider", SCREE_JOINT_SLIDER}, {"ball", SCREE_JOINT_BALL},
    {"weld", SCREE_JOINT_WELD},   {"spring", SCREE_JOINT_SPRING}, {NULL, 0}};

/*  Limits and motors by what they are of: only those of the kind may be given. */
typedef struct joint_record
{
    scree_scene_joint joint;
    int kind;
    double angles[2], distances[2];
    double rate, angle, torque;       /* motor of a hinge */
    double velocity, distance, force; /* of a slider */
} joint_record;

static void begin_joint(scene_reader *reader, void *record)
{
    joint_record *r = record;

    r->joint.line = reader->line;
    r->joint.def = scree_default_joint_def();
}

/* ---- ends ---- */

static void read_first(scene_reader *reader, void *target)
{
    joint_record *r = target;
    const scene_value *value = scene_value_at(reader->L, reader->index);

    if (!value || value->kind != SCENE_A_BODY)
        scene_refuse_value(reader, "a value returned by body { ... }");
    r->joint.first = value->index;
}

static void check_wall(scene_reader *reader, uint32_t index)
{
    const scree_scene_wall *walls = reader->scene->list[SCENE_WALLS].rows;
    const scree_scene_wall *wall = &walls[index - 1];

    if (wall->surface.form == SCREE_FORM_BOX)
        scene_refuse(reader, "second: is a box, which is several planes; use a mesh or one plane");
    if (wall->is_free)
        scene_refuse(reader, "second: is a free wall, which has no joints; use a body");
    if (wall->comes_later)
        scene_refuse(reader, "second: is a wall that a stage adds; joints are made at the start");
}

static void read_second(scene_reader *reader, void *target)
{
    joint_record *r = target;
    const scene_value *value = scene_value_at(reader->L, reader->index);

    if (value && value->kind == SCENE_A_BODY) {
        r->joint.second = value->index;
    } else if (value && value->kind == SCENE_A_WALL) {
        check_wall(reader, value->index);
        r->joint.wall = value->index;
    } else {
        scene_refuse_value(reader, "a value returned by body { ... } or wall { ... }");
    }
}

/* ---- limits ---- */

static void read_limits(scene_reader *reader, double limits[2], const char *unit)
{
    scene_length(reader, reader->index, 2, 2);
    for (int k = 0; k < 2; k++)
        limits[k] = scene_item_in_si(reader, reader->index, k + 1, unit);
    if (!(limits[0] <= limits[1]))
        scene_refuse(reader, "%s: the first is %g, must be at most the second, %g",
                     reader->field->name, limits[0], limits[1]);
}

static void read_angles(scene_reader *reader, void *target)
{
    read_limits(reader, ((joint_record *)target)->angles, "rad");
}

static void read_distances(scene_reader *reader, void *target)
{
    read_limits(reader, ((joint_record *)target)->distances, "m");
}

/* ---- the joint ---- */

static void refuse_of(scene_reader *reader, const char *const *fields, const char *why)
{
    for (; *fields; fields++)
        if (scene_is_given(reader, *fields))
            scene_refuse(reader, "%s: %s", *fields, why);
}

/*  Angular members belong to hinges and balls, linear ones to sliders and springs. */
static void check_kind(scene_reader *reader, const joint_record *r)
{
    static const char *const angular[] = {"rate", "angle", "torque", NULL};
    static const char *const linear[] = {"velocity", "distance", "force", NULL};
    static const char *const angles[] = {"angles", NULL}, *const distances[] = {"distances", NULL};
    static const char *const spring[] = {"to", "rest_length", NULL};
    const bool has_angles = r->kind == SCREE_JOINT_HINGE || r->kind == SCREE_JOINT_BALL;
    const bool has_distances = r->kind == SCREE_JOINT_SLIDER || r->kind == SCREE_JOINT_SPRING;

    if (r->kind != SCREE_JOINT_HINGE)
        refuse_of(reader, angular, "is of the motor of a hinge");
    if (r->kind != SCREE_JOINT_SLIDER)
        refuse_of(reader, linear, "is of the motor of a slider");
    if (!has_angles)
        refuse_of(reader, angles, "are limits of a hinge or ball");
    if (!has_distances)
        refuse_of(reader, distances, "are limits of a slider or spring");
    if (r->kind != SCREE_JOINT_SPRING)
        refuse_of(reader, spring, "is of a spring");
    else if (!scene_is_given(reader, "to"))
        scene_refuse(reader, "`to` is missing, the other end of the spring");
}

static void set_limits(scene_reader *reader, joint_record *r)
{
    const bool is_ball = r->kind == SCREE_JOINT_BALL;
    const bool by_angles = scene_is_given(reader, "angles");
    const double *limits = by_angles ? r->angles : r->distances;

    if (!by_angles && !scene_is_given(reader, "distances"))
        return;
    if (is_ball && limits[0] != 0)
        scene_refuse(reader, "angles: the first is %g, must be 0: a ball has a largest tilt",
                     limits[0]);
    if (!is_ball)
        r->joint.def.lower = limits[0];
    r->joint.def.upper = limits[1];
}

/*  A motor has a speed or a position, and a largest effort. */
static void set_motor(scene_reader *reader, joint_record *r, const char *speed,
                      const char *position, const char *effort, const double values[3])
{
    const bool has_speed = scene_is_given(reader, speed),
               has_position = scene_is_given(reader, position);
    scree_joint_motor *motor = &r->joint.def.motor;

    if (has_speed && has_position)
        scene_refuse(reader, "has `%s` and `%s`; a motor holds one of them", speed, position);
    if (!has_speed && !has_position) {
        const char *const lone[] = {effort, NULL};
        refuse_of(reader, lone, "is of a motor, which has no target");
        return;
    }
    if (!scene_is_given(reader, effort))
        scene_refuse(reader, "`%s` is missing, the largest of its motor", effort);
    motor->mode = has_speed ? SCREE_MOTOR_SPEED : SCREE_MOTOR_POSITION;
    motor->target = has_speed ? values[0] : values[1];
    motor->max_effort = values[2];
}

static int end_joint(scene_reader *reader, void *record)
{
    joint_record *r = record;
    const double hinge[3] = {r->rate, r->angle, r->torque};
    const double slider[3] = {r->velocity, r->distance, r->force};

    r->joint.def.kind = (scree_joint_kind)r->kind;
    check_kind(reader, r);
    set_limits(reader, r);
    if (r->kind == SCREE_JOINT_HINGE)
        set_motor(reader, r, "rate", "angle", "torque", hinge);
    if (r->kind == SCREE_JOINT_SLIDER)
        set_motor(reader, r, "velocity", "distance", "force", slider);
    *(scree_scene_joint *)scene_row(reader, SCENE_JOINTS) = r->joint;
    return 0;
}

#define OF(member) .offset = offsetof(joint_record, member)
static const scene_field joint_fields[] = {
    {.name = "kind",
     .type = SCENE_WORD,
     OF(kind),
     .words = kind_words,
     .required = true,
     .help = "\"hinge\" rotates about its axis, \"slider\" moves along it, \"ball\" rotates, "
             "\"weld\" does neither; \"spring\" holds the distance of two points"},
    {.name = "first",
     .type = SCENE_OWN,
     .read = read_first,
     .required = true,
     .accepts = "a value returned by body { ... }",
     .help = "the body that is joined"},
    {.name = "second",
     .type = SCENE_OWN,
     .read = read_second,
     .standard = "the fixed world",
     .accepts = "a value returned by body { ... } or wall { ... }",
     .help = "to which body or wall"},
    {.name = "at",
     .type = SCENE_VECTOR,
     OF(joint.def.anchor),
     .unit = "m",
     .required = true,
     .help = "where, at the start; of a spring its end at the first body"},
    {.name = "to",
     .type = SCENE_VECTOR,
     OF(joint.def.second_anchor),
     .unit = "m",
     .standard = "none",
     .help = "the other end of a spring"},
    {.name = "axis",
     .type = SCENE_VECTOR,
     OF(joint.def.axis),
     .standard = "{0, 0, 1}; of a slider in two dimensions {1, 0, 0}",
     .help = "of a hinge or slider, about or along which the first body is moved in the positive "
             "direction; of a ball, whose tilt is limited"},
    {.name = "angles",
     .type = SCENE_OWN,
     .read = read_angles,
     .unit = "rad",
     .standard = "no limits",
     .accepts = "two angles {least, largest}",
     .help = "limits of a hinge, which starts at 0; of a ball {0, largest tilt}"},
    {.name = "distances",
     .type = SCENE_OWN,
     .read = read_distances,
     .unit = "m",
     .standard = "no limits",
     .accepts = "two distances {least, largest}",
     .help = "limits of a slider, which starts at 0, or of the length of a spring"},
    {.name = "rate",
     .type = SCENE_NUMBER,
     OF(rate),
     SCENE_ANY,
     .unit = "rad/s",
     .standard = "no motor",
     .help = "of the motor of a hinge: the angular velocity that it holds"},
    {.name = "angle",
     .type = SCENE_NUMBER,
     OF(angle),
     SCENE_ANY,
     .unit = "rad",
     .standard = "no motor",
     .help = "or the angle that it holds"},
    {.name = "torque",
     .type = SCENE_NUMBER,
     OF(torque),
     SCENE_ABOVE(0),
     .unit = "N m",
     .standard = "none: must be given with a motor",
     .help = "its largest torque"},
    {.name = "velocity",
     .type = SCENE_NUMBER,
     OF(velocity),
     SCENE_ANY,
     .unit = "m/s",
     .standard = "no motor",
     .help = "of the motor of a slider: the velocity that it holds"},
    {.name = "distance",
     .type = SCENE_NUMBER,
     OF(distance),
     SCENE_ANY,
     .unit = "m",
     .standard = "no motor",
     .help = "or the distance that it holds"},
    {.name = "force",
     .type = SCENE_NUMBER,
     OF(force),
     SCENE_ABOVE(0),
     .unit = "N",
     .standard = "none: must be given with a motor",
     .help = "its largest force"},
    {.name = "rest_length",
     .type = SCENE_NUMBER,
     OF(joint.def.rest_length),
     SCENE_FROM(0),
     .unit = "m",
     .standard = "the length at the start",
     .help = "of a spring without load"},
    {.name = "stiffness",
     .type = SCENE_NUMBER,
     OF(joint.def.stiffness),
     SCENE_ABOVE(0),
     .unit = "N/m",
     .standard = "as large as the time step allows",
     .help = "of what is held, and of limits"},
    {.name = "turn_stiffness",
     .type = SCENE_NUMBER,
     OF(joint.def.turn_stiffness),
     SCENE_ABOVE(0),
     .unit = "N m/rad",
     .standard = "as large as the time step allows",
     .help = "of rotations that are held, and of their limits"},
    {.name = "damping_ratio",
     .type = SCENE_NUMBER,
     OF(joint.def.damping_ratio),
     SCENE_WITHIN(0, 1),
     .standard = "0.1",
     .help = "of what is held: 1 is critical damping of the two ends"},
    {.name = "strength",
     .type = SCENE_NUMBER,
     OF(joint.def.strength),
     SCENE_ABOVE(0),
     .unit = "N",
     .standard = "unbreakable",
     .help = "force at which it breaks"},
    {.name = "turn_strength",
     .type = SCENE_NUMBER,
     OF(joint.def.turn_strength),
     SCENE_ABOVE(0),
     .unit = "N m",
     .standard = "unbreakable",
     .help = "torque at which it breaks"},
    {.name = "collide",
     .type = SCENE_SWITCH,
     OF(joint.def.collide),
     .standard = "false",
     .help = "what is joined also touches"},
};
#undef OF

const scene_function scene_joint_functions[] = {
    {.name = "joint",
     .chapter = "Bodies",
     .summary = "Joins a body to another, to a wall, or to the fixed world. What it holds yields a "
                "little, as contacts do. metrics.csv gets the columns joints and broken_joints. "
                "Joints cannot be combined with sleep, implicit integrators, local steps, ranks "
                "and devices.",
     .example =
         "door = body { shape = sphere { radius = 0.1 }, material = steel, position = {0.5, 0, 0} "
         "}\n"
         "joint { kind = \"hinge\", first = door, at = {0, 0, 0}, axis = {0, 1, 0}, angles = {-1, "
         "1}, rate = 2, torque = 5 }\n"
         "bob = body { shape = sphere { radius = 0.1 }, material = steel, position = {1, 0, 0} }\n"
         "joint { kind = \"spring\", first = bob, second = door, at = {1, 0, 0}, to = {0.5, 0, 0}, "
         "stiffness = 1000, rest_length = 0.5, strength = 200 }\n"
         "arm = body { shape = sphere { radius = 0.1 }, material = steel, position = {2, 0, 0} }\n"
         "joint { kind = \"weld\", first = arm, at = {2, 0, 0}, stiffness = 1e6, turn_stiffness = "
         "1e4, "
         "turn_strength = 50 }",
     .fields = joint_fields,
     .field_count = SCREE_COUNT_OF(joint_fields),
     .record_bytes = sizeof(joint_record),
     .begin = begin_joint,
     .end = end_joint},
};
const size_t scene_joint_function_count = SCREE_COUNT_OF(scene_joint_functions);
