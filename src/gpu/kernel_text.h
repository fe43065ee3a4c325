/*  Texts of kernels, which the build has made part of the library (cmake/gpu.cmake): each .cl file of src/gpu/, and what these
    include. No file is read at run time. */
#ifndef SCREE_KERNEL_TEXT_H
#define SCREE_KERNEL_TEXT_H

#include "base/memory.h"

/*  The text of a file by its path under src/, as "gpu/arithmetic.cl"; NULL if there is none. */
const char *scree_kernel_text(const char *name);

/*  The same with each line #include "..." replaced by the text of that file, since a compiler of kernels finds no files. What is there
    twice is kept out by guards, as in C. `bytes` includes the 0 at the end. Free it by scree_memory_give.
    SCREE_UNSUPPORTED if a text is missing (a library made as one file has none). */
scree_status scree_kernel_text_whole(const char *name, scree_memory *memory, char **text,
                                     size_t *bytes, scree_error *error);

#endif
