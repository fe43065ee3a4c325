/*  An allocator with a limit: a scene that exceeds it gets SCREE_OUT_OF_MEMORY instead of exhausting the machine. */
#ifndef SCREE_LAB_BOUNDED_H
#define SCREE_LAB_BOUNDED_H

#include "scree/base.h"

#include <stdatomic.h>

typedef struct lab_bounded
{
    size_t most;
    _Atomic size_t held;
} lab_bounded;

/*  Valid as long as `bounded` is not moved. */
scree_allocator scree_lab_bounded_hooks(lab_bounded *bounded);

#endif
