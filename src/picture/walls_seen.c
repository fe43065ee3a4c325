/*  Walls in a picture. A facet with the eye on one side and its nearest body on the other hides bodies, so it is drawn
    as glass or omitted. One can look into a drum from any side, while a floor, a belt or a stirrer among the grains
    stays solid. Of a plane, the part near the bodies that is in front of no other plane is drawn. */
#include "picture/subject.h"

#include "base/error.h"
#include "base/quaternion.h"
#include "shape/mesh.h"
#include "world/step/world_data.h"

#include <math.h>
#include <string.h>

#define FACETS_PER_BLOCK 1024u
#define FOLD 0.87 /* cosine below which an edge is drawn as a line */
#define AROUND                                                                                     \
    0.3 /* fraction of the box's largest edge: planes are drawn up to this distance around it */
#define MAX_CORNERS 64

/*  Reverses a normal that points away from the eye. */
static double towards_eye(const scree_lens *lens, const double normal[3], const double point[3])
{
    double away = lens->orthographic ? normal[2] : scree_dot(normal, point);
    return away > 0 ? -1 : 1;
}

/*  Whether bodies are behind a facet whose normal points towards the eye. */
static bool hides_bodies(const scree_subject *s, const double normal[3], double corner[3][3])
{
    float middle[3];
    double from[3];
    for (int k = 0; k < 3; k++)
        middle[k] = (float)((corner[0][k] + corner[1][k] + corner[2][k]) / 3);
    uint32_t nearest = scree_ball_tree_nearest(&s->balls, middle);
    if (nearest == SCREE_NO_BALL)
        return true; /* an empty drum is also transparent */
    for (int k = 0; k < 3; k++)
        from[k] = s->ball[nearest][k] - (double)middle[k];
    return scree_dot(from, normal) < 0;
}

static scree_status add_line(scree_subject *s, const double a[3], const double b[3])
{
    scree_status status = scree_memory_reserve(s->memory, &s->line, &s->line_capacity,
                                               s->line_count + 1, sizeof *s->line);
    if (status)
        return status;
    memcpy(s->line[s->line_count].end[0], a, 3 * sizeof *a);
    memcpy(s->line[s->line_count].end[1], b, 3 * sizeof *b);
    s->line_count++;
    return SCREE_OK;
}

/* ---- meshes ---- */

typedef struct mesh_posing
{
    scree_subject *subject;
    const scree_mesh *mesh;
    double (*vertex)[3], (*normal)[3]; /* in view space */
    scree_facet_seen *facet;           /* first facet of the mesh */
    size_t wall;
} mesh_posing;

/*  The mean normal of the facets around a corner that belong to the same smooth surface. */
static void smooth_normal(const mesh_posing *p, uint32_t facet, uint32_t vertex, double sign,
                          float normal[3])
{
    const scree_mesh *mesh = p->mesh;
    double sum[3] = {0, 0, 0};
    for (uint32_t i = mesh->vertex_start[vertex]; i < mesh->vertex_start[vertex + 1]; i++) {
        const double *other = p->normal[mesh->vertex_facet[i]];
        double cosine = scree_dot(other, p->normal[facet]);
        for (int k = 0; k < 3 && fabs(cosine) > SCREE_SMOOTH; k++)
            sum[k] += cosine > 0 ? other[k] : -other[k];
    }
    scree_view_normalise(sum); /* includes its own normal, so it has a direction */
    for (int k = 0; k < 3; k++)
        normal[k] = (float)(sign * sum[k]);
}

/*  The colour of walls that no field colours. */
static const float *plain_light(const scree_subject *s)
{
    static const float steel[3] = {0.115f, 0.135f, 0.175f}, paper[3] = {0.50f, 0.53f, 0.57f};

    return s->def->background == SCREE_PICTURE_DARK ? steel : paper;
}

static void pose_facets(void *data, size_t block, uint32_t worker)
{
    const mesh_posing *p = data;
    const scree_subject *s = p->subject;
    const scree_mesh *mesh = p->mesh;
    bool may_be_glass = s->def->walls != SCREE_PICTURE_WALLS_SOLID;
    size_t end = scree_block_end(block, FACETS_PER_BLOCK, mesh->facet_count);
    (void)worker;
    for (size_t f = block * FACETS_PER_BLOCK; f < end; f++) {
        scree_facet_seen *seen = &p->facet[f];
        const uint32_t *vertex = mesh->facets + 3 * f;
        double normal[3];
        for (int i = 0; i < 3; i++)
            memcpy(seen->corner[i], p->vertex[vertex[i]], sizeof seen->corner[i]);
        double sign = towards_eye(&s->lens, p->normal[f], seen->corner[0]);
        for (int k = 0; k < 3; k++)
            normal[k] = sign * p->normal[f][k];
        for (int i = 0; i < 3; i++)
            smooth_normal(p, (uint32_t)f, vertex[i], sign, seen->normal[i]);
        seen->body = SCREE_NO_BALL;
        memcpy(seen->light,
               s->walls->is_on ? scree_wall_colours_at(s->walls, p->wall, (uint32_t)f)
                               : plain_light(s),
               sizeof seen->light);
        seen->glass = may_be_glass && hides_bodies(s, normal, seen->corner);
    }
}

/*  Edges with one facet, or between facets that are not smooth. */
static scree_status add_edges(const mesh_posing *p)
{
    const scree_mesh *mesh = p->mesh;
    scree_status status = SCREE_OK;
    for (uint32_t f = 0; f < mesh->facet_count && !status; f++)
        for (uint32_t i = 0; i < 3 && !status; i++) {
            uint32_t edge = mesh->edge_of[3 * f + i];
            const uint32_t *around = mesh->edge_facet + mesh->edge_start[edge];
            uint32_t count = mesh->edge_start[edge + 1] - mesh->edge_start[edge];
            if (around[0] != f) /* each edge once */
                continue;
            if (count == 2 && fabs(scree_dot(p->normal[around[0]], p->normal[around[1]])) > FOLD)
                continue;
            status = add_line(p->subject, p->vertex[mesh->facets[3 * f + i]],
                              p->vertex[mesh->facets[3 * f + (i + 1) % 3]]);
        }
    return status;
}

static scree_status add_segments(const mesh_posing *p)
{
    const scree_mesh *mesh = p->mesh;
    scree_status status = SCREE_OK;
    for (uint32_t f = 0; f < mesh->facet_count && !status; f++)
        status = add_line(p->subject, p->vertex[mesh->facets[2 * f]],
                          p->vertex[mesh->facets[2 * f + 1]]);
    return status;
}

static bool shows_lines(const scree_picture_def *def)
{
    return def->walls == SCREE_PICTURE_WALLS_GLASS || def->walls == SCREE_PICTURE_WALLS_LINES;
}

static scree_status add_facets(mesh_posing *p)
{
    scree_subject *s = p->subject;
    size_t count = p->mesh->facet_count, kept = s->facet_count;
    scree_status status = scree_memory_reserve(s->memory, &s->facet, &s->facet_capacity,
                                               s->facet_count + count, sizeof *s->facet);
    if (status)
        return status;
    p->facet = s->facet + s->facet_count;
    scree_workers_run(s->workers, scree_block_count(count, FACETS_PER_BLOCK), pose_facets, p);
    for (size_t f = 0; f < count; f++)
        if (s->def->walls != SCREE_PICTURE_WALLS_CUT || !p->facet[f].glass)
            s->facet[kept++] = p->facet[f];
    s->facet_count = kept;
    return SCREE_OK;
}

static void pose_mesh(mesh_posing *p, const scree_wall_record *wall)
{
    const scree_lens *lens = &p->subject->lens;
    for (uint32_t v = 0; v < p->mesh->vertex_count; v++) {
        double point[3];
        scree_quaternion_turn(wall->now.orientation, p->mesh->vertices + 3 * (size_t)v, point);
        for (int k = 0; k < 3; k++)
            point[k] += wall->now.position[k];
        scree_lens_point(lens, point, p->vertex[v]);
    }
    for (uint32_t f = 0; f < p->mesh->facet_count; f++) {
        double turned[3];
        scree_quaternion_turn(wall->now.orientation, p->mesh->normals + 3 * (size_t)f, turned);
        scree_lens_direction(lens, turned, p->normal[f]);
    }
}

static scree_status add_mesh(scree_subject *s, const scree_world *world, size_t w)
{
    const scree_wall_record *wall = &world->walls.wall[w];
    mesh_posing p = {s, wall->def.mesh, NULL, NULL, NULL, w};
    uint32_t vertices = p.mesh->vertex_count, facets = p.mesh->facet_count;
    scree_status status = scree_memory_take(s->memory, vertices, sizeof *p.vertex, &p.vertex);
    if (!status)
        status = scree_memory_take(s->memory, facets, sizeof *p.normal, &p.normal);
    if (!status) {
        pose_mesh(&p, wall);
        if (p.mesh->corners == 2)
            status = add_segments(&p);
        else if (s->def->walls != SCREE_PICTURE_WALLS_LINES)
            status = add_facets(&p);
        if (!status && p.mesh->corners == 3 && shows_lines(s->def))
            status = add_edges(&p);
    }
    scree_memory_give(s->memory, &p.vertex, vertices, sizeof *p.vertex);
    scree_memory_give(s->memory, &p.normal, facets, sizeof *p.normal);
    return status;
}

/* ---- planes ---- */

typedef struct polygon
{
    double corner[MAX_CORNERS][3];
    int count;
} polygon;

/*  Clips to normal . (x - point) >= 0 (Sutherland and Hodgman 1974). */
static void cut_polygon(polygon *p, const double normal[3], const double point[3])
{
    polygon kept = {.count = 0};
    for (int i = 0; i < p->count; i++) {
        const double *a = p->corner[i], *b = p->corner[(i + 1) % p->count];
        double above_a = 0, above_b = 0;
        for (int k = 0; k < 3; k++) {
            above_a += normal[k] * (a[k] - point[k]);
            above_b += normal[k] * (b[k] - point[k]);
        }
        if (above_a >= 0 && kept.count < MAX_CORNERS)
            memcpy(kept.corner[kept.count++], a, 3 * sizeof *a);
        if ((above_a >= 0) == (above_b >= 0) || kept.count >= MAX_CORNERS)
            continue;
        for (int k = 0; k < 3; k++)
            kept.corner[kept.count][k] = a[k] + above_a / (above_a - above_b) * (b[k] - a[k]);
        kept.count++;
    }
    *p = kept;
}

/*  A square in the plane, large enough for the whole box. */
static void lay_square(polygon *p, const double normal[3], const double point[3],
                       const double lower[3], const double upper[3])
{
    double across[3] = {0, 0, 0}, along[3], middle[3], height = 0, size = 0;
    int least = 0;
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5 * (lower[k] + upper[k]);
        height += normal[k] * (middle[k] - point[k]);
        size += upper[k] - lower[k];
        least = fabs(normal[k]) < fabs(normal[least]) ? k : least;
    }
    across[least] = 1;
    scree_cross(normal, across, along);
    scree_view_normalise(along);
    scree_cross(along, normal, across);
    p->count = 4;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            p->corner[i][k] = middle[k] - height * normal[k] +
                              size * ((i == 1 || i == 2) ? across[k] : -across[k]) +
                              size * (i >= 2 ? along[k] : -along[k]);
}

static void trim(polygon *p, const scree_world *world, size_t self, const double lower[3],
                 const double upper[3])
{
    for (int k = 0; k < 3; k++) {
        double inward[3] = {0, 0, 0};
        inward[k] = 1;
        cut_polygon(p, inward, lower);
        inward[k] = -1;
        cut_polygon(p, inward, upper);
    }
    for (size_t w = 0; w < world->walls.count; w++) {
        const scree_wall_record *other = &world->walls.wall[w];
        if (w != self && other->def.kind == SCREE_WALL_PLANE)
            cut_polygon(p, other->now.normal, other->now.position);
    }
}

static scree_status add_polygon(scree_subject *s, polygon *p, const double normal[3])
{
    scree_facet_seen seen = {.body = SCREE_NO_BALL};
    double view[3];

    memcpy(seen.light, plain_light(s), sizeof seen.light);
    scree_status status = scree_memory_reserve(s->memory, &s->facet, &s->facet_capacity,
                                               s->facet_count + MAX_CORNERS, sizeof *s->facet);
    for (int i = 0; i < p->count; i++) {
        scree_lens_point(&s->lens, p->corner[i], view);
        memcpy(p->corner[i], view, sizeof view);
    }
    scree_lens_direction(&s->lens, normal, view);
    double sign = towards_eye(&s->lens, view, p->corner[0]);
    /* bodies are on the side of the normal */
    seen.glass = sign < 0 && s->def->walls != SCREE_PICTURE_WALLS_SOLID;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            seen.normal[i][k] = (float)(sign * view[k]);
    bool shown = s->def->walls != SCREE_PICTURE_WALLS_LINES &&
                 !(seen.glass && s->def->walls == SCREE_PICTURE_WALLS_CUT);
    for (int i = 2; i < p->count && shown && !status; i++) {
        memcpy(seen.corner[0], p->corner[0], sizeof view);
        memcpy(seen.corner[1], p->corner[i - 1], sizeof view);
        memcpy(seen.corner[2], p->corner[i], sizeof view);
        s->facet[s->facet_count++] = seen;
    }
    for (int i = 0; i < p->count && shows_lines(s->def) && !status; i++)
        status = add_line(s, p->corner[i], p->corner[(i + 1) % p->count]);
    return status;
}

static scree_status add_plane(scree_subject *s, const scree_world *world, size_t w,
                              const double lower[3], const double upper[3])
{
    const scree_wall_record *wall = &world->walls.wall[w];
    polygon p;
    if (world->def.dimensions == 2) {
        scree_status status = scree_memory_reserve(s->memory, &s->half, &s->half_capacity,
                                                   s->half_count + 1, sizeof *s->half);
        if (status)
            return status;
        scree_lens_point(&s->lens, wall->now.position, s->half[s->half_count].point);
        scree_lens_direction(&s->lens, wall->now.normal, s->half[s->half_count].normal);
        s->half_count++;
        return SCREE_OK;
    }
    lay_square(&p, wall->now.normal, wall->now.position, lower, upper);
    trim(&p, world, w, lower, upper);
    return p.count > 2 ? add_polygon(s, &p, wall->now.normal) : SCREE_OK;
}

scree_status scree_subject_pose_walls(scree_subject *s, const scree_world *world,
                                      const double lower[3], const double upper[3])
{
    double size = 0, around_lower[3], around_upper[3];
    scree_status status = SCREE_OK;
    for (int k = 0; k < 3; k++)
        size = fmax(size, upper[k] - lower[k]);
    for (int k = 0; k < 3; k++) {
        around_lower[k] = lower[k] - AROUND * size;
        around_upper[k] = upper[k] + AROUND * size;
    }
    for (size_t w = 0; w < world->walls.count && !status; w++) {
        const scree_wall_record *wall = &world->walls.wall[w];
        if (wall->def.kind == SCREE_WALL_PLANE)
            status = add_plane(s, world, w, around_lower, around_upper);
        else if (wall->def.mesh->facet_count > SCREE_MAX_SEEN - s->facet_count)
            status = SCREE_TOO_LARGE;
        else
            status = add_mesh(s, world, w);
    }
    return status;
}
