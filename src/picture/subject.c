/*  The geometry of bodies, and what all geometry of a picture needs: bounds and trees. */
#include "picture/subject.h"

#include "base/error.h"
#include "base/portable_math.h"
#include "base/quaternion.h"
#include "world/step/world_data.h"

#include <math.h>

#define BODIES_PER_BLOCK 4096u

/* ---- the box ---- */

static void join(double lower[3], double upper[3], const double point[3], double radius)
{
    for (int k = 0; k < 3; k++) {
        lower[k] = fmin(lower[k], point[k] - radius);
        upper[k] = fmax(upper[k], point[k] + radius);
    }
}

static void join_mesh(const scree_wall_record *wall, double lower[3], double upper[3])
{
    scree_mesh_info info = scree_mesh_describe(wall->def.mesh);
    for (uint32_t v = 0; v < info.vertex_count; v++) {
        double point[3];
        scree_quaternion_turn(wall->now.orientation, info.vertices + 3 * (size_t)v, point);
        for (int k = 0; k < 3; k++)
            point[k] += wall->now.position[k];
        join(lower, upper, point, 0);
    }
}

/*  Meshes that are much larger than the bodies count as surroundings and do not enlarge the box. */
#define SURROUNDINGS 4.0

static double largest_edge(const double lower[3], const double upper[3])
{
    return fmax(fmax(upper[0] - lower[0], upper[1] - lower[1]), upper[2] - lower[2]);
}

void scree_subject_box(const scree_world *world, const scree_roster *roster,
                       const scree_picture_def *def, double lower[3], double upper[3])
{
    for (int k = 0; k < 3; k++) {
        lower[k] = INFINITY;
        upper[k] = -INFINITY;
    }
    for (size_t i = 0; i < roster->count; i++) {
        const double *position = world->bodies.position[roster->row[i]];
        join(lower, upper, position, position[3]);
    }
    double size = roster->count > 0 ? largest_edge(lower, upper) : INFINITY;
    const double bodies_lower[3] = {lower[0], lower[1], lower[2]},
                 bodies_upper[3] = {upper[0], upper[1], upper[2]};
    for (size_t w = 0; w < world->walls.count && def->walls != SCREE_PICTURE_WALLS_NONE; w++) {
        const scree_wall_record *wall = &world->walls.wall[w];
        double both_lower[3], both_upper[3];
        if (wall->def.kind != SCREE_WALL_MESH)
            continue;
        for (int k = 0; k < 3; k++) {
            both_lower[k] = bodies_lower[k];
            both_upper[k] = bodies_upper[k];
        }
        join_mesh(wall, both_lower, both_upper);
        if (largest_edge(both_lower, both_upper) > SURROUNDINGS * size)
            continue;
        join(lower, upper, both_lower, 0);
        join(lower, upper, both_upper, 0);
    }
}

/* ---- bodies ---- */

typedef struct posing
{
    scree_subject *subject;
    const scree_world *world;
    const scree_roster *roster;
    const scree_palette *palette;
    bool plain; /* the same colour for all */
} posing;

static double share_of(const scree_roster *roster, const scree_picture_def *def, double value)
{
    double low = roster->range[0], high = roster->range[1];
    if (!def->logarithmic)
        return (value - low) / (high - low);
    return value > 0 ? scree_ln(value / low) / scree_ln(high / low) : 0;
}

static void pose_block(void *data, size_t block, uint32_t worker)
{
    static const float one_colour[3] = {0.62f, 0.55f, 0.43f};
    const posing *p = data;
    scree_subject *s = p->subject;
    size_t end = scree_block_end(block, BODIES_PER_BLOCK, p->roster->count);
    (void)worker;
    for (size_t i = block * BODIES_PER_BLOCK; i < end; i++) {
        uint32_t row = p->roster->row[i];
        const double *position = p->world->bodies.position[row], ahead[3] = {1, 0, 0};
        const float *light = one_colour;
        double spoke[3];
        scree_lens_point(&s->lens, position, s->ball[i]);
        s->ball[i][3] = position[3] / s->lens.unit;
        if (!p->plain && p->palette->categories)
            light = scree_palette_of(p->palette, p->roster->value[i]);
        else if (!p->plain)
            light = scree_palette_at(p->palette, share_of(p->roster, s->def, p->roster->value[i]));
        for (int k = 0; k < 3; k++)
            s->light[i][k] = light[k];
        scree_quaternion_turn(p->world->bodies.orientation[row], ahead, spoke);
        s->spoke[i][0] = (float)spoke[0];
        s->spoke[i][1] = (float)spoke[1];
    }
}

scree_status scree_subject_reserve(scree_subject *s, size_t count)
{
    scree_status status =
        count > SCREE_MAX_SEEN
            ? SCREE_TOO_LARGE
            : scree_memory_reserve(s->memory, &s->ball, &s->ball_capacity, count, sizeof *s->ball);

    if (!status)
        status =
            scree_memory_reserve(s->memory, &s->light, &s->light_capacity, count, sizeof *s->light);
    if (!status)
        status =
            scree_memory_reserve(s->memory, &s->spoke, &s->spoke_capacity, count, sizeof *s->spoke);
    return status;
}

static scree_status pose_bodies(posing *p)
{
    scree_subject *s = p->subject;
    size_t count = p->roster->count;
    scree_status status = scree_subject_reserve(s, count);

    if (status)
        return status;
    s->ball_count = count;
    scree_workers_run(s->workers, scree_block_count(count, BODIES_PER_BLOCK), pose_block, p);
    if (p->world->bodies.nonspheres)
        status = scree_subject_pose_clumps(s, p->world, p->roster);
    if (!status && p->world->bodies.nonspheres)
        status = scree_subject_pose_solids(s, p->world, p->roster);
    if (status)
        return status;
    return scree_ball_tree_build(&s->balls, s->memory, s->workers, (const double(*)[4])s->ball,
                                 s->ball_count);
}

/* ---- trees over facets and lines ---- */

static void bound_points(const double *const point[], int count, double ball[4])
{
    for (int k = 0; k < 3; k++) {
        double low = point[0][k], high = low;
        for (int i = 1; i < count; i++) {
            low = fmin(low, point[i][k]);
            high = fmax(high, point[i][k]);
        }
        ball[k] = 0.5 * (low + high);
    }
    ball[3] = 0;
    for (int i = 0; i < count; i++) {
        double from[3] = {point[i][0] - ball[0], point[i][1] - ball[1], point[i][2] - ball[2]};
        ball[3] = fmax(ball[3], scree_length(from));
    }
}

static scree_status build_trees(scree_subject *s)
{
    size_t most = s->facet_count > s->line_count ? s->facet_count : s->line_count;
    double(*ball)[4] = NULL;
    scree_status status = scree_memory_take(s->memory, most, sizeof *ball, &ball);
    if (status)
        return status;
    for (size_t f = 0; f < s->facet_count; f++) {
        const double *const corner[3] = {s->facet[f].corner[0], s->facet[f].corner[1],
                                         s->facet[f].corner[2]};
        bound_points(corner, 3, ball[f]);
    }
    status = scree_ball_tree_build(&s->facets, s->memory, s->workers, (const double(*)[4])ball,
                                   s->facet_count);
    for (size_t l = 0; l < s->line_count; l++) {
        const double *const end[2] = {s->line[l].end[0], s->line[l].end[1]};
        bound_points(end, 2, ball[l]);
    }
    if (!status)
        status = scree_ball_tree_build(&s->lines, s->memory, s->workers, (const double(*)[4])ball,
                                       s->line_count);
    scree_memory_give(s->memory, &ball, most, sizeof *ball);
    return status;
}

scree_status scree_subject_pose(scree_subject *subject, const scree_world *world,
                                const scree_roster *roster, const scree_palette *palette,
                                const double lower[3], const double upper[3])
{
    posing p = {subject, world, roster, palette,
                !subject->def->own_field && scree_field_index(subject->def->field) == 0};
    scree_status status = pose_bodies(&p);
    if (!status && subject->def->walls != SCREE_PICTURE_WALLS_NONE)
        status = scree_subject_pose_walls(subject, world, lower, upper);
    return status ? status : build_trees(subject);
}

void scree_subject_free(scree_subject *s)
{
    scree_ball_tree_free(&s->balls, s->memory);
    scree_ball_tree_free(&s->facets, s->memory);
    scree_ball_tree_free(&s->lines, s->memory);
    scree_memory_give(s->memory, &s->ball, s->ball_capacity, sizeof *s->ball);
    scree_memory_give(s->memory, &s->light, s->light_capacity, sizeof *s->light);
    scree_memory_give(s->memory, &s->spoke, s->spoke_capacity, sizeof *s->spoke);
    scree_memory_give(s->memory, &s->is_faceted, s->faceted_capacity, sizeof *s->is_faceted);
    scree_memory_give(s->memory, &s->facet, s->facet_capacity, sizeof *s->facet);
    scree_memory_give(s->memory, &s->line, s->line_capacity, sizeof *s->line);
    scree_memory_give(s->memory, &s->half, s->half_capacity, sizeof *s->half);
}
