/*  rest: whether bodies are put to rest. */
#include "language.h"

typedef struct rest_record
{
    scree_rest_def def;
} rest_record;

static void begin_rest(scene_reader *reader, void *record)
{
    (void)reader;
    ((rest_record *)record)->def = scree_default_rest_def();
}

static int end_rest(scene_reader *reader, void *record)
{
    scree_scene_plan *plan = &reader->scene->plan;

    plan->has_rest = true;
    plan->rest_line = reader->line;
    plan->rest = ((rest_record *)record)->def;
    return 0;
}

#define OF(member) .offset = offsetof(rest_record, member)
static const scene_field rest_fields[] = {
    {.name = "speed",
     .type = SCENE_NUMBER,
     OF(def.speed),
     .required = true,
     .lower = 0,
     .upper = 1e100,
     .above = true,
     .unit = "m/s",
     .help = "largest speed of a body, including that of its surface due to rotation"},
    {.name = "acceleration",
     .type = SCENE_NUMBER,
     OF(def.acceleration),
     SCENE_WITHIN(0, 1e100),
     .unit = "m/s^2",
     .standard = "a hundredth of gravity's",
     .help = "largest acceleration by the forces on it, including that of its surface; it wakes "
             "when that changes by more"},
    {.name = "steps",
     .type = SCENE_WHOLE32,
     OF(def.steps),
     SCENE_WITHIN(1, UINT32_MAX),
     .standard = "100",
     .help = "number of steps in a row for which this must hold"},
    {.name = "compute_all",
     .type = SCENE_SWITCH,
     OF(def.computes_all),
     .standard = "false",
     .help = "compute also what cannot have changed; results do not depend on it"},
};
#undef OF

const scene_function scene_rest_functions[] = {
    {.name = "rest",
     .chapter = "The world",
     .summary = "Bodies that have been slow and in balance for a while fall asleep: they stand "
                "still and cost little, until the forces on them change. Only for explicit steps, "
                "without local time stepping and mass scaling.",
     .example = "rest { speed = 1e-4 }",
     .fields = rest_fields,
     .field_count = SCREE_COUNT_OF(rest_fields),
     .record_bytes = sizeof(rest_record),
     .begin = begin_rest,
     .end = end_rest,
     .once = true},
};
const size_t scene_rest_function_count = SCREE_COUNT_OF(scene_rest_functions);
