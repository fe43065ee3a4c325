/*  The part of reading that does not depend on the format: which columns make a table, which
   numbers are usable, and the order of rows. Rows are sorted by id, so that a detector can use rows
   as ids (dense, whatever the file's ids are) and canonical order stays the order of the file's
   ids. */
#include "app/detect/read_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const scree_column_info scree_column_infos[SCREE_COLUMN_COUNT] = {
    [SCREE_COLUMN_X] = {"x", "x", SCREE_TYPE_F64},
    [SCREE_COLUMN_Y] = {"y", "y", SCREE_TYPE_F64},
    [SCREE_COLUMN_Z] = {"z", "z", SCREE_TYPE_F64},
    [SCREE_COLUMN_R] = {"r", "radius", SCREE_TYPE_F64},
    [SCREE_COLUMN_LO_X] = {"lo_x", "lower_x", SCREE_TYPE_F64},
    [SCREE_COLUMN_LO_Y] = {"lo_y", "lower_y", SCREE_TYPE_F64},
    [SCREE_COLUMN_LO_Z] = {"lo_z", "lower_z", SCREE_TYPE_F64},
    [SCREE_COLUMN_HI_X] = {"hi_x", "upper_x", SCREE_TYPE_F64},
    [SCREE_COLUMN_HI_Y] = {"hi_y", "upper_y", SCREE_TYPE_F64},
    [SCREE_COLUMN_HI_Z] = {"hi_z", "upper_z", SCREE_TYPE_F64},
    [SCREE_COLUMN_ID] = {"id", "id", SCREE_TYPE_U32},
    [SCREE_COLUMN_GROUP] = {"group", "groups", SCREE_TYPE_U64},
    [SCREE_COLUMN_MASK] = {"mask", "masks", SCREE_TYPE_U64},
    [SCREE_COLUMN_OWNER] = {"owner", "owners", SCREE_TYPE_U32},
    [SCREE_COLUMN_FLAGS] = {"flags", "flag", SCREE_TYPE_U8},
};

size_t scree_type_bytes(uint32_t type)
{
    static const size_t bytes[] = {0, 8, 4, 4, 8, 1};
    return type < SCREE_COUNT_OF(bytes) ? bytes[type] : 0;
}

static bool same_name(const char *a, const char *name, size_t length)
{
    return strlen(a) == length && memcmp(a, name, length) == 0;
}

scree_column scree_column_by_name(const char *name, size_t length)
{
    int i = 0;
    while (i < SCREE_COLUMN_COUNT && !same_name(scree_column_infos[i].name, name, length) &&
           !same_name(scree_column_infos[i].other_name, name, length))
        i++;
    return (scree_column)i;
}

bool scree_name_in_list(const char *list, const char *name, size_t length)
{
    if (!list)
        return false;
    if (strcmp(list, "all") == 0)
        return true;
    for (const char *at = list;; at++) {
        size_t word = strcspn(at, ",");
        if (word == length && memcmp(at, name, length) == 0)
            return true;
        at += word;
        if (*at == 0)
            return false;
    }
}

scree_status scree_read_fail(scree_read_error *error, scree_status status, const char *field,
                             const char *format, ...)
{
    va_list list;
    va_start(list, format);
    error->status = status;
    snprintf(error->field, sizeof error->field, "%s", field);
    vsnprintf(error->text, sizeof error->text, format, list);
    va_end(list);
    return status;
}

/* ---- columns ------------------------------------------------------------------------------------
 */

/*  Counts those of columns [first, first + count) that are present; *missing is the first that is
 * not. */
static int count_present(const scree_body_table *table, int first, int count, int *missing)
{
    int present = 0;
    for (int k = first + count - 1; k >= first; k--) {
        present += table->present[k];
        if (!table->present[k])
            *missing = k;
    }
    return present;
}

scree_status scree_check_columns(scree_body_table *table, scree_read_error *error)
{
    const bool *present = table->present;
    int missing = SCREE_COLUMN_X;
    int spheres = count_present(table, SCREE_COLUMN_X, 4, &missing);
    int boxes = count_present(table, SCREE_COLUMN_LO_X, 6, &missing);
    if (spheres && boxes)
        return scree_read_fail(error, SCREE_BAD_FILE, "columns",
                               "are those of spheres and of boxes at once");
    if (!spheres && !boxes)
        return scree_read_fail(error, SCREE_BAD_FILE, "columns",
                               "must be x,y[,z],r or lo_x,lo_y[,lo_z],hi_x,hi_y[,hi_z]");
    table->volume = boxes ? SCREE_BOXES : SCREE_SPHERES;

    /* z may be missing, in boxes twice or not at all */
    bool flat = boxes ? !present[SCREE_COLUMN_LO_Z] && !present[SCREE_COLUMN_HI_Z]
                      : !present[SCREE_COLUMN_Z];
    table->dimensions = flat ? 2 : 3;
    int first = boxes ? SCREE_COLUMN_LO_X : SCREE_COLUMN_X, count = boxes ? 6 : 4;
    for (int k = first; k < first + count; k++) {
        bool is_z = k == SCREE_COLUMN_Z || k == SCREE_COLUMN_LO_Z || k == SCREE_COLUMN_HI_Z;
        if (!present[k] && !(is_z && flat))
            return scree_read_fail(error, SCREE_BAD_FILE, scree_column_infos[k].name,
                                   "this column is missing");
    }
    return SCREE_OK;
}

scree_status scree_take_rows(scree_body_table *table, uint64_t rows, scree_read_error *error)
{
    if (rows > SCREE_MAX_BODIES)
        return scree_read_fail(error, SCREE_TOO_LARGE, "rows", "there are %llu, at most %u can be",
                               (unsigned long long)rows, SCREE_MAX_BODIES);
    table->capacity = (size_t)rows;
    for (int k = 0; k < SCREE_COLUMN_COUNT; k++) {
        if (!table->present[k])
            continue;
        scree_status status =
            scree_memory_take(&table->memory, table->capacity,
                              scree_type_bytes(scree_column_infos[k].type), &table->column[k]);
        if (status != SCREE_OK)
            return scree_read_fail(error, status, "rows", "no memory for %llu rows",
                                   (unsigned long long)rows);
    }
    return SCREE_OK;
}

/* ---- rows ---------------------------------------------------------------------------------------
 */

static double real_at(const scree_body_table *table, int column, size_t row)
{
    return ((const double *)table->column[column])[row];
}

static scree_status check_real(const scree_body_table *table, int k, size_t row,
                               scree_read_error *error)
{
    double value = real_at(table, k, row);
    const char *name = scree_column_infos[k].name;
    if (!isfinite(value))
        return scree_read_fail(error, SCREE_BAD_FILE, name, "is %g, must be finite", value);
    if (fabs(value) > SCREE_MAX_COORDINATE)
        return scree_read_fail(error, SCREE_BAD_FILE, name,
                               "is %g, must be at most %g in magnitude", value,
                               SCREE_MAX_COORDINATE);
    if (k == SCREE_COLUMN_R && value < 0)
        return scree_read_fail(error, SCREE_BAD_FILE, name, "is %g, must not be negative", value);
    return SCREE_OK;
}

scree_status scree_check_row(const scree_body_table *table, size_t row, bool any_number,
                             scree_column *column, scree_read_error *error)
{
    const uint8_t *flags = (const uint8_t *)table->column[SCREE_COLUMN_FLAGS];
    if (flags && flags[row] > (SCREE_FIXED | SCREE_INFINITE | SCREE_NO_BOUND)) {
        *column = SCREE_COLUMN_FLAGS;
        return scree_read_fail(error, SCREE_BAD_FILE, "flags", "is %u, must be from 0 to 7",
                               flags[row]);
    }
    if (any_number || (flags && flags[row] & (SCREE_INFINITE | SCREE_NO_BOUND)))
        return SCREE_OK;
    for (int k = SCREE_COLUMN_X; k <= SCREE_COLUMN_HI_Z; k++) {
        if (!table->column[k])
            continue;
        *column = (scree_column)k;
        scree_status status = check_real(table, k, row, error);
        if (status != SCREE_OK)
            return status;
    }
    for (int k = SCREE_COLUMN_LO_X; k <= SCREE_COLUMN_LO_Z && table->column[k]; k++) {
        double lower = real_at(table, k, row), upper = real_at(table, k + 3, row);
        *column = (scree_column)k;
        if (lower > upper)
            return scree_read_fail(error, SCREE_BAD_FILE, scree_column_infos[k].name,
                                   "is %g, above %s, %g", lower, scree_column_infos[k + 3].name,
                                   upper);
    }
    return SCREE_OK;
}

/* ---- order --------------------------------------------------------------------------------------
 */

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/*  Puts row (uint32_t)keys[i] at i, in one column. */
static void permute_column(void *column, size_t bytes, const uint64_t *keys, size_t count,
                           unsigned char *spare)
{
    const unsigned char *from = (const unsigned char *)column;
    for (size_t i = 0; i < count; i++)
        memcpy(spare + i * bytes, from + (size_t)(uint32_t)keys[i] * bytes, bytes);
    memcpy(column, spare, count * bytes);
}

/*  Ascending ids; *twice gets the later of two rows that have the same. */
static scree_status sort_by_id(scree_body_table *table, size_t *twice, scree_read_error *error)
{
    const uint32_t *ids = (const uint32_t *)table->column[SCREE_COLUMN_ID];
    size_t n = table->count, i = 1;
    uint64_t *keys = NULL;
    unsigned char *spare = NULL;
    while (ids && i < n && ids[i - 1] < ids[i])
        i++;
    if (!ids || i >= n)
        return SCREE_OK;
    scree_status status = scree_memory_take(&table->memory, n, sizeof *keys, &keys);
    if (status == SCREE_OK)
        status = scree_memory_take(&table->memory, n, sizeof(uint64_t), &spare);
    if (status != SCREE_OK) {
        scree_read_fail(error, status, "id", "no memory to sort %zu rows", n);
        goto done;
    }
    for (i = 0; i < n; i++)
        keys[i] = (uint64_t)ids[i] << 32 | (uint32_t)i;
    qsort(keys, n, sizeof *keys, compare_keys);
    for (i = 1; i < n && status == SCREE_OK; i++)
        if (keys[i] >> 32 == keys[i - 1] >> 32) {
            *twice = (uint32_t)keys[i];
            status = scree_read_fail(error, SCREE_BAD_FILE, "id",
                                     "%u is the id of row %zu already (rows from 1)",
                                     (uint32_t)(keys[i] >> 32), (size_t)(uint32_t)keys[i - 1] + 1);
        }
    for (int k = 0; k < SCREE_COLUMN_COUNT && status == SCREE_OK; k++)
        if (table->column[k])
            permute_column(table->column[k], scree_type_bytes(scree_column_infos[k].type), keys, n,
                           spare);
done:
    scree_memory_give(&table->memory, &keys, n, sizeof *keys);
    scree_memory_give(&table->memory, &spare, n, sizeof(uint64_t));
    return status;
}

/* ---- all of it ----------------------------------------------------------------------------------
 */

scree_status scree_read_table(const void *data, size_t size, const scree_read_options *options,
                              scree_body_table *table, scree_read_error *error)
{
    static const scree_read_options no_options;
    memset(error, 0, sizeof *error);
    memset(table, 0, sizeof *table);
    options = options ? options : &no_options;
    scree_status status = scree_memory_init(&table->memory, options->allocator);
    if (status != SCREE_OK)
        return scree_read_fail(error, status, "allocator", "lacks a function");

    size_t magic = strlen(SCREE_BINARY_MAGIC), twice = 0;
    error->binary = size >= magic && memcmp(data, SCREE_BINARY_MAGIC, magic) == 0;
    if (error->binary)
        status = scree_read_binary((const unsigned char *)data, size, options, table, error);
    else
        status = scree_read_csv((const char *)data, size, options, table, error);
    if (status == SCREE_OK) {
        status = sort_by_id(table, &twice, error);
        if (status == SCREE_BAD_FILE)
            error->at = error->binary
                            ? scree_binary_byte_of_id((const unsigned char *)data, twice)
                            : scree_csv_line_of_row((const char *)data, size, options, twice);
    }
    if (status != SCREE_OK)
        scree_body_table_free(table);
    return status;
}

void scree_body_table_free(scree_body_table *table)
{
    for (int k = 0; k < SCREE_COLUMN_COUNT; k++)
        scree_memory_give(&table->memory, &table->column[k], table->capacity,
                          scree_type_bytes(scree_column_infos[k].type));
    table->count = table->capacity = 0;
}

static scree_view real_view(const scree_body_table *table, int column)
{
    scree_view none = {0};
    const double *data = (const double *)table->column[column];
    return data ? scree_doubles(data, sizeof *data) : none;
}

scree_table scree_body_table_view(const scree_body_table *table)
{
    scree_view lower[3], upper[3];
    scree_table view;
    for (int k = 0; k < 3; k++) {
        lower[k] = real_view(table, SCREE_COLUMN_LO_X + k);
        upper[k] = real_view(table, SCREE_COLUMN_HI_X + k);
    }
    if (table->volume == SCREE_BOXES)
        view = scree_table_boxes(table->count, lower, upper);
    else
        view = scree_table_spheres(
            table->count, real_view(table, SCREE_COLUMN_X), real_view(table, SCREE_COLUMN_Y),
            real_view(table, SCREE_COLUMN_Z), real_view(table, SCREE_COLUMN_R));
    view.groups = scree_integer_view(table->column[SCREE_COLUMN_GROUP], sizeof(uint64_t));
    view.masks = scree_integer_view(table->column[SCREE_COLUMN_MASK], sizeof(uint64_t));
    view.owners = scree_integer_view(table->column[SCREE_COLUMN_OWNER], sizeof(uint32_t));
    view.flags = scree_integer_view(table->column[SCREE_COLUMN_FLAGS], sizeof(uint8_t));
    return view;
}
