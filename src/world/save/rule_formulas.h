/*  Contact models written as formulas, in a snapshot: for each such interaction its number (u32), the length of its
    definition in bytes (u32), and the definition, as formula_law.c writes it. So a checkpoint can be read by
    programs that do not have the model. */
#ifndef SCREE_WORLD_RULE_FORMULAS_H
#define SCREE_WORLD_RULE_FORMULAS_H

#include "law/law_table.h"

#define SCREE_RULE_FORMULAS "rule.formulas"

struct scree_snapshot;

/*  Of all interactions together; 0: none has formulas. */
uint64_t scree_rule_formulas_bytes(const scree_rules *rules);
void scree_rule_formulas_write(const scree_rules *rules, unsigned char *bytes);
/*  The definition of an interaction, from 1; NULL: the snapshot has none. */
const char *scree_rule_formulas_find(const struct scree_snapshot *snapshot, size_t rule,
                                     size_t *bytes);

#endif
