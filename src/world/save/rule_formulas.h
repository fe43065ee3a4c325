/*  Laws written as formulas, in a snapshot: for each rule that has one its number (u32), how many bytes its definition has (u32), and
    these, as formula_law.c writes them. So a world can be made from a checkpoint without whoever wrote the law. */
#ifndef SCREE_WORLD_RULE_FORMULAS_H
#define SCREE_WORLD_RULE_FORMULAS_H

#include "law/law_table.h"

#define SCREE_RULE_FORMULAS "rule.formulas"

struct scree_snapshot;

/*  Of all rules together; 0: none has formulas. */
uint64_t scree_rule_formulas_bytes(const scree_rules *rules);
void scree_rule_formulas_write(const scree_rules *rules, unsigned char *bytes);
/*  The definition of a rule, from 1; NULL: the snapshot has none. */
const char *scree_rule_formulas_find(const struct scree_snapshot *snapshot, size_t rule,
                                     size_t *bytes);

#endif
