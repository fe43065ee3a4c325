/*  Bodies against walls: which may touch, where they do, and what these contacts remember.

    Candidates are found from time to time, with room for every body to move, and for walls; they are facets
    of meshes, and planes. Contacts are found among them in each step, one for each feature of a surface. */
#ifndef SCREE_SURFACES_H
#define SCREE_SURFACES_H

#include "world/bodies.h"
#include "world/walls.h"

/*  For each contact of a body with a wall. */
#define SCREE_SURFACE_FIELDS(X)                                                                    \
    X(uint32_t, body, 1) /* slot */                                                                \
    X(uint32_t, wall, 1) /* place in the list of walls */                                          \
    X(uint32_t, facet, 1)                                                                          \
    X(uint32_t, feature, 1) /* of the facet, as src/narrow names them; and the side */             \
    X(uint32_t, slot, 1)    /* of the table of laws, see rules.h */                                \
    X(uint32_t, heir,                                                                              \
      1)                /* the contact of the step before whose memory it has; UINT32_MAX: none */ \
    X(double, point, 4) /* on the wall; and the overlap */                                         \
    X(double, normal, 4)  /* from the body to the wall; 0 */                                       \
    X(double, row, 8)     /* force on the body, 0, torque on the body, 0 */                        \
    X(double, account, 8) /* of the ledger */

typedef struct scree_surface_list
{
    size_t count, capacity;
#define X(type, name, n) type(*name)[n];
    SCREE_SURFACE_FIELDS(X)
#undef X
    double *remembered[SCREE_MAX_MEMORY]; /* as it is after this evaluation */
    uint32_t planes;
    uint32_t *
        start; /* contacts of the body in slot s: start[s] .. start[s + 1] - 1; by wall, then facet */
    size_t start_capacity;
} scree_surface_list;

typedef struct scree_surfaces
{
    scree_memory *memory;
    scree_surface_list now;              /* contacts of the last step taken */
    scree_surface_list next;             /* of the evaluation under way */
    struct scree_surface_search *search; /* candidates, and where all was when they were found */
} scree_surfaces;

struct scree_world;

scree_status scree_surfaces_init(scree_surfaces *surfaces, scree_memory *memory);
void scree_surfaces_free(scree_surfaces *surfaces);

/*  Before an evaluation: looks for candidates again where a body, or a wall, has used up its room, or where
    bodies or walls have come, gone, changed slots or radius (`anew`). */
scree_status scree_surfaces_search(struct scree_world *world, bool anew);
/*  Finds the contacts of bodies as they are, and their forces, into `next`. */
scree_status scree_surfaces_evaluate(struct scree_world *world, double dt);
/*  The step is taken: `next` becomes `now`. */
void scree_surfaces_accept(scree_surfaces *surfaces);

/*  Bodies are about to be added in slots from .. to - 1: they touch no walls yet. */
scree_status scree_surfaces_admit(scree_surfaces *surfaces, uint32_t from, uint32_t to);
/*  A body has been removed from a slot: its contacts end; the one from slot `from` is now in `to`.
    (from == to: it was the last.) A wall has been removed. Bodies were permuted: what was in slot order[k] is
    now in slot k; `buffer` has 64 bytes for each body. */
void scree_surfaces_forget_body(scree_surfaces *surfaces, uint32_t to, uint32_t from);
void scree_surfaces_forget_wall(scree_surfaces *surfaces, uint32_t wall);
void scree_surfaces_permute(scree_surfaces *surfaces, const uint32_t *order, uint32_t count,
                            void *buffer);

#endif
