/*  Who may touch whom. */
#ifndef SCREE_WORLD_NEIGHBOURS_H
#define SCREE_WORLD_NEIGHBOURS_H

#include "world/contacts/candidates.h"
#include "world/contacts/shape_contact_list.h"
#include "world/contacts/wall_contact_list.h"
#include "world/state/cell_box.h"
#include "world/state/step_data.h"
#include "world/state/wraps.h"

/*  Rows as the detector gets them, where these are not those of bodies, see neighbours.c. */
typedef struct scree_seen_bodies
{
    double (*rows)[4];
    double *thick;      /* or of these the radii alone, where it is only that they reach farther: */
    double thick_reach; /* by half of this */
    uint32_t thick_count; /* known until the list is made anew */
    size_t row_capacity, thick_capacity;
} scree_seen_bodies;

void scree_seen_bodies_free(scree_seen_bodies *seen, scree_memory *memory);

/*  How bodies are shown to the detector: what that is found from. step/room_data.c fills it. */
typedef struct scree_search_look
{
    const scree_crowd *bodies;
    const scree_strain *cell; /* `next` is that of the end of the step */
    const scree_wraps *wraps;
    const double *reach; /* that bodies act beyond touching, at most; as of the last search */
    bool has_local_steps;
} scree_search_look;

/*  A search: what it reads, and where it writes. step/room_data.c fills it before an evaluation, with the step that led there. */
typedef struct scree_search_job
{
    const scree_step *step;
    double last_dt; /* of the step before; 0: there was none */
    scree_search_look look;
    double *reach;
    scree_domain *shown; /* the cell that the detector has */
    const double *
        travel; /* of each SCREE_TRAVEL_ROWS bodies since the search before; NULL: it is not known */
    scree_detector *detector;
    scree_wraps *wraps;
    scree_seen_bodies *seen;
    scree_contact_list *pairs, *spare;      /* spare: the list before, or the one being made */
    scree_solid_contacts *solids;           /* gets their candidates */
    scree_detection_stats *detection_stats; /* counts searches */
    bool *search_anew;                      /* the list must be made anew */
    bool *list_is_new;                      /* made in the step under way */
} scree_search_job;

/*  What it has come to. */
typedef struct scree_search_outcome
{
    bool has_refused; /* detection can use some body's place or velocity no more */
    bool may_be_late; /* the list is new, and not because bodies came or were changed */
    double dt; /* by which rooms are to be chosen: the step, or where there was none another */
} scree_search_outcome;

/*  Before an evaluation: asks the detector, and makes the list of contacts anew where it must; a new one is counted, but not
    indexed. Walls are searched apart, see
    wall_neighbours.h. */
scree_status scree_search_bodies(const scree_search_job *job, scree_search_outcome *search);
/*  Whether a cell has room for the bodies that there are: nobody may reach a body and its image. SCREE_BAD_VALUE. */
scree_status scree_search_check_room(const scree_step *step, const scree_crowd *bodies,
                                     const scree_domain *domain);
/*  Displacement and slack of bodies where they are now, whose slots are those that the detector knows. `walls` is NULL where
    there are none. */
void scree_search_measure_leeway(const scree_search_look *look, const scree_detector *detector,
                                 const scree_surface_search *walls,
                                 scree_detection_stats *detection_stats);

#endif
