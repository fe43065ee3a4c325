/*  Whether detection keeps its promise. */
#ifndef SCREE_WORLD_AUDIT_H
#define SCREE_WORLD_AUDIT_H

#include "law/law_table.h"
#include "world/state/bodies.h"

struct scree_world;

/*  Holds the candidates that there are against those of other means. SCREE_OUT_OF_MEMORY. */
scree_status scree_world_audit(struct scree_world *world);
/*  Whether the list must have two bodies that overlap: those that exert no forces on each other need not be on it. */
bool scree_must_be_known(const scree_rules *rules, const scree_crowd *bodies, uint32_t a,
                         uint32_t b);

#endif
