/*  Solids, which are bodies that are no spheres, of triangles or of pebbles: whom they may touch, where they do, and what
    these contacts remember.

    Detection sees the ball around a body's centre that holds all of it, which no turn changes. What it finds
    with such a body in it goes into a list of its own, and never to the kernels of spheres; against walls such a
    body has one candidate for each wall that its ball may reach (wall_neighbours.c). In each step the surfaces of these
    pairs are compared (shape_pairs.c, by a table of kinds of shapes), what is found is put side by side
    in the order of serial numbers (shape_contacts.c), and gets forces by the same laws as all contacts
    (shape_forces.c). */
#ifndef SCREE_WORLD_SHAPE_CONTACTS_H
#define SCREE_WORLD_SHAPE_CONTACTS_H

#include "world/collide/active_sets.h"
#include "world/collide/shape_geometry.h"
#include "world/contacts/shape_contact_list.h"
#include "world/contacts/wall_contact_list.h"
#include "world/state/body_sleep.h"
#include "world/state/cell_box.h"
#include "world/state/step_data.h"

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
} scree_solids;

/*  A search for contacts of solids: what it reads, and where it writes. step/room_data.c fills it once walls near bodies are
    known. */
typedef struct scree_solid_job
{
    const scree_step *step;
    const scree_crowd *bodies;
    const scree_walls *walls;
    const scree_domain *domain;       /* at the end of the step */
    const scree_surface_search *near; /* walls near bodies */
    scree_rest *rest;                 /* counts what need not be found again */
    scree_solids *solids;
    scree_solid_contacts *contacts;
} scree_solid_job;

/*  `by_surrogates`: meshes get surrogate trees, which the workers grow, and are searched by them. */
void scree_solids_init(scree_solids *solids, scree_memory *memory, const scree_workers *workers,
                       scree_simd simd, bool by_surrogates);
void scree_solids_free(scree_solids *solids);

scree_solid_rank scree_solid_rank_of(const scree_crowd *bodies, const scree_solid_work *work);

/*  Scratch for those who find contacts, if there is none yet: looks at `step` and `solids` alone. SCREE_OUT_OF_MEMORY. */
scree_status scree_solids_make_workers(const scree_solid_job *job);
/*  Finds the contacts of bodies as they are, into `next`. */
scree_status scree_solids_evaluate(scree_solid_job *job);
/*  Pairs of triangles, and of what stands for them, compared so far. */
uint64_t scree_solids_compared(const scree_solids *solids);
scree_local_counts scree_solids_local_counts(const scree_solids *solids);
/*  What others have compared counts here, and there no more. */
void scree_solids_take_counts(scree_solids *solids, scree_solids *from);

/* ---- contact_reuse.c: what need not be found again */

/*  An evaluation begins: what the last one found is that of before, where it may be asked for. */
void scree_solids_keep_found(const scree_solid_job *job);
/*  Of the work that is listed, where both stay. */
void scree_solids_find_again(const scree_solid_job *job);
/*  Whether what was found is what there was, one by one, with the same memory of places. */
bool scree_solids_are_steady(const scree_solid_contacts *contacts, const scree_solid_work *work);
/*  What came of it before comes again. SCREE_OUT_OF_MEMORY. */
scree_status scree_solids_take_again(scree_solids *solids, struct scree_solid_worker *worker,
                                     const scree_solid_work *work);

/* ---- where a body's mesh is ---- */

/*  Orientation of the mesh's own frame, of a body that has this one. */
void scree_solid_turn(const scree_solid_mesh *mesh, const double orientation[4], double turn[4]);

#endif
