/*  Files that are there whole or not at all. What is put goes to a temporary file in the same folder; commit
    writes it out to the disk, gives it its name, and makes the name safe too (fsync, rename, fsync of the
    folder). Whatever fails before the rename leaves what had the name as it was, and no temporary file.

        scree_file file;
        scree_file_begin(&file, path, allocator, error);
        scree_file_put(&file, rows, bytes);
        status = scree_file_commit(&file);

    The first failure is kept, later calls do nothing, and commit returns it: calls between may go unlooked
    at, where stopping early gains nothing. Messages name the path, what was tried, and the system's reason.

    What is no ordinary file (a pipe, /dev/null) is written to directly, and so is what is open already
    (/dev/stdout, /dev/fd/3), where it stands. A symbolic link is followed, so what
    it leads to is replaced, not the link. Folders must exist. */
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
    uint64_t bytes; /* put so far: where the next byte will stand */
    int descriptor; /* -1: not open */
    bool
        skip_sync; /* set after begin: a lost file is no harm, as a picture that can be made again */
    scree_status status;
} scree_file;

/*  `allocator` and `error` may be NULL; `error` must live until commit. SCREE_BAD_ARGUMENT (no path),
    SCREE_BAD_DEF (allocator), SCREE_OUT_OF_MEMORY, SCREE_IO_ERROR; then there is nothing to abandon. */
scree_status scree_file_begin(scree_file *file, const char *path, const scree_allocator *allocator,
                              scree_error *error);
/*  SCREE_IO_ERROR, or what failed before. */
scree_status scree_file_put(scree_file *file, const void *bytes, size_t count);
scree_status scree_file_put_text(scree_file *file, const char *text);
/*  As printf, up to 1023 bytes; numbers with the decimal sign of the host's locale. */
scree_status scree_file_print(scree_file *file, const char *format, ...) SCREE_PRINTF(2, 3);
/*  Ends it, well or not; nothing is left to free. SCREE_IO_ERROR, or what failed before. Where the folder
    alone could not be made safe, the new file is there, whole, and the message says so. */
scree_status scree_file_commit(scree_file *file);
/*  Ends it, and all that was put is lost. Fine after a begin that failed, and after commit. */
void scree_file_abandon(scree_file *file);

#endif
