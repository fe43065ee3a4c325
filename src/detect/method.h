/*  The interface of a detection method: one file in this folder ending in one of these descriptors, and one line in
    registry.c. Tests, fuzzers and benchmarks find it there. */
#ifndef SCREE_METHOD_H
#define SCREE_METHOD_H

#include "base/error.h"
#include "base/memory.h"
#include "base/radix_sort.h"
#include "base/tasks.h"
#include "detect/method_bodies.h"
#include "detect/outline.h"
#include "detect/probe.h"
#include "detect/sink.h"
#include "scree/detect.h"

/*  What a method gets for its whole life. */
typedef struct scree_method_env
{
    scree_memory *memory;         /* all memory of a method comes from here */
    const scree_workers *workers; /* for use inside build, update, insert, remove only */
    const scree_detector_def *def;
    scree_error *error; /* for messages beside that of SCREE_OUT_OF_MEMORY */
} scree_method_env;

/*  Memory of one worker for one block of pairs(). Pieces become invalid after it. */
typedef struct scree_scratch
{
    scree_memory *memory;
    struct scree_scratch_piece *pieces;
    size_t count, capacity; /* of pieces */
    size_t used;            /* pieces taken in this block */
    bool failed;
} scree_scratch;

/*  `count` elements, content not set, aligned for any type; NULL if memory ran out (then the shared
    code reports it: the method just returns) or if count is 0. The same sequence of calls in the
   next block allocates nothing. */
void *scree_scratch_take(scree_scratch *scratch, size_t count, size_t element_bytes);

/*  `self` is state_bytes of zeros at first. Everything below works on the active bodies alone.
    Functions marked (optional) may be NULL. On SCREE_OUT_OF_MEMORY from build, update, insert or
    remove the shared code keeps the bodies, drops the structure, and calls build before anything
    else. So each of these must leave a state that build and destroy can work on. */
typedef struct scree_method
{
    scree_method_info info;
    size_t state_bytes;
    bool exact; /* pairs() gives just the pairs of part 3 of the rule: they are not tested again */
    /*  insert and remove visit all bodies, so single ones wait and are passed on together. Then remove must not use boxes
        or the list of active bodies, since bodies may have left already. */
    bool batches;
    bool spheres_alone; /* of spheres, only bodies->sphere is looked at: bodies->box is NULL then */

    /*  (optional) Once, before all else. The place to check the method's own parameters:
        SCREE_BAD_ARGUMENT, with a message into env->error. */
    scree_status (*create)(void *self, const scree_method_env *env);

    /*  Releases everything; also called after a create that failed. */
    void (*destroy)(void *self, const scree_method_env *env);

    /*  Discards the old structure, and builds one for bodies->active. Memory may be kept. */
    scree_status (*build)(void *self, const scree_method_env *env, const scree_bodies *bodies);

    /*  (optional: build is called) The same bodies, moved: those in ids[0..count), or all active
       ones if ids is NULL. */
    scree_status (*update)(void *self, const scree_method_env *env, const scree_bodies *bodies,
                           const uint32_t *ids, size_t count);

    /*  (optional: build is called before the next search) The bodies have just become active. */
    scree_status (*insert)(void *self, const scree_method_env *env, const scree_bodies *bodies,
                           const uint32_t *ids, size_t count);

    /*  (optional, as insert) The bodies are about to leave: still active and with their boxes. */
    scree_status (*remove)(void *self, const scree_method_env *env, const scree_bodies *bodies,
                           const uint32_t *ids, size_t count);

    /*  (optional: 1) Number of blocks of the search: from item counts, never from threads. */
    size_t (*block_count)(const void *self, const scree_bodies *bodies);

    /*  All candidate pairs that belong to `block`; over all blocks each pair once. Blocks run at
       the same time, so self is const. Look at sink->stopped now and then. A superset of the
       overlapping boxes; each candidate costs an exact test, and is counted in stats.tested. */
    void (*pairs)(const void *self, const scree_bodies *bodies, size_t block,
                  scree_scratch *scratch, scree_sink *sink);

    /*  (optional: linear scan) Every active body that the probe may meet, each once. Called from
        several threads at once, and only if there are active bodies. */
    void (*query)(const void *self, const scree_bodies *bodies, const scree_probe *probe,
                  scree_hit_sink *sink);

    /*  (optional) Adds inversions, remapped, created, destroyed to the figures. */
    void (*stats)(const void *self, scree_stats *stats);

    /*  (optional: there is nothing to show) Passes all pieces of the structure to scree_outline_put. Memory is that
        of a block of pairs(). Only called if there are active bodies, and the structure is up to date. */
    void (*outline)(const void *self, const scree_bodies *bodies, struct scree_scratch *scratch,
                    scree_outline_sink *sink);

    /* ---- for methods that hand their work to others; all optional ---- */

    /*  Replaces `exact`, if that may change. */
    bool (*is_exact)(const void *self);

    /*  Called after a search that found all pairs: their number, and the time with the preceding update. Times are
        for explanations: nothing else may depend on a clock. */
    void (*note_search)(void *self, uint64_t pairs, double seconds);

    /*  Fills in everything except the statistics of the detector. */
    void (*explain)(const void *self, scree_explanation *why);
} scree_method;

static inline bool scree_method_is_exact(const scree_method *method, const void *self)
{
    return method->is_exact ? method->is_exact(self) : method->exact;
}

/*  Registry: NULL if there is none of this name or index. */
const scree_method *scree_method_find(const char *name);
const scree_method *scree_method_number(size_t index);

#endif
