/*  Reads a table of bodies from CSV or from a binary file. Rows are sorted by id, so that a detector can use row
    indices as ids (dense, whatever the ids of the file) and the canonical order is that of the file's ids. */
#include "app/detect/read_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- order --------------------------------------------------------------------------------------
 */

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/*  Permutes one column: row (uint32_t)keys[i] moves to i. */
static void permute_column(void *column, size_t bytes, const uint64_t *keys, size_t count,
                           unsigned char *spare)
{
    const unsigned char *from = (const unsigned char *)column;
    for (size_t i = 0; i < count; i++)
        memcpy(spare + i * bytes, from + (size_t)(uint32_t)keys[i] * bytes, bytes);
    memcpy(column, spare, count * bytes);
}

/*  Sorts by id; *twice gets the later of two rows with the same id. */
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
        return scree_read_fail(error, status, "allocator", "has some functions, not all");

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
