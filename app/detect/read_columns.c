/*  Shared by the readers of body files: which columns make a table, and which numbers are valid. */
#include "app/detect/read_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
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

/*  Counts those of columns [first, first + count) that are present; *missing is the first that is not. */
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
                               "are those of both spheres and boxes");
    if (!spheres && !boxes)
        return scree_read_fail(error, SCREE_BAD_FILE, "columns",
                               "must be x,y[,z],r or lo_x,lo_y[,lo_z],hi_x,hi_y[,hi_z]");
    table->volume = boxes ? SCREE_BOXES : SCREE_SPHERES;

    /* z may be missing; in boxes both or neither */
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
