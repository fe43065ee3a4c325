/*  Fields of bodies in files: one table of their names, for exports and imports. */
#ifndef SCREE_IO_BODY_FIELDS_H
#define SCREE_IO_BODY_FIELDS_H

#include <stdbool.h>

/*  The first SCREE_BODY_WHOLES are integers. */
typedef enum scree_export_body_field
{
    SCREE_BODY_SERIAL,
    SCREE_BODY_ID,
    SCREE_BODY_MATERIAL,
    SCREE_BODY_USER,
    SCREE_BODY_CHAIN,
    SCREE_BODY_WHOLES,
    SCREE_BODY_MASS = SCREE_BODY_WHOLES,
    SCREE_BODY_RADIUS,
    SCREE_BODY_VELOCITY,
    SCREE_BODY_SPIN,
    SCREE_BODY_ORIENTATION,
    SCREE_BODY_FORCE,
    SCREE_BODY_TORQUE,
    SCREE_BODY_TEMPERATURE,
    SCREE_BODY_CHOICES,
    SCREE_BODY_POSITION = SCREE_BODY_CHOICES, /* not a choice: always written */
    SCREE_BODY_COLUMNS,
} scree_export_body_field;

typedef struct scree_body_field
{
    const char *name; /* name for options and VTK files; NULL: cannot be chosen */
    int width;        /* number of components, */
    const char *csv[4],
        *dump[4];      /* and their column names; in a dump those of LAMMPS, if it has them */
    bool is_asked_for; /* expensive to compute, so written only if requested by name */
} scree_body_field;

extern const scree_body_field scree_body_fields[SCREE_BODY_COLUMNS];

#endif
