/*  scree/base.h: version, status codes, error messages, and the hooks by which a host program supplies
    its allocator, its log and its threads. All other headers use it.

    Rules that hold everywhere:
    - A call that can fail returns scree_status; 0 is success. The library never aborts, never exits
      and never prints.
    - Create each definition with its scree_default_..._def() function. Any other definition is
      refused with SCREE_BAD_DEF, in release builds too. A definition knows its size, so that programs
      work with a shared library that is newer than their header: members that they do not know have
      default values. Later headers add members at the end. Definitions in an array lie as far apart as
      the size of the first says.
    - There is no global state. Objects do not affect each other, and different threads may use
      different objects at the same time. */
#ifndef SCREE_BASE_H
#define SCREE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define SCREE_API
#elif defined(__GNUC__)
#define SCREE_API __attribute__((visibility("default")))
#else
#define SCREE_API
#endif

/*  Marks functions with a format, which compilers check. */
#if defined(__GNUC__)
#define SCREE_PRINTF(format_at, first_at) __attribute__((format(printf, format_at, first_at)))
#else
#define SCREE_PRINTF(format_at, first_at)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- version ---------------------------------------------------------------------------------- */

/*  Major version. */
#define SCREE_VERSION_MAJOR 1
/*  Minor version. */
#define SCREE_VERSION_MINOR 0
/*  Patch version. */
#define SCREE_VERSION_PATCH 0
/*  The version as text. */
#define SCREE_VERSION_TEXT "1.0.0"
/*  The version as one number, which grows from version to version. */
#define SCREE_VERSION_NUMBER                                                                       \
    (SCREE_VERSION_MAJOR * 1000000 + SCREE_VERSION_MINOR * 1000 + SCREE_VERSION_PATCH)

/*  Returns the version of the linked library. SCREE_VERSION_NUMBER is the version of the header. */
SCREE_API uint32_t scree_version(void);

/* ---- status ----------------------------------------------------------------------------------- */

/*  What a call returns. Each function lists the statuses that it can return. */
typedef enum scree_status
{
    SCREE_OK = 0,        /* success */
    SCREE_OUT_OF_MEMORY, /* the allocator returned NULL */
    /*  A definition or table was not made by its function, or by another version. */
    SCREE_BAD_DEF,
    SCREE_BAD_ARGUMENT,   /* a NULL pointer, a stride of 0, a handle that names nothing, ... */
    SCREE_BAD_VALUE,      /* an unusable number: NaN, infinite, too large, lower > upper */
    SCREE_TOO_LARGE,      /* more bodies than there are ids */
    SCREE_TOO_SMALL,      /* the caller's buffer is too small; the required size is reported */
    SCREE_UNKNOWN_METHOD, /* there is no method of this name */
    SCREE_BAD_FILE,       /* the content of a file is invalid */
    SCREE_IO_ERROR,       /* the operating system could not read or write */
    SCREE_UNSTABLE,       /* the step would not be physical, as with overlaps that are too deep */
    SCREE_UNSUPPORTED,    /* not available on this machine or in this build */
    SCREE_DEVICE_ERROR,   /* a GPU failed, or its results differ from the host's */
} scree_status;

/*  Returns a short constant name such as "out of memory". Never NULL, also for unknown numbers. */
SCREE_API const char *scree_status_name(scree_status status);

/*  A status and the sentence that explains it: which field, its value, and which values are valid. */
typedef struct scree_error
{
    scree_status status; /* SCREE_OK without an error */
    char text[252];      /* ends with a 0; "" without an error */
} scree_error;

/* ---- memory ----------------------------------------------------------------------------------- */

/*  The host's allocator. If all three functions are NULL, malloc is used; if only some are NULL, the
    definition is refused with SCREE_BAD_DEF. A detector with several threads, and queries of several
    threads on a world, call them from several threads at the same time. */
typedef struct scree_allocator
{
    /*  Returns a block aligned as malloc's, or NULL. `bytes` is never 0. */
    void *(*allocate)(size_t bytes, void *user);
    /*  Keeps the first min(old_bytes, new_bytes) bytes. Returns NULL on failure and then leaves the block unchanged. */
    void *(*reallocate)(void *block, size_t old_bytes, size_t new_bytes, void *user);
    /*  Frees a block; `bytes` is its size. */
    void (*release)(void *block, size_t bytes, void *user);
    void *user; /* passed to each function */
} scree_allocator;

/* ---- log -------------------------------------------------------------------------------------- */

/*  How important a log message is. */
typedef enum scree_log_level
{
    SCREE_LOG_INFO,    /* for information */
    SCREE_LOG_WARNING, /* results may not be what the user expects */
} scree_log_level;

/*  The kinds of log messages. The numbers never change. */
typedef enum scree_log_id
{
    SCREE_LOG_FEWER_THREADS = 1, /* the system started fewer threads than requested */
    SCREE_LOG_BODIES_REJECTED,   /* an update skipped bodies with unusable numbers */
    SCREE_LOG_GRID_REBUILT,      /* a grid was rebuilt: bodies left it, or their sizes changed */
    SCREE_LOG_STEP_TOO_LONG,     /* the time step is longer than the stable one */
    SCREE_LOG_CONTACT_MISSING,   /* an audit found a contact that detection had missed */
    SCREE_LOG_BODY_QUARANTINED,  /* a scene removed a body whose numbers were not finite */
    SCREE_LOG_SERVO,             /* a servo of a wall or cell cannot hold its target */
    SCREE_LOG_SOURCE_WAITS,      /* a source of a scene has no room for bodies that are due */
    SCREE_LOG_SHAPE, /* a shape in a scene lacks part of its input, or counts part of it twice */
    /*  A scene or checkpoint has a setting that no longer exists; it is ignored. */
    SCREE_LOG_REMOVED,
    /*  The detection method tests nearly all pairs of this scene; others are faster. */
    SCREE_LOG_QUADRATIC,
    /*  Bodies are so far from the origin that rounding of positions is not small against their size. */
    SCREE_LOG_COARSE_POSITIONS,
    /*  Steps were shortened so that no body passes through another or a wall undetected. */
    SCREE_LOG_CROSSING,
    SCREE_LOG_OLD_NAME, /* a scene uses the old name of a function, field or value */
} scree_log_id;

/*  Receives log messages. */
typedef struct scree_log
{
    /*  NULL: no log. */
    void (*write)(scree_log_level level, scree_log_id id, const char *text, void *user);
    void *user; /* passed to `write` */
} scree_log;

/* ---- threads ---------------------------------------------------------------------------------- */

/*  One task: a function that is called once with its `data`, on any thread. */
typedef void scree_task_fn(void *data);

/*  The threads of the host. Results do not depend on `worker_count` or on which thread runs which task. */
typedef struct scree_tasks
{
    /*  Accepts one task and returns a handle, or runs the task at once and returns NULL. */
    void *(*enqueue)(scree_task_fn *task, void *data, void *user);
    /*  Waits for the task of a handle. Called once for each handle that is not NULL. */
    void (*finish)(void *handle, void *user);
    void *user;            /* passed to both functions */
    uint32_t worker_count; /* at most this many tasks are enqueued at a time */
} scree_tasks;

/*  A thread pool, for hosts that have none. Several objects may share a pool, but only one may use it at a time. */
typedef struct scree_pool scree_pool;

/*  Creates a pool. It starts `thread_count` - 1 threads, as the calling thread works as well. If the system starts
    fewer, the pool uses those. `allocator` may be NULL. Destroy the pool after the objects that use it.
    SCREE_OUT_OF_MEMORY; SCREE_BAD_ARGUMENT; SCREE_BAD_DEF: the allocator has only some of its functions. */
SCREE_API scree_status scree_pool_create(uint32_t thread_count, const scree_allocator *allocator,
                                         scree_pool **pool);
/*  Stops the threads and frees the pool. NULL is allowed. */
SCREE_API void scree_pool_destroy(scree_pool *pool);
/*  Returns the pool as tasks, for the `tasks` of a definition. */
SCREE_API scree_tasks scree_pool_tasks(scree_pool *pool);
/*  Returns the number of threads that work, including the caller's. */
SCREE_API uint32_t scree_pool_thread_count(const scree_pool *pool);

/* ---- SIMD ------------------------------------------------------------------------------------- */

/*  The SIMD instruction set to use. Results are bit-identical with all of them. The environment
    variable SCREE_SIMD (scalar, simd128, avx2, avx512) sets what SCREE_SIMD_AUTO means. If the processor lacks
    the requested set, the best available one is used. */
typedef enum scree_simd
{
    SCREE_SIMD_AUTO = 0, /* the best that the processor has */
    SCREE_SIMD_SCALAR,   /* no vector instructions of its own */
    SCREE_SIMD_128,      /* 128 bits: SSE4.2, NEON, or WebAssembly's */
    SCREE_SIMD_AVX2,     /* 256 bits */
    SCREE_SIMD_AVX512,   /* 512 bits */
} scree_simd;

/*  Returns the instruction set that is used on this processor if `wanted` is requested. Never SCREE_SIMD_AUTO. */
SCREE_API scree_simd scree_simd_resolve(scree_simd wanted);
/*  Returns its name, such as "avx2". Never NULL. */
SCREE_API const char *scree_simd_name(scree_simd level);

#ifdef __cplusplus
}
#endif

#endif
