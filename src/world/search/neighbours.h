/*  Who may touch whom. */
#ifndef SCREE_WORLD_NEIGHBOURS_H
#define SCREE_WORLD_NEIGHBOURS_H

#include "base/error.h"
#include "scree/world.h"

struct scree_world;

/*  What a search has come to. */
typedef struct scree_search_outcome
{
    bool has_refused; /* detection can use some body's place or velocity no more */
    bool may_be_late; /* the list is new, and not because bodies came or were changed */
    double dt; /* by which rooms are to be chosen: the step, or where there was none another */
} scree_search_outcome;

/*  Before an evaluation: asks the detector, and makes the list of contacts anew where it must. `dt` is the
    step that led here. Walls are searched apart, see wall_neighbours.h. */
scree_status scree_world_search(struct scree_world *world, double dt, scree_search_outcome *search);
/*  Whether the cell at the end of the step has room for the bodies that there are: nobody may reach a body and its image.
    SCREE_BAD_VALUE. */
scree_status scree_world_check_room(struct scree_world *world);
/*  Displacement and slack of bodies where they are now. */
void scree_world_measure_leeway(const struct scree_world *world, scree_certificate *certificate);
/*  The step is not taken: what contacts remember is in the list before. */
void scree_world_undo_search(struct scree_world *world);

#endif
