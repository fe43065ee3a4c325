/*  Steps of a world on a device (gpu/opencl.h). The state is copied to the device at the start of a call and back at
    its end; in between only a few numbers are copied. Results are bit-identical to those of the host: formulas are the
    same texts, sums are whole numbers, and the order of the neighbour list affects only speed.

    A world that devices do not support is refused by name before the first step. If a step needs more than the
    kernels can do, or exceeds the overlap limit, the device repeats the call up to the step before, and the host
    takes the step. So error messages are those of the host. */
#ifndef SCREE_WORLD_DEVICE_H
#define SCREE_WORLD_DEVICE_H

#include "world/step/step.h"

struct scree_world;
typedef struct scree_device scree_device;

/*  For tests and measurements; zeros are the defaults. */
typedef struct scree_device_options
{
    uint64_t memory;   /* largest memory of the device in bytes; 0: all */
    bool has_profile;  /* kernels are timed */
    bool is_unchecked; /* its arithmetic is not checked */
    struct scree_gpu_fault
        *fault; /* a call of the driver that shall fail; must live as long as the device */
} scree_device_options;

/*  Opens a device for a world, by a choice such as "gpu:1"; NULL, "" and "cpu" close the present one. `options` may
    be NULL. SCREE_UNSUPPORTED, SCREE_OUT_OF_MEMORY and SCREE_DEVICE_ERROR change nothing. */
scree_status scree_device_open(struct scree_world *world, const char *choice,
                               const scree_device_options *options);
void scree_device_close(struct scree_world *world);

/*  Lists what a device does not support of this world in `text`, such as "time step that is not fixed; heat";
    returns the number. */
size_t scree_device_list_refusals(const struct scree_world *world, char *text, size_t bytes);

/*  Statistics of steps so far. */
typedef struct scree_device_course
{
    uint64_t searches, host_steps; /* searches for neighbour pairs; steps taken by the host */
    uint64_t bytes, max_bytes;     /* memory of the device, now and at most */
    uint64_t entries;              /* of contact rows, see world/device/step_numbers.h */
} scree_device_course;
scree_device_course scree_device_course_of(const struct scree_world *world);
/*  The device of a world, for profiles; NULL: none. */
struct scree_gpu *scree_device_gpu(const struct scree_world *world);

/*  Takes `count` steps. If a step fails, those before it are taken. If the device fails, none is taken, and the
    world has the state before the call. */
scree_status scree_device_take_steps(struct scree_world *world, const scree_local_way *local,
                                     uint64_t count);

#endif
