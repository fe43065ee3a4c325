/*  Beds of grains on which engines are compared: each is made and settled here, and written to a file that
    other engines read, so that all begin with the same places and velocities. Contacts are not part of it: each
    engine begins with none that remembers. */
#ifndef SCREE_BED_H
#define SCREE_BED_H

#include "scree/scree.h"

#include <stdio.h>

typedef enum scree_bed_kind
{
    SCREE_BED_SETTLED,      /* grains of nearly one size, at rest in a box */
    SCREE_BED_FALLING,      /* the same, loose, and on their way down */
    SCREE_BED_SIZES,        /* radii 1:10, equal volume for each class, near rest */
    SCREE_BED_SIZES_MOVING, /* the same, loose and stirred */
    SCREE_BED_DRUM,         /* grains of nearly one size in a drum of triangles that turns */
    SCREE_BED_KINDS,
} scree_bed_kind;

/*  "settled", ...; NULL past the end. */
const char *scree_bed_name(scree_bed_kind kind);

/*  What all grains and walls are made of, and how long a step is. */
#define SCREE_BED_RADIUS 1e-3 /* m, of the smallest or the mean grain */
#define SCREE_BED_DENSITY 2500.0
#define SCREE_BED_YOUNG 1e7
#define SCREE_BED_POISSON 0.3
#define SCREE_BED_RESTITUTION 0.5
#define SCREE_BED_FRICTION 0.5
#define SCREE_BED_GRAVITY 9.81
#define SCREE_BED_STEP 5e-6

typedef struct scree_bed
{
    scree_bed_kind kind;
    uint32_t count;
    double lower[3], upper[3]; /* of the box: walls are at five sides, there is none above */
    double *radius, (*centre)[3], (*velocity)[3], (*spin)[3];
    /*  Of a drum about the y axis; no facets: there is none. */
    double drum_radius, drum_length, drum_rate;
    uint32_t facets;
    scree_mesh *drum;
} scree_bed;

/*  On failure the bed is empty, and the message in `error`, which may be NULL. */
scree_status scree_bed_make(scree_bed_kind kind, uint32_t count, scree_bed *bed,
                            scree_error *error);
void scree_bed_free(scree_bed *bed);

/*  A world with these grains and walls. */
scree_status scree_bed_world(const scree_bed *bed, const scree_world_def *def, scree_world **world,
                             scree_error *error);

/*  As LAMMPS and LIGGGHTS read them; the first line, which they pass over, says the rest. */
void scree_bed_write(const scree_bed *bed, FILE *out);
scree_status scree_bed_read(FILE *in, scree_bed *bed, scree_error *error);
/*  The triangles of the drum, as STL in text. */
void scree_bed_write_drum(const scree_bed *bed, FILE *out);

/*  Room for `count` grains, and the mesh of the drum; for makers and readers. */
scree_status scree_bed_allocate(scree_bed *bed, scree_error *error);

#endif
