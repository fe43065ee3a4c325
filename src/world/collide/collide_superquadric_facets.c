/*  Contacts of superquadrics with surfaces of facets (walls, and bodies with a contact skin), and with blocks.

    A SURFACE. The distance of a point from a convex body, below 0 inside of it, is a convex function, and a contact is a
    point of the surface at which it has a local minimum, as with spheres (sphere_mesh.h): over a face where the body's
    highest point towards the face's plane is above the face, on an edge or a vertex where the distance grows into all
    facets around it. So there is one contact over a plane however it is divided, one at a convex edge, and one for each wall of
    a corner. All is computed in the frame of the surface. The side of a face is that of the body's centre.

    A BLOCK is convex, and has one contact, in the direction of the largest distance. For that of a face, of the
    nearest point of the superquadric to an edge or to a corner, the distance of the whole block in that direction is a
    lower bound, and the largest one is the distance. Edges and corners are looked at only if the point under the best
    face is beside it. */
#include "world/collide/shape_pair.h"

#include "base/vector.h"
#include "shape/facet_feature.h"

#include <math.h>
#include <string.h>

/*  In units of the body's size. Features of the same place are found with this error, */
#define GRAIN 1e-9
/*  and are one contact if they are nearer than this. */
#define SAME_PLACE 1e-6
/*  Cosine of directions that count as perpendicular. */
#define LEVEL 1e-9
/*  Largest distance of a continuing contact, as a share of the radius, as for spheres on other facets. */
#define SAME_SPOT 0.125

typedef struct facet_touching
{
    scree_shape_pair *t;
    const scree_mesh *mesh;
    const scree_mesh_pose *pose;
    scree_quadric_body body; /* in the frame of the mesh */
    const double *across;
    double limit, skin, grain;
    size_t begin; /* of the contacts of this pair */
} facet_touching;

/* ---- frames ---- */

/*  The body as it is seen from a pose. */
static scree_quadric_body seen_from(const scree_mesh_pose *pose, const scree_shape_side *side)
{
    scree_quadric_body body = {.shape = side->quadric};

    scree_shape_to_mesh(pose, side->centre, body.place);
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++)
                body.turn[k][j] += pose->turn[i][k] * side->turn[i][j];
    return body;
}

static void to_space(const scree_mesh_pose *pose, scree_quadric_gap *gap)
{
    const double normal[3] = {gap->normal[0], gap->normal[1], gap->normal[2]};
    const double point[3] = {gap->point[0][0], gap->point[0][1], gap->point[0][2]};

    for (int k = 0; k < 3; k++)
        gap->normal[k] = scree_dot(pose->turn[k], normal);
    scree_mesh_place(pose, point, gap->point[0]);
}

static const double *vertex_of(const scree_mesh *mesh, uint32_t facet, int corner)
{
    const uint32_t *corners = mesh->facets + (size_t)mesh->corners * facet;

    return mesh->vertices + 3 * (size_t)corners[corner % mesh->corners];
}

/* ---- what is a contact ---- */

/*  Two features of the same place and direction are one, such as both facets where the body is over their edge. */
static bool is_known(const facet_touching *f, const double place[3], const double normal[3])
{
    const scree_shape_worker *worker = f->t->worker;
    const double sign = f->t->is_swapped ? -1 : 1, near = SAME_PLACE * f->body.shape->far;

    for (size_t n = f->begin; n < worker->count; n++)
        if (scree_apart_sq(worker->found[n].memory.point, place) < near * near &&
            sign * scree_dot(worker->found[n].normal, normal) > 0.999)
            return true;
    return false;
}

/*  `place`: of the surface. */
static scree_status take(facet_touching *f, scree_quadric_gap *gap, const double place[3],
                         uint32_t facet, uint32_t feature)
{
    to_space(f->pose, gap);
    if (is_known(f, place, gap->normal))
        return SCREE_OK;
    scree_shape_found *found =
        scree_quadric_push(f->t, gap, f->skin - gap->distance, f->t->side[1]->radius);
    if (!found)
        return SCREE_OUT_OF_MEMORY;
    found->facet = found->memory.facet = facet;
    found->memory.feature = (uint8_t)feature;
    memcpy(found->memory.point, place, sizeof found->memory.point);
    return SCREE_OK;
}

/* ---- faces ---- */

static bool is_over_face(const facet_touching *f, uint32_t facet, const double place[3])
{
    const double *normal = f->mesh->normals + 3 * (size_t)facet;

    for (int k = 0; k < f->mesh->corners; k++) {
        const double *from = vertex_of(f->mesh, facet, k), *to = vertex_of(f->mesh, facet, k + 1);
        double along[3], way[3], inward[3];
        for (int j = 0; j < 3; j++) {
            along[j] = to[j] - from[j];
            way[j] = place[j] - from[j];
        }
        if (f->mesh->corners == 3)
            scree_cross(normal, along, inward);
        else
            memcpy(inward, along, sizeof inward);
        if (scree_dot(inward, way) < -f->grain * scree_length(inward))
            return false;
    }
    return true;
}

static scree_status touch_face(facet_touching *f, uint32_t facet)
{
    const double *normal = f->mesh->normals + 3 * (size_t)facet;
    const double *from = vertex_of(f->mesh, facet, 0);
    scree_quadric_gap gap = {.distance = 0};
    double place[3], height = 0;

    for (int k = 0; k < 3; k++)
        height += normal[k] * (f->body.place[k] - from[k]);
    for (int k = 0; k < 3; k++)
        gap.normal[k] = height >= 0 ? -normal[k] : normal[k];
    scree_quadric_highest(&f->body, gap.normal, gap.point[0]);
    for (int k = 0; k < 3; k++)
        gap.distance += gap.normal[k] * (from[k] - gap.point[0][k]);
    if (!(gap.distance < f->limit))
        return SCREE_OK;
    for (int k = 0; k < 3; k++)
        place[k] = gap.point[0][k] + gap.distance * gap.normal[k];
    return is_over_face(f, facet, place) ? take(f, &gap, place, facet, SCREE_ON_FACE) : SCREE_OK;
}

/* ---- edges of triangles ---- */

/*  Whether the distance grows, or stays, from an edge into a facet. */
static bool grows_from_edge(const facet_touching *f, uint32_t facet, uint32_t edge,
                            const double unit[3], const double normal[3])
{
    double inward[3];

    for (int k = 0; k < 3; k++) {
        if (f->mesh->edge_of[3 * (size_t)facet + (size_t)k] != edge)
            continue;
        const double *from = vertex_of(f->mesh, facet, k), *apex = vertex_of(f->mesh, facet, k + 2);
        for (int j = 0; j < 3; j++)
            inward[j] = apex[j] - from[j];
        const double along = scree_dot(inward, unit);
        for (int j = 0; j < 3; j++)
            inward[j] -= along * unit[j];
        return scree_dot(normal, inward) >= -LEVEL * scree_length(inward);
    }
    return true;
}

static scree_status touch_edge(facet_touching *f, uint32_t facet, int k)
{
    const scree_mesh *mesh = f->mesh;
    const uint32_t edge = mesh->edge_of[3 * (size_t)facet + (size_t)k];
    const double *from = vertex_of(mesh, facet, k), *to = vertex_of(mesh, facet, k + 1);
    double unit[3], place[3], along = 0;

    /* with the first of its facets; if the edge is near, so are all of them */
    if (mesh->edge_facet[mesh->edge_start[edge]] != facet)
        return SCREE_OK;
    const double length = scree_apart(from, to);
    for (int j = 0; j < 3; j++)
        unit[j] = (to[j] - from[j]) / length;
    scree_quadric_gap gap = scree_quadric_gap_of_point(&f->body, from, unit, f->limit, NULL);
    if (!(gap.distance < f->limit))
        return SCREE_OK;
    for (int j = 0; j < 3; j++)
        along += unit[j] * (gap.point[0][j] - from[j]);
    if (along < -f->grain || along > length + f->grain)
        return SCREE_OK;
    for (uint32_t n = mesh->edge_start[edge]; n < mesh->edge_start[edge + 1]; n++)
        if (!grows_from_edge(f, mesh->edge_facet[n], edge, unit, gap.normal))
            return SCREE_OK;
    for (int j = 0; j < 3; j++)
        place[j] = from[j] + along * unit[j];
    return take(f, &gap, place, facet, SCREE_ON_EDGE + (uint32_t)k);
}

/* ---- vertices ---- */

static bool grows_from_vertex(const facet_touching *f, uint32_t facet, uint32_t vertex,
                              const double normal[3])
{
    const int corners = f->mesh->corners;
    const double *at = f->mesh->vertices + 3 * (size_t)vertex;

    for (int k = 0; k < corners; k++) {
        const double *other = vertex_of(f->mesh, facet, k);
        const double way[3] = {other[0] - at[0], other[1] - at[1], other[2] - at[2]};
        if (scree_dot(normal, way) < -LEVEL * scree_length(way))
            return false;
    }
    return true;
}

static scree_status touch_vertex(facet_touching *f, uint32_t facet, int k)
{
    const scree_mesh *mesh = f->mesh;
    const uint32_t vertex = mesh->facets[(size_t)mesh->corners * facet + (size_t)k];
    const double *at = mesh->vertices + 3 * (size_t)vertex;

    if (mesh->vertex_facet[mesh->vertex_start[vertex]] != facet)
        return SCREE_OK;
    const double far = f->body.shape->far + f->limit;
    if (scree_apart_sq(at, f->body.place) > far * far * (1 + 0x1p-40))
        return SCREE_OK;
    scree_quadric_gap gap = scree_quadric_gap_of_point(&f->body, at, f->across, f->limit, NULL);
    if (!(gap.distance < f->limit))
        return SCREE_OK;
    for (uint32_t n = mesh->vertex_start[vertex]; n < mesh->vertex_start[vertex + 1]; n++)
        if (!grows_from_vertex(f, mesh->vertex_facet[n], vertex, gap.normal))
            return SCREE_OK;
    return take(f, &gap, at, facet, SCREE_ON_VERTEX + (uint32_t)k);
}

/* ---- history ---- */

/*  The contact of the previous step on the same feature, otherwise the nearest; each continues in one contact. */
static void find_previous(const facet_touching *f)
{
    const scree_shape_pair *t = f->t;
    const scree_shape_contact_list *now = &t->job->contacts->now;
    const double near = SAME_SPOT * t->side[0]->radius;

    for (int round = 0; round < 2; round++)
        for (size_t n = f->begin; n < t->worker->count; n++) {
            scree_shape_found *found = &t->worker->found[n];
            double best = near * near;
            if (found->previous != UINT32_MAX)
                continue;
            for (uint32_t c = t->work->old_begin; c < t->work->old_end; c++) {
                const scree_mesh_memory *old = &now->memory[c][0];
                const double away_sq = scree_apart_sq(old->point, found->memory.point);
                const bool is_same =
                    old->facet == found->memory.facet && old->feature == found->memory.feature;
                if (t->worker->taken[c - t->work->old_begin] ||
                    !(round == 0 ? is_same : away_sq < best))
                    continue;
                best = away_sq;
                found->previous = c;
            }
            if (found->previous != UINT32_MAX)
                t->worker->taken[found->previous - t->work->old_begin] = 1;
        }
}

scree_status scree_quadric_touch_mesh(scree_shape_pair *t)
{
    const scree_shape_side *side = t->side[1];
    const double skin = side->mesh.skin;
    facet_touching f = {.t = t,
                        .mesh = side->mesh.mesh,
                        .pose = &side->mesh.pose,
                        .body = seen_from(&side->mesh.pose, t->side[0]),
                        .across = scree_quadric_across(t),
                        .limit = skin + t->reach,
                        .skin = skin,
                        .grain = GRAIN * t->side[0]->quadric->far,
                        .begin = t->worker->count};
    const scree_facet_list *near = &t->worker->facets;
    scree_status status =
        scree_mesh_near(f.mesh, f.body.place, f.body.shape->far * (1 + 0x1p-40) + f.limit,
                        t->job->finder->memory, &t->worker->facets);

    for (size_t n = 0; n < near->count && !status; n++)
        status = touch_face(&f, near->facet[n]);
    for (size_t n = 0; n < near->count && f.mesh->corners == 3; n++)
        for (int k = 0; k < 3 && !status; k++)
            status = touch_edge(&f, near->facet[n], k);
    for (size_t n = 0; n < near->count; n++)
        for (int k = 0; k < f.mesh->corners && !status; k++)
            status = touch_vertex(&f, near->facet[n], k);
    if (!status)
        find_previous(&f);
    return status;
}

/* ---- blocks ---- */

typedef struct block_touching
{
    scree_quadric_body body; /* in the frame of the block */
    const scree_convex *convex;
    const double *across;
    double limit;
    scree_quadric_gap best;
} block_touching;

/*  Keeps a direction if the whole block is farther along it than along the best one so far. */
static void look_along(block_touching *b, const double normal[3])
{
    scree_quadric_gap gap = {.steps = 0};
    double low = INFINITY;

    memcpy(gap.normal, normal, sizeof gap.normal);
    scree_quadric_highest(&b->body, normal, gap.point[0]);
    for (uint32_t c = 0; c < b->convex->corner_count; c++)
        low = fmin(low, scree_dot(b->convex->corner[c], normal));
    gap.distance = low - scree_dot(gap.point[0], normal);
    if (gap.distance > b->best.distance)
        b->best = gap;
}

/*  The face with the largest distance. Returns whether the nearest point is above it. */
static bool look_at_faces(block_touching *b)
{
    const scree_convex *convex = b->convex;
    double place[3];
    uint32_t best = 0;

    for (uint32_t f = 0; f < convex->face_count; f++) {
        const double back[3] = {-convex->face[f][0], -convex->face[f][1], -convex->face[f][2]};
        const double before = b->best.distance;
        look_along(b, back);
        best = b->best.distance > before ? f : best;
    }
    for (int k = 0; k < 3; k++)
        place[k] = b->best.point[0][k] + b->best.distance * b->best.normal[k];
    for (uint32_t f = 0; f < convex->face_count; f++)
        if (f != best && scree_dot(convex->face[f], place) > convex->face[f][3])
            return false;
    return true;
}

/*  Until a direction is found along which they are apart by the limit. The searches are not ended by the limit, and none is
    left out: a corner may be farther than that along a direction along which another one is not. */
static void look_at_corners(block_touching *b)
{
    const scree_convex *convex = b->convex;
    const uint32_t edges = convex->is_flat ? 0 : convex->edge_count;

    for (uint32_t e = 0; e < edges && b->best.distance < b->limit; e++) {
        const double *from = convex->corner[convex->edge[e].corner[0]];
        const double length = scree_length(convex->along[e]);
        const double unit[3] = {convex->along[e][0] / length, convex->along[e][1] / length,
                                convex->along[e][2] / length};
        const scree_quadric_gap gap =
            scree_quadric_gap_of_point(&b->body, from, unit, INFINITY, NULL);
        look_along(b, gap.normal);
    }
    for (uint32_t c = 0; c < convex->corner_count && b->best.distance < b->limit; c++) {
        const scree_quadric_gap gap =
            scree_quadric_gap_of_point(&b->body, convex->corner[c], b->across, INFINITY, NULL);
        look_along(b, gap.normal);
    }
}

scree_status scree_quadric_touch_block(scree_shape_pair *t)
{
    const scree_shape_side *side = t->side[1];
    const double skin = side->mesh.skin;
    const scree_block_body block = scree_block_of(side);
    block_touching b = {.body = seen_from(&block.pose, t->side[0]),
                        .convex = side->convex,
                        .across = scree_quadric_across(t),
                        .limit = skin + t->reach,
                        .best = {.distance = -INFINITY}};

    const bool is_sure = look_at_faces(&b);
    if (!is_sure && b.best.distance < b.limit)
        look_at_corners(&b);
    if (!(b.best.distance < b.limit)) {
        t->apart = b.best.distance - b.limit;
        return SCREE_OK;
    }
    to_space(&block.pose, &b.best);
    scree_shape_found *found = scree_quadric_push(t, &b.best, skin - b.best.distance, side->radius);
    if (!found)
        return SCREE_OUT_OF_MEMORY;
    if (t->work->old_begin < t->work->old_end)
        found->previous = t->work->old_begin;
    return SCREE_OK;
}
