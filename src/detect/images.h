/*  Periodic domains for every method: bodies are wrapped into the cell, and those near its border get
    images on the other side, as bodies of their own that methods cannot tell from others. What methods
    find is mapped back, and each pair is kept once. */
#ifndef SCREE_IMAGES_H
#define SCREE_IMAGES_H

#include "detect/cell.h"
#include "detect/store.h"

/*  Index of a method's body: an id below `bound`, or an image at or above it. */
typedef struct scree_images
{
    scree_memory *memory;
    scree_cell cell;
    uint32_t bound, image_count, active_count;
    scree_box *box; /* of ids, wrapped and rounded outward; then of images */
    uint32_t *active, *position;
    double (*wrap)[3];  /* of ids: lattice coordinates taken off */
    uint32_t *owner;    /* of images: the id, */
    int8_t (*shift)[3]; /* and the lattice coordinates added to its wrapped place */
    size_t box_capacity, active_capacity, position_capacity, wrap_capacity;
    size_t owner_capacity, shift_capacity;
    uint32_t last_image_count; /* while building: those of the last time, */
    bool is_same;              /* and whether they are the same so far */
} scree_images;

void scree_images_free(scree_images *images);

/*  Makes the images anew. *same: methods see the same bodies as before, perhaps moved. */
scree_status scree_images_build(scree_images *images, const scree_store *store, bool *same);
scree_bodies scree_images_view(const scree_images *images, int dimensions);

/*  The lattice coordinates n of the image of j nearest to i: j lies at its place + vector(n). */
void scree_images_nearest(const scree_cell *cell, const scree_store *store, uint32_t i, uint32_t j,
                          double n[3]);

/*  Maps a candidate back to bodies *i < *j. False unless the nearest images overlap (or all pairs are
    wanted: `is_tested` is false) and this is the one candidate that stands for the pair. */
bool scree_images_accept(const scree_images *images, const scree_store *store, bool is_tested,
                         uint32_t *i, uint32_t *j);

#endif
