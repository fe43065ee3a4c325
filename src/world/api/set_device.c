/*  Chooses the device that computes the steps of a world. */
#include "world/device/device.h"
#include "world/step/world_data.h"

scree_status scree_world_set_device(scree_world *world, const char *device)
{
    return world ? scree_device_open(world, device, NULL) : SCREE_BAD_ARGUMENT;
}

size_t scree_world_device_refusals(const scree_world *world, char *text, size_t bytes)
{
    return world && text && bytes ? scree_device_list_refusals(world, text, bytes) : 0;
}
