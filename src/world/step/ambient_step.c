/*  The fluid and force fields in a step.

    A step is refused if drag would overshoot. With velocity Verlet and the force c (u - v), evaluated at the predicted
    velocity, velocities stay bounded for dt c / m < 1 (the eigenvalues of its linear map), with the Euler methods for
    less than 2; a limit of 1 for all is simple, and beyond it results are of no use. Automatic steps find c with the
    dashpots of contacts (time_step.c), raised masses are heavy enough by themselves, and implicit steps may have
    any length.

    Work is force times the mean velocity of the step. The force is that which changed the velocity: the mean of both
    ends for Verlet, that of the start for the explicit Euler methods, that of the end for implicit ones. Then the
    balance of a free body closes to rounding errors. */
#include "world/step/ambient_step.h"

#include "world/forces/ambient_forces.h"
#include "world/state/body_blocks.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static scree_ambient_job job_of(scree_world *world, const scree_step *step)
{
    return (scree_ambient_job){.step = step,
                               .bodies = &world->bodies,
                               .domain = &world->cell.next,
                               .ambient = &world->ambient};
}

/* ---- finding forces ---- */

/*  Radii of the spheres with the volumes of bodies that are none. */
static scree_status measure_shapes(scree_world *world)
{
    const scree_body_arrays *bodies = &world->bodies;
    scree_ambient *ambient = &world->ambient;

    if (!bodies->nonspheres || !ambient->has_fluid)
        return SCREE_OK;
    if (scree_memory_reserve(&world->memory, &ambient->round, &ambient->round_capacity,
                             bodies->count, sizeof *ambient->round))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        const scree_shape_data *shape;
        if (!scree_is_not_sphere(bodies, slot))
            continue;
        shape = scree_shape_table_find(&world->shape_finder.meshes,
                                       scree_shape_geometry(&bodies->shape[slot][0]));
        ambient->round[slot] =
            scree_cube_root(shape->solid.volume * (3 / (4 * 3.14159265358979323846)));
    }
    return SCREE_OK;
}

bool scree_world_sums_volumes(const scree_world *world)
{
    return world->ambient.has_fluid && world->ambient.fluid.def.cell > 0;
}

/*  A rank without bodies takes part in the sum of volumes. */
static bool acts(const scree_world *world, const scree_step *step)
{
    return scree_ambient_is_on(&world->ambient) &&
           (world->bodies.count || (step->add && scree_world_sums_volumes(world)));
}

scree_status scree_world_ambient_reserve(scree_world *world)
{
    if (!scree_ambient_is_on(&world->ambient) || world->bodies.count == 0)
        return SCREE_OK;
    if (scree_memory_reserve(&world->memory, &world->ambient.row, &world->ambient.row_capacity,
                             world->bodies.count, sizeof *world->ambient.row) ||
        measure_shapes(world))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY,
                          "world: the fluid and force fields: out of memory");
    return SCREE_OK;
}

scree_status scree_world_ambient_look(scree_world *world, const scree_step *step)
{
    const scree_ambient_job job = job_of(world, step);
    scree_status status = scree_world_ambient_reserve(world);

    return status || !acts(world, step) ? status : scree_ambient_find(&job);
}

/* ---- refusals ---- */

static double min_inertia(const double inertia[3])
{
    double least = inertia[0] < inertia[1] ? inertia[0] : inertia[1];
    return least < inertia[2] ? least : inertia[2];
}

/*  1 over the relaxation time of drag; 0 for bodies that no force moves. */
static double rate_of(const scree_world *world, uint32_t slot)
{
    const scree_body_arrays *bodies = &world->bodies;
    const double *drag = world->ambient.row[slot].drag;
    double along = drag[0] * bodies->velocity[slot][3];
    double about = drag[1] / min_inertia(bodies->inertia[slot]);
    uint32_t flags = scree_body_held(bodies->flags[slot][0]);

    if (flags & SCREE_GHOST || (flags & SCREE_FREEZE) == SCREE_FREEZE)
        return 0;
    return along > about ? along : about;
}

static bool step_is_given(const scree_world *world)
{
    return world->def.step.mode == SCREE_TIME_FIXED &&
           !scree_integrator_is_implicit(world->def.step.integrator);
}

/*  Of the bodies with the largest rate the first by global id. */
static scree_status check_length(scree_world *world, const scree_step *step)
{
    const scree_body_arrays *bodies = &world->bodies;
    double fastest = 0;
    uint32_t which = 0;

    if (!world->ambient.has_fluid || !step_is_given(world) || step->dt == 0 || bodies->count == 0)
        return SCREE_OK;
    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        double rate = rate_of(world, slot);
        if (rate > fastest ||
            (rate == fastest && bodies->serial[slot][0] < bodies->serial[which][0])) {
            fastest = rate;
            which = slot;
        }
    }
    if (step->dt * fastest < 1)
        return SCREE_OK;
    world->failed_body = bodies->id[which][0];
    return scree_fail(&world->error, SCREE_UNSTABLE,
                      "world: step %" PRIu64 ": dt is %.3g, the drag of the fluid on body %" PRIu64
                      " needs less than %.3g: dt = %.2g would do, or automatic steps",
                      step->number, step->dt, bodies->serial[which][0], 1 / fastest, 0.5 / fastest);
}

static bool is_finite(const double *numbers, int count)
{
    for (int k = 0; k < count; k++)
        if (!isfinite(numbers[k]))
            return false;
    return true;
}

/*  Names the first body by global id whose force is not finite. If the forces of all are, contacts are to blame, which
    were examined before. */
static scree_status refuse_force(scree_world *world, const scree_step *step)
{
    const scree_body_arrays *bodies = &world->bodies;
    uint32_t which = UINT32_MAX;

    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        const scree_ambient_row *row = &world->ambient.row[slot];
        if (is_finite(row->fluid, 6) && is_finite(row->field, 3))
            continue;
        if (which == UINT32_MAX || bodies->serial[slot][0] < bodies->serial[which][0])
            which = slot;
    }
    if (which == UINT32_MAX)
        return scree_fail(&world->error, SCREE_BAD_VALUE,
                          "world: step %" PRIu64
                          ": forces of the fluid or of force fields are too large",
                          step->number);
    world->failed_body = bodies->id[which][0];
    return scree_fail(&world->error, SCREE_BAD_VALUE,
                      "world: step %" PRIu64 ": the force of the %s on body %" PRIu64
                      " at (%.6g, %.6g, %.6g) is not finite: formulas must be finite there%s",
                      step->number,
                      is_finite(world->ambient.row[which].fluid, 6) ? "force fields" : "fluid",
                      bodies->serial[which][0], bodies->position[which][0],
                      bodies->position[which][1], bodies->position[which][2],
                      is_finite(world->ambient.row[which].fluid, 6)
                          ? ""
                          : ", and a void fraction above 0 and at most 1");
}

scree_status scree_world_ambient_push(scree_world *world, const scree_step *step)
{
    const scree_ambient_job job = job_of(world, step);
    scree_status status;

    if (!acts(world, step))
        return SCREE_OK;
    status = scree_ambient_find(&job);
    if (!status && !scree_ambient_add(&job))
        status = refuse_force(world, step);
    return status ? status : check_length(world, step);
}

/* ---- work ---- */

static void store_forces(const scree_ambient_row *row, double stored[SCREE_AMBIENTS])
{
    memcpy(stored + SCREE_AMBIENT_FLUID, row->fluid, sizeof row->fluid);
    memcpy(stored + SCREE_AMBIENT_FIELD, row->field, sizeof row->field);
}

static void record_forces_block(void *data, const scree_body_block *block)
{
    scree_world *world = data;

    for (uint32_t slot = block->begin; slot < block->end; slot++)
        store_forces(&world->ambient.row[slot], world->bodies.ambient[slot]);
}

static bool is_recorded(const scree_world *world)
{
    return world->bodies.keeps[SCREE_KEEP_AMBIENT] && scree_ambient_is_on(&world->ambient) &&
           world->bodies.count;
}

void scree_ambient_record_forces(scree_world *world)
{
    if (is_recorded(world))
        scree_body_blocks_run(&world->workers, world->bodies.count, record_forces_block, world);
}

typedef struct recording
{
    scree_world *world;
    double before, after; /* weights of the forces at both ends, times dt */
} recording;

static double work_of(const recording *run, const double *before, const double *after,
                      const double velocity_before[3], const double velocity[3])
{
    double sum = 0;

    for (int k = 0; k < 3; k++)
        sum += (run->before * before[k] + run->after * after[k]) * 0.5 *
               (velocity_before[k] + velocity[k]);
    return sum;
}

static void record_block(void *data, const scree_body_block *block)
{
    const recording *run = data;
    const scree_body_arrays *bodies = &run->world->bodies;

    for (uint32_t slot = block->begin; slot < block->end; slot++) {
        const scree_ambient_row *row = &run->world->ambient.row[slot];
        double *stored = bodies->ambient[slot];
        if (!scree_is_ghost(bodies, slot)) {
            stored[SCREE_AMBIENT_FLUID_WORK] +=
                work_of(run, stored, row->fluid, bodies->velocity_before[slot],
                        bodies->velocity[slot]) +
                work_of(run, stored + 3, row->fluid + 3, bodies->spin_before[slot],
                        bodies->spin[slot]);
            stored[SCREE_AMBIENT_FIELD_WORK] +=
                work_of(run, stored + SCREE_AMBIENT_FIELD, row->field,
                        bodies->velocity_before[slot], bodies->velocity[slot]);
        }
        store_forces(row, stored);
    }
}

void scree_ambient_record_step(scree_world *world, double dt)
{
    const scree_integrator integrator = world->def.step.integrator;
    recording run = {.world = world, .before = dt, .after = 0};

    if (!is_recorded(world))
        return;
    if (integrator == SCREE_VELOCITY_VERLET)
        run.before = run.after = dt / 2;
    else if (scree_integrator_is_implicit(integrator)) {
        run.before = 0;
        run.after = dt;
    }
    scree_body_blocks_run(&world->workers, world->bodies.count, record_block, &run);
}
