/*  heat: temperatures of bodies. */
#include "language.h"

typedef struct heat_record
{
    scree_heat_def def;
} heat_record;

static void begin_heat(scene_reader *reader, void *record)
{
    (void)reader;
    ((heat_record *)record)->def = scree_default_heat_def();
}

static int end_heat(scene_reader *reader, void *record)
{
    scree_scene_plan *plan = &reader->scene->plan;

    plan->has_heat = true;
    plan->heat_line = reader->line;
    plan->heat = ((heat_record *)record)->def;
    return 0;
}

#define OF(member) .offset = offsetof(heat_record, member)
static const scene_field heat_fields[] = {
    {.name = "temperature",
     .type = SCENE_NUMBER,
     OF(def.temperature),
     SCENE_WITHIN(0, 1e9),
     .unit = "K",
     .standard = "293.15",
     .help = "of bodies without a temperature of their own"},
    {.name = "losses",
     .type = SCENE_NUMBER,
     OF(def.loss_share),
     SCENE_WITHIN(0, 1),
     .standard = "0",
     .help = "share of what contacts lose by damping, friction and rolling that warms the bodies; "
             "takes solver { energy_balance = true }"},
};
#undef OF

const scene_function scene_heat_functions[] = {
    {.name = "heat",
     .chapter = "The world",
     .summary = "Bodies have temperatures, and heat flows through their contacts. Materials of "
                "bodies need a heat_capacity, and a conductivity for anything to flow.",
     .example = "heat { temperature = 300 }",
     .fields = heat_fields,
     .field_count = SCREE_COUNT_OF(heat_fields),
     .record_bytes = sizeof(heat_record),
     .begin = begin_heat,
     .end = end_heat,
     .once = true},
};
const size_t scene_heat_function_count = SCREE_COUNT_OF(scene_heat_functions);
