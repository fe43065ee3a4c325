/*  Memory of one object: the host's allocator with a running count of bytes. */
#ifndef SCREE_MEMORY_H
#define SCREE_MEMORY_H

#include "base/common.h"

#include <stdatomic.h>

typedef struct scree_memory
{
    scree_allocator allocator;
    _Atomic size_t
        bytes; /* bytes allocated now; atomic because workers grow their scratch concurrently */
} scree_memory;

/*  `allocator` may be NULL or all NULL (malloc); SCREE_BAD_DEF if only some functions are given. */
scree_status scree_memory_init(scree_memory *memory, const scree_allocator *allocator);

/*  The size is checked: SCREE_OUT_OF_MEMORY if count * element_bytes overflows. A count of 0 gives NULL and SCREE_OK.
    Content is not initialised. */
scree_status scree_memory_take(scree_memory *memory, size_t count, size_t element_bytes,
                               void *block_pointer);

/*  Grows an array to hold at least `wanted` elements, by half as much again at least, keeping its
    content; never shrinks. *capacity is in elements. Unchanged on failure.
    `block_pointer` is the address of the caller's pointer. */
scree_status scree_memory_reserve(scree_memory *memory, void *block_pointer, size_t *capacity,
                                  size_t wanted, size_t element_bytes);

/*  Does the same for an array aligned to a cache line, so that no row of 16, 32 or 64 bytes spans two lines. Costs
    SCREE_LINE more bytes. Free it with scree_free_lines. */
#define SCREE_LINE 64u
scree_status scree_memory_reserve_lines(scree_memory *memory, void *block_pointer, size_t *capacity,
                                        size_t wanted, size_t element_bytes);
void scree_memory_give_lines(scree_memory *memory, void *block_pointer, size_t count,
                             size_t element_bytes);

/*  Frees and sets the caller's pointer to NULL. NULL is allowed. */
void scree_memory_give(scree_memory *memory, void *block_pointer, size_t count,
                       size_t element_bytes);

#endif
