/*  Fields of bodies in files: one table of what they are called, for exports and for what reads them again. */
#ifndef SCREE_IO_BODY_FIELDS_H
#define SCREE_IO_BODY_FIELDS_H

#include <stdbool.h>

/*  The first SCREE_BODY_WHOLES are whole numbers. */
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
    SCREE_BODY_POSITION = SCREE_BODY_CHOICES, /* no field to choose: always there */
    SCREE_BODY_COLUMNS,
} scree_export_body_field;

typedef struct scree_body_field
{
    const char *name; /* as hosts ask for it, and in VTK files; NULL: nobody can */
    int width;        /* numbers it has, */
    const char *csv[4],
        *dump[4];      /* and their columns: in a dump those of LAMMPS, where it has them */
    bool is_asked_for; /* it takes some time to find, so whoever wants it says so */
} scree_body_field;

extern const scree_body_field scree_body_fields[SCREE_BODY_COLUMNS];

#endif
