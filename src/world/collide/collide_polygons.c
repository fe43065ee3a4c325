/*  Contacts of polygons with walls of segments: corners of the polygon at the wall, each a disc with the rounding
    radius, whose history includes the side of the wall; and vertices of the wall at the sides of the polygon.

    WHICH COUNT. A corner counts if one of its two sides faces the wall. At a vertex of the wall, it counts if the
    direction to it is between the normals of both sides: otherwise the vertex is opposite a side, which is a contact of
    its own that begins where the other ends. A vertex counts if it is convex: where the wall is straight or concave
    there, corners carry the load, however finely the wall is divided.

    WEIGHTS. Contacts that are closer to each other than the rounding radius, and have the same normal, share the
    load by depth, as the points of two polygons do. */
#include "base/vector.h"
#include "narrow/sphere_minima.h"
#include "world/collide/shape_pair.h"

#include <math.h>
#include <string.h>

/*  Sine of the angle between segments at a vertex that counts fully. */
#define STICKS_OUT 0.02
/*  Largest distance of a continuing contact at a vertex, as a share of the rounding radius. */
#define SAME_SPOT 0.1

typedef struct line_touching
{
    scree_shape_pair *t;
    const scree_shape_side *wall, *side;
    scree_block_body body;
    double skin;
    size_t begin; /* of the contacts of this pair */
} line_touching;

/*  A side at a corner: 0 the side that ends there, 1 the side that begins. */
static uint32_t side_at(const scree_convex *convex, uint32_t corner, int which)
{
    return convex->edge[corner].face[which];
}

static void turn_out(const scree_block_body *body, const double local[3], double way[3])
{
    for (int k = 0; k < 3; k++)
        way[k] = scree_dot(body->pose.turn[k], local);
}

static void turn_in(const scree_block_body *body, const double way[3], double local[3])
{
    for (int k = 0; k < 3; k++)
        local[k] = body->pose.turn[0][k] * way[0] + body->pose.turn[1][k] * way[1] +
                   body->pose.turn[2][k] * way[2];
}

/* ---- corners ---- */

/*  `way`: from the corner to the wall, in the polygon's frame. */
static bool corner_counts(const scree_convex *convex, uint32_t corner, bool at_vertex,
                          const double way[3])
{
    const double *before = convex->face[side_at(convex, corner, 0)];
    const double *after = convex->face[side_at(convex, corner, 1)];

    if (!at_vertex)
        return scree_dot(before, way) > 0 || scree_dot(after, way) > 0;
    /* sides are counter-clockwise, so the direction of a side is its normal rotated to the left */
    return before[0] * way[1] - before[1] * way[0] >= 0 &&
           way[0] * after[1] - way[1] * after[0] >= 0;
}

/*  Removes contacts that do not count from those found last. Contact models use the radius of the whole polygon. */
static void sift_corner(const line_touching *l, uint32_t corner, size_t begin)
{
    scree_shape_worker *worker = l->t->worker;
    size_t kept = begin;

    for (size_t n = begin; n < worker->count; n++) {
        scree_shape_found found = worker->found[n];
        bool at_vertex = scree_is_vertex(found.memory.feature);
        double way[3], local[3];
        for (int k = 0; k < 3; k++)
            way[k] = l->t->is_swapped ? found.normal[k] : -found.normal[k];
        turn_in(&l->body, way, local);
        if (!corner_counts(l->body.convex, corner, at_vertex, local))
            continue;
        found.radius = l->side->radius;
        worker->found[kept++] = found;
    }
    worker->count = kept;
}

static scree_status touch_corners(line_touching *l)
{
    const scree_shape_contact_list *now = &l->t->job->contacts->now;
    const scree_convex *convex = l->body.convex;
    uint32_t old = l->t->work->old_begin, end = l->t->work->old_end;
    scree_status status = SCREE_OK;

    for (uint32_t c = 0; c < convex->corner_count && !status; c++) {
        uint32_t begin = old;
        size_t found = l->t->worker->count;
        double at[3];
        while (old < end && now->memory[old][0].pebble == c)
            old++;
        scree_mesh_place(&l->body.pose, convex->corner[c], at);
        status = scree_shape_ball_on_mesh(l->t, at, l->skin, (uint16_t)c, begin, old - begin);
        sift_corner(l, c, found);
    }
    return status;
}

/* ---- vertices of the wall ---- */

/*  Distance of a place from a polygon, and the nearest side; INFINITY: it is nearest to a corner. */
static double height_over(const scree_convex *convex, const double at[3], uint32_t *side)
{
    double most = -INFINITY;

    for (uint32_t f = 0; f < convex->face_count; f++) {
        double over = scree_dot(convex->face[f], at) - convex->face[f][3];
        if (over > most) {
            most = over;
            *side = f;
        }
    }
    const double *face = convex->face[*side], *a = convex->corner[*side];
    const double *b = convex->corner[(*side + 1) % convex->corner_count];
    const double along[2] = {-face[1], face[0]};
    bool is_beside = (at[0] - a[0]) * along[0] + (at[1] - a[1]) * along[1] <= 0 ||
                     (at[0] - b[0]) * along[0] + (at[1] - b[1]) * along[1] >= 0;
    return most > 0 && is_beside ? INFINITY : most;
}

/*  `way`: to the polygon, in the wall's frame. A vertex at the end of a wall counts fully. */
static double weight_of_vertex(const scree_mesh *mesh, uint32_t vertex, const double way[3])
{
    const double *at = mesh->vertices + 3 * (size_t)vertex;
    uint32_t begin = mesh->vertex_start[vertex], end = mesh->vertex_start[vertex + 1];
    double cosines = 0;

    if (end - begin == 1)
        return 1;
    for (uint32_t k = begin; k < end; k++) {
        const uint32_t *ends = mesh->facets + 2 * (size_t)mesh->vertex_facet[k];
        const double *other = mesh->vertices + 3 * (size_t)ends[ends[0] == vertex];
        double length = sqrt(scree_apart_sq(other, at));
        for (int k2 = 0; k2 < 2; k2++)
            cosines += (other[k2] - at[k2]) / length * way[k2];
    }
    double share = -cosines / STICKS_OUT;
    return share < 0 ? 0 : share < 1 ? share * share * (3 - 2 * share) : 1;
}

/*  The previous contact at the same vertex, otherwise the nearest. */
static uint32_t previous_at_vertex(const line_touching *l, const scree_mesh_memory *memory)
{
    const scree_shape_contact_list *now = &l->t->job->contacts->now;
    double best = SAME_SPOT * l->skin * SAME_SPOT * l->skin;
    uint32_t previous = UINT32_MAX;

    for (uint32_t c = l->t->work->old_begin; c < l->t->work->old_end; c++) {
        const scree_mesh_memory *old = &now->memory[c][0];
        if (old->pebble == SCREE_NO_CORNER && old->facet == memory->facet &&
            old->feature == memory->feature)
            return c;
        double away_sq = scree_apart_sq(old->point, memory->point);
        if (away_sq < best) {
            best = away_sq;
            previous = c;
        }
    }
    return previous;
}

static scree_status touch_vertex(line_touching *l, uint32_t facet, uint32_t end)
{
    const scree_mesh *mesh = l->wall->mesh.mesh;
    uint32_t vertex = mesh->facets[2 * (size_t)facet + end], side = 0;
    double at[3], from[3], local[3], normal[3], way[3];

    /* each vertex is tested with the first of its facets; if the vertex is near, so are all its facets */
    if (mesh->vertex_facet[mesh->vertex_start[vertex]] != facet)
        return SCREE_OK;
    scree_mesh_place(&l->wall->mesh.pose, mesh->vertices + 3 * (size_t)vertex, at);
    for (int k = 0; k < 3; k++)
        from[k] = at[k] - l->body.pose.place[k];
    turn_in(&l->body, from, local);
    double gap = height_over(l->body.convex, local, &side);
    if (!(gap < l->skin + l->t->reach))
        return SCREE_OK;
    turn_out(&l->body, l->body.convex->face[side], normal);
    for (int k = 0; k < 3; k++)
        normal[k] = -normal[k]; /* from the wall to the polygon */
    for (int k = 0; k < 3; k++)
        way[k] = l->wall->mesh.pose.turn[0][k] * normal[0] +
                 l->wall->mesh.pose.turn[1][k] * normal[1] +
                 l->wall->mesh.pose.turn[2][k] * normal[2];
    double weight = weight_of_vertex(mesh, vertex, way);
    if (!(weight > 0))
        return SCREE_OK;
    scree_shape_found *found = scree_shape_push_whole(l->t, at, normal, l->skin - gap);
    if (!found)
        return SCREE_OUT_OF_MEMORY;
    found->weight = weight;
    found->least = l->side->radius; /* contact models get the radius of the polygon */
    found->facet = found->memory.facet = facet;
    found->memory.feature = (uint8_t)(SCREE_ON_VERTEX + end);
    found->memory.pebble = SCREE_NO_CORNER;
    memcpy(found->memory.point, mesh->vertices + 3 * (size_t)vertex, sizeof found->memory.point);
    found->previous = previous_at_vertex(l, &found->memory);
    return SCREE_OK;
}

static scree_status find_near_facets(line_touching *l)
{
    double local[3];

    scree_shape_to_mesh(&l->wall->mesh.pose, l->side->centre, local);
    return scree_mesh_near(l->wall->mesh.mesh, local,
                           l->t->job->bodies->position[l->t->work->first][3] + l->t->reach,
                           l->t->job->finder->memory, &l->t->worker->facets);
}

static scree_status touch_vertices(line_touching *l)
{
    const scree_facet_list *near = &l->t->worker->facets;
    scree_status status = find_near_facets(l);

    for (size_t n = 0; n < near->count && !status; n++) {
        status = touch_vertex(l, near->facet[n], 0);
        if (!status)
            status = touch_vertex(l, near->facet[n], 1);
    }
    return status;
}

/* ---- all ---- */

/*  A contact's share of the load among those with the same normal. */
static double share_of_contact(const line_touching *l, size_t n)
{
    const scree_shape_found *all = l->t->worker->found, *own = &all[n];
    double depth = l->t->reach + own->overlap, sum = 0;

    for (size_t m = l->begin; m < l->t->worker->count; m++) {
        double same = scree_dot(own->normal, all[m].normal);
        if (same > 0)
            sum += same * all[m].weight * (l->t->reach + all[m].overlap) *
                   scree_block_closeness(scree_apart_sq(own->point, all[m].point), l->skin);
    }
    return sum > depth ? depth / sum : 1;
}

/*  Uses the weights of all contacts; they are replaced by shares only at the end. */
static scree_status share_among(line_touching *l)
{
    scree_shape_worker *worker = l->t->worker;
    size_t count = worker->count - l->begin;

    if (scree_memory_reserve(l->t->job->finder->memory, &worker->share, &worker->share_capacity,
                             count, sizeof *worker->share))
        return SCREE_OUT_OF_MEMORY;
    for (size_t n = 0; n < count; n++)
        worker->share[n] = share_of_contact(l, l->begin + n);
    for (size_t n = 0; n < count; n++)
        worker->found[l->begin + n].weight *= worker->share[n];
    return SCREE_OK;
}

scree_status scree_polygon_touch_line(scree_shape_pair *t)
{
    line_touching l = {.t = t,
                       .wall = t->side[0],
                       .side = t->side[1],
                       .body = scree_block_of(t->side[1]),
                       .skin = t->side[1]->mesh.skin,
                       .begin = t->worker->count};
    scree_status status = find_near_facets(&l);

    if (status || t->worker->facets.count == 0)
        return status;
    status = touch_corners(&l);
    if (!status)
        status = touch_vertices(&l);
    return status ? status : share_among(&l);
}
