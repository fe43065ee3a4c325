/*  Finds a file of the page by its path. No path leads to the disk. */
#include "page.h"

#include <string.h>

const scree_page_file *scree_page_find(const char *path)
{
    const char *wanted = strcmp(path, "/") == 0 ? "/index.html" : path;

    for (const scree_page_file *file = scree_page_files; file->path; file++)
        if (strcmp(file->path, wanted) == 0)
            return file;
    return NULL;
}
