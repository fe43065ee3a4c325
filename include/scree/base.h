/*  scree/base.h: what every part of scree shares: version, status, messages, and the hooks through
    which a host program lends its allocator, its log and its threads.

    Rules that hold everywhere:
    - A call that can fail returns scree_status; 0 is success. The library never aborts, never exits
      and never prints.
    - Definitions are made by their scree_default_..._def() function. A definition made otherwise is
      refused with SCREE_BAD_DEF, in release builds too.
    - There is no global state. Two objects never notice each other, and different objects may be
      used from different threads at once. */
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

#if defined(__GNUC__)
#define SCREE_PRINTF(format_at, first_at) __attribute__((format(printf, format_at, first_at)))
#else
#define SCREE_PRINTF(format_at, first_at)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- version ---------------------------------------------------------------------------------- */

#define SCREE_VERSION_MAJOR 0
#define SCREE_VERSION_MINOR 1
#define SCREE_VERSION_PATCH 0
#define SCREE_VERSION_TEXT "0.1.0"
#define SCREE_VERSION_NUMBER                                                                       \
    (SCREE_VERSION_MAJOR * 1000000 + SCREE_VERSION_MINOR * 1000 + SCREE_VERSION_PATCH)

/*  The version of the library that is linked, as SCREE_VERSION_NUMBER is that of the header. */
SCREE_API uint32_t scree_version(void);

/* ---- status ----------------------------------------------------------------------------------- */

typedef enum scree_status
{
    SCREE_OK = 0,
    SCREE_OUT_OF_MEMORY, /* the allocator returned NULL */
    SCREE_BAD_DEF,       /* a definition or table not made by its function, or of another version */
    SCREE_BAD_ARGUMENT,  /* a null pointer, a stride of 0, an id that is not there, ... */
    SCREE_BAD_VALUE,     /* a number that cannot be used: NaN, infinite, too large, lower > upper */
    SCREE_TOO_LARGE,     /* more bodies than ids can name */
    SCREE_TOO_SMALL,     /* the caller's buffer; the number needed is reported */
    SCREE_UNKNOWN_METHOD, /* no method of this name */
    SCREE_BAD_FILE,       /* a file's content is not what it should be */
    SCREE_IO_ERROR,       /* the system failed to read or write */
    SCREE_UNSTABLE, /* a step that would not be physics any more: bodies too deep in each other */
    SCREE_UNSUPPORTED,  /* what was asked for is not there: on this machine, or in this build */
    SCREE_DEVICE_ERROR, /* a device that computes has failed, or computes otherwise than the host */
} scree_status;

/*  A short constant name, as "out of memory"; never NULL, whatever the number. */
SCREE_API const char *scree_status_name(scree_status status);

/*  A status with the sentence that explains it: which field, which value, what would be right. */
typedef struct scree_error
{
    scree_status status;
    char text[252];
} scree_error;

/* ---- memory ----------------------------------------------------------------------------------- */

/*  The host's allocator. Each function gets `user`. Blocks are aligned as malloc's. Sizes are never
    0. `reallocate` keeps the first min(old, new) bytes and on failure leaves the block as it was.
    A detector with several threads calls these from several threads at once. All three NULL: the
    C library's malloc. Some NULL: SCREE_BAD_DEF. */
typedef struct scree_allocator
{
    void *(*allocate)(size_t bytes, void *user);
    void *(*reallocate)(void *block, size_t old_bytes, size_t new_bytes, void *user);
    void (*release)(void *block, size_t bytes, void *user);
    void *user;
} scree_allocator;

/* ---- log -------------------------------------------------------------------------------------- */

typedef enum scree_log_level
{
    SCREE_LOG_INFO,
    SCREE_LOG_WARNING,
} scree_log_level;

/*  Every message that may be logged, by a number that does not change. */
typedef enum scree_log_id
{
    SCREE_LOG_FEWER_THREADS = 1, /* the system did not start all threads that were asked for */
    SCREE_LOG_BODIES_REJECTED,   /* an update skipped bodies with unusable numbers */
    SCREE_LOG_GRID_REBUILT,      /* a grid was laid anew: bodies left it, or their sizes changed */
    SCREE_LOG_STEP_TOO_LONG,     /* the step of a world is longer than is stable for its contacts */
    SCREE_LOG_CONTACT_MISSING,   /* an audit has found a contact that detection did not know */
    SCREE_LOG_BODY_QUARANTINED,  /* a scene has taken out a body whose numbers were not finite */
    SCREE_LOG_SERVO,             /* a servo, of a wall or the cell, cannot hold its target */
    SCREE_LOG_SOURCE_WAITS,      /* a scene's source finds no room for bodies that are due */
    SCREE_LOG_SHAPE, /* a shape in a scene is not all that was given, or counts some of it twice */
    SCREE_LOG_REMOVED, /* a scene or checkpoint has a setting that was removed, and goes on without it */
    SCREE_LOG_QUADRATIC, /* the method of detection tests nearly all pairs of this scene: another is faster */
    SCREE_LOG_COARSE_POSITIONS, /* bodies are so far from the origin that places are rounded to a share of their size */
    SCREE_LOG_CROSSING, /* steps of a world are made shorter, so that nothing goes through anything unseen */
    SCREE_LOG_OLD_NAME, /* a scene uses the old name of a function, field or word */
} scree_log_id;

typedef struct scree_log
{
    void (*write)(scree_log_level level, scree_log_id id, const char *text, void *user);
    void *user;
} scree_log;

/* ---- threads ---------------------------------------------------------------------------------- */

/*  Threads come from the host. `enqueue` hands over one task, to be run once on any thread, and
    returns a handle for it, or NULL if it ran the task before returning. `finish` waits for the task
    of a handle (which is not NULL) and is called once for each. At most `worker_count` tasks are
    enqueued at a time. No result depends on who runs what, when, or on `worker_count`. */
typedef void scree_task_fn(void *data);

typedef struct scree_tasks
{
    void *(*enqueue)(scree_task_fn *task, void *data, void *user);
    void (*finish)(void *handle, void *user);
    void *user;
    uint32_t worker_count;
} scree_tasks;

/*  A pool of threads for hosts that have none. Several objects may share one, one at a time. */
typedef struct scree_pool scree_pool;

/*  Starts `thread_count` - 1 threads (the caller is the first). If the system starts fewer, the pool
    works with those. `allocator` may be NULL. SCREE_OUT_OF_MEMORY, SCREE_BAD_ARGUMENT,
    SCREE_BAD_DEF (only some functions of the allocator). */
SCREE_API scree_status scree_pool_create(uint32_t thread_count, const scree_allocator *allocator,
                                         scree_pool **pool);
SCREE_API void scree_pool_destroy(scree_pool *pool); /* NULL is fine */
SCREE_API scree_tasks scree_pool_tasks(scree_pool *pool);
/*  Threads that work, the caller's included. */
SCREE_API uint32_t scree_pool_thread_count(const scree_pool *pool);

/* ---- SIMD ------------------------------------------------------------------------------------- */

/*  Which vector instructions to use. Results are the same bits at every level. The environment
    variable SCREE_SIMD (scalar, avx2, avx512) sets what SCREE_SIMD_AUTO means; a level that the
    processor lacks falls back to the best it has. */
typedef enum scree_simd
{
    SCREE_SIMD_AUTO = 0,
    SCREE_SIMD_SCALAR,
    SCREE_SIMD_AVX2,
    SCREE_SIMD_AVX512,
} scree_simd;

/*  The level that `wanted` comes to on this processor: never SCREE_SIMD_AUTO. */
SCREE_API scree_simd scree_simd_resolve(scree_simd wanted);
SCREE_API const char *scree_simd_name(scree_simd level);

#ifdef __cplusplus
}
#endif

#endif
