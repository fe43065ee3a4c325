/*  Rows of a snapshot, made by all ranks together: each makes those of a range of ids (id_ranges.h), as scree_snapshot_write
    makes them for the whole world. */
#ifndef SCREE_DIST_SNAPSHOT_ROWS_H
#define SCREE_DIST_SNAPSHOT_ROWS_H

#include "dist/exchange.h"
#include "dist/id_ranges.h"

/*  What a row of a section belongs to. */
typedef enum scree_row_kind
{
    SCREE_ROWS_OF_BODIES,
    SCREE_ROWS_OF_PAIRS,
    SCREE_ROWS_OF_WALL_CONTACTS,
    SCREE_ROWS_OF_SHAPE_CONTACTS,
    SCREE_ROW_KINDS,
    SCREE_ROWS_OF_HOST = SCREE_ROW_KINDS, /* made by rank 0: settings, walls, handles */
} scree_row_kind;

scree_row_kind scree_row_kind_of(const char *section);

/*  What all ranks know of the whole snapshot, from rank 0. */
typedef struct scree_snapshot_frame
{
    scree_snapshot_head head;
    scree_snapshot_tail tail;
    uint64_t *mesh; /* digests of the meshes of bodies in their order: tail.meshes of them */
} scree_snapshot_frame;

/*  The rows of this rank. */
typedef struct scree_snapshot_rows_part
{
    scree_memory *memory;
    const scree_comm *comm;
    scree_id_ranges ranges;
    scree_received received;
    scree_snapshot *rows; /* sections with the rows of this rank alone */
    uint64_t count[SCREE_ROW_KINDS],
        before[SCREE_ROW_KINDS]; /* rows of this rank, and of earlier ones */
    uint64_t total[SCREE_ROW_KINDS];
} scree_snapshot_rows_part;

/*  Collective: makes the rows of the first `owned` bodies of all parts and of their contacts. SCREE_OUT_OF_MEMORY on all
    ranks, SCREE_BAD_VALUE if a body of a contact is nowhere, or a status of `comm`. To be freed, also after a failure. */
scree_status scree_snapshot_rows_make(scree_snapshot_rows_part *part, scree_memory *memory,
                                      const scree_comm *comm, const scree_world *world,
                                      uint32_t owned, const scree_snapshot_frame *frame);
void scree_snapshot_rows_free(scree_snapshot_rows_part *part);

#endif
