/*  Input that a reader takes from a file: a folder of this process, and bytes written into it. It is removed at the end. */
#ifndef SCREE_TESTS_FUZZ_SCRATCH_FOLDER_H
#define SCREE_TESTS_FUZZ_SCRATCH_FOLDER_H

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCRATCH_PATH 512

/*  For what must never be, in every build. */
static inline void insist(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "not so: %s\n", what);
    abort();
}

static char scratch_name[SCRATCH_PATH];

/*  Removes what is in the folder, and in folders in it. */
static void scratch_empty(const char *folder)
{
    char path[2 * SCRATCH_PATH];
    DIR *list = opendir(folder);

    for (struct dirent *entry; list && (entry = readdir(list));) {
        struct stat info;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (lstat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
            scratch_empty(path);
            rmdir(path);
        } else {
            unlink(path);
        }
    }
    if (list)
        closedir(list);
}

static void scratch_remove(void)
{
    scratch_empty(scratch_name);
    rmdir(scratch_name);
}

/*  The folder; it is made at the first call. TMPDIR says where. */
static inline const char *scratch_folder(void)
{
    const char *where = getenv("TMPDIR");

    if (!scratch_name[0]) {
        snprintf(scratch_name, sizeof scratch_name, "%s/scree-fuzz-XXXXXX",
                 where && where[0] ? where : "/tmp");
        insist(mkdtemp(scratch_name) != NULL, "a folder for the target");
        insist(atexit(scratch_remove) == 0, "atexit");
    }
    return scratch_name;
}

static inline const char *scratch_path(char path[SCRATCH_PATH], const char *name)
{
    snprintf(path, SCRATCH_PATH, "%.200s/%.200s", scratch_folder(), name);
    return path;
}

static inline void scratch_write(const char *name, const void *bytes, size_t count)
{
    char path[SCRATCH_PATH];
    FILE *file = fopen(scratch_path(path, name), "wb");
    bool is_whole = file && fwrite(bytes, 1, count, file) == count;

    is_whole = file && fclose(file) == 0 && is_whole;
    insist(is_whole, "room for the target's file");
}

#endif
