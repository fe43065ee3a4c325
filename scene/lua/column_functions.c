/*  column: columns of metrics.csv computed by formulas from others. Formulas are parsed after the whole scene was
    read, since they may use any column. */
#include "formula/parse.h"
#include "language.h"

#include <string.h>

#define MAX_COLUMNS 100u

static void begin_column(scene_reader *reader, void *record)
{
    *(scree_scene_formula *)record =
        (scree_scene_formula){.line = reader->line, .name = "", .unit = "", .value = ""};
}

/*  Parameters are in SI units, as the columns are. */
static void read_parameters(scene_reader *reader, void *target)
{
    scree_scene_formula *formula = target;
    scene_named_numbers numbers;

    scene_read_named_numbers(reader, &numbers);
    for (uint32_t k = 0; k < numbers.count; k++) {
        const char *fault = scree_formula_name_fault(numbers.names[k]);
        if (fault)
            scene_refuse(reader, "the name `%.40s` %s", numbers.names[k], fault);
        if (!isfinite(numbers.values[k]))
            scene_refuse(reader, "%.40s is infinite, must be a finite number", numbers.names[k]);
    }
    formula->names = numbers.names;
    formula->values = numbers.values;
    formula->value_count = numbers.count;
}

static int end_column(scene_reader *reader, void *record)
{
    const scree_scene_formula *formula = record;
    const char *fault = scree_formula_name_fault(formula->name);

    if (fault)
        scene_refuse(reader, "name: `%.70s` %s", formula->name, fault);
    if (strlen(formula->unit) > 20 || strpbrk(formula->unit, ",\"\n\r"))
        scene_refuse(reader,
                     "unit: is \"%.30s\", must be at most 20 bytes without commas and quotes",
                     formula->unit);
    if (reader->scene->list[SCENE_FORMULAS].count >= MAX_COLUMNS)
        scene_refuse(reader, "there can be %u", MAX_COLUMNS);
    *(scree_scene_formula *)scene_row(reader, SCENE_FORMULAS) = *formula;
    return 0;
}

#define OF(member) .offset = offsetof(scree_scene_formula, member)
static const scene_field column_fields[] = {
    {.name = "name",
     .type = SCENE_TEXT,
     OF(name),
     .required = true,
     .help = "of the column: letters, digits, _ and points between them"},
    {.name = "value",
     .type = SCENE_TEXT,
     OF(value),
     .required = true,
     .help = "a formula over other columns by their names, those with other signs in single "
             "quotes, in SI; "
             "start(x) is the value of x in the first row, stage_start(x) when the stage began, "
             "previous(x) in the row before; see "
             "guide/formulas.md"},
    {.name = "unit",
     .type = SCENE_TEXT,
     OF(unit),
     .standard = "\"\"",
     .help = "for those who read it; nothing is converted"},
    {.name = "parameters",
     .type = SCENE_OWN,
     .offset = 0,
     .read = read_parameters,
     .standard = "{}",
     .accepts = "a table of numbers by name",
     .help = "that the formula may name; in SI"},
};
#undef OF

const scene_function scene_column_functions[] = {
    {.name = "column",
     .chapter = "Measuring",
     .summary = "A column of metrics.csv that is computed from others by a formula.",
     .example =
         "column { name = \"per_body\", value = \"kinetic / max(bodies, 1)\", unit = \"J\" }\n"
         "\n"
         "column { name = \"loss\", value = \"(start(energy) - energy) / share\", parameters = "
         "{ share = 0.01 } }\n"
         "column { name = \"energy\", value = \"kinetic + rotational + potential\", unit = "
         "\"J\" }",
     .fields = column_fields,
     .field_count = SCREE_COUNT_OF(column_fields),
     .record_bytes = sizeof(scree_scene_formula),
     .begin = begin_column,
     .end = end_column},
};
const size_t scene_column_function_count = SCREE_COUNT_OF(scene_column_functions);
