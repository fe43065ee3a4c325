/*  Writes to places of a file that another process has made and will complete (write_file.h). */
#ifndef SCREE_WRITE_RANGE_H
#define SCREE_WRITE_RANGE_H

#include "base/common.h"

typedef struct scree_range_file
{
    int descriptor; /* -1: not open */
    int reason;     /* errno of the first failure, after which nothing is done; 0: none */
} scree_range_file;

/*  Of a file that exists. */
scree_range_file scree_range_open(const char *path);
void scree_range_put(scree_range_file *file, const void *bytes, size_t count, uint64_t offset);
/*  Bytes that were not written are 0. */
void scree_range_set_length(scree_range_file *file, uint64_t bytes);
/*  Flushes to the disk what this process has written, and closes the file. */
void scree_range_close(scree_range_file *file);

#endif
