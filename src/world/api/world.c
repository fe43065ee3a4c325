/*  A world's definition, creation and destruction, and settings that may change during a run. */
#include "base/sized_definition.h"
#include "world/collide/sphere_walls.h"
#include "world/device/device.h"
#include "world/forces/sphere_forces.h"
#include "world/motion/sleep.h"
#include "world/step/energy_balance.h"
#include "world/step/events.h"
#include "world/step/world_data.h"
#include "world/step/world_detector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WORLD_COOKIE 0x501d0002u

void scree_init_world_def(scree_world_def *def, size_t size)
{
    static const scree_world_def own = {
        .cookie = WORLD_COOKIE,
        .size = sizeof own,
        .dimensions = 3,
        .overlap_limit = 0.5,
        .step =
            {.integrator = SCREE_VELOCITY_VERLET,
             .mode = SCREE_TIME_FIXED,
             .safety_factor = 0.2,
             .max_growth = 1.05,
             .picard = {.tolerance = 0.01, .iterations = 30, .halvings = 10, .keeps_sets = true}},
        .detection =
            {.method = "auto",
             /* from 1/5 of the smallest radius while bodies fall, to 1/50 when they are at rest; the rest as of
                a detector */
             .margin = {.kind = SCREE_MARGIN_PER_BODY,
                        .length = -0.2,
                        .speed_factor = 1.05,
                        .extent = {1. / 32, 1. / 32, 1. / 32, 1. / 32},
                        .reach = 2,
                        .bin_count = 5,
                        .bin_ratio = 2,
                        .bin_overlap = 0.8,
                        .bin_max_change = 0.3,
                        .target_steps = 50,
                        .min_fraction = 0.1},
             .sort_every = 1000},
        .compute = {.thread_count = 1},
    };

    scree_definition_write(def, size, &own, sizeof own);
}

/* ---- checks ---- */

static scree_status refuse(scree_error *error, const char *field, double value, const char *must_be)
{
    return scree_fail(error, SCREE_BAD_ARGUMENT, "world def: %s is %g, must be %s", field, value,
                      must_be);
}

static scree_status check_time(scree_time_mode mode, double dt, scree_error *error)
{
    if ((unsigned)mode > SCREE_TIME_MASS_SCALING)
        return refuse(error, "time", mode, "a time mode");
    if (mode == SCREE_TIME_AUTOMATIC && dt == 0)
        return SCREE_OK;
    if (!(dt > 0 && dt <= SCREE_MAX_COORDINATE))
        return refuse(error, "dt", dt, "above 0 and finite");
    return SCREE_OK;
}

static scree_status check_damping(double global_damping, double local_damping, scree_error *error)
{
    if (!(global_damping >= 0 && global_damping <= SCREE_MAX_COORDINATE))
        return refuse(error, "global_damping", global_damping, "0 or more and finite");
    if (!(local_damping >= 0 && local_damping < 1))
        return refuse(error, "local_damping", local_damping, "0 or more and below 1");
    return SCREE_OK;
}

static scree_status check_gravity(const double gravity[3], int dimensions, scree_error *error)
{
    for (int k = 0; k < 3; k++)
        if (!(fabs(gravity[k]) <= SCREE_MAX_COORDINATE))
            return refuse(error, "gravity", gravity[k], "finite");
    if (dimensions == 2 && gravity[2] != 0)
        return refuse(error, "gravity[2]", gravity[2], "0 in two dimensions");
    return SCREE_OK;
}

static scree_status check_domain(const scree_world_def *def, scree_error *error)
{
    for (int k = 0; k < 3; k++) {
        if ((unsigned)def->domain.boundary[k] > SCREE_BOUNDARY_PERIODIC)
            return refuse(error, "boundary", def->domain.boundary[k], "a boundary");
        if (def->domain.boundary[k] == SCREE_BOUNDARY_NONE)
            continue;
        if (k >= def->dimensions)
            return refuse(error, "boundary[2]", def->domain.boundary[k], "none in two dimensions");
        if (!(def->domain.lower[k] < def->domain.upper[k] &&
              fabs(def->domain.lower[k]) <= SCREE_MAX_COORDINATE &&
              fabs(def->domain.upper[k]) <= SCREE_MAX_COORDINATE))
            return refuse(error, "upper", def->domain.upper[k],
                          "above lower where there is a boundary");
    }
    return SCREE_OK;
}

static scree_status refuse_scaled(scree_time_mode mode, scree_error *error)
{
    return refuse(error, "time", mode,
                  "fixed or automatic: implicit integrators need no mass scaling");
}

static scree_status check_integrator(const scree_world_def *def, scree_error *error)
{
    const scree_picard_def *picard = &def->step.picard;

    if ((unsigned)def->step.integrator > SCREE_IMPLICIT_MULTISCALE)
        return refuse(error, "integrator", def->step.integrator, "an integrator");
    if (!scree_integrator_is_implicit(def->step.integrator))
        return SCREE_OK;
    if (scree_integrator_has_surrogates(def->step.integrator) &&
        (def->detection.mesh_engine == SCREE_MESH_ENGINE_BOXES ||
         def->detection.mesh_engine == SCREE_MESH_ENGINE_ALL))
        return refuse(error, "mesh_engine", def->detection.mesh_engine,
                      "auto or surrogate: this integrator searches by surrogates");
    if (def->step.mode == SCREE_TIME_MASS_SCALING)
        return refuse_scaled(def->step.mode, error);
    if (!(picard->tolerance > 0 && picard->tolerance < 1))
        return refuse(error, "picard.tolerance", picard->tolerance, "above 0 and below 1");
    if (picard->iterations == 0 || picard->iterations > SCREE_MAX_ITERATIONS)
        return refuse(error, "picard.iterations", picard->iterations, "1 to 10000");
    if (picard->halvings > SCREE_MAX_HALVINGS)
        return refuse(error, "picard.halvings", picard->halvings, "at most 60");
    return SCREE_OK;
}

static scree_status check_local_steps(const scree_world_def *def, scree_error *error)
{
    if (def->step.local_steps > SCREE_MAX_LOCAL_STEPS)
        return refuse(error, "local_steps", def->step.local_steps, "at most 20");
    if (def->step.local_steps && scree_integrator_is_implicit(def->step.integrator))
        return refuse(error, "local_steps", def->step.local_steps, "0: the integrator is implicit");
    if (def->step.local_steps && def->step.mode != SCREE_TIME_FIXED)
        return refuse(error, "local_steps", def->step.local_steps, "0: time is not fixed");
    if (def->step.local_steps && def->events)
        return refuse(error, "local_steps", def->step.local_steps,
                      "0: events are of steps that all take");
    return SCREE_OK;
}

static scree_status check_def(const scree_world_def *def, scree_error *error)
{
    if (def->dimensions != 2 && def->dimensions != 3)
        return refuse(error, "dimensions", def->dimensions, "2 or 3");
    if (!(def->step.safety_factor > 0 && def->step.safety_factor <= 1))
        return refuse(error, "safety_factor", def->step.safety_factor, "above 0 and at most 1");
    if (!(def->step.max_growth > 1 && def->step.max_growth <= 1e6))
        return refuse(error, "max_growth", def->step.max_growth, "above 1 and at most 1e6");
    if ((unsigned)def->detection.mesh_engine > SCREE_MESH_ENGINE_ALL)
        return refuse(error, "mesh_engine", def->detection.mesh_engine, "a mesh engine");
    if (!(def->overlap_limit > 0))
        return refuse(error, "overlap_limit", def->overlap_limit, "above 0");
    if (check_integrator(def, error) || check_local_steps(def, error) ||
        check_gravity(def->gravity, def->dimensions, error) ||
        check_time(def->step.mode, def->step.dt, error) ||
        check_damping(def->global_damping, def->local_damping, error))
        return SCREE_BAD_ARGUMENT;
    return check_domain(def, error);
}

/* ---- creation ---- */

/*  Reserves aligned scratch: allocators align as malloc does, batches of contacts need the alignment of the widest
    vectors. */
static scree_status take_scratch(scree_world *world)
{
    const size_t line = _Alignof(scree_force_scratch);
    size_t bytes = world->workers.count * sizeof *world->scratch;
    uintptr_t address;

    world->scratch_bytes = bytes + line;
    if (scree_memory_take(&world->memory, world->scratch_bytes, 1, &world->scratch_block))
        return SCREE_OUT_OF_MEMORY;
    address = (uintptr_t)world->scratch_block;
    world->scratch = (void *)((unsigned char *)world->scratch_block + (line - address % line));
    memset(world->scratch, 0, bytes);
    return SCREE_OK;
}

/*  Copies the name of the method into the world. SCREE_BAD_ARGUMENT, SCREE_UNKNOWN_METHOD. */
static scree_status keep_method(const char *method, char *kept, size_t room, scree_error *error)
{
    if (!method)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "world def: method is NULL");
    if (!scree_method_by_name(method))
        return scree_fail(error, SCREE_UNKNOWN_METHOD, "world def: there is no method \"%.40s\"",
                          method);
    snprintf(kept, room, "%s", method);
    return SCREE_OK;
}

static scree_status open_world(scree_world *world, const scree_world_def *def, scree_error *error)
{
    scree_status status;

    world->def = *def;
    world->def.hooks.error = NULL;
    world->simd = scree_simd_resolve(def->compute.simd);
    scree_bodies_init(&world->bodies, &world->memory);
    world->bodies.keeps[SCREE_KEEP_ACCOUNTS] = def->energy_balance;
    scree_walls_init(&world->walls, &world->memory, def->dimensions);
    scree_contact_list_init(&world->pairs, &world->memory);
    scree_contact_list_init(&world->spare, &world->memory);
    world->contacts.memory = &world->memory;
    world->shape_contacts.memory = &world->memory;
    scree_shape_finder_init(&world->shape_finder, &world->memory, &world->workers, world->simd,
                            def->detection.mesh_engine == SCREE_MESH_ENGINE_SURROGATE ||
                                scree_integrator_has_surrogates(def->step.integrator));
    world->rules.memory = &world->memory; /* so that a half-made world can be freed */
    world->clock.unprimed = 1;
    world->host_may_read = world->wants_index = true;
    world->clock.dt = def->step.dt;
    status = check_def(def, error);
    if (!status)
        status = keep_method(def->detection.method, world->method, sizeof world->method, error);
    if (status)
        return status;
    world->def.detection.method = world->method;
    scree_strain_init(&world->cell, def);
    status = scree_workers_init(&world->workers, &def->compute.tasks, def->compute.thread_count,
                                &def->hooks.allocator, &def->hooks.log);
    if (status)
        return scree_fail(error, status, "world def: tasks or thread_count (%u): %s",
                          def->compute.thread_count, scree_status_name(status));
    status = take_scratch(world);
    if (!status) {
        status = scree_rules_init(&world->rules, &world->memory, world->simd, def->dimensions);
    }
    if (!status)
        status =
            scree_wall_contacts_init(&world->wall_contacts, &world->memory, world->workers.count);
    if (status)
        return scree_fail(error, status, "world: %s", scree_status_name(status));
    status = scree_world_make_detector(world, world->method, &def->detection.margin,
                                       &world->detector, error);
    world->def.compute.device = NULL;
    if (status)
        return status;
    status = scree_device_open(world, def->compute.device, NULL);
    if (status)
        scree_fail(error, status, "%s", world->error.text);
    return status;
}

scree_status scree_world_create(const scree_world_def *def, scree_world **world)
{
    scree_memory memory;
    scree_world *made = NULL;
    scree_status status;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    *world = NULL;
    scree_world_def own = scree_default_world_def();
    if (!def || !scree_definition_read(&own, def))
        return SCREE_BAD_DEF;
    def = &own;
    if (scree_memory_init(&memory, &def->hooks.allocator))
        return scree_fail(def->hooks.error, SCREE_BAD_DEF, "world def: allocator lacks a function");
    if (scree_memory_take(&memory, 1, sizeof *made, &made))
        return scree_fail(def->hooks.error, SCREE_OUT_OF_MEMORY, "world: out of memory");
    memset(made, 0, sizeof *made);
    made->memory.allocator = memory.allocator;
    atomic_init(&made->memory.bytes, sizeof *made);
    status = open_world(made, def, def->hooks.error);
    if (status)
        scree_world_destroy(made);
    else
        *world = made;
    return status;
}

void scree_world_destroy(scree_world *world)
{
    scree_memory memory;

    if (!world)
        return;
    scree_device_close(world);
    scree_detector_destroy(world->detector);
    scree_wall_contacts_free(&world->wall_contacts);
    scree_way_back_free(&world->back, &world->memory);
    scree_crossings_free(&world->crossings, &world->memory);
    scree_shape_finder_free(&world->shape_finder);
    scree_shape_contacts_free(&world->shape_contacts);
    scree_contact_list_free(&world->pairs);
    scree_contact_list_free(&world->spare);
    scree_contact_sets_free(&world->contacts);
    scree_rules_free(&world->rules);
    scree_heat_free(&world->heat, &world->memory);
    scree_ambient_free(&world->ambient, &world->memory);
    scree_joints_free(&world->joints, &world->memory);
    scree_sleep_free(&world->sleep, &world->memory);
    scree_walls_free(&world->walls);
    scree_picard_free(&world->picard, &world->memory);
    scree_bodies_free(&world->bodies);
    scree_body_order_free(&world->order, &world->memory);
    scree_seen_bodies_free(&world->seen, &world->memory);
    scree_memory_give(&world->memory, &world->wraps.count, world->wraps.capacity,
                      sizeof *world->wraps.count);
    scree_memory_give(&world->memory, &world->listed, world->listed_capacity,
                      sizeof *world->listed);
    scree_memory_give(&world->memory, &world->bonds, world->bond_capacity, sizeof *world->bonds);
    scree_memory_give(&world->memory, &world->breaks.list, world->breaks.capacity,
                      sizeof *world->breaks.list);
    scree_memory_give(&world->memory, &world->breaks.marks, world->breaks.mark_capacity,
                      sizeof *world->breaks.marks);
    scree_memory_give(&world->memory, &world->listed_memory, world->listed_memory_capacity,
                      sizeof *world->listed_memory);
    scree_event_log_free(&world->events, &world->memory);
    scree_memory_give(&world->memory, &world->energy_balance.host,
                      world->energy_balance.host_capacity, sizeof *world->energy_balance.host);
    scree_sums_free(&world->sums, &world->memory);
    scree_memory_give(&world->memory, &world->scratch_block, world->scratch_bytes, 1);
    scree_workers_free(&world->workers);
    memory.allocator = world->memory.allocator;
    atomic_init(&memory.bytes, sizeof *world);
    scree_memory_give(&memory, &world, 1, sizeof *world);
}

const char *scree_world_message(const scree_world *world)
{
    return world ? world->error.text : "";
}

/* ---- changes in the middle of a run ---- */

scree_status scree_world_set_gravity(scree_world *world, const double gravity[3])
{
    double before[3];

    if (!world || !gravity)
        return SCREE_BAD_ARGUMENT;
    if (check_gravity(gravity, world->def.dimensions, &world->error))
        return SCREE_BAD_ARGUMENT;
    memcpy(before, world->def.gravity, sizeof before);
    memcpy(world->def.gravity, gravity, sizeof world->def.gravity);
    scree_energy_balance_change_gravity(&world->def, &world->bodies, before, &world->clock);
    world->clock.unprimed = 1;
    return SCREE_OK;
}

scree_status scree_world_get_gravity(const scree_world *world, double gravity[3])
{
    for (int k = 0; gravity && k < 3; k++)
        gravity[k] = world ? world->def.gravity[k] : 0;
    return world ? SCREE_OK : SCREE_BAD_ARGUMENT;
}

scree_status scree_world_get_domain(const scree_world *world, double lower[3], double upper[3],
                                    scree_boundary boundary[3])
{
    for (int k = 0; k < 3; k++) {
        if (lower)
            lower[k] = world ? world->def.domain.lower[k] : 0;
        if (upper)
            upper[k] = world ? world->def.domain.upper[k] : 0;
        if (boundary)
            boundary[k] = world ? world->def.domain.boundary[k] : SCREE_BOUNDARY_NONE;
    }
    return world ? SCREE_OK : SCREE_BAD_ARGUMENT;
}

scree_status scree_world_set_dt(scree_world *world, scree_time_mode mode, double dt)
{
    if (!world)
        return SCREE_BAD_ARGUMENT;
    if (world->sleep.is_on && mode == SCREE_TIME_MASS_SCALING)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "world: mass scaling and sleep exclude each other");
    if (check_time(mode, dt, &world->error))
        return SCREE_BAD_ARGUMENT;
    if (mode == SCREE_TIME_MASS_SCALING && scree_integrator_is_implicit(world->def.step.integrator))
        return refuse_scaled(mode, &world->error);
    if (mode != SCREE_TIME_FIXED && world->def.step.local_steps)
        return refuse(&world->error, "time", mode, "fixed: steps are local");
    /* forces must be evaluated again: the other mode needs values that are found with them */
    if (mode != world->def.step.mode)
        world->clock.unprimed = 1;
    world->def.step.mode = mode;
    world->def.step.dt = dt;
    /* the stable step found before is not valid for this mode or step */
    world->clock.stable = 0;
    return SCREE_OK;
}

scree_status scree_world_get_dt(const scree_world *world, scree_time_mode *mode, double *dt)
{
    if (mode)
        *mode = world ? world->def.step.mode : SCREE_TIME_FIXED;
    if (dt)
        *dt = world ? world->def.step.dt : 0;
    return world ? SCREE_OK : SCREE_BAD_ARGUMENT;
}

scree_status scree_world_set_damping(scree_world *world, double global_damping,
                                     double local_damping)
{
    if (!world)
        return SCREE_BAD_ARGUMENT;
    if (check_damping(global_damping, local_damping, &world->error))
        return SCREE_BAD_ARGUMENT;
    world->def.global_damping = global_damping;
    world->def.local_damping = local_damping;
    world->clock.unprimed = 1;
    return SCREE_OK;
}

scree_status scree_world_get_damping(const scree_world *world, double *global_damping,
                                     double *local_damping)
{
    if (global_damping)
        *global_damping = world ? world->def.global_damping : 0;
    if (local_damping)
        *local_damping = world ? world->def.local_damping : 0;
    return world ? SCREE_OK : SCREE_BAD_ARGUMENT;
}

scree_status scree_world_set_method(scree_world *world, const char *method)
{
    scree_status status;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    if (!method || !scree_method_by_name(method))
        return scree_fail(&world->error, SCREE_UNKNOWN_METHOD,
                          "world: there is no method \"%.40s\"", method ? method : "NULL");
    status = scree_world_change_detector(world, method, &world->def.detection.margin);
    return status ? status
                  : keep_method(method, world->method, sizeof world->method, &world->error);
}

const char *scree_world_get_method(const scree_world *world)
{
    return world ? world->method : "";
}

scree_status scree_world_get_margin(const scree_world *world, scree_margin_def *margin)
{
    if (margin)
        *margin = world ? world->def.detection.margin : (scree_margin_def){0};
    return world ? SCREE_OK : SCREE_BAD_ARGUMENT;
}

scree_status scree_world_set_margin(scree_world *world, const scree_margin_def *margin)
{
    scree_status status;

    if (!world || !margin)
        return SCREE_BAD_ARGUMENT;
    status = scree_world_change_detector(world, world->method, margin);
    if (!status)
        world->def.detection.margin = *margin;
    return status;
}

/* ---- materials and rules, and what else is asked of a world ---- */

scree_status scree_world_add_material(scree_world *world, const scree_material_def *def,
                                      scree_material_id *id)
{
    if (!world || !def)
        return SCREE_BAD_ARGUMENT;
    return scree_rules_add_material(&world->rules, def, id, &world->error);
}

scree_status scree_world_add_rule(scree_world *world, const scree_rule_def *def)
{
    scree_status status;

    if (!world || !def)
        return SCREE_BAD_ARGUMENT;
    status = scree_rules_add_rule(&world->rules, def, &world->error);
    if (!status) {
        world->needs_search = true;
        /* the new law may have a longer interaction range */
        scree_wall_contacts_renew_all(&world->wall_contacts, world->bodies.count);
    }
    return status;
}

void scree_world_set_force(scree_world *world, scree_force_fn *function, void *user)
{
    if (!world)
        return;
    world->force = function;
    world->force_user = user;
    scree_sleep_forget(&world->sleep);
}

scree_clock scree_world_clock(const scree_world *world)
{
    scree_clock clock = {0, 0, 0};

    if (world)
        clock = (scree_clock){world->clock.time, world->clock.steps, world->clock.dt};
    return clock;
}
