/*  What a world has on a device. */
#ifndef SCREE_WORLD_DEVICE_DATA_H
#define SCREE_WORLD_DEVICE_DATA_H

#include "gpu/device_search.h"
#include "gpu/opencl.h"
#include "world/device/device.h"
#include "world/device/step_numbers.h"
#include "world/step/world_data.h"

/*  Numbers that a kernel remembers at most of a contact, and bytes of build options. */
#define DEVICE_OPTIONS 160

typedef enum device_kernel
{
    KERNEL_MOVE,
    KERNEL_PRESS,
    KERNEL_FINISH,
    KERNEL_BOUND,
    KERNEL_COUNT_CELLS,
    KERNEL_FILL_CELLS,
    KERNEL_SCAN,
    KERNEL_ADD,
    KERNEL_COUNT_ROWS,
    KERNEL_FILL_ROWS,
    DEVICE_KERNELS,
} device_kernel;

/*  Rows of entries, see world/device/step_numbers.h; `room` places in each plane of memory. */
typedef struct device_rows
{
    scree_gpu_buffer base, entries, memory;
    size_t room;
} device_rows;

struct scree_device
{
    scree_gpu *gpu;
    scree_error error; /* the device's sentences */
    bool is_lost;      /* the driver has failed: only closing is left */
    char options[DEVICE_OPTIONS];
    bool is_built;
    bool sums_are_wide; /* one word has not been enough */
    scree_gpu_program step, rows_program;
    scree_gpu_kernel kernel[DEVICE_KERNELS];

    /* bodies, in the order of slots; forces and torques as planes, now and before */
    scree_gpu_buffer position, velocity, spin, orientation, force[2];
    scree_gpu_buffer mass, inertia, material, rank, left;
    uint32_t now; /* which of `force` */
    device_rows rows, old_rows;
    scree_gpu_buffer laws, pair_slot, wall_slot, planes, domain;
    scree_gpu_buffer told;
    /* of a search */
    scree_gpu_buffer bounds, cell_ends, cell_bodies, sums[3];
    scree_device_search *search;     /* of bodies of many sizes; NULL: none yet */
    scree_candidate_rows candidates; /* that it has found */

    scree_step_numbers numbers;
    double largest, smallest; /* radius */
    uint32_t walls;           /* that bodies meet: all of the world's, in their order */
    uint32_t memory_planes;
    uint32_t
        *slot_of; /* of two materials, then of walls and materials: slots of the table of laws */
    size_t slot_capacity;

    /* of a call */
    scree_wall_pose *poses; /* of walls at its beginning */
    size_t pose_capacity;
    double (*plane_rows)[SCREE_PLANE_NUMBERS]; /* of the steps of a batch */
    size_t plane_row_capacity;
    double *travel; /* of walls since the call began, at each step of a batch */
    size_t travel_capacity;
    scree_strain cell;     /* at the beginning of the call */
    scree_domain *domains; /* before the batch, and after each of its steps */
    size_t domain_capacity;
    double (*domain_rows)[SCREE_DOMAIN_NUMBERS]; /* the same, as kernels see them */
    size_t domain_row_capacity;
    double last_share; /* of the smallest radius, that bodies were allowed to move */

    uint64_t searches, host_steps; /* so far */
};

/*  ---- device.c */
/*  A sentence of the device becomes one of the world; what the driver has failed at is lost. */
scree_status scree_device_failed(scree_world *world, scree_status status);
/*  The formula of a slot of the table of laws, by its number in world/device/contact_law.h; -1: none of these. */
int scree_device_formula_of(const scree_world *world, const scree_rule_slot *slot);
/*  Programs for the laws that the world has now. */
scree_status scree_device_build(scree_world *world);

/*  ---- send.c, fetch.c */
/*  All that steps read. */
scree_status scree_device_send(scree_world *world);
/*  The state as it is at the end of a step: bodies, contacts and what they remember. */
scree_status scree_device_fetch(scree_world *world);

/*  ---- device_rows.c */
/*  Looks for who may touch whom where bodies are now, with walls from `planes_at` and in a domain. SCREE_BAD_VALUE: a place is no number. */
scree_status scree_device_find_rows(scree_world *world, uint32_t planes_at,
                                    const scree_domain *domain);

#endif
