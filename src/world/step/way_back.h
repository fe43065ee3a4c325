/*  State to which steps in place can be undone: see in_place.h. */
#ifndef SCREE_WORLD_WAY_BACK_H
#define SCREE_WORLD_WAY_BACK_H

#include "world/contacts/wall_contact_list.h"
#include "world/state/course.h"

/*  Needed for an undo in addition to the second copies of bodies and of contact history. */
typedef struct scree_way_back
{
    bool is_there;         /* there is a state to which an undo can return, */
    uint32_t length;       /* and this many steps in place after it */
    scree_course clock;    /* at that state */
    uint8_t (*touches)[1]; /* of pairs, at that state */
    size_t touches_capacity;
    scree_wall_contact_list walls; /* wall contacts, at that state */
    scree_wall_pose *poses;        /* of walls, at that state */
    size_t pose_capacity;
    double *travel; /* of bodies in the last step in place, see integrate.h */
    size_t travel_capacity;
} scree_way_back;

void scree_way_back_free(scree_way_back *back, scree_memory *memory);

#endif
