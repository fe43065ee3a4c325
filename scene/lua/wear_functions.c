/*  wear: how a wall is worn by sliding and by impacts. */
#include "lua/language.h"

#include <stddef.h>

static void begin_wear(scene_reader *reader, void *record)
{
    (void)reader;
    *(scree_wear_def *)record = scree_default_wear_def();
}

static int end_wear(scene_reader *reader, void *record)
{
    const scene_value value = {.kind = SCENE_A_WEAR, .wear = *(const scree_wear_def *)record};
    static const char *const of_impacts[] = {"reference_speed", "reference_diameter",
                                             "speed_exponent",  "diameter_exponent",
                                             "angle_exponent",  "hardness_exponent"};

    if (!scene_is_given(reader, "coefficient") && !scene_is_given(reader, "erosion"))
        scene_refuse(reader, "`coefficient` or `erosion` is missing");
    for (size_t k = 0; k < SCREE_COUNT_OF(of_impacts); k++)
        if (scene_is_given(reader, of_impacts[k]) && !scene_is_given(reader, "erosion"))
            scene_refuse(reader, "%s: needs an `erosion`", of_impacts[k]);
    scene_push(reader, &value);
    return 1;
}

void scene_read_wear(scene_reader *reader, void *target)
{
    scree_scene_wall *wall = target;
    const scene_value *value = scene_value_at(reader->L, reader->index);

    if (!value || value->kind != SCENE_A_WEAR)
        scene_refuse_value(reader, "wear, as wear { coefficient = 1e-4, hardness = 2e9 }");
    wall->wears = true;
    wall->wear = value->wear;
}

#define OF(member) .offset = offsetof(scree_wear_def, member)
static const scene_field wear_fields[] = {
    {.name = "coefficient",
     .type = SCENE_NUMBER,
     OF(coefficient),
     SCENE_FROM(0),
     .standard = "0",
     .help = "of Archard, without unit: sliding wears coefficient * force * way / hardness"},
    {.name = "hardness",
     .type = SCENE_NUMBER,
     OF(hardness),
     SCENE_ABOVE(0),
     .unit = "Pa",
     .standard = "1e9",
     .help = "of the wall"},
    {.name = "erosion",
     .type = SCENE_NUMBER,
     OF(erosion),
     SCENE_FROM(0),
     .unit = "m^3/kg",
     .standard = "0",
     .help = "volume worn per mass of bodies that hit at right angles with reference_speed (Oka)"},
    {.name = "reference_speed",
     .type = SCENE_NUMBER,
     OF(reference_speed),
     SCENE_ABOVE(0),
     .unit = "m/s",
     .standard = "104",
     .help = "at which `erosion` was measured"},
    {.name = "reference_diameter",
     .type = SCENE_NUMBER,
     OF(reference_diameter),
     SCENE_ABOVE(0),
     .unit = "m",
     .standard = "326e-6",
     .help = "of the bodies with which it was measured"},
    {.name = "speed_exponent",
     .type = SCENE_NUMBER,
     OF(speed_exponent),
     SCENE_WITHIN(0, 10),
     .standard = "2.35",
     .help = "erosion grows with the speed to this power"},
    {.name = "diameter_exponent",
     .type = SCENE_NUMBER,
     OF(diameter_exponent),
     SCENE_WITHIN(-10, 10),
     .standard = "0.19",
     .help = "and with the diameter to this power"},
    {.name = "angle_exponent",
     .type = SCENE_NUMBER,
     OF(angle_exponent),
     SCENE_WITHIN(0, 10),
     .standard = "0.8",
     .help = "n1: at an angle a to the surface it is (sin a)^n1 (1 + H (1 - sin a))^n2 times as "
             "large, H the hardness in GPa"},
    {.name = "hardness_exponent",
     .type = SCENE_NUMBER,
     OF(hardness_exponent),
     SCENE_WITHIN(0, 10),
     .standard = "1.3",
     .help = "n2"},
};
#undef OF

const scene_function scene_wear_functions[] = {
    {.name = "wear",
     .chapter = "Walls",
     .summary =
         "How bodies wear a wall, facet by facet: by sliding (Archard) and by impacts (Oka). "
         "The wall keeps its form. measure { what = \"wear\" } gives the volume, and walls "
         "in VTK files have the depth of each facet.",
     .example = "wall { shape = plane { point = {0, 0, 0} }, material = steel, wear = wear { "
                "coefficient = 1e-4, hardness = 2e9 } }\n"
                "wall { shape = plane { point = {0, 0, 0.1} }, material = steel, wear = wear { "
                "erosion = 5e-8, hardness = 2e9, reference_speed = 104, reference_diameter = "
                "326e-6, speed_exponent = 2.35, diameter_exponent = 0.19, angle_exponent = 0.8, "
                "hardness_exponent = 1.3 } }",
     .fields = wear_fields,
     .field_count = SCREE_COUNT_OF(wear_fields),
     .record_bytes = sizeof(scree_wear_def),
     .begin = begin_wear,
     .end = end_wear},
};
const size_t scene_wear_function_count = SCREE_COUNT_OF(scene_wear_functions);
