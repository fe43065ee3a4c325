/*  rest: whether bodies are put to rest. */
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
     .help = "of a body and, by its spin, of its surface together, at most"},
    {.name = "acceleration",
     .type = SCENE_NUMBER,
     OF(def.acceleration),
     SCENE_WITHIN(0, 1e100),
     .unit = "m/s^2",
     .standard = "a hundredth of gravity's",
     .help = "that what acts on it would give it and its surface together, at most; it wakes when "
             "that changes by more"},
    {.name = "steps",
     .type = SCENE_WHOLE32,
     OF(def.steps),
     SCENE_WITHIN(1, UINT32_MAX),
     .standard = "100",
     .help = "in a row for which it must have been so"},
    {.name = "compute_all",
     .type = SCENE_SWITCH,
     OF(def.computes_all),
     .standard = "false",
     .help = "also what cannot have changed; results do not depend on it"},
};
#undef OF

const scene_function scene_rest_functions[] = {
    {.name = "sleep",
     .old_name = "rest",
     .chapter = "The world",
     .summary = "Bodies that have been slow and in balance for a while are put to rest: they stand "
                "still, and cost little, until what acts on them changes. For explicit steps that "
                "are not local, of masses that are not scaled.",
     .example = "sleep { speed = 1e-4 }",
     .fields = rest_fields,
     .field_count = SCREE_COUNT_OF(rest_fields),
     .record_bytes = sizeof(rest_record),
     .begin = begin_rest,
     .end = end_rest,
     .once = true},
};
const size_t scene_rest_function_count = SCREE_COUNT_OF(scene_rest_functions);
