/*  Uses system calls directly, so that each failure is seen where it happens, and none is lost in a buffer. */
#include "io/write_file.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BUFFER_BYTES 65536u
#define MAX_AT_ONCE ((size_t)1 << 30) /* some systems limit the size of one call */
#define MAX_LINKS 40
#define MAX_NAMES                                                                                  \
    100000u /* largest number of temporary names tried: other processes may write here too */
/*  Length of the suffix: process id, counter and extension. */
#define TEMPORARY_BYTES 48u

static scree_status fail_system(scree_file *file, const char *path, const char *action)
{
    int reason = errno;

    if (!file->status)
        file->status = scree_fail(file->error, SCREE_IO_ERROR, "%.150s: %s: %s", path, action,
                                  strerror(reason));
    return file->status;
}

static scree_status fail_memory(scree_file *file, const char *path)
{
    file->status = scree_fail(file->error, SCREE_OUT_OF_MEMORY, "%.150s: out of memory", path);
    return file->status;
}

/* ---- names ---- */

static void free_text(scree_file *file, char **text)
{
    if (*text)
        scree_memory_give(&file->memory, text, strlen(*text) + 1, 1);
}

static scree_status copy_text(scree_file *file, const char *from, size_t length, char **to)
{
    if (scree_memory_take(&file->memory, length + 1, 1, to))
        return fail_memory(file, from);
    memcpy(*to, from, length);
    (*to)[length] = '\0';
    return SCREE_OK;
}

/*  Length of a path up to and including its last slash. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash - path) + 1 : 0;
}

/*  Resolves `file->path` if it is a symbolic link. */
static scree_status follow_link(scree_file *file, const char *target, size_t length)
{
    size_t folder = target[0] == '/' ? 0 : folder_length(file->path);
    char *joined;

    if (scree_memory_take(&file->memory, folder + length + 1, 1, &joined))
        return fail_memory(file, file->path);
    memcpy(joined, file->path, folder);
    memcpy(joined + folder, target, length);
    joined[folder + length] = '\0';
    free_text(file, &file->path);
    file->path = joined;
    return SCREE_OK;
}

static scree_status follow_links(scree_file *file)
{
    char target[4096];

    for (int k = 0; k < MAX_LINKS; k++) {
        ssize_t length = readlink(file->path, target, sizeof target - 1);
        if (length < 0)
            return SCREE_OK; /* not a link, or does not exist yet */
        target[length] = '\0';
        if (follow_link(file, target, (size_t)length))
            return file->status;
    }
    errno = ELOOP;
    return fail_system(file, file->path, "cannot be created");
}

/* ---- opening ---- */

static int open_again(const char *path, int flags)
{
    int descriptor;

    do
        descriptor = open(path, flags | O_CLOEXEC, 0666);
    while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

/*  Creates it under a unique name, so that two concurrent writers do not interfere. */
static scree_status open_temporary(scree_file *file)
{
    size_t length = strlen(file->path);
    char *name;

    if (scree_memory_take(&file->memory, length + TEMPORARY_BYTES, 1, &name))
        return fail_memory(file, file->path);
    for (unsigned k = 0; k < MAX_NAMES && file->descriptor < 0; k++) {
        snprintf(name, length + TEMPORARY_BYTES, "%s.%ld-%u.part", file->path, (long)getpid(), k);
        file->descriptor = open_again(name, O_WRONLY | O_CREAT | O_EXCL);
        if (file->descriptor < 0 && errno != EEXIST)
            break;
    }
    if (file->descriptor < 0)
        fail_system(file, file->path, "cannot be created");
    else
        copy_text(file, name, strlen(name), &file->temporary);
    if (file->descriptor >= 0 && file->status)
        unlink(name);
    scree_memory_give(&file->memory, &name, length + TEMPORARY_BYTES, 1);
    return file->status;
}

/*  The descriptor that a path like /dev/stdout or /dev/fd/3 names; -1: it names none. */
static int named_descriptor(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    static const char *const names[] = {"/dev/stdout", "/dev/stderr"};

    for (int k = 0; k < 2; k++) {
        const char *digits = path + strlen(folders[k]);
        if (strcmp(path, names[k]) == 0)
            return STDOUT_FILENO + k;
        if (strncmp(path, folders[k], strlen(folders[k])) == 0 && digits[0] &&
            strlen(digits) <= 5 && strspn(digits, "0123456789") == strlen(digits))
            return (int)strtol(digits, NULL, 10);
    }
    return -1;
}

/*  A pipe, a device or an open descriptor must not be replaced by a file. */
static scree_status open_target(scree_file *file)
{
    int opened = named_descriptor(file->path);
    struct stat info;

    if (opened >= 0) {
        file->descriptor = dup(opened);
        return file->descriptor < 0 ? fail_system(file, file->path, "cannot be opened") : SCREE_OK;
    }
    if (stat(file->path, &info) == 0 && !S_ISREG(info.st_mode)) {
        file->descriptor = open_again(file->path, O_WRONLY);
        return file->descriptor < 0 ? fail_system(file, file->path, "cannot be opened") : SCREE_OK;
    }
    if (follow_links(file))
        return file->status;
    return open_temporary(file);
}

scree_status scree_file_begin(scree_file *file, const char *path, const scree_allocator *allocator,
                              scree_error *error)
{
    memset(file, 0, sizeof *file);
    file->error = error;
    file->descriptor = -1;
    if (scree_memory_init(&file->memory, allocator))
        return file->status =
                   scree_fail(error, SCREE_BAD_DEF, "write: allocator has some functions, not all");
    if (!path || !*path)
        return file->status = scree_fail(error, SCREE_BAD_ARGUMENT, "write: path is NULL");
    if (copy_text(file, path, strlen(path), &file->path))
        return file->status;
    if (scree_memory_take(&file->memory, FILE_BUFFER_BYTES, 1, &file->buffer))
        fail_memory(file, path);
    else
        open_target(file);
    if (file->status)
        scree_file_abandon(file);
    return file->status;
}

/* ---- writing ---- */

static scree_status write_all(scree_file *file, const unsigned char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(file->descriptor, bytes, count < MAX_AT_ONCE ? count : MAX_AT_ONCE);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fail_system(file, file->path, "cannot be written");
        bytes += written;
        count -= (size_t)written;
    }
    return SCREE_OK;
}

static scree_status write_buffer(scree_file *file)
{
    size_t count = file->used;

    file->used = 0;
    return write_all(file, file->buffer, count);
}

scree_status scree_file_put(scree_file *file, const void *bytes, size_t count)
{
    if (file->status || count == 0)
        return file->status;
    file->bytes += count;
    if (count > FILE_BUFFER_BYTES - file->used && write_buffer(file))
        return file->status;
    if (count >= FILE_BUFFER_BYTES)
        return write_all(file, bytes, count);
    memcpy(file->buffer + file->used, bytes, count);
    file->used += count;
    return SCREE_OK;
}

scree_status scree_file_put_text(scree_file *file, const char *text)
{
    return scree_file_put(file, text, strlen(text));
}

scree_status scree_file_print(scree_file *file, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    int length;

    if (file->status)
        return file->status;
    va_start(arguments, format);
    length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text)
        return file->status = scree_fail(file->error, SCREE_TOO_LARGE,
                                         "%.150s: a line is longer than %zu bytes", file->path,
                                         sizeof text - 1);
    return scree_file_put(file, text, (size_t)length);
}

/* ---- completion ---- */

static int sync_again(int descriptor)
{
    int result;

    do
        result = fsync(descriptor);
    while (result != 0 && errno == EINTR);
    return result;
}

static scree_status close_file(scree_file *file)
{
    int descriptor = file->descriptor;

    file->descriptor = -1;
    /* closed even if interrupted: on Linux a retry might close what another thread has opened */
    if (close(descriptor) != 0 && errno != EINTR)
        return fail_system(file, file->path, "cannot be written");
    return SCREE_OK;
}

static scree_status open_folder(scree_file *file, int *descriptor)
{
    size_t length = folder_length(file->path);
    char *folder;

    if (copy_text(file, length ? file->path : ".", length ? length : 1, &folder))
        return file->status;
    *descriptor = open_again(folder, O_RDONLY | O_DIRECTORY);
    if (*descriptor < 0)
        fail_system(file, folder, "this folder cannot be opened");
    free_text(file, &folder);
    return file->status;
}

/*  Some file systems have folders that need no fsync, and report an error. */
static scree_status sync_folder(scree_file *file, int folder)
{
    if (sync_again(folder) == 0 || errno == EINVAL || errno == ENOTSUP)
        return SCREE_OK;
    return fail_system(file, file->path,
                       "it is written, but its folder could not be flushed to the disk");
}

static scree_status take_name(scree_file *file)
{
    int folder = -1;

    if (!file->skip_sync && open_folder(file, &folder))
        return file->status;
    if (rename(file->temporary, file->path) != 0)
        fail_system(file, file->path, "cannot be renamed");
    else
        free_text(file, &file->temporary);
    if (folder >= 0) {
        if (!file->status)
            sync_folder(file, folder);
        close(folder); /* nothing was written through this descriptor */
    }
    return file->status;
}

scree_status scree_file_commit(scree_file *file)
{
    scree_status status = file->status;

    if (!status && SCREE_NEVER(file->descriptor < 0))
        return SCREE_BAD_ARGUMENT;
    if (!status)
        status = write_buffer(file);
    if (!status && file->temporary && !file->skip_sync && sync_again(file->descriptor) != 0)
        status = fail_system(file, file->path, "cannot be written to the disk");
    if (!status)
        status = close_file(file);
    if (!status && file->temporary)
        status = take_name(file);
    scree_file_abandon(file);
    return status;
}

void scree_file_abandon(scree_file *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    file->descriptor = -1;
    if (file->temporary)
        unlink(file->temporary);
    free_text(file, &file->temporary);
    free_text(file, &file->path);
    scree_memory_give(&file->memory, &file->buffer, FILE_BUFFER_BYTES, 1);
}
