/*  Memory up to a limit: a scene that asks for more gets SCREE_OUT_OF_MEMORY, not the machine's last page. */
#ifndef SCREE_LAB_BOUNDED_H
#define SCREE_LAB_BOUNDED_H

#include "scree/base.h"

#include <stdatomic.h>

typedef struct lab_bounded
{
    size_t most;
    _Atomic size_t held;
} lab_bounded;

/*  Holds as long as `bounded` stays where it is. */
scree_allocator scree_lab_bounded_hooks(lab_bounded *bounded);

#endif
