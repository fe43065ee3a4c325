/*  How stiff a contact is, and how much its dashpots take, for whoever wants to know which step is stable (stiffness.c). */
#ifndef SCREE_WORLD_STIFFNESS_ROW_H
#define SCREE_WORLD_STIFFNESS_ROW_H

/*  {kx ky kz arm1 rx ry rz arm2} of springs, the same of dashpots: k along the axes of space; about them r times the
    square of an arm, that of the first or the second body. */
typedef double scree_stiffness_row[16];

enum
{
    SCREE_ROW_ABOUT = 4,
    SCREE_ROW_DASHPOTS = 8,
};
/*  1 over the longest stable step of what has this inertia: of all springs and dashpots on it, summed up, and the
    part of springs along planes. */
double scree_stable_rate(double stiffness, double shear, double dashpot, double inverse_inertia);

#endif
