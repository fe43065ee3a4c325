/*  A hash table with linear probing. Removal leaves no tombstones: entries behind move up, so the cost of a lookup
    does not grow however many bodies come and go. */
#include "world/state/serials.h"

#include "base/hash.h"

static size_t home_of(const scree_serials *serials, uint64_t serial)
{
    return (size_t)scree_hash_word(0, serial) & (serials->capacity - 1);
}

void scree_serials_free(scree_serials *serials, scree_memory *memory)
{
    scree_memory_give(memory, &serials->entries, serials->capacity, sizeof *serials->entries);
    *serials = (scree_serials){NULL, 0, 0};
}

scree_status scree_serials_reserve(scree_serials *serials, scree_memory *memory, size_t wanted)
{
    scree_serials grown = {NULL, serials->capacity ? serials->capacity : 64, 0};

    while (grown.capacity / 2 < wanted)
        grown.capacity *= 2;
    if (grown.capacity == serials->capacity)
        return SCREE_OK;
    if (scree_memory_take(memory, grown.capacity, sizeof *grown.entries, &grown.entries))
        return SCREE_OUT_OF_MEMORY;
    memset(grown.entries, 0, grown.capacity * sizeof *grown.entries);
    for (size_t at = 0; at < serials->capacity; at++)
        if (serials->entries[at].serial)
            scree_serials_add(&grown, serials->entries[at].serial, serials->entries[at].index1);
    scree_serials_free(serials, memory);
    *serials = grown;
    return SCREE_OK;
}

/*  The entry of a number, or the free entry where it belongs. */
static size_t place_of(const scree_serials *serials, uint64_t serial)
{
    size_t at = home_of(serials, serial);

    while (serials->entries[at].serial && serials->entries[at].serial != serial)
        at = (at + 1) & (serials->capacity - 1);
    return at;
}

scree_serial_entry *scree_serials_find(const scree_serials *serials, uint64_t serial)
{
    size_t at;

    if (serials->capacity == 0 || serial == 0)
        return NULL;
    at = place_of(serials, serial);
    return serials->entries[at].serial ? &serials->entries[at] : NULL;
}

void scree_serials_add(scree_serials *serials, uint64_t serial, uint32_t index1)
{
    serials->entries[place_of(serials, serial)] = (scree_serial_entry){serial, index1};
    serials->count++;
}

void scree_serials_remove(scree_serials *serials, uint64_t serial)
{
    scree_serial_entry *entry = scree_serials_find(serials, serial);
    size_t mask = serials->capacity - 1, hole;

    if (!entry)
        return;
    hole = (size_t)(entry - serials->entries);
    /* an entry further on may move into the hole unless its home is behind the hole */
    for (size_t at = (hole + 1) & mask; serials->entries[at].serial; at = (at + 1) & mask) {
        size_t home = home_of(serials, serials->entries[at].serial);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            serials->entries[hole] = serials->entries[at];
            hole = at;
        }
    }
    serials->entries[hole] = (scree_serial_entry){0, 0};
    serials->count--;
}
