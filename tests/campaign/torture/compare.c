/*  A folder against that of the run that nothing happened to. What a run writes follows from its state alone,
    so the bytes must be the same: all but run.json, log.txt and detection.csv, which speak of time on the wall. */
#include "torture.h"

#include "scree/checkpoint.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *read_all(const char *path, size_t *bytes)
{
    struct stat info;
    FILE *file = fopen(path, "rb");
    char *text = NULL;

    *bytes = 0;
    if (file && fstat(fileno(file), &info) == 0) {
        text = calloc(1, (size_t)info.st_size + 1);
        if (text)
            *bytes = fread(text, 1, (size_t)info.st_size, file);
    }
    if (file)
        fclose(file);
    return text;
}

bool torture_digest(const char *folder, char digest[17])
{
    static const char mark[] = "\"digest\": \"";
    char path[600];
    size_t bytes;

    snprintf(path, sizeof path, "%s/run.json", folder);
    char *text = read_all(path, &bytes);
    const char *at = text && strstr(text, "\"state\": \"finished\"") ? strstr(text, mark) : NULL;
    bool good = at && strlen(at) > sizeof mark + 16;
    if (good) {
        memcpy(digest, at + sizeof mark - 1, 16);
        digest[16] = 0;
    }
    free(text);
    return good;
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcmp(name + length - tail, end) == 0;
}

/*  A checkpoint must be whole, and of the state that the reference had at its step. */
static bool same_checkpoint(const char *path, const char *other)
{
    scree_error error = {SCREE_OK, ""};
    scree_checkpoint *first = NULL, *second = NULL;
    bool same = false;

    if (scree_checkpoint_read(path, NULL, &first, &error)) {
        printf("%s: torn: %s\n", path, error.text);
    } else if (scree_checkpoint_read(other, NULL, &second, &error)) {
        /* at the stop of a signal there is one that the reference has not */
        same = true;
    } else {
        same = scree_checkpoint_describe(first).digest == scree_checkpoint_describe(second).digest;
        if (!same)
            printf("%s: another state than %s\n", path, other);
    }
    scree_checkpoint_destroy(first);
    scree_checkpoint_destroy(second);
    return same;
}

/*  Lines of `text` up to the last whole one are those that `other` begins with. */
static bool is_beginning(const char *text, size_t bytes, const char *other, size_t other_bytes)
{
    while (bytes > 0 && text[bytes - 1] != '\n')
        bytes--;
    return bytes <= other_bytes && memcmp(text, other, bytes) == 0;
}

static bool same_file(const char *path, const char *other, bool may_end_early)
{
    size_t bytes, other_bytes;
    char *text = read_all(path, &bytes), *wanted = read_all(other, &other_bytes);
    bool same = text && wanted && bytes == other_bytes && memcmp(text, wanted, bytes) == 0;

    if (text && wanted && may_end_early)
        same = is_beginning(text, bytes, wanted, other_bytes);
    if (!same)
        printf("%s: %zu bytes, differ from the %zu of %s\n", path, bytes, other_bytes, other);
    free(text);
    free(wanted);
    return same;
}

static bool same_entry(const char *path, const char *other, const char *name, bool may_lack,
                       bool running)
{
    if (strcmp(name, "run.json") == 0 || strcmp(name, "log.txt") == 0 ||
        strcmp(name, "detection.csv") == 0)
        return true;
    if (ends_with(name, ".scree"))
        return same_checkpoint(path, other);
    /* what was being written: a run that continues removes it */
    if (ends_with(name, ".part"))
        return running;
    /* a collection names the frames there are: with a frame missing, or not yet written, it is another */
    if (ends_with(name, ".pvd") && (running || may_lack))
        return true;
    return same_file(path, other, running && ends_with(name, ".csv"));
}

static bool same_folder(const char *folder, const char *reference, bool may_lack, bool running)
{
    bool same = true;
    DIR *list = opendir(folder);

    for (struct dirent *entry; list && (entry = readdir(list));) {
        char path[600], other[600];
        struct stat info;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        snprintf(other, sizeof other, "%s/%s", reference, entry->d_name);
        if (stat(path, &info) != 0)
            continue;
        same =
            (S_ISDIR(info.st_mode) ? same_folder(path, other, may_lack, running)
                                   : same_entry(path, other, entry->d_name, may_lack, running)) &&
            same;
    }
    if (list)
        closedir(list);
    return same;
}

/*  Nothing that the reference has is missing. */
static bool lacks_nothing(const char *folder, const char *reference)
{
    bool good = true;
    DIR *list = opendir(reference);

    for (struct dirent *entry; list && (entry = readdir(list));) {
        char path[600], other[600];
        struct stat info;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        snprintf(other, sizeof other, "%s/%s", reference, entry->d_name);
        if (stat(path, &info) != 0) {
            printf("%s: missing\n", path);
            good = false;
        } else if (S_ISDIR(info.st_mode)) {
            good = lacks_nothing(path, other) && good;
        }
    }
    if (list)
        closedir(list);
    return good;
}

bool torture_same(const torture *t, const char *folder, bool may_lack, bool running)
{
    bool same = same_folder(folder, t->reference, may_lack, running);
    return same && (may_lack || running || lacks_nothing(folder, t->reference));
}

void torture_remove(const char *folder)
{
    DIR *list = opendir(folder);

    for (struct dirent *entry; list && (entry = readdir(list));) {
        char path[600];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (unlink(path) != 0)
            torture_remove(path);
    }
    if (list)
        closedir(list);
    rmdir(folder);
}
