#include "io/write_range.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define MAX_AT_ONCE ((size_t)1 << 30) /* some systems limit the size of one call */

static void note(scree_range_file *file)
{
    if (!file->reason)
        file->reason = errno;
}

scree_range_file scree_range_open(const char *path)
{
    scree_range_file file = {-1, 0};

    do
        file.descriptor = open(path, O_WRONLY | O_CLOEXEC);
    while (file.descriptor < 0 && errno == EINTR);
    if (file.descriptor < 0)
        note(&file);
    return file;
}

void scree_range_put(scree_range_file *file, const void *bytes, size_t count, uint64_t offset)
{
    const unsigned char *at = bytes;

    while (count > 0 && !file->reason) {
        const ssize_t written =
            pwrite(file->descriptor, at, count < MAX_AT_ONCE ? count : MAX_AT_ONCE, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            note(file);
            return;
        }
        at += written;
        offset += (uint64_t)written;
        count -= (size_t)written;
    }
}

void scree_range_set_length(scree_range_file *file, uint64_t bytes)
{
    int result = 0;

    if (file->reason)
        return;
    do
        result = ftruncate(file->descriptor, (off_t)bytes);
    while (result != 0 && errno == EINTR);
    if (result != 0)
        note(file);
}

void scree_range_close(scree_range_file *file)
{
    int result = 0;

    if (file->descriptor < 0)
        return;
    do
        result = fsync(file->descriptor);
    while (result != 0 && errno == EINTR);
    if (result != 0)
        note(file);
    /* closed even if interrupted: a retry might close what another thread has opened */
    if (close(file->descriptor) != 0 && errno != EINTR)
        note(file);
    file->descriptor = -1;
}
