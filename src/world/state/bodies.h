/*  Bodies of a world: one array for each quantity, a row for each body, in slots 0 .. count - 1 without
    holes. A slot is where a body lies now; it moves when another is removed, and when bodies are sorted by
    place. What lasts is its id, which the host knows it by, and its serial number, which decides the order
    of sums. All loops over the state go through the list of fields, so no field is ever forgotten. */
#ifndef SCREE_WORLD_BODIES_H
#define SCREE_WORLD_BODIES_H

#include "base/memory.h"
#include "scree/world.h"
#include "world/state/serials.h"

/*  By which flag of scree_crowd a column is kept: `keeps`. */
typedef enum scree_kept
{
    SCREE_KEEP_ALWAYS,
    SCREE_KEEP_LOADS,    /* since a body was given one */
    SCREE_KEEP_ACCOUNTS, /* with an energy balance */
    SCREE_KEEP_HEAT,
    SCREE_KEEP_REST,
    SCREE_KEEPS,
} scree_kept;

/*  type, name, how many of it a body has, when it is kept. The fourth of a row is what goes with it in every formula,
    so that both come in one line of the cache. What a step changes has a twin: the state before it, where the
    step is not taken in the end. */
#define SCREE_MOTION_FIELDS(X)                                                                     \
    X(double, position, 4, SCREE_KEEP_ALWAYS) /* x y z, and the radius of the sphere around it */  \
    X(double, velocity, 4, SCREE_KEEP_ALWAYS) /* and 1 / mass */                                   \
    X(double, spin, 4, SCREE_KEEP_ALWAYS) /* in space, and 1 / inertia; 0: it differs by axis */   \
    X(double, orientation, 4, SCREE_KEEP_ALWAYS)                                                   \
    X(double, force, 4, SCREE_KEEP_ALWAYS) /* resultant at the last evaluation; 0 */               \
    X(double, torque, 4, SCREE_KEEP_ALWAYS)

/*  A column that is not kept is NULL, and in snapshots and digests a column of zeros. */
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

/*  What is there only where a world asks for it: NULL otherwise, and then no part of snapshots and digests. `still`:
    whether it rests in the step under way; no part of the state. */
#define SCREE_EXTRA_FIELDS(X)                                                                      \
    X(double, heat, 8, SCREE_KEEP_HEAT) /* see body_heat.h */                                      \
    X(double, rest, 8, SCREE_KEEP_REST) /* see sleep.h */                                          \
    X(uint8_t, still, 1, SCREE_KEEP_REST)

#define SCREE_EVERY_FIELD(X) SCREE_BODY_FIELDS(X) SCREE_EXTRA_FIELDS(X)

/*  What a body's account holds, in joules over the time of its contacts as first, and as a body. */
enum
{
    SCREE_ACCOUNT_DAMPING,
    SCREE_ACCOUNT_FRICTION,
    SCREE_ACCOUNT_ROLLING,
    SCREE_ACCOUNT_BODY_DAMPING,
    SCREE_ACCOUNT_WALLS,
    SCREE_ACCOUNT_LOADS,
    SCREE_ACCOUNT_BORDER,
    SCREE_ACCOUNT_ELASTIC, /* stored now, not a sum over time */
    SCREE_ACCOUNTS,
};

/*  Slots are gathered from by 32-bit indices of doubles. */
#define SCREE_MAX_WORLD_BODIES (1u << 29)

typedef struct scree_body_name
{
    uint32_t slot; /* of its body, or the next free name, index1 */
    uint32_t generation;
    bool taken;
} scree_body_name;

typedef struct scree_crowd
{
    scree_memory *memory;
    uint32_t count;
#define X(type, name, n, when)                                                                     \
    type(*name)[n];                                                                                \
    size_t name##_capacity;
    SCREE_EVERY_FIELD(X)
#undef X
#define X(type, name, n, when)                                                                     \
    type(*name##_twin)[n];                                                                         \
    size_t name##_twin_capacity;
    SCREE_MOTION_FIELDS(X)
#undef X
    scree_body_name *names; /* by index1 - 1 */
    size_t name_capacity;
    uint32_t name_count, free_name; /* index1 of the first that may be used again; 0: none */
    uint32_t retired;               /* names that have gone through all generations */
    uint64_t next_serial;
    scree_serials serials; /* where bodies have brought numbers of their own */
    uint64_t added, removed, destroyed;
    /*  How many there are of each kind; 0 skips these tests. */
    uint32_t special; /* with flags, groups or a mask of their own */
    uint32_t odd;     /* with flags, or of an inertia that differs by axis */
    uint32_t loaded;  /* with a load that is not 0 */
    uint32_t solids;  /* that are no spheres */
    double lightest,
        smallest;    /* least mass and radius, where they are known, see scree_bodies_find_least */
    double thinnest; /* and least scree_body_thickness */
    bool least_is_known;
    bool keeps[SCREE_KEEPS]; /* which columns there are; numbers of the others are 0 */
} scree_crowd;

void scree_bodies_init(scree_crowd *bodies, scree_memory *memory);
void scree_bodies_free(scree_crowd *bodies);
/*  Room for so many; changes nothing else. */
scree_status scree_bodies_reserve(scree_crowd *bodies, size_t wanted);

/*  Its columns are kept from now on, rows of zeros. SCREE_OUT_OF_MEMORY changes nothing. Or no more. */
scree_status scree_bodies_keep(scree_crowd *bodies, scree_kept what);
void scree_bodies_drop(scree_crowd *bodies, scree_kept what);

/*  SIZE_MAX where the id names no body. */
size_t scree_bodies_slot(const scree_crowd *bodies, scree_body_id id);

/*  A new body in the last slot, named; its fields are not set. There must be room. */
uint32_t scree_bodies_push(scree_crowd *bodies);
/*  The last body comes into this slot. */
void scree_bodies_remove(scree_crowd *bodies, uint32_t slot);
/*  Arrays and twins change places: to begin a step, and to undo it. */
void scree_bodies_swap(scree_crowd *bodies);
/*  What was in slot order[k] comes into slot k. `buffer` has room for a widest row of each body. */
void scree_bodies_permute(scree_crowd *bodies, const uint32_t *order, void *buffer);
size_t scree_bodies_widest(const scree_crowd *bodies); /* bytes of the widest row */

/*  A body comes (1) or goes (-1), or is about to be changed, and has been. */
void scree_bodies_tally(scree_crowd *bodies, uint32_t slot, int by);
/*  What anything must be passed by to be on the other side of a body: of a sphere its radius, of a clump that of its smallest
    pebble, of a body of triangles its halo. */
double scree_body_thickness(const scree_crowd *bodies, uint32_t slot);
/*  Finds `lightest`, `smallest` and `thinnest`; 1 where there is no body. */
void scree_bodies_find_least(scree_crowd *bodies);

/*  One of them as hosts see it; and all. */
void scree_bodies_get(const scree_crowd *bodies, uint32_t slot, scree_body *body);
scree_bodies_view scree_bodies_view_of(const scree_crowd *bodies);

/*  Among the flags, for the library alone: the body is static. All its components are frozen, which is all that a step
    needs to know. */
#define SCREE_FLAG_STATIC 0x80u

/*  Whether flags can be those of a body. */
static inline bool scree_body_flags_are_sound(uint32_t flags)
{
    return !(flags & ~(SCREE_FREEZE | SCREE_GHOST | SCREE_FLAG_STATIC)) &&
           (!(flags & SCREE_FLAG_STATIC) || (flags & SCREE_FREEZE) == SCREE_FREEZE);
}
/*  The type that flags say, and the flags of a type: what a host gives, and what the type freezes. */
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

/*  Whether it is a copy of a body that another world moves. */
static inline bool scree_is_ghost(const scree_crowd *bodies, uint32_t slot)
{
    return (bodies->flags[slot][0] & SCREE_GHOST) != 0;
}

/*  Mass and radius of a contact of two bodies: m1 m2 / (m1 + m2), r1 r2 / (r1 + r2), as kernels find them. */
static inline void scree_pair_size(const scree_crowd *bodies, uint32_t a, uint32_t b, double *mass,
                                   double *radius)
{
    double r1 = bodies->position[a][3], r2 = bodies->position[b][3];

    *mass = 1 / (bodies->velocity[a][3] + bodies->velocity[b][3]);
    *radius = r1 * r2 / (r1 + r2);
}

/*  Whether two bodies may exert forces on each other: their groups, and that not both are held. */
bool scree_bodies_meet(const scree_crowd *bodies, uint32_t a, uint32_t b);

static inline bool scree_shape_is_of_triangles(const scree_shape *shape)
{
    return shape->kind == SCREE_SHAPE_MESH || shape->kind == SCREE_SHAPE_BLOCK;
}

/*  Whether it is no sphere. */
static inline bool scree_is_solid(const scree_crowd *bodies, uint32_t slot)
{
    return bodies->solids && bodies->shape[slot][0].kind != SCREE_SHAPE_SPHERE;
}
static inline bool scree_is_of_triangles(const scree_crowd *bodies, uint32_t slot)
{
    return scree_shape_is_of_triangles(&bodies->shape[slot][0]);
}
/*  The halo of a body; 0 of a sphere and of a clump. */
static inline double scree_solid_halo(const scree_crowd *bodies, uint32_t slot)
{
    return scree_is_solid(bodies, slot) ? bodies->shape[slot][0].halo : 0;
}

#endif
