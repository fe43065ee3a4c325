/*  Contacts of bodies with walls: potential contacts, contacts and their history.

    Potential contacts, which are facets of meshes and planes, are found for one body at a time, with a search
    distance for the motion of body and walls (wall_neighbours.c). In each step contacts are found among them, one
    for each feature of a surface (sphere_walls.c), and their forces (wall_forces.c). */
#ifndef SCREE_WORLD_WALL_CONTACT_LIST_H
#define SCREE_WORLD_WALL_CONTACT_LIST_H

#include "narrow/sphere_mesh.h"
#include "shape/mesh.h"
#include "world/contacts/plane_contacts.h"
#include "world/contacts/stiffness_row.h"
#include "world/state/bodies.h"
#include "world/state/joints.h"
#include "world/state/step_data.h"
#include "world/state/walls.h"

/*  Columns of contacts of a body with a wall. */
#define SCREE_SURFACE_FIELDS(X)                                                                    \
    X(uint32_t, body, 1)     /* slot; UINT32_MAX: the body was removed since */                    \
    X(uint32_t, wall, 1)     /* index in the list of walls */                                      \
    X(uint32_t, slot, 1)     /* pair parameters, see law_table.h */                                \
    X(uint32_t, previous, 1) /* index of the same contact in the previous step, or UINT32_MAX */   \
    X(scree_mesh_memory, memory, 1) /* facet, feature, side; its point in the frame of the mesh */ \
    X(double, point, 4)             /* position on the wall; overlap */                            \
    X(double, normal, 4)            /* from the body to the wall; 0 */                             \
    X(double, row, 8)               /* force on the body, 0, torque on the body, 0 */              \
    X(double, moment, 4)            /* the part of that torque that is not due to the force */     \
    X(double, account, 8)           /* energy balance: elastic, three losses, work of the wall */

typedef struct scree_wall_contact_list
{
    size_t count;
#define X(type, name, n)                                                                           \
    type(*name)[n];                                                                                \
    size_t name##_capacity;
    SCREE_SURFACE_FIELDS(X)
#undef X
    double *history[SCREE_MAX_MEMORY]; /* contact history after this evaluation */
    size_t history_capacity[SCREE_MAX_MEMORY];
    uint32_t planes;
    uint32_t *begin,
        *end; /* contacts of the body in slot s, by wall, then facet: begin[s] .. end[s] - 1 */
    size_t begin_capacity, end_capacity;
} scree_wall_contact_list;

/*  A wall and one of its facets; 0 for planes. `beyond` is the distance of the facet at the search, less that of the
    body's nearest candidate; it is rounded down. */
typedef struct scree_wall_candidate
{
    uint32_t wall, facet;
    float beyond;
    uint32_t many; /* candidates of this wall from this one on */
} scree_wall_candidate;

/*  Potential contacts of the body in slot s: near[begin[s]] .. near[end[s] - 1], by wall, then distance. They are
    valid while the body's displacement since the search plus the walls' travel is at most the search distance. While that
    sum is less than the gap, the body touches none of them. Both limits are stored as remaining distances: with the
    walls' travel at the search added, and the body's displacement subtracted step by step. So potential contacts are
    valid while left[s] is at least the walls' travel, and nothing is touched while clear[s] is above it. One potential
    contact is not touched while clear[s] plus its `beyond` is above it, and then none that follows it of the same
    wall: most facets are skipped in most steps. */
typedef struct scree_wall_contact_search
{
    double *left, *clear; /* -INFINITY: must be searched */
    double *room;         /* search distance; -1: none */
    uint32_t *begin, *end;
    size_t left_capacity, clear_capacity, room_capacity, begin_capacity, end_capacity;
    scree_wall_candidate *near;
    size_t count, capacity, unused; /* unused: entries of bodies that were searched again */
    double travel;           /* upper bound of the total displacement of any point of a wall */
    scree_facet_list facets; /* scratch of one query */
} scree_wall_contact_search;

typedef struct scree_wall_contacts
{
    scree_memory *memory;
    scree_wall_contact_list now;  /* contacts of the last accepted step */
    scree_wall_contact_list next; /* of the current evaluation */
    scree_wall_contact_search search;
    scree_plane_contacts planes;               /* replaces `now` in steps in place */
    struct scree_wall_contact_worker *workers; /* results of each worker */
    uint32_t worker_count;
    struct scree_wall_contact_block *blocks; /* where they are */
    size_t block_capacity;
    bool has_rows;             /* force records of `next` are stored */
    double (*wall_rows)[5][4]; /* walls as kernels read them, see wall_geometry.h */
    size_t wall_row_capacity;
    scree_stiffness_row *stiffness; /* of contacts in `next`, if the step requests it */
    size_t stiffness_capacity;
} scree_wall_contacts;

/*  Input and output of the search for wall contacts in a step. step/room_data.c fills it once walls are at their
    poses at the end of the step. */
typedef struct scree_wall_contact_job
{
    const scree_step *step;
    const scree_body_arrays *bodies;
    const scree_walls *walls;
    const scree_joints *joints; /* pairs that they part are left out */
    const double *travel; /* displacement of each SCREE_TRAVEL_ROWS bodies; NULL: it is in `left` */
    scree_wall_contacts *wall_contacts;
} scree_wall_contact_job;

/*  Potential contacts of one body, or of all, must be searched again: walls or groups have changed. */
void scree_wall_contacts_renew(scree_wall_contacts *wall_contacts, uint32_t slot);
void scree_wall_contacts_renew_all(scree_wall_contacts *wall_contacts, uint32_t count);

/*  Whether a body may touch anything at its present position. */
static inline bool scree_wall_contacts_may_touch(const scree_wall_contact_search *search,
                                                 uint32_t slot)
{
    return !(search->clear[slot] > search->travel) && search->begin[slot] != search->end[slot];
}

/*  Whether a body may touch this potential contact of it. The sum is rounded down. */
static inline bool scree_wall_contacts_may_touch_one(const scree_wall_contact_search *search,
                                                     uint32_t slot,
                                                     const scree_wall_candidate *near)
{
    return !((search->clear[slot] + (double)near->beyond) * (1 - 0x1p-50) > search->travel);
}

/*  The first body from `slot` to end - 1 whose value is not above the walls' travel. With `left`, its potential
    contacts must be searched again; with `clear`, it may touch something. Most values are above, so eight are
    skipped at a time. */
static inline uint32_t scree_wall_contacts_first_below(const double *number, double travel,
                                                       uint32_t slot, uint32_t end)
{
    for (; slot + 8 <= end; slot += 8) {
        unsigned above = 1;
        for (uint32_t k = 0; k < 8; k++)
            above &= number[slot + k] > travel;
        if (!above)
            break;
    }
    while (slot < end && number[slot] > travel)
        slot++;
    return slot;
}

/*  Accepts the step: `next` becomes `now`. */
void scree_wall_contacts_accept(scree_wall_contacts *wall_contacts);
void scree_wall_contact_list_free(scree_wall_contact_list *list, scree_memory *memory);
/*  Reserves room in a list for contacts with this number of history arrays, of this number of bodies. */
scree_status scree_wall_contact_list_reserve(scree_wall_contact_list *list, scree_memory *memory,
                                             size_t wanted, uint32_t planes, size_t bodies);
/*  Number of contacts with walls that exist: those of removed walls stay in the list until the next step. */
uint64_t scree_wall_contact_list_living(const scree_wall_contact_list *list, uint32_t bodies);
/*  Bodies are about to be added in slots from .. to - 1: they have no wall contacts yet. */
scree_status scree_wall_contacts_admit(scree_wall_contacts *wall_contacts, uint32_t from,
                                       uint32_t to);
/*  Removes the potential contacts of all bodies. There must be room for this number of bodies. */
void scree_wall_contacts_clear_search(scree_wall_contacts *wall_contacts, uint32_t count);
/*  Removes the wall contacts of the body removed from slot `to`; returns whether it had any. The last body, from
    slot `from`, moves there. */
bool scree_wall_contacts_forget_body(scree_wall_contacts *wall_contacts, uint32_t to,
                                     uint32_t from);
/*  A wall has been removed; those behind it move up. */
void scree_wall_contacts_forget_wall(scree_wall_contacts *wall_contacts, uint32_t wall);
/*  Bodies were permuted: that in slot order[k] is now in slot k. `buffer` has 64 bytes for each body. */
void scree_wall_contacts_permute(scree_wall_contacts *wall_contacts, const uint32_t *order,
                                 uint32_t count, void *buffer);

#endif
