/*  Makes the detector of a world. */
#ifndef SCREE_WORLD_MAKE_DETECTOR_H
#define SCREE_WORLD_MAKE_DETECTOR_H

#include "scree/detect.h"
#include "world/state/cell_box.h"
#include "world/state/step_data.h"

/*  Its properties. */
typedef struct scree_detector_terms
{
    const char *method;
    const scree_margin_def *margin;
    const scree_domain *domain;
    bool has_sleep; /* bodies may sleep */
} scree_detector_terms;

/*  Uses the thread pool of the world, not its own. SCREE_BAD_ARGUMENT if the margin trusts velocities, otherwise as
    scree_detector_create. */
scree_status scree_search_make_detector(const scree_step *step, const scree_detector_terms *terms,
                                        scree_detector **made);

#endif
