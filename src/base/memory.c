/*  All memory of the library is allocated here: with the host's three functions, or malloc. Sizes are checked for
    overflow, and each object counts its bytes, so statistics and tests need nothing from the allocator. */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void *malloc_hook(size_t bytes, void *user)
{
    (void)user;
    return malloc(bytes);
}

static void *realloc_hook(void *block, size_t old_bytes, size_t new_bytes, void *user)
{
    (void)old_bytes;
    (void)user;
    return realloc(block, new_bytes);
}

static void free_hook(void *block, size_t bytes, void *user)
{
    (void)bytes;
    (void)user;
    free(block);
}

scree_status scree_memory_init(scree_memory *memory, const scree_allocator *allocator)
{
    static const scree_allocator c_library = {malloc_hook, realloc_hook, free_hook, NULL};
    int given = 0;

    if (allocator)
        given = (allocator->allocate != NULL) + (allocator->reallocate != NULL) +
                (allocator->release != NULL);
    if (given != 0 && given != 3)
        return SCREE_BAD_DEF;
    memory->allocator = given ? *allocator : c_library;
    atomic_init(&memory->bytes, 0);
    return SCREE_OK;
}

/*  No object is larger than PTRDIFF_MAX: beyond it the difference of two pointers overflows. */
static bool multiply_sizes(size_t count, size_t element_bytes, size_t *bytes)
{
    if (element_bytes != 0 && count > (size_t)PTRDIFF_MAX / element_bytes)
        return false;
    *bytes = count * element_bytes;
    return true;
}

/*  The caller's pointer may have any object type, so it is read and written as bytes. */
static void *load_pointer(const void *block_pointer)
{
    void *block;
    memcpy(&block, block_pointer, sizeof block);
    return block;
}

static void store_pointer(void *block_pointer, void *block)
{
    memcpy(block_pointer, &block, sizeof block);
}

static void add_bytes(scree_memory *memory, size_t added, size_t removed)
{
    /* unsigned: removing is adding the complement */
    atomic_fetch_add_explicit(&memory->bytes, added - removed, memory_order_relaxed);
}

scree_status scree_memory_take(scree_memory *memory, size_t count, size_t element_bytes,
                               void *block_pointer)
{
    const scree_allocator *host = &memory->allocator;
    void *block = NULL;
    size_t bytes;

    if (!multiply_sizes(count, element_bytes, &bytes))
        return SCREE_OUT_OF_MEMORY;
    if (bytes != 0) {
        block = host->allocate(bytes, host->user);
        if (!block)
            return SCREE_OUT_OF_MEMORY;
        add_bytes(memory, bytes, 0);
    }
    store_pointer(block_pointer, block);
    return SCREE_OK;
}

/*  Grows by half, so that n appends copy O(n) elements; to the exact size if half more would exceed the largest object.
    */
static size_t grow_capacity(size_t capacity, size_t wanted, size_t element_bytes)
{
    size_t most = (size_t)PTRDIFF_MAX / element_bytes;
    size_t grown = capacity + capacity / 2; /* capacity <= PTRDIFF_MAX: no overflow */
    return grown > wanted && grown <= most ? grown : wanted;
}

scree_status scree_memory_reserve(scree_memory *memory, void *block_pointer, size_t *capacity,
                                  size_t wanted, size_t element_bytes)
{
    const scree_allocator *host = &memory->allocator;
    void *old = load_pointer(block_pointer), *grown;
    size_t new_capacity, old_bytes, new_bytes;

    if (wanted <= *capacity)
        return SCREE_OK;
    new_capacity = grow_capacity(*capacity, wanted, element_bytes);
    if (!multiply_sizes(new_capacity, element_bytes, &new_bytes))
        return SCREE_OUT_OF_MEMORY;
    old_bytes = *capacity * element_bytes;
    grown = old ? host->reallocate(old, old_bytes, new_bytes, host->user)
                : host->allocate(new_bytes, host->user);
    if (!grown)
        return SCREE_OUT_OF_MEMORY;
    add_bytes(memory, new_bytes, old_bytes);
    store_pointer(block_pointer, grown);
    *capacity = new_capacity;
    return SCREE_OK;
}

void scree_memory_give(scree_memory *memory, void *block_pointer, size_t count,
                       size_t element_bytes)
{
    const scree_allocator *host = &memory->allocator;
    void *block = load_pointer(block_pointer);

    if (!block)
        return;
    host->release(block, count * element_bytes, host->user);
    add_bytes(memory, 0, count * element_bytes);
    store_pointer(block_pointer, NULL);
}

/* ---- arrays aligned to cache lines ---- */

/*  The byte before an array holds its distance from the start of the allocated block: 1 to SCREE_LINE. */
static unsigned char *block_of_lines(void *lines)
{
    unsigned char *at = lines;
    return at - at[-1];
}

/*  Returns where the array begins in a block. Moves content that was `before` bytes from the start to there. */
static void *lay_lines(unsigned char *block, size_t before, size_t bytes)
{
    unsigned char *lines = block + (SCREE_LINE - (uintptr_t)block % SCREE_LINE);

    if (bytes && lines != block + before)
        memmove(lines, block + before, bytes);
    lines[-1] = (unsigned char)(lines - block);
    return lines;
}

scree_status scree_memory_reserve_lines(scree_memory *memory, void *block_pointer, size_t *capacity,
                                        size_t wanted, size_t element_bytes)
{
    const scree_allocator *host = &memory->allocator;
    unsigned char *old = load_pointer(block_pointer), *block = old ? block_of_lines(old) : NULL;
    size_t before = old ? old[-1] : 0, kept = *capacity * element_bytes, bytes;
    size_t held = old ? kept + SCREE_LINE : 0, new_capacity;

    if (wanted <= *capacity)
        return SCREE_OK;
    new_capacity = grow_capacity(*capacity, wanted, element_bytes);
    if (!multiply_sizes(new_capacity, element_bytes, &bytes) ||
        bytes > (size_t)PTRDIFF_MAX - SCREE_LINE)
        return SCREE_OUT_OF_MEMORY;
    bytes += SCREE_LINE;
    block =
        old ? host->reallocate(block, held, bytes, host->user) : host->allocate(bytes, host->user);
    if (!block)
        return SCREE_OUT_OF_MEMORY;
    add_bytes(memory, bytes, held);
    store_pointer(block_pointer, lay_lines(block, before, kept));
    *capacity = new_capacity;
    return SCREE_OK;
}

void scree_memory_give_lines(scree_memory *memory, void *block_pointer, size_t count,
                             size_t element_bytes)
{
    void *lines = load_pointer(block_pointer), *block;

    if (!lines)
        return;
    block = block_of_lines(lines);
    scree_memory_give(memory, &block, count * element_bytes + SCREE_LINE, 1);
    store_pointer(block_pointer, NULL);
}
