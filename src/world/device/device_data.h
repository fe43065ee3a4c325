/*  Data of a world on a device. */
#ifndef SCREE_WORLD_DEVICE_DATA_H
#define SCREE_WORLD_DEVICE_DATA_H

#include "gpu/device_search.h"
#include "gpu/opencl.h"
#include "world/device/device.h"
#include "world/device/step_numbers.h"
#include "world/step/world_data.h"

/*  Largest number of history variables in kernels, and size of build options in bytes. */
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

/*  Contact rows, see world/device/step_numbers.h; `room` is the length of each history array. */
typedef struct device_rows
{
    scree_gpu_buffer base, entries, memory;
    size_t room;
} device_rows;

struct scree_device
{
    scree_gpu *gpu;
    scree_error error; /* messages of the device */
    bool is_lost;      /* the driver has failed: the device can only be closed */
    char options[DEVICE_OPTIONS];
    bool is_built;
    bool sums_are_wide; /* one word was not enough */
    scree_gpu_program step, rows_program;
    scree_gpu_kernel kernel[DEVICE_KERNELS];

    /* bodies by slot; forces and torques as columns, present and previous */
    scree_gpu_buffer position, velocity, spin, orientation, force[2];
    scree_gpu_buffer mass, inertia, material, rank, left;
    uint32_t now; /* which of `force` is the present one */
    device_rows rows, old_rows;
    scree_gpu_buffer laws, pair_slot, wall_slot, planes, domain;
    scree_gpu_buffer told;
    /* scratch of a search */
    scree_gpu_buffer bounds, cell_ends, cell_bodies, sums[3];
    scree_device_search *search;     /* for bodies of very different sizes; NULL: none yet */
    scree_candidate_rows candidates; /* its result */

    scree_step_numbers numbers;
    double largest, smallest; /* radius */
    uint32_t walls;           /* walls in contact with bodies: all of the world's, in order */
    uint32_t memory_planes;
    uint32_t *slot_of; /* of two materials, then of walls and materials: pair parameters */
    size_t slot_capacity;

    /* of a call */
    scree_wall_pose *poses; /* of walls at the start of the call */
    size_t pose_capacity;
    double (*plane_rows)[SCREE_PLANE_NUMBERS]; /* of the steps of a batch */
    size_t plane_row_capacity;
    double *travel; /* of walls since the start of the call, at each step of a batch */
    size_t travel_capacity;
    scree_strain cell;     /* at the start of the call */
    scree_domain *domains; /* before the batch, and after each of its steps */
    size_t domain_capacity;
    double (*domain_rows)[SCREE_DOMAIN_NUMBERS]; /* the same as kernels read them */
    size_t domain_row_capacity;
    double last_share; /* last allowed displacement of bodies, in smallest radii */

    uint64_t searches, host_steps; /* so far */
};

/*  ---- device.c */
/*  Turns an error of the device into one of the world. After a failure of the driver the device is lost. */
scree_status scree_device_failed(scree_world *world, scree_status status);
/*  The formula of pair parameters, by its number in world/device/contact_law.h; -1: none. */
int scree_device_formula_of(const scree_world *world, const scree_rule_slot *slot);
/*  Builds the programs for the contact models of the world. */
scree_status scree_device_build(scree_world *world);

/*  ---- send.c, fetch.c */
/*  Copies everything that steps read to the device. */
scree_status scree_device_send(scree_world *world);
/*  Copies the state at the end of a step back: bodies, contacts and contact history. */
scree_status scree_device_fetch(scree_world *world);

/*  ---- device_rows.c */
/*  Searches neighbour pairs at the present positions, with walls from `planes_at` and a domain. SCREE_BAD_VALUE: a
    position is not finite. */
scree_status scree_device_find_rows(scree_world *world, uint32_t planes_at,
                                    const scree_domain *domain);

#endif
