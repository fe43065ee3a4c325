/*  OpenCL devices: listing, opening, memory, programs and kernels.

    libOpenCL is opened when a device is first asked for, never before: a machine without it runs everything else. One
    queue executes all calls in order, so a kernel sees what the kernels before it wrote, and no call waits for the
    device unless its comment says so. Errors of a kernel may be reported by a later call; scree_gpu_finish reports all.

    No call aborts. On failure a call returns a status, and writes a message to the scree_error that the device was
    opened with. SCREE_UNSUPPORTED: no OpenCL, no such device, or one that lacks what is needed. SCREE_OUT_OF_MEMORY:
    the message names the buffer, the requested size and the available size. SCREE_DEVICE_ERROR: any other error of the
    driver, with OpenCL's name. After that the device must only be closed; data on the host is unchanged.

    An object must be used by one thread at a time; different objects may be used concurrently. */
#ifndef SCREE_OPENCL_H
#define SCREE_OPENCL_H

#include "base/common.h"

/* ---- failure injection for tests ---- */

/*  Makes one OpenCL call fail, for tests: the `at`-th, counted from 1, returns `code` and does nothing. 0: none. */
typedef struct scree_gpu_fault
{
    uint64_t at;
    uint64_t calls; /* number of calls so far, written by the library */
    int32_t code;   /* such as CL_OUT_OF_RESOURCES, -5 */
} scree_gpu_fault;

/* ---- list of devices ---- */

typedef struct scree_gpu_info
{
    char name[96], platform[64], driver[64], version[64];
    bool is_gpu; /* otherwise a processor that runs OpenCL, or an accelerator */
    bool is_available, has_compiler;
    bool has_doubles;   /* with denormals, rounded to nearest */
    bool has_atomics64; /* cl_khr_int64_base_atomics */
    uint32_t compute_units;
    size_t max_local;                              /* work-items of a group */
    uint64_t memory, largest_buffer, local_memory; /* bytes */
} scree_gpu_info;

/*  All devices of all platforms, in the order in which the system lists them: their numbers are "gpu:N". */
typedef struct scree_gpu_devices
{
    scree_gpu_info *rows;
    size_t count;
    scree_allocator allocator; /* owns the rows; used by scree_gpu_devices_free */
} scree_gpu_devices;

/*  SCREE_OK with no rows if OpenCL is installed and has no device. SCREE_UNSUPPORTED if libOpenCL is missing: the
    message says what to install. `allocator`, `fault` and `error` may be NULL. */
scree_status scree_gpu_devices_list(const scree_allocator *allocator, scree_gpu_fault *fault,
                                    scree_gpu_devices *devices, scree_error *error);
void scree_gpu_devices_free(scree_gpu_devices *devices);

/*  Returns the capability that a device lacks for computing worlds, such as "64-bit atomics", or NULL if it has all. */
const char *scree_gpu_lacks(const scree_gpu_info *info);

/*  The index that a choice names: "gpu" is the first GPU with all capabilities, otherwise the first device with all;
    "gpu:2" is row 2; anything else is a part of a name, ignoring case. SCREE_UNSUPPORTED with a message. */
scree_status scree_gpu_choose(const scree_gpu_devices *devices, const char *choice, size_t *number,
                              scree_error *error);

/* ---- one device ------------------------------------------------------------------------------- */

typedef struct scree_gpu scree_gpu;

typedef struct scree_gpu_def
{
    const char *device; /* a choice, see above; NULL: "gpu" */
    /*  largest total size of buffers in bytes; 0: the memory of the device */
    uint64_t budget;
    bool has_profile;                 /* measure each kernel: scree_gpu_profile */
    bool is_unchecked;                /* skip the check of its arithmetic (gpu/arithmetic.h) */
    const scree_allocator *allocator; /* NULL: malloc */
    scree_gpu_fault *fault;           /* NULL: none; must live as long as the device */
    scree_error *error; /* where messages go; may be NULL; must live as long as the device */
} scree_gpu_def;

scree_status scree_gpu_open(const scree_gpu_def *def, scree_gpu **gpu);
void scree_gpu_close(
    scree_gpu *gpu); /* NULL is allowed; free buffers, kernels and programs first */

const scree_gpu_info *scree_gpu_describe(const scree_gpu *gpu);
/*  Redirects messages from now on. */
void scree_gpu_say_to(scree_gpu *gpu, scree_error *error);
/*  Bytes of buffers allocated now, and the peak so far. */
uint64_t scree_gpu_bytes(const scree_gpu *gpu);
uint64_t scree_gpu_max_bytes(const scree_gpu *gpu);

/* ---- memory ----------------------------------------------------------------------------------- */

/*  A block of device memory. All zero is empty. */
typedef struct scree_gpu_buffer
{
    void *memory;
    size_t bytes; /* usable size; at least what was requested */
} scree_gpu_buffer;

/*  Ensures room for `bytes`; the content is undefined. The old content is lost, unless there is room already. Allocates
    at least 16 bytes, so that an empty column can be passed to a kernel. `name` is for messages. Unchanged on failure.
    Waits for the device if it must grow. */
scree_status scree_gpu_reserve(scree_gpu *gpu, scree_gpu_buffer *buffer, size_t bytes,
                               const char *name);
/*  Does the same, and keeps the content; both blocks exist for a moment. */
scree_status scree_gpu_grow(scree_gpu *gpu, scree_gpu_buffer *buffer, size_t bytes,
                            const char *name);
void scree_gpu_free(scree_gpu *gpu, scree_gpu_buffer *buffer); /* all zero is allowed */

/*  Copies bytes `at` .. at + bytes. Write returns when `data` may be changed, read when the data has arrived: after all
    earlier calls. */
scree_status scree_gpu_write(scree_gpu *gpu, const scree_gpu_buffer *buffer, size_t at,
                             const void *data, size_t bytes);
scree_status scree_gpu_read(scree_gpu *gpu, const scree_gpu_buffer *buffer, size_t at, void *data,
                            size_t bytes);
scree_status scree_gpu_copy(scree_gpu *gpu, const scree_gpu_buffer *from, size_t from_at,
                            const scree_gpu_buffer *to, size_t to_at, size_t bytes);
/*  Repeats 4 bytes; `at` and `bytes` are multiples of 4. */
scree_status scree_gpu_fill(scree_gpu *gpu, const scree_gpu_buffer *buffer, size_t at, size_t bytes,
                            uint32_t value);

/* ---- programs --------------------------------------------------------------------------------- */

typedef struct scree_gpu_program
{
    void *program; /* NULL: none */
} scree_gpu_program;

typedef struct scree_gpu_kernel
{
    void *kernel;     /* NULL: none */
    size_t max_local; /* largest number of work-items per group for this kernel */
    uint32_t number;  /* index of its row in the profile */
} scree_gpu_kernel;

/*  Builds a text of the library (gpu/kernel_text.h) with the texts it includes. `options` is such as "-DWIDTH=3"; NULL:
    none. If the build fails, the message has the first error, and scree_gpu_build_log the whole output of the compiler.
    */
scree_status scree_gpu_build(scree_gpu *gpu, const char *text_name, const char *options,
                             scree_gpu_program *program);
/*  Does the same from a given text; `name` is for messages. */
scree_status scree_gpu_build_text(scree_gpu *gpu, const char *name, const char *text,
                                  const char *options, scree_gpu_program *program);
void scree_gpu_program_free(scree_gpu *gpu, scree_gpu_program *program);
/*  The output of the compiler in the last build that failed; "" if none did. Valid until the next build. */
const char *scree_gpu_build_log(const scree_gpu *gpu);

scree_status scree_gpu_kernel_make(scree_gpu *gpu, const scree_gpu_program *program,
                                   const char *name, scree_gpu_kernel *kernel);
void scree_gpu_kernel_free(scree_gpu *gpu, scree_gpu_kernel *kernel);

/*  An argument of a kernel: a buffer, a value of any plain type, or bytes of local memory. */
typedef struct scree_gpu_argument
{
    const void *data;
    size_t bytes;
} scree_gpu_argument;

#define SCREE_GPU_BUFFER(buffer)                                                                   \
    {                                                                                              \
        &(buffer).memory, sizeof(void *)                                                           \
    }
#define SCREE_GPU_VALUE(value)                                                                     \
    {                                                                                              \
        &(value), sizeof(value)                                                                    \
    }
#define SCREE_GPU_LOCAL(bytes)                                                                     \
    {                                                                                              \
        NULL, (bytes)                                                                              \
    }

/*  Runs a kernel over at least `count` work-items in groups of `local`. The last group is full, so a kernel must
    compare its index with its own count. With 0 items nothing is done. */
scree_status scree_gpu_launch(scree_gpu *gpu, const scree_gpu_kernel *kernel, size_t count,
                              size_t local, const scree_gpu_argument *arguments,
                              uint32_t argument_count);

/*  Waits until all calls are complete. */
scree_status scree_gpu_finish(scree_gpu *gpu);

/* ---- measuring -------------------------------------------------------------------------------- */

/*  Total time of the kernels of one name. */
typedef struct scree_gpu_time
{
    const char *kernel;
    uint64_t launches;
    double seconds; /* on the device */
} scree_gpu_time;

/*  Rows of a device that was opened with `has_profile`, in the order in which kernels were created; complete after
    scree_gpu_finish. Returns false after the last. */
bool scree_gpu_profile(const scree_gpu *gpu, size_t row, scree_gpu_time *time);
void scree_gpu_profile_clear(scree_gpu *gpu);
bool scree_gpu_has_profile(const scree_gpu *gpu);

#endif
