/*  Files the program writes: complete or not at all. Content goes to a temporary file beside the
    target, which takes its name only when all has been written. */
#ifndef SCREE_OUT_FILE_H
#define SCREE_OUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct scree_out_file
{
    FILE *stream;
    const char *path; /* the caller's; NULL: stdout */
    char *temporary;  /* NULL: written directly (stdout, devices, pipes) */
} scree_out_file;

/*  Each returns an exit code, and says on stderr what failed. `path` NULL or "-" is stdout. */
int scree_out_open(scree_out_file *file, const char *path);
int scree_out_commit(scree_out_file *file);
void scree_out_abandon(scree_out_file *file);

/*  Makes a folder and those above it, if they are not there. */
int scree_make_folder(const char *path);

/*  Reads all of a file, "-" is stdin. *data is to be freed. */
int scree_read_file(const char *path, char **data, size_t *size);

#endif
