/*  Those fields of a world's definition that affect results, not those that only affect speed. Snapshots store them
    and digests include them. All are words of eight bytes, so there is no padding. */
#ifndef SCREE_WORLD_SETTINGS_H
#define SCREE_WORLD_SETTINGS_H

#include "base/error.h"
#include "scree/world.h"

typedef struct scree_physics
{
    /* dimensions and boundaries: they cannot change, since the detector is built for them */
    uint64_t dimensions, boundary[3];
    double lower[3], upper[3]; /* 0 without a boundary */
    /* settings that may change */
    uint64_t integrator; /* + 65536 times local_steps; in old files + 256 times the precision */
    uint64_t time, energy_balance;
    double gravity[3];
    double dt, safety_factor, max_growth;
    double global_damping, local_damping;
    double overlap_limit;
} scree_physics;

/*  With local time steps: how far a body may move in its own step, as a share of its radius and of the lengths of its
    bonds. See local_steps.h. */
#define SCREE_LOCAL_SHARE 0.25
/*  After more halvings the step is too short to be of use. */
#define SCREE_MAX_HALVINGS 60
/*  An iteration that has not converged by then oscillates; and a step must end before signals are checked. */
#define SCREE_MAX_ITERATIONS 10000

/*  Settings of implicit integrators; absent for others. */
typedef struct scree_physics_picard
{
    double tolerance;
    uint64_t iterations;
    uint64_t halvings; /* + 256 * (1: sets are kept, 2: levels skipped, 4: guesses extrapolated) */
} scree_physics_picard;

/*  The three parts of that word, which may have any value in a file. */
static inline uint64_t scree_physics_integrator(const scree_physics *physics)
{
    return physics->integrator & 255;
}

/*  Worlds of earlier versions could compute contact forces in floats. Their files have 1 here, all others 0. The
    value is dropped when such a file is read. */
#define SCREE_PRECISION_WITH_FLOATS 1u
static inline uint64_t scree_physics_precision(const scree_physics *physics)
{
    return physics->integrator >> 8 & 255;
}

static inline uint64_t scree_physics_local_steps(const scree_physics *physics)
{
    return physics->integrator >> 16;
}

static inline bool scree_integrator_is_implicit(uint64_t integrator)
{
    return integrator >= SCREE_IMPLICIT_EULER;
}

/*  Whether meshes are searched with surrogate trees, independent of the integrator. */
static inline bool scree_integrator_has_surrogates(uint64_t integrator)
{
    return integrator >= SCREE_IMPLICIT_SURROGATE;
}

/*  Time offset of velocities in steps: those that Verlet moves bodies with are of the middle of the step, those of
    explicit Euler of its start. */
static inline double scree_def_ahead(const scree_world_def *def, double dt)
{
    switch (def->step.integrator) {
    case SCREE_VELOCITY_VERLET:
        return dt / 2;
    case SCREE_EXPLICIT_EULER:
        return dt;
    case SCREE_SYMPLECTIC_EULER:
    case SCREE_IMPLICIT_EULER:
    case SCREE_IMPLICIT_SURROGATE:
    case SCREE_IMPLICIT_MULTISCALE:
        break;
    }
    return 0;
}

/*  With mass scaling (dt / safety)^2, otherwise 0. */
static inline double scree_def_inertia_scale(const scree_world_def *def, double dt)
{
    const double step = dt / def->step.safety_factor;

    return def->step.mode == SCREE_TIME_MASS_SCALING ? step * step : 0;
}

/*  The factor of a body's inertia, at least 1: it makes this step the wanted share of the stable step. `rate` is the
    largest k / m of the body, 0 without contacts. */
static inline double scree_inertia_factor(double scale, double rate)
{
    const double needed = rate * scale;

    return needed > 1 ? needed : 1;
}

/*  Whether any boundary of the domain is periodic. */
static inline bool scree_def_is_periodic(const scree_world_def *def)
{
    return def->domain.boundary[0] == SCREE_BOUNDARY_PERIODIC ||
           def->domain.boundary[1] == SCREE_BOUNDARY_PERIODIC ||
           def->domain.boundary[2] == SCREE_BOUNDARY_PERIODIC;
}

/*  Whether the domain has any boundary. */
/*  Whether bodies that leave are removed. */
static inline bool scree_def_removes_bodies(const scree_world_def *def)
{
    return def->domain.boundary[0] == SCREE_BOUNDARY_DESTROY ||
           def->domain.boundary[1] == SCREE_BOUNDARY_DESTROY ||
           def->domain.boundary[2] == SCREE_BOUNDARY_DESTROY;
}

static inline bool scree_def_has_boundary(const scree_world_def *def)
{
    return def->domain.boundary[0] || def->domain.boundary[1] || def->domain.boundary[2];
}

scree_physics scree_physics_of(const scree_world_def *def);
scree_physics_picard scree_physics_picard_of(const scree_world_def *def);
/*  Writes all settings to `def`; `picard` may be NULL. */
void scree_physics_apply(const scree_physics *physics, const scree_physics_picard *picard,
                         scree_world_def *def);
/*  Whether the values are valid. */
bool scree_physics_picard_is_sound(const scree_physics_picard *picard);
/*  SCREE_BAD_ARGUMENT, naming the field, if the frames of two worlds differ. */
scree_status scree_physics_compare_frames(const scree_physics *has, const scree_physics *wanted,
                                          scree_error *error);

#endif
