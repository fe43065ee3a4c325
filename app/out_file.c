/*  Writing goes through stdio, whose error flag is looked at once at the end: a full disk is
   noticed before the file gets its name. */
#include "out_file.h"

#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int scree_out_open(scree_out_file *file, const char *path)
{
    struct stat info;
    memset(file, 0, sizeof *file);
    if (!path || strcmp(path, "-") == 0) {
        file->stream = stdout;
        return SCREE_EXIT_OK;
    }
    file->path = path;

    /* a device or a pipe must not be replaced by a file */
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        file->stream = fopen(path, "wb");
        return file->stream ? SCREE_EXIT_OK : scree_system_error(path, "cannot open");
    }
    size_t length = strlen(path);
    file->temporary = malloc(length + sizeof ".XXXXXX");
    if (!file->temporary)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    memcpy(file->temporary, path, length);
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
    int code = scree_system_error(path, "cannot create");
    if (descriptor >= 0) {
        close(descriptor);
        unlink(file->temporary);
    }
    free(file->temporary);
    file->temporary = NULL;
    return code;
}

int scree_out_commit(scree_out_file *file)
{
    /* what goes to stdout is checked at the end of the program */
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
    if (good && file->temporary && rename(file->temporary, file->path) != 0) {
        good = false;
        saved = errno;
    }
    errno = saved;
    int code = good ? SCREE_EXIT_OK : scree_system_error(file->path, "cannot write");
    if (!good && file->temporary)
        unlink(file->temporary);
    free(file->temporary);
    file->temporary = NULL;
    return code;
}

void scree_out_abandon(scree_out_file *file)
{
    if (file->path && file->stream)
        fclose(file->stream);
    if (file->temporary)
        unlink(file->temporary);
    free(file->temporary);
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
    FILE *stream = is_stdin ? stdin : fopen(path, "rb");
    if (!stream)
        return scree_system_error(path, "cannot open");
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
