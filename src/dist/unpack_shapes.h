/*  From records to this rank's bodies: slots by global ids, meshes and clumps by digests; and contacts of
    non-spherical bodies, which are in the order of global ids. */
#ifndef SCREE_DIST_UNPACK_SHAPES_H
#define SCREE_DIST_UNPACK_SHAPES_H

#include "dist/exchange.h"

/* ---- from global ids to slots ---- */

/*  Makes a table of slot + 1 by global id. SCREE_OUT_OF_MEMORY. The caller frees it with scree_serials_free. */
scree_status scree_slot_table_make(scree_serials *table, scree_memory *memory,
                                   const scree_body_arrays *bodies);

/*  UINT32_MAX if the body is not here. */
static inline uint32_t scree_slot_of_serial(const scree_serials *table, uint64_t serial)
{
    const scree_serial_entry *entry = scree_serials_find(table, serial);

    return entry ? entry->index1 - 1 : UINT32_MAX;
}

/*  Finds the slots of two bodies in contact. Whether the record of their contact is to be used: both bodies are here,
    and of two records of a contact it is that of the first body, if this is owned, which means below `owned`. If one
    body is not here, the host has moved it away from the other, and their contact ends. */
static inline bool scree_slots_of_pair(const scree_serials *table, uint64_t first_serial,
                                       uint64_t second_serial, uint64_t goes_with_second,
                                       uint32_t owned, uint32_t *first, uint32_t *second)
{
    *first = scree_slot_of_serial(table, first_serial);
    *second = scree_slot_of_serial(table, second_serial);
    return *first != UINT32_MAX && *second != UINT32_MAX && (!goes_with_second || *first >= owned);
}

/* ---- from digests to meshes and clumps ---- */

typedef struct scree_geometry_index
{
    const scree_shape_table *shapes;
    scree_serials place; /* by digest: index + 1 */
} scree_geometry_index;

/*  SCREE_OUT_OF_MEMORY. Valid until the table of shapes changes. */
scree_status scree_geometry_index_make(scree_geometry_index *index,
                                       const scree_shape_table *shapes);
void scree_geometry_index_free(scree_geometry_index *index);
/*  The shape of a record, with a mesh or clump of this world. SCREE_BAD_VALUE if it does not have it. */
scree_status scree_geometry_index_shape(const scree_geometry_index *index,
                                        const scree_body_record *record, scree_shape *shape);

/* ---- contacts ---- */

/*  Where a contact belongs, and the row in which it arrived. */
typedef struct scree_shape_arrival
{
    scree_shape_rank rank;
    size_t row;
} scree_shape_arrival;

/*  Into the order of scree_shape_contact_list; contacts of one pair stay in the order of their rows. */
void scree_shape_arrivals_sort(scree_shape_arrival *arrivals, size_t count);

/*  Contacts of non-spherical bodies, as they arrive in the list `next`, and then in their order. */
typedef struct scree_shape_intake
{
    scree_world *world;
    scree_shape_arrival *places;
    size_t capacity;
} scree_shape_intake;

/*  For at most so many contacts. SCREE_OUT_OF_MEMORY. To be ended, also after a failure. */
scree_status scree_shape_intake_begin(scree_shape_intake *intake, scree_world *world, size_t most);
/*  SCREE_BAD_VALUE if no body of a contact is here. */
scree_status scree_shape_intake_add(scree_shape_intake *intake, const scree_received *received,
                                    uint32_t owned, const scree_serials *table);
/*  All have been added; scree_shape_contacts_accept installs the list. */
void scree_shape_intake_sort(scree_shape_intake *intake);
void scree_shape_intake_end(scree_shape_intake *intake);

#endif
