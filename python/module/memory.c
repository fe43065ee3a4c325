/*  A world's memory. A block that an array looks into is neither freed nor moved before the last such array is gone:
    so an old array may show old numbers, but never memory that is something else by now. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

static void *take(size_t bytes, void *user)
{
    (void)user;
    return malloc(bytes);
}

static bool is_within(const seen_block *b, const char *at, size_t bytes)
{
    return !b->is_gone && b->at >= at && b->at < at + bytes;
}

static void leave(void *at, size_t bytes, void *user)
{
    World *world = user;
    bool is_seen = false;

    pthread_mutex_lock(&world->lock);
    for (seen_block *b = world->blocks; b; b = b->next)
        if (is_within(b, at, bytes)) {
            b->is_gone = true;
            b->at = at;
            is_seen = true;
        }
    pthread_mutex_unlock(&world->lock);
    if (!is_seen)
        free(at);
}

static void *again(void *at, size_t old_bytes, size_t new_bytes, void *user)
{
    World *world = user;
    bool is_seen = false;

    pthread_mutex_lock(&world->lock);
    for (seen_block *b = world->blocks; b && !is_seen; b = b->next)
        is_seen = is_within(b, at, old_bytes);
    pthread_mutex_unlock(&world->lock);
    if (!is_seen)
        return realloc(at, new_bytes);
    void *copy = malloc(new_bytes);
    if (copy) {
        memcpy(copy, at, old_bytes < new_bytes ? old_bytes : new_bytes);
        leave(at, old_bytes, user);
    }
    return copy;
}

scree_allocator world_memory(World *world)
{
    return (scree_allocator){take, again, leave, world};
}
