/*  What a scene's recipe is, between the list of scenes and the recipes. */
#ifndef SCREE_SCENES_INTERNAL_H
#define SCREE_SCENES_INTERNAL_H

#include "scenes/scenes.h"

#include "base/random.h"

/*  The numbers in a name, as in "power:100:0.3". */
typedef struct scree_scene_numbers
{
    double ratio, fraction;
} scree_scene_numbers;

/*  Fills the columns, all zero so far, and the bounds. Only SCREE_OUT_OF_MEMORY. */
typedef scree_status scree_scene_recipe(scree_scene *scene, const scree_scene_numbers *numbers,
                                        scree_random *random);

scree_scene_recipe scree_make_uniform, scree_make_ratio10, scree_make_ratio100, scree_make_giant;
scree_scene_recipe scree_make_clusters, scree_make_discs32, scree_make_even, scree_make_needles;
scree_scene_recipe scree_make_identical, scree_make_thesis1, scree_make_lattice;
scree_scene_recipe scree_make_fines10, scree_make_fines100;
scree_scene_recipe scree_make_mixture, scree_make_bimodal, scree_make_power, scree_make_burst;
scree_scene_recipe scree_make_wide, scree_make_layer, scree_make_coil;

#endif
