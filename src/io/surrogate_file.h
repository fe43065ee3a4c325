/*  A surrogate tree in a file beside its mesh, so that it is grown once. docs/files.md says how it lies there, byte by byte.

    A tree from a file is used only if it is whole (length and checksum), of this version, grown from this surface with these
    settings (scree_surrogate_source), and sound: its structure and every halo are checked anew, so that no file, however
    made, can lose a contact. */
#ifndef SCREE_SURROGATE_FILE_H
#define SCREE_SURROGATE_FILE_H

#include "shape/surrogate.h"

/*  SCREE_IO_ERROR, SCREE_OUT_OF_MEMORY; then what had the name is as it was. */
scree_status scree_surrogate_write(const scree_surrogate *tree, const char *path,
                                   scree_error *error);

/*  The tree of def's surface. SCREE_IO_ERROR (there is no such file, or it cannot be read), SCREE_BAD_FILE (path, byte, and
    what is wrong), SCREE_OUT_OF_MEMORY, and what is wrong with def; then *tree is NULL. */
scree_status scree_surrogate_read(const char *path, const scree_surrogate_def *def,
                                  scree_surrogate **tree);

/*  How scree_surrogate_cached came by a tree, or why it was not written. */
typedef enum scree_surrogate_origin
{
    SCREE_SURROGATE_READ = 0,
    SCREE_SURROGATE_GROWN,       /* and written */
    SCREE_SURROGATE_GROWN_ALONE, /* but not written: def->error says why */
} scree_surrogate_origin;

/*  Reads it, or where the file is not there or a tree that is not good, grows it and writes it. SCREE_BAD_FILE where
    something else than a tree is there: that stays as it is; else it fails only as scree_surrogate_create does. `origin` may
    be NULL. */
scree_status scree_surrogate_cached(const char *path, const scree_surrogate_def *def,
                                    scree_surrogate **tree, scree_surrogate_origin *origin);

#endif
