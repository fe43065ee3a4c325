/*  The box of the domain and the images across its periodic boundaries. Edges: a = (Lx, 0, 0), b = (xy, Ly, 0), c =
    (xz, yz, Lz). periodic_image.inc.h does for several pairs at once what this file does for one. */
#ifndef SCREE_WORLD_CELL_BOX_H
#define SCREE_WORLD_CELL_BOX_H

#include "world/state/bodies.h"
#include "world/state/cell_drive.h"

#include <math.h>

/*  The largest number of edges between a place and the domain that can be counted without rounding. */
#define SCREE_DOMAIN_MAX_EDGES 0x1p40

typedef struct scree_domain
{
    double lower[3], upper[3];
    double period[3]; /* upper - lower; 0: not periodic */
    double tilt[3];   /* tilts xy, xz, yz */
    bool is_tilted;
} scree_domain;

/*  The sum of n[k] edges of each axis. */
static inline void scree_domain_vector(const scree_domain *domain, const double n[3],
                                       double vector[3])
{
    vector[0] = n[0] * domain->period[0] + n[1] * domain->tilt[0] + n[2] * domain->tilt[1];
    vector[1] = n[1] * domain->period[1] + n[2] * domain->tilt[2];
    vector[2] = n[2] * domain->period[2];
}

/*  Subtracts n edges of one axis from a vector. */
static inline void scree_domain_take(const scree_domain *domain, int axis, double n, double step[3])
{
    step[axis] -= n * domain->period[axis];
    if (domain->is_tilted && axis == 2) {
        step[1] -= n * domain->tilt[2];
        step[0] -= n * domain->tilt[1];
    } else if (domain->is_tilted && axis == 1) {
        step[0] -= n * domain->tilt[0];
    }
}

/*  Whether a place is near enough for its images to be distinguished in double precision. */
static inline bool scree_domain_is_near(const scree_domain *domain, int axis, double place)
{
    double period = domain->period[axis];

    return period == 0 || fabs(place - domain->lower[axis]) <= SCREE_DOMAIN_MAX_EDGES * period;
}

/*  The vector from one place to the nearest image of the other, which is that place minus n edges. */
static inline void scree_domain_step(const scree_domain *domain, const double from[3],
                                     const double to[3], double step[3], double n[3])
{
    for (int k = 0; k < 3; k++) {
        step[k] = to[k] - from[k];
        n[k] = 0;
    }
    for (int k = 2; k >= 0; k--)
        if (domain->period[k] > 0) {
            n[k] = step[k] / domain->period[k] + 0x1.8p52 - 0x1.8p52;
            scree_domain_take(domain, k, n[k], step);
        }
}

/*  A periodic domain that is tilted or deforms: see scree/cell.h. If none has been set, `now` and `next` are the box
    of the definition, and the cost is zero. */
typedef struct scree_strain
{
    bool is_on;     /* has been set, so it is a part of the state */
    bool is_moving; /* a rate is not 0, or may become so in any step */
    bool homogeneous;
    double gradient[3][3];
    scree_domain now, next; /* next: at the end of the current step, otherwise the same as now */
    scree_domain shown;     /* the box that the detector has */
    scree_cell_drive drive;
} scree_strain;

/*  The cell in snapshots. */
typedef struct scree_packed_cell
{
    double lower[3], upper[3], tilt[3], gradient[9];
    uint64_t homogeneous;
} scree_packed_cell;

/*  The box of the world's definition. */
void scree_strain_init(scree_strain *strain, const scree_world_def *def);
/*  Finds the periods, and whether the box is tilted, from its limits and tilts. */
void scree_domain_measure(scree_domain *domain, const scree_world_def *def);
scree_packed_cell scree_strain_pack(const scree_strain *strain);

/*  The velocity that the deformation gives a point, or the rate of an edge. */
static inline void scree_gradient_apply(const double gradient[3][3], const double v[3],
                                        double product[3])
{
    for (int k = 0; k < 3; k++)
        product[k] = gradient[k][0] * v[0] + gradient[k][1] * v[1] + gradient[k][2] * v[2];
}

/*  Velocity of the image n edges away, relative to its body. */
void scree_strain_speed(const scree_strain *strain, const scree_domain *domain, const double n[3],
                        double speed[3]);
/*  The same for the image of the second body that is nearest to the first; 0 if the cell does not deform. */
void scree_strain_image_speed(const scree_strain *strain, const scree_body_arrays *bodies,
                              uint32_t first, uint32_t second, double speed[3]);
/*  How far each edge has moved since the detector was last given the box. */
void scree_strain_drift(const scree_strain *strain, double drift[3]);

#endif
