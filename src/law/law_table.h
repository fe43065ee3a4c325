/*  Materials, and the interaction table, which says which law acts between which materials. The pair parameters of an
    interaction and two materials are computed once and kept in a slot: constants of a law, ready for a batch of
    contacts.

    WHEN VALUES ARE REFUSED. A law may refuse two materials (two rigid ones with "hertz"), but most pairs of materials
    never meet. So an interaction is refused if it names both materials and they fail, or if all pairs that it matches
    fail. Any other pair that fails gets a slot whose forces are NaN: the step in which such bodies touch is refused,
    and scree_rules_explain gives the reason. */
#ifndef SCREE_LAW_TABLE_H
#define SCREE_LAW_TABLE_H

#include "base/memory.h"
#include "law/law.h"
#include "scree/world.h"

#define SCREE_MAX_MATERIALS 1000u
#define SCREE_MAX_RULES 65535u /* without the default interaction */
/*  Largest number of (pair, matching interaction) entries, including one default per pair: a gigabyte. */
#define SCREE_MAX_RULE_SLOTS (1u << 22)

/*  Slot 0 exerts no force. */
typedef struct scree_rule_slot
{
    void (*force)(const scree_batch *batch, const double *constants, void *user);
    void *user;
    const scree_law *law;  /* from its interaction; NULL in slot 0 */
    scree_law_reach reach; /* of the law between these materials */
    scree_persistent persistent;
    uint16_t rule;        /* number of the interaction, from 1; 0: the default */
    uint16_t material[2]; /* index1, the smaller first */
    bool refused;         /* refused by the law: forces are NAN, see scree_rules_explain */
    double constants[SCREE_MAX_CONSTANTS];
} scree_rule_slot;

typedef struct scree_material
{
    scree_material_def def; /* its name points to the member `name` */
    char name[32];
    scree_material_def
        given; /* as it was added, but for the name; values in def may have changed */
} scree_material;

/*  An interaction for a pair of materials that it matches. */
typedef struct scree_rule_entry
{
    uint64_t groups;
    uint32_t slot, next; /* next: a later interaction of the same pair; 0: none */
    uint16_t rule;
    uint8_t types; /* bit SCREE_CONTACT_BODIES, bit SCREE_CONTACT_WALLS */
} scree_rule_entry;

/*  A pair of materials. */
typedef struct scree_rule_pair
{
    uint32_t standard;    /* slot of the default interaction */
    uint32_t decides[2];  /* slot by contact type minus one, if groups do not matter */
    uint32_t first, last; /* entries, in the order of interactions */
} scree_rule_pair;

typedef struct scree_rule scree_rule; /* an interaction, in law_table.c */

typedef struct scree_rules
{
    scree_memory *memory;
    scree_simd simd;
    int dimensions;
    scree_material *materials;
    size_t material_count, material_capacity;
    scree_rule **rules; /* rules[0] is the default */
    size_t rule_count, rule_capacity;
    scree_rule_slot *slots;
    size_t slot_count, slot_capacity;
    scree_rule_pair *pairs; /* of materials i <= j, from 0, at j (j + 1) / 2 + i */
    size_t pair_capacity;
    scree_rule_entry *entries; /* [0] is none */
    size_t entry_count, entry_capacity;
    uint32_t planes;       /* largest number of history variables of a law in the table */
    bool has_moments;      /* of any law in the table */
    scree_law_reach reach; /* maximum over the laws in the table, each member separately */
    bool uses_groups;      /* some interaction depends on groups */
    bool some_last;        /* contacts of some slot */
} scree_rules;

/*  Creates the default interaction. On SCREE_OUT_OF_MEMORY, free the table all the same. */
scree_status scree_rules_init(scree_rules *rules, scree_memory *memory, scree_simd simd,
                              int dimensions);
void scree_rules_free(scree_rules *rules);
/*  As scree_world_add_material and scree_world_add_rule. `id` may be NULL. */
scree_status scree_rules_add_material(scree_rules *rules, const scree_material_def *def,
                                      scree_material_id *id, scree_error *error);
scree_status scree_rules_add_rule(scree_rules *rules, const scree_rule_def *def,
                                  scree_error *error);
/*  Returns the slot for a contact of two materials (index1) and bodies with these groups. Takes O(1) if no interaction
    depends on groups. */
uint32_t scree_rules_find(const scree_rules *rules, scree_contact_type type, uint32_t material_a,
                          uint32_t material_b, uint64_t groups_a, uint64_t groups_b);
/*  Returns the interaction range of a slot's law for bodies with this effective radius. */
double scree_rules_reach(const scree_rules *rules, uint32_t slot, double radius);
/*  Returns the slot of an interaction for two materials, whatever precedes it in the table. Snapshots identify slots in
    this way, since slot numbers depend on the order in which interactions and materials were added. 0 if the
    interaction exerts no force; UINT32_MAX if it does not exist or does not match. */
uint32_t scree_rules_named(const scree_rules *rules, uint32_t rule, uint32_t material_a,
                           uint32_t material_b);
/*  SCREE_OK if the law of a slot has accepted its materials; otherwise its status and message. */
scree_status scree_rules_explain(const scree_rules *rules, uint32_t slot, scree_error *error);
/*  Reserves room after the existing slots and computes one there for an interaction and two materials, a <= b. It does
    not count yet. Returns SCREE_OK also if the law refused the materials with SCREE_BAD_VALUE. */
scree_status scree_rules_reserve_slots(scree_rules *rules, size_t more_slots, size_t more_entries,
                                       scree_error *error);
scree_status scree_rules_stage_slot(scree_rules *rules, size_t at, size_t row, uint32_t a,
                                    uint32_t b, scree_error *error);
/*  Puts the slots that were staged behind the existing ones, one for each, in their places. */
void scree_rules_take_staged(scree_rules *rules);
/*  A hash of materials and interactions as they were given, for snapshots: equal tables have equal hashes. The user's
    laws count by name and public properties. Later changes of values are in law/law_values.h. */
uint64_t scree_rules_digest(const scree_rules *rules);

#endif
