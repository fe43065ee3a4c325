/*  sleep: whether bodies may fall asleep. */
#include "language.h"

typedef struct rest_record
{
    scree_sleep_def def;
} rest_record;

static void begin_rest(scene_reader *reader, void *record)
{
    (void)reader;
    ((rest_record *)record)->def = scree_default_sleep_def();
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
     .help = "speed limit: of a body, plus that of its surface due to rotation"},
    {.name = "acceleration",
     .type = SCENE_NUMBER,
     OF(def.acceleration),
     SCENE_WITHIN(0, 1e100),
     .unit = "m/s^2",
     .standard = "a hundredth of gravity's",
     .help = "acceleration limit: of a body, plus that of its surface; it wakes when its "
             "acceleration changes by more"},
    {.name = "steps",
     .type = SCENE_WHOLE32,
     OF(def.steps),
     SCENE_WITHIN(1, UINT32_MAX),
     .standard = "100",
     .help = "number of consecutive steps below the limits before it falls asleep"},
    {.name = "compute_all",
     .type = SCENE_SWITCH,
     OF(def.computes_all),
     .standard = "false",
     .help = "also compute what cannot have changed; results do not depend on it"},
};
#undef OF

const scene_function scene_rest_functions[] = {
    {.name = "sleep",
     .old_name = "rest",
     .chapter = "The world",
     .summary = "Bodies that have been slow and in balance for a while fall asleep: they do not "
                "move, and cost little, until the forces on them change. For explicit integrators "
                "without local time steps or mass scaling.",
     .example = "sleep { speed = 1e-4 }",
     .fields = rest_fields,
     .field_count = SCREE_COUNT_OF(rest_fields),
     .record_bytes = sizeof(rest_record),
     .begin = begin_rest,
     .end = end_rest,
     .once = true},
};
const size_t scene_rest_function_count = SCREE_COUNT_OF(scene_rest_functions);
