/*  scree/checkpoint.h: a world in a file, from which it goes on to the same bytes.

        scree_error error;
        if (scree_checkpoint_write(world, "run.scree", NULL, 0, &error)) puts(error.text);
        ...
        scree_checkpoint *checkpoint;
        if (scree_checkpoint_read("run.scree", NULL, &checkpoint, &error)) puts(error.text);
        scree_world_def hooks = scree_default_world_def();
        hooks.thread_count = 8;
        scree_world *again;
        if (scree_checkpoint_world(checkpoint, &hooks, &again, &error)) puts(error.text);
        scree_checkpoint_destroy(checkpoint);

    WRITING is atomic: the file is there whole, or what was there before is untouched. It survives a power cut
    once the call has returned.

    READING trusts nothing. Every byte of a file is covered by a checksum or known to be 0, so any change of
    it and any cut is refused, with the section and the byte. Memory taken is bounded by the file's size.
    Then every number that finds something is looked at, and at the end the digest of the world that was made
    is compared with that of the world that was written.

    THE FORMAT is documented byte by byte in docs/checkpoint.md. Files of every released version stay readable;
    those of a newer one are refused. It is little-endian, and written and read by little-endian machines. */
#ifndef SCREE_CHECKPOINT_H
#define SCREE_CHECKPOINT_H

#include "scree/base.h"
#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SCREE_CHECKPOINT_VERSION 1

/*  A file that was read and verified, in memory. Never changes: may be read by several threads at once. */
typedef struct scree_checkpoint scree_checkpoint;

/*  What a host stores beside the world, by a name of its own: "scene", "run". */
typedef struct scree_checkpoint_part
{
    const char *name; /* 1 to 26 of a-z 0-9 . _ -; at most 1000 parts */
    const void *data;
    size_t bytes; /* may be 0 */
} scree_checkpoint_part;

/* ---- writing ------------------------------------------------------------------------------------- */

/*  `parts` may be NULL if there are none, `error` may be NULL. What is no part of the world is not written:
    hooks, the number of threads, method and margin of detection, def.events, .audit and .sort_every, and the
    host's functions, whose names alone are kept.
    SCREE_BAD_ARGUMENT (no world or path, a part's name that cannot be used or is given twice),
    SCREE_OUT_OF_MEMORY, SCREE_IO_ERROR (the message has the path and the system's reason). */
SCREE_API scree_status scree_checkpoint_write(scree_world *world, const char *path,
                                              const scree_checkpoint_part *parts, size_t part_count,
                                              scree_error *error);

/* ---- reading ------------------------------------------------------------------------------------- */

/*  `allocator` and `error` may be NULL. SCREE_BAD_ARGUMENT, SCREE_BAD_DEF (allocator), SCREE_OUT_OF_MEMORY,
    SCREE_IO_ERROR, SCREE_BAD_FILE; then *checkpoint is NULL. */
SCREE_API scree_status scree_checkpoint_read(const char *path, const scree_allocator *allocator,
                                             scree_checkpoint **checkpoint, scree_error *error);
/*  The same from memory; the bytes are copied. */
SCREE_API scree_status scree_checkpoint_read_bytes(const void *bytes, size_t count,
                                                   const scree_allocator *allocator,
                                                   scree_checkpoint **checkpoint,
                                                   scree_error *error);
SCREE_API void scree_checkpoint_destroy(scree_checkpoint *checkpoint); /* NULL is fine */

/*  A world from the file alone: domain and physics, materials, rules, walls with their meshes and paths,
    bodies, what contacts remember, the clock. `hooks` gives allocator, log, tasks or threads, SIMD level,
    method, margin, events, audit and sort_every; the rest of it is not looked at. NULL: the default ones.
    SCREE_BAD_ARGUMENT where the world has laws or paths of the host's own, which are named: make a world
    that has them, and use scree_checkpoint_restore. SCREE_BAD_FILE, SCREE_OUT_OF_MEMORY, and what
    scree_world_create returns. On failure *world is NULL. */
SCREE_API scree_status scree_checkpoint_world(const scree_checkpoint *checkpoint,
                                              const scree_world_def *hooks, scree_world **world,
                                              scree_error *error);
/*  Into a world that has the same domain, materials, rules and walls, as scree_world_restore; meshes and clumps
    of bodies are those of the file where the world has met none like them. SCREE_BAD_ARGUMENT where it has
    others, SCREE_BAD_FILE, SCREE_OUT_OF_MEMORY; then nothing changes. */
SCREE_API scree_status scree_checkpoint_restore(const scree_checkpoint *checkpoint,
                                                scree_world *world, scree_error *error);

/* ---- what is in it ------------------------------------------------------------------------------- */

typedef struct scree_checkpoint_info
{
    uint32_t version;       /* of the format */
    uint32_t scree_version; /* that wrote it, as SCREE_VERSION_NUMBER */
    uint64_t file_bytes;
    uint64_t digest; /* scree_world_digest of the world that was written */
    int dimensions;
    double time; /* s */
    uint64_t steps;
    double dt;                                  /* of the last step */
    uint64_t bodies, added, removed, destroyed; /* as in scree_totals */
    double mass;
    double smallest, largest; /* radius of the sphere around a body; 0 without bodies */
    uint64_t materials, rules, meshes, walls;
    uint64_t contacts,
        wall_contacts; /* of bodies, and of bodies and walls, that remember something */
    scree_energy energy;
    size_t section_count, part_count;
} scree_checkpoint_info;

SCREE_API scree_checkpoint_info scree_checkpoint_describe(const scree_checkpoint *checkpoint);

/*  A stretch of the file: rows of one kind. Pointers live as long as the checkpoint. */
typedef struct scree_checkpoint_section
{
    const char *name; /* "about", "materials", ..., "state.body.position", ..., "host.scene" */
    const char *type; /* of the numbers in a row: "f64" "u64" "u32" "u16" "u8"; "mixed"; "bytes" */
    uint64_t row_bytes, rows;
    uint64_t offset; /* in the file */
    uint64_t checksum;
    const void *data; /* aligned to 8 */
} scree_checkpoint_section;

/*  In the order of the file; false past the end. */
SCREE_API bool scree_checkpoint_section_at(const scree_checkpoint *checkpoint, size_t index,
                                           scree_checkpoint_section *section);
/*  By name; false if there is none. */
SCREE_API bool scree_checkpoint_section_of(const scree_checkpoint *checkpoint, const char *name,
                                           scree_checkpoint_section *section);
/*  The host's parts, in the order they were written, and by name. */
SCREE_API bool scree_checkpoint_part_at(const scree_checkpoint *checkpoint, size_t index,
                                        scree_checkpoint_part *part);
SCREE_API bool scree_checkpoint_part_of(const scree_checkpoint *checkpoint, const char *name,
                                        scree_checkpoint_part *part);

#ifdef __cplusplus
}
#endif

#endif
