/*  Shared by copies to and from a device. */
#include "world/device/host_rows.h"

scree_status scree_host_refuse_memory(scree_world *world)
{
    return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: what goes to a device: %s",
                      scree_status_name(SCREE_OUT_OF_MEMORY));
}

size_t scree_host_materials_of(const scree_world *world)
{
    return world->rules.material_count ? world->rules.material_count : 1;
}

size_t scree_host_slices_of(const scree_world *world)
{
    return scree_block_count(world->bodies.count, SCREE_SLICE);
}

void scree_host_rows_free(scree_memory *memory, host_rows *rows)
{
    scree_memory_give(memory, &rows->base, rows->slices + 1, sizeof *rows->base);
    scree_memory_give(memory, &rows->many, rows->bodies, sizeof *rows->many);
    scree_memory_give(memory, &rows->entries, rows->room, sizeof *rows->entries);
    scree_memory_give(memory, &rows->memory, rows->room * rows->planes, sizeof *rows->memory);
}
