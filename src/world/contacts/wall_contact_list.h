/*  Bodies against walls: which may touch, and what these contacts remember.

    Candidates, facets of meshes and planes, are found for one body at a time, with room for it to move and for
    the walls to move (wall_neighbours.c). Contacts are found among them in each step, one for each feature of a
    surface (sphere_walls.c), and their forces like those of any contact (wall_forces.c). */
#ifndef SCREE_WORLD_WALL_CONTACT_LIST_H
#define SCREE_WORLD_WALL_CONTACT_LIST_H

#include "narrow/sphere_mesh.h"
#include "shape/mesh.h"
#include "world/contacts/plane_contacts.h"
#include "world/contacts/stiffness_row.h"
#include "world/state/bodies.h"
#include "world/state/step_data.h"
#include "world/state/walls.h"

/*  For each contact of a body with a wall. */
#define SCREE_SURFACE_FIELDS(X)                                                                    \
    X(uint32_t, body, 1) /* slot; UINT32_MAX: the body was removed since */                        \
    X(uint32_t, wall, 1) /* place in the list of walls */                                          \
    X(uint32_t, slot, 1) /* of the table of laws, see law_table.h */                               \
    X(uint32_t, heir, 1) /* to the contact of the step before with this number, or UINT32_MAX */   \
    X(scree_mesh_memory, memory, 1) /* facet, feature, side; its point in the frame of the mesh */ \
    X(double, point, 4)             /* on the wall; and the overlap */                             \
    X(double, normal, 4)            /* from the body to the wall; 0 */                             \
    X(double, row, 8)               /* force on the body, 0, torque on the body, 0 */              \
    X(double, moment, 4)            /* the part of that torque that is not of the force */         \
    X(double, account, 8) /* of the energy balance: stored, lost in three ways, given by the wall */

typedef struct scree_surface_list
{
    size_t count;
#define X(type, name, n)                                                                           \
    type(*name)[n];                                                                                \
    size_t name##_capacity;
    SCREE_SURFACE_FIELDS(X)
#undef X
    double *remembered[SCREE_MAX_MEMORY]; /* by the law, after this evaluation */
    size_t plane_capacity[SCREE_MAX_MEMORY];
    uint32_t planes;
    uint32_t *begin,
        *end; /* contacts of the body in slot s, by wall, then facet: begin[s] .. end[s] - 1 */
    size_t begin_capacity, end_capacity;
} scree_surface_list;

/*  A wall, and one of its facets; 0 for planes. */
typedef struct scree_wall_candidate
{
    uint32_t wall, facet;
} scree_wall_candidate;

/*  Candidates of the body in slot s: near[begin[s]] .. near[end[s] - 1], by wall, then facet. They hold while
    the body's way since and the walls' travel are no more than its room; and while they are less than its gap,
    it touches none. Of both, with the walls' travel at that time added, the body's way is taken step by step:
    so candidates hold while left[s] is not below the walls' travel, and nothing is touched while clear[s] is
    above it. */
typedef struct scree_surface_search
{
    double *left, *clear; /* -INFINITY: must be looked for */
    double *room;         /* that it was given; -1: none */
    uint32_t *begin, *end;
    size_t left_capacity, clear_capacity, room_capacity, begin_capacity, end_capacity;
    scree_wall_candidate *near;
    size_t count, capacity, unused; /* unused: of bodies that have been looked for again */
    double travel;                  /* at most how far a point of a wall has moved, all in all */
    scree_facet_list facets;        /* of one query */
} scree_surface_search;

typedef struct scree_surfaces
{
    scree_memory *memory;
    scree_surface_list now;  /* contacts of the last step taken */
    scree_surface_list next; /* of the evaluation under way */
    scree_surface_search search;
    scree_plane_contacts planes;          /* instead of `now`, in steps in place */
    struct scree_surface_worker *workers; /* what each worker finds */
    uint32_t worker_count;
    struct scree_surface_block *blocks; /* where it is */
    size_t block_capacity;
    bool has_rows;             /* of `next`: what contacts exert is put down */
    double (*wall_rows)[3][4]; /* where walls are, see wall_geometry.h */
    size_t wall_row_capacity;
    scree_stiffness_row *stiffness; /* of contacts in `next`, where the step asks for it */
    size_t stiffness_capacity;
} scree_surfaces;

/*  Bodies against walls in a step: what is read, and where it is written who may touch and who does. step/room_data.c fills it
    once walls are where they are at the end of the step. */
typedef struct scree_surface_job
{
    const scree_step *step;
    const scree_crowd *bodies;
    const scree_walls *walls;
    const double *
        travel; /* of each SCREE_TRAVEL_ROWS bodies since the search before; NULL: it is in `left` */
    scree_surfaces *surfaces;
} scree_surface_job;

/*  Candidates of one body, or of all, must be looked for: walls or groups have changed. */
void scree_surfaces_renew(scree_surfaces *surfaces, uint32_t slot);
void scree_surfaces_renew_all(scree_surfaces *surfaces, uint32_t count);

/*  Whether one may touch anything where it is now. */
static inline bool scree_surfaces_may_touch(const scree_surface_search *search, uint32_t slot)
{
    return !(search->clear[slot] > search->travel) && search->begin[slot] != search->end[slot];
}

/*  The first body from `slot` to end - 1 whose number is not above the walls' travel: by `left`, its candidates must be looked
    for anew; by `clear`, it may touch something. Most are above: they are passed over eight at a time. */
static inline uint32_t scree_surfaces_first_below(const double *number, double travel,
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

/*  The step is taken: `next` becomes `now`. */
void scree_surfaces_accept(scree_surfaces *surfaces);
void scree_surface_list_free(scree_surface_list *list, scree_memory *memory);
/*  Room in a list for so many contacts, that remember so many numbers, of so many bodies. */
scree_status scree_surface_list_reserve(scree_surface_list *list, scree_memory *memory,
                                        size_t wanted, uint32_t planes, size_t bodies);
/*  Bodies are about to be added in slots from .. to - 1: they touch no walls yet. */
scree_status scree_surfaces_admit(scree_surfaces *surfaces, uint32_t from, uint32_t to);
/*  No body has candidates any more. There is room for so many bodies. */
void scree_surfaces_clear_search(scree_surfaces *surfaces, uint32_t count);
/*  A body has been removed from slot `to`: its contacts end; whether it had any. The last, from slot `from`,
    comes there. */
bool scree_surfaces_forget_body(scree_surfaces *surfaces, uint32_t to, uint32_t from);
/*  A wall has been removed, those behind it move up. */
void scree_surfaces_forget_wall(scree_surfaces *surfaces, uint32_t wall);
/*  What was in slot order[k] is now in slot k; `buffer` has 64 bytes for each body. */
void scree_surfaces_permute(scree_surfaces *surfaces, const uint32_t *order, uint32_t count,
                            void *buffer);

#endif
