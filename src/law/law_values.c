/*  Changes of values, and the update of the pair parameters. */
#include "law/law_values.h"

#include "base/error.h"
#include "base/hash.h"
#include "law/law_table_row.h"
#include "law/material.h"

#include <math.h>
#include <string.h>

/* ---- values of materials ---- */

/*  Friction is a list of its own; the others are in the order of their list. Density is not among them: bodies have their
    masses. */
typedef struct material_value
{
    const char *name;
    size_t offset;
} material_value;

static const material_value material_values[] = {
    {"friction", offsetof(scree_material_def, friction)},
    {"young", offsetof(scree_material_def, young)},
    {"poisson", offsetof(scree_material_def, poisson)},
    {"restitution", offsetof(scree_material_def, restitution)},
    {"rolling_friction", offsetof(scree_material_def, rolling_friction)},
    {"twisting_friction", offsetof(scree_material_def, twisting_friction)},
    {"stiffness", offsetof(scree_material_def, stiffness)},
    {"stiffness_ratio", offsetof(scree_material_def, stiffness_ratio)},
};

_Static_assert(SCREE_COUNT_OF(material_values) == 1 + SCREE_OTHER_VALUES, "values of a material");

const char *scree_material_value_name(size_t index)
{
    return index < SCREE_COUNT_OF(material_values) ? material_values[index].name : NULL;
}

static double *value_in(scree_material_def *def, size_t index)
{
    return (double *)(void *)((char *)def + material_values[index].offset);
}

/* ---- the lists ---- */

/*  Goes over a list: first materials, then interactions. Starts as all zero but for the first two. */
typedef struct walk
{
    const scree_rules *rules;
    scree_value_list list;
    size_t row,
        item;       /* the material, or behind all materials the interaction; which of its values */
    double *number; /* NULL: an interaction that does not set it */
    double given;
} walk;

static size_t count_of_row(const walk *w)
{
    const size_t materials = w->rules->material_count;

    if (w->row < materials)
        return w->list == SCREE_LIST_FRICTION ? 1 : SCREE_OTHER_VALUES;
    return w->list == SCREE_LIST_FRICTION
               ? 1
               : w->rules->rules[w->row - materials + 1]->parameter_count;
}

static void look(walk *w)
{
    const size_t materials = w->rules->material_count;

    if (w->row < materials) {
        scree_material *material = &w->rules->materials[w->row];
        size_t index = w->list == SCREE_LIST_FRICTION ? 0 : w->item + 1;
        w->number = value_in(&material->def, index);
        w->given = *value_in(&material->given, index);
        return;
    }
    const scree_rule *rule = w->rules->rules[w->row - materials + 1];
    int at = w->list == SCREE_LIST_FRICTION ? rule->friction_at : (int)w->item;
    bool is_there = at >= 0 && !isnan(rule->given[at]) &&
                    (w->list == SCREE_LIST_FRICTION) == (at == rule->friction_at);
    w->number = is_there ? &rule->parameters[at] : NULL;
    w->given = is_there ? rule->given[at] : SCREE_NOT_SET;
}

static bool next_value(walk *w)
{
    const size_t rows = w->rules->material_count + w->rules->rule_count - 1;

    while (w->row < rows && w->item >= count_of_row(w)) {
        w->row++;
        w->item = 0;
    }
    if (w->row >= rows)
        return false;
    look(w);
    w->item++;
    return true;
}

size_t scree_values_count(const scree_rules *rules, scree_value_list list)
{
    size_t count = rules->material_count * (list == SCREE_LIST_FRICTION ? 1 : SCREE_OTHER_VALUES);

    for (size_t row = 1; row < rules->rule_count; row++)
        count += list == SCREE_LIST_FRICTION ? 1 : rules->rules[row]->parameter_count;
    return count;
}

bool scree_values_are_changed(const scree_rules *rules, scree_value_list list)
{
    bool is_changed = false;

    for (walk w = {rules, list, 0, 0, NULL, 0}; !is_changed && next_value(&w);)
        is_changed = w.number && *w.number != w.given;
    return is_changed;
}

void scree_values_read(const scree_rules *rules, scree_value_list list, double *values)
{
    for (walk w = {rules, list, 0, 0, NULL, 0}; next_value(&w); values++)
        *values = w.number ? *w.number : SCREE_NOT_SET;
}

uint64_t scree_values_hash(uint64_t hash, const scree_rules *rules)
{
    for (unsigned list = 0; list < SCREE_VALUE_LISTS; list++) {
        if (!scree_values_are_changed(rules, list))
            continue;
        if (list == SCREE_LIST_OTHER)
            hash = scree_hash_text(hash, "values");
        for (walk w = {rules, list, 0, 0, NULL, 0}; next_value(&w);)
            hash = scree_hash_number(hash, w.number ? *w.number : SCREE_NOT_SET);
    }
    return hash;
}

/*  As it would be with these values. */
static bool is_material(const scree_material *material, const double *values)
{
    scree_material_def def = material->given;
    scree_error error;

    def.name = NULL;
    for (size_t k = 0; k < SCREE_OTHER_VALUES; k++)
        *value_in(&def, k + 1) = values[k];
    return scree_material_check(&def, &error) == SCREE_OK;
}

static bool is_friction(double value)
{
    return value >= 0 && value <= SCREE_LARGEST_FRICTION;
}

bool scree_values_are_sound(const scree_rules *rules, scree_value_list list, const double *values)
{
    const double *value = values;
    bool is_sound = true;

    for (walk w = {rules, list, 0, 0, NULL, 0}; is_sound && next_value(&w); value++) {
        if (!w.number)
            is_sound = *value == SCREE_NOT_SET;
        else if (list == SCREE_LIST_FRICTION)
            is_sound = is_friction(*value);
        else
            is_sound = !isnan(*value);
    }
    for (size_t k = 0; list == SCREE_LIST_OTHER && is_sound && k < rules->material_count; k++)
        is_sound = is_material(&rules->materials[k], values + k * SCREE_OTHER_VALUES);
    return is_sound;
}

/*  NULL: the original values. */
static void write_values(const scree_rules *rules, scree_value_list list, const double *values)
{
    for (walk w = {rules, list, 0, 0, NULL, 0}; next_value(&w);) {
        double value = values ? *values++ : w.given;
        if (w.number)
            *w.number = value;
    }
}

/* ---- slots ---- */

/*  Computes all of them again, after the existing ones. */
static scree_status stage_slots(scree_rules *rules, scree_error *error)
{
    size_t count = rules->slot_count;
    scree_error why = {SCREE_OK, ""};
    scree_status status = scree_rules_reserve_slots(rules, count, 0, error);

    for (size_t k = 1; k < count && !status; k++) {
        const scree_rule_slot *slot = &rules->slots[k];
        status = scree_rules_stage_slot(rules, count + k, slot->rule, slot->material[0],
                                        slot->material[1], &why);
        if (!status && rules->slots[count + k].refused && !slot->refused)
            status = SCREE_BAD_VALUE;
        if (status)
            scree_fail(error, status, "%s", why.text);
    }
    return status;
}

scree_status scree_values_set(scree_rules *rules, const double *const lists[SCREE_VALUE_LISTS],
                              scree_error *error)
{
    size_t count[SCREE_VALUE_LISTS], all = 0;
    double *before, *list[SCREE_VALUE_LISTS];
    scree_status status;
    bool is_needed = false;

    for (unsigned k = 0; k < SCREE_VALUE_LISTS; k++) {
        count[k] = scree_values_count(rules, k);
        all += count[k];
        is_needed |= lists[k] || scree_values_are_changed(rules, k);
    }
    if (!is_needed)
        return SCREE_OK;
    if (scree_memory_take(rules->memory, all, sizeof *before, &before))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "values: out of memory");
    for (unsigned k = 0; k < SCREE_VALUE_LISTS; k++) {
        list[k] = before + (k ? count[k - 1] : 0);
        scree_values_read(rules, k, list[k]);
        write_values(rules, k, lists[k]);
    }
    status = stage_slots(rules, error);
    if (status)
        for (unsigned k = 0; k < SCREE_VALUE_LISTS; k++)
            write_values(rules, k, list[k]);
    else
        scree_rules_take_staged(rules);
    scree_memory_give(rules->memory, &before, all, sizeof *before);
    return status;
}

/* ---- by name ---- */

bool scree_value_of_material(const scree_rules *rules, size_t material, const char *name,
                             scree_value_place *place)
{
    size_t index = 0;

    while (index < SCREE_COUNT_OF(material_values) &&
           strcmp(material_values[index].name, name) != 0)
        index++;
    if (material == 0 || material > rules->material_count ||
        index == SCREE_COUNT_OF(material_values))
        return false;
    scree_material *row = &rules->materials[material - 1];
    place->list = index ? SCREE_LIST_OTHER : SCREE_LIST_FRICTION;
    place->at = index ? (material - 1) * SCREE_OTHER_VALUES + index - 1 : material - 1;
    place->now = *value_in(&row->def, index);
    place->given = *value_in(&row->given, index);
    return true;
}

bool scree_value_of_rule(const scree_rules *rules, size_t row, const char *name,
                         scree_value_place *place)
{
    if (row == 0 || row >= rules->rule_count || !rules->rules[row]->acts)
        return false;
    const scree_rule *rule = rules->rules[row];
    int at = scree_law_find_parameter(&rule->law, name);
    if (at < 0 || isnan(rule->given[at]))
        return false;
    place->now = rule->parameters[at];
    place->given = rule->given[at];
    place->list = at == rule->friction_at ? SCREE_LIST_FRICTION : SCREE_LIST_OTHER;
    place->at = rules->material_count + row - 1;
    if (place->list == SCREE_LIST_OTHER) {
        place->at = rules->material_count * SCREE_OTHER_VALUES + (size_t)at;
        for (size_t k = 1; k < row; k++)
            place->at += rules->rules[k]->parameter_count;
    }
    return true;
}

void scree_values_keep(scree_rules *rules)
{
    for (size_t k = 0; k < rules->material_count; k++)
        rules->materials[k].given = rules->materials[k].def;
    for (size_t row = 1; row < rules->rule_count; row++)
        if (rules->rules[row]->parameter_count)
            memcpy(rules->rules[row]->given, rules->rules[row]->parameters,
                   rules->rules[row]->parameter_count * sizeof(double));
}
