/*  Changes of friction coefficients, and the update of the pair parameters. */
#include "law/law_friction.h"

#include "base/error.h"
#include "base/hash.h"
#include "law/law_table_row.h"

#include <math.h>
#include <string.h>

#define NOT_SAID (-1.0)

/* ---- the list ---- */

size_t scree_friction_count(const scree_rules *rules)
{
    return rules->material_count + rules->rule_count - 1;
}

/*  A coefficient of the list, and its original value; NULL: an interaction that does not set it. */
static double *number_at(const scree_rules *rules, size_t at, double *given)
{
    if (at < rules->material_count) {
        *given = rules->materials[at].given_friction;
        return &rules->materials[at].def.friction;
    }
    const scree_rule *row = rules->rules[at - rules->material_count + 1];
    *given = row->given_friction;
    return row->friction_at < 0 ? NULL : &row->parameters[row->friction_at];
}

bool scree_friction_is_changed(const scree_rules *rules)
{
    bool is_changed = false;
    double given;

    for (size_t k = 0; k < scree_friction_count(rules) && !is_changed; k++) {
        const double *number = number_at(rules, k, &given);
        is_changed = number && *number != given;
    }
    return is_changed;
}

void scree_friction_read(const scree_rules *rules, double *friction)
{
    double given;

    for (size_t k = 0; k < scree_friction_count(rules); k++) {
        const double *number = number_at(rules, k, &given);
        friction[k] = number ? *number : NOT_SAID;
    }
}

uint64_t scree_friction_hash(uint64_t hash, const scree_rules *rules)
{
    double given;

    if (!scree_friction_is_changed(rules))
        return hash;
    for (size_t k = 0; k < scree_friction_count(rules); k++) {
        const double *number = number_at(rules, k, &given);
        hash = scree_hash_number(hash, number ? *number : NOT_SAID);
    }
    return hash;
}

bool scree_is_friction(double value)
{
    return value >= 0 && value <= SCREE_LARGEST_FRICTION;
}

bool scree_friction_is_sound(const scree_rules *rules, const double *friction)
{
    bool is_sound = true;
    double given;

    for (size_t k = 0; k < scree_friction_count(rules) && is_sound; k++)
        is_sound =
            number_at(rules, k, &given) ? scree_is_friction(friction[k]) : friction[k] == NOT_SAID;
    return is_sound;
}

/*  NULL: the original values. */
static void write_numbers(const scree_rules *rules, const double *friction)
{
    double given;

    for (size_t k = 0; k < scree_friction_count(rules); k++) {
        double *number = number_at(rules, k, &given);
        if (number)
            *number = friction ? friction[k] : given;
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

scree_status scree_friction_set(scree_rules *rules, const double *friction, scree_error *error)
{
    size_t count = scree_friction_count(rules);
    double *before;
    scree_status status;

    if (!friction && !scree_friction_is_changed(rules))
        return SCREE_OK;
    if (scree_memory_take(rules->memory, count, sizeof *before, &before))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "friction: out of memory");
    scree_friction_read(rules, before);
    write_numbers(rules, friction);
    status = stage_slots(rules, error);
    if (status)
        write_numbers(rules, before);
    else
        memcpy(rules->slots + 1, rules->slots + rules->slot_count + 1,
               (rules->slot_count - 1) * sizeof *rules->slots);
    scree_memory_give(rules->memory, &before, count, sizeof *before);
    return status;
}

void scree_friction_choose(const scree_rules *rules, scree_material_id material, double friction,
                           double *wanted)
{
    double given;

    scree_friction_read(rules, wanted);
    for (size_t k = 0; k < scree_friction_count(rules); k++)
        if (number_at(rules, k, &given) && (!material.index1 || material.index1 == k + 1))
            wanted[k] = isnan(friction) ? given : friction + 0.0; /* of two zeros, +0 */
}
