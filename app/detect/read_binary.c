/*  Binary tables, little-endian on every machine: a head, a list of columns, then the columns one after the other
    without gaps, and nothing after them. Sizes are checked against the length of the data before memory is allocated,
    so a wrong count costs nothing. */
#include "app/detect/read_internal.h"

#include <string.h>

/*  Layout of the file: magic[8], version u32, column count u32, row count u64, then the columns as name[16], type u32,
    0 u32. */
#define VERSION 1u
#define HEAD_BYTES 24u
#define COLUMN_BYTES 24u
#define NAME_BYTES 16u
#define MAX_COLUMNS 64u

static uint64_t little_endian(const unsigned char *bytes, size_t count)
{
    uint64_t value = 0;
    for (size_t k = count; k-- > 0;)
        value = value << 8 | bytes[k];
    return value;
}

/*  Offset of column `index`; the head has been checked. */
static uint64_t column_offset(const unsigned char *data, uint32_t index)
{
    uint32_t columns = (uint32_t)little_endian(data + 12, 4);
    uint64_t rows = little_endian(data + 16, 8);
    uint64_t offset = HEAD_BYTES + (uint64_t)columns * COLUMN_BYTES;
    for (uint32_t k = 0; k < index; k++)
        offset += rows * scree_type_bytes((uint32_t)little_endian(
                             data + HEAD_BYTES + k * COLUMN_BYTES + NAME_BYTES, 4));
    return offset;
}

static size_t name_length(const unsigned char *descriptor)
{
    const unsigned char *end = memchr(descriptor, 0, NAME_BYTES);
    return end ? (size_t)(end - descriptor) : NAME_BYTES;
}

static scree_status read_head(const unsigned char *data, size_t size, scree_read_error *error)
{
    error->at = size;
    if (size < HEAD_BYTES)
        return scree_read_fail(error, SCREE_BAD_FILE, "head", "ends after %zu of %u bytes", size,
                               HEAD_BYTES);
    uint32_t version = (uint32_t)little_endian(data + 8, 4);
    uint32_t columns = (uint32_t)little_endian(data + 12, 4);
    error->at = 8;
    if (version != VERSION)
        return scree_read_fail(error, SCREE_BAD_FILE, "version", "is %u, must be %u", version,
                               VERSION);
    error->at = 12;
    if (columns > MAX_COLUMNS)
        return scree_read_fail(error, SCREE_BAD_FILE, "columns", "are %u, at most %u can be",
                               columns, MAX_COLUMNS);
    error->at = 16;
    uint64_t rows = little_endian(data + 16, 8);
    if (rows > SCREE_MAX_BODIES)
        return scree_read_fail(error, SCREE_TOO_LARGE, "rows", "are %llu, at most %u can be",
                               (unsigned long long)rows, SCREE_MAX_BODIES);
    error->at = size;
    if (size < HEAD_BYTES + columns * COLUMN_BYTES)
        return scree_read_fail(error, SCREE_BAD_FILE, "columns",
                               "the file ends in the list of its %u columns", columns);
    return SCREE_OK;
}

/*  The types a column may have in a file: real numbers of either width. */
static bool type_fits(scree_column column, uint32_t type)
{
    scree_column_type wanted = scree_column_infos[column].type;
    return type == (uint32_t)wanted ||
           (wanted == SCREE_TYPE_F64 && type == (uint32_t)SCREE_TYPE_F32);
}

static scree_status read_descriptor(const unsigned char *descriptor,
                                    const scree_read_options *options, scree_body_table *table,
                                    scree_column *column, scree_read_error *error)
{
    const char *name = (const char *)descriptor;
    size_t length = name_length(descriptor);
    uint32_t type = (uint32_t)little_endian(descriptor + NAME_BYTES, 4);
    if (scree_type_bytes(type) == 0)
        return scree_read_fail(error, SCREE_BAD_FILE, "type", "is %u, must be from 1 to 5", type);
    *column = scree_column_by_name(name, length);
    bool all = options->ignore && strcmp(options->ignore, "all") == 0;
    if (!all && scree_name_in_list(options->ignore, name, length))
        *column = SCREE_COLUMN_COUNT;
    else if (*column == SCREE_COLUMN_COUNT && !all)
        return scree_read_fail(error, SCREE_BAD_FILE, "name",
                               "of this column is unknown (--ignore skips columns)");
    if (*column == SCREE_COLUMN_COUNT)
        return SCREE_OK;
    const char *known = scree_column_infos[*column].name;
    if (table->present[*column])
        return scree_read_fail(error, SCREE_BAD_FILE, known, "this column appears twice");
    if (!type_fits(*column, type))
        return scree_read_fail(error, SCREE_BAD_FILE, known, "has type %u, must have %d", type,
                               (int)scree_column_infos[*column].type);
    table->present[*column] = true;
    return SCREE_OK;
}

static void copy_column(const unsigned char *from, uint32_t type, scree_body_table *table,
                        scree_column column)
{
    size_t bytes = scree_type_bytes(type);
    for (size_t i = 0; i < table->count; i++) {
        uint64_t bits = little_endian(from + i * bytes, bytes);
        union
        {
            uint64_t bits;
            double number;
        } wide = {bits};
        union
        {
            uint32_t bits;
            float number;
        } narrow = {(uint32_t)bits};
        switch (type) {
        case SCREE_TYPE_F64:
            ((double *)table->column[column])[i] = wide.number;
            break;
        case SCREE_TYPE_F32:
            ((double *)table->column[column])[i] = (double)narrow.number;
            break;
        case SCREE_TYPE_U32:
            ((uint32_t *)table->column[column])[i] = (uint32_t)bits;
            break;
        case SCREE_TYPE_U64:
            ((uint64_t *)table->column[column])[i] = bits;
            break;
        default:
            ((uint8_t *)table->column[column])[i] = (uint8_t)bits;
            break;
        }
    }
}

static uint32_t type_of(const unsigned char *data, uint32_t index)
{
    return (uint32_t)little_endian(data + HEAD_BYTES + index * COLUMN_BYTES + NAME_BYTES, 4);
}

/*  Checks every row; the position of an invalid number is that of its column and row. */
static scree_status check_rows(const unsigned char *data, const uint32_t *place,
                               const scree_read_options *options, scree_body_table *table,
                               scree_read_error *error)
{
    for (size_t row = 0; row < table->count; row++) {
        scree_column column = SCREE_COLUMN_X;
        scree_status status = scree_check_row(table, row, options->any_number, &column, error);
        if (status != SCREE_OK) {
            error->at = column_offset(data, place[column]) +
                        row * scree_type_bytes(type_of(data, place[column]));
            return status;
        }
    }
    return SCREE_OK;
}

scree_status scree_read_binary(const unsigned char *data, size_t size,
                               const scree_read_options *options, scree_body_table *table,
                               scree_read_error *error)
{
    scree_column columns[MAX_COLUMNS] = {0};
    uint32_t place[SCREE_COLUMN_COUNT + 1] = {0};
    scree_status status = read_head(data, size, error);
    if (status != SCREE_OK)
        return status;
    uint32_t count = (uint32_t)little_endian(data + 12, 4);
    uint64_t rows = little_endian(data + 16, 8);
    for (uint32_t k = 0; k < count; k++) {
        error->at = HEAD_BYTES + k * COLUMN_BYTES;
        status = read_descriptor(data + error->at, options, table, &columns[k], error);
        if (status != SCREE_OK)
            return status;
        place[columns[k]] = k;
    }
    error->at = HEAD_BYTES;
    status = scree_check_columns(table, error);
    if (status != SCREE_OK)
        return status;
    uint64_t wanted = column_offset(data, count);
    error->at = size < wanted ? size : wanted;
    if (size != wanted)
        return scree_read_fail(error, SCREE_BAD_FILE, "rows",
                               "%llu of them need a file of %llu bytes, this one has %zu",
                               (unsigned long long)rows, (unsigned long long)wanted, size);
    status = scree_take_rows(table, rows, error);
    if (status != SCREE_OK)
        return status;
    table->count = (size_t)rows;
    for (uint32_t k = 0; k < count; k++)
        if (columns[k] != SCREE_COLUMN_COUNT)
            copy_column(data + column_offset(data, k), type_of(data, k), table, columns[k]);
    return check_rows(data, place, options, table, error);
}

uint64_t scree_binary_byte_of_id(const unsigned char *data, size_t row)
{
    uint32_t columns = (uint32_t)little_endian(data + 12, 4), k = 0;
    while (k < columns && scree_column_by_name((const char *)data + HEAD_BYTES + k * COLUMN_BYTES,
                                               name_length(data + HEAD_BYTES + k * COLUMN_BYTES)) !=
                              SCREE_COLUMN_ID)
        k++;
    return column_offset(data, k) + row * sizeof(uint32_t);
}
