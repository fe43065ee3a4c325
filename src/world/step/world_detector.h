/*  The detector that a world has. */
#ifndef SCREE_WORLD_WORLD_DETECTOR_H
#define SCREE_WORLD_WORLD_DETECTOR_H

#include "base/error.h"
#include "scree/detect.h"

struct scree_world;

/*  One for this world; the sentence goes to `error`. */
scree_status scree_world_make_detector(struct scree_world *world, const char *method,
                                       const scree_margin_def *margin, scree_detector **made,
                                       scree_error *error);
/*  Another takes the place of the one that is there, and knows no bodies yet. */
scree_status scree_world_change_detector(struct scree_world *world, const char *method,
                                         const scree_margin_def *margin);
/*  Where bodies are put to rest, margins are others. SCREE_OUT_OF_MEMORY. */
scree_status scree_world_follow_rest(struct scree_world *world);

#endif
