/*  Finds the body or wall that each sample sees first. For each tile the tree returns what may be visible, nearest
    first. Each ball is tested for all samples under it, in double, until the rest is behind everything found. The
    result is that of a ray per sample, at the cost of a test or two. */
#include "picture/tile.h"

#include <math.h>
#include <string.h>

double scree_ball_meet(const double ball[4], bool orthographic, double x, double y)
{
    double r = ball[3];
    if (orthographic) {
        double u = x - ball[0], v = y - ball[1], room = r * r - u * u - v * v;
        return room >= 0 ? ball[2] - sqrt(room) : -1;
    }
    /* by the cross product: the difference of squares would lose small distant balls */
    double u = y * ball[2] - ball[1], v = ball[0] - x * ball[2], w = x * ball[1] - y * ball[0];
    double a = 1 + x * x + y * y, room = a * r * r - (u * u + v * v + w * w);
    return room >= 0 ? (x * ball[0] + y * ball[1] + ball[2] - sqrt(room)) / a : -1;
}

void scree_facet_plane_set(scree_facet_plane *plane, const scree_facet_seen *facet,
                           bool orthographic)
{
    double one[3], other[3], normal[3];
    plane->orthographic = orthographic;
    for (int i = 0; i < 3; i++) {
        const double *a = facet->corner[(i + 1) % 3], *b = facet->corner[(i + 2) % 3];
        if (orthographic) {
            plane->edge[i][0] = a[1] - b[1];
            plane->edge[i][1] = b[0] - a[0];
            plane->edge[i][2] = a[0] * b[1] - a[1] * b[0];
        } else {
            scree_cross(a, b, plane->edge[i]);
        }
        plane->corner_z[i] = facet->corner[i][2];
        one[i] = facet->corner[1][i] - facet->corner[0][i];
        other[i] = facet->corner[2][i] - facet->corner[0][i];
    }
    scree_cross(one, other, normal);
    plane->reach = scree_dot(normal, facet->corner[0]);
}

double scree_facet_plane_meet(const scree_facet_plane *plane, double x, double y, double weight[3])
{
    double e[3], sum = 0;
    for (int i = 0; i < 3; i++) {
        e[i] = plane->edge[i][0] * x + plane->edge[i][1] * y + plane->edge[i][2];
        sum += e[i];
    }
    if (!((e[0] >= 0 && e[1] >= 0 && e[2] >= 0) || (e[0] <= 0 && e[1] <= 0 && e[2] <= 0)) ||
        sum == 0)
        return -1;
    for (int i = 0; i < 3; i++)
        weight[i] = e[i] / sum;
    if (!plane->orthographic)
        return plane->reach / sum;
    return weight[0] * plane->corner_z[0] + weight[1] * plane->corner_z[1] +
           weight[2] * plane->corner_z[2];
}

/* ---- the tile on the screen ---- */

void scree_tile_lay(scree_tile *tile)
{
    const scree_lens *lens = &tile->subject->lens;
    tile->columns = tile->width * tile->samples;
    tile->rows = tile->height * tile->samples;
    for (uint32_t i = 0; i < tile->columns; i++)
        tile->across[i] = scree_lens_x(lens, tile->x + (i + 0.5) / tile->samples);
    for (uint32_t i = 0; i < tile->rows; i++)
        tile->down[i] = scree_lens_y(lens, tile->y + (i + 0.5) / tile->samples);
    for (uint32_t i = 0; i < tile->columns * tile->rows; i++) {
        tile->depth[i] = INFINITY;
        tile->hit[i] = SCREE_TILE_NOTHING;
        tile->clear[i] = 1;
        tile->gleam[i] = tile->glass[i] = 0;
    }
}

/*  n . p + d >= 0 on the inner side of a line of the screen. */
static void set_side(float plane[4], bool orthographic, int axis, double sign, double at)
{
    double n[3] = {0, 0, 0}, d = 0, length = 1;
    n[axis] = sign;
    if (orthographic) {
        d = -sign * at;
    } else {
        n[2] = -sign * at;
        length = sqrt(1 + at * at);
    }
    for (int k = 0; k < 3; k++)
        plane[k] = (float)(n[k] / length);
    plane[3] = (float)d;
}

scree_window scree_tile_window(const scree_tile *tile)
{
    const scree_lens *lens = &tile->subject->lens;
    scree_window w = {{{0}}};
    set_side(w.plane[0], lens->orthographic, 0, 1, scree_lens_x(lens, tile->x));
    set_side(w.plane[1], lens->orthographic, 0, -1, scree_lens_x(lens, tile->x + tile->width));
    set_side(w.plane[2], lens->orthographic, 1, -1, scree_lens_y(lens, tile->y));
    set_side(w.plane[3], lens->orthographic, 1, 1, scree_lens_y(lens, tile->y + tile->height));
    w.plane[4][2] = 1;
    return w;
}

/*  Samples [first, last] of a row or column between two points of the screen, plus one on each side for rounding; first
    > last: none. */
typedef struct span
{
    int first, last;
} span;

static span between(const double *points, uint32_t count, double low, double high)
{
    double step = count > 1 ? points[1] - points[0] : 1;
    double a = (low - points[0]) / step, b = (high - points[0]) / step;
    double first = (a < b ? a : b) - 1, last = (a < b ? b : a) + 1;
    span s = {first > 0 ? first < count ? (int)first : (int)count : 0,
              last < count - 1.0 ? last < 0 ? -1 : (int)last : (int)count - 1};
    return s;
}

/* ---- balls ---- */

/*  The interval of a ball on an axis of the screen. Returns false if it cannot be determined. */
static bool ball_bounds(const double ball[4], bool orthographic, int axis, double *low,
                        double *high)
{
    double c = ball[axis], z = ball[2], r = ball[3];
    if (orthographic) {
        *low = c - r;
        *high = c + r;
        return true;
    }
    double room = z * z - r * r;
    if (!(z > 0 && room > 0))
        return false;
    double swing = r * sqrt(c * c + room);
    *low = (c * z - swing) / room;
    *high = (c * z + swing) / room;
    return true;
}

static void cast_ball(scree_tile *tile, uint32_t number)
{
    const scree_subject *s = tile->subject;
    const double *ball = s->ball[number];
    bool flat = s->lens.orthographic;
    span x = {0, (int)tile->columns - 1}, y = {0, (int)tile->rows - 1};
    double low, high;
    /* from the inside a ball is transparent */
    if (!flat && scree_dot(ball, ball) <= ball[3] * ball[3])
        return;
    if (ball_bounds(ball, flat, 0, &low, &high))
        x = between(tile->across, tile->columns, low, high);
    if (ball_bounds(ball, flat, 1, &low, &high))
        y = between(tile->down, tile->rows, low, high);
    for (int j = y.first; j <= y.last; j++)
        for (int i = x.first; i <= x.last; i++) {
            size_t at = (size_t)j * tile->columns + (size_t)i;
            double z = scree_ball_meet(ball, flat, tile->across[i], tile->down[j]);
            if (z > 0 &&
                (z < tile->depth[at] || (z == tile->depth[at] && number < tile->hit[at]))) {
                tile->depth[at] = z;
                tile->hit[at] = number;
            }
        }
}

/*  Sorts the list, nearest first, by the depth at which each begins in `key`: bits of a non-negative float. */
static scree_status sort_list(scree_tile *tile)
{
    static const scree_workers alone = {.count = 1};
    scree_status status = scree_memory_reserve(tile->memory, &tile->key, &tile->key_capacity,
                                               tile->list.count, sizeof *tile->key);
    if (status)
        return status;
    for (size_t i = 0; i < tile->list.count; i++) {
        const double *ball = tile->subject->ball[tile->list.ball[i]];
        float begins = (float)((ball[2] - ball[3]) * (1 - 1e-6));
        begins = begins > 0 ? begins : 0;
        memcpy(&tile->key[i], &begins, sizeof begins);
    }
    return scree_sort_u32(&tile->sorter, tile->memory, &alone, tile->key, tile->list.ball,
                          tile->list.count);
}

static double deepest(const scree_tile *tile)
{
    double most = 0;
    for (uint32_t i = 0; i < tile->columns * tile->rows; i++)
        most = tile->depth[i] > most ? tile->depth[i] : most;
    return most;
}

#define LOOK_EVERY 16 /* balls between tests whether the rest is hidden */

static scree_status cast_balls(scree_tile *tile, const scree_window *window)
{
    const scree_subject *s = tile->subject;
    scree_status status = scree_ball_tree_look(&s->balls, window, tile->memory, &tile->list);
    if (!status)
        status = sort_list(tile);
    for (size_t i = 0; i < tile->list.count && !status; i++) {
        float begins;
        memcpy(&begins, &tile->key[i], sizeof begins);
        if (i % LOOK_EVERY == 0 && (double)begins > deepest(tile))
            break;
        if (!s->is_faceted || !s->is_faceted[tile->list.ball[i]])
            cast_ball(tile, tile->list.ball[i]);
    }
    return status;
}

/* ---- facets ---- */

typedef void facet_sample_fn(scree_tile *tile, uint32_t facet, size_t at, double z,
                             const double weight[3]);

static void keep_solid(scree_tile *tile, uint32_t facet, size_t at, double z,
                       const double weight[3])
{
    uint32_t number = (uint32_t)tile->subject->ball_count + facet;
    (void)weight;
    if (z < tile->depth[at] || (z == tile->depth[at] && number < tile->hit[at])) {
        tile->depth[at] = z;
        tile->hit[at] = number;
    }
}

/*  Glass is visible at grazing angles, and where it reflects the light. */
static void keep_glass(scree_tile *tile, uint32_t facet, size_t at, double z,
                       const double weight[3])
{
    const scree_facet_seen *seen = &tile->subject->facet[facet];
    const scree_lens *lens = &tile->subject->lens;
    double normal[3], towards[3] = {0, 0, -1};
    if (!(z < tile->depth[at]))
        return;
    for (int k = 0; k < 3; k++)
        normal[k] = weight[0] * (double)seen->normal[0][k] +
                    weight[1] * (double)seen->normal[1][k] + weight[2] * (double)seen->normal[2][k];
    if (!lens->orthographic) {
        towards[0] = -tile->across[at % tile->columns];
        towards[1] = -tile->down[at / tile->columns];
    }
    if (!scree_view_normalise(normal) || !scree_view_normalise(towards))
        return;
    double flat = 1 - fabs(scree_dot(normal, towards));
    float opaque = (float)(0.045 + 0.4 * flat * flat * flat);
    float bright = (float)(0.5 + 0.5 * fabs(scree_dot(normal, lens->sky)));
    tile->clear[at] *= 1 - opaque;
    tile->gleam[at] += opaque * bright;
    tile->glass[at] += opaque;
}

/*  The interval of a facet on an axis of the screen. Returns false if it extends behind the eye. */
static bool facet_bounds(const scree_facet_seen *facet, bool orthographic, int axis, double *low,
                         double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int i = 0; i < 3; i++) {
        double z = orthographic ? 1 : facet->corner[i][2];
        if (!(z > 1e-9))
            return false;
        double at = facet->corner[i][axis] / z;
        *low = at < *low ? at : *low;
        *high = at > *high ? at : *high;
    }
    return true;
}

static void cast_facet(scree_tile *tile, uint32_t number, facet_sample_fn *keep)
{
    const scree_facet_seen *facet = &tile->subject->facet[number];
    bool flat = tile->subject->lens.orthographic;
    scree_facet_plane plane;
    span x = {0, (int)tile->columns - 1}, y = {0, (int)tile->rows - 1};
    double low, high, weight[3] = {0};
    if (facet_bounds(facet, flat, 0, &low, &high))
        x = between(tile->across, tile->columns, low, high);
    if (facet_bounds(facet, flat, 1, &low, &high))
        y = between(tile->down, tile->rows, low, high);
    scree_facet_plane_set(&plane, facet, flat);
    for (int j = y.first; j <= y.last; j++)
        for (int i = x.first; i <= x.last; i++) {
            double z = scree_facet_plane_meet(&plane, tile->across[i], tile->down[j], weight);
            if (z > 0)
                keep(tile, number, (size_t)j * tile->columns + (size_t)i, z, weight);
        }
}

/*  Solid ones first: glass is visible only in front of solid surfaces. */
static scree_status cast_facets(scree_tile *tile, const scree_window *window)
{
    const scree_subject *s = tile->subject;
    scree_status status = scree_ball_tree_look(&s->facets, window, tile->memory, &tile->list);
    if (status)
        return status;
    for (size_t i = 0; i < tile->list.count; i++)
        if (!s->facet[tile->list.ball[i]].glass)
            cast_facet(tile, tile->list.ball[i], keep_solid);
    for (size_t i = 0; i < tile->list.count; i++)
        if (s->facet[tile->list.ball[i]].glass)
            cast_facet(tile, tile->list.ball[i], keep_glass);
    return SCREE_OK;
}

scree_status scree_tile_cast(scree_tile *tile)
{
    scree_tile_lay(tile);
    scree_window window = scree_tile_window(tile);
    scree_status status = cast_balls(tile, &window);
    return status ? status : cast_facets(tile, &window);
}

void scree_tile_free(scree_tile *tile)
{
    scree_memory_give(tile->memory, &tile->list.ball, tile->list.capacity, sizeof *tile->list.ball);
    scree_memory_give(tile->memory, &tile->key, tile->key_capacity, sizeof *tile->key);
    scree_sorter_free(&tile->sorter, tile->memory);
}
