/*  Data of a world on a device. */
#ifndef SCREE_WORLD_DEVICE_DATA_H
#define SCREE_WORLD_DEVICE_DATA_H

#include "gpu/device_search.h"
#include "gpu/opencl.h"
#include "world/device/device.h"
#include "world/device/facet_numbers.h"
#include "world/device/step_numbers.h"
#include "world/step/world_data.h"

/*  Size of build options in bytes. */
#define DEVICE_OPTIONS 192

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
    KERNEL_COUNT_FACETS,
    KERNEL_FILL_FACETS,
    KERNEL_TOUCH_FACETS,
    DEVICE_KERNELS,
} device_kernel;

/*  Contact rows, see world/device/step_numbers.h; `room` is the length of each history array. */
typedef struct device_rows
{
    scree_gpu_buffer base, entries, memory;
    size_t room;
} device_rows;

/*  Meshes of walls, see facet_numbers.h. */
typedef struct device_meshes
{
    scree_gpu_buffer places, words, values, bytes, groups;
    const scree_mesh **of_wall; /* those that were copied, with a reference each; NULL: a plane */
    size_t count, capacity;
} device_meshes;

/*  Bodies near walls of facets, see facets.cl: running sums by body, and their facets and contacts. Arrays with an index
    belong to steps with that remainder modulo two. */
typedef struct device_facets
{
    scree_gpu_buffer start, near_at, list, bodies;
    scree_gpu_buffer many[2], contacts[2], history[2];
    uint32_t near_count;
} device_facets;

/*  Programs of kernels. */
typedef enum device_program
{
    PROGRAM_STEP,
    PROGRAM_ROWS,
    PROGRAM_FACETS,
    DEVICE_PROGRAMS,
} device_program;

struct scree_device
{
    scree_gpu *gpu;
    scree_error error; /* messages of the device */
    bool is_lost;      /* the driver has failed: the device can only be closed */
    char options[DEVICE_OPTIONS];
    bool is_built;
    bool sums_are_wide; /* one word was not enough */
    scree_gpu_program programs[DEVICE_PROGRAMS];
    scree_gpu_kernel kernel[DEVICE_KERNELS];

    /* bodies by slot; forces and torques as columns, present and previous */
    scree_gpu_buffer position, velocity, spin, orientation, force[2];
    scree_gpu_buffer mass, inertia, material, rank, left;
    uint32_t now; /* which of `force` is the present one */
    device_rows rows, old_rows;
    device_meshes meshes;
    device_facets facets, old_facets;
    uint32_t touch_room;  /* facets that a body may overlap at once; 0: no wall has facets */
    uint32_t wanted_room; /* the same if some wall has; it grows if that was not enough */
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

/*  ---- device_meshes.c */
bool scree_device_has_meshes(const scree_world *world);
scree_status scree_device_send_meshes(scree_world *world);
void scree_device_forget_meshes(scree_device *device);

/*  ---- device_facets.c */
/*  Searches facets near bodies; contacts of the step before, with remainder `now`, stay with their bodies. */
scree_status scree_device_find_facets(scree_world *world, uint32_t walls_at, uint32_t now);
/*  Finds contacts with them at the end of a step. */
scree_status scree_device_touch_facets(scree_device *device, uint32_t step, uint32_t walls_at);
/*  Reserves room for contacts of this number of bodies. */
scree_status scree_device_reserve_facets(scree_device *device, device_facets *facets,
                                         uint32_t near_count);
void scree_device_free_facets(scree_gpu *gpu, device_facets *facets);
/*  Room for contacts of one body. */
static inline uint32_t scree_device_facet_contacts(const scree_device *device)
{
    return device->touch_room / 4;
}

/*  ---- device_rows.c */
/*  Exclusive prefix sum. */
scree_status scree_device_add_up(scree_device *device, const scree_gpu_buffer *numbers,
                                 size_t count);
/*  Searches neighbour pairs at the present positions, with walls from `planes_at` and a domain. SCREE_BAD_VALUE: a
    position is not finite. */
scree_status scree_device_find_rows(scree_world *world, uint32_t planes_at,
                                    const scree_domain *domain);

#endif
