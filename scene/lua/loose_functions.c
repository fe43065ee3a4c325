/*  free_wall: makes a wall a free rigid body. */
#include "language.h"

#include <stddef.h>

static void begin_loose(scene_reader *reader, void *record)
{
    (void)reader;
    *(scree_free_wall_def *)record = scree_default_free_wall_def();
}

static int end_loose(scene_reader *reader, void *record)
{
    const scene_value value = {.kind = SCENE_A_FREE_WALL, .loose = *(scree_free_wall_def *)record};

    scene_push(reader, &value);
    return 1;
}

#define OF(member) .offset = offsetof(scree_free_wall_def, member)
static const scene_field loose_fields[] = {
    {.name = "mass",
     .type = SCENE_NUMBER,
     OF(mass),
     SCENE_ABOVE(0),
     .unit = "kg",
     .required = true,
     .help = "of the wall"},
    {.name = "inertia",
     .type = SCENE_VECTOR,
     OF(inertia),
     .unit = "kg m^2",
     .standard = "none: it must be given where the wall may turn",
     .help = "about the centre, along the axes of `frame`"},
    {.name = "centre",
     .type = SCENE_VECTOR,
     OF(centre),
     .unit = "m",
     .standard = "{0, 0, 0}",
     .help = "centre of mass: in the mesh, or relative to the plane's point"},
    {.name = "frame",
     .type = SCENE_QUATERNION,
     OF(frame),
     .standard = "{1, 0, 0, 0}",
     .help = "rotation from the axes of inertia to those of the mesh: a quaternion, w x y z"},
    {.name = "velocity",
     .type = SCENE_VECTOR,
     OF(velocity),
     .unit = "m/s",
     .standard = "{0, 0, 0}",
     .help = "of the centre, at the start"},
    {.name = "spin",
     .type = SCENE_VECTOR,
     OF(spin),
     .unit = "rad/s",
     .standard = "{0, 0, 0}",
     .help = "at the start"},
    {.name = "force",
     .type = SCENE_VECTOR,
     OF(force),
     .unit = "N",
     .standard = "{0, 0, 0}",
     .help = "external force, in addition to its weight and contacts"},
    {.name = "torque",
     .type = SCENE_VECTOR,
     OF(torque),
     .unit = "N m",
     .standard = "{0, 0, 0}",
     .help = "external torque: a motor"},
    {.name = "damping",
     .type = SCENE_NUMBER,
     OF(damping),
     SCENE_FROM(0),
     .unit = "N s/m",
     .standard = "0",
     .help = "force against its velocity, for each m/s"},
    {.name = "angular_damping",
     .old_name = "turn_damping",
     .type = SCENE_NUMBER,
     OF(angular_damping),
     SCENE_FROM(0),
     .unit = "N m s",
     .standard = "0",
     .help = "damping torque per angular velocity"},
    {.name = "held",
     .type = SCENE_FLAGS,
     OF(held),
     .words = scene_freeze_words,
     .standard = "{}",
     .help = "components whose velocity is constant: \"x\", \"y\", \"z\", \"spin_x\", \"spin_y\", "
             "\"spin_z\", or \"all\""},
};
#undef OF

void scene_read_loose(scene_reader *reader, void *target)
{
    const scene_value *value = scene_value_at(reader->L, reader->index);
    scree_scene_wall *wall = target;

    if (!value || value->kind != SCENE_A_FREE_WALL)
        scene_refuse_value(reader, "a free wall, as free_wall { mass = 1, held = \"all\" }");
    wall->is_free = true;
    wall->loose = value->loose;
}

void scene_check_loose(scene_reader *reader, const scree_scene_wall *wall)
{
    if (wall->surface.form == SCREE_FORM_BOX)
        scene_refuse(reader, "free: a box is several planes; only a mesh or one plane can be free");
    if (scene_is_given(reader, "motion") || wall->has_servo)
        scene_refuse(reader, "free: has `%s`, too; a wall that bodies move has none",
                     wall->has_servo ? "servo" : "motion");
}

const scene_function scene_loose_functions[] = {
    {.name = "free_wall",
     .old_name = "loose",
     .chapter = "Walls",
     .summary =
         "Makes a wall a free rigid body: bodies, its weight and loads move it in six degrees of "
         "freedom, except those that are held. Free walls do not collide with other walls.",
     .example =
         "blade = wall { mesh = \"blade.stl\", material = steel, free = free_wall { mass = 2, "
         "inertia "
         "= {1, 1, 0.5}, torque = {0, 0, 3}, held = {\"x\", \"y\", \"z\", \"spin_x\", \"spin_y\"} "
         "} }\n"
         "bob = wall { mesh = \"blade.stl\", material = steel, free = free_wall { mass = 2, "
         "inertia = "
         "{1, 1, 0.5}, frame = {0.8, 0.6, 0, 0}, spin = {0, 0, 1}, damping = 0.5 } }",
     .fields = loose_fields,
     .field_count = SCREE_COUNT_OF(loose_fields),
     .record_bytes = sizeof(scree_free_wall_def),
     .begin = begin_loose,
     .end = end_loose},
};
const size_t scene_loose_function_count = SCREE_COUNT_OF(scene_loose_functions);
