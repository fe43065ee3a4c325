/*  Contacts that last: of a law that says so (scree/law.h), and of bonds that hold at any distance. Once they have begun,
    only the removal of a body ends them; so they are candidates that detection need not find, and are evaluated
    wherever the bodies are. What they are follows from what contacts remember: there is no state beside it. */
#ifndef SCREE_WORLD_PERSISTENT_H
#define SCREE_WORLD_PERSISTENT_H

#include "law/law_table.h"
#include "world/contacts/candidates.h"

/*  Adds to a list that detection has made, and that is indexed, the contacts of `old` that last and are not in it; these are
    not indexed. SCREE_OUT_OF_MEMORY. */
scree_status scree_lasting_add(const scree_rules *rules, scree_contact_list *made,
                               const scree_contact_list *old);
/*  Of candidates begin .. end - 1 those that touch or last, ascending; at most SCREE_TILE. `touching` are `count` that
    touch, ascending; returns how many there are then. */
uint32_t scree_lasting_join(const scree_rules *rules, const scree_contact_list *list, size_t begin,
                            size_t end, uint32_t *touching, uint32_t count);

#endif
