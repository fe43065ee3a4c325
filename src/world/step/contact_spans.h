/*  Impulse and start time of each contact since it began. Stored only if events are listed; no part of the state. A
    hash table with open addressing, keyed by handles, that each step rebuilds from the previous one. */
#ifndef SCREE_WORLD_CONTACT_SPANS_H
#define SCREE_WORLD_CONTACT_SPANS_H

#include "world/collide/shape_contacts.h"
#include "world/contacts/found_contacts.h"

/*  Identifies a contact independent of memory. Handles are never reused, unlike global ids and indices of walls. */
typedef struct scree_span_name
{
    scree_body_id first, second; /* second is none for walls: */
    scree_wall_id wall;
    uint32_t facet;
} scree_span_name;

typedef struct scree_contact_span
{
    scree_span_name name; /* first is none: empty entry */
    double begin;         /* start time, s */
    double impulse[3];    /* on the first body, N s */
} scree_contact_span;

typedef struct scree_span_table
{
    scree_contact_span *place;
    size_t room; /* a power of two, or 0; at least twice the number of contacts */
    size_t capacity;
} scree_span_table;

void scree_spans_free(scree_span_table *table, scree_memory *memory);
/*  Empties a table and reserves room. SCREE_OUT_OF_MEMORY. */
scree_status scree_spans_clear(scree_span_table *table, scree_memory *memory, size_t contacts);
/*  NULL if there is none. */
const scree_contact_span *scree_spans_find(const scree_span_table *table,
                                           const scree_span_name *name);

/*  Sets what is known of a contact. There must be room. */
void scree_spans_put(scree_span_table *table, const scree_contact_span *span);

/*  The current step, which ends at `time`. */
typedef struct scree_span_job
{
    const scree_found_contacts *contacts;
    const scree_wall_contact_list *wall_contacts; /* wall contacts of the previous step */
    const scree_shape_finder *finder; /* pairs of shapes that touch now, or did before */
    const scree_span_table *before;
    scree_span_table *after; /* empty, with room for all */
    double time, dt;
} scree_span_job;

/*  Continues the contacts of the previous step and starts new ones. */
void scree_spans_follow(const scree_span_job *job);

#endif
