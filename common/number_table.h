/*  Tables of numbers in text: names in the first line, a number for each of them in the others, separated by commas. */
#ifndef SCREE_NUMBER_TABLE_H
#define SCREE_NUMBER_TABLE_H

#include <stddef.h>

#define SCREE_NUMBER_TABLE_COLUMNS 256
#define SCREE_NUMBER_TABLE_NAME 64

typedef struct scree_number_table
{
    char (*names)[SCREE_NUMBER_TABLE_NAME]; /* without <, >, & and quotes */
    size_t column_count, row_count, row_capacity;
    double *cells; /* row by row; NAN: an empty cell */
} scree_number_table;

/*  "-" is stdin; NULL is a path that there was no memory for. An exit code, with a message that has file and line; then nothing
    is to be freed. */
int scree_number_table_read(const char *path, scree_number_table *table);
void scree_number_table_free(scree_number_table *table);

/*  For scree_closest_word: `list` is a table. */
const char *scree_number_table_name(const void *list, size_t index);
/*  Index of a column; column_count if there is none. */
size_t scree_number_table_find(const scree_number_table *table, const char *name, size_t length);

#endif
