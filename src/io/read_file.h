/*  All of a file in memory, as much as it has bytes and no more. */
#ifndef SCREE_READ_FILE_H
#define SCREE_READ_FILE_H

#include "base/memory.h"

typedef struct scree_file_bytes
{
    unsigned char *bytes;
    size_t count, capacity;
} scree_file_bytes;

/*  How long a file says that it is, from its first bytes (4096, or all there are); SIZE_MAX: it does not. */
typedef size_t scree_claim_fn(const unsigned char *bytes, size_t count);

/*  Pipes too. With `claim`, which may be NULL, no more than one byte past what the file claims is read.
    SCREE_IO_ERROR (path, and what the system said), SCREE_OUT_OF_MEMORY; what was read so far is then to be
    freed as well. `error` may be NULL. */
scree_status scree_file_read(const char *path, scree_claim_fn *claim, scree_memory *memory,
                             scree_file_bytes *file, scree_error *error);
void scree_file_bytes_free(scree_file_bytes *file, scree_memory *memory);

#endif
