/*  Reads a host's definition of an interaction: finds the law, puts its parameters in order, and refuses invalid ones.
    */
#include "law/law_table_row.h"

#include "base/error.h"
#include "base/nearest_name.h"
#include "base/sized_definition.h"
#include "law/formula_law.h"
#include "law/law.h"

#include <math.h>
#include <string.h>

#define RULE_COOKIE 0x51de0f1au

void scree_init_rule_def(scree_rule_def *def, size_t size)
{
    static const scree_rule_def own = {
        .cookie = RULE_COOKIE,
        .size = sizeof(scree_rule_def),
        .type = SCREE_CONTACT_ANY,
        .groups = UINT64_MAX,
        .law = "hertz",
    };

    scree_definition_write(def, size, &own, sizeof own);
}

static const char *next_law(const void *list, size_t index)
{
    const scree_law *law = scree_law_at(index);

    (void)list;
    return law ? law->name : NULL;
}

/* ---- checks ---- */

static scree_status check_matching(const scree_rule_def *def, size_t material_count, size_t number,
                                   scree_error *error)
{
    if ((unsigned)def->type > SCREE_CONTACT_WALLS)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "rule %zu: type is %d, must be a scree_contact_type", number,
                          (int)def->type);
    for (int k = 0; k < 2; k++)
        if (def->material[k].index1 > material_count)
            return scree_fail(error, SCREE_BAD_ARGUMENT,
                              "rule %zu: there is no material %u, only 1 to %zu", number,
                              def->material[k].index1, material_count);
    if (def->groups == 0)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "rule %zu: groups is 0, so no body matches it",
                          number);
    return SCREE_OK;
}

static scree_status find_law(const scree_rule_def *def, size_t number, const scree_law **law,
                             scree_error *error)
{
    const char *nearest;

    if (def->own_law) {
        scree_error why;
        scree_status status = scree_law_check(def->own_law, &why);
        *law = def->own_law;
        return status ? scree_fail(error, status, "rule %zu: own_law: %s", number, why.text)
                      : SCREE_OK;
    }
    *law = def->law ? scree_law_by_name(def->law) : NULL;
    if (*law || !def->law)
        return SCREE_OK;
    nearest = scree_nearest_name(def->law, next_law, NULL);
    if (nearest)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "rule %zu: there is no law \"%.60s\"; did you mean \"%s\"?", number,
                          def->law, nearest);
    return scree_fail(error, SCREE_BAD_ARGUMENT,
                      "rule %zu: there is no law \"%.60s\"; scree_law_at lists them", number,
                      def->law);
}

/* ---- parameters ---- */

static size_t count_names(const char *const *names)
{
    size_t count = 0;

    while (names && names[count])
        count++;
    return count;
}

static scree_status fail_unknown(const scree_law *law, const char *name, size_t number,
                                 scree_error *error)
{
    static const char *const none[] = {NULL};
    const char *nearest =
        scree_nearest_of(name, law->parameter_names ? law->parameter_names : none);

    if (nearest)
        return scree_fail(
            error, SCREE_BAD_ARGUMENT,
            "rule %zu: law \"%.60s\" has no parameter \"%.60s\"; did you mean \"%s\"?", number,
            law->name, name, nearest);
    return scree_fail(error, SCREE_BAD_ARGUMENT,
                      "rule %zu: law \"%.60s\" has no parameter \"%.60s\"", number, law->name,
                      name);
}

static void note_friction(struct scree_rule *row)
{
    row->friction_at = scree_law_find_parameter(&row->law, "friction");
    double given = row->friction_at < 0 ? NAN : row->parameters[row->friction_at];
    /* a host's law may give the name another meaning */
    if (!(given >= 0 && given <= SCREE_LARGEST_FRICTION))
        row->friction_at = -1;
}

static scree_status read_parameters(struct scree_rule *row, const scree_rule_def *def,
                                    size_t number, scree_error *error)
{
    for (size_t k = 0; k < row->parameter_count; k++)
        row->parameters[k] = NAN;
    for (uint32_t k = 0; k < def->value_count; k++) {
        const char *name = def->names[k];
        int at;
        if (!name)
            return scree_fail(error, SCREE_BAD_ARGUMENT, "rule %zu: names[%u] is NULL", number, k);
        at = scree_law_find_parameter(&row->law, name);
        if (at < 0)
            return fail_unknown(&row->law, name, number, error);
        if (isnan(def->values[k]))
            return scree_fail(
                error, SCREE_BAD_VALUE,
                "rule %zu: %s is not a number; leave it out to use the value of the materials",
                number, name);
        if (!isnan(row->parameters[at]))
            return scree_fail(error, SCREE_BAD_ARGUMENT, "rule %zu: %s is given twice", number,
                              name);
        row->parameters[at] = def->values[k];
    }
    if (row->parameter_count)
        memcpy(row->given, row->parameters, row->parameter_count * sizeof *row->given);
    note_friction(row);
    return SCREE_OK;
}

static scree_status check_values(const scree_rule_def *def, const scree_law *law, size_t number,
                                 scree_error *error)
{
    if (def->value_count == 0)
        return SCREE_OK;
    if (!law)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "rule %zu: values are given, but no law that could use them", number);
    if (!def->names || !def->values)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "rule %zu: %s is NULL, value_count is %u",
                          number, def->names ? "values" : "names", def->value_count);
    return SCREE_OK;
}

/* ---- the interaction ---- */

static void fill_row(struct scree_rule *row, const scree_rule_def *def, const scree_law *law,
                     scree_simd simd)
{
    uint32_t a = def->material[0].index1, b = def->material[1].index1;

    memset(row, 0, sizeof *row);
    row->types = (uint8_t)(def->type == SCREE_CONTACT_ANY
                               ? 1 << SCREE_CONTACT_BODIES | 1 << SCREE_CONTACT_WALLS
                               : 1 << def->type);
    row->material[0] = a < b ? a : b;
    row->material[1] = a < b ? b : a;
    row->groups = def->groups;
    row->acts = law != NULL;
    row->is_own = def->own_law != NULL;
    if (law) {
        row->law = *law;
        row->force = scree_law_forces(law, simd);
        row->parameter_count = count_names(law->parameter_names);
        scree_formula_law_hold(law);
    }
}

scree_status scree_rule_make(scree_memory *memory, scree_simd simd, const scree_rule_def *def,
                             size_t material_count, size_t number, struct scree_rule **row,
                             scree_error *error)
{
    const scree_law *law = NULL;
    scree_status status;

    *row = NULL;
    if ((status = check_matching(def, material_count, number, error)) ||
        (status = find_law(def, number, &law, error)) ||
        (status = check_values(def, law, number, error)))
        return status;
    if (scree_memory_take(memory, 1, sizeof **row, row))
        goto no_memory;
    fill_row(*row, def, law, simd);
    if (scree_memory_take(memory, (*row)->parameter_count, sizeof(double), &(*row)->parameters) ||
        scree_memory_take(memory, (*row)->parameter_count, sizeof(double), &(*row)->given))
        goto no_memory;
    if ((status = read_parameters(*row, def, number, error)))
        scree_rule_free(memory, row);
    return status;

no_memory:
    scree_rule_free(memory, row);
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "rule %zu: out of memory", number);
}

void scree_rule_free(scree_memory *memory, struct scree_rule **row)
{
    if (!*row)
        return;
    if ((*row)->acts)
        scree_formula_law_let_go(&(*row)->law);
    scree_memory_give(memory, &(*row)->parameters, (*row)->parameter_count, sizeof(double));
    scree_memory_give(memory, &(*row)->given, (*row)->parameter_count, sizeof(double));
    scree_memory_give(memory, row, 1, sizeof **row);
}

/*  One of the two must be the smaller index that is asked for; the other may then be any: 0 comes first. */
bool scree_rule_matches(const struct scree_rule *row, uint32_t a, uint32_t b)
{
    uint32_t low = row->material[0], high = row->material[1];

    if (high == 0)
        return true;
    if (low == 0)
        return a == high || b == high;
    return a == low && b == high;
}
