/*  A dense packing of discs of very different size under a slope, found by pushing overlapping
   discs apart until hardly any overlap is left; and its picture. A detector finds the overlaps of
   each round: detection at work. */
#ifndef SCREE_PACKING_H
#define SCREE_PACKING_H

#include "base/memory.h"
#include "scree/detect.h"

#include <stdio.h>

typedef struct scree_packing
{
    scree_memory memory;
    size_t count;
    double width, height;
    double *x, *y, *r;
    double *shift[2]; /* of the round */
    uint32_t *shifts; /* how many were added up */
    uint64_t rounds, pairs_found;
    double overlap; /* mean overlap of touching discs, in radii of the smaller, at the end */
    scree_detector *detector;
} scree_packing;

/*  `n` discs with radii log-uniform over 1:9. Bit-identical on every machine. */
scree_status scree_packing_create(size_t n, uint64_t seed, const char *method,
                                  scree_packing *packing, scree_error *error);
void scree_packing_free(scree_packing *packing);

/*  Colour by number of neighbours, a line for each contact. `neighbors` is of these discs. */
void scree_packing_svg(const scree_packing *packing, const scree_neighbors *neighbors, FILE *out);
scree_status scree_packing_png(const scree_packing *packing, const scree_neighbors *neighbors,
                               FILE *out);

/*  Neighbours of discs that touch within a hundredth of their radii; valid until the next call. */
scree_status scree_packing_contacts(scree_packing *packing, scree_neighbors *neighbors);

#endif
