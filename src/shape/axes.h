/*  Principal axes of a tensor of inertia. */
#ifndef SCREE_AXES_H
#define SCREE_AXES_H

/*  Computes the moments and the quaternion w x y z that rotates principal axes to those of the tensor. Axes are named
    so that the rotation is as small as possible; a tensor that is diagonal except for rounding keeps its axes. */
void scree_principal_axes(const double inertia[3][3], double principal[3], double orientation[4]);

#endif
