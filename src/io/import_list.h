/*  What the readers of bodies share: columns by name, rows as they come, and the list that is made of them. */
#ifndef SCREE_IMPORT_LIST_H
#define SCREE_IMPORT_LIST_H

#include "base/memory.h"
#include "io/text.h"
#include "scree/io.h"

/*  What a number of a row is. Positions may be given in four ways. */
typedef enum scree_import_column
{
    SCREE_COLUMN_BODY_ID,
    SCREE_COLUMN_TYPE,
    SCREE_COLUMN_MASK_BITS,
    SCREE_COLUMN_WHOLES,                      /* those before are whole numbers */
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
    SCREE_COLUMN_KNOWN = SCREE_COLUMN_KINDS, /* known, and of no use here */
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
/*  The known name that is most like this one, or NULL. */
const char *scree_import_nearest_column(const char *name);
/*  One more; SCREE_BAD_FILE where it is there twice, or there are too many. */
scree_status scree_import_add_column(const scree_text *text, scree_import_columns *columns,
                                     scree_import_column kind, scree_span name);
/*  Whether a position can be made of them; `flat`: z may be missing. */
scree_status scree_import_check_columns(const scree_text *text, scree_import_columns *columns,
                                        const scree_import_def *def, bool flat);

/*  A list under way. */
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
    double lower[3], upper[3]; /* of the box that scaled coordinates are in */
} scree_import;

/*  A row: numbers by what they are. */
typedef struct scree_import_row
{
    uint64_t whole[SCREE_COLUMN_WHOLES];
    double real[SCREE_COLUMN_KINDS];
} scree_import_row;

/*  Reads a word into the row. */
scree_status scree_import_read(const scree_text *text, scree_import_column kind, scree_span word,
                               scree_import_row *row);
/*  One more body. SCREE_BAD_FILE, SCREE_OUT_OF_MEMORY, each with its message. */
scree_status scree_import_add(scree_import *import, const scree_text *text,
                              const scree_import_columns *columns, const scree_import_row *row);
/*  Sorted by id, and exactly as long as it must be. */
scree_status scree_import_finish(scree_import *import, scree_text *text);
/*  The place of each body by its id, ascending: arrays of import->count, taken from its memory. */
scree_status scree_import_sort_ids(scree_import *import, const scree_text *text, uint64_t **ids,
                                   uint32_t **places);

/*  ---- the formats; each reads all of a file */

bool scree_is_lammps_dump(scree_text text);
bool scree_is_lammps_data(scree_text text);
bool scree_is_yade(scree_text text);
scree_status scree_import_lammps_dump(scree_import *import, scree_text *text);
scree_status scree_import_lammps_data(scree_import *import, scree_text *text);
scree_status scree_import_yade(scree_import *import, scree_text *text);
scree_status scree_import_csv(scree_import *import, scree_text *text);

#endif
