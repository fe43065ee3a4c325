/*  belt: the surface of a wall that moves along itself. */
#include "lua/language.h"

#include <stddef.h>

static void begin_belt(scene_reader *reader, void *record)
{
    (void)reader;
    *(scree_wall_belt_def *)record = scree_default_wall_belt_def();
}

static int end_belt(scene_reader *reader, void *record)
{
    const scene_value value = {.kind = SCENE_A_BELT, .belt = *(const scree_wall_belt_def *)record};
    const bool turns = scene_is_given(reader, "rate");

    if (!turns && !scene_is_given(reader, "velocity"))
        scene_refuse(reader, "`velocity` or `rate` is missing");
    if (!turns && (scene_is_given(reader, "axis") || scene_is_given(reader, "centre")))
        scene_refuse(reader, "axis and centre need a `rate`");
    scene_push(reader, &value);
    return 1;
}

void scene_read_belt(scene_reader *reader, void *target)
{
    scree_scene_wall *wall = target;
    const scene_value *value = scene_value_at(reader->L, reader->index);

    if (!value || value->kind != SCENE_A_BELT)
        scene_refuse_value(reader, "a belt, as belt { velocity = {1, 0, 0} }");
    wall->has_belt = true;
    wall->belt = value->belt;
}

#define OF(member) .offset = offsetof(scree_wall_belt_def, member)
static const scene_field belt_fields[] = {
    {.name = "velocity",
     .type = SCENE_VECTOR,
     OF(velocity),
     .unit = "m/s",
     .standard = "{0, 0, 0}",
     .help = "of the surface"},
    {.name = "rate",
     .type = SCENE_NUMBER,
     OF(rate),
     SCENE_ANY,
     .unit = "rad/s",
     .standard = "0",
     .help = "angular velocity of the surface in addition, by the right-hand rule: a roller, a "
             "turntable"},
    {.name = "axis",
     .type = SCENE_VECTOR,
     OF(axis),
     .standard = "{0, 0, 1}",
     .help = "its axis, of any length"},
    {.name = "centre",
     .type = SCENE_VECTOR,
     OF(centre),
     .unit = "m",
     .standard = "{0, 0, 0}",
     .help = "a point on the axis"},
};
#undef OF

const scene_function scene_belt_functions[] = {
    {.name = "belt",
     .chapter = "Walls",
     .summary = "Moves the surface of a wall along itself: bodies are dragged along, but the wall "
                "stays where it is. At a contact "
                "the velocity counts without its component along the normal. A stage starts, stops "
                "or changes it with drive.",
     .example =
         "wall { shape = plane { point = {0, 0, 0} }, material = steel, belt = belt { velocity = "
         "{0.5, 0, 0} } }\n"
         "wall { shape = plane { point = {0, 0, 0.1} }, material = steel, belt = belt { rate = 6, "
         "axis "
         "= {0, 0, 1}, centre = {0.1, 0, 0} } }",
     .fields = belt_fields,
     .field_count = SCREE_COUNT_OF(belt_fields),
     .record_bytes = sizeof(scree_wall_belt_def),
     .begin = begin_belt,
     .end = end_belt},
};
const size_t scene_belt_function_count = SCREE_COUNT_OF(scene_belt_functions);
