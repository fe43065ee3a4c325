/*  Contacts that last: who they are, and their places in the list of candidates. */
#include "world/contacts/persistent.h"

#include "law/law_builtin.h"
#include "world/contacts/batch_room.h"

#include <string.h>

/*  By its number at the last step taken. */
static bool lasts(const scree_rules *rules, const scree_contact_set *now, uint32_t number)
{
    switch (number ? rules->slots[now->slot[number - 1]].lasting : SCREE_LASTS_NOT) {
    case SCREE_LASTS:
        return true;
    case SCREE_LASTS_BONDED:
        return now->remembered[SCREE_BOND_STATE][number - 1] == SCREE_BOND_INTACT;
    default:
        return false;
    }
}

scree_status scree_lasting_add(const scree_rules *rules, const scree_crowd *bodies,
                               const scree_contact_set *now, scree_contact_list *made,
                               const scree_contact_list *old)
{
    size_t found = made->count;

    for (size_t c = 0; rules->some_last && c < old->count; c++) {
        uint32_t first = old->first[c][0], second = old->second[c][0];
        if (!lasts(rules, now, old->number[c][0]) ||
            scree_contact_list_find(made, first, second) != SIZE_MAX)
            continue;
        if (scree_contact_list_reserve(made, made->count + 1))
            return SCREE_OUT_OF_MEMORY;
        made->first[made->count][0] = first;
        made->second[made->count][0] = second;
        made->count++;
    }
    return made->count > found ? scree_contact_list_index(made, bodies) : SCREE_OK;
}

uint32_t scree_lasting_join(const scree_rules *rules, const scree_contact_set *now,
                            const scree_contact_list *list, size_t begin, size_t end,
                            uint32_t *touching, uint32_t count)
{
    uint32_t found[SCREE_TILE], at = 0, joined = 0;

    if (count == end - begin)
        return count;
    memcpy(found, touching, count * sizeof *found);
    for (size_t c = begin; c < end; c++) {
        bool touches = at < count && found[at] == c;
        at += touches;
        if (touches || lasts(rules, now, list->number[c][0]))
            touching[joined++] = (uint32_t)c;
    }
    return joined;
}
