/*  Whether detection keeps its promise. */
#ifndef SCREE_WORLD_AUDIT_H
#define SCREE_WORLD_AUDIT_H

#include "scree/base.h"

struct scree_world;

/*  Holds the candidates that there are against those of other means. SCREE_OUT_OF_MEMORY. */
scree_status scree_world_audit(struct scree_world *world);
/*  A list has just been made: counts pairs new in it that overlapped in the state before. SCREE_OUT_OF_MEMORY. */
scree_status scree_world_count_late(struct scree_world *world);

#endif
