/*  Persistent interactions: contact models that declare so (scree/law.h), and bonds, which act at any distance. Once
    begun, they end only when a body is removed. So they are pairs that detection need not find, and they are
    evaluated wherever the bodies are. Which contacts are persistent follows from the contact history; there is no
    other state. */
#ifndef SCREE_WORLD_PERSISTENT_H
#define SCREE_WORLD_PERSISTENT_H

#include "law/law_table.h"
#include "world/contacts/candidates.h"

/*  Whether a touching pair with these parameters, and this number in the place of the bond state, is persistent. */
bool scree_persistent_is(const scree_rule_slot *slot, double bond_state);
/*  Adds the persistent contacts of `old` to a list that detection has made, if they are missing. The list must be
    indexed; the added pairs are not. SCREE_OUT_OF_MEMORY. */
scree_status scree_persistent_add(const scree_rules *rules, scree_contact_list *made,
                                  const scree_contact_list *old);
/*  Adds the persistent pairs among begin .. end - 1 to `touching`, the `count` pairs that touch. Indices are
    ascending, at most SCREE_TILE. Returns the new count. */
uint32_t scree_persistent_join(const scree_rules *rules, const scree_contact_list *list,
                               size_t begin, size_t end, uint32_t *touching, uint32_t count);

#endif
