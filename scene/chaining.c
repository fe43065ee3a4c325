/*  Columns of force chains: see scree/chains.h. */
#include "scene_internal.h"

scree_status scene_look_at_chains(const scree_scene_measurement *measure, scree_world *world,
                                  scree_memory *memory, scree_chains *chains)
{
    scree_chains_def def = scree_default_chains_def();
    size_t count = scree_world_body_count(world);
    scree_chain_body *bodies = NULL;
    scree_status status = scree_memory_take(memory, count, sizeof *bodies, &bodies);

    def.angle = measure->chain_angle;
    if (!status)
        status = scree_world_chains(world, &def, bodies, NULL, count, chains);
    scree_memory_give(memory, &bodies, count, sizeof *bodies);
    return status;
}
