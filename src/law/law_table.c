/*  The interaction table. Pair parameters are computed when a material or an interaction is added, so a new contact
    only looks them up. Everything that can fail is written after the ends of the arrays, and counts only when all of it
    is there. */
#include "law/law_table.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/sized_definition.h"
#include "law/formula_law.h"
#include "law/law_table_row.h"
#include "law/material.h"

#include <math.h>
#include <string.h>

#define EVERY_GROUP UINT64_MAX

/* ---- pair parameters ---- */

/*  For two materials that their law refuses. */
static void exert_nothing_known(const scree_batch *batch, const double *constants, void *user)
{
    const scree_law *law = user;

    (void)constants;
    for (uint32_t k = 0; k < batch->count; k++) {
        for (int a = 0; a < 3; a++)
            batch->force[a][k] = NAN;
        for (int a = 0; a < 3 && law->has_moment; a++)
            batch->moment[a][k] = NAN;
        for (uint32_t m = 0; m < law->memory_count; m++)
            batch->next[m][k] = 0;
        if (batch->energy)
            batch->energy[k] = 0;
        for (int l = 0; l < SCREE_LOSSES && batch->loss[l]; l++)
            batch->loss[l][k] = 0;
        if (batch->stiffness)
            batch->stiffness[k] = batch->shear_stiffness[k] = 0;
    }
}

/*  Prefixes the law's message with interaction and materials. */
static scree_status prepare(const scree_rules *rules, size_t row, uint32_t a, uint32_t b,
                            double constants[SCREE_MAX_CONSTANTS], scree_error *error)
{
    const scree_rule *rule = rules->rules[row];
    const scree_material *first = &rules->materials[a - 1], *second = &rules->materials[b - 1];
    scree_error why = {SCREE_OK, ""};
    scree_law_input input = {&first->def, &second->def, rule->parameters, rules->dimensions, &why};
    scree_status status;

    memset(constants, 0, SCREE_MAX_CONSTANTS * sizeof *constants);
    status = rule->law.prepare(&input, constants, rule->law.user);
    if (status)
        scree_fail(error, status, "rule %zu, materials %u \"%s\" and %u \"%s\": %s", row, a,
                   first->name, b, second->name,
                   why.text[0] ? why.text : scree_status_name(status));
    return status;
}

scree_status scree_rules_stage_slot(scree_rules *rules, size_t at, size_t row, uint32_t a,
                                    uint32_t b, scree_error *error)
{
    const scree_rule *rule = rules->rules[row];
    scree_rule_slot *slot = &rules->slots[at];
    scree_status status = prepare(rules, row, a, b, slot->constants, error);

    slot->law = &rule->law;
    slot->reach = status ? (scree_law_reach){rule->law.reach, 0, 0}
                         : scree_law_reach_of(&rule->law, slot->constants);
    slot->persistent = status ? SCREE_LASTS_NOT : scree_law_persistent(&rule->law, slot->constants);
    slot->rule = (uint16_t)row;
    slot->material[0] = (uint16_t)a;
    slot->material[1] = (uint16_t)b;
    slot->refused = status != SCREE_OK;
    slot->force = status ? exert_nothing_known : rule->force;
    /* exert_nothing_known only reads it */
    slot->user = status ? (void *)(uintptr_t)&rule->law : rule->law.user;
    return status == SCREE_BAD_VALUE ? SCREE_OK : status;
}

scree_status scree_rules_reserve_slots(scree_rules *rules, size_t more_slots, size_t more_entries,
                                       scree_error *error)
{
    if (more_slots > SCREE_MAX_RULE_SLOTS || more_entries > SCREE_MAX_RULE_SLOTS ||
        rules->slot_count + more_slots > SCREE_MAX_RULE_SLOTS ||
        rules->entry_count + more_entries > SCREE_MAX_RULE_SLOTS)
        return scree_fail(error, SCREE_TOO_LARGE,
                          "more than %u pairs of materials, counted once for each rule that "
                          "matches them",
                          SCREE_MAX_RULE_SLOTS);
    if (scree_memory_reserve(rules->memory, &rules->slots, &rules->slot_capacity,
                             rules->slot_count + more_slots, sizeof *rules->slots) ||
        scree_memory_reserve(rules->memory, &rules->entries, &rules->entry_capacity,
                             rules->entry_count + more_entries, sizeof *rules->entries))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "rules: out of memory");
    return SCREE_OK;
}

/* ---- pairs ---- */

static scree_rule_pair *pair_of(const scree_rules *rules, uint32_t a, uint32_t b)
{
    size_t i = (a < b ? a : b) - 1, j = (a < b ? b : a) - 1;

    return &rules->pairs[j * (j + 1) / 2 + i];
}

static scree_rule_entry entry_of(const scree_rule *rule, size_t row, size_t slot)
{
    return (scree_rule_entry){rule->groups, rule->acts ? (uint32_t)slot : 0, 0, (uint16_t)row,
                              rule->types};
}

/*  Appends the entry to the list of its pair. */
static void link_entry(scree_rules *rules, scree_rule_pair *pair, uint32_t at)
{
    const scree_rule_entry *entry = &rules->entries[at];

    if (entry->groups == EVERY_GROUP)
        for (int t = 0; t < 2; t++)
            if ((entry->types & 1u << (t + 1)) && pair->decides[t] == pair->standard)
                pair->decides[t] = entry->slot;
    if (pair->last)
        rules->entries[pair->last].next = at;
    else
        pair->first = at;
    pair->last = at;
}

static void note_reach(scree_rules *rules, scree_law_reach reach)
{
    if (reach.fixed > rules->reach.fixed)
        rules->reach.fixed = reach.fixed;
    if (reach.root > rules->reach.root)
        rules->reach.root = reach.root;
    if (reach.share > rules->reach.share)
        rules->reach.share = reach.share;
}

/*  How far laws act, and whether contacts last, may be otherwise with other values. */
void scree_rules_take_staged(scree_rules *rules)
{
    const size_t count = rules->slot_count;

    memcpy(rules->slots + 1, rules->slots + count + 1, (count - 1) * sizeof *rules->slots);
    rules->reach = (scree_law_reach){0, 0, 0};
    rules->some_last = false;
    for (size_t k = 1; k < count; k++) {
        rules->some_last |= rules->slots[k].persistent != SCREE_LASTS_NOT;
        note_reach(rules, rules->slots[k].reach);
    }
    for (size_t row = 1; row < rules->rule_count; row++)
        if (rules->rules[row]->acts)
            note_reach(rules, (scree_law_reach){rules->rules[row]->law.reach, 0, 0});
}

/*  Makes the staged pair parameters count. */
static void take_slots(scree_rules *rules, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        rules->some_last |= rules->slots[rules->slot_count].persistent != SCREE_LASTS_NOT;
        note_reach(rules, rules->slots[rules->slot_count++].reach);
    }
}

double scree_rules_reach(const scree_rules *rules, uint32_t slot, double radius)
{
    return scree_law_reach_at(&rules->slots[slot].reach, radius);
}

/* ---- materials ---- */

/*  Names are stored next to the definitions that point to them. */
static void follow_names(scree_rules *rules, size_t count)
{
    for (size_t k = 0; k < count; k++)
        rules->materials[k].def.name = rules->materials[k].name;
}

static size_t count_matching(const scree_rules *rules, uint32_t a, uint32_t b, bool acting)
{
    size_t count = 0;

    for (size_t row = 1; row < rules->rule_count; row++)
        count +=
            scree_rule_matches(rules->rules[row], a, b) && (!acting || rules->rules[row]->acts);
    return count;
}

/*  Adds all interactions for one pair with the new material; counts pair parameters and entries. */
static scree_status stage_pair(scree_rules *rules, uint32_t a, uint32_t b, size_t *slot,
                               size_t *entry, scree_error *error)
{
    scree_rule_pair *pair = pair_of(rules, a, b);
    scree_status status = scree_rules_stage_slot(rules, *slot, 0, a, b, error);

    *pair = (scree_rule_pair){(uint32_t)*slot, {(uint32_t)*slot, (uint32_t)*slot}, 0, 0};
    ++*slot;
    for (size_t row = 1; row < rules->rule_count && !status; row++) {
        const scree_rule *rule = rules->rules[row];
        if (!scree_rule_matches(rule, a, b))
            continue;
        if (rule->acts)
            status = scree_rules_stage_slot(rules, *slot, row, a, b, error);
        rules->entries[*entry] = entry_of(rule, row, *slot);
        link_entry(rules, pair, (uint32_t)*entry);
        *slot += rule->acts;
        ++*entry;
    }
    return status;
}

static scree_status stage_material(scree_rules *rules, const scree_material_def *def, size_t *slots,
                                   size_t *entries, scree_error *error)
{
    uint32_t added = (uint32_t)rules->material_count + 1;
    scree_material *material;
    scree_status status;

    if (scree_memory_reserve(rules->memory, &rules->materials, &rules->material_capacity, added,
                             sizeof *rules->materials))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "material %u: out of memory", added);
    material = &rules->materials[added - 1];
    memset(material, 0, sizeof *material);
    material->def = *def;
    material->given = *def;
    material->given.name = NULL;
    for (size_t k = 0; def->name && def->name[k] && k < sizeof material->name - 1; k++)
        material->name[k] = def->name[k];
    follow_names(rules, added);

    for (uint32_t other = 1; other <= added; other++) {
        *slots += 1 + count_matching(rules, other, added, true);
        *entries += count_matching(rules, other, added, false);
    }
    status = scree_rules_reserve_slots(rules, *slots, *entries, error);
    if (status)
        return status;
    if (scree_memory_reserve(rules->memory, &rules->pairs, &rules->pair_capacity,
                             (size_t)added * (added + 1) / 2, sizeof *rules->pairs))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "material %u: out of memory", added);
    return SCREE_OK;
}

scree_status scree_rules_add_material(scree_rules *rules, const scree_material_def *def,
                                      scree_material_id *id, scree_error *error)
{
    uint32_t added = (uint32_t)rules->material_count + 1;
    size_t slots = 0, entries = 0, slot = rules->slot_count, entry = rules->entry_count;
    scree_material_def own = scree_default_material_def();
    scree_error why;
    scree_status status;

    if (added > SCREE_MAX_MATERIALS)
        return scree_fail(error, SCREE_TOO_LARGE,
                          "there are %u materials already, the largest possible number",
                          SCREE_MAX_MATERIALS);
    status = scree_material_check(def, &why);
    if (!status && scree_definition_read(&own, def))
        status = stage_material(rules, &own, &slots, &entries, &why);
    for (uint32_t other = 1; other <= added && !status; other++)
        status = stage_pair(rules, other, added, &slot, &entry, &why);
    if (status)
        return scree_fail(error, status, "%s", why.text);
    rules->material_count = added;
    take_slots(rules, slots);
    rules->entry_count += entries;
    if (id)
        id->index1 = added;
    return SCREE_OK;
}

/* ---- interactions ---- */

/*  Iterates over the pairs of materials that an interaction matches, a <= b, always in the same order. Starts as all
    zero. */
typedef struct pair_walk
{
    uint32_t gone, a, b;
} pair_walk;

static bool next_matching(const scree_rules *rules, const scree_rule *rule, pair_walk *walk)
{
    uint32_t many = (uint32_t)rules->material_count, low = rule->material[0],
             high = rule->material[1];

    if (low != 0) {
        walk->a = low;
        walk->b = high;
        return walk->gone++ == 0;
    }
    if (high != 0) {
        uint32_t other = ++walk->gone;
        walk->a = other < high ? other : high;
        walk->b = other < high ? high : other;
        return other <= many;
    }
    if (++walk->a > walk->b) {
        walk->a = 1;
        walk->b++;
    }
    return walk->b <= many;
}

/*  A built-in law that matches no pair yet is tried with the default material, so that parameters out of range are
    reported immediately. A law of the host may require materials that are added later. */
static scree_status try_default_material(const scree_rule *rule, size_t number, int dimensions,
                                         scree_error *error)
{
    scree_material_def def = scree_default_material_def();
    double constants[SCREE_MAX_CONSTANTS];
    scree_error why = {SCREE_OK, ""};
    scree_law_input input = {&def, &def, rule->parameters, dimensions, &why};
    scree_status status = rule->law.prepare(&input, constants, rule->law.user);

    if (status)
        scree_fail(error, status, "rule %zu: %s", number, why.text);
    return status;
}

/*  Pair parameters of the last interaction, after the last existing ones. */
static scree_status stage_rule(scree_rules *rules, size_t row, size_t *matching, scree_error *error)
{
    const scree_rule *rule = rules->rules[row];
    size_t accepted = 0, at = rules->slot_count;
    scree_status status;

    for (pair_walk walk = {0}; next_matching(rules, rule, &walk);)
        ++*matching;
    status = scree_rules_reserve_slots(rules, rule->acts ? *matching : 0, *matching, error);
    if (status || !rule->acts)
        return status;
    for (pair_walk walk = {0}; next_matching(rules, rule, &walk) && !status;) {
        status = scree_rules_stage_slot(rules, at, row, walk.a, walk.b, error);
        accepted += !rules->slots[at++].refused;
    }
    if (status)
        return status;
    if (*matching && accepted == 0)
        return SCREE_BAD_VALUE;
    if (*matching == 0 && !rule->is_own)
        return try_default_material(rule, row, rules->dimensions, error);
    return SCREE_OK;
}

static void link_rule(scree_rules *rules, size_t row)
{
    const scree_rule *rule = rules->rules[row];

    for (pair_walk walk = {0}; next_matching(rules, rule, &walk);) {
        uint32_t at = (uint32_t)rules->entry_count++;
        rules->entries[at] = entry_of(rule, row, rules->slot_count);
        take_slots(rules, rule->acts);
        link_entry(rules, pair_of(rules, walk.a, walk.b), at);
    }
}

static void note_law(scree_rules *rules, const scree_rule *rule)
{
    if (!rule->acts)
        return;
    if (rule->law.memory_count > rules->planes)
        rules->planes = rule->law.memory_count;
    note_reach(rules, (scree_law_reach){rule->law.reach, 0, 0});
    rules->has_moments |= rule->law.has_moment;
}

scree_status scree_rules_add_rule(scree_rules *rules, const scree_rule_def *def, scree_error *error)
{
    size_t row = rules->rule_count, matching = 0;
    scree_rule_def own = scree_default_rule_def();
    scree_error why;
    scree_status status;

    if (!scree_definition_read(&own, def))
        return scree_fail(error, SCREE_BAD_DEF,
                          "rule %zu: not made by scree_default_rule_def of this version", row);
    def = &own;
    if (row > SCREE_MAX_RULES)
        return scree_fail(error, SCREE_TOO_LARGE,
                          "there are %u rules already, the largest possible number",
                          SCREE_MAX_RULES);
    if (scree_memory_reserve(rules->memory, &rules->rules, &rules->rule_capacity, row + 1,
                             sizeof *rules->rules))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "rule %zu: out of memory", row);
    status = scree_rule_make(rules->memory, rules->simd, def, rules->material_count, row,
                             &rules->rules[row], error);
    if (status)
        return status;
    status = stage_rule(rules, row, &matching, &why);
    if (status) {
        scree_rule_free(rules->memory, &rules->rules[row]);
        return scree_fail(error, status, "%s", why.text);
    }
    rules->rule_count++;
    link_rule(rules, row);
    note_law(rules, rules->rules[row]);
    rules->uses_groups |= def->groups != EVERY_GROUP;
    return SCREE_OK;
}

/* ---- the table ---- */

scree_status scree_rules_init(scree_rules *rules, scree_memory *memory, scree_simd simd,
                              int dimensions)
{
    scree_rule_def standard = scree_default_rule_def();
    scree_status status;

    memset(rules, 0, sizeof *rules);
    rules->memory = memory;
    rules->simd = simd;
    rules->dimensions = dimensions;
    if (scree_memory_reserve(memory, &rules->rules, &rules->rule_capacity, 1,
                             sizeof *rules->rules) ||
        scree_rules_reserve_slots(rules, 1, 1, NULL))
        return SCREE_OUT_OF_MEMORY;
    status = scree_rule_make(memory, simd, &standard, 0, 0, &rules->rules[0], NULL);
    if (status)
        return status;
    note_law(rules, rules->rules[0]);
    memset(&rules->slots[0], 0, sizeof rules->slots[0]);
    memset(&rules->entries[0], 0, sizeof rules->entries[0]);
    rules->rule_count = rules->slot_count = rules->entry_count = 1;
    return SCREE_OK;
}

void scree_rules_free(scree_rules *rules)
{
    for (size_t row = 0; row < rules->rule_count; row++)
        scree_rule_free(rules->memory, &rules->rules[row]);
    scree_memory_give(rules->memory, &rules->rules, rules->rule_capacity, sizeof *rules->rules);
    scree_memory_give(rules->memory, &rules->materials, rules->material_capacity,
                      sizeof *rules->materials);
    scree_memory_give(rules->memory, &rules->slots, rules->slot_capacity, sizeof *rules->slots);
    scree_memory_give(rules->memory, &rules->pairs, rules->pair_capacity, sizeof *rules->pairs);
    scree_memory_give(rules->memory, &rules->entries, rules->entry_capacity,
                      sizeof *rules->entries);
}

static bool is_in(uint64_t groups, uint64_t wanted)
{
    return wanted == EVERY_GROUP || (groups & wanted) != 0;
}

uint32_t scree_rules_find(const scree_rules *rules, scree_contact_type type, uint32_t material_a,
                          uint32_t material_b, uint64_t groups_a, uint64_t groups_b)
{
    const scree_rule_pair *pair = pair_of(rules, material_a, material_b);

    if (!rules->uses_groups)
        return pair->decides[type - 1];
    for (uint32_t at = pair->first; at; at = rules->entries[at].next) {
        const scree_rule_entry *entry = &rules->entries[at];
        if ((entry->types & 1u << type) && is_in(groups_a, entry->groups) &&
            is_in(groups_b, entry->groups))
            return entry->slot;
    }
    return pair->standard;
}

uint32_t scree_rules_named(const scree_rules *rules, uint32_t rule, uint32_t material_a,
                           uint32_t material_b)
{
    const scree_rule_pair *pair;

    if (material_a == 0 || material_a > rules->material_count || material_b == 0 ||
        material_b > rules->material_count)
        return UINT32_MAX;
    pair = pair_of(rules, material_a, material_b);
    if (rule == 0)
        return pair->standard;
    for (uint32_t at = pair->first; at; at = rules->entries[at].next)
        if (rules->entries[at].rule == rule)
            return rules->entries[at].slot;
    return UINT32_MAX;
}

scree_status scree_rules_explain(const scree_rules *rules, uint32_t slot, scree_error *error)
{
    const scree_rule_slot *wanted = &rules->slots[slot];
    double constants[SCREE_MAX_CONSTANTS];

    if (!wanted->refused)
        return SCREE_OK;
    return prepare(rules, wanted->rule, wanted->material[0], wanted->material[1], constants, error);
}

/* ---- digest ---- */

static uint64_t hash_material(uint64_t hash, const scree_material *material)
{
    const scree_material_def *def = &material->given;
    const double numbers[] = {def->density,           def->young,     def->poisson,
                              def->restitution,       def->friction,  def->rolling_friction,
                              def->twisting_friction, def->stiffness, def->stiffness_ratio};

    hash = scree_hash_text(hash, material->name);
    for (size_t k = 0; k < SCREE_COUNT_OF(numbers); k++)
        hash = scree_hash_number(hash, numbers[k]);
    return hash;
}

/*  Parameters that were added after files with this law existed: if such a parameter is not given, the digest is the
    same as without it. */
static bool came_later(const char *parameter)
{
    return strcmp(parameter, "bond_lasts") == 0;
}

static uint64_t hash_rule(uint64_t hash, const scree_rule *rule)
{
    hash = scree_hash_word(hash,
                           rule->types | (uint64_t)rule->acts << 8 | (uint64_t)rule->is_own << 9);
    hash = scree_hash_word(hash, rule->material[0] | (uint64_t)rule->material[1] << 32);
    hash = scree_hash_word(hash, rule->groups);
    hash = scree_hash_text(hash, rule->law.name);
    hash = scree_hash_word(hash, rule->law.memory_count | (uint64_t)rule->law.has_moment << 32);
    hash = scree_hash_number(hash, rule->law.reach);
    if (rule->law.lasts)
        hash = scree_hash_text(hash, "lasts");
    if (rule->acts && scree_formula_law_of(&rule->law))
        hash = scree_hash_word(hash, scree_formula_law_of(&rule->law)->hash);
    for (size_t k = 0; k < rule->parameter_count; k++) {
        const char *name = rule->law.parameter_names[k];
        double given = rule->given[k];
        if (!isnan(given) || !came_later(name))
            hash = scree_hash_number(scree_hash_text(hash, scree_law_first_name(&rule->law, name)),
                                     given);
    }
    return hash;
}

uint64_t scree_rules_digest(const scree_rules *rules)
{
    uint64_t hash = scree_hash_word(SCREE_HASH_START, (uint64_t)rules->dimensions);

    hash = scree_hash_word(hash, rules->material_count);
    for (size_t k = 0; k < rules->material_count; k++)
        hash = hash_material(hash, &rules->materials[k]);
    hash = scree_hash_word(hash, rules->rule_count);
    for (size_t row = 0; row < rules->rule_count; row++)
        hash = hash_rule(hash, rules->rules[row]);
    return hash;
}
