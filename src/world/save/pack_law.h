/*  Pair parameters by their interaction and materials: their index depends on the order in which these were added. */
#ifndef SCREE_WORLD_PACK_LAW_H
#define SCREE_WORLD_PACK_LAW_H

#include "law/law_table.h"

typedef struct scree_packed_law
{
    uint16_t rule, material[2], none;
} scree_packed_law;

static inline scree_packed_law scree_packed_law_of(const scree_rules *rules, uint32_t number)
{
    const scree_rule_slot *slot = &rules->slots[number];
    return (scree_packed_law){slot->rule, {slot->material[0], slot->material[1]}, 0};
}

static inline uint32_t scree_packed_law_slot(const scree_rules *rules, const scree_packed_law *law)
{
    /* without an interaction there are no materials either */
    return law->material[0]
               ? scree_rules_named(rules, law->rule, law->material[0], law->material[1])
               : 0;
}

#endif
