/*  From a serial number to the name of its body. Where bodies are numbered as they come nobody asks, and
    nothing is kept; the table is made when a body first brings a number that may be taken. */
#ifndef SCREE_WORLD_SERIALS_H
#define SCREE_WORLD_SERIALS_H

#include "base/memory.h"

#define SCREE_MAX_SERIAL (UINT64_MAX - 1) /* one more is the next number, when all are gone */

typedef struct scree_serial_entry
{
    uint64_t serial; /* 0: free */
    uint32_t index1; /* of the body's name; 0: a place that is held for a body to come */
} scree_serial_entry;

/*  Open addressing, probed upwards, at most half full. */
typedef struct scree_serials
{
    scree_serial_entry *entries;
    size_t capacity; /* a power of two; 0: nothing is kept */
    size_t count;
} scree_serials;

static inline bool scree_serials_are_kept(const scree_serials *serials)
{
    return serials->capacity != 0;
}

void scree_serials_free(scree_serials *serials, scree_memory *memory);
/*  Room for so many; from now on the table is kept. SCREE_OUT_OF_MEMORY changes nothing. */
scree_status scree_serials_reserve(scree_serials *serials, scree_memory *memory, size_t wanted);
/*  NULL where no body has this number. Good until the next call that changes the table. */
scree_serial_entry *scree_serials_find(const scree_serials *serials, uint64_t serial);
/*  A number that is not there yet; there must be room. */
void scree_serials_add(scree_serials *serials, uint64_t serial, uint32_t index1);
/*  One that may be there. */
void scree_serials_remove(scree_serials *serials, uint64_t serial);

#endif
