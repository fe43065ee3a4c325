/*  Principal axes of a tensor of inertia. */
#ifndef SCREE_AXES_H
#define SCREE_AXES_H

/*  Moments, and the quaternion w x y z that turns principal axes to those of the tensor; axes are named so that they turn
    as little as can be, and a tensor that is diagonal but for rounding keeps its own. */
void scree_principal_axes(const double inertia[3][3], double principal[3], double orientation[4]);

#endif
