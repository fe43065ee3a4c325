/*  Contacts of superquadrics with spheres, planes, pebbles and each other: one for each pair, from the distance of both
    surfaces (narrow/superquadric_gap.h). Blocks and surfaces of facets are in collide_superquadric_facets.c.

    The contact point is in the middle of the overlap; at a wall it is on the wall, as with spheres. */
#include "world/collide/shape_pair.h"

#include "base/vector.h"

#include <math.h>
#include <string.h>

/*  Pairs are searched farther than they touch by this share of the smaller body, so that they may be left out for a
    while (pairs_apart.h). */
#define ALSO_NEAR 0.25

scree_quadric_body scree_quadric_of(const scree_shape_side *side)
{
    scree_quadric_body body = {.shape = side->quadric};

    memcpy(body.turn, side->turn, sizeof body.turn);
    memcpy(body.place, side->centre, sizeof body.place);
    return body;
}

const double *scree_quadric_across(const scree_shape_pair *t)
{
    static const double upright[3] = {0, 0, 1};

    return t->job->step->def->dimensions == 2 ? upright : NULL;
}

scree_shape_found *scree_quadric_push(scree_shape_pair *t, const scree_quadric_gap *gap,
                                      double overlap, double radius)
{
    const double radii[2] = {t->side[0]->radius, radius};
    const double along = t->side[1]->is_wall ? gap->distance : -0.5 * overlap;
    double point[3];

    for (int k = 0; k < 3; k++)
        point[k] = gap->point[0][k] + along * gap->normal[k];
    return scree_shape_push(t, point, gap->normal, overlap, radii);
}

/*  The normal of the contact of the last step, which is the point of its history; NULL: there was none. */
static const double *start_of(const scree_shape_pair *t, uint32_t old)
{
    return old < t->work->old_end ? t->job->contacts->now.memory[old][0].point : NULL;
}

/*  The only contact of the pair, if they are near enough. */
static scree_status take_one(scree_shape_pair *t, const scree_quadric_gap *gap, double overlap,
                             double radius)
{
    if (!(overlap > -t->reach)) {
        t->apart = -overlap - t->reach;
        return SCREE_OK;
    }
    scree_shape_found *found = scree_quadric_push(t, gap, overlap, radius);
    if (!found)
        return SCREE_OUT_OF_MEMORY;
    memcpy(found->memory.point, gap->normal, sizeof found->memory.point);
    if (t->work->old_begin < t->work->old_end)
        found->previous = t->work->old_begin;
    return SCREE_OK;
}

scree_status scree_quadric_touch_sphere(scree_shape_pair *t)
{
    const scree_quadric_body body = scree_quadric_of(t->side[0]);
    const scree_shape_side *sphere = t->side[1];
    const scree_quadric_gap gap =
        scree_quadric_gap_of_point(&body, sphere->centre, scree_quadric_across(t),
                                   sphere->radius + t->reach, start_of(t, t->work->old_begin));

    return take_one(t, &gap, sphere->radius - gap.distance, sphere->radius);
}

scree_status scree_quadric_touch_plane(scree_shape_pair *t)
{
    const scree_quadric_body body = scree_quadric_of(t->side[0]);
    const scree_shape_side *plane = t->side[1];
    scree_quadric_gap gap = {.distance = 0};

    for (int k = 0; k < 3; k++)
        gap.normal[k] = -plane->normal[k];
    scree_quadric_highest(&body, gap.normal, gap.point[0]);
    for (int k = 0; k < 3; k++)
        gap.distance += plane->normal[k] * (gap.point[0][k] - plane->centre[k]);
    return take_one(t, &gap, -gap.distance, 0);
}

scree_status scree_quadric_touch_quadric(scree_shape_pair *t)
{
    const scree_quadric_body body[2] = {scree_quadric_of(t->side[0]), scree_quadric_of(t->side[1])};
    const double near = ALSO_NEAR * fmin(body[0].shape->thin, body[1].shape->thin);
    const scree_quadric_gap gap =
        scree_quadric_gap_of(&body[0], &body[1], scree_quadric_across(t), t->reach + near,
                             start_of(t, t->work->old_begin));

    return take_one(t, &gap, -gap.distance, t->side[1]->radius);
}

/*  A contact continues that of the same pebble; those of the previous step are sorted by pebbles. */
scree_status scree_quadric_touch_clump(scree_shape_pair *t)
{
    const scree_shape_contact_list *now = &t->job->contacts->now;
    const scree_quadric_body body = scree_quadric_of(t->side[0]);
    const scree_shape_side *side = t->side[1];
    uint32_t old = t->work->old_begin;
    double apart = INFINITY;

    for (uint32_t p = 0; p < side->clump->pebble_count; p++) {
        double at[4];
        scree_clump_pebble_at(side, p, at);
        const double far = body.shape->far + at[3] + t->reach;
        const double away = scree_apart(at, body.place);
        if (away >= far * (1 + 0x1p-40)) {
            apart = fmin(apart, away - far);
            continue;
        }
        while (old < t->work->old_end && now->memory[old][0].pebble < p)
            old++;
        const bool continues = old < t->work->old_end && now->memory[old][0].pebble == p;
        const scree_quadric_gap gap =
            scree_quadric_gap_of_point(&body, at, scree_quadric_across(t), at[3] + t->reach,
                                       continues ? start_of(t, old) : NULL);
        const double overlap = at[3] - gap.distance;
        if (!(overlap > -t->reach)) {
            apart = fmin(apart, -overlap - t->reach);
            continue;
        }
        scree_shape_found *found = scree_quadric_push(t, &gap, overlap, at[3]);
        if (!found)
            return SCREE_OUT_OF_MEMORY;
        found->memory.pebble = (uint16_t)p;
        memcpy(found->memory.point, gap.normal, sizeof found->memory.point);
        if (continues)
            found->previous = old;
    }
    t->apart = apart;
    return SCREE_OK;
}
