/*  Meshes and blocks in a picture: their front-facing facets, in the colour of their body. For lighting they remain
    balls about the same centre, entirely inside the surface, so that shadows have closed forms and no facet is in the
    shadow of its own body. A polygon has a triangle for each side, whose third corner is its centre. Bodies of less
    than a pixel or two are balls of the same volume. */
#include "picture/subject.h"

#include "base/error.h"
#include "base/quaternion.h"
#include "shape/mesh.h"
#include "world/step/world_data.h"

#include <math.h>
#include <string.h>

#define SOLIDS_PER_BLOCK 16u
#define MIN_PIXELS 2.0 /* across: smaller bodies are drawn as balls */

typedef struct solid_posing
{
    scree_subject *subject;
    const scree_world *world;
    const scree_roster *roster;
    size_t *first;  /* first facet of each body; one more than bodies */
    uint32_t *kept; /* number of front-facing facets */
} solid_posing;

/*  One body in view space. */
typedef struct solid_pose
{
    const scree_shape_data *known;
    const scree_lens *lens;
    double turn[4], position[3], sign;
} solid_pose;

static const scree_shape_data *solid_of(const solid_posing *p, size_t i)
{
    const scree_body_arrays *bodies = &p->world->bodies;
    uint32_t slot = p->roster->row[i];

    if (!scree_is_of_triangles(bodies, slot))
        return NULL;
    return scree_shape_table_find(&p->world->shape_finder.meshes, bodies->shape[slot][0].mesh);
}

static bool is_small(const scree_lens *lens, const double ball[4])
{
    double depth = lens->orthographic ? 1 : ball[2] - ball[3];
    return depth > 0 && 2 * ball[3] < MIN_PIXELS * lens->step * depth;
}

/* ---- a facet ---- */

static void view_vertex(const solid_pose *pose, uint32_t vertex, double view[3])
{
    const double *v = pose->known->mesh->vertices + 3 * (size_t)vertex;
    double arm[3];

    for (int k = 0; k < 3; k++)
        arm[k] = v[k] - pose->known->solid.centre[k];
    scree_quaternion_turn(pose->turn, arm, arm);
    for (int k = 0; k < 3; k++)
        arm[k] += pose->position[k];
    scree_lens_point(pose->lens, arm, view);
}

static void view_normal(const solid_pose *pose, const double normal[3], double view[3])
{
    double turned[3];

    scree_quaternion_turn(pose->turn, normal, turned);
    for (int k = 0; k < 3; k++)
        turned[k] *= pose->sign;
    scree_lens_direction(pose->lens, turned, view);
}

/*  The mean normal of adjacent facets of the same smooth surface; its own is among them. */
static void smooth_corner(const solid_pose *pose, uint32_t facet, uint32_t vertex, float normal[3])
{
    const scree_mesh *mesh = pose->known->mesh;
    const double *own = mesh->normals + 3 * (size_t)facet;
    double sum[3] = {0, 0, 0}, view[3];

    for (uint32_t i = mesh->vertex_start[vertex]; i < mesh->vertex_start[vertex + 1]; i++) {
        const double *other = mesh->normals + 3 * (size_t)mesh->vertex_facet[i];
        for (int k = 0; k < 3 && scree_dot(other, own) > SCREE_SMOOTH; k++)
            sum[k] += other[k];
    }
    scree_view_normalise(sum);
    view_normal(pose, sum, view);
    for (int k = 0; k < 3; k++)
        normal[k] = (float)view[k];
}

/*  One side of a polygon, which is seen from above. */
static void pose_sector(const solid_pose *pose, uint32_t facet, scree_facet_seen *seen)
{
    const uint32_t *vertex = pose->known->mesh->facets + 2 * (size_t)facet;

    scree_lens_point(pose->lens, pose->position, seen->corner[0]);
    view_vertex(pose, vertex[0], seen->corner[1]);
    view_vertex(pose, vertex[1], seen->corner[2]);
}

/*  Returns false if it faces away from the eye. */
static bool pose_facet(const solid_pose *pose, uint32_t facet, scree_facet_seen *seen)
{
    const scree_mesh *mesh = pose->known->mesh;
    const uint32_t *vertex = mesh->facets + 3 * (size_t)facet;
    double normal[3];

    if (mesh->corners == 2) {
        pose_sector(pose, facet, seen);
        return true;
    }
    for (int i = 0; i < 3; i++)
        view_vertex(pose, vertex[i], seen->corner[i]);
    view_normal(pose, mesh->normals + 3 * (size_t)facet, normal);
    double away = pose->lens->orthographic ? normal[2] : scree_dot(normal, seen->corner[0]);
    if (!(away < 0))
        return false;
    for (int i = 0; i < 3; i++)
        smooth_corner(pose, facet, vertex[i], seen->normal[i]);
    return true;
}

/* ---- a body ---- */

/*  Radius of the largest ball about the centre that crosses no facet's plane. */
static double inner_radius(const scree_shape_data *known)
{
    const scree_mesh *mesh = known->mesh;
    double least = INFINITY;

    for (size_t f = 0; f < mesh->facet_count; f++) {
        const double *corner = mesh->vertices + 3 * (size_t)mesh->facets[3 * f];
        double away = 0;
        for (size_t k = 0; k < 3; k++)
            away += (corner[k] - known->solid.centre[k]) * mesh->normals[3 * f + k];
        least = fmin(least, fabs(away));
    }
    return least;
}

static void pose_solid(const solid_posing *p, size_t i, const scree_shape_data *known)
{
    scree_subject *s = p->subject;
    uint32_t slot = p->roster->row[i], count = 0;
    solid_pose pose = {.known = known, .lens = &s->lens};
    uint32_t facets = (uint32_t)(p->first[i + 1] - p->first[i]);

    pose.sign = pose.known->solid.inward ? -1 : 1;
    memcpy(pose.position, p->world->bodies.position[slot], sizeof pose.position);
    scree_shape_turn(pose.known, p->world->bodies.orientation[slot], pose.turn);
    /* in two dimensions balls are used for window tests only, and there are no shadows */
    if (known->mesh->corners == 3)
        s->ball[i][3] = inner_radius(pose.known) / s->lens.unit;
    for (uint32_t f = 0; f < facets; f++) {
        scree_facet_seen *seen = &s->facet[p->first[i] + count];
        *seen = (scree_facet_seen){.body = (uint32_t)i};
        count += pose_facet(&pose, f, seen);
    }
    p->kept[i] = count;
}

static void pose_block_of_solids(void *data, size_t block, uint32_t worker)
{
    const solid_posing *p = data;
    size_t end = scree_block_end(block, SOLIDS_PER_BLOCK, p->roster->count);

    (void)worker;
    for (size_t i = block * SOLIDS_PER_BLOCK; i < end; i++) {
        const scree_shape_data *known = p->subject->is_faceted[i] ? solid_of(p, i) : NULL;
        if (known)
            pose_solid(p, i, known);
    }
}

/* ---- all ---- */

/*  Which bodies have facets, and their offsets. SCREE_TOO_LARGE. */
static scree_status share_out(const solid_posing *p)
{
    scree_subject *s = p->subject;

    p->first[0] = 0;
    for (size_t i = 0; i < p->roster->count; i++) {
        const scree_shape_data *known = solid_of(p, i);
        bool small = known && is_small(&s->lens, s->ball[i]);
        s->is_faceted[i] = known && !small;
        if (small)
            s->ball[i][3] = known->round / s->lens.unit;
        p->first[i + 1] = p->first[i] + (s->is_faceted[i] ? known->mesh->facet_count : 0);
        if (p->first[i + 1] > SCREE_MAX_SEEN)
            return SCREE_TOO_LARGE;
    }
    return SCREE_OK;
}

/*  Removes the gaps of facets that face away. */
static void close_up(const solid_posing *p)
{
    scree_subject *s = p->subject;

    for (size_t i = 0; i < p->roster->count; i++) {
        if (!s->is_faceted[i])
            continue;
        memmove(s->facet + s->facet_count, s->facet + p->first[i], p->kept[i] * sizeof *s->facet);
        s->facet_count += p->kept[i];
    }
}

static scree_status pose_all(const solid_posing *p)
{
    scree_subject *s = p->subject;
    scree_status status = share_out(p);

    if (!status)
        status = scree_memory_reserve(s->memory, &s->facet, &s->facet_capacity,
                                      p->first[p->roster->count], sizeof *s->facet);
    if (status)
        return status;
    scree_workers_run(s->workers, scree_block_count(p->roster->count, SOLIDS_PER_BLOCK),
                      pose_block_of_solids, (void *)(uintptr_t)p);
    close_up(p);
    return SCREE_OK;
}

scree_status scree_subject_pose_solids(scree_subject *s, const scree_world *world,
                                       const scree_roster *roster)
{
    solid_posing p = {.subject = s, .world = world, .roster = roster};
    size_t count = roster->count;
    scree_status status = scree_memory_reserve(s->memory, &s->is_faceted, &s->faceted_capacity,
                                               s->ball_count, sizeof *s->is_faceted);

    if (!status)
        status = scree_memory_take(s->memory, count + 1, sizeof *p.first, &p.first);
    if (!status)
        status = scree_memory_take(s->memory, count, sizeof *p.kept, &p.kept);
    /* pebbles of clumps come after */
    for (size_t i = count; i < s->ball_count && !status; i++)
        s->is_faceted[i] = false;
    if (!status)
        status = pose_all(&p);
    scree_memory_give(s->memory, &p.first, count + 1, sizeof *p.first);
    scree_memory_give(s->memory, &p.kept, count, sizeof *p.kept);
    return status;
}
