/*  How far a world has come. */
#ifndef SCREE_WORLD_COURSE_H
#define SCREE_WORLD_COURSE_H

#include "world/state/bodies.h"

/*  What decides the future beside bodies, contacts and walls; as bytes in snapshots. */
typedef struct scree_course
{
    double time;
    uint64_t steps;
    double dt;                       /* of the last step */
    double accounts[SCREE_ACCOUNTS]; /* of bodies that are gone */
    double entered, removed;         /* of the energy balance */
    uint64_t unprimed; /* bodies came or were changed since forces were last evaluated */
    double stable;     /* longest step for the contacts there are; 0: not looked for */
    double longest;    /* of all steps taken */
} scree_course;

#endif
