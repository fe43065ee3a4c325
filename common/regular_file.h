/*  Files in folders that others may have made: opening a pipe or a device in the place of a file must not block. */
#ifndef SCREE_REGULAR_FILE_H
#define SCREE_REGULAR_FILE_H

#include <stddef.h>
#include <stdio.h>

/*  Opens a regular file for reading; *bytes is its present size. NULL: there is none, it cannot be read, or it is something else. */
FILE *scree_open_regular(const char *path, size_t *bytes);

#endif
