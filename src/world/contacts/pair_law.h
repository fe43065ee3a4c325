/*  Finds the pair parameters of two bodies in the interaction table; 0: no interaction. */
#ifndef SCREE_WORLD_PAIR_LAW_H
#define SCREE_WORLD_PAIR_LAW_H

#include "law/law_table.h"
#include "world/contacts/candidates.h"

/*  The parameters of pair c: those of its contact if it touched, otherwise those of a new contact. */
uint32_t scree_pair_law_of(const scree_rules *rules, const scree_body_arrays *bodies,
                           const scree_contact_list *list, size_t c);
/*  The parameters that all pairs have; 0: they differ. */
uint32_t scree_pair_law_of_all(const scree_rules *rules, const scree_body_arrays *bodies,
                               const scree_contact_list *list);

#endif
