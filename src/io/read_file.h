/*  Reads a whole file into memory of exactly its size. */
#ifndef SCREE_READ_FILE_H
#define SCREE_READ_FILE_H

#include "base/memory.h"

typedef struct scree_file_bytes
{
    unsigned char *bytes;
    size_t count, capacity;
} scree_file_bytes;

/*  The length that a file claims in its first bytes (4096, or all if fewer); SIZE_MAX: unknown. */
typedef size_t scree_claim_fn(const unsigned char *bytes, size_t count);

/*  Also reads pipes. With `claim`, which may be NULL, reads no more than one byte past what the file claims.
    SCREE_IO_ERROR (path, and the reason of the system), SCREE_OUT_OF_MEMORY; the bytes read so far must then be freed
    as well. `error` may be NULL. */
scree_status scree_file_read(const char *path, scree_claim_fn *claim, scree_memory *memory,
                             scree_file_bytes *file, scree_error *error);
void scree_file_bytes_free(scree_file_bytes *file, scree_memory *memory);

#endif
