/*  Reads a file until it ends. */
#include "io/read_file.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_BYTES 4096u
#define LARGEST_FILE ((uint64_t)1 << 36)
#define MAX_AT_ONCE ((size_t)1 << 30) /* some systems limit the size of one call */

static scree_status fail_reading(const char *path, const char *what, scree_error *error)
{
    return scree_fail(error, SCREE_IO_ERROR, "%.150s: %s: %s", path, what, strerror(errno));
}

/*  Pipes and devices may have no end. */
static scree_status check_kind(int descriptor, const char *path, uint64_t *size, scree_error *error)
{
    struct stat info;

    if (fstat(descriptor, &info))
        return fail_reading(path, "cannot be read", error);
    errno = EISDIR;
    if (S_ISDIR(info.st_mode))
        return fail_reading(path, "cannot be read", error);
    if (!S_ISREG(info.st_mode))
        return scree_fail(error, SCREE_IO_ERROR,
                          "%.150s: is a pipe or a device; write its content to a file first", path);
    *size = (uint64_t)info.st_size;
    if (*size > LARGEST_FILE)
        return scree_fail(error, SCREE_TOO_LARGE,
                          "%.150s: has %" PRIu64 " bytes, at most %" PRIu64 " are read", path,
                          *size, LARGEST_FILE);
    return SCREE_OK;
}

/*  Reads until the limit or the end of the file. */
static scree_status read_up_to(int descriptor, size_t wanted, const char *path,
                               scree_memory *memory, scree_file_bytes *file, scree_error *error)
{
    if (scree_memory_reserve(memory, &file->bytes, &file->capacity, wanted, 1))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%.150s: no memory for its %zu bytes", path,
                          wanted);
    while (file->count < wanted) {
        size_t room = wanted - file->count;
        ssize_t got =
            read(descriptor, file->bytes + file->count, room < MAX_AT_ONCE ? room : MAX_AT_ONCE);
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

/*  `size` is only a hint of the system: the file may grow. */
static scree_status read_all(int descriptor, uint64_t size, scree_claim_fn *claim, const char *path,
                             scree_memory *memory, scree_file_bytes *file, scree_error *error)
{
    size_t wanted = FIRST_BYTES, claimed = SIZE_MAX;
    for (;;) {
        scree_status status = read_up_to(descriptor, wanted, path, memory, file, error);
        if (status || file->count < wanted)
            return status;
        if (claim && wanted == FIRST_BYTES)
            claimed = claim(file->bytes, file->count);
        if (claimed < file->count)
            return SCREE_OK;
        wanted = 2 * file->count;
        if (size >= file->count)
            wanted = (size_t)size + 1; /* one more, so that the end is detected */
        if (claimed < SIZE_MAX && wanted > claimed + 1)
            wanted = claimed + 1;
    }
}

scree_status scree_file_read(const char *path, scree_claim_fn *claim, scree_memory *memory,
                             scree_file_bytes *file, scree_error *error)
{
    scree_status status;
    uint64_t size = 0;
    int descriptor;
    *file = (scree_file_bytes){0};
    /* opening a pipe without a writer would block */
    do
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0)
        return fail_reading(path, "cannot be opened", error);
    status = check_kind(descriptor, path, &size, error);
    if (!status)
        status = read_all(descriptor, size, claim, path, memory, file, error);
    (void)close(descriptor);
    return status;
}

void scree_file_bytes_free(scree_file_bytes *file, scree_memory *memory)
{
    scree_memory_give(memory, &file->bytes, file->capacity, 1);
    *file = (scree_file_bytes){0};
}
