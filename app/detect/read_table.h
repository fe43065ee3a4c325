/*  Tables of bodies in files: text (CSV) or binary, see docs/formats.md. The readers work on a block of memory, check
    everything, and report the position of errors. A table that they accept, scree_detector_update accepts too. */
#ifndef SCREE_READ_TABLE_H
#define SCREE_READ_TABLE_H

#include "base/memory.h"
#include "scree/detect.h"

typedef enum scree_column
{
    SCREE_COLUMN_X,
    SCREE_COLUMN_Y,
    SCREE_COLUMN_Z,
    SCREE_COLUMN_R,
    SCREE_COLUMN_LO_X,
    SCREE_COLUMN_LO_Y,
    SCREE_COLUMN_LO_Z,
    SCREE_COLUMN_HI_X,
    SCREE_COLUMN_HI_Y,
    SCREE_COLUMN_HI_Z,
    SCREE_COLUMN_ID,
    SCREE_COLUMN_GROUP,
    SCREE_COLUMN_MASK,
    SCREE_COLUMN_OWNER,
    SCREE_COLUMN_FLAGS,
    SCREE_COLUMN_COUNT,
} scree_column;

/*  The values are the types in binary files. */
typedef enum scree_column_type
{
    SCREE_TYPE_F64 = 1,
    SCREE_TYPE_F32 = 2,
    SCREE_TYPE_U32 = 3,
    SCREE_TYPE_U64 = 4,
    SCREE_TYPE_U8 = 5,
} scree_column_type;

typedef struct scree_column_info
{
    const char *name, *other_name;
    scree_column_type type; /* type in memory: real numbers are always F64 */
} scree_column_info;

extern const scree_column_info scree_column_infos[SCREE_COLUMN_COUNT];

/*  Bytes of one value; 0 for an invalid type. */
size_t scree_type_bytes(uint32_t type);

/*  SCREE_COLUMN_COUNT if there is no column of this name. */
scree_column scree_column_by_name(const char *name, size_t length);

/*  The content of a file, rows ascending by id. Missing columns are NULL. */
typedef struct scree_body_table
{
    scree_memory memory;
    int dimensions;
    scree_volume volume;
    size_t count, capacity;
    void *column[SCREE_COLUMN_COUNT];
    bool present[SCREE_COLUMN_COUNT];
} scree_body_table;

typedef struct scree_read_options
{
    const char *columns; /* text without header: "x,y,r"; NULL: by the number of columns */
    const char *ignore;  /* names of columns to ignore, "vx,vy", or "all"; NULL: none */
    bool any_number;     /* leave invalid numbers to the detector */
    const scree_allocator *allocator;
} scree_read_options;

/*  "file:AT: FIELD: TEXT"; AT is a line, or the position of a byte in a binary file. */
typedef struct scree_read_error
{
    scree_status status;
    bool binary;
    uint64_t at; /* lines from 1, bytes from 0 */
    char field[24], text[200];
} scree_read_error;

/*  SCREE_BAD_FILE, SCREE_TOO_LARGE, SCREE_OUT_OF_MEMORY; then `error` has position and reason, and there is nothing to
    free. `options` may be NULL. */
scree_status scree_read_table(const void *data, size_t size, const scree_read_options *options,
                              scree_body_table *table, scree_read_error *error);
void scree_body_table_free(scree_body_table *table);

/*  A view for a detector, with row indices as ids. */
scree_table scree_body_table_view(const scree_body_table *table);

/*  The file's id of a row. */
static inline uint32_t scree_row_id(const scree_body_table *table, uint32_t row)
{
    const uint32_t *ids = (const uint32_t *)table->column[SCREE_COLUMN_ID];
    return ids ? ids[row] : row;
}

#endif
