/*  Solids, which are bodies that are no spheres, of triangles or of pebbles: whom they may touch, where they do, and what
    these contacts remember.

    Detection sees the ball around a body's centre that holds all of it, which no turn changes. What it finds
    with such a body in it goes into a list of its own, and never to the kernels of spheres; against walls such a
    body has one candidate for each wall that its ball may reach (wall_neighbours.c). In each step the surfaces of these
    pairs are compared (shape_pairs.c, by a table of kinds of shapes), what is found is put side by side
    in the order of serial numbers (shape_contacts.c), and gets forces by the same laws as all contacts
    (shape_forces.c).

    THE ORDER of contacts, and of sums: by serial of the first, bodies before walls, by serial of the second or place of
    the wall, then as they are found in the pair. */
#ifndef SCREE_WORLD_SHAPE_CONTACTS_H
#define SCREE_WORLD_SHAPE_CONTACTS_H

#include "narrow/sphere_mesh.h"
#include "world/collide/active_sets.h"
#include "world/collide/shape_geometry.h"
#include "world/contacts/stiffness_row.h"
#include "world/state/bodies.h"
#include "world/state/walls.h"

/*  Who touches, by names, which outlast places in memory: a contact of which one is gone is dead. */
typedef struct scree_solid_pair
{
    scree_body_id first, second; /* first has the smaller serial; second none: */
    scree_wall_id wall;
} scree_solid_pair;

/*  For each contact. What is remembered of the place: of a mesh with a sphere or pebble what it is at walls; of two
    meshes kind and number of the feature, and its point in the frame of the first, and so of two blocks; of a clump the
    pebble beside that, and of two clumps the second's as facet. */
#define SCREE_SOLID_FIELDS(X)                                                                      \
    X(scree_solid_pair, pair, 1)                                                                   \
    X(uint32_t, slot, 1)  /* of the table of laws, see law_table.h */                              \
    X(uint32_t, heir, 1)  /* to the contact of the step before with this number, or UINT32_MAX */  \
    X(uint32_t, facet, 1) /* as the host sees it */                                                \
    X(scree_mesh_memory, memory, 1) /* see above */                                                \
    X(double, point, 4)             /* and the overlap */                                          \
    X(double, normal, 4)            /* from the first to the second; 0 */                          \
    X(double, arm, 8)     /* from the centre of the first to the point, 0; of the second, 0 */     \
    X(double, size, 4)    /* radius and mass, as laws see them; weight; smaller radius, or 0 */    \
    X(double, row, 12)    /* force on the first, 0; torque on it, 0; torque on the second, 0 */    \
    X(double, moment, 4)  /* the part of the torque on the first that is not of the force */       \
    X(double, account, 8) /* of the ledger: stored, lost in three ways, given by the wall */

typedef struct scree_solid_list
{
    size_t count;
#define X(type, name, n)                                                                           \
    type(*name)[n];                                                                                \
    size_t name##_capacity;
    SCREE_SOLID_FIELDS(X)
#undef X
    double *remembered[SCREE_MAX_MEMORY]; /* by the law, after this evaluation */
    size_t plane_capacity[SCREE_MAX_MEMORY];
    uint32_t planes;
    /*  Contacts of the body in slot s, in their order: entry[begin[s]] .. entry[begin[s + 1] - 1], each 2 * contact +
        (1 where s is second); as scree_solids_index has last made it. */
    uint32_t *begin, *entry;
    size_t begin_capacity, entry_capacity;
    uint32_t (*place)[3]; /* in the evaluation under way: what scree_solids_resolve says of each */
    size_t place_capacity;
} scree_solid_list;

/*  Two bodies that detection has found near, by slots; first has the smaller serial. */
typedef struct scree_solid_candidate
{
    uint64_t serial[2];
    uint32_t slot[2];
} scree_solid_candidate;

/*  What is to be looked at in a step, in the order of contacts: a candidate, or a body and a wall by its place; and
    which contacts the pair had in the last step. */
typedef struct scree_solid_work
{
    uint32_t first, second; /* slots; second UINT32_MAX: */
    uint32_t wall;
    uint32_t old_begin, old_end;
    uint32_t
        before; /* the same pair in work_before, if what came of it then still holds; or UINT32_MAX */
    uint32_t worker, found_begin, found_end; /* what came of it, */
    uint32_t begin, end;                     /* and which contacts of `next` these are */
    uint32_t
        height; /* of the surrogates among them, above facets; 0: there are none, and contacts are whole */
    bool
        is_steady; /* where there is rest: contacts are those of the step before, with the same memory */
} scree_solid_work;

/*  What all pairs of a body want to know of it. */
typedef struct scree_solid_frame
{
    double turn[3][3];            /* of the mesh's own frame, or the clump's, to the world */
    const scree_solid_mesh *mesh; /* NULL: a clump */
} scree_solid_frame;

typedef struct scree_solids
{
    scree_memory *memory;
    scree_simd simd;
    scree_solid_meshes meshes;
    scree_solid_candidate *candidates; /* by serials */
    size_t candidate_count, candidate_capacity;
    scree_solid_candidate *before; /* the list that these have replaced */
    size_t before_count, before_capacity;
    scree_solid_candidate *bodies; /* that are solids, by serial[0], in slot[0] */
    size_t body_count, body_capacity;
    scree_solid_frame *frames; /* by slot, of solids, in the evaluation under way */
    size_t frame_capacity;
    scree_solid_work *work;
    size_t work_count, work_capacity;
    scree_solid_work *work_before; /* of the evaluation before */
    size_t work_before_count, work_before_capacity;
    /*  By slot: bodies that are, to the last bit, where the evaluation before had them, in a step whose walls are too: two of
        them touch as they did. NULL: this is the first evaluation of a step, in which bodies at rest may do. */
    const uint8_t *stays;
    scree_solid_cuts cuts;
    struct scree_solid_worker *workers; /* made when first needed */
    uint32_t worker_count;
    uint64_t compared_elsewhere; /* by parts of the world (local_steps.h) */
    scree_local_counts tested_elsewhere;
    scree_solid_list now;  /* contacts of the last step taken */
    scree_solid_list next; /* of the evaluation under way */
    scree_stiffness_row *stiffness;
    size_t stiffness_capacity;
} scree_solids;

struct scree_world;

/*  `by_surrogates`: meshes get surrogate trees, which the workers grow, and are searched by them. */
void scree_solids_init(scree_solids *solids, scree_memory *memory, const scree_workers *workers,
                       scree_simd simd, bool by_surrogates);
void scree_solids_free(scree_solids *solids);

/* ---- shape_contacts.c: whom to look at ---- */

static inline bool scree_is_solid(const scree_crowd *bodies, uint32_t slot)
{
    return bodies->solids && bodies->shape[slot][0].kind != SCREE_SHAPE_SPHERE;
}

static inline bool scree_is_of_triangles(const scree_crowd *bodies, uint32_t slot)
{
    return scree_shape_is_of_triangles(&bodies->shape[slot][0]);
}

/*  A new list of candidates begins, of at most so many; the last one is kept as that of before. SCREE_OUT_OF_MEMORY. */
scree_status scree_solids_begin(struct scree_world *world, size_t most);
/*  There is room. `a` has the smaller serial. */
void scree_solids_push(scree_solids *solids, const scree_crowd *bodies, uint32_t a, uint32_t b);
/*  All candidates are there. */
void scree_solids_end(scree_solids *solids);
bool scree_solids_are_candidates(const scree_solids *solids, uint64_t serial, uint64_t other);
bool scree_solids_were_candidates(const scree_solids *solids,
                                  const scree_solid_candidate *candidate);

/* ---- shape_contacts.c: contacts ---- */

scree_solid_rank scree_solid_rank_of(const struct scree_world *world, const scree_solid_work *work);

/*  Finds the contacts of bodies as they are, and their forces, into `next`. */
scree_status scree_solids_evaluate(struct scree_world *world, double dt);
/*  The step is taken: `next` becomes `now`. */
void scree_solids_accept(scree_solids *solids);
/*  Room in a list for so many contacts, that remember so many numbers. */
scree_status scree_solid_list_reserve(scree_solid_list *list, scree_memory *memory, size_t wanted,
                                      uint32_t planes);
/*  Whether both are still there; if so slots and the place of the wall, UINT32_MAX where there is none. */
bool scree_solids_resolve(const struct scree_world *world, const scree_solid_pair *pair,
                          uint32_t *first, uint32_t *second, uint32_t *wall);
/*  The same of a contact that the evaluation under way has found. */
static inline void scree_solids_placed(const scree_solid_list *list, size_t c, uint32_t *first,
                                       uint32_t *second, uint32_t *wall)
{
    *first = list->place[c][0];
    *second = list->place[c][1];
    *wall = list->place[c][2];
}
/*  Makes begin and entry, of those that are not dead. SCREE_OUT_OF_MEMORY. */
scree_status scree_solids_index(const struct scree_world *world, scree_solid_list *list);
/*  Pairs of triangles, and of what stands for them, compared so far. */
uint64_t scree_solids_compared(const scree_solids *solids);
scree_local_counts scree_solids_local_counts(const scree_solids *solids);
/*  What others have compared counts here, and there no more. */
void scree_solids_take_counts(scree_solids *solids, scree_solids *from);
/*  Whether a body has contacts in the last step. In time O(contacts of such bodies). */
bool scree_solids_touch(const scree_solids *solids, scree_body_id id);

/* ---- contact_reuse.c: what need not be found again */

/*  An evaluation begins: what the last one found is that of before, where it may be asked for. */
void scree_solids_keep_found(struct scree_world *world);
/*  Of the work that is listed, where both stay. */
void scree_solids_find_again(struct scree_world *world);
/*  Whether what was found is what there was, one by one, with the same memory of places. */
bool scree_solids_are_steady(const scree_solids *solids, const scree_solid_work *work);
/*  What came of it before comes again. SCREE_OUT_OF_MEMORY. */
scree_status scree_solids_take_again(scree_solids *solids, struct scree_solid_worker *worker,
                                     const scree_solid_work *work);

/* ---- shape_forces.c */
/*  Forces of the contacts in `next`. SCREE_UNSTABLE where a halo is used up. */
scree_status scree_solids_forces(struct scree_world *world, double dt);
/*  Adds them to force and torque of bodies; false where these are not finite any more. */
bool scree_solids_gather(struct scree_world *world);

/* ---- where a body's mesh is ---- */

/*  Orientation of the mesh's own frame, of a body that has this one. */
void scree_solid_turn(const scree_solid_mesh *mesh, const double orientation[4], double turn[4]);

#endif
