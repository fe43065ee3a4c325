/*  Contacts with walls of facets on the host, on their way to or from a device. */
#ifndef SCREE_WORLD_FACET_CONTACTS_H
#define SCREE_WORLD_FACET_CONTACTS_H

#include "world/device/device_data.h"

/*  As on the device, see device_facets. */
typedef struct host_facets
{
    uint32_t *start, *near_at, *many;
    scree_facet_contact *contacts;
    double *history; /* `planes` for each contact */
    size_t bodies, near_count;
    uint32_t room, planes; /* room for contacts of a body */
} host_facets;

void scree_host_facets_free(scree_memory *memory, host_facets *facets);
/*  The largest number of contacts of a body with walls of facets. */
uint32_t scree_host_max_facets(const scree_world *world);
/*  Copies the contacts of the world to a device. */
scree_status scree_host_facets_send(scree_world *world);
/*  Copies those of a device; nothing if it has none. */
scree_status scree_host_facets_fetch(scree_world *world, host_facets *facets);

/*  Contacts of a body, by wall; `count` is set. */
static inline const scree_facet_contact *scree_host_facets_of(const host_facets *facets,
                                                              uint32_t body, uint32_t *count)
{
    *count = 0;
    if (!facets->start || facets->start[body] == facets->start[body + 1])
        return NULL;
    *count = facets->many[facets->near_at[body]];
    return facets->contacts + (size_t)facets->near_at[body] * facets->room;
}

#endif
