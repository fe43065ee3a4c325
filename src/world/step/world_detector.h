/*  The detector of a world. */
#ifndef SCREE_WORLD_WORLD_DETECTOR_H
#define SCREE_WORLD_WORLD_DETECTOR_H

#include "base/error.h"
#include "scree/detect.h"

struct scree_world;

/*  Makes a detector for this world; the message is written to `error`. */
scree_status scree_world_make_detector(struct scree_world *world, const char *method,
                                       const scree_margin_def *margin, scree_detector **made,
                                       scree_error *error);
/*  Replaces the detector; the new one has no bodies yet. */
scree_status scree_world_change_detector(struct scree_world *world, const char *method,
                                         const scree_margin_def *margin);
/*  Sets the margin for worlds with sleeping bodies, or without. SCREE_OUT_OF_MEMORY. */
scree_status scree_world_follow_sleep(struct scree_world *world);

#endif
