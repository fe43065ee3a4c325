/*  For `change` of a stage: set_friction, set_material and set_rule. */
#include "language.h"

#include <string.h>

typedef struct set_record
{
    uint32_t material;
    double friction;
} set_record;

static int end_set(scene_reader *reader, void *record)
{
    const set_record *r = record;

    return scene_push_change(reader, &(scree_scene_change){.kind = SCREE_CHANGE_FRICTION,
                                                           .index = r->material,
                                                           .number = {r->friction}});
}

static const scene_field set_fields[] = {
    {.name = "material",
     .type = SCENE_MATERIAL,
     .offset = offsetof(set_record, material),
     .standard = "all materials, and rules that give friction",
     .help = "of which material"},
    {.name = "to",
     .type = SCENE_NUMBER,
     .offset = offsetof(set_record, friction),
     SCENE_WITHIN(0, 1e6),
     .required = true,
     .help = "the coefficient of sliding friction, also of contacts there are"},
};

/* ---- values of materials and rules ---- */

typedef struct values_record
{
    uint32_t index; /* of the material or rule, from 1; 0: all materials */
    scree_material_def def;
    scene_named_numbers numbers;
} values_record;

#define VALUE(member)                                                                              \
    .name = #member, .type = SCENE_NUMBER, .offset = offsetof(values_record, def.member),          \
    .standard = "as it was"
static const scene_field material_value_fields[] = {
    {.name = "material",
     .type = SCENE_MATERIAL,
     .offset = offsetof(values_record, index),
     .standard = "all materials",
     .help = "of which material"},
    {VALUE(young), SCENE_ABOVE(0), .endless = true, .unit = "Pa", .help = "from now on"},
    {VALUE(poisson), .lower = -1, .upper = 0.5, .above = true, .help = "from now on"},
    {VALUE(restitution), SCENE_WITHIN(0, 1), .help = "from now on"},
    {VALUE(friction), SCENE_WITHIN(0, 1e6), .help = "from now on; rules that give it keep theirs"},
    {VALUE(rolling_friction), SCENE_WITHIN(0, 1e6), .help = "from now on"},
    {VALUE(twisting_friction), SCENE_WITHIN(0, 1e6), .help = "from now on"},
    {VALUE(stiffness), SCENE_ABOVE(0), .unit = "N/m", .help = "from now on, of the linear laws"},
    {VALUE(stiffness_ratio), SCENE_WITHIN(0, 1e6), .above = true, .help = "from now on"},
};
#undef VALUE

static int push_values(scene_reader *reader, scree_scene_change_kind kind, uint32_t index,
                       const scene_named_numbers *numbers)
{
    return scene_push_change(reader, &(scree_scene_change){.kind = kind,
                                                           .index = index,
                                                           .names = numbers->names,
                                                           .values = numbers->values,
                                                           .value_count = numbers->count});
}

static int end_set_material(scene_reader *reader, void *record)
{
    const values_record *r = record;
    const size_t most = SCREE_COUNT_OF(material_value_fields);
    const char **names = scene_keep(reader, most, sizeof *names);
    double *values = scene_keep(reader, most, sizeof *values);
    scene_named_numbers numbers = {names, values, 0};

    for (size_t k = 1; k < most; k++) {
        const scene_field *field = &material_value_fields[k];
        if (!scene_is_given(reader, field->name))
            continue;
        names[numbers.count] = field->name;
        memcpy(&values[numbers.count++], (const char *)record + field->offset, sizeof *values);
    }
    if (numbers.count == 0)
        scene_refuse(reader, "changes nothing; give a value, as young = 1e7");
    return push_values(reader, SCREE_CHANGE_MATERIAL, r->index, &numbers);
}

static void read_rule_index(scene_reader *reader, void *target)
{
    const scene_value *value = scene_value_at(reader->L, reader->index);

    if (!value || value->kind != SCENE_A_RULE)
        scene_refuse_value(reader, "what rule { ... } gave back");
    *(uint32_t *)target = value->index;
}

static void read_rule_values(scene_reader *reader, void *target)
{
    scene_read_named_numbers(reader, target);
}

static const scene_field rule_value_fields[] = {
    {.name = "rule",
     .type = SCENE_OWN,
     .offset = offsetof(values_record, index),
     .read = read_rule_index,
     .required = true,
     .accepts = "a rule",
     .help = "which rule"},
    {.name = "values",
     .type = SCENE_OWN,
     .offset = offsetof(values_record, numbers),
     .read = read_rule_values,
     .required = true,
     .accepts = "a table of numbers by name",
     .help = "of those that the rule gives, from now on, as { bond_tension = 1e4 }"},
};

static bool gives(const scree_scene_rule *rule, const char *name)
{
    for (uint32_t k = 0; k < rule->value_count; k++)
        if (strcmp(rule->names[k], name) == 0)
            return true;
    return false;
}

/*  What a rule does not give is that of the materials, and changes with them. */
static int end_set_rule(scene_reader *reader, void *record)
{
    values_record *r = record;
    const scree_scene_rule *rules = reader->scene->list[SCENE_RULES].rows;
    const scree_scene_rule *rule = &rules[r->index - 1];

    if (r->numbers.count == 0)
        scene_refuse(reader, "values: is empty; give one, as { friction = 0.1 }");
    scene_law_values(reader, rule, &r->numbers);
    for (uint32_t k = 0; k < r->numbers.count; k++)
        if (!gives(rule, r->numbers.names[k]))
            scene_refuse(reader,
                         "values: the rule of line %d does not give `%.40s`, so it cannot change; "
                         "give it there, with the value of the beginning",
                         rule->line, r->numbers.names[k]);
    return push_values(reader, SCREE_CHANGE_RULE, r->index, &r->numbers);
}

#define VALUES(word, what, how, list, record, finish)                                              \
    {                                                                                              \
        .name = word, .chapter = "Stages", .summary = what, .example = how, .fields = list,        \
        .field_count = SCREE_COUNT_OF(list), .record_bytes = sizeof(record), .end = finish,        \
        .may_be_replaced = true                                                                    \
    }

const scene_function scene_value_functions[] = {
    VALUES("set_friction", "For `change`: friction of a material, or of all, from now on.",
           "stage { ends = after(0.1) }\nstage { ends = after(0.1), change = {set_friction { "
           "material = glass, to = 0 }, set_friction { material = steel, to = 0.2 }} }",
           set_fields, set_record, end_set),
    VALUES("set_material",
           "For `change`: values of a material, or of all, from now on, also for contacts that are "
           "there. Rules that give a value themselves keep theirs.",
           "stage { ends = after(0.1) }\nstage { ends = after(0.1), change = set_material { "
           "material = glass, young = 2e6, poisson = 0.25, restitution = 0.3, friction = 0.2, "
           "rolling_friction = 0.01, twisting_friction = 0.01, stiffness = 2e5, stiffness_ratio = "
           "0.5 } }",
           material_value_fields, values_record, end_set_material),
    VALUES("set_rule",
           "For `change`: values that a rule gives, from now on, also for contacts that are there.",
           "slip = rule { law = \"hertz\", materials = {glass, steel}, values = { friction = 0.5 } "
           "}\nstage { ends = after(0.1) }\nstage { ends = after(0.1), change = set_rule { rule = "
           "slip, values = { friction = 0.1 } } }",
           rule_value_fields, values_record, end_set_rule),
};
const size_t scene_value_function_count = SCREE_COUNT_OF(scene_value_functions);
