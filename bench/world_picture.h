/*  A picture of a world: its bodies as lit spheres, coloured by speed, in front of its walls. */
#ifndef SCREE_WORLD_PICTURE_H
#define SCREE_WORLD_PICTURE_H

#include "scree/scree.h"

#include <stdio.h>

typedef struct scree_view_def
{
    int width, height; /* pixels */
    double centre[3];  /* what is in the middle, */
    double extent;     /* and how much of the world is seen from top to bottom */
    double yaw, pitch; /* of the eye: 0, 0 looks along +y with z up; radians */
    double fastest;    /* speed of the last colour */
} scree_view_def;

/*  A PNG to a stream. SCREE_OUT_OF_MEMORY; errors of the stream are the caller's to see. */
scree_status scree_world_png(scree_world *world, const scree_view_def *view, FILE *out);

#endif
