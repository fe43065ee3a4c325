/*  Checks whether detection has missed a contact. */
#ifndef SCREE_WORLD_AUDIT_H
#define SCREE_WORLD_AUDIT_H

#include "law/law_table.h"
#include "world/state/bodies.h"

struct scree_world;

/*  Compares the present potential contacts with those found by independent means. SCREE_OUT_OF_MEMORY. */
scree_status scree_world_audit(struct scree_world *world);
/*  Whether two overlapping bodies must be in the list. Pairs that exert no forces on each other need not be. */
bool scree_must_be_known(const scree_rules *rules, const scree_body_arrays *bodies, uint32_t a,
                         uint32_t b);

#endif
