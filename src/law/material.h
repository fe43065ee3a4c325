/*  Materials: their checks, and the combined values of a pair. */
#ifndef SCREE_LAW_MATERIAL_H
#define SCREE_LAW_MATERIAL_H

#include "base/common.h"
#include "scree/law.h"

/*  Checks every field. SCREE_BAD_DEF if it did not come from scree_default_material_def; SCREE_BAD_VALUE, with field,
    value and valid range. */
scree_status scree_material_check(const scree_material_def *def, scree_error *error);

/*  Combined values of two materials, bit-identical in either order. The rules are stated at scree_material_def. */
typedef struct scree_material_mix
{
    double young, shear; /* E* and G*; INFINITY if both are rigid */
    double restitution, friction, rolling_friction, twisting_friction;
    double stiffness, stiffness_ratio;
} scree_material_mix;

scree_material_mix scree_material_mixed(const scree_material_def *a, const scree_material_def *b);

#endif
