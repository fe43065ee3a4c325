/*  Writing uses stdio, and the error flag is checked once at the end: a full disk is detected before the rename. */
#include "common/out_file.h"

#include "common/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_LINKS 40

/*  The number in paths such as /dev/fd/3; -1 for other paths. */
static int descriptor_in(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};

    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
        size_t length = strlen(folders[k]);
        const char *digits = path + length;
        if (strncmp(path, folders[k], length) == 0 && *digits && strlen(digits) < 6 &&
            strspn(digits, "0123456789") == strlen(digits))
            return atoi(digits);
    }
    return strcmp(path, "/dev/stderr") == 0 ? STDERR_FILENO : -1;
}

/*  If `target` is a symbolic link, replaces it by the path that the link contains. Returns 1: it is a link, 0: it is
    none, -1: out of memory. */
static int follow_link(char **target)
{
    char said[4096];
    ssize_t length = readlink(*target, said, sizeof said - 1);
    const char *slash = strrchr(*target, '/');
    size_t folder = slash ? (size_t)(slash - *target) + 1 : 0;

    if (length < 0)
        return 0;
    said[length] = 0;
    folder = said[0] == '/' ? 0 : folder;
    char *joined = malloc(folder + (size_t)length + 1);
    if (!joined)
        return -1;
    memcpy(joined, *target, folder);
    memcpy(joined + folder, said, (size_t)length + 1);
    free(*target);
    *target = joined;
    return 1;
}

static int find_target(scree_out_file *file)
{
    int followed = 1;

    file->target = strdup(file->path);
    for (int k = 0; file->target && followed == 1 && k < MAX_LINKS; k++)
        followed = follow_link(&file->target);
    if (!file->target || followed < 0)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    errno = ELOOP;
    return followed ? scree_system_error(file->path, "cannot create") : SCREE_EXIT_OK;
}

static int open_temporary(scree_out_file *file)
{
    size_t length = strlen(file->target);

    file->temporary = malloc(length + sizeof ".XXXXXX");
    if (!file->temporary)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    memcpy(file->temporary, file->target, length);
    memcpy(file->temporary + length, ".XXXXXX", sizeof ".XXXXXX");
    int descriptor = mkstemp(file->temporary);
    if (descriptor >= 0) {
        mode_t mask = umask(0);
        umask(mask);
        if (fchmod(descriptor, 0666 & ~mask) == 0)
            file->stream = fdopen(descriptor, "wb");
    }
    if (file->stream)
        return SCREE_EXIT_OK;
    int code = scree_system_error(file->path, "cannot create");
    if (descriptor >= 0) {
        close(descriptor);
        unlink(file->temporary);
    }
    return code;
}

char *scree_join_path(const char *folder, const char *name)
{
    size_t bytes = strlen(folder) + strlen(name) + 2;
    char *path = malloc(bytes);

    if (path)
        snprintf(path, bytes, "%s/%s", folder, name);
    return path;
}

bool scree_is_folder(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static void forget_names(scree_out_file *file)
{
    free(file->temporary);
    free(file->target);
    file->temporary = file->target = NULL;
}

int scree_out_open(scree_out_file *file, const char *path)
{
    struct stat info;
    memset(file, 0, sizeof *file);
    if (!path || strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) {
        file->stream = stdout;
        return SCREE_EXIT_OK;
    }
    file->path = path;

    int given = descriptor_in(path);
    if (given >= 0) {
        int copy = dup(given);
        file->stream = copy >= 0 ? fdopen(copy, "wb") : NULL;
        return file->stream ? SCREE_EXIT_OK : scree_system_error(path, "cannot open");
    }
    /* a device or a pipe must not be replaced by a file */
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        file->stream = fopen(path, "wb");
        return file->stream ? SCREE_EXIT_OK : scree_system_error(path, "cannot open");
    }
    int code = find_target(file);
    if (code == SCREE_EXIT_OK)
        code = open_temporary(file);
    if (code != SCREE_EXIT_OK)
        forget_names(file);
    return code;
}

int scree_out_commit(scree_out_file *file)
{
    /* stdout is checked at the end of the program */
    if (!file->path)
        return SCREE_EXIT_OK;
    bool good = fflush(file->stream) == 0 && !ferror(file->stream);
    if (good && file->temporary)
        good = fsync(fileno(file->stream)) == 0;
    int saved = errno;
    if (fclose(file->stream) != 0 && good) {
        good = false;
        saved = errno;
    }
    file->stream = NULL;
    if (good && file->temporary && rename(file->temporary, file->target) != 0) {
        good = false;
        saved = errno;
    }
    errno = saved;
    int code = good ? SCREE_EXIT_OK : scree_system_error(file->path, "cannot write");
    if (!good && file->temporary)
        unlink(file->temporary);
    forget_names(file);
    return code;
}

void scree_out_abandon(scree_out_file *file)
{
    if (file->path && file->stream)
        fclose(file->stream);
    if (file->temporary)
        unlink(file->temporary);
    forget_names(file);
    memset(file, 0, sizeof *file);
}

int scree_make_folder(const char *path)
{
    size_t length = strlen(path);
    char *part = malloc(length + 1);
    if (!part)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    int code = SCREE_EXIT_OK;
    for (size_t k = 1; k <= length && code == SCREE_EXIT_OK; k++) {
        if (path[k] != '/' && path[k] != 0)
            continue;
        memcpy(part, path, k);
        part[k] = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            code = scree_system_error(part, "cannot make this folder");
    }
    free(part);
    return code;
}

int scree_read_file(const char *path, char **data, size_t *size)
{
    bool is_stdin = strcmp(path, "-") == 0;
    size_t capacity = 0, used = 0, got = 1;
    char *content = NULL;
    int code = SCREE_EXIT_OK;
    struct stat info;
    FILE *stream = is_stdin ? stdin : fopen(path, "rb");
    if (!stream)
        return scree_system_error(path, "cannot open");
    /* input may come through a pipe, but a device without an end is refused */
    if (!is_stdin && fstat(fileno(stream), &info) == 0 && S_ISCHR(info.st_mode)) {
        fclose(stream);
        return scree_usage_error("%.200s: is a device, not a file", path);
    }
    while (got > 0) {
        if (used == capacity) {
            size_t wanted = capacity ? capacity * 2 : 65536;
            char *grown = wanted > capacity ? realloc(content, wanted) : NULL;
            if (!grown) {
                code = scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
                break;
            }
            content = grown;
            capacity = wanted;
        }
        got = fread(content + used, 1, capacity - used, stream);
        used += got;
    }
    if (code == SCREE_EXIT_OK && ferror(stream))
        code = scree_system_error(is_stdin ? "stdin" : path, "cannot read");
    if (!is_stdin)
        fclose(stream);
    if (code != SCREE_EXIT_OK) {
        free(content);
        content = NULL;
    }
    *data = content;
    *size = used;
    return code;
}
