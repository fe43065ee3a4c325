/*  The list of methods. A new one is one file and one line here. */
#include "detect/method.h"

#include <string.h>

/*  Tests compile this file a second time with methods of their own. */
#ifndef SCREE_EXTRA_METHODS
#define SCREE_EXTRA_METHODS(X)
#endif

#define METHODS(X)                                                                                 \
    X(pairing)                                                                                     \
    X(bounding_volume)                                                                             \
    X(spatial_sort_1)                                                                              \
    X(spatial_sort_2)                                                                              \
    X(spatial_sort_3)                                                                              \
    X(hashing)                                                                                     \
    X(hashing2)                                                                                    \
    X(cgrid)                                                                                       \
    X(dess)                                                                                        \
    X(dess2)                                                                                       \
    X(stripe_sort)                                                                                 \
    X(rtree)                                                                                       \
    X(rtree_rstar)                                                                                 \
    X(rtree_packed)                                                                                \
    X(dess_rtree)                                                                                  \
    X(hash_grids)                                                                                  \
    X(cell_space)                                                                                  \
    X(insertion_sort)                                                                              \
    X(flat)                                                                                        \
    X(bvh8)                                                                                        \
    X(auto)                                                                                        \
    SCREE_EXTRA_METHODS(X)

#define DECLARE(name) extern const scree_method scree_method_##name;
METHODS(DECLARE)

#define LIST(name) &scree_method_##name,
static const scree_method *const methods[] = {METHODS(LIST)};

const scree_method *scree_method_number(size_t index)
{
    return index < SCREE_COUNT_OF(methods) ? methods[index] : NULL;
}

const scree_method *scree_method_find(const char *name)
{
    for (size_t i = 0; name && i < SCREE_COUNT_OF(methods); i++)
        if (strcmp(methods[i]->info.name, name) == 0)
            return methods[i];
    return NULL;
}

size_t scree_method_count(void)
{
    return SCREE_COUNT_OF(methods);
}

const scree_method_info *scree_method_at(size_t index)
{
    const scree_method *method = scree_method_number(index);
    return method ? &method->info : NULL;
}

const scree_method_info *scree_method_by_name(const char *name)
{
    const scree_method *method = scree_method_find(name);
    return method ? &method->info : NULL;
}
