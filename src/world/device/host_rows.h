/*  Contact rows (world/device/step_numbers.h) on the host, on their way to or from a device. */
#ifndef SCREE_WORLD_HOST_ROWS_H
#define SCREE_WORLD_HOST_ROWS_H

#include "world/device/device_data.h"

#define NONE SCREE_ENTRY_NONE

/*  Contact rows on the host. */
typedef struct host_rows
{
    uint32_t *base, *entries, *many; /* `many`: number of entries of each body so far */
    double *memory;
    size_t slices, room, bodies;
    uint32_t planes;
} host_rows;

size_t scree_host_slices_of(const scree_world *world);
void scree_host_rows_free(scree_memory *memory, host_rows *rows);
/*  Size of tables by material; at least 1. */
size_t scree_host_materials_of(const scree_world *world);
/*  SCREE_OUT_OF_MEMORY, with a message. */
scree_status scree_host_refuse_memory(scree_world *world);

#endif
