/*  Source texts of kernels, which the build embeds in the library (cmake/gpu.cmake): each .cl file of src/gpu/, and the
    files that these include. No file is read at run time. */
#ifndef SCREE_KERNEL_TEXT_H
#define SCREE_KERNEL_TEXT_H

#include "base/memory.h"

/*  Returns the text of a file by its path under src/, such as "gpu/arithmetic.cl"; NULL if there is none. */
const char *scree_kernel_text(const char *name);

/*  Returns the text with each line #include "..." replaced by the text of that file, since compilers of kernels cannot
    open files. Include guards work as in C. `bytes` includes the terminating 0. Free it with scree_memory_give.
    SCREE_UNSUPPORTED if a text is missing (the single-file library has none). */
scree_status scree_kernel_text_whole(const char *name, scree_memory *memory, char **text,
                                     size_t *bytes, scree_error *error);

#endif
