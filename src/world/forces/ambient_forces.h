/*  Forces of the fluid and of force fields on each body: ambient_forces.c. The grid of void fractions is in
    void_fraction.c. */
#ifndef SCREE_WORLD_AMBIENT_FORCES_H
#define SCREE_WORLD_AMBIENT_FORCES_H

#include "world/state/ambient.h"
#include "world/state/cell_box.h"
#include "world/state/step_data.h"

typedef struct scree_ambient_job
{
    const scree_step *step;
    scree_body_arrays *bodies;
    const scree_domain *domain;
    scree_ambient
        *ambient; /* has room for all bodies, and the radii of those that are not spheres */
} scree_ambient_job;

/*  Writes `row` of the ambient data for all bodies. SCREE_TOO_LARGE, SCREE_BAD_ARGUMENT, SCREE_OUT_OF_MEMORY: the
    grid. */
scree_status scree_ambient_find(const scree_ambient_job *job);
/*  Adds the rows to the sums of forces and torques. False if some are not finite. */
bool scree_ambient_add(const scree_ambient_job *job);

/*  Radius of the sphere with the volume of the body. */
static inline double scree_ambient_radius(const scree_ambient_job *job, uint32_t slot)
{
    return scree_is_not_sphere(job->bodies, slot) ? job->ambient->round[slot]
                                                  : job->bodies->position[slot][3];
}

/*  The velocity of a flow on a grid. */
void scree_flow_at(const scree_flow_grid *flow, const double place[3], double velocity[3]);

/* ---- void_fraction.c ---- */

/*  Sums the volumes of all bodies on the grid of the fluid. */
scree_status scree_void_grid_fill(const scree_ambient_job *job);
/*  The void fraction at a place within the grid. */
double scree_void_fraction_at(const scree_void_grid *grid, const double place[3]);

#endif
