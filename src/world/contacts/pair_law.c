/*  Finds the interaction of two bodies. */
#include "world/contacts/pair_law.h"

/*  The pair parameters that a new contact would have. */
static uint32_t law_to_begin(const scree_rules *rules, const scree_body_arrays *bodies,
                             const scree_contact_list *list, size_t c)
{
    uint32_t first = list->first[c][0], second = list->second[c][0];

    return scree_rules_find(rules, SCREE_CONTACT_BODIES, bodies->material[first][0],
                            bodies->material[second][0], bodies->groups[first][0],
                            bodies->groups[second][0]);
}

uint32_t scree_pair_law_of(const scree_rules *rules, const scree_body_arrays *bodies,
                           const scree_contact_list *list, size_t c)
{
    /* an existing contact keeps the parameters it began with */
    return list->touches[c][0] ? list->slot[c][0] : law_to_begin(rules, bodies, list, c);
}

uint32_t scree_pair_law_of_all(const scree_rules *rules, const scree_body_arrays *bodies,
                               const scree_contact_list *list)
{
    uint32_t(*material)[1] = bodies->material;
    uint32_t slot = list->count ? law_to_begin(rules, bodies, list, 0) : 0, one = 0, other = 0;

    /* if there is only one interaction, every contact has it */
    if (rules->slot_count == 2)
        return 1;
    for (size_t c = 0; c < list->count && slot; c++) {
        uint32_t first = material[list->first[c][0]][0], second = material[list->second[c][0]][0];
        bool are_new = first != one || second != other || rules->uses_groups;
        /* an existing contact may end and begin again with other parameters */
        if ((list->touches[c][0] && list->slot[c][0] != slot) ||
            (are_new && law_to_begin(rules, bodies, list, c) != slot))
            slot = 0;
        one = first;
        other = second;
    }
    return slot;
}
