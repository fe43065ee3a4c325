/*  Storage of bodies without holes, and the table of handles. */
#include "world/state/bodies.h"

#include "shape/clump.h"
#include "shape/mesh.h"

#include <math.h>
#include <string.h>

void scree_bodies_init(scree_body_arrays *bodies, scree_memory *memory)
{
    memset(bodies, 0, sizeof *bodies);
    bodies->memory = memory;
    bodies->keeps[SCREE_KEEP_ALWAYS] = true;
    bodies->next_serial = 1;
}

#define X_FREE(type, name, n, when)                                                                \
    scree_memory_give_lines(bodies->memory, &bodies->name, bodies->name##_capacity,                \
                            sizeof *bodies->name);
#define X_FREE_BEFORE(type, name, n, when) X_FREE(type, name##_before, n, when)

void scree_bodies_free(scree_body_arrays *bodies)
{
    SCREE_EVERY_FIELD(X_FREE)
    SCREE_MOTION_FIELDS(X_FREE_BEFORE)
    scree_memory_give(bodies->memory, &bodies->names, bodies->name_capacity, sizeof *bodies->names);
    scree_serials_free(&bodies->serials, bodies->memory);
}

#define X_RESERVE(type, name, n, when)                                                             \
    if (bodies->keeps[when] &&                                                                     \
        scree_memory_reserve_lines(bodies->memory, &bodies->name, &bodies->name##_capacity,        \
                                   wanted, sizeof *bodies->name))                                  \
        return SCREE_OUT_OF_MEMORY;
#define X_RESERVE_BEFORE(type, name, n, when) X_RESERVE(type, name##_before, n, when)

scree_status scree_bodies_reserve(scree_body_arrays *bodies, size_t wanted)
{
    if (wanted > SCREE_MAX_WORLD_BODIES)
        return SCREE_TOO_LARGE;
    SCREE_EVERY_FIELD(X_RESERVE)
    SCREE_MOTION_FIELDS(X_RESERVE_BEFORE)
    return scree_memory_reserve(bodies->memory, &bodies->names, &bodies->name_capacity,
                                wanted + bodies->retired, sizeof *bodies->names);
}

#define X_DROP(type, name, n, when)                                                                \
    if ((when) == what) {                                                                          \
        X_FREE(type, name, n, when)                                                                \
        bodies->name##_capacity = 0;                                                               \
    }

void scree_bodies_drop(scree_body_arrays *bodies, scree_kept what)
{
    SCREE_EVERY_FIELD(X_DROP)
    bodies->keeps[what] = false;
}

#define X_ROOM(type, name, n, when)                                                                \
    if ((when) == what &&                                                                          \
        scree_memory_reserve_lines(bodies->memory, &bodies->name, &bodies->name##_capacity,        \
                                   bodies->position_capacity, sizeof *bodies->name)) {             \
        scree_bodies_drop(bodies, what);                                                           \
        return SCREE_OUT_OF_MEMORY;                                                                \
    }
#define X_CLEAR(type, name, n, when)                                                               \
    if ((when) == what && bodies->name##_capacity)                                                 \
        memset(bodies->name, 0, bodies->name##_capacity * sizeof *bodies->name);

scree_status scree_bodies_keep(scree_body_arrays *bodies, scree_kept what)
{
    if (bodies->keeps[what])
        return SCREE_OK;
    SCREE_EVERY_FIELD(X_ROOM)
    SCREE_EVERY_FIELD(X_CLEAR)
    bodies->keeps[what] = true;
    return SCREE_OK;
}

size_t scree_bodies_slot(const scree_body_arrays *bodies, scree_body_id id)
{
    const scree_body_name *name;

    if (id.index1 == 0 || id.index1 > bodies->name_count)
        return SIZE_MAX;
    name = &bodies->names[id.index1 - 1];
    return name->taken && name->generation == id.generation ? name->slot : SIZE_MAX;
}

/*  Reuses freed names first; their generation has increased since. So the number of names is at most the largest
    number of bodies at any time, plus the names whose generations are used up. */
uint32_t scree_bodies_push(scree_body_arrays *bodies)
{
    uint32_t slot = bodies->count++, index1 = bodies->free_name;
    scree_body_name *name;

    if (index1 == 0) {
        index1 = ++bodies->name_count;
        bodies->names[index1 - 1] = (scree_body_name){0, 1, false};
    } else {
        bodies->free_name = bodies->names[index1 - 1].slot;
    }
    name = &bodies->names[index1 - 1];
    name->slot = slot;
    name->taken = true;
    bodies->id[slot][0] = (scree_body_id){index1, name->generation};
    return slot;
}

void scree_bodies_tally(scree_body_arrays *bodies, uint32_t slot, int by)
{
    bool has_flags = bodies->flags[slot][0] != 0, is_loaded = false;

    bodies->least_is_known = false;
    for (int k = 0; bodies->keeps[SCREE_KEEP_LOADS] && k < 6; k++)
        is_loaded |= bodies->load[slot][k] != 0;
    if (has_flags || bodies->groups[slot][0] != 1 || bodies->mask[slot][0] != UINT64_MAX)
        bodies->special += (uint32_t)by;
    if (has_flags || bodies->spin[slot][3] == 0)
        bodies->odd += (uint32_t)by;
    if (is_loaded)
        bodies->loaded += (uint32_t)by;
    if (bodies->shape[slot][0].kind != SCREE_SHAPE_SPHERE)
        bodies->nonspheres += (uint32_t)by;
}

double scree_body_thickness(const scree_body_arrays *bodies, uint32_t slot)
{
    const scree_shape *shape = &bodies->shape[slot][0];

    if (!scree_is_not_sphere(bodies, slot))
        return bodies->position[slot][3];
    if (shape->kind == SCREE_SHAPE_SUPERQUADRIC)
        return shape->mesh->quadric.thin;
    return shape->kind == SCREE_SHAPE_CLUMP ? shape->clump->smallest : scree_shape_skin(shape);
}

void scree_bodies_find_least(scree_body_arrays *bodies)
{
    double lightest = INFINITY, smallest = INFINITY, thinnest = INFINITY;

    if (bodies->least_is_known)
        return;
    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        double mass = bodies->inertia[slot][3], radius = bodies->position[slot][3];
        lightest = mass < lightest ? mass : lightest;
        smallest = radius < smallest ? radius : smallest;
        double thickness = scree_body_thickness(bodies, slot);
        thinnest = thickness < thinnest ? thickness : thinnest;
    }
    bodies->lightest = bodies->count ? lightest : 1;
    bodies->smallest = bodies->count ? smallest : 1;
    bodies->thinnest = bodies->count ? thinnest : 1;
    bodies->least_is_known = true;
}

#define X_MOVE(type, name, n, when)                                                                \
    if (bodies->name)                                                                              \
        memcpy(bodies->name[slot], bodies->name[last], sizeof *bodies->name);

void scree_bodies_remove(scree_body_arrays *bodies, uint32_t slot)
{
    uint32_t last = --bodies->count, index1 = bodies->id[slot][0].index1;
    scree_body_name *name = &bodies->names[index1 - 1];

    name->taken = false;
    name->slot = bodies->free_name;
    /* a name whose generations are used up is never given out again: an old handle would become valid */
    if (++name->generation != 0)
        bodies->free_name = index1;
    else
        bodies->retired++;
    scree_bodies_tally(bodies, slot, -1);
    scree_serials_remove(&bodies->serials, bodies->serial[slot][0]);
    if (slot != last) {
        SCREE_EVERY_FIELD(X_MOVE)
        bodies->names[bodies->id[slot][0].index1 - 1].slot = slot;
    }
}

#define X_SWAP(type, name, n, when)                                                                \
    {                                                                                              \
        type(*kept)[n] = bodies->name;                                                             \
        size_t capacity = bodies->name##_capacity;                                                 \
        bodies->name = bodies->name##_before;                                                      \
        bodies->name##_capacity = bodies->name##_before_capacity;                                  \
        bodies->name##_before = kept;                                                              \
        bodies->name##_before_capacity = capacity;                                                 \
    }

void scree_bodies_swap(scree_body_arrays *bodies){SCREE_MOTION_FIELDS(X_SWAP)}

#define X_WIDEST(type, name, n, when)                                                              \
    widest = sizeof *bodies->name > widest ? sizeof *bodies->name : widest;

size_t scree_bodies_widest(const scree_body_arrays *bodies)
{
    size_t widest = 0;
    SCREE_EVERY_FIELD(X_WIDEST)
    return widest;
}

#define X_PERMUTE(type, name, n, when)                                                             \
    if (bodies->name) {                                                                            \
        type(*rows)[n] = bodies->name, (*sorted)[n] = buffer;                                      \
        for (size_t slot = 0; slot < bodies->count; slot++)                                        \
            memcpy(sorted[slot], rows[order[slot]], sizeof *sorted);                               \
        memcpy(rows, sorted, bodies->count * sizeof *sorted);                                      \
    }

void scree_bodies_permute(scree_body_arrays *bodies, const uint32_t *order, void *buffer)
{
    SCREE_EVERY_FIELD(X_PERMUTE)
    for (uint32_t slot = 0; slot < bodies->count; slot++)
        bodies->names[bodies->id[slot][0].index1 - 1].slot = slot;
}

static bool is_held(const scree_body_arrays *bodies, uint32_t slot)
{
    return (bodies->flags[slot][0] & SCREE_FREEZE) == SCREE_FREEZE;
}

bool scree_bodies_meet(const scree_body_arrays *bodies, uint32_t a, uint32_t b)
{
    if (!(bodies->groups[a][0] & bodies->mask[b][0]) ||
        !(bodies->groups[b][0] & bodies->mask[a][0]))
        return false;
    if (bodies->flags[a][0] & bodies->flags[b][0] & SCREE_GHOST)
        return false;
    return !(is_held(bodies, a) && is_held(bodies, b));
}

void scree_bodies_get(const scree_body_arrays *bodies, uint32_t slot, scree_body *body)
{
    memset(body, 0, sizeof *body);
    body->id = bodies->id[slot][0];
    body->serial = bodies->serial[slot][0];
    body->groups = bodies->groups[slot][0];
    body->mask = bodies->mask[slot][0];
    body->user = bodies->user[slot][0];
    body->shape = bodies->shape[slot][0];
    body->material.index1 = bodies->material[slot][0];
    body->flags = bodies->flags[slot][0] & ~(SCREE_FLAG_STATIC | SCREE_FLAG_STOPPED);
    body->type = scree_body_type_of(bodies->flags[slot][0]);
    memcpy(body->position, bodies->position[slot], sizeof body->position);
    memcpy(body->velocity, bodies->velocity[slot], sizeof body->velocity);
    memcpy(body->spin, bodies->spin[slot], sizeof body->spin);
    memcpy(body->orientation, bodies->orientation[slot], sizeof body->orientation);
    memcpy(body->inertia, bodies->inertia[slot], sizeof body->inertia);
    memcpy(body->force, bodies->force[slot], sizeof body->force);
    memcpy(body->torque, bodies->torque[slot], sizeof body->torque);
    if (bodies->keeps[SCREE_KEEP_LOADS])
        memcpy(body->load, bodies->load[slot], sizeof body->load);
    body->mass = bodies->inertia[slot][3];
}

/*  Rows of a column, from the number `first` of each. */
#define REALS(column, first) scree_doubles(&bodies->column[0][first], sizeof *bodies->column)
#define INTEGERS(column) scree_integer_view(bodies->column[0], sizeof *bodies->column)

scree_bodies_view scree_bodies_view_of(const scree_body_arrays *bodies)
{
    if (bodies->count == 0)
        return (scree_bodies_view){0};
    return (scree_bodies_view){
        .count = bodies->count,
        .id = INTEGERS(id),
        .serial = INTEGERS(serial),
        .position = REALS(position, 0),
        .radius = REALS(position, 3),
        .velocity = REALS(velocity, 0),
        .inverse_mass = REALS(velocity, 3),
        .spin = REALS(spin, 0),
        .inverse_inertia = REALS(spin, 3),
        .orientation = REALS(orientation, 0),
        .force = REALS(force, 0),
        .torque = REALS(torque, 0),
        .material = INTEGERS(material),
        .user = INTEGERS(user),
    };
}

#undef REALS
#undef INTEGERS
