/*  Materials, and the table that says which law acts between which. What a row of the table comes to for two
    materials is made once and kept in a slot: constants of a law, ready for a batch of contacts.

    WHERE NUMBERS ARE REFUSED. A law may find that two materials cannot be used together (two rigid ones by
    "hertz"), and most pairs of materials never meet. So a row is refused when it names both materials and they
    fail, or when all pairs that it matches fail. A pair that fails otherwise gets a slot that exerts forces
    that are not numbers: the step in which such bodies touch is refused, and scree_rules_explain says why. */
#ifndef SCREE_LAW_TABLE_H
#define SCREE_LAW_TABLE_H

#include "base/memory.h"
#include "law/law.h"
#include "scree/world.h"

#define SCREE_MAX_MATERIALS 1000u
#define SCREE_MAX_RULES 65535u /* the default not counted */
/*  Pairs of materials, once for each row that matches them and once for the default: a gigabyte. */
#define SCREE_MAX_RULE_SLOTS (1u << 22)

/*  Slot 0 exerts no force. */
typedef struct scree_rule_slot
{
    void (*force)(const scree_batch *batch, const double *constants, void *user);
    void *user;
    const scree_law *law;  /* of its rule; NULL in slot 0 */
    scree_law_reach reach; /* of the law between these materials */
    scree_lasting lasting;
    uint16_t rule;        /* row of the table, from 1; 0: the default */
    uint16_t material[2]; /* index1, the smaller first */
    bool refused;         /* by the law: forces are NAN, see scree_rules_explain */
    double constants[SCREE_MAX_CONSTANTS];
} scree_rule_slot;

typedef struct scree_material
{
    scree_material_def def; /* its name points to: */
    char name[32];
    double given_friction; /* when it was added; that of def may have been changed since */
} scree_material;

/*  What a row comes to for a pair of materials that it matches. */
typedef struct scree_rule_entry
{
    uint64_t groups;
    uint32_t slot, next; /* next: of the same pair, a later row; 0: none */
    uint16_t rule;
    uint8_t types; /* bit SCREE_CONTACT_BODIES, bit SCREE_CONTACT_WALLS */
} scree_rule_entry;

/*  Two materials. */
typedef struct scree_rule_pair
{
    uint32_t standard;    /* slot of the default */
    uint32_t decides[2];  /* slot by contact type less one, where groups do not matter */
    uint32_t first, last; /* entries, in the order of rows */
} scree_rule_pair;

typedef struct scree_rule scree_rule; /* a row of the table, in law_table.c */

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
    uint32_t planes;       /* most numbers that a law of the table remembers */
    bool has_moments;      /* of a law of the table */
    scree_law_reach reach; /* the greatest of a law of the table, each number by itself */
    bool uses_groups;      /* some row asks for groups */
    bool some_last;        /* contacts of some slot */
} scree_rules;

/*  Makes the default row. SCREE_OUT_OF_MEMORY: free it all the same. */
scree_status scree_rules_init(scree_rules *rules, scree_memory *memory, scree_simd simd,
                              int dimensions);
void scree_rules_free(scree_rules *rules);
/*  As scree_world_add_material and scree_world_add_rule. `id` may be NULL. */
scree_status scree_rules_add_material(scree_rules *rules, const scree_material_def *def,
                                      scree_material_id *id, scree_error *error);
scree_status scree_rules_add_rule(scree_rules *rules, const scree_rule_def *def,
                                  scree_error *error);
/*  The slot of a contact of two materials (index1), of bodies that have these groups. In time O(1) where no
    row asks for groups. */
uint32_t scree_rules_find(const scree_rules *rules, scree_contact_type type, uint32_t material_a,
                          uint32_t material_b, uint64_t groups_a, uint64_t groups_b);
/*  How far beyond touching the law of a slot acts on bodies that have this radius together. */
double scree_rules_reach(const scree_rules *rules, uint32_t slot, double radius);
/*  The slot of a row for two materials, whatever comes before it in the table: what a slot is called in
    snapshots, since numbers of slots depend on when rows and materials came. 0 where the row exerts no force;
    UINT32_MAX where it is not there or does not match. */
uint32_t scree_rules_named(const scree_rules *rules, uint32_t rule, uint32_t material_a,
                           uint32_t material_b);
/*  SCREE_OK where the law of a slot has accepted its materials; else its status and sentence. */
scree_status scree_rules_explain(const scree_rules *rules, uint32_t slot, scree_error *error);
/*  Room behind the slots that there are, and one made there for a row and two materials, a <= b; it does not count yet.
    SCREE_OK also where the law has refused the two with SCREE_BAD_VALUE. */
scree_status scree_rules_reserve_slots(scree_rules *rules, size_t more_slots, size_t more_entries,
                                       scree_error *error);
scree_status scree_rules_stage_slot(scree_rules *rules, size_t at, size_t row, uint32_t a,
                                    uint32_t b, scree_error *error);
/*  A hash of materials and rows as they were given, for snapshots: equal tables have equal ones. Own laws count by name
    and by what they say of themselves. Friction that was changed since is in law/law_friction.h. */
uint64_t scree_rules_digest(const scree_rules *rules);

#endif
