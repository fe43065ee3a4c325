/*  Output files, complete or absent. The content goes to a temporary file in the folder of the target, which is renamed
    when everything has been written. A link is followed; files that the shell has opened, such as /dev/stdout, are
    written directly. */
#ifndef SCREE_OUT_FILE_H
#define SCREE_OUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct scree_out_file
{
    FILE *stream;
    const char *path; /* the caller's; NULL: stdout */
    char *target;     /* the path after links are followed */
    char *
        temporary; /* in its folder; both NULL: written directly (stdout, devices, pipes, /dev/fd/3) */
} scree_out_file;

/*  Each returns an exit code, after a message on stderr if it failed. `path` NULL or "-" is stdout. */
int scree_out_open(scree_out_file *file, const char *path);
int scree_out_commit(scree_out_file *file);
void scree_out_abandon(scree_out_file *file);

/*  "FOLDER/NAME", to be freed; NULL without memory. */
char *scree_join_path(const char *folder, const char *name);
bool scree_is_folder(const char *path);

/*  Makes a folder and its parents, if they do not exist. An exit code. */
int scree_make_folder(const char *path);

/*  Reads a whole file; "-" is stdin. The caller frees *data. An exit code. */
int scree_read_file(const char *path, char **data, size_t *size);

#endif
