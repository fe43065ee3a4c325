/*  The box that bodies are kept in, and where the images across its periodic borders are: edges a = (Lx, 0, 0),
    b = (xy, Ly, 0), c = (xz, yz, Lz). What is done here to one pair is done to several in periodic_image.inc.h. */
#ifndef SCREE_WORLD_CELL_BOX_H
#define SCREE_WORLD_CELL_BOX_H

#include <math.h>
#include <stdbool.h>

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

#endif
