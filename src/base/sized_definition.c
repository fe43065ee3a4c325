/*  What all definitions have in common, whatever their kind. */
#include "base/sized_definition.h"

#include <stdint.h>
#include <string.h>

typedef struct definition_head
{
    uint32_t cookie, size;
} definition_head;

void scree_definition_write(void *given, size_t size, const void *own, size_t own_size)
{
    definition_head head;

    if (!given || size < sizeof head || size > UINT32_MAX)
        return;
    memcpy(given, own, size < own_size ? size : own_size);
    if (size > own_size)
        memset((char *)given + own_size, 0, size - own_size);
    memcpy(&head, own, sizeof head);
    head.size = (uint32_t)size;
    memcpy(given, &head, sizeof head);
}

bool scree_definition_read(void *own, const void *given)
{
    definition_head mine, theirs;

    memcpy(&mine, own, sizeof mine);
    memcpy(&theirs, given, sizeof theirs);
    if (theirs.cookie != mine.cookie || theirs.size < sizeof theirs || theirs.size > mine.size)
        return false;
    memcpy(own, given, theirs.size);
    memcpy(own, &mine, sizeof mine);
    return true;
}
