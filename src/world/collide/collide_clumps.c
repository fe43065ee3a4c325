/*  Contacts of the pebbles of clumps. Pebbles touch like spheres (sphere_meeting.inc.h, sphere_walls.c), each with its
    own radius, and lever arms start at the centre of the clump. A contact is identified by its pebble, or both pebbles,
    so its history survives all rotations.

    For two clumps only pebbles that reach into the bounding sphere of the other are tested. In a packing these are
    few, which matters since the time is proportional to the product of their numbers. */
#include "world/collide/pebble_query.h"
#include "world/collide/shape_pair.h"

#include <math.h>
#include <string.h>

/*  As in sphere_geometry.c. */
#define SAME_CENTRE_SQ 0x1p-1000

/*  Whole groups. */
#define PEBBLES_AT_ONCE 64u
/*  Pebbles are near the other clump also if they are farther by this share of the smaller one, so that pairs that do not
    touch may be left out for a while (pairs_apart.h). */
#define ALSO_NEAR 0.0625

void scree_clump_pebble_at(const scree_shape_side *side, uint32_t p, double at[4])
{
    const double *local = side->clump->local[p];

    for (int k = 0; k < 3; k++)
        at[k] = side->turn[k][0] * local[0] + side->turn[k][1] * local[1] +
                side->turn[k][2] * local[2] + side->centre[k];
    at[3] = local[3];
}

/* ---- exclusion tests in the clump's frame ---- */

static void way_in_clump(const scree_shape_side *side, const double way[3], double local[3])
{
    for (int k = 0; k < 3; k++)
        local[k] =
            side->turn[0][k] * way[0] + side->turn[1][k] * way[1] + side->turn[2][k] * way[2];
}

/*  An upper bound of the rounding errors of positions in the clump's frame, in space, and in the comparison. `reach`
    is that of the clumps. */
static double rounding_of(const scree_shape_pair *t, double reach)
{
    double sum = reach + t->reach;

    for (int k = 0; k < 3; k++)
        sum += fabs(t->side[0]->centre[k]) + fabs(t->side[1]->centre[k]);
    return 0x1p-40 * sum;
}

/*  A contact continues that of the same two pebbles. */
static scree_status note_pebbles(scree_shape_pair *t, scree_shape_found *found, uint32_t pebble,
                                 uint32_t other)
{
    const scree_shape_contact_list *now = &t->job->contacts->now;

    if (!found)
        return SCREE_OUT_OF_MEMORY;
    found->memory.pebble = (uint16_t)pebble;
    found->memory.facet = other;
    for (uint32_t c = t->work->old_begin; c < t->work->old_end; c++)
        if (now->memory[c][0].pebble == pebble && now->memory[c][0].facet == other)
            found->previous = c;
    return SCREE_OK;
}

/*  Two spheres, of side[0] and of side[1]. The contact point is in the middle of the overlap. */
static scree_status touch_balls(scree_shape_pair *t, const double a[4], const double b[4],
                                uint32_t pebble, uint32_t other)
{
    const double radius[2] = {a[3], b[3]}, most = a[3] + b[3] + t->reach;
    double normal[3], point[3], away_sq = 0;

    for (int k = 0; k < 3; k++) {
        normal[k] = b[k] - a[k];
        away_sq += normal[k] * normal[k];
    }
    if (!(away_sq < most * most)) {
        if (t->apart > 0)
            t->apart = fmin(t->apart, sqrt(away_sq) - most);
        return SCREE_OK;
    }
    double away = sqrt(away_sq), overlap = a[3] + b[3] - away;
    for (int k = 0; k < 3; k++) {
        /* the centres coincide: choose any direction */
        normal[k] = away_sq > SAME_CENTRE_SQ ? normal[k] / away : k == 0;
        point[k] = a[k] + (a[3] - 0.5 * overlap) * normal[k];
    }
    return note_pebbles(t, scree_shape_push(t, point, normal, overlap, radius), pebble, other);
}

scree_status scree_clump_touch_sphere(scree_shape_pair *t)
{
    const scree_shape_side *sphere = t->side[0], *side = t->side[1];
    const double ball[4] = {sphere->centre[0], sphere->centre[1], sphere->centre[2],
                            sphere->radius};
    scree_status status = SCREE_OK;

    for (uint32_t p = 0; p < side->clump->pebble_count && !status; p++) {
        double at[4];
        scree_clump_pebble_at(side, p, at);
        status = touch_balls(t, ball, at, p, 0);
    }
    return status;
}

scree_status scree_clump_touch_plane(scree_shape_pair *t)
{
    const scree_shape_side *plane = t->side[0], *side = t->side[1];
    scree_status status = SCREE_OK;
    double down[3], height = 0;

    way_in_clump(side, plane->normal, down);
    for (int k = 0; k < 3; k++)
        height += plane->normal[k] * (side->centre[k] - plane->centre[k]);
    height -= t->reach + rounding_of(t, side->clump->reach);
    for (uint32_t p = 0; p < side->clump->pebble_count && !status; p++) {
        const double *local = side->clump->local[p];
        double at[4], point[3];
        if (down[0] * local[0] + down[1] * local[1] + down[2] * local[2] + height > local[3])
            continue;
        scree_clump_pebble_at(side, p, at);
        const double radius[2] = {0, at[3]};
        double overlap = scree_sphere_plane_overlap(plane->centre, plane->normal, at, at[3]);
        if (!(overlap > -t->reach))
            continue;
        for (int k = 0; k < 3; k++)
            point[k] = at[k] - (at[3] - overlap) * plane->normal[k];
        status = note_pebbles(t, scree_shape_push(t, point, plane->normal, overlap, radius), p, 0);
    }
    return status;
}

/*  Contacts of the previous step are sorted by pebbles. */
scree_status scree_clump_touch_mesh(scree_shape_pair *t)
{
    const scree_shape_contact_list *now = &t->job->contacts->now;
    const scree_shape_side *side = t->side[1];
    uint32_t c = t->work->old_begin, end = t->work->old_end;
    scree_status status = SCREE_OK;

    for (uint32_t p = 0; p < side->clump->pebble_count && !status; p++) {
        uint32_t begin = c;
        double at[4];
        while (c < end && now->memory[c][0].pebble == p)
            c++;
        scree_clump_pebble_at(side, p, at);
        status = scree_shape_ball_on_mesh(t, at, at[3], (uint16_t)p, begin, c - begin);
    }
    return status;
}

/*  Takes a pebble that may reach into the bounding sphere of the other clump; decided by its position in space. */
static void take_if_near(scree_shape_pair *t, int which, uint32_t p)
{
    scree_shape_worker *worker = t->worker;
    const scree_shape_side *side = t->side[which], *other = t->side[!which];
    scree_placed_pebble *near = &worker->near[which][worker->near_count[which]];
    double away_sq = 0;

    scree_clump_pebble_at(side, p, near->at);
    double most = near->at[3] + other->clump->reach + t->reach + t->apart;
    for (int k = 0; k < 3; k++)
        away_sq += (near->at[k] - other->centre[k]) * (near->at[k] - other->centre[k]);
    near->number = p;
    worker->near_count[which] += away_sq < most * most;
}

/*  Lists the pebbles of one side that reach into the bounding sphere of the other, in the worker's workspace. */
static scree_status list_near(scree_shape_pair *t, int which, double rounding)
{
    scree_shape_worker *worker = t->worker;
    const scree_shape_side *side = t->side[which], *other = t->side[!which];
    const uint32_t count = side->clump->pebble_count;
    const double more = other->clump->reach + t->reach + t->apart + rounding;
    uint32_t sifted[PEBBLES_AT_ONCE + SCREE_PEBBLE_GROUP];
    double way[3], centre[3];

    for (int k = 0; k < 3; k++)
        way[k] = other->centre[k] - side->centre[k];
    way_in_clump(side, way, centre);
    worker->near_count[which] = 0;
    if (scree_memory_reserve(t->job->finder->memory, &worker->near[which],
                             &worker->near_capacity[which], count, sizeof *worker->near[which]))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t begin = 0; begin < count; begin += PEBBLES_AT_ONCE) {
        uint32_t many = count - begin < PEBBLES_AT_ONCE ? count - begin : PEBBLES_AT_ONCE;
        many = scree_pebble_sift_kernels[t->job->step->simd](
            (const double(*)[4])side->clump->local + begin, many, centre, more, sifted);
        for (uint32_t k = 0; k < many; k++)
            take_if_near(t, which, begin + sifted[k]);
    }
    return SCREE_OK;
}

scree_status scree_clump_touch_clump(scree_shape_pair *t)
{
    const scree_shape_worker *worker = t->worker;
    const double reach[2] = {t->side[0]->clump->reach, t->side[1]->clump->reach};
    const double rounding = 2 * rounding_of(t, reach[0] + reach[1]);
    scree_status status;

    /* a pair that touches will not be left out */
    if (t->work->old_begin == t->work->old_end)
        t->apart = ALSO_NEAR * fmin(reach[0], reach[1]);
    status = list_near(t, 0, rounding);
    if (!status && worker->near_count[0] > 0)
        status = list_near(t, 1, rounding);
    for (size_t i = 0; !status && i < worker->near_count[0]; i++)
        for (size_t j = 0; !status && j < worker->near_count[1]; j++)
            status = touch_balls(t, worker->near[0][i].at, worker->near[1][j].at,
                                 worker->near[0][i].number, worker->near[1][j].number);
    return status;
}
