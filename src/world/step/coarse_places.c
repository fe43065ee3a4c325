/*  Far from the origin the spacing of doubles is large: 1/8 at 1e15. A body that moves by less than half the spacing
    in a step does not move at all, and overlaps are equally coarse. This is no error of the arithmetic, and no other
    check would notice it. */
#include "world/step/coarse_places.h"

#include "base/error.h"
#include "world/step/world_data.h"

#include <inttypes.h>
#include <math.h>

/*  In smallest radii: typical overlaps are 1e-4 of it, and should have at least two digits. */
#define COARSE 1e-6

/*  Difference between a number and the next larger one. */
static double spacing_at(double x)
{
    int exponent;

    (void)frexp(x, &exponent);
    return ldexp(1, exponent - 53);
}

void scree_world_look_at_places(scree_world *world)
{
    scree_body_arrays *bodies = &world->bodies;
    uint32_t farthest = 0;
    double far = 0;

    if (world->has_told_coarse || !world->def.hooks.log.write || bodies->count == 0)
        return;
    for (uint32_t slot = 0; slot < bodies->count; slot++)
        for (int k = 0; k < 3; k++)
            if (fabs(bodies->position[slot][k]) > far) {
                far = fabs(bodies->position[slot][k]);
                farthest = slot;
            }
    scree_bodies_find_least(bodies);
    if (!(spacing_at(far) > COARSE * bodies->smallest))
        return;
    world->has_told_coarse = true;
    scree_log_write(&world->def.hooks.log, SCREE_LOG_WARNING, SCREE_LOG_COARSE_POSITIONS,
                    "world: step %" PRIu64 ": body %" PRIu64
                    " is %.3g from the origin, where places are rounded to %.2g, more than a "
                    "millionth of the smallest "
                    "radius, %.3g: small ways are lost; move the scene nearer to the origin",
                    world->clock.steps + 1, bodies->serial[farthest][0], far, spacing_at(far),
                    bodies->smallest);
}
