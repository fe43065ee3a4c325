/*  Files the program writes: complete or not at all. Content goes to a temporary file beside the
    target, which takes its name only when all has been written. Of a link the file is written that it
    points to; what the shell has opened, as /dev/stdout, is written to as it is. */
#ifndef SCREE_OUT_FILE_H
#define SCREE_OUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct scree_out_file
{
    FILE *stream;
    const char *path; /* the caller's; NULL: stdout */
    char *target;     /* what the path comes to when links are followed, and */
    char
        *temporary; /* beside it; both NULL: written directly (stdout, devices, pipes, /dev/fd/3) */
} scree_out_file;

/*  Each returns an exit code, and says on stderr what failed. `path` NULL or "-" is stdout. */
int scree_out_open(scree_out_file *file, const char *path);
int scree_out_commit(scree_out_file *file);
void scree_out_abandon(scree_out_file *file);

/*  "FOLDER/NAME", to be freed; NULL without memory. */
char *scree_join_path(const char *folder, const char *name);
bool scree_is_folder(const char *path);

/*  Makes a folder and those above it, if they are not there. */
int scree_make_folder(const char *path);

/*  Reads all of a file, "-" is stdin. *data is to be freed. */
int scree_read_file(const char *path, char **data, size_t *size);

#endif
