/*  The scenes: what tests, benchmarks and examples run detection on, each defined once. A scene is
    plain arrays, and a function of (name, n, seed) alone: bit-identical on every machine. All
    lengths are in radii (half short edges) of the smallest body.

    uniform      equal spheres at random in a cube, each meets about 6 others
    ratio10      spheres, radii log-uniform over 1:10, the volume fraction of uniform
    ratio100     the same over 1:100
    fines10      radii over 1:10 with number density ~ r^-4, which is equal volume in every size
                 class: the small ones are the many; the volume fraction of uniform
    fines100     the same over 1:100 with ~ r^-3.5
    giant        uniform, with one sphere 1000 times and ten 100 times as large that cut into the cube
    clusters     50 gaussian clusters of very different density, and far outliers in a cube of 1e6
    discs        2D, equal discs, each meets about 6 others
    discs32      2D, radii log-uniform over 1:32, the area fraction of discs
    even2:RATIO  2D, radii uniform over 1:RATIO, each meets about 6 others whatever the ratio
    needles      boxes 1:1:50 along a random axis, each meets about 6 others
    identical    n times the same sphere
    thesis1      2D, lattice of discs, fixed ring, chessboard velocities (Perkins 1999, Test 1)
    thesis2:RATIO  the same, radii uniform over 1:RATIO on a lattice of the largest (Test 2)
    mixture:RATIO:FRACTION  spheres at random in a cube, radii log-uniform over 1:RATIO, this volume
                 fraction (0.3)
    bimodal:RATIO:FRACTION  the same with two sizes, half of the volume each
    power:RATIO:FRACTION    the same with number density ~ r^-3
    wide:W       threes of equal spheres that meet, in an otherwise empty cube W bodies wide
    burst        equal spheres put into a cube without overlap, then blown up by half, in a domain
                 with room for many more (PFC manual, tuning of the cell space)
    layer        equal spheres at random in one plane, in three dimensions, each meets about 6 others
    coil         2D, needles side by side: wire wound around a square core four times as wide as the winding is thick */
#ifndef SCREE_SCENES_H
#define SCREE_SCENES_H

#include "base/memory.h"
#include "scree/detect.h"

typedef struct scree_scene
{
    scree_memory memory;
    int dimensions;
    scree_volume volume;
    size_t count;
    double lower[3], upper[3]; /* where centres are, and stay */
    double *centre[3];         /* [2] is all 0 in 2D */
    double *radius;            /* spheres; boxes: the smallest half edge */
    double *half[3];           /* boxes: half edges; else NULL */
    double *low[3], *high[3];  /* boxes: centre - half, centre + half; else NULL */
    double *velocity[3];       /* a step; all 0 but in thesis1 and thesis2 */
    uint8_t *flags;            /* SCREE_FIXED for a ring, else 0 */
    bool springs;              /* bodies of the scene move by collisions */
    bool fills_box;            /* bodies lie at random in all of the bounds: they can be a cell */
} scree_scene;

/*  Names for listings, as "thesis2:4"; NULL past the end. */
const char *scree_scene_name(size_t index);

/*  `name` may end in ":RATIO" where the list above says so (without: 4). `allocator` may be NULL.
    SCREE_BAD_ARGUMENT (unknown name, bad ratio), SCREE_TOO_LARGE, SCREE_OUT_OF_MEMORY; then there
   is nothing to free. */
scree_status scree_scene_create(const char *name, size_t n, uint64_t seed,
                                const scree_allocator *allocator, scree_scene *scene,
                                scree_error *error);
void scree_scene_free(scree_scene *scene); /* all zero is fine */

/*  A view of the arrays as they are: valid while the scene is. */
scree_table scree_scene_table(const scree_scene *scene);

/*  Boxes: corners from centres, after a centre has changed. Nothing for spheres. */
void scree_scene_refresh(scree_scene *scene, size_t row);

#endif
