/*  Persistent interactions: which contacts have one, and their place in the neighbour list. */
#include "world/contacts/persistent.h"

#include "law/law_builtin.h"
#include "world/contacts/batch_room.h"

#include <string.h>

bool scree_persistent_is(const scree_rule_slot *slot, double bond_state)
{
    return slot->persistent == SCREE_LASTS ||
           (slot->persistent == SCREE_LASTS_BONDED && bond_state == SCREE_BOND_INTACT);
}

/*  Only bonds keep a bond state. */
static bool lasts(const scree_rules *rules, const scree_contact_list *list, size_t c)
{
    const scree_rule_slot *slot = &rules->slots[list->slot[c][0]];

    return list->touches[c][0] && slot->persistent != SCREE_LASTS_NOT &&
           scree_persistent_is(slot, slot->persistent == SCREE_LASTS_BONDED
                                         ? list->history[SCREE_BOND_STATE][c]
                                         : 0);
}

scree_status scree_persistent_add(const scree_rules *rules, scree_contact_list *made,
                                  const scree_contact_list *old)
{
    for (size_t c = 0; c < old->count; c++) {
        uint32_t first = old->first[c][0], second = old->second[c][0];
        if (!lasts(rules, old, c) || scree_contact_list_find(made, first, second) != SIZE_MAX)
            continue;
        if (scree_contact_list_reserve(made, made->count + 1))
            return SCREE_OUT_OF_MEMORY;
        made->first[made->count][0] = first;
        made->second[made->count][0] = second;
        made->count++;
    }
    return SCREE_OK;
}

uint32_t scree_persistent_join(const scree_rules *rules, const scree_contact_list *list,
                               size_t begin, size_t end, uint32_t *touching, uint32_t count)
{
    uint32_t found[SCREE_TILE], at = 0, joined = 0;

    if (count == end - begin)
        return count;
    memcpy(found, touching, count * sizeof *found);
    for (size_t c = begin; c < end; c++) {
        bool touches = at < count && found[at] == c;
        at += touches;
        if (touches || lasts(rules, list, c))
            touching[joined++] = (uint32_t)c;
    }
    return joined;
}
