/*  Contacts of non-spherical bodies: neighbour pairs, contacts and contact history.

    The order of contacts, and of sums: by global id of the first body; bodies before walls; by global id of the
    second body or index of the wall; then in the order in which the pair's contacts are found. */
#ifndef SCREE_WORLD_SHAPE_CONTACT_LIST_H
#define SCREE_WORLD_SHAPE_CONTACT_LIST_H

#include "narrow/sphere_mesh.h"
#include "world/contacts/stiffness_row.h"
#include "world/state/bodies.h"
#include "world/state/walls.h"

/*  The partners of a contact by handles, which stay valid when bodies move in memory. A contact with a removed
    partner is dead. */
typedef struct scree_shape_partners
{
    scree_body_id first, second; /* first has the smaller global id; second is none for walls: */
    scree_wall_id wall;
} scree_shape_partners;

/*  Columns of contacts. `memory` identifies a contact across steps. For a mesh and a sphere or pebble it is the same
    as for walls. For two meshes or two blocks it is the kind and index of the feature, and its point in the frame of
    the first body. For clumps it also has the pebble; for two clumps `facet` is the pebble of the second. */
#define SCREE_SHAPE_CONTACT_FIELDS(X)                                                              \
    X(scree_shape_partners, pair, 1)                                                               \
    X(uint32_t, slot, 1)     /* pair parameters, see law_table.h */                                \
    X(uint32_t, previous, 1) /* index of the same contact in the previous step, or UINT32_MAX */   \
    X(uint32_t, facet, 1)    /* as reported to the host */                                         \
    X(scree_mesh_memory, memory, 1) /* see above */                                                \
    X(double, point, 4)             /* position; overlap */                                        \
    X(double, normal, 4)            /* from the first to the second; 0 */                          \
    X(double, arm,                                                                                 \
      8) /* lever arms: from the centre of the first to the point, 0; the same of the second, 0 */ \
    X(double, size, 4)    /* effective radius and mass; weight; limit, see scree_shape_found */    \
    X(double, row, 12)    /* force on the first, 0; torque on it, 0; torque on the second, 0 */    \
    X(double, moment, 4)  /* the part of the torque on the first that is not due to the force */   \
    X(double, account, 8) /* energy balance: elastic, three losses, work of the wall */

/*  LEVERS. A crossing of two edges is a contact with a share (narrow/mesh_edge_share.h): its overlap, and all of its
    motion, are those of the edges times the share, and its forces act on the bodies by the same share. The change of
    the share is motion as well: `lever` is what the overlap grows by for each unit of the relative velocity, second
    minus first, at the contact point; the share; the same for the relative angular velocity; the overlap with the share. */
typedef struct scree_shape_contact_list
{
    size_t count;
#define X(type, name, n)                                                                           \
    type(*name)[n];                                                                                \
    size_t name##_capacity;
    SCREE_SHAPE_CONTACT_FIELDS(X)
#undef X
    double *history[SCREE_MAX_MEMORY]; /* contact history after this evaluation */
    size_t history_capacity[SCREE_MAX_MEMORY];
    uint32_t planes;
    /*  Contacts of the body in slot s, in order: entry[begin[s]] .. entry[begin[s + 1] - 1], each 2 * contact + (1
        if s is second). Valid after scree_shape_contacts_index. */
    uint32_t *begin, *entry;
    size_t begin_capacity, entry_capacity;
    uint32_t (*place)
        [3]; /* in the current evaluation: results of scree_shape_contacts_resolve by contact */
    size_t place_capacity;
    double (*lever)[8]; /* in the current evaluation, see above; without a share only that is set */
    size_t lever_capacity;
} scree_shape_contact_list;

/*  Two bodies that detection has found near each other, by slots; first has the smaller global id. */
typedef struct scree_shape_candidate
{
    uint64_t serial[2];
    uint32_t slot[2];
    double way_to; /* above 0: apart until their ways sum up to this (collide/pairs_apart.h), */
    uint8_t test;  /* as this test has found */
} scree_shape_candidate;

/*  All lists of a world. */
typedef struct scree_shape_contacts
{
    scree_memory *memory;
    scree_shape_candidate *candidates; /* sorted by global ids */
    size_t candidate_count, candidate_capacity;
    scree_shape_candidate *before; /* the list before the last search */
    size_t before_count, before_capacity;
    scree_shape_candidate *bodies; /* non-spherical bodies: global id serial[0], slot slot[0] */
    size_t body_count, body_capacity;
    scree_shape_contact_list now;  /* contacts of the last accepted step */
    scree_shape_contact_list next; /* contacts of the current evaluation */
    scree_stiffness_row *stiffness;
    size_t stiffness_capacity;
} scree_shape_contacts;

void scree_shape_contacts_free(scree_shape_contacts *contacts);

/* ---- candidates ---- */

/*  Starts a new list of at most this many pairs. The present one is kept in `before`. SCREE_OUT_OF_MEMORY. */
scree_status scree_shape_contacts_begin(scree_shape_contacts *contacts,
                                        const scree_body_arrays *bodies, size_t most);
/*  Adds a pair. There must be room. `a` has the smaller global id. */
void scree_shape_contacts_push(scree_shape_contacts *contacts, const scree_body_arrays *bodies,
                               uint32_t a, uint32_t b);
/*  Ends the list: all pairs have been added. */
void scree_shape_contacts_end(scree_shape_contacts *contacts);
bool scree_shape_contacts_are_candidates(const scree_shape_contacts *contacts, uint64_t serial,
                                         uint64_t other);
bool scree_shape_contacts_were_candidates(const scree_shape_contacts *contacts,
                                          const scree_shape_candidate *candidate);

/* ---- contacts ---- */

/*  Accepts the step: `next` becomes `now`. */
void scree_shape_contacts_accept(scree_shape_contacts *contacts);
/*  Reserves room in a list for contacts with this number of history arrays. */
scree_status scree_shape_contact_list_reserve(scree_shape_contact_list *list, scree_memory *memory,
                                              size_t wanted, uint32_t planes);
/*  Whether both partners exist. If so, finds their slots, and the index of the wall, or UINT32_MAX. */
bool scree_shape_contacts_resolve(const scree_body_arrays *bodies, const scree_walls *walls,
                                  const scree_shape_partners *pair, uint32_t *first,
                                  uint32_t *second, uint32_t *wall);
/*  The same for a contact that the current evaluation has found. */
static inline void scree_shape_contacts_placed(const scree_shape_contact_list *list, size_t c,
                                               uint32_t *first, uint32_t *second, uint32_t *wall)
{
    *first = list->place[c][0];
    *second = list->place[c][1];
    *wall = list->place[c][2];
}

/*  Makes begin and entry for all contacts that are not dead. `is_placed`: the list is that of the current
    evaluation, whose places are known. SCREE_OUT_OF_MEMORY. */
scree_status scree_shape_contacts_index(scree_memory *memory, const scree_body_arrays *bodies,
                                        const scree_walls *walls, scree_shape_contact_list *list,
                                        bool is_placed);

/*  Number of contacts whose partners exist, and how many of them are with walls: contacts of removed bodies and walls
    stay in the list until the next step. */
uint64_t scree_shape_contact_list_living(const scree_shape_contact_list *list,
                                         const scree_body_arrays *bodies, const scree_walls *walls,
                                         uint64_t *at_walls);

/*  Whether a body had contacts in the last step. Time: O(contacts of such bodies). */
bool scree_shape_contacts_touch(const scree_shape_contacts *contacts, scree_body_id id);

#endif
