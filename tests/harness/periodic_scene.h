/*  Random tables in periodic cells, rectangular and tilted, for spheres and boxes that need not be wrapped, with columns
    that filter pairs; and the rule as loops over pairs and images. */
#ifndef HARNESS_PERIODIC_SCENE_H
#define HARNESS_PERIODIC_SCENE_H

#include "base/random.h"
#include "scree/detect.h"

#define PERIODIC_BODIES 48

typedef struct periodic_scene
{
    uint64_t seed;
    int dimensions;
    scree_volume volume;
    size_t count;
    double period[3], tilt[3];
    double x[PERIODIC_BODIES][3], v[PERIODIC_BODIES][3]; /* v: of the last move, in one step */
    double half[PERIODIC_BODIES][3], radius[PERIODIC_BODIES];
    double lower[PERIODIC_BODIES][3], upper[PERIODIC_BODIES][3];
    bool has_filters; /* the columns below */
    uint64_t group[PERIODIC_BODIES], mask[PERIODIC_BODIES];
    uint32_t owner[PERIODIC_BODIES];
    uint8_t flags[PERIODIC_BODIES];
    scree_random random;
} periodic_scene;

periodic_scene periodic_scene_make(uint64_t seed);
/*  Fills the columns that filter pairs, and hands them over with the table from now on. */
void periodic_scene_add_filters(periodic_scene *scene);
/*  Moves all bodies by a little, across boundaries too. */
void periodic_scene_move(periodic_scene *scene);
scree_table periodic_scene_table(periodic_scene *scene);
/*  For scree_detector_advance with a step of 1. */
scree_motion periodic_scene_motion(const periodic_scene *scene);
/*  NULL, with the reason in `why`: it is refused. */
scree_detector *periodic_scene_detector(const periodic_scene *scene, const char *method,
                                        scree_simd simd, scree_margin_kind margin,
                                        scree_error *why);
/*  Whether a list, in canonical order, has each pair once, and those of the rule. `may_have_more`: others, too, but none
    that filters leave out. If not, prints what is wrong. */
bool periodic_scene_has_pairs(const periodic_scene *scene, const scree_pairs *pairs,
                              const char *method, bool may_have_more);

#endif
