/*  Shared by the readers of bodies: named columns, rows, and the resulting list. */
#ifndef SCREE_IMPORT_LIST_H
#define SCREE_IMPORT_LIST_H

#include "base/memory.h"
#include "io/text.h"
#include "scree/io.h"

/*  Meaning of a number in a row. Positions may be given in four ways. */
typedef enum scree_import_column
{
    SCREE_COLUMN_BODY_ID,
    SCREE_COLUMN_TYPE,
    SCREE_COLUMN_MASK_BITS,
    SCREE_COLUMN_WHOLES,                      /* those before are integers */
    SCREE_COLUMN_PLAIN = SCREE_COLUMN_WHOLES, /* x, y, z */
    SCREE_COLUMN_UNWRAPPED = SCREE_COLUMN_PLAIN + 3,
    SCREE_COLUMN_SCALED = SCREE_COLUMN_UNWRAPPED + 3,
    SCREE_COLUMN_SCALED_UNWRAPPED = SCREE_COLUMN_SCALED + 3,
    SCREE_COLUMN_RADIUS = SCREE_COLUMN_SCALED_UNWRAPPED + 3,
    SCREE_COLUMN_DIAMETER,
    SCREE_COLUMN_MASS,
    SCREE_COLUMN_DENSITY,
    SCREE_COLUMN_VELOCITY,
    SCREE_COLUMN_SPIN = SCREE_COLUMN_VELOCITY + 3,
    SCREE_COLUMN_ORIENTATION = SCREE_COLUMN_SPIN + 3,
    SCREE_COLUMN_KINDS = SCREE_COLUMN_ORIENTATION + 4,
    SCREE_COLUMN_KNOWN = SCREE_COLUMN_KINDS, /* known but not used */
    SCREE_COLUMN_UNKNOWN,
} scree_import_column;

#define SCREE_IMPORT_COLUMNS 256

typedef struct scree_import_columns
{
    int count;
    scree_import_column kind[SCREE_IMPORT_COLUMNS];
    bool present[SCREE_COLUMN_KINDS];
} scree_import_columns;

scree_import_column scree_import_column_of(scree_span name);
/*  The most similar known name, or NULL. */
const char *scree_import_nearest_column(const char *name);
/*  Adds a column. SCREE_BAD_FILE if it appears twice or there are too many. */
scree_status scree_import_add_column(const scree_text *text, scree_import_columns *columns,
                                     scree_import_column kind, scree_span name);
/*  Whether the columns give a position; `flat`: z may be missing. */
scree_status scree_import_check_columns(const scree_text *text, scree_import_columns *columns,
                                        const scree_import_def *def, bool flat);

/*  A list in progress. */
typedef struct scree_import
{
    const scree_import_def *def;
    scree_memory *memory;
    scree_body_list *list;
    size_t body_capacity, type_capacity, line_capacity, count;
    scree_body_def *bodies;
    uint32_t *types;
    uint64_t *lines;
    bool has_ids;
    double lower[3], upper[3]; /* of the box to which scaled coordinates refer */
} scree_import;

/*  A row: numbers by meaning. */
typedef struct scree_import_row
{
    uint64_t whole[SCREE_COLUMN_WHOLES];
    double real[SCREE_COLUMN_KINDS];
} scree_import_row;

/*  Reads a word into the row. */
scree_status scree_import_read(const scree_text *text, scree_import_column kind, scree_span word,
                               scree_import_row *row);
/*  Adds a body. SCREE_BAD_FILE, SCREE_OUT_OF_MEMORY, each with a message. */
scree_status scree_import_add(scree_import *import, const scree_text *text,
                              const scree_import_columns *columns, const scree_import_row *row);
/*  Sorts by id and shrinks the arrays to their exact length. */
scree_status scree_import_finish(scree_import *import, scree_text *text);
/*  The index of each body by its id, ascending: arrays of import->count, allocated from its memory. */
scree_status scree_import_sort_ids(scree_import *import, const scree_text *text, uint64_t **ids,
                                   uint32_t **places);

/*  ---- the formats; each reads a whole file */

bool scree_is_lammps_dump(scree_text text);
bool scree_is_lammps_data(scree_text text);
bool scree_is_yade(scree_text text);
scree_status scree_import_lammps_dump(scree_import *import, scree_text *text);
scree_status scree_import_lammps_data(scree_import *import, scree_text *text);
scree_status scree_import_yade(scree_import *import, scree_text *text);
scree_status scree_import_csv(scree_import *import, scree_text *text);

#endif
