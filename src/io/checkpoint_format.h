/*  The layout of a checkpoint file; docs/checkpoint.md describes every byte.

        head, table of sections, checksum of both
        about, materials, rules, meshes, names of walls     see definitions.h
        state, state.sections, state.*                      a snapshot as in memory, see snapshot.h
        host.*                                              parts of the host

    Each section begins at the first multiple of 8 after the one before; bytes between are 0. So the offsets of sections
    follow from their sizes, and a snapshot can be restored from the buffer of the file. */
#ifndef SCREE_CHECKPOINT_FORMAT_H
#define SCREE_CHECKPOINT_FORMAT_H

#include "io/read_file.h"
#include "scree/checkpoint.h"
#include "world/save/definitions.h"

#define SCREE_CHECKPOINT_MAGIC "\211scree\r\n" /* 8 bytes, which a transfer in text mode corrupts */
#define SCREE_CHECKPOINT_ENDIAN 0x01020304u
#define SCREE_CHECKPOINT_STATE "state."
#define SCREE_CHECKPOINT_HOST "host."
#define SCREE_CHECKPOINT_ENERGIES 13
#define SCREE_CHECKPOINT_MAX_PARTS 1000

typedef struct scree_checkpoint_head
{
    char magic[8];
    uint32_t endian, version;
    uint64_t bytes, section_count;
} scree_checkpoint_head;

/*  A row of the table of sections. Names and types are padded with zeros. */
typedef struct scree_checkpoint_row
{
    char name[32], type[8];
    uint64_t row_bytes, rows, offset, checksum;
} scree_checkpoint_row;

/*  What a reader needs first, and what is in no other section. */
typedef struct scree_checkpoint_about
{
    uint64_t scree_version, digest;
    uint64_t steps;
    double time, dt;
    uint64_t bodies, added, removed, destroyed, contacts, wall_contacts;
    uint64_t free_wall_name;
    double mass, smallest, largest;
    double energy[SCREE_CHECKPOINT_ENERGIES]; /* fields of scree_energy in order */
} scree_checkpoint_about;

/*  Indices in the table; the arrays of definitions are behind "about". */
enum
{
    SCREE_CHECKPOINT_ABOUT,
    SCREE_CHECKPOINT_FIRST_DEFINITION,
#define X(name, type, rows, count) +1
    SCREE_CHECKPOINT_STATE_HEAD = SCREE_CHECKPOINT_FIRST_DEFINITION SCREE_DEFINITION_ARRAYS(X),
#undef X
    SCREE_CHECKPOINT_STATE_TABLE,
    SCREE_CHECKPOINT_FIRST_STATE,
};

struct scree_checkpoint
{
    scree_memory memory;
    scree_file_bytes file;
    char name[160]; /* source of the data, for messages */
    const scree_checkpoint_row *rows;
    size_t section_count, first_part; /* indices in the table: parts are the last */
    const scree_checkpoint_about *about;
    scree_definitions definitions;
    scree_snapshot snapshot; /* points into the file's bytes */
};

/*  Offset of the section that follows so many bytes. */
static inline uint64_t scree_checkpoint_align(uint64_t bytes)
{
    return (bytes + 7) & ~(uint64_t)7;
}

/*  Size of head, table and checksum. */
static inline uint64_t scree_checkpoint_table_bytes(uint64_t sections)
{
    return sizeof(scree_checkpoint_head) + sections * sizeof(scree_checkpoint_row) +
           sizeof(uint64_t);
}

/*  Adds one body, in the order of rows: the sum depends on it. */
static inline void scree_checkpoint_add_size(scree_checkpoint_about *about, bool is_first,
                                             double mass, double radius)
{
    about->mass += mass;
    if (is_first || radius < about->smallest)
        about->smallest = radius;
    if (radius > about->largest)
        about->largest = radius;
}

/*  Computes masses and radii from the bodies of a state. */
void scree_checkpoint_set_sizes(scree_checkpoint_about *about, const scree_snapshot *snapshot);

/*  Other byte orders and number formats would give other files. */
bool scree_checkpoint_machine_fits(void);
/*  Whether a part of the host may have this name. */
bool scree_checkpoint_name_fits(const char *name);

/*  Whether every value of a snapshot is possible in a world: what scree_snapshot_check does not test, because it does
    not affect memory safety. `world` has passed that check. SCREE_BAD_FILE with section and row, SCREE_OUT_OF_MEMORY.
    */
scree_status scree_checkpoint_check_values(const scree_world *world, const scree_snapshot *snapshot,
                                           scree_memory *memory, scree_error *error);

/*  As scree_checkpoint_world, but the caller checks the digest. For tests of states that no world has written. */
scree_status scree_checkpoint_build(const scree_checkpoint *checkpoint,
                                    const scree_world_def *hooks, scree_world **world,
                                    scree_error *error);

#endif
