/*  Periodic domains for every method: bodies are wrapped into the cell, and those near its boundary get images on
    the other side, which methods cannot distinguish from bodies. Pairs of the methods are mapped back, and each is
    kept once (images_pairs.c). */
#ifndef SCREE_IMAGES_H
#define SCREE_IMAGES_H

#include "base/tasks.h"
#include "detect/cell.h"
#include "detect/sink.h"
#include "detect/store.h"

/*  Index of a method's body: an id below `bound`, or an image at or above it. Most bodies lie in the cell
    as they are, and their volumes are those given; others are moved by lattice vectors, and are larger by
    more than any rounding of that. */
typedef struct scree_images
{
    scree_memory *memory;
    const scree_workers *workers;
    scree_simd simd;
    scree_cell cell;
    double origin[3]; /* the cell that bodies are wrapped into begins here: 0 without a period */
    uint32_t bound, image_count, active_count;
    bool is_narrow;    /* overlapping candidates are nearest images: see images_pairs.c */
    bool has_moved;    /* some id is moved */
    double doubt;      /* spheres with a larger overlap, as methods see them, overlap by the rule */
    bool is_borrowing; /* no id is moved: images follow the spheres of the store; else */
    scree_sphere *sphere; /* of ids, then of images; NULL for boxes */
    scree_box *box;       /* the same; NULL if methods look at spheres alone */
    uint32_t *active, *position;
    uint64_t *is_moved; /* a bit for each id; images are moved always */
    uint64_t *is_low;   /* so: it may have images */
    double (
        *lattice)[3]; /* coordinates of the vector that an id or image that is moved is moved by */
    uint32_t *owner;  /* of images: the id */
    size_t sphere_capacity, box_capacity, active_capacity, position_capacity, is_moved_capacity,
        is_low_capacity;
    size_t lattice_capacity, owner_capacity;
    uint32_t last_image_count; /* while building: those of the last time, */
    bool is_same;              /* and whether they are the same so far */
    bool has_range;            /* while the method is built: */
    scree_sphere_range range;  /* of the bodies as methods see them */
} scree_images;

void scree_images_free(scree_images *images);

/*  Makes the images again. *same: methods see the same bodies as before, perhaps moved. */
scree_status scree_images_build(scree_images *images, scree_store *store, bool *same);
scree_bodies scree_images_view(const scree_images *images, const scree_store *store);

/*  Spheres as methods see them; NULL for boxes. */
static inline scree_sphere *scree_images_spheres(const scree_images *images,
                                                 const scree_store *store)
{
    return images->is_borrowing ? store->sphere : images->sphere;
}

/*  The centre of a body as it was given. */
static inline void scree_images_centre(const scree_store *store, uint32_t id, double centre[3])
{
    for (int k = 0; k < 3; k++)
        centre[k] = store->sphere ? k < store->dimensions ? store->sphere[id][k] : 0
                                  : 0.5 * (store->box[id].lower[k] + store->box[id].upper[k]);
}

static inline bool scree_images_is_moved(const scree_images *images, uint32_t index)
{
    return index >= images->bound ||
           (images->has_moved && (images->is_moved[index / 64] >> index % 64 & 1));
}

/*  The lattice coordinates n of the image of j nearest to i: j lies at its place + vector(n). */
void scree_images_nearest(const scree_cell *cell, const scree_store *store, uint32_t i, uint32_t j,
                          double n[3]);

/*  Maps candidates back to bodies, and keeps those that represent pairs; returns their number. `is_tested`: volumes
    must still be tested, also if both bodies are not moved. `is_coarse`: all pairs are wanted, whether volumes
    overlap or not. */
uint32_t scree_images_keep(const scree_images *images, const scree_store *store, bool is_tested,
                           bool is_coarse, scree_sink *sink);

#endif
