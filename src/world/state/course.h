/*  Time, step count and energy terms of a world. */
#ifndef SCREE_WORLD_COURSE_H
#define SCREE_WORLD_COURSE_H

#include "world/state/bodies.h"

/*  State in addition to that of bodies, contacts and walls. Stored as bytes in snapshots. */
typedef struct scree_course
{
    double time;
    uint64_t steps;
    double dt;                       /* of the last step */
    double accounts[SCREE_ACCOUNTS]; /* of bodies that were removed */
    double entered, removed;         /* of the energy balance */
    uint64_t unprimed; /* bodies were added or changed since the last evaluation of forces */
    double stable;     /* longest stable step for the present contacts; 0: not found yet */
    double longest;    /* largest of all steps taken */
} scree_course;

#endif
