/*  By which slot of the table of laws two bodies act; 0: by none. */
#ifndef SCREE_WORLD_PAIR_LAW_H
#define SCREE_WORLD_PAIR_LAW_H

#include "law/law_table.h"
#include "world/contacts/candidates.h"

/*  Of candidate c, that by which its contact goes on if it touched, or else would begin. */
uint32_t scree_pair_law_of(const scree_rules *rules, const scree_crowd *bodies,
                           const scree_contact_list *list, size_t c);
/*  By which all candidates act that there are; 0: not all act by one. */
uint32_t scree_pair_law_of_all(const scree_rules *rules, const scree_crowd *bodies,
                               const scree_contact_list *list);

#endif
