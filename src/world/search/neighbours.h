/*  The neighbour list. */
#ifndef SCREE_WORLD_NEIGHBOURS_H
#define SCREE_WORLD_NEIGHBOURS_H

#include "world/contacts/candidates.h"
#include "world/contacts/shape_contact_list.h"
#include "world/contacts/wall_contact_list.h"
#include "world/state/cell_box.h"
#include "world/state/joints.h"
#include "world/state/step_data.h"
#include "world/state/wraps.h"

/*  Rows for the detector, if they differ from those of bodies, see neighbours.c. */
typedef struct scree_seen_bodies
{
    double (*rows)[4];
    double *thick;        /* or only their radii, if only the interaction range is added: */
    double thick_reach;   /* half of this */
    uint32_t thick_count; /* valid until the list is rebuilt */
    size_t row_capacity, thick_capacity;
} scree_seen_bodies;

void scree_seen_bodies_free(scree_seen_bodies *seen, scree_memory *memory);

/*  What the detector sees of bodies. step/room_data.c fills it. */
typedef struct scree_search_look
{
    const scree_body_arrays *bodies;
    const scree_strain *cell; /* `next` is that of the end of the step */
    const scree_wraps *wraps;
    const double *reach; /* largest interaction range, at the last search */
    bool has_local_steps;
} scree_search_look;

/*  Input and output of a search. step/room_data.c fills it before an evaluation, with the step that led there. */
typedef struct scree_search_job
{
    const scree_step *step;
    double last_dt; /* of the previous step; 0: none */
    scree_search_look look;
    double *reach;
    scree_domain *shown; /* the cell of the detector */
    const double
        *travel; /* displacements since the last search by SCREE_TRAVEL_ROWS; NULL: unknown */
    const scree_joints *joints; /* pairs that they part are left out */
    scree_detector *detector;
    scree_wraps *wraps;
    scree_seen_bodies *seen;
    scree_contact_list *pairs, *spare;      /* spare: the previous list, or the one being made */
    scree_shape_contacts *shapes;           /* gets pairs of non-spherical bodies */
    scree_detection_stats *detection_stats; /* counts searches */
    bool *needs_search;                     /* the list must be rebuilt */
    bool *list_is_new;                      /* in the current step */
} scree_search_job;

/*  Result of a search. */
typedef struct scree_search_outcome
{
    bool has_refused; /* detection has refused the position or velocity of a body */
    bool may_be_late; /* the list is new, and not because bodies were added or changed */
    double dt;        /* length of the step, or a typical value if there was none */
} scree_search_outcome;

/*  Called before an evaluation: updates the detector, and rebuilds the neighbour list if necessary; a new list is
    counted, but not indexed. The search for walls is separate, see wall_neighbours.h. */
scree_status scree_search_bodies(const scree_search_job *job, scree_search_outcome *search);
/*  Whether the cell is large enough for its bodies: no body may touch both a body and its image. SCREE_BAD_VALUE. */
scree_status scree_search_check_room(const scree_step *step, const scree_body_arrays *bodies,
                                     const scree_domain *domain);
/*  Measures displacement and remaining margin of bodies at their present positions. Slots must be those of the
    detector. `walls` is NULL if there are none. */
void scree_search_measure_leeway(const scree_search_look *look, const scree_detector *detector,
                                 const scree_wall_contact_search *walls,
                                 scree_detection_stats *detection_stats);

#endif
