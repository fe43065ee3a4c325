/*  The bodies that are drawn, in the order of global ids, so that a picture does not depend on the order of bodies
    in memory; and the value by which each is coloured. */
#ifndef SCREE_ROSTER_H
#define SCREE_ROSTER_H

#include "base/memory.h"
#include "base/tasks.h"
#include "scree/picture.h"

typedef struct scree_roster
{
    uint32_t *row; /* body indices in the world */
    double *value; /* values of the field */
    size_t count, capacity, value_capacity;
    double range[2];
    const char *unit;
    bool is_signed; /* values have a middle: zero */
    bool is_name;   /* values are categories */
    bool is_count;  /* values are integers */
} scree_roster;

/*  Index of a field in the table, or -1. */
int scree_field_index(const char *name);

/*  Selects the bodies that are not clipped. SCREE_OUT_OF_MEMORY. */
scree_status scree_roster_call(scree_roster *roster, scree_world *world,
                               const scree_picture_def *def, scree_memory *memory,
                               const scree_workers *workers);
/*  Computes their values, and the range. SCREE_BAD_VALUE, SCREE_OUT_OF_MEMORY. */
scree_status scree_roster_read(scree_roster *roster, scree_world *world,
                               const scree_picture_def *def, scree_memory *memory,
                               scree_error *error);
void scree_roster_free(scree_roster *roster, scree_memory *memory);

#endif
