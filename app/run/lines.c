/*  The length of the complete lines is always known, so a write that fails halfway is undone by truncating the file
    to it. */
#include "app/run/lines.h"
#include "common/regular_file.h"

#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_PENDING (1u << 20)

static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t count)
{
    for (size_t k = 0; k < count; k++)
        hash = scree_hash_word(hash, (unsigned char)bytes[k]);
    return hash;
}

/*  End of the last complete line; -1 with errno. */
static off_t end_of_lines(int descriptor, off_t size)
{
    char block[4096];
    off_t end = size;

    while (end > 0) {
        size_t count = end < (off_t)sizeof block ? (size_t)end : sizeof block;
        ssize_t got = pread(descriptor, block, count, end - (off_t)count);
        if (got != (ssize_t)count) {
            errno = got < 0 ? errno : EIO;
            return -1;
        }
        for (size_t k = count; k > 0; k--)
            if (block[k - 1] == '\n')
                return end - (off_t)(count - k);
        end -= (off_t)count;
    }
    return 0;
}

bool scree_lines_open(scree_lines *lines, const char *path)
{
    struct stat info;
    size_t bytes = strlen(path) + 1;

    memset(lines, 0, sizeof *lines);
    lines->descriptor = -1;
    lines->path = malloc(bytes);
    if (!lines->path)
        return false;
    memcpy(lines->path, path, bytes);
    lines->descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lines->descriptor < 0 || fstat(lines->descriptor, &info) != 0)
        return false;
    off_t end = end_of_lines(lines->descriptor, info.st_size);
    return end >= 0 && scree_lines_cut(lines, end);
}

bool scree_lines_cut(scree_lines *lines, off_t length)
{
    if (ftruncate(lines->descriptor, length) != 0)
        return false;
    lines->length = length;
    return true;
}

bool scree_lines_have(const char *path, const scree_lines_mark *mark)
{
    char block[4096];
    uint64_t left = mark->length, hash = SCREE_HASH_START;
    size_t bytes;
    FILE *file = scree_open_regular(path, &bytes);

    while (file && left > 0) {
        size_t got = fread(block, 1, left < sizeof block ? (size_t)left : sizeof block, file);
        if (got == 0)
            break;
        hash = hash_bytes(hash, block, got);
        left -= got;
    }
    if (file)
        fclose(file);
    return left == 0 && hash == mark->sum;
}

/*  End of the rows up to a step, within `most` bytes, and their hash: later rows will be written again, and lines that do not begin
    with a number are no rows. -1: the header is different. */
static off_t end_of_rows(const char *path, const char *header, uint64_t step, uint64_t most,
                         uint64_t *sum)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t got;
    off_t end = -1;
    FILE *file = fopen(path, "rb");

    while (file && (got = getline(&line, &capacity, file)) > 0) {
        bool is_first = end < 0;
        if (is_first && (strncmp(line, header, strlen(header)) != 0 || line[got - 1] != '\n' ||
                         (size_t)got != strlen(header) + 1))
            break;
        if (!is_first && (line[0] < '0' || line[0] > '9' || strtoull(line, NULL, 10) > step ||
                          (uint64_t)(end + got) > most))
            break;
        *sum = hash_bytes(*sum, line, (size_t)got);
        end = (end < 0 ? 0 : end) + got;
    }
    free(line);
    if (file)
        fclose(file);
    return end;
}

bool scree_lines_begin_rows(scree_lines *lines, const char *header, bool is_resumed, uint64_t step,
                            const scree_lines_mark *mark)
{
    const bool has_mark = is_resumed && mark->is_known && scree_lines_have(lines->path, mark);
    uint64_t sum = SCREE_HASH_START, most = has_mark ? mark->length : UINT64_MAX;
    off_t end = is_resumed ? end_of_rows(lines->path, header, step, most, &sum) : -1;

    if (!scree_lines_cut(lines, end > 0 ? end : 0))
        return false;
    lines->sum = sum;
    if (end <= 0)
        scree_lines_put(lines, header);
    return true;
}

void scree_lines_put(scree_lines *lines, const char *text)
{
    size_t bytes = strlen(text) + 1, wanted = lines->used + bytes;

    if (wanted > lines->capacity && wanted <= MAX_PENDING) {
        size_t capacity = lines->capacity ? lines->capacity : 4096;
        while (capacity < wanted)
            capacity *= 2;
        char *grown = realloc(lines->pending, capacity);
        if (grown) {
            lines->pending = grown;
            lines->capacity = capacity;
        }
    }
    if (wanted > lines->capacity) {
        lines->dropped++;
        return;
    }
    memcpy(lines->pending + lines->used, text, bytes - 1);
    lines->pending[wanted - 1] = '\n';
    lines->used = wanted;
}

bool scree_lines_flush(scree_lines *lines, bool to_disk)
{
    size_t done = 0;

    if (lines->descriptor < 0) {
        errno = ENOENT;
        return false;
    }
    while (done < lines->used) {
        ssize_t got = pwrite(lines->descriptor, lines->pending + done, lines->used - done,
                             lines->length + (off_t)done);
        if (got > 0) {
            done += (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            int reason = got == 0 ? ENOSPC : errno;
            /* if even this fails, the reader removes the incomplete line */
            if (ftruncate(lines->descriptor, lines->length) == 0)
                errno = reason;
            return false;
        }
    }
    lines->length += (off_t)lines->used;
    lines->sum = hash_bytes(lines->sum, lines->pending, lines->used);
    lines->used = 0;
    return !to_disk || fsync(lines->descriptor) == 0;
}

void scree_lines_close(scree_lines *lines)
{
    if (lines->descriptor >= 0)
        close(lines->descriptor);
    free(lines->path);
    free(lines->pending);
    memset(lines, 0, sizeof *lines);
    lines->descriptor = -1;
}
