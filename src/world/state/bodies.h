/*  Bodies of a world: one array for each quantity, and a row for each body, in slots 0 .. count - 1 without holes. A
    slot is the present row of a body. It changes when another body is removed, and when bodies are sorted in space.
    A body keeps its handle, which the host uses, and its global id (serial), which decides the order of sums. All
    loops over the state use the list of fields, so that no field can be forgotten. */
#ifndef SCREE_WORLD_BODIES_H
#define SCREE_WORLD_BODIES_H

#include "base/memory.h"
#include "scree/world.h"
#include "shape/shape_skin.h"
#include "world/state/serials.h"

/*  Why a column exists: index of `keeps` of the body arrays. */
typedef enum scree_kept
{
    SCREE_KEEP_ALWAYS,
    SCREE_KEEP_LOADS,    /* once a body has had a load */
    SCREE_KEEP_ACCOUNTS, /* with an energy balance */
    SCREE_KEEP_HEAT,
    SCREE_KEEP_SLEEP,
    SCREE_KEEP_AMBIENT, /* with an energy balance and a fluid or force field */
    SCREE_KEEPS,
} scree_kept;

/*  Type, name, number of values per body, and when the column exists. The fourth value of a row is used together
    with the other three in every formula, so that all are in one cache line. Columns that a step changes have a
    second copy: the previous state, to which a failed step returns. */
#define SCREE_MOTION_FIELDS(X)                                                                     \
    X(double, position, 4, SCREE_KEEP_ALWAYS) /* x y z, and the radius of the bounding sphere */   \
    X(double, velocity, 4, SCREE_KEEP_ALWAYS) /* x y z, and 1 / mass */                            \
    X(double, spin, 4, SCREE_KEEP_ALWAYS) /* in space; 1 / inertia, or 0 if it differs by axis */  \
    X(double, orientation, 4, SCREE_KEEP_ALWAYS)                                                   \
    X(double, force, 4, SCREE_KEEP_ALWAYS) /* total force of the last evaluation; 0 */             \
    X(double, torque, 4, SCREE_KEEP_ALWAYS)

/*  A column that does not exist is NULL; in snapshots and digests it counts as zeros. */
#define SCREE_OTHER_FIELDS(X)                                                                      \
    X(double, inertia, 4, SCREE_KEEP_ALWAYS) /* about the body's axes, and the mass */             \
    X(double, load, 6, SCREE_KEEP_LOADS)                                                           \
    X(double, account, 8, SCREE_KEEP_ACCOUNTS) /* see energy_balance.h */                          \
    X(uint64_t, serial, 1, SCREE_KEEP_ALWAYS)                                                      \
    X(uint64_t, groups, 1, SCREE_KEEP_ALWAYS)                                                      \
    X(uint64_t, mask, 1, SCREE_KEEP_ALWAYS)                                                        \
    X(uint64_t, user, 1, SCREE_KEEP_ALWAYS)                                                        \
    X(scree_body_id, id, 1, SCREE_KEEP_ALWAYS)                                                     \
    X(uint32_t, material, 1, SCREE_KEEP_ALWAYS) /* index1 */                                       \
    X(uint32_t, flags, 1, SCREE_KEEP_ALWAYS)                                                       \
    X(uint8_t, marked, 1, SCREE_KEEP_ALWAYS) /* 0 between calls */                                 \
    X(scree_shape, shape, 1, SCREE_KEEP_ALWAYS)

#define SCREE_BODY_FIELDS(X) SCREE_MOTION_FIELDS(X) SCREE_OTHER_FIELDS(X)

/*  Columns that exist only if a world uses them. Otherwise they are NULL and no part of snapshots and digests.
    `still` says whether a body sleeps in the current step; it is no part of the state. */
#define SCREE_EXTRA_FIELDS(X)                                                                      \
    X(double, heat, 8, SCREE_KEEP_HEAT)   /* see body_heat.h */                                    \
    X(double, sleep, 8, SCREE_KEEP_SLEEP) /* see sleep.h */                                        \
    X(uint8_t, still, 1, SCREE_KEEP_SLEEP)                                                         \
    X(double, ambient, 11, SCREE_KEEP_AMBIENT) /* see ambient.h */

#define SCREE_EVERY_FIELD(X) SCREE_BODY_FIELDS(X) SCREE_EXTRA_FIELDS(X)

/*  Energy terms of a body in joules. Terms of a contact belong to its first body. */
enum
{
    SCREE_ACCOUNT_DAMPING,
    SCREE_ACCOUNT_FRICTION,
    SCREE_ACCOUNT_ROLLING,
    SCREE_ACCOUNT_BODY_DAMPING,
    SCREE_ACCOUNT_WALLS,
    SCREE_ACCOUNT_LOADS,
    SCREE_ACCOUNT_BOUNDARY,
    SCREE_ACCOUNT_ELASTIC, /* the present value, not a sum over time */
    SCREE_ACCOUNTS,
};

/*  Gather instructions index doubles of rows with 32 bits. */
#define SCREE_MAX_WORLD_BODIES (1u << 29)

typedef struct scree_body_name
{
    uint32_t slot; /* of its body, or the next free name (index1) */
    uint32_t generation;
    bool taken;
} scree_body_name;

typedef struct scree_body_arrays
{
    scree_memory *memory;
    uint32_t count;
#define X(type, name, n, when)                                                                     \
    type(*name)[n];                                                                                \
    size_t name##_capacity;
    SCREE_EVERY_FIELD(X)
#undef X
#define X(type, name, n, when)                                                                     \
    type(*name##_before)[n];                                                                       \
    size_t name##_before_capacity;
    SCREE_MOTION_FIELDS(X)
#undef X
    scree_body_name *names; /* index: index1 - 1 */
    size_t name_capacity;
    uint32_t name_count, free_name; /* index1 of the first free name; 0: none */
    uint32_t retired;               /* names whose generations are used up */
    uint64_t next_serial;
    scree_serials serials; /* global ids, if bodies have brought their own */
    uint64_t added, removed, destroyed;
    /*  Number of bodies of each kind; 0 skips the tests for it. */
    uint32_t special;          /* with flags, groups or a mask */
    uint32_t odd;              /* with flags, or with an inertia that differs by axis */
    uint32_t loaded;           /* with a load that is not 0 */
    uint32_t nonspheres;       /* that are not spheres */
    double lightest, smallest; /* smallest mass and radius, if known: see scree_bodies_find_least */
    double thinnest;           /* smallest scree_body_thickness */
    bool least_is_known;
    bool keeps[SCREE_KEEPS]; /* which columns exist; the values of the others are 0 */
} scree_body_arrays;

void scree_bodies_init(scree_body_arrays *bodies, scree_memory *memory);
void scree_bodies_free(scree_body_arrays *bodies);
/*  Reserves rows. Changes nothing else. */
scree_status scree_bodies_reserve(scree_body_arrays *bodies, size_t wanted);

/*  Adds a column of zeros. SCREE_OUT_OF_MEMORY changes nothing. scree_bodies_drop removes it. */
scree_status scree_bodies_keep(scree_body_arrays *bodies, scree_kept what);
void scree_bodies_drop(scree_body_arrays *bodies, scree_kept what);

/*  SIZE_MAX if there is no such body. */
size_t scree_bodies_slot(const scree_body_arrays *bodies, scree_body_id id);

/*  Adds a body in the last slot and names it. Its fields are not set. There must be room. */
uint32_t scree_bodies_push(scree_body_arrays *bodies);
/*  Removes a body. The last body moves to its slot. */
void scree_bodies_remove(scree_body_arrays *bodies, uint32_t slot);
/*  Swaps the arrays with their second copies: at the start of a step, and to undo it. */
void scree_bodies_swap(scree_body_arrays *bodies);
/*  Moves the body in slot order[k] to slot k. `buffer` has room for the widest row of each body. */
void scree_bodies_permute(scree_body_arrays *bodies, const uint32_t *order, void *buffer);
size_t scree_bodies_widest(const scree_body_arrays *bodies); /* in bytes */

/*  Updates the counts of kinds: 1 after a body was added or changed, -1 before it is removed or changed. */
void scree_bodies_tally(scree_body_arrays *bodies, uint32_t slot, int by);
/*  The smallest distance that something must move to pass through a body: the radius of a sphere, the radius of the
    smallest pebble of a clump, the contact skin of a mesh. */
double scree_body_thickness(const scree_body_arrays *bodies, uint32_t slot);
/*  Finds `lightest`, `smallest` and `thinnest`; 1 if there are no bodies. */
void scree_bodies_find_least(scree_body_arrays *bodies);

/*  Reads one body, or all, in the form that hosts see. */
void scree_bodies_get(const scree_body_arrays *bodies, uint32_t slot, scree_body *body);
scree_bodies_view scree_bodies_view_of(const scree_body_arrays *bodies);

/*  A private flag: the body is static. All its components are frozen, which is all that a step needs to know. */
#define SCREE_FLAG_STATIC 0x80u

/*  A private flag: the boundary of the domain has stopped the body, and it is still outside. */
#define SCREE_FLAG_STOPPED 0x100u

/*  Whether a body may have these flags. */
static inline bool scree_body_flags_are_sound(uint32_t flags)
{
    return !(flags & ~(SCREE_FREEZE | SCREE_GHOST | SCREE_FLAG_STATIC | SCREE_FLAG_STOPPED)) &&
           (!(flags & SCREE_FLAG_STATIC) || (flags & SCREE_FREEZE) == SCREE_FREEZE);
}
/*  The components that no force moves, as SCREE_FREEZE bits. Contacts go by the flags themselves. */
static inline uint32_t scree_body_held(uint32_t flags)
{
    return flags & SCREE_FLAG_STOPPED ? flags | SCREE_FREEZE : flags;
}

/*  Conversion between flags and types: the type of a body with these flags, and the flags that a type freezes. */
static inline scree_body_type scree_body_type_of(uint32_t flags)
{
    return flags & SCREE_FLAG_STATIC                ? SCREE_BODY_STATIC
           : (flags & SCREE_FREEZE) == SCREE_FREEZE ? SCREE_BODY_KINEMATIC
                                                    : SCREE_BODY_DYNAMIC;
}
static inline uint32_t scree_body_flags_of(scree_body_type type, uint32_t flags)
{
    return flags | (type == SCREE_BODY_DYNAMIC ? 0 : SCREE_FREEZE) |
           (type == SCREE_BODY_STATIC ? SCREE_FLAG_STATIC : 0);
}

/*  Whether the body is a copy of a body that another world moves. */
static inline bool scree_is_ghost(const scree_body_arrays *bodies, uint32_t slot)
{
    return (bodies->flags[slot][0] & SCREE_GHOST) != 0;
}

/*  Effective mass and radius of a contact of two bodies, m1 m2 / (m1 + m2) and r1 r2 / (r1 + r2), with the rounding
    of the kernels. */
static inline void scree_pair_size(const scree_body_arrays *bodies, uint32_t a, uint32_t b,
                                   double *mass, double *radius)
{
    double r1 = bodies->position[a][3], r2 = bodies->position[b][3];

    *mass = 1 / (bodies->velocity[a][3] + bodies->velocity[b][3]);
    *radius = r1 * r2 / (r1 + r2);
}

/*  Whether two bodies may interact: by their groups, and because at least one can move. */
bool scree_bodies_meet(const scree_body_arrays *bodies, uint32_t a, uint32_t b);

/*  Whether it has a mesh; that of a superquadric is not what touches. */
static inline bool scree_shape_is_of_triangles(const scree_shape *shape)
{
    return shape->kind == SCREE_SHAPE_MESH || shape->kind == SCREE_SHAPE_BLOCK ||
           shape->kind == SCREE_SHAPE_SUPERQUADRIC;
}

/*  Whether it is in contact at a distance, that of its contact skin or rounding. */
static inline bool scree_shape_has_skin(const scree_shape *shape)
{
    return shape->kind == SCREE_SHAPE_MESH || shape->kind == SCREE_SHAPE_BLOCK;
}

/*  Whether the body is not a sphere. */
static inline bool scree_is_not_sphere(const scree_body_arrays *bodies, uint32_t slot)
{
    return bodies->nonspheres && bodies->shape[slot][0].kind != SCREE_SHAPE_SPHERE;
}
static inline bool scree_is_of_triangles(const scree_body_arrays *bodies, uint32_t slot)
{
    return scree_shape_is_of_triangles(&bodies->shape[slot][0]);
}
/*  Contact skin or rounding of a body; 0 for spheres and clumps. */
static inline double scree_body_skin(const scree_body_arrays *bodies, uint32_t slot)
{
    return scree_is_not_sphere(bodies, slot) ? scree_shape_skin(&bodies->shape[slot][0]) : 0;
}

#endif
