/*  Those fields of a world's definition that decide its future, and none that only decide how fast it comes:
    what snapshots hold and digests count. All are words of eight bytes, so that no byte of it is without
    meaning. */
#ifndef SCREE_WORLD_SETTINGS_H
#define SCREE_WORLD_SETTINGS_H

#include "base/error.h"
#include "scree/world.h"

typedef struct scree_physics
{
    /* the frame: a world cannot change it, detection is built for it */
    uint64_t dimensions, boundary[3];
    double lower[3], upper[3]; /* 0 where there is no boundary */
    /* and the rest */
    uint64_t integrator; /* and 65536 times local_steps, and in old files 256 times the precision */
    uint64_t time, energy_balance;
    double gravity[3];
    double dt, safety_factor, max_growth;
    double global_damping, local_damping;
    double overlap_limit;
} scree_physics;

/*  Of its radius and what links it to others a body may go in a step that others take in several: see local_steps.h. */
#define SCREE_LOCAL_SHARE 0.25
/*  A step that is halved more often comes to nothing. */
#define SCREE_MOST_HALVINGS 60
/*  What has not settled by then swings; and a step must come to an end before a signal is heard. */
#define SCREE_MOST_ITERATIONS 10000

/*  How forces are found, where the integrator is implicit: a part that others do not have. */
typedef struct scree_physics_picard
{
    double tolerance;
    uint64_t iterations;
    uint64_t
        halvings; /* and, 256 times: 1 that sets are kept, 2 that levels are skipped, 4 that guesses go further */
} scree_physics_picard;

/*  The three parts of that word, which may be anything where it comes from a file. */
static inline uint64_t scree_physics_stepper(const scree_physics *physics)
{
    return physics->integrator & 255;
}

/*  Worlds of earlier versions could compute forces of bodies on each other in floats: their files have 1 here, all others 0. It is not kept
    when such a file is read. */
#define SCREE_PRECISION_WITH_FLOATS 1u
static inline uint64_t scree_physics_precision(const scree_physics *physics)
{
    return physics->integrator >> 8 & 255;
}

static inline uint64_t scree_physics_local_steps(const scree_physics *physics)
{
    return physics->integrator >> 16;
}

static inline bool scree_stepper_is_implicit(uint64_t integrator)
{
    return integrator >= SCREE_IMPLICIT_EULER;
}

/*  Whether it searches meshes by surrogate trees, whatever else the world does. */
static inline bool scree_stepper_has_surrogates(uint64_t integrator)
{
    return integrator >= SCREE_IMPLICIT_SURROGATE;
}

/*  By how much of the step velocities are ahead of those with which bodies moved: Verlet's moved with those of the
    middle of the step, explicit Euler's with those of its beginning. */
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

/*  Whether any border of the domain is periodic. */
static inline bool scree_def_is_periodic(const scree_world_def *def)
{
    return def->domain.boundary[0] == SCREE_BOUNDARY_PERIODIC ||
           def->domain.boundary[1] == SCREE_BOUNDARY_PERIODIC ||
           def->domain.boundary[2] == SCREE_BOUNDARY_PERIODIC;
}

/*  Whether the domain has any border. */
static inline bool scree_def_has_border(const scree_world_def *def)
{
    return def->domain.boundary[0] || def->domain.boundary[1] || def->domain.boundary[2];
}

scree_physics scree_physics_of(const scree_world_def *def);
scree_physics_picard scree_physics_picard_of(const scree_world_def *def);
/*  Sets all of them in `def`; `picard` may be NULL. */
void scree_physics_apply(const scree_physics *physics, const scree_physics_picard *picard,
                         scree_world_def *def);
/*  Whether a world can have these numbers. */
bool scree_physics_picard_is_sound(const scree_physics_picard *picard);
/*  SCREE_BAD_ARGUMENT, with the field, where the frames of two are not the same. */
scree_status scree_physics_compare_frames(const scree_physics *has, const scree_physics *wanted,
                                          scree_error *error);

#endif
