/*  The parts of writing a checkpoint, for one process (checkpoint_write.c) and for ranks, of which each has other rows
    (checkpoint_ranks.c). In the order of use: begin, a table, define, describe, lay_out, seal, free. */
#ifndef SCREE_CHECKPOINT_WRITER_H
#define SCREE_CHECKPOINT_WRITER_H

#include "io/checkpoint_format.h"

typedef struct scree_section_data
{
    const void *rows; /* NULL: they come from elsewhere */
    uint64_t bytes;
} scree_section_data;

typedef struct scree_checkpoint_writer
{
    scree_memory memory;
    const char *path;
    const scree_checkpoint_part *parts;
    size_t part_count;
    scree_error *error;
    scree_checkpoint_about about;
    scree_definitions definitions;
    unsigned char *block; /* rows of definitions */
    size_t block_bytes;
    scree_snapshot *table; /* owned: head and table of the state, and perhaps its rows */
    unsigned char *head;   /* head, table and checksum in the layout of the file */
    size_t head_bytes;
    scree_section_data *data; /* of each section */
    size_t section_count, count;
    uint64_t end; /* end of the sections so far, in the file */
} scree_checkpoint_writer;

/*  Checks the arguments of scree_checkpoint_write, with its statuses and messages. */
scree_status scree_checkpoint_writer_begin(scree_checkpoint_writer *w, const scree_world *world,
                                           const char *path, const scree_checkpoint_part *parts,
                                           size_t part_count, scree_error *error);
/*  The definitions of materials, interactions, meshes and walls. SCREE_OUT_OF_MEMORY without a message. */
scree_status scree_checkpoint_writer_define(scree_checkpoint_writer *w, const scree_world *world);
/*  The section "about", but for masses and radii. */
void scree_checkpoint_writer_describe(scree_checkpoint_writer *w, scree_world *world);

/*  The rows of a section of the state; NULL: they come from elsewhere, and so does their checksum. */
typedef const void *scree_section_rows_fn(const scree_snapshot_section *section, void *user);
/*  Places all sections in the file. SCREE_OUT_OF_MEMORY without a message. */
scree_status scree_checkpoint_writer_lay_out(scree_checkpoint_writer *w,
                                             scree_section_rows_fn *rows_of, void *user);
/*  All checksums are known: head and table are complete. */
void scree_checkpoint_writer_seal(scree_checkpoint_writer *w);
void scree_checkpoint_writer_free(scree_checkpoint_writer *w);

static inline scree_checkpoint_row *scree_checkpoint_writer_rows(const scree_checkpoint_writer *w)
{
    return (scree_checkpoint_row *)(void *)(w->head + sizeof(scree_checkpoint_head));
}

#endif
