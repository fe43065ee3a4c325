/*  A surrogate tree in a file next to its mesh, so that it is built only once. docs/files.md describes every byte.

    A tree from a file is used only if it is complete (length and checksum), of this version, built from this surface
    with these settings (scree_surrogate_source), and valid: its structure and every halo are checked again, so that no
    file can make a search miss a contact. */
#ifndef SCREE_SURROGATE_FILE_H
#define SCREE_SURROGATE_FILE_H

#include "shape/surrogate.h"

/*  Writes a tree. SCREE_IO_ERROR, SCREE_OUT_OF_MEMORY; then a previous file of that name is unchanged. */
scree_status scree_surrogate_write(const scree_surrogate *tree, const char *path,
                                   scree_error *error);

/*  Reads the tree of def's surface. SCREE_IO_ERROR (there is no such file, or it cannot be read), SCREE_BAD_FILE (path,
    byte, and reason), SCREE_OUT_OF_MEMORY, and statuses for errors in def; then *tree is NULL. */
scree_status scree_surrogate_read(const char *path, const scree_surrogate_def *def,
                                  scree_surrogate **tree);

/*  How scree_surrogate_cached obtained a tree, or why it was not written. */
typedef enum scree_surrogate_origin
{
    SCREE_SURROGATE_READ = 0,
    SCREE_SURROGATE_GROWN,       /* built and written */
    SCREE_SURROGATE_GROWN_ALONE, /* built but not written: def->error has the reason */
} scree_surrogate_origin;

/*  Reads the tree, or builds and writes it if the file does not exist or is not a valid tree. SCREE_BAD_FILE if the
    file is something else than a tree, which stays unchanged; otherwise it fails only like scree_surrogate_create.
    `origin` may be NULL. */
scree_status scree_surrogate_cached(const char *path, const scree_surrogate_def *def,
                                    scree_surrogate **tree, scree_surrogate_origin *origin);

#endif
