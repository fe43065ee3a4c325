/*  Non-spherical bodies (of triangles, clumps and blocks): potential contacts, contacts and their history.

    Detection uses the bounding sphere about the body's centre, which no rotation changes. Pairs with such a body are
    put into a list of their own and never reach the kernels of spheres. With walls such a body has one potential
    contact for each wall that its bounding sphere may reach (wall_neighbours.c). In each step the surfaces of these
    pairs are compared (shape_pairs.c, by a table of kinds of shapes), the results are joined in the order of global
    ids (shape_contacts.c), and forces follow from the same contact models as for all contacts (shape_forces.c). */
#ifndef SCREE_WORLD_SHAPE_CONTACTS_H
#define SCREE_WORLD_SHAPE_CONTACTS_H

#include "world/collide/active_sets.h"
#include "world/collide/shape_geometry.h"
#include "world/contacts/shape_contact_list.h"
#include "world/contacts/wall_contact_list.h"
#include "world/state/body_sleep.h"
#include "world/state/cell_box.h"
#include "world/state/step_data.h"

/*  An entry of the work list of a step, in the order of contacts: a neighbour pair, or a body and a wall with its
    index; and the contacts that the pair had in the previous step. */
typedef struct scree_shape_work
{
    uint32_t first, second; /* slots; second is UINT32_MAX for walls: */
    uint32_t wall;
    uint32_t old_begin, old_end;
    uint32_t candidate1; /* number of the neighbour pair, from 1; 0: it is none */
    uint32_t before; /* the same pair in work_before if its result can be reused, or UINT32_MAX */
    uint32_t worker, found_begin, found_end; /* where its results are, */
    uint32_t begin, end;                     /* and their indices in `next` */
    uint32_t height; /* level of the coarsest surrogate among the contacts, above facets; 0: none */
    bool is_steady;  /* with sleep: contacts and history are those of the previous step */
} scree_shape_work;

/*  Data of a body that all its pairs need. */
typedef struct scree_posed_shape
{
    double turn[3][3];            /* rotation from the frame of the mesh or clump to space */
    const scree_shape_data *mesh; /* NULL: a clump */
} scree_posed_shape;

/*  How far a body has moved, and its pose in the last evaluation: pairs_apart.h. */
typedef struct scree_shape_way
{
    double place[4], turn[4];
    double sum;
} scree_shape_way;

typedef struct scree_shape_finder
{
    scree_memory *memory;
    scree_simd simd;
    scree_shape_table meshes;
    scree_posed_shape *frames; /* by slot, of non-spherical bodies, in the current evaluation */
    size_t frame_capacity;
    scree_shape_way *ways; /* by slot, of non-spherical bodies */
    size_t way_count, way_capacity;
    uint32_t way_terms;      /* evaluations since all ways were 0 */
    bool follows_ways;       /* in this evaluation pairs may be left out */
    scree_domain way_domain; /* of the last evaluation that followed them */
    scree_shape_work *work;
    size_t work_count, work_capacity;
    scree_shape_work *work_before; /* of the previous evaluation */
    size_t work_before_count, work_before_capacity;
    /*  By slot: bodies with exactly the pose of the previous evaluation, in a step whose walls have not moved
        either: two of them have the same contacts. NULL: the first evaluation of a step, in which only sleeping
        bodies may be reused. */
    const uint8_t *frozen;
    scree_shape_cuts cuts;
    struct scree_shape_worker *workers; /* made when first needed */
    uint32_t worker_count;
    uint64_t compared_elsewhere; /* by parts of the world (local_steps.h) */
    scree_local_counts tested_elsewhere;
} scree_shape_finder;

/*  Input and output of the search for contacts of non-spherical bodies. step/room_data.c fills it once walls near
    bodies are known. */
typedef struct scree_shape_job
{
    const scree_step *step;
    const scree_body_arrays *bodies;
    const scree_walls *walls;
    const scree_domain *domain;            /* at the end of the step */
    const scree_wall_contact_search *near; /* walls near bodies */
    scree_sleep_state *sleep;              /* counts reused results */
    scree_shape_finder *finder;
    scree_shape_contacts *contacts;
} scree_shape_job;

/*  `by_surrogates`: meshes get surrogate trees, built by the workers, and are searched with them. */
void scree_shape_finder_init(scree_shape_finder *finder, scree_memory *memory,
                             const scree_workers *workers, scree_simd simd, bool by_surrogates);
void scree_shape_finder_free(scree_shape_finder *finder);

scree_shape_rank scree_shape_rank_of(const scree_body_arrays *bodies, const scree_shape_work *work);

/*  Makes the workspace of contact search if there is none yet. Uses only `step` and `finder`. SCREE_OUT_OF_MEMORY. */
scree_status scree_shape_finder_make_workers(const scree_shape_job *job);
/*  Finds the contacts at the present poses, into `next`. */
scree_status scree_shape_finder_evaluate(scree_shape_job *job);
/*  Number of pairs of triangles, and of surrogates, compared so far. */
uint64_t scree_shape_finder_compared(const scree_shape_finder *finder);
scree_local_counts scree_shape_finder_local_counts(const scree_shape_finder *finder);
/*  Returns how many of them had surfaces that cross, and starts that number again. */
uint64_t scree_shape_finder_take_deep(scree_shape_finder *finder);
/*  Moves the counters of `from` to `finder`. */
void scree_shape_finder_take_counts(scree_shape_finder *finder, scree_shape_finder *from);

/* ---- contact_reuse.c: what need not be found again */

/*  Called at the start of an evaluation: keeps the results of the previous one if they may be reused. */
void scree_shape_finder_keep_found(const scree_shape_job *job);
/*  Finds the entries of the work list whose two bodies have not moved. */
void scree_shape_finder_find_again(const scree_shape_job *job);
/*  Whether the new contacts are the previous ones, one by one, with the same history. */
bool scree_shape_contacts_are_steady(const scree_shape_contacts *contacts,
                                     const scree_shape_work *work);
/*  Copies the previous results of an entry. SCREE_OUT_OF_MEMORY. */
scree_status scree_shape_finder_take_again(scree_shape_finder *finder,
                                           struct scree_shape_worker *worker,
                                           const scree_shape_work *work);

/* ---- frame of a body's mesh ---- */

/*  Orientation of the mesh's frame for a body with this orientation. */
void scree_shape_turn(const scree_shape_data *mesh, const double orientation[4], double turn[4]);

#endif
