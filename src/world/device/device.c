/*  Opens a device for a world, and builds its programs. */
#include "law/law_builtin.h"
#include "world/device/device_data.h"

#include <stdio.h>
#include <string.h>

typedef struct device_kernel_name
{
    const char *name;
    device_program program;
} device_kernel_name;

static const device_kernel_name kernels[DEVICE_KERNELS] = {
    [KERNEL_MOVE] = {"move", PROGRAM_STEP},
    [KERNEL_PRESS] = {"press", PROGRAM_STEP},
    [KERNEL_FINISH] = {"finish", PROGRAM_STEP},
    [KERNEL_BOUND] = {"bound", PROGRAM_ROWS},
    [KERNEL_COUNT_CELLS] = {"count_cells", PROGRAM_ROWS},
    [KERNEL_FILL_CELLS] = {"fill_cells", PROGRAM_ROWS},
    [KERNEL_SCAN] = {"scan_blocks", PROGRAM_ROWS},
    [KERNEL_ADD] = {"add_blocks", PROGRAM_ROWS},
    [KERNEL_COUNT_ROWS] = {"count_rows", PROGRAM_ROWS},
    [KERNEL_FILL_ROWS] = {"fill_rows", PROGRAM_ROWS},
    [KERNEL_COUNT_FACETS] = {"count_facets", PROGRAM_FACETS},
    [KERNEL_FILL_FACETS] = {"fill_facets", PROGRAM_FACETS},
    [KERNEL_TOUCH_FACETS] = {"touch_facets", PROGRAM_FACETS},
};

static const char *const texts[DEVICE_PROGRAMS] = {
    [PROGRAM_STEP] = "world/device/step.cl",
    [PROGRAM_ROWS] = "world/device/rows.cl",
    [PROGRAM_FACETS] = "world/device/facets.cl",
};

scree_status scree_device_failed(scree_world *world, scree_status status)
{
    scree_device *device = world->device;

    if (status == SCREE_DEVICE_ERROR)
        device->is_lost = true;
    return scree_fail(&world->error, status, "world: %s", device->error.text);
}

/* ---- programs ---- */

int scree_device_formula_of(const scree_world *world, const scree_rule_slot *slot)
{
    const scree_law_kernels *k = scree_law_kernels_at(world->simd);
    scree_law_force *const known[] = {
        k->linear,    k->linear_rolling, k->hertz, k->hertz_rolling, k->jkr, k->dmt, k->sjkr,
        k->capillary, k->plastic,        NULL,     k->penalty,       k->eepa};

    for (int number = 0; number < (int)SCREE_COUNT_OF(known); number++)
        if (known[number] && slot->force == known[number])
            return number;
    return -1;
}

static void drop_programs(scree_device *device)
{
    for (int k = 0; k < DEVICE_KERNELS; k++)
        scree_gpu_kernel_free(device->gpu, &device->kernel[k]);
    for (int p = 0; p < DEVICE_PROGRAMS; p++)
        scree_gpu_program_free(device->gpu, &device->programs[p]);
    device->is_built = false;
}

static scree_status make_programs(scree_device *device)
{
    /* that of facets is the last, and only for walls that have them */
    const int programs = device->touch_room ? DEVICE_PROGRAMS : PROGRAM_FACETS;
    scree_status status = SCREE_OK;

    for (int p = 0; p < programs && !status; p++)
        status = scree_gpu_build(device->gpu, texts[p], device->options, &device->programs[p]);
    for (int k = 0; k < DEVICE_KERNELS && !status; k++)
        if ((int)kernels[k].program < programs)
            status = scree_gpu_kernel_make(device->gpu, &device->programs[kernels[k].program],
                                           kernels[k].name, &device->kernel[k]);
    return status;
}

scree_status scree_device_build(scree_world *world)
{
    scree_device *device = world->device;
    const scree_rules *rules = &world->rules;
    char options[DEVICE_OPTIONS];
    unsigned laws = 0, reaches = 0;
    scree_status status;

    for (size_t s = 1; s < rules->slot_count; s++) {
        const scree_law_reach *reach = &rules->slots[s].reach;
        int number = scree_device_formula_of(world, &rules->slots[s]);
        laws |= number >= 0 ? 1u << number : 0;
        reaches |= reach->fixed != 0 || reach->root != 0 || reach->share != 0;
    }
    device->memory_planes = rules->planes ? rules->planes : 1;
    device->touch_room = scree_device_has_meshes(world) ? device->wanted_room : 0;
    snprintf(options, sizeof options,
             "-cl-std=CL1.2 -DLAWS=%u -DPLANES=%u -DDAMPS=%d -DREACHES=%u -DMATERIALS=%zu "
             "-DWIDE_SUMS=%d -DPERIODIC=%d -DTOUCHES=%u -DFACET_CONTACTS=%u",
             laws, device->memory_planes,
             world->def.global_damping != 0 || world->def.local_damping != 0, reaches,
             rules->material_count ? rules->material_count : 1, device->sums_are_wide,
             scree_def_is_periodic(&world->def), device->touch_room,
             scree_device_facet_contacts(device));
    if (device->is_built && strcmp(options, device->options) == 0)
        return SCREE_OK;
    drop_programs(device);
    memcpy(device->options, options, sizeof options);
    status = make_programs(device);
    if (status) {
        drop_programs(device);
        return scree_device_failed(world, status);
    }
    device->is_built = true;
    return SCREE_OK;
}

/* ---- open and closed ---- */

static void free_rows(scree_gpu *gpu, device_rows *rows)
{
    scree_gpu_free(gpu, &rows->base);
    scree_gpu_free(gpu, &rows->entries);
    scree_gpu_free(gpu, &rows->memory);
}

static void free_buffers(scree_device *device)
{
    scree_gpu_buffer *const all[] = {
        &device->position,     &device->velocity,      &device->spin,
        &device->orientation,  &device->force[0],      &device->force[1],
        &device->mass,         &device->inertia,       &device->material,
        &device->rank,         &device->left,          &device->laws,
        &device->pair_slot,    &device->wall_slot,     &device->planes,
        &device->told,         &device->domain,        &device->bounds,
        &device->cell_ends,    &device->cell_bodies,   &device->sums[0],
        &device->sums[1],      &device->sums[2],       &device->meshes.places,
        &device->meshes.words, &device->meshes.values, &device->meshes.bytes,
        &device->meshes.groups};

    for (size_t k = 0; k < SCREE_COUNT_OF(all); k++)
        scree_gpu_free(device->gpu, all[k]);
    free_rows(device->gpu, &device->rows);
    free_rows(device->gpu, &device->old_rows);
    scree_device_free_facets(device->gpu, &device->facets);
    scree_device_free_facets(device->gpu, &device->old_facets);
}

static void destroy(scree_memory *memory, scree_device *device)
{
    if (device->gpu) {
        drop_programs(device);
        scree_candidate_rows_free(device->gpu, &device->candidates);
        scree_device_search_free(device->search);
        free_buffers(device);
        scree_gpu_close(device->gpu);
    }
    scree_device_forget_meshes(device);
    scree_memory_give(memory, &device->meshes.of_wall, device->meshes.capacity,
                      sizeof *device->meshes.of_wall);
    scree_memory_give(memory, &device->slot_of, device->slot_capacity, sizeof *device->slot_of);
    scree_memory_give(memory, &device->poses, device->pose_capacity, sizeof *device->poses);
    scree_memory_give(memory, &device->plane_rows, device->plane_row_capacity,
                      sizeof *device->plane_rows);
    scree_memory_give(memory, &device->travel, device->travel_capacity, sizeof *device->travel);
    scree_memory_give(memory, &device->domains, device->domain_capacity, sizeof *device->domains);
    scree_memory_give(memory, &device->domain_rows, device->domain_row_capacity,
                      sizeof *device->domain_rows);
    scree_memory_give(memory, &device, 1, sizeof *device);
}

void scree_device_close(scree_world *world)
{
    if (world->device)
        destroy(&world->memory, world->device);
    world->device = NULL;
}

static bool is_host(const char *choice)
{
    return !choice || !*choice || strcmp(choice, "cpu") == 0;
}

scree_device_course scree_device_course_of(const scree_world *world)
{
    const scree_device *device = world->device;

    if (!device)
        return (scree_device_course){0};
    return (scree_device_course){device->searches, device->host_steps, scree_gpu_bytes(device->gpu),
                                 scree_gpu_max_bytes(device->gpu), device->rows.room};
}

scree_gpu *scree_device_gpu(const scree_world *world)
{
    return world->device ? world->device->gpu : NULL;
}

scree_status scree_device_open(scree_world *world, const char *choice,
                               const scree_device_options *options)
{
    static const scree_device_options none = {0};
    scree_device *device = NULL;
    scree_status status;

    if (is_host(choice)) {
        scree_device_close(world);
        return SCREE_OK;
    }
    if (scree_memory_take(&world->memory, 1, sizeof *device, &device))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: a device: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    memset(device, 0, sizeof *device);
    options = options ? options : &none;
    const scree_gpu_def def = {.device = choice,
                               .budget = options->memory,
                               .has_profile = options->has_profile,
                               .is_unchecked = options->is_unchecked,
                               .allocator = &world->memory.allocator,
                               .fault = options->fault,
                               .error = &device->error};
    status = scree_gpu_open(&def, &device->gpu);
    if (status) {
        status = scree_fail(&world->error, status, "world: %s", device->error.text);
        destroy(&world->memory, device);
        return status;
    }
    scree_device_close(world);
    world->device = device;
    return SCREE_OK;
}
