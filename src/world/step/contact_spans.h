/*  What contacts have exerted since they began: kept where events are listed, as no part of the state. A table by names that
    last, open addressing, made again in each step from the one of the step before. */
#ifndef SCREE_WORLD_CONTACT_SPANS_H
#define SCREE_WORLD_CONTACT_SPANS_H

#include "world/collide/shape_contacts.h"
#include "world/contacts/found_contacts.h"

/*  A contact, whatever moves in memory. Handles are not used again, as serial numbers and the places of walls may be. */
typedef struct scree_span_name
{
    scree_body_id first, second; /* second none: */
    scree_wall_id wall;
    uint32_t facet;
} scree_span_name;

typedef struct scree_contact_span
{
    scree_span_name name; /* first none: an empty place */
    double begin;         /* s */
    double impulse[3];    /* on the first, N s */
} scree_contact_span;

typedef struct scree_span_table
{
    scree_contact_span *place;
    size_t room; /* a power of two, or 0; at least twice the contacts */
    size_t capacity;
} scree_span_table;

void scree_spans_free(scree_span_table *table, scree_memory *memory);
/*  Empties a table, with room for so many contacts. SCREE_OUT_OF_MEMORY. */
scree_status scree_spans_clear(scree_span_table *table, scree_memory *memory, size_t contacts);
/*  NULL where there is none. */
const scree_contact_span *scree_spans_find(const scree_span_table *table,
                                           const scree_span_name *name);

/*  The step under way, which ends at `time`. */
typedef struct scree_span_job
{
    const scree_found_contacts *contacts;
    const scree_surface_list *surfaces; /* contacts with walls in the step before */
    const scree_solids *solids;         /* which pairs of solids touch, and touched */
    const scree_span_table *before;
    scree_span_table *after; /* empty, with room for all */
    double time, dt;
} scree_span_job;

/*  Its contacts go on from those of the step before, or begin. */
void scree_spans_follow(const scree_span_job *job);

#endif
