/*  scree/checkpoint.h: saves a world in a file, from which it continues bit-identically.

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

    WRITING is atomic: either the file is complete, or a previous file of that name is unchanged. The file survives a
    power failure once the call has returned.

    READING trusts nothing. Every byte of a file is covered by a checksum or must be 0, so any change or truncation is
    refused, with the section and the byte. The memory used is bounded by the size of the file. All indices are checked,
    and the digest of the restored world is compared with the digest of the written one.

    THE FORMAT is documented byte by byte in docs/checkpoint.md. Files of all released versions stay readable; files of
    a newer version are refused. The format is little-endian, and needs a little-endian machine. */
#ifndef SCREE_CHECKPOINT_H
#define SCREE_CHECKPOINT_H

#include "scree/base.h"
#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  The version of the format that is written. */
#define SCREE_CHECKPOINT_VERSION 1

/*  A file that was read and verified, in memory. It never changes, so several threads may read it at the same time. */
typedef struct scree_checkpoint scree_checkpoint;

/*  Data of the host that is stored with the world, under a name such as "scene" or "run". */
typedef struct scree_checkpoint_part
{
    const char *name; /* 1 to 26 characters of a-z 0-9 . _ -; at most 1000 parts */
    const void *data; /* the content */
    size_t bytes;     /* its size; may be 0 */
} scree_checkpoint_part;

/* ---- writing ------------------------------------------------------------------------------------- */

/*  Writes the world and the host's parts. `parts` and `error` may be NULL. Not written is what is not part of the
    state: hooks, number of threads, detection method and margin, def.events, .audit and .sort_every, and functions of
    the host, of which only the names are stored. SCREE_BAD_ARGUMENT: no world or path, or a part whose name is invalid
    or given twice; SCREE_OUT_OF_MEMORY; SCREE_IO_ERROR: the message has the path and the reason. */
SCREE_API scree_status scree_checkpoint_write(scree_world *world, const char *path,
                                              const scree_checkpoint_part *parts, size_t part_count,
                                              scree_error *error);

/* ---- reading ------------------------------------------------------------------------------------- */

/*  Reads and verifies a file. `allocator` and `error` may be NULL. On failure *checkpoint is NULL. SCREE_BAD_ARGUMENT;
    SCREE_BAD_DEF: the allocator; SCREE_OUT_OF_MEMORY; SCREE_IO_ERROR; SCREE_BAD_FILE. */
SCREE_API scree_status scree_checkpoint_read(const char *path, const scree_allocator *allocator,
                                             scree_checkpoint **checkpoint, scree_error *error);
/*  Does the same with a file in memory. The bytes are copied. */
SCREE_API scree_status scree_checkpoint_read_bytes(const void *bytes, size_t count,
                                                   const scree_allocator *allocator,
                                                   scree_checkpoint **checkpoint,
                                                   scree_error *error);
/*  Frees the checkpoint. NULL is allowed. */
SCREE_API void scree_checkpoint_destroy(scree_checkpoint *checkpoint);

/*  Creates a world from the file alone: domain and physics, materials, rules, walls with meshes and paths, bodies,
    contact history and clock. `hooks` supplies allocator, log, tasks or threads, SIMD instruction set, method, margin,
    events, audit and sort_every; its other fields are ignored. NULL: the defaults. On failure *world is NULL.
    SCREE_BAD_ARGUMENT: the world has laws or paths of the host, which the message names; create a world that has them
    and use scree_checkpoint_restore. SCREE_BAD_FILE; SCREE_OUT_OF_MEMORY; and the statuses of scree_world_create. */
SCREE_API scree_status scree_checkpoint_world(const scree_checkpoint *checkpoint,
                                              const scree_world_def *hooks, scree_world **world,
                                              scree_error *error);
/*  Restores the state into a world that has the same domain, materials, rules and walls, as scree_world_restore does.
    Meshes and clumps of bodies come from the file unless the world already has equal ones. On failure nothing changes.
    SCREE_BAD_ARGUMENT: the world has other materials and so on; SCREE_BAD_FILE; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_checkpoint_restore(const scree_checkpoint *checkpoint,
                                                scree_world *world, scree_error *error);

/* ---- what is in it ------------------------------------------------------------------------------- */

/*  A summary of a checkpoint. */
typedef struct scree_checkpoint_info
{
    uint32_t version;                           /* version of the format */
    uint32_t scree_version;                     /* version that wrote it, as SCREE_VERSION_NUMBER */
    uint64_t file_bytes;                        /* size of the file */
    uint64_t digest;                            /* scree_world_digest of the written world */
    int dimensions;                             /* 2 or 3 */
    double time;                                /* simulated time, s */
    uint64_t steps;                             /* steps taken */
    double dt;                                  /* length of the last step, s */
    uint64_t bodies, added, removed, destroyed; /* as in scree_totals */
    double mass;                                /* total mass, kg */
    double smallest, largest; /* radius of the bounding sphere of a body, m; 0 without bodies */
    uint64_t materials, rules, meshes, walls; /* how many there are */
    /*  Contacts with history: between bodies, and of bodies with walls. */
    uint64_t contacts, wall_contacts;
    scree_energy energy;              /* as of scree_world_energy */
    size_t section_count, part_count; /* number of sections, and of parts of the host */
} scree_checkpoint_info;

/*  Returns the summary; all 0 for NULL. */
SCREE_API scree_checkpoint_info scree_checkpoint_describe(const scree_checkpoint *checkpoint);

/*  A section of the file: rows of one kind. Its pointers are valid as long as the checkpoint. */
typedef struct scree_checkpoint_section
{
    const char *name; /* "about", "materials", ..., "state.body.position", ..., "host.scene" */
    /*  Type of the numbers in a row: "f64" "u64" "u32" "u16" "u8"; "mixed"; "bytes". */
    const char *type;
    uint64_t row_bytes, rows; /* bytes per row, and number of rows */
    uint64_t offset;          /* position in the file, bytes */
    uint64_t checksum;        /* as docs/checkpoint.md defines it */
    const void *data;         /* the rows, aligned to 8 bytes */
} scree_checkpoint_section;

/*  Reads a section by its index in the file. Returns false past the end. */
SCREE_API bool scree_checkpoint_section_at(const scree_checkpoint *checkpoint, size_t index,
                                           scree_checkpoint_section *section);
/*  Reads a section by its name. Returns false if there is none. */
SCREE_API bool scree_checkpoint_section_of(const scree_checkpoint *checkpoint, const char *name,
                                           scree_checkpoint_section *section);
/*  Reads a part of the host by its index, in the order of writing. Returns false past the end. */
SCREE_API bool scree_checkpoint_part_at(const scree_checkpoint *checkpoint, size_t index,
                                        scree_checkpoint_part *part);
/*  Reads a part of the host by its name. Returns false if there is none. */
SCREE_API bool scree_checkpoint_part_of(const scree_checkpoint *checkpoint, const char *name,
                                        scree_checkpoint_part *part);

#ifdef __cplusplus
}
#endif

#endif
