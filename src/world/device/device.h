/*  Steps of a world on a device for computing (gpu/opencl.h): state goes there at the beginning of a call and comes back at its
    end, and between the two nothing but a few numbers does. The bits are those of the host: formulas are the same texts, sums
    are whole numbers, and who may touch whom decides on speed alone.

    What a device cannot do yet is refused by name before the first step. A step whose numbers ask for more than kernels do, an
    overlap beyond the limit among them, is taken by the host, from a state that the device has been led to once more: so
    the host says what is wrong, in its own words. */
#ifndef SCREE_WORLD_DEVICE_H
#define SCREE_WORLD_DEVICE_H

#include "world/step/step.h"

struct scree_world;
typedef struct scree_device scree_device;

/*  For tests and measurements; all zero is none. */
typedef struct scree_device_options
{
    uint64_t memory;   /* bytes of the device, at most; 0: all */
    bool has_profile;  /* kernels are timed */
    bool is_unchecked; /* its arithmetic is not checked */
    struct scree_gpu_fault
        *fault; /* a call of the driver that fails; must live as long as the device */
} scree_device_options;

/*  Opens a device for a world, by a choice as "gpu:1"; NULL, "" and "cpu" close the one that it has. `options` may be NULL.
    SCREE_UNSUPPORTED, SCREE_OUT_OF_MEMORY, SCREE_DEVICE_ERROR change nothing. */
scree_status scree_device_open(struct scree_world *world, const char *choice,
                               const scree_device_options *options);
void scree_device_close(struct scree_world *world);

/*  What of this world a device cannot do, as "time step that is not fixed; heat", into `text`; how many there are. */
size_t scree_device_list_refusals(const struct scree_world *world, char *text, size_t bytes);

/*  What became of steps so far. */
typedef struct scree_device_course
{
    uint64_t searches, host_steps; /* looked who may touch whom; steps that were left to the host */
    uint64_t bytes, most_bytes;    /* of the device, now and at most */
    uint64_t entries;              /* of rows of contacts, see world/device/step_numbers.h */
} scree_device_course;
scree_device_course scree_device_course_of(const struct scree_world *world);
/*  The device of a world, for its profile; NULL: none. */
struct scree_gpu *scree_device_gpu(const struct scree_world *world);

/*  `count` steps. Where one fails, those before it are taken; where the device does, none of them, and the world has what it had
    before the call. */
scree_status scree_device_take_steps(struct scree_world *world, const scree_local_way *local,
                                     uint64_t count);

#endif
