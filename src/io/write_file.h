/*  Files that are written completely or not at all. Data is written to a temporary file in the same folder; commit
    flushes it to the disk, renames it, and flushes the folder (fsync, rename, fsync of the folder). A failure before
    the rename leaves a previous file of that name unchanged, and no temporary file.

        scree_file file;
        scree_file_begin(&file, path, allocator, error);
        scree_file_put(&file, rows, bytes);
        status = scree_file_commit(&file);

    The first failure is kept, later calls do nothing, and commit returns it. So the statuses of calls in between may be
    ignored. Messages name the path, the operation, and the system's reason.

    Files that are not regular (a pipe, /dev/null) are written directly, and so are open descriptors (/dev/stdout,
    /dev/fd/3), at their current offset. A symbolic link is followed: its target is replaced, not the link. Folders must
    exist. */
#ifndef SCREE_WRITE_FILE_H
#define SCREE_WRITE_FILE_H

#include "base/memory.h"

typedef struct scree_file
{
    scree_memory memory;
    scree_error *error;
    char *path;            /* links followed */
    char *temporary;       /* NULL: written to directly */
    unsigned char *buffer; /* filled up to:  */
    size_t used;
    uint64_t bytes; /* bytes so far: offset of the next byte */
    int descriptor; /* -1: not open */
    bool skip_sync; /* set after begin, for files that can be made again, such as pictures */
    scree_status status;
} scree_file;

/*  `allocator` and `error` may be NULL; `error` must live until commit. SCREE_BAD_ARGUMENT (no path), SCREE_BAD_DEF
    (allocator), SCREE_OUT_OF_MEMORY, SCREE_IO_ERROR; then abandon need not be called. */
scree_status scree_file_begin(scree_file *file, const char *path, const scree_allocator *allocator,
                              scree_error *error);
/*  SCREE_IO_ERROR, or the first failure. */
scree_status scree_file_put(scree_file *file, const void *bytes, size_t count);
scree_status scree_file_put_text(scree_file *file, const char *text);
/*  As printf, up to 1023 bytes; numbers have the decimal point of the host's locale. */
scree_status scree_file_print(scree_file *file, const char *format, ...) SCREE_PRINTF(2, 3);
/*  Completes the file and frees everything, also on failure. SCREE_IO_ERROR, or the first failure. If only the folder
    could not be flushed, the new file is complete, and the message says so. */
scree_status scree_file_commit(scree_file *file);
/*  Discards the file. Allowed after a begin that failed, and after commit. */
void scree_file_abandon(scree_file *file);

#endif
