/*  The border of the domain. */
#ifndef SCREE_WORLD_DOMAIN_BORDER_H
#define SCREE_WORLD_DOMAIN_BORDER_H

#include "scree/world.h"

struct scree_world;

/*  A body that is to be removed. */
typedef struct scree_leaver
{
    uint64_t serial;
    scree_body_id id;
} scree_leaver;

/*  What lies outside the domain is stopped, turned round or comes in again. Returns how many are to be removed, and who, in
    the order of serials: what lies in torques before the step is theirs until then. */
size_t scree_world_apply_boundary(struct scree_world *world, const scree_leaver **leavers);

#endif
