/*  Contacts of solids, which are bodies that are no spheres: whom they may touch, and what these contacts remember.

    THE ORDER of contacts, and of sums: by serial of the first, bodies before walls, by serial of the second or place of
    the wall, then as they are found in the pair. */
#ifndef SCREE_WORLD_SHAPE_CONTACT_LIST_H
#define SCREE_WORLD_SHAPE_CONTACT_LIST_H

#include "narrow/sphere_mesh.h"
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
    X(double, account, 8) /* of the energy balance: stored, lost in three ways, given by the wall */

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

/*  All lists of a world. */
typedef struct scree_solid_contacts
{
    scree_memory *memory;
    scree_solid_candidate *candidates; /* by serials */
    size_t candidate_count, candidate_capacity;
    scree_solid_candidate *before; /* the list that these have replaced */
    size_t before_count, before_capacity;
    scree_solid_candidate *bodies; /* that are solids, by serial[0], in slot[0] */
    size_t body_count, body_capacity;
    scree_solid_list now;  /* contacts of the last step taken */
    scree_solid_list next; /* of the evaluation under way */
    scree_stiffness_row *stiffness;
    size_t stiffness_capacity;
} scree_solid_contacts;

void scree_solid_contacts_free(scree_solid_contacts *contacts);

/* ---- candidates ---- */

/*  A new list of candidates begins, of at most so many; the last one is kept as that of before. SCREE_OUT_OF_MEMORY. */
scree_status scree_solids_begin(scree_solid_contacts *contacts, const scree_crowd *bodies,
                                size_t most);
/*  There is room. `a` has the smaller serial. */
void scree_solids_push(scree_solid_contacts *contacts, const scree_crowd *bodies, uint32_t a,
                       uint32_t b);
/*  All candidates are there. */
void scree_solids_end(scree_solid_contacts *contacts);
bool scree_solids_are_candidates(const scree_solid_contacts *contacts, uint64_t serial,
                                 uint64_t other);
bool scree_solids_were_candidates(const scree_solid_contacts *contacts,
                                  const scree_solid_candidate *candidate);

/* ---- contacts ---- */

/*  The step is taken: `next` becomes `now`. */
void scree_solids_accept(scree_solid_contacts *contacts);
/*  Room in a list for so many contacts, that remember so many numbers. */
scree_status scree_solid_list_reserve(scree_solid_list *list, scree_memory *memory, size_t wanted,
                                      uint32_t planes);
/*  Whether both are still there; if so slots and the place of the wall, UINT32_MAX where there is none. */
bool scree_solids_resolve(const scree_crowd *bodies, const scree_walls *walls,
                          const scree_solid_pair *pair, uint32_t *first, uint32_t *second,
                          uint32_t *wall);
/*  The same of a contact that the evaluation under way has found. */
static inline void scree_solids_placed(const scree_solid_list *list, size_t c, uint32_t *first,
                                       uint32_t *second, uint32_t *wall)
{
    *first = list->place[c][0];
    *second = list->place[c][1];
    *wall = list->place[c][2];
}

/*  Makes begin and entry, of those that are not dead; `is_placed`: of the list of the evaluation under way, which knows all
    places. SCREE_OUT_OF_MEMORY. */
scree_status scree_solids_index(scree_memory *memory, const scree_crowd *bodies,
                                const scree_walls *walls, scree_solid_list *list, bool is_placed);

/*  Whether a body has contacts in the last step. In time O(contacts of such bodies). */
bool scree_solids_touch(const scree_solid_contacts *contacts, scree_body_id id);

#endif
