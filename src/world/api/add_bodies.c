/*  Adds, reads and changes bodies. All values are checked before any is written. */
#include "base/check_numbers.h"
#include "base/quaternion.h"
#include "base/sized_definition.h"
#include "world/motion/sleep.h"
#include "world/state/body_energy.h"
#include "world/state/body_heat.h"
#include "world/step/energy_balance.h"
#include "world/step/world_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define BODY_COOKIE 0xb0d1e501u

void scree_init_body_def(scree_body_def *def, size_t size)
{
    static const scree_body_def own = {.cookie = BODY_COOKIE,
                                       .size = sizeof(scree_body_def),
                                       .orientation = {1, 0, 0, 0},
                                       .groups = 1,
                                       .mask = UINT64_MAX};

    scree_definition_write(def, size, &own, sizeof own);
}

/* ---- checks ---- */

/*  The name of the body is written only where it is needed: millions of bodies may be added at once. */
static scree_status check_numbers(uint64_t serial, const char *field, const double *numbers,
                                  size_t count, scree_error *error)
{
    char body[32];

    if (scree_are_usable(numbers, count))
        return SCREE_OK;
    snprintf(body, sizeof body, "body %" PRIu64, serial);
    return scree_check_numbers(error, body, field, numbers, count);
}

static scree_status check_plane(int dimensions, uint64_t index, const double position[3],
                                const double velocity[3], const double spin[3], scree_error *error)
{
    if (dimensions == 3)
        return SCREE_OK;
    if (position[2] != 0 || velocity[2] != 0)
        return scree_fail(
            error, SCREE_BAD_VALUE,
            "body %" PRIu64 ": z of position and velocity must be 0 in two dimensions", index);
    if (spin[0] != 0 || spin[1] != 0)
        return scree_fail(error, SCREE_BAD_VALUE,
                          "body %" PRIu64 ": spin about x and y must be 0 in two dimensions",
                          index);
    return SCREE_OK;
}

/*  In two dimensions a non-spherical body may rotate within the plane only. */
static scree_status check_tilt(int dimensions, uint64_t index, const scree_shape *shape,
                               const double orientation[4], scree_error *error)
{
    if (dimensions == 3 || !scree_shape_geometry(shape) ||
        (orientation[1] == 0 && orientation[2] == 0))
        return SCREE_OK;
    return scree_fail(error, SCREE_BAD_VALUE,
                      "body %" PRIu64 ": orientation must be about z in two dimensions", index);
}

/*  Normalises any quaternion that is not zero. */
static scree_status normalise(uint64_t index, const double given[4], double unit[4],
                              scree_error *error)
{
    double norm =
        sqrt(given[0] * given[0] + given[1] * given[1] + given[2] * given[2] + given[3] * given[3]);

    if (!(norm > 1e-100 && norm < 1e100))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "body %" PRIu64 ": orientation has length %g, must be above 0 and finite",
                          index, norm);
    for (int k = 0; k < 4; k++)
        unit[k] = given[k] / norm;
    return SCREE_OK;
}

static scree_status check_material(const scree_rules *rules, uint64_t index, uint32_t material,
                                   scree_error *error)
{
    if (material == 0 || material > rules->material_count)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "body %" PRIu64 ": material is %u, must be 1 to %zu", index, material,
                          rules->material_count);
    return SCREE_OK;
}

/*  `flags` are those that the host gives in addition to the type. */
static scree_status check_type(uint64_t index, scree_body_type type, uint32_t flags,
                               const double velocity[3], const double spin[3], scree_error *error)
{
    if (flags & ~(SCREE_FREEZE | SCREE_GHOST))
        return scree_fail(error, SCREE_BAD_VALUE, "body %" PRIu64 ": flags are 0x%x, unknown bits",
                          index, (unsigned)flags);
    if ((unsigned)type > SCREE_BODY_STATIC)
        return scree_fail(error, SCREE_BAD_VALUE,
                          "body %" PRIu64 ": type is %d, must be dynamic, kinematic or static",
                          index, (int)type);
    for (int k = 0; k < 3 && type == SCREE_BODY_STATIC; k++)
        if (velocity[k] != 0 || spin[k] != 0)
            return scree_fail(error, SCREE_BAD_VALUE,
                              "body %" PRIu64 ": %s[%d] is %g, must be 0: the body is static, a "
                              "kinematic one may move",
                              index, velocity[k] != 0 ? "velocity" : "spin", k,
                              velocity[k] != 0 ? velocity[k] : spin[k]);
    return SCREE_OK;
}

/*  The same as scree_shape_mass, without a loop over all facets. */
static scree_mass mass_of_shape(const scree_shape_table *meshes, const scree_shape *shape,
                                double density)
{
    const scree_mesh_solid *solid =
        &scree_shape_table_find(meshes, scree_shape_geometry(shape))->solid;
    scree_mass mass = {.volume = solid->volume, .mass = density * solid->volume};

    for (int k = 0; k < 3; k++)
        mass.inertia[k] = density * solid->principal[k];
    return mass;
}

static scree_status check_clump_body(scree_shape_table *meshes, int dimensions, uint64_t index,
                                     const scree_shape *shape, scree_error *error)
{
    if (!shape->clump)
        return scree_fail(error, SCREE_BAD_VALUE, "body %" PRIu64 ": its clump is NULL", index);
    if (shape->clump->dimensions != dimensions)
        return scree_fail(error, SCREE_BAD_VALUE,
                          "body %" PRIu64 ": its clump is of %d dimensions, the world of %d", index,
                          shape->clump->dimensions, dimensions);
    if (scree_shape_table_take_clump(meshes, shape->clump))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "body %" PRIu64 ": clump of a body: %s",
                          index, scree_status_name(SCREE_OUT_OF_MEMORY));
    return SCREE_OK;
}

/*  Registers the mesh of a body when it is used for the first time, and checks it. */
static scree_status check_mesh_body(scree_shape_table *meshes, int dimensions, uint64_t index,
                                    const scree_shape *shape, scree_error *error)
{
    scree_error why;
    scree_status status;

    if (!shape->mesh)
        return scree_fail(error, SCREE_BAD_VALUE, "body %" PRIu64 ": its mesh is NULL", index);
    if (shape->mesh->corners != dimensions)
        return scree_fail(error, SCREE_BAD_VALUE,
                          "body %" PRIu64
                          ": facets of its mesh have %d corners, must have %d in %d "
                          "dimensions",
                          index, shape->mesh->corners, dimensions, dimensions);
    if (dimensions == 2 && shape->kind == SCREE_SHAPE_MESH)
        return scree_fail(error, SCREE_BAD_VALUE,
                          "body %" PRIu64 ": bodies of segments are blocks, which are convex",
                          index);
    if (shape->kind == SCREE_SHAPE_SUPERQUADRIC && !scree_mesh_is_superquadric(shape->mesh))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "body %" PRIu64
                          ": its mesh has no formula, it must be from scree_mesh_superquadric",
                          index);
    const double skin = scree_shape_skin(shape);
    if (scree_shape_has_skin(shape) && !(skin > 0 && skin <= SCREE_MAX_COORDINATE))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "body %" PRIu64 ": %s is %g, must be above 0 and finite", index,
                          scree_shape_skin_name(shape), skin);
    status = scree_shape_table_take(meshes, shape->mesh, scree_shape_use_of_mesh(shape), &why);
    if (status)
        return scree_fail(error, status == SCREE_OUT_OF_MEMORY ? status : SCREE_BAD_VALUE,
                          "body %" PRIu64 ": %s", index, why.text);
    return SCREE_OK;
}

/*  Radius of the bounding sphere. */
static double radius_of_shape(const scree_shape_table *meshes, const scree_shape *shape)
{
    const void *geometry = scree_shape_geometry(shape);

    return geometry ? scree_shape_table_find(meshes, geometry)->reach +
                          (scree_shape_has_skin(shape) ? scree_shape_skin(shape) : 0)
                    : shape->radius;
}

/*  Mass and inertia that follow from the shape and the density of the material. */
static scree_status find_mass_of_shape(const scree_rules *rules, const scree_shape_table *meshes,
                                       int dimensions, const scree_body_def *def, scree_mass *mass,
                                       scree_error *why)
{
    double density = rules->materials[def->material.index1 - 1].def.density;

    if (!scree_shape_geometry(&def->shape))
        return scree_shape_mass(&def->shape, density, dimensions, mass, why);
    *mass = mass_of_shape(meshes, &def->shape, density);
    return SCREE_OK;
}

/*  Mass and inertia are given, or those of the shape. If only the mass is given, it scales the inertia of the shape. */
static void find_inertia(const scree_body_def *def, const scree_mass *of_shape, int dimensions,
                         double inertia[4])
{
    bool has_inertia = def->inertia[0] != 0 || def->inertia[1] != 0 || def->inertia[2] != 0;
    double scale = def->mass != 0 ? def->mass / of_shape->mass : 1;

    inertia[3] = def->mass != 0 ? def->mass : of_shape->mass;
    for (int k = 0; k < 3; k++)
        inertia[k] = has_inertia ? def->inertia[k] : of_shape->inertia[k] * scale;
    if (dimensions == 2)
        inertia[0] = inertia[1] = inertia[2];
}

/*  The inverses must be finite, too. */
static scree_status check_inertia(uint64_t index, const double inertia[4], scree_error *error)
{
    if (!(inertia[3] >= 1e-100 && inertia[3] <= SCREE_MAX_COORDINATE))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "body %" PRIu64 ": mass is %g, must be 1e-100 to %g", index, inertia[3],
                          SCREE_MAX_COORDINATE);
    for (int k = 0; k < 3; k++)
        if (!(inertia[k] >= 1e-200 && inertia[k] <= 1e200))
            return scree_fail(error, SCREE_BAD_VALUE,
                              "body %" PRIu64 ": inertia[%d] is %g, must be 1e-200 to 1e200", index,
                              k, inertia[k]);
    return SCREE_OK;
}

static scree_status check_body(const scree_rules *rules, scree_shape_table *meshes,
                               const scree_world_def *world_def, uint64_t index,
                               const scree_body_def *def, scree_error *error)
{
    double unit[4], inertia[4];
    scree_mass mass;
    scree_error why;
    scree_status status = SCREE_OK;

    if (check_type(index, def->type, def->flags, def->velocity, def->spin, error))
        return SCREE_BAD_VALUE;
    if (check_material(rules, index, def->material.index1, error))
        return SCREE_BAD_ARGUMENT;
    if (scree_shape_is_of_triangles(&def->shape))
        status = check_mesh_body(meshes, world_def->dimensions, index, &def->shape, error);
    if (def->shape.kind == SCREE_SHAPE_CLUMP)
        status = check_clump_body(meshes, world_def->dimensions, index, &def->shape, error);
    if (status)
        return status;
    if (check_numbers(index, "position", def->position, 3, error) ||
        check_numbers(index, "velocity", def->velocity, 3, error) ||
        check_numbers(index, "spin", def->spin, 3, error) ||
        check_plane(world_def->dimensions, index, def->position, def->velocity, def->spin, error) ||
        check_tilt(world_def->dimensions, index, &def->shape, def->orientation, error) ||
        normalise(index, def->orientation, unit, error))
        return SCREE_BAD_VALUE;
    if (find_mass_of_shape(rules, meshes, world_def->dimensions, def, &mass, &why))
        return scree_fail(error, SCREE_BAD_VALUE, "body %" PRIu64 ": %s", index, why.text);
    find_inertia(def, &mass, world_def->dimensions, inertia);
    if (check_inertia(index, inertia, error))
        return SCREE_BAD_VALUE;
    if (def->serial > SCREE_MAX_SERIAL)
        return scree_fail(error, SCREE_BAD_VALUE,
                          "body %" PRIu64 ": serial is %" PRIu64 ", must be at most %" PRIu64,
                          index, def->serial, SCREE_MAX_SERIAL);
    return SCREE_OK;
}

/* ---- global ids that bodies bring ---- */

/*  The global id of each new body, in turn: the given one, or the next. */
static uint64_t deal_serial(const scree_body_def *def, uint64_t *next)
{
    uint64_t serial = def->serial ? def->serial : *next;

    if (serial >= *next)
        *next = serial + 1;
    return serial;
}

/*  Whether a given id may be in use already. An id above all those given out cannot be. */
static bool may_collide(const scree_body_arrays *bodies, const scree_body_def *defs, size_t count)
{
    uint64_t next = bodies->next_serial;

    for (size_t k = 0; k < count; k++) {
        if (defs[k].serial && defs[k].serial < next)
            return true;
        deal_serial(&defs[k], &next);
    }
    return false;
}

/*  Releases the ids reserved for the first `count` definitions. */
static void let_go(scree_body_arrays *bodies, const scree_body_def *defs, size_t count)
{
    uint64_t next = bodies->next_serial;

    for (size_t k = 0; k < count; k++)
        scree_serials_remove(&bodies->serials, deal_serial(&defs[k], &next));
}

static scree_status reserve_serials(scree_body_arrays *bodies, size_t count)
{
    bool are_new = !scree_serials_are_kept(&bodies->serials);
    scree_status status =
        scree_serials_reserve(&bodies->serials, bodies->memory, bodies->count + count);

    for (uint32_t slot = 0; !status && are_new && slot < bodies->count; slot++)
        scree_serials_add(&bodies->serials, bodies->serial[slot][0], bodies->id[slot][0].index1);
    return status;
}

/*  Reserves the ids of all definitions, if the table of ids exists or one of the ids may be in use. */
static scree_status claim_serials(scree_body_arrays *bodies, const scree_body_def *defs,
                                  size_t count, scree_error *error)
{
    uint64_t next = bodies->next_serial;

    if (!scree_serials_are_kept(&bodies->serials) && !may_collide(bodies, defs, count))
        return SCREE_OK;
    if (reserve_serials(bodies, count))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "world: serials: out of memory");
    for (size_t k = 0; k < count; k++) {
        uint64_t serial = deal_serial(&defs[k], &next);
        if (scree_serials_find(&bodies->serials, serial)) {
            let_go(bodies, defs, k);
            return scree_fail(error, SCREE_BAD_ARGUMENT,
                              "body %" PRIu64 ": its serial %" PRIu64 " is taken",
                              bodies->next_serial + k, serial);
        }
        scree_serials_add(&bodies->serials, serial, 0);
    }
    return SCREE_OK;
}

/*  Whether enough ids are left: each body without an id of its own needs one. */
static bool serials_suffice(const scree_body_arrays *bodies, const scree_body_def *defs,
                            size_t count)
{
    uint64_t next = bodies->next_serial;

    for (size_t k = 0; k < count; k++) {
        if (!defs[k].serial && next > SCREE_MAX_SERIAL)
            return false;
        deal_serial(&defs[k], &next);
    }
    return true;
}

/* ---- entering ---- */

static void set_row(double row[4], const double v[3], double fourth)
{
    memcpy(row, v, 3 * sizeof *v);
    row[3] = fourth;
}

static void write_body(scree_world *world, const scree_body_def *def)
{
    scree_body_arrays *bodies = &world->bodies;
    uint32_t slot = scree_bodies_push(bodies);
    static const double zero[8] = {0};
    double *inertia = bodies->inertia[slot];
    scree_mass mass;

    find_mass_of_shape(&world->rules, &world->shape_finder.meshes, world->def.dimensions, def,
                       &mass, NULL);
    find_inertia(def, &mass, world->def.dimensions, inertia);
    bool is_round = inertia[0] == inertia[1] && inertia[1] == inertia[2];
    set_row(bodies->position[slot], def->position,
            radius_of_shape(&world->shape_finder.meshes, &def->shape));
    set_row(bodies->velocity[slot], def->velocity, 1 / inertia[3]);
    set_row(bodies->spin[slot], def->spin, is_round ? 1 / inertia[2] : 0);
    normalise(0, def->orientation, bodies->orientation[slot], NULL);
    set_row(bodies->force[slot], zero, 0);
    set_row(bodies->torque[slot], zero, 0);
    if (bodies->keeps[SCREE_KEEP_LOADS])
        memset(bodies->load[slot], 0, sizeof bodies->load[slot]);
    if (bodies->keeps[SCREE_KEEP_ACCOUNTS])
        memset(bodies->account[slot], 0, sizeof bodies->account[slot]);
    bodies->serial[slot][0] = deal_serial(def, &bodies->next_serial);
    if (scree_serials_are_kept(&bodies->serials))
        scree_serials_find(&bodies->serials, bodies->serial[slot][0])->index1 =
            bodies->id[slot][0].index1;
    bodies->groups[slot][0] = def->groups;
    bodies->mask[slot][0] = def->mask;
    bodies->user[slot][0] = def->user;
    bodies->material[slot][0] = def->material.index1;
    bodies->flags[slot][0] = scree_body_flags_of(def->type, def->flags);
    bodies->marked[slot][0] = 0;
    /* fields that this kind of shape does not use are zero */
    memset(&bodies->shape[slot][0], 0, sizeof bodies->shape[slot][0]);
    if (scree_shape_is_of_triangles(&def->shape))
        bodies->shape[slot][0] = scree_shape_mesh(
            def->shape.mesh, scree_shape_has_skin(&def->shape) ? scree_shape_skin(&def->shape) : 0);
    if (def->shape.kind == SCREE_SHAPE_CLUMP)
        bodies->shape[slot][0] = scree_shape_clump(def->shape.clump);
    bodies->shape[slot][0].kind = def->shape.kind;
    bodies->shape[slot][0].radius = bodies->position[slot][3];
    scree_bodies_tally(bodies, slot, 1);
    bodies->added++;
    scree_energy_balance_enter(&world->def, bodies, slot, &world->clock);
    scree_heat_enter(&world->heat, bodies, slot);
    scree_ambient_enter(bodies, slot);
    scree_sleep_enter(&world->sleep, &world->bodies, slot);
}

static scree_status reserve_for(scree_body_arrays *bodies, scree_contact_list *pairs,
                                scree_wall_contacts *wall_contacts, size_t wanted)
{
    scree_status status = scree_bodies_reserve(bodies, wanted);

    if (!status)
        status = scree_contact_list_admit(pairs, bodies->count, (uint32_t)wanted);
    if (!status)
        status = scree_wall_contacts_admit(wall_contacts, bodies->count, (uint32_t)wanted);
    return status;
}

/*  All of them, or on failure none. */
static scree_status add_bodies(scree_world *world, const scree_body_def *defs, size_t count,
                               scree_body_id *ids)
{
    for (size_t k = 0; k < count; k++) {
        scree_status status = check_body(&world->rules, &world->shape_finder.meshes, &world->def,
                                         world->bodies.next_serial + k, &defs[k], &world->error);
        if (status)
            return status;
    }
    scree_status status = count > SCREE_MAX_WORLD_BODIES - world->bodies.count ||
                                  !serials_suffice(&world->bodies, defs, count)
                              ? SCREE_TOO_LARGE
                              : reserve_for(&world->bodies, &world->pairs, &world->wall_contacts,
                                            world->bodies.count + count);
    if (status)
        return scree_fail(&world->error, status, "world: no room for %zu more bodies: %s", count,
                          scree_status_name(status));
    status = claim_serials(&world->bodies, defs, count, &world->error);
    if (status)
        return status;
    for (size_t k = 0; k < count; k++) {
        write_body(world, &defs[k]);
        if (ids)
            ids[k] = world->bodies.id[world->bodies.count - 1][0];
    }
    if (count) {
        world->needs_search = true;
        world->clock.unprimed = 1;
    }
    return SCREE_OK;
}

/*  Whether they can be used where they lie. */
static bool are_of_this_version(const scree_body_def *defs, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (defs[k].cookie != BODY_COOKIE || defs[k].size != sizeof *defs)
            return false;
    return true;
}

/*  Reads definitions of a host; they lie as far apart as the first says. */
static scree_status read_defs(const scree_world *world, const scree_body_def *given, size_t count,
                              scree_body_def *defs, scree_error *error)
{
    const scree_body_def standard = scree_default_body_def();

    for (size_t k = 0; k < count; k++) {
        defs[k] = standard;
        const void *at = (const char *)given + k * given->size;
        if (!scree_definition_read(&defs[k], at))
            return scree_fail(error, SCREE_BAD_DEF,
                              "body %" PRIu64 ": the definition is not from scree_default_body_def",
                              world->bodies.next_serial + k);
    }
    return SCREE_OK;
}

scree_status scree_world_add_bodies(scree_world *world, const scree_body_def *defs, size_t count,
                                    scree_body_id *ids)
{
    scree_body_def *own = NULL;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    if (count && !defs)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT, "world: defs is NULL");
    if (are_of_this_version(defs, count))
        return add_bodies(world, defs, count, ids);
    if (scree_memory_take(&world->memory, count, sizeof *own, &own))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY,
                          "world: no room for %zu definitions of bodies", count);
    scree_status status = read_defs(world, defs, count, own, &world->error);
    if (!status)
        status = add_bodies(world, own, count, ids);
    scree_memory_give(&world->memory, &own, count, sizeof *own);
    return status;
}

scree_status scree_world_add_body(scree_world *world, const scree_body_def *def, scree_body_id *id)
{
    return scree_world_add_bodies(world, def, 1, id);
}

/* ---- changing ---- */

static bool is_of_same_geometry(const scree_shape *a, const scree_shape *b)
{
    return scree_shape_geometry(a) == scree_shape_geometry(b);
}

static scree_status check_same(const scree_body_arrays *bodies, size_t slot, const scree_body *body,
                               scree_error *error)
{
    const char *field =
        body->serial != bodies->serial[slot][0]               ? "serial"
        : body->shape.kind != bodies->shape[slot][0].kind     ? "shape"
        : body->shape.radius != bodies->shape[slot][0].radius ? "radius"
        : scree_shape_skin(&body->shape) != scree_shape_skin(&bodies->shape[slot][0])
            ? scree_shape_skin_name(&body->shape)
        : !is_of_same_geometry(&body->shape, &bodies->shape[slot][0])        ? "mesh or clump"
        : body->mass != bodies->inertia[slot][3]                             ? "mass"
        : memcmp(body->inertia, bodies->inertia[slot], sizeof body->inertia) ? "inertia"
                                                                             : NULL;
    return field ? scree_fail(error, SCREE_BAD_ARGUMENT, "body %" PRIu64 ": %s cannot be changed",
                              bodies->serial[slot][0], field)
                 : SCREE_OK;
}

/*  A changed type decides. If the type stays, the flags decide, and a static body with a free component becomes
    dynamic. What the boundary has stopped stays so, unless it is put elsewhere. */
static uint32_t changed_flags(uint32_t present, const scree_body *body, bool has_moved)
{
    bool is_frozen = (body->flags & SCREE_FREEZE) == SCREE_FREEZE;
    uint32_t kept = has_moved ? 0 : present & SCREE_FLAG_STOPPED;

    if (body->type != scree_body_type_of(present))
        return kept | scree_body_flags_of(body->type, body->flags & ~SCREE_FREEZE);
    return kept | body->flags | (is_frozen ? present & SCREE_FLAG_STATIC : 0);
}

static scree_status check_change(const scree_body_arrays *bodies, const scree_rules *rules,
                                 int dimensions, size_t slot, const scree_body *body,
                                 scree_error *error)
{
    uint64_t serial = bodies->serial[slot][0];

    if (check_same(bodies, slot, body, error) ||
        check_material(rules, serial, body->material.index1, error))
        return SCREE_BAD_ARGUMENT;
    if (check_type(serial, body->type, body->flags, body->velocity, body->spin, error))
        return SCREE_BAD_VALUE;
    if (check_numbers(serial, "position", body->position, 3, error) ||
        check_numbers(serial, "velocity", body->velocity, 3, error) ||
        check_numbers(serial, "spin", body->spin, 3, error) ||
        check_numbers(serial, "load", body->load, 6, error) ||
        check_plane(dimensions, serial, body->position, body->velocity, body->spin, error) ||
        check_tilt(dimensions, serial, &body->shape, body->orientation, error))
        return SCREE_BAD_VALUE;
    return SCREE_OK;
}

scree_status scree_body_def_place(scree_body_def *def, const double origin[3],
                                  const double orientation[4])
{
    double centre[3], axes[4], turn[4];
    scree_status status;

    if (!def || !origin || !orientation)
        return SCREE_BAD_ARGUMENT;
    memcpy(turn, orientation, sizeof turn);
    status = scree_shape_frame(&def->shape, centre, axes, NULL);
    if (status)
        return status;
    if (!scree_quaternion_normalise(turn))
        return SCREE_BAD_VALUE;
    memcpy(def->position, origin, sizeof def->position);
    scree_quaternion_shift(turn, centre, 1, def->position);
    scree_quaternion_multiply(turn, axes, def->orientation);
    return SCREE_OK;
}

static bool has_load(const scree_body *body)
{
    bool has = false;

    for (int k = 0; k < 6; k++)
        has |= body->load[k] != 0;
    return has;
}

scree_status scree_world_set_body(scree_world *world, scree_body_id id, const scree_body *body)
{
    size_t at = world ? scree_bodies_slot(&world->bodies, id) : SIZE_MAX;
    uint32_t slot = (uint32_t)at;
    scree_body_arrays *bodies;
    double unit[4], energy, heat;
    scree_status status;

    if (!world || !body)
        return SCREE_BAD_ARGUMENT;
    if (at == SIZE_MAX)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "world: the id to be set names no body (index1 %u)", id.index1);
    bodies = &world->bodies;
    status = check_change(bodies, &world->rules, world->def.dimensions, slot, body, &world->error);
    if (!status)
        status = normalise(body->serial, body->orientation, unit, &world->error);
    if (status)
        return status;
    if (has_load(body) && scree_bodies_keep(bodies, SCREE_KEEP_LOADS))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: loads of bodies: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    energy = scree_body_energy(&world->bodies, world->def.gravity, slot);
    heat = scree_heat_content(&world->bodies, &world->heat, slot);
    scree_bodies_tally(bodies, slot, -1);
    bodies->groups[slot][0] = body->groups;
    bodies->mask[slot][0] = body->mask;
    bodies->user[slot][0] = body->user;
    bodies->material[slot][0] = body->material.index1;
    bodies->flags[slot][0] =
        changed_flags(bodies->flags[slot][0], body,
                      memcmp(bodies->position[slot], body->position, sizeof body->position) != 0);
    memcpy(bodies->position[slot], body->position, sizeof body->position);
    memcpy(bodies->velocity[slot], body->velocity, sizeof body->velocity);
    memcpy(bodies->spin[slot], body->spin, sizeof body->spin);
    /* a quaternion that has unit length already keeps its bits */
    if (memcmp(bodies->orientation[slot], body->orientation, sizeof body->orientation) != 0)
        memcpy(bodies->orientation[slot], unit, sizeof unit);
    if (bodies->keeps[SCREE_KEEP_LOADS])
        memcpy(bodies->load[slot], body->load, sizeof body->load);
    scree_bodies_tally(bodies, slot, 1);
    scree_energy_balance_change(&world->def, bodies, slot, energy, &world->clock);
    scree_heat_change(&world->heat, bodies, slot, heat);
    scree_sleep_enter(&world->sleep, &world->bodies, slot);
    /* interactions may have changed: groups, mask or material may be different */
    scree_wall_contacts_renew(&world->wall_contacts, slot);
    world->needs_search = true;
    world->clock.unprimed = 1;
    return SCREE_OK;
}
