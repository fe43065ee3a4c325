/*  The box that bodies are kept in, and where the images across its periodic borders are: edges a = (Lx, 0, 0),
    b = (xy, Ly, 0), c = (xz, yz, Lz). What is done here to one pair is done to several in periodic_image.inc.h. */
#ifndef SCREE_WORLD_CELL_BOX_H
#define SCREE_WORLD_CELL_BOX_H

#include "world/state/bodies.h"
#include "world/state/cell_drive.h"

#include <math.h>

/*  Edges that may lie between a place and the domain: so many are counted one by one, without rounding. */
#define SCREE_DOMAIN_MOST_EDGES 0x1p40

typedef struct scree_domain
{
    double lower[3], upper[3];
    double period[3]; /* upper - lower; 0: not periodic */
    double tilt[3];   /* xy, xz, yz */
    bool is_tilted;
} scree_domain;

/*  n edges together. */
static inline void scree_domain_vector(const scree_domain *domain, const double n[3],
                                       double vector[3])
{
    vector[0] = n[0] * domain->period[0] + n[1] * domain->tilt[0] + n[2] * domain->tilt[1];
    vector[1] = n[1] * domain->period[1] + n[2] * domain->tilt[2];
    vector[2] = n[2] * domain->period[2];
}

/*  Takes n edges off one axis of a step. */
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

/*  Whether images of what is at a place can be told from each other. */
static inline bool scree_domain_is_near(const scree_domain *domain, int axis, double place)
{
    double period = domain->period[axis];

    return period == 0 || fabs(place - domain->lower[axis]) <= SCREE_DOMAIN_MOST_EDGES * period;
}

/*  From one place to the nearest image of the other, which is the place less n edges. */
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

/*  A periodic domain that leans or moves: see scree/cell.h. Where nobody has asked for one, `now` and `next` are the
    box of the definition, and nothing here costs anything. */
typedef struct scree_strain
{
    bool is_on;     /* has been set, so is a part of the state */
    bool is_moving; /* some rate is not 0, or may come to be in any step */
    bool homogeneous;
    double gradient[3][3];
    scree_domain now, next; /* next: at the end of the step under way, else the same */
    scree_domain shown;     /* that the detector has */
    scree_cell_drive drive;
} scree_strain;

/*  As it is in snapshots: all words. */
typedef struct scree_packed_cell
{
    double lower[3], upper[3], tilt[3], gradient[9];
    uint64_t homogeneous;
} scree_packed_cell;

/*  The box of the definition. */
void scree_strain_init(scree_strain *strain, const scree_world_def *def);
/*  Periods, and whether it leans, by its limits and tilts. */
void scree_domain_measure(scree_domain *domain, const scree_world_def *def);
scree_packed_cell scree_strain_pack(const scree_strain *strain);

/*  A velocity that goes with a place or an edge. */
static inline void scree_gradient_apply(const double gradient[3][3], const double v[3],
                                        double product[3])
{
    for (int k = 0; k < 3; k++)
        product[k] = gradient[k][0] * v[0] + gradient[k][1] * v[1] + gradient[k][2] * v[2];
}

/*  How fast the image n edges away goes, more than its body. */
void scree_strain_speed(const scree_strain *strain, const scree_domain *domain, const double n[3],
                        double speed[3]);
/*  Of the nearest image of the second, more than of the second itself; 0 where the cell stays. */
void scree_strain_image_speed(const scree_strain *strain, const scree_crowd *bodies, uint32_t first,
                              uint32_t second, double speed[3]);
/*  How far each edge has gone since the detector was told of it. */
void scree_strain_drift(const scree_strain *strain, double drift[3]);

#endif
