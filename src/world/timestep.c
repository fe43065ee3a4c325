/*  How long the next step is. */
#include "world/world_internal.h"

scree_status scree_world_choose_dt(scree_world *world, double *dt)
{
    *dt = world->def.dt;
    return SCREE_OK;
}
