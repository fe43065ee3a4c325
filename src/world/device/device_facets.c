/*  Contacts with walls of facets on a device: world/device/facets.cl. */
#include "world/device/device_data.h"

#define LOCAL 128u

/*  Arguments of all kernels that read meshes. */
#define MESH_ARGUMENTS(device)                                                                     \
    SCREE_GPU_BUFFER((device)->meshes.places), SCREE_GPU_BUFFER((device)->meshes.words),           \
        SCREE_GPU_BUFFER((device)->meshes.values), SCREE_GPU_BUFFER((device)->meshes.bytes),       \
        SCREE_GPU_BUFFER((device)->meshes.groups)

void scree_device_free_facets(scree_gpu *gpu, device_facets *facets)
{
    scree_gpu_free(gpu, &facets->start);
    scree_gpu_free(gpu, &facets->near_at);
    scree_gpu_free(gpu, &facets->list);
    scree_gpu_free(gpu, &facets->bodies);
    for (int k = 0; k < 2; k++) {
        scree_gpu_free(gpu, &facets->many[k]);
        scree_gpu_free(gpu, &facets->contacts[k]);
        scree_gpu_free(gpu, &facets->history[k]);
    }
    facets->near_count = 0;
}

scree_status scree_device_reserve_facets(scree_device *device, device_facets *facets,
                                         uint32_t near_count)
{
    const size_t contacts = (size_t)near_count * scree_device_facet_contacts(device);
    scree_gpu *gpu = device->gpu;
    scree_status status = SCREE_OK;

    for (int k = 0; k < 2 && !status; k++) {
        status = scree_gpu_reserve(gpu, &facets->many[k], near_count * sizeof(uint32_t),
                                   "contacts with facets");
        if (!status)
            status =
                scree_gpu_reserve(gpu, &facets->contacts[k], contacts * sizeof(scree_facet_contact),
                                  "contacts with facets");
        if (!status)
            status = scree_gpu_reserve(gpu, &facets->history[k],
                                       contacts * device->memory_planes * sizeof(double),
                                       "contact history of facets");
    }
    facets->near_count = near_count;
    return status;
}

/*  Counts the facets near each body; `listed` and `near_count` become the sums. */
static scree_status count_facets(scree_device *device, uint32_t walls_at, uint32_t *listed,
                                 uint32_t *near_count)
{
    const size_t count = device->numbers.count, bytes = (count + 1) * sizeof(uint32_t);
    device_facets *facets = &device->facets;
    scree_gpu *gpu = device->gpu;
    scree_status status = scree_gpu_reserve(gpu, &facets->start, bytes, "facets near bodies");

    if (!status)
        status = scree_gpu_reserve(gpu, &facets->near_at, bytes, "bodies near facets");
    const scree_gpu_argument arguments[] = {
        SCREE_GPU_VALUE(device->numbers),    MESH_ARGUMENTS(device),
        SCREE_GPU_BUFFER(device->position),  SCREE_GPU_BUFFER(device->material),
        SCREE_GPU_BUFFER(device->wall_slot), SCREE_GPU_BUFFER(device->planes),
        SCREE_GPU_VALUE(walls_at),           SCREE_GPU_BUFFER(facets->start),
        SCREE_GPU_BUFFER(facets->near_at)};
    const size_t end = count * sizeof(uint32_t);
    if (!status)
        status = scree_gpu_fill(gpu, &facets->start, end, sizeof(uint32_t), 0);
    if (!status)
        status = scree_gpu_fill(gpu, &facets->near_at, end, sizeof(uint32_t), 0);
    if (!status)
        status = scree_gpu_launch(gpu, &device->kernel[KERNEL_COUNT_FACETS], count, LOCAL,
                                  arguments, SCREE_COUNT_OF(arguments));
    if (!status)
        status = scree_device_add_up(device, &facets->start, count + 1);
    if (!status)
        status = scree_device_add_up(device, &facets->near_at, count + 1);
    if (!status)
        status = scree_gpu_read(gpu, &facets->start, end, listed, sizeof *listed);
    if (!status)
        status = scree_gpu_read(gpu, &facets->near_at, end, near_count, sizeof *near_count);
    return status;
}

static scree_status fill_facets(scree_device *device, uint32_t walls_at, uint32_t now)
{
    device_facets *facets = &device->facets, *old = &device->old_facets;
    const scree_gpu_argument arguments[] = {SCREE_GPU_VALUE(device->numbers),
                                            MESH_ARGUMENTS(device),
                                            SCREE_GPU_BUFFER(device->position),
                                            SCREE_GPU_BUFFER(device->material),
                                            SCREE_GPU_BUFFER(device->wall_slot),
                                            SCREE_GPU_BUFFER(device->planes),
                                            SCREE_GPU_VALUE(walls_at),
                                            SCREE_GPU_BUFFER(facets->start),
                                            SCREE_GPU_BUFFER(facets->near_at),
                                            SCREE_GPU_BUFFER(old->start),
                                            SCREE_GPU_BUFFER(old->near_at),
                                            SCREE_GPU_BUFFER(old->many[now]),
                                            SCREE_GPU_BUFFER(old->contacts[now]),
                                            SCREE_GPU_BUFFER(old->history[now]),
                                            SCREE_GPU_BUFFER(facets->list),
                                            SCREE_GPU_BUFFER(facets->bodies),
                                            SCREE_GPU_BUFFER(facets->many[now]),
                                            SCREE_GPU_BUFFER(facets->contacts[now]),
                                            SCREE_GPU_BUFFER(facets->history[now])};

    return scree_gpu_launch(device->gpu, &device->kernel[KERNEL_FILL_FACETS], device->numbers.count,
                            LOCAL, arguments, SCREE_COUNT_OF(arguments));
}

scree_status scree_device_find_facets(scree_world *world, uint32_t walls_at, uint32_t now)
{
    scree_device *device = world->device;
    const device_facets kept = device->facets;
    scree_gpu *gpu = device->gpu;
    uint32_t listed = 0, near_count = 0;
    scree_status status;

    if (!device->touch_room)
        return SCREE_OK;
    device->facets = device->old_facets;
    device->old_facets = kept;
    status = count_facets(device, walls_at, &listed, &near_count);
    if (!status)
        status = scree_gpu_reserve(gpu, &device->facets.list,
                                   (size_t)listed * sizeof(scree_facet_near), "facets near bodies");
    if (!status)
        status = scree_gpu_reserve(gpu, &device->facets.bodies, near_count * sizeof(uint32_t),
                                   "bodies near facets");
    if (!status)
        status = scree_device_reserve_facets(device, &device->facets, near_count);
    if (!status)
        status = fill_facets(device, walls_at, now);
    return status ? scree_device_failed(world, status) : SCREE_OK;
}

scree_status scree_device_touch_facets(scree_device *device, uint32_t step, uint32_t walls_at)
{
    device_facets *facets = &device->facets;
    const uint32_t now = step % 2, before = 1 - now, near_count = facets->near_count;
    const scree_gpu_argument arguments[] = {SCREE_GPU_VALUE(device->numbers),
                                            SCREE_GPU_VALUE(step),
                                            SCREE_GPU_VALUE(near_count),
                                            MESH_ARGUMENTS(device),
                                            SCREE_GPU_BUFFER(device->told),
                                            SCREE_GPU_BUFFER(device->position),
                                            SCREE_GPU_BUFFER(device->material),
                                            SCREE_GPU_BUFFER(device->laws),
                                            SCREE_GPU_BUFFER(device->wall_slot),
                                            SCREE_GPU_BUFFER(device->planes),
                                            SCREE_GPU_VALUE(walls_at),
                                            SCREE_GPU_BUFFER(facets->start),
                                            SCREE_GPU_BUFFER(facets->list),
                                            SCREE_GPU_BUFFER(facets->bodies),
                                            SCREE_GPU_BUFFER(facets->many[before]),
                                            SCREE_GPU_BUFFER(facets->contacts[before]),
                                            SCREE_GPU_BUFFER(facets->many[now]),
                                            SCREE_GPU_BUFFER(facets->contacts[now])};

    if (!device->touch_room)
        return SCREE_OK;
    return scree_gpu_launch(device->gpu, &device->kernel[KERNEL_TOUCH_FACETS], near_count, LOCAL,
                            arguments, SCREE_COUNT_OF(arguments));
}
