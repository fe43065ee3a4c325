/*  A file is read until it ends: the system's word on its length is a hint, as it may be a pipe, or grow. */
#include "io/read_file.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_BYTES 4096u
#define MOST_AT_ONCE ((size_t)1 << 30) /* some systems take no more in one call */

static scree_status fail_reading(const char *path, const char *what, scree_error *error)
{
    return scree_fail(error, SCREE_IO_ERROR, "%.150s: %s: %s", path, what, strerror(errno));
}

/*  Until there are so many bytes, or the file ends. */
static scree_status read_up_to(int descriptor, size_t wanted, const char *path,
                               scree_memory *memory, scree_file_bytes *file, scree_error *error)
{
    if (scree_memory_reserve(memory, &file->bytes, &file->capacity, wanted, 1))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%.150s: no memory for its %zu bytes", path,
                          wanted);
    while (file->count < wanted) {
        size_t room = wanted - file->count;
        ssize_t got =
            read(descriptor, file->bytes + file->count, room < MOST_AT_ONCE ? room : MOST_AT_ONCE);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_reading(path, "cannot be read", error);
        if (got == 0)
            break;
        file->count += (size_t)got;
    }
    return SCREE_OK;
}

static scree_status read_all(int descriptor, scree_claim_fn *claim, const char *path,
                             scree_memory *memory, scree_file_bytes *file, scree_error *error)
{
    size_t wanted = FIRST_BYTES, claimed = SIZE_MAX;
    struct stat info;
    if (fstat(descriptor, &info))
        return fail_reading(path, "cannot be read", error);
    for (;;) {
        scree_status status = read_up_to(descriptor, wanted, path, memory, file, error);
        if (status || file->count < wanted)
            return status;
        if (claim && wanted == FIRST_BYTES)
            claimed = claim(file->bytes, file->count);
        if (claimed < file->count)
            return SCREE_OK;
        wanted = 2 * file->count;
        if (S_ISREG(info.st_mode) && (uint64_t)info.st_size >= file->count)
            wanted = (size_t)info.st_size + 1; /* one more, so that the end is seen */
        if (claimed < SIZE_MAX && wanted > claimed + 1)
            wanted = claimed + 1;
    }
}

scree_status scree_file_read(const char *path, scree_claim_fn *claim, scree_memory *memory,
                             scree_file_bytes *file, scree_error *error)
{
    scree_status status;
    int descriptor;
    *file = (scree_file_bytes){0};
    do
        descriptor = open(path, O_RDONLY | O_CLOEXEC);
    while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0)
        return fail_reading(path, "cannot be opened", error);
    status = read_all(descriptor, claim, path, memory, file, error);
    (void)close(descriptor);
    return status;
}

void scree_file_bytes_free(scree_file_bytes *file, scree_memory *memory)
{
    scree_memory_give(memory, &file->bytes, file->capacity, 1);
    *file = (scree_file_bytes){0};
}
