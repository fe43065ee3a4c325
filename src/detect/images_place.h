/*  The first half of making images: wraps bodies into the cell, and marks those with images on its other side. The
    second half, and the proof, is in images.c. */
#ifndef SCREE_IMAGES_PLACE_H
#define SCREE_IMAGES_PLACE_H

#include "detect/images.h"
#include "detect/images_rows.h"

/*  Results of a pass over the bodies. */
typedef struct scree_placing_share
{
    scree_box bounds; /* of volumes as methods see them */
    double widest[3]; /* radii, only the first, or half widths */
    double max_moves; /* lattice coordinates */
    bool has_moved;
} scree_placing_share;

/*  Input of the pass. */
typedef struct scree_placing
{
    scree_images *images;
    scree_store *store;
    double reach;     /* twice the largest sum of magnitudes of coordinates and radius, or more */
    double extent[3]; /* sum of the magnitudes of each lattice vector */
    scree_row_limits
        limits; /* where centres lie that need not be moved; below which bodies have images */
    scree_placing_share shares[SCREE_MAX_WORKERS];
} scree_placing;

/*  Wraps all bodies into the cell, and marks those in images->is_low that may have images. The first share gets the
    result over all bodies. SCREE_OUT_OF_MEMORY. */
scree_status scree_images_place_all(scree_placing *placing, scree_images *images,
                                    scree_store *store);

/*  Room for so many ids and images. */
scree_status scree_images_reserve(scree_images *images, scree_store *store, size_t count);

/*  By how much a body that is moved by this lattice vector is enlarged. */
double scree_images_grain(const scree_placing *placing, const double lattice[3]);

/*  Writes body or image `index` as that body moved by a lattice vector: its coordinates, itself, and its grain. */
void scree_images_write_moved(const scree_placing *placing, uint32_t index, uint32_t id,
                              const double lattice[3], const double by[3], double grain);

static inline void scree_images_read_box(const scree_images *images, const scree_store *store,
                                         uint32_t index, scree_box *box)
{
    if (store->has_boxes) {
        *box = images->box[index];
        return;
    }
    const double *sphere = scree_images_spheres(images, store)[index];
    box->lower[2] = box->upper[2] = 0;
    for (int k = 0; k < store->dimensions; k++) /* in place, where it is read at once */
        scree_sphere_bounds(sphere[k], sphere[3], &box->lower[k], &box->upper[k]);
}

#endif
