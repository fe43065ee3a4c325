/*  Contacts of blocks with each other and with planes. They are at the corners of the gap between both surfaces
    (narrow/block_contact.h), have the same normal, and share the load by depth where they are close to each other.

    CONTINUING CONTACTS. A contact continues if it is at the same corner, or at the same two edges. When blocks
    slide, or just by rounding, one feature may be replaced by another at nearly the same place, or by two. Then a
    new contact continues the nearest old one if that was within a tenth of the rounding radii, and several new ones
    may continue the same. At that distance their weights are shares of one contact, so their tangential springs
    together pull as before, and a block that stands corner on corner on another does not creep. At a larger distance
    one spring would act twice. */
#include "world/collide/shape_pair.h"

#include <string.h>

/*  Largest distance of a continuing contact, as a share of the rounding radii. */
#define SAME_PLACE 0.1

static uint32_t number_of(const scree_block_point *point)
{
    return point->kind == SCREE_FEATURE_EDGES ? point->id[0] << 16 | point->id[1] : point->id[0];
}

/*  Index of the contact that continues; UINT32_MAX: none. */
static uint32_t same_of_before(const scree_shape_pair *t, const scree_mesh_memory *memory)
{
    const scree_shape_contact_list *now = &t->job->contacts->now;

    for (uint32_t c = t->work->old_begin; c < t->work->old_end; c++)
        if (now->memory[c][0].feature == memory->feature &&
            now->memory[c][0].facet == memory->facet)
            return c;
    return UINT32_MAX;
}

static uint32_t nearest_of_before(const scree_shape_pair *t, const scree_mesh_memory *memory,
                                  double most)
{
    const scree_shape_contact_list *now = &t->job->contacts->now;
    double best = most * most;
    uint32_t nearest = UINT32_MAX;

    for (uint32_t c = t->work->old_begin; c < t->work->old_end; c++) {
        double away_sq = 0;
        for (int k = 0; k < 3; k++) {
            double way = now->memory[c][0].point[k] - memory->point[k];
            away_sq += way * way;
        }
        if (away_sq < best) {
            best = away_sq;
            nearest = c;
        }
    }
    return nearest;
}

/*  `share`: position of the contact point between both surfaces. */
static scree_status take_points(scree_shape_pair *t, double skins, double share)
{
    const scree_block_contact *work = &t->worker->block;

    for (size_t n = 0; n < work->count; n++) {
        const scree_block_point *point = &work->points[n];
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = point->point[0][k] + share * (point->point[1][k] - point->point[0][k]);
        scree_shape_found *found = scree_shape_push_whole(t, at, work->normal, skins - point->gap);
        if (!found)
            return SCREE_OUT_OF_MEMORY;
        found->weight = point->weight;
        found->memory.facet = number_of(point);
        found->memory.feature = (uint8_t)point->kind;
        if (point->gap < 0)
            found->memory.side = SCREE_SIDE_DEEP;
        scree_shape_to_mesh(&t->side[0]->mesh.pose, at, found->memory.point);
        found->previous = same_of_before(t, &found->memory);
        if (found->previous == UINT32_MAX)
            found->previous = nearest_of_before(t, &found->memory, SAME_PLACE * skins);
    }
    return SCREE_OK;
}

scree_block_body scree_block_of(const scree_shape_side *side)
{
    scree_block_body body = {side->convex, side->mesh.pose};

    memcpy(body.pose.place, side->centre, sizeof body.pose.place);
    return body;
}

scree_status scree_block_touch_block(scree_shape_pair *t)
{
    const scree_block_body bodies[2] = {scree_block_of(t->side[0]), scree_block_of(t->side[1])};
    double skins = t->side[0]->mesh.skin + t->side[1]->mesh.skin;

    if (scree_block_find(&t->worker->block, t->job->finder->memory, bodies, skins + t->reach,
                         skins))
        return SCREE_OUT_OF_MEMORY;
    t->apart = t->worker->block.distance - skins - t->reach;
    return take_points(t, skins, t->side[0]->mesh.skin / skins);
}

scree_status scree_block_touch_plane(scree_shape_pair *t)
{
    const scree_block_body body = scree_block_of(t->side[0]);
    double skin = t->side[0]->mesh.skin;

    if (scree_block_find_plane(&t->worker->block, t->job->finder->memory, &body, t->side[1]->centre,
                               t->side[1]->normal, skin + t->reach, skin))
        return SCREE_OUT_OF_MEMORY;
    return take_points(t, skin, 1);
}
