/*  What a world keeps to come back from steps in place: see in_place.h. */
#ifndef SCREE_WORLD_WAY_BACK_H
#define SCREE_WORLD_WAY_BACK_H

#include "world/contacts/wall_contact_list.h"
#include "world/state/course.h"

/*  What goes back to the state before the last step that may be undone, beside twins and the planes of contact_history.h. */
typedef struct scree_way_back
{
    bool is_there;         /* the step before may be gone back behind, */
    uint32_t length;       /* and so many in place after it */
    scree_course clock;    /* at its beginning */
    uint8_t (*touches)[1]; /* of candidates, then */
    size_t touches_capacity;
    scree_surface_list walls; /* contacts with walls, then */
    scree_wall_pose *poses;   /* of walls, then */
    size_t pose_capacity;
    double *travel; /* of bodies in the last step in place, see integrate.h */
    size_t travel_capacity;
} scree_way_back;

void scree_way_back_free(scree_way_back *back, scree_memory *memory);

#endif
