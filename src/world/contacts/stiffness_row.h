/*  Stiffness and damping of a contact, from which the stable step is found (stiffness.c). */
#ifndef SCREE_WORLD_STIFFNESS_ROW_H
#define SCREE_WORLD_STIFFNESS_ROW_H

/*  {kx ky kz arm1 rx ry rz arm2} of springs, then the same of dashpots: k along the axes of space. About them: r
    times the square of the lever arm of the first or second body. */
typedef double scree_stiffness_row[16];

enum
{
    SCREE_ROW_ABOUT = 4,
    SCREE_ROW_DASHPOTS = 8,
};
/*  Inverse of the longest stable step of a body with this inertia, from the sums of all its springs and dashpots,
    and the tangential part of the springs. */
double scree_stable_rate(double stiffness, double shear, double dashpot, double inverse_inertia);

#endif
