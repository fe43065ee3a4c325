/*  Definitions of hosts that were compiled with this or an earlier header. Each begins with a cookie, which says its
    kind, and with its size, which says how many members the host knows. New members are added at the end, never in the
    padding, so that an earlier definition is the beginning of a later one. */
#ifndef SCREE_SIZED_DEFINITION_H
#define SCREE_SIZED_DEFINITION_H

#include <stdbool.h>
#include <stddef.h>

/*  Writes the first `size` bytes of `own`, a definition of `own_size` bytes, to `given`, and that it has `size` bytes;
    0 beyond. Nothing if `given` is NULL or has no room for cookie and size. */
void scree_definition_write(void *given, size_t size, const void *own, size_t own_size);

/*  Replaces the members of `own`, a definition with default values, by those of `given`, as far as the host knows them.
    False, and nothing changes, if `given` is of another kind or of a later version. */
bool scree_definition_read(void *own, const void *given);

#endif
