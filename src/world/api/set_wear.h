/*  Checks of wear. */
#ifndef SCREE_WORLD_SET_WEAR_H
#define SCREE_WORLD_SET_WEAR_H

#include "world/state/walls.h"

/*  For files: values that scree_world_set_wear accepts. */
bool scree_wear_model_is_sound(const scree_wear_model *model);

/*  As in scree_facet_wear; 0 where the wall does not wear. */
double scree_wear_depth(const scree_wall_record *wall, uint32_t facet);

#endif
