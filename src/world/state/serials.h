/*  From the global id of a body to its name. While all ids are given out in sequence, no table is needed. It is made
    when a body first brings an id that may be in use. */
#ifndef SCREE_WORLD_SERIALS_H
#define SCREE_WORLD_SERIALS_H

#include "base/memory.h"

#define SCREE_MAX_SERIAL (UINT64_MAX - 1) /* the id after it is the next one when all are used */

typedef struct scree_serial_entry
{
    uint64_t serial; /* 0: free */
    uint32_t index1; /* of the body's name; 0: reserved for a body that is being added */
} scree_serial_entry;

/*  Open addressing with linear probing, at most half full. */
typedef struct scree_serials
{
    scree_serial_entry *entries;
    size_t capacity; /* a power of two; 0: no table */
    size_t count;
} scree_serials;

static inline bool scree_serials_are_kept(const scree_serials *serials)
{
    return serials->capacity != 0;
}

void scree_serials_free(scree_serials *serials, scree_memory *memory);
/*  Reserves entries; from now on there is a table. SCREE_OUT_OF_MEMORY changes nothing. */
scree_status scree_serials_reserve(scree_serials *serials, scree_memory *memory, size_t wanted);
/*  NULL if no body has this id. Valid until the next call that changes the table. */
scree_serial_entry *scree_serials_find(const scree_serials *serials, uint64_t serial);
/*  Adds an id that is not in the table. There must be room. */
void scree_serials_add(scree_serials *serials, uint64_t serial, uint32_t index1);
/*  Removes an id if it is in the table. */
void scree_serials_remove(scree_serials *serials, uint64_t serial);

#endif
