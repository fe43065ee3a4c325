/*  Shared by the two readers only. */
#ifndef SCREE_READ_INTERNAL_H
#define SCREE_READ_INTERNAL_H

#include "app/detect/read_table.h"

/*  Writes the error and returns `status`. The caller sets the position. */
scree_status scree_read_fail(scree_read_error *error, scree_status status, const char *field,
                             const char *format, ...) SCREE_PRINTF(4, 5);

/*  Determines kind and dimensions from the present columns; refuses sets of columns that make no table. */
scree_status scree_check_columns(scree_body_table *table, scree_read_error *error);

/*  Allocates `rows` rows of the present columns. */
scree_status scree_take_rows(scree_body_table *table, uint64_t rows, scree_read_error *error);

/*  Checks the numbers of one row; *column is the first invalid one. */
scree_status scree_check_row(const scree_body_table *table, size_t row, bool any_number,
                             scree_column *column, scree_read_error *error);

/*  Whether `name` is in the list "a,b,c", or the list is "all". */
bool scree_name_in_list(const char *list, const char *name, size_t length);

/*  `error->at` is the line, or byte, of a row. */
scree_status scree_read_csv(const char *data, size_t size, const scree_read_options *options,
                            scree_body_table *table, scree_read_error *error);
uint64_t scree_csv_line_of_row(const char *data, size_t size, const scree_read_options *options,
                               size_t row);
scree_status scree_read_binary(const unsigned char *data, size_t size,
                               const scree_read_options *options, scree_body_table *table,
                               scree_read_error *error);
uint64_t scree_binary_byte_of_id(const unsigned char *data, size_t row);

#define SCREE_BINARY_MAGIC "SCREETBL"

#endif
