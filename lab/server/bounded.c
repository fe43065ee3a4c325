/*  malloc with a running total; thread-safe. */
#include "bounded.h"

#include <stdlib.h>

static bool reserve(lab_bounded *bounded, size_t bytes)
{
    size_t before = atomic_fetch_add(&bounded->held, bytes);
    bool fits = bytes <= bounded->most && before <= bounded->most - bytes;

    if (!fits)
        atomic_fetch_sub(&bounded->held, bytes);
    return fits;
}

static void *take(size_t bytes, void *user)
{
    lab_bounded *bounded = user;
    if (!reserve(bounded, bytes))
        return NULL;
    void *block = malloc(bytes);
    if (!block)
        atomic_fetch_sub(&bounded->held, bytes);
    return block;
}

static void *retake(void *block, size_t old_bytes, size_t new_bytes, void *user)
{
    lab_bounded *bounded = user;
    if (new_bytes > old_bytes && !reserve(bounded, new_bytes - old_bytes))
        return NULL;
    void *grown = realloc(block, new_bytes);
    if (!grown && new_bytes > old_bytes)
        atomic_fetch_sub(&bounded->held, new_bytes - old_bytes);
    if (grown && new_bytes < old_bytes)
        atomic_fetch_sub(&bounded->held, old_bytes - new_bytes);
    return grown;
}

static void give(void *block, size_t bytes, void *user)
{
    lab_bounded *bounded = user;

    free(block);
    atomic_fetch_sub(&bounded->held, bytes);
}

scree_allocator scree_lab_bounded_hooks(lab_bounded *bounded)
{
    scree_allocator hooks = {take, retake, give, bounded};
    return hooks;
}
