/*  Clumps in a picture: their pebbles, in the colour of their body. The first replaces the bounding ball of the body,
    the others come after those of all bodies. */
#include "picture/subject.h"

#include "base/error.h"
#include "base/quaternion.h"
#include "shape/clump.h"
#include "world/step/world_data.h"

#include <string.h>

static const scree_clump *clump_of(const scree_world *world, uint32_t row)
{
    const scree_shape *shape = world->bodies.shape[row];

    return shape->kind == SCREE_SHAPE_CLUMP ? shape->clump : NULL;
}

static void pose_pebble(scree_subject *s, const scree_body_arrays *bodies, uint32_t row,
                        const double local[4], double ball[4])
{
    double place[3];

    scree_quaternion_turn(bodies->orientation[row], local, place);
    for (int k = 0; k < 3; k++)
        place[k] += bodies->position[row][k];
    scree_lens_point(&s->lens, place, ball);
    ball[3] = local[3] / s->lens.unit;
}

scree_status scree_subject_pose_clumps(scree_subject *s, const scree_world *world,
                                       const scree_roster *roster)
{
    size_t count = s->ball_count;

    for (size_t i = 0; i < roster->count; i++) {
        const scree_clump *clump = clump_of(world, roster->row[i]);
        count += clump ? clump->pebble_count - 1 : 0;
    }
    scree_status status = scree_subject_reserve(s, count);
    for (size_t i = 0; i < roster->count && !status; i++) {
        const scree_clump *clump = clump_of(world, roster->row[i]);
        for (uint32_t p = 0; clump && p < clump->pebble_count; p++) {
            size_t at = p ? s->ball_count++ : i;
            pose_pebble(s, &world->bodies, roster->row[i], clump->local[p], s->ball[at]);
            memcpy(s->light[at], s->light[i], sizeof *s->light);
            memcpy(s->spoke[at], s->spoke[i], sizeof *s->spoke);
        }
    }
    return status;
}
