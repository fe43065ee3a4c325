#include "world/save/rule_formulas.h"

#include "law/formula_law.h"
#include "law/law_table_row.h"
#include "world/save/snapshot.h"

#include <string.h>

#define HEAD_BYTES (2 * sizeof(uint32_t))

static const scree_formula_law *law_of(const scree_rules *rules, size_t rule)
{
    return rules->rules[rule]->acts ? scree_formula_law_of(&rules->rules[rule]->law) : NULL;
}

uint64_t scree_rule_formulas_bytes(const scree_rules *rules)
{
    uint64_t sum = 0;

    for (size_t k = 0; k < rules->rule_count; k++) {
        const scree_formula_law *law = law_of(rules, k);
        sum += law ? HEAD_BYTES + law->text_bytes : 0;
    }
    return sum;
}

void scree_rule_formulas_write(const scree_rules *rules, unsigned char *bytes)
{
    for (size_t k = 0; k < rules->rule_count; k++) {
        const scree_formula_law *law = law_of(rules, k);
        if (!law)
            continue;
        const uint32_t head[] = {(uint32_t)k, law->text_bytes};
        memcpy(bytes, head, HEAD_BYTES);
        memcpy(bytes + HEAD_BYTES, law->text, law->text_bytes);
        bytes += HEAD_BYTES + law->text_bytes;
    }
}

const char *scree_rule_formulas_find(const scree_snapshot *snapshot, size_t rule, size_t *bytes)
{
    const scree_snapshot_tail tail = scree_snapshot_tail_of(scree_snapshot_head_of(snapshot));
    const char *at = tail.formula_bytes ? scree_snapshot_rows(snapshot, SCREE_RULE_FORMULAS) : NULL;
    uint64_t left = tail.formula_bytes;
    uint32_t head[2];

    while (at && left >= HEAD_BYTES) {
        memcpy(head, at, HEAD_BYTES);
        left -= HEAD_BYTES;
        if (head[1] > left)
            return NULL;
        if (head[0] == rule) {
            *bytes = head[1];
            return at + HEAD_BYTES;
        }
        left -= head[1];
        at += HEAD_BYTES + head[1];
    }
    return NULL;
}
