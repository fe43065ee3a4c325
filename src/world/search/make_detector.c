#include "world/search/make_detector.h"

#include <string.h>

scree_status scree_search_make_detector(const scree_step *step, const scree_detector_terms *terms,
                                        scree_detector **made)
{
    scree_detector_def def = scree_default_detector_def();

    /* velocities do not predict bodies that move in memory, or are moved by hosts or the boundary */
    if (terms->margin->trust_velocities)
        return scree_fail(step->error, SCREE_BAD_ARGUMENT,
                          "world def: margin.trust_velocities must be false: a world looks at "
                          "positions in every step");
    def.method = terms->method;
    def.dimensions = step->def->dimensions;
    def.simd = step->simd;
    if (step->workers->count > 1)
        def.tasks = step->workers->tasks;
    def.allocator = step->memory->allocator;
    def.log = step->def->hooks.log;
    def.margin = *terms->margin;
    /* a sleeping body may wake: it needs a margin although it does not move */
    if (terms->has_sleep && terms->margin->kind == SCREE_MARGIN_PER_BODY)
        def.margin.target_steps = -1;
    def.error = step->error;
    memcpy(def.period, terms->domain->period, sizeof def.period);
    memcpy(def.tilt, terms->domain->tilt, sizeof def.tilt);
    return scree_detector_create(&def, made);
}
