/*  Edges of walls as thin lines over the pixels of a tile, hidden by what is in front of them. */
#include "picture/tile.h"

#include <math.h>

/*  A line on the screen: pixels relative to the tile's corner, and depth at both ends. */
typedef struct stroke
{
    double x[2], y[2], z[2];
    double radius; /* pixels */
    float opaque, colour[3];
    bool orthographic;
} stroke;

/*  Returns false if all of it is behind the eye. */
static bool set_ends(stroke *t, const scree_tile *tile, const scree_line_seen *line)
{
    const scree_lens *lens = &tile->subject->lens;
    double end[2][3], near = 1e-6;
    for (int e = 0; e < 2; e++)
        for (int k = 0; k < 3; k++)
            end[e][k] = line->end[e][k];
    t->orthographic = lens->orthographic;
    if (end[0][2] < near && end[1][2] < near)
        return false;
    for (int e = 0; e < 2; e++) {
        /* clips the part behind the eye */
        if (end[e][2] < near) {
            double share = (near - end[e][2]) / (end[1 - e][2] - end[e][2]);
            for (int k = 0; k < 3; k++)
                end[e][k] += share * (end[1 - e][k] - end[e][k]);
            end[e][2] = near;
        }
        double stretch = lens->orthographic ? 1 : 1 / end[e][2];
        t->x[e] = (end[e][0] * stretch - lens->left) / lens->step - tile->x;
        t->y[e] = (lens->top - end[e][1] * stretch) / lens->step - tile->y;
        t->z[e] = end[e][2];
    }
    return true;
}

/*  The fraction of a pixel's samples that see the line. */
static float seen_share(const scree_tile *tile, uint32_t column, uint32_t row, double z)
{
    uint32_t n = tile->samples, seen = 0;
    double before = z * (1 - 2e-3); /* an edge lies on its own wall */
    for (uint32_t j = row * n; j < (row + 1) * n; j++)
        for (uint32_t i = column * n; i < (column + 1) * n; i++)
            seen += before < tile->depth[j * tile->columns + i];
    return (float)seen / (float)(n * n);
}

static int clamped(double at, uint32_t count)
{
    return at > 0 ? at < count ? (int)at : (int)count : 0;
}

static void draw_stroke(scree_tile *tile, const stroke *t)
{
    double dx = t->x[1] - t->x[0], dy = t->y[1] - t->y[0], length_sq = dx * dx + dy * dy;
    double room = t->radius + 1;
    int left = clamped(fmin(t->x[0], t->x[1]) - room, tile->width);
    int right = clamped(fmax(t->x[0], t->x[1]) + room + 1, tile->width);
    int top = clamped(fmin(t->y[0], t->y[1]) - room, tile->height);
    int bottom = clamped(fmax(t->y[0], t->y[1]) + room + 1, tile->height);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            double px = x + 0.5 - t->x[0], py = y + 0.5 - t->y[0];
            double at = length_sq > 0 ? (px * dx + py * dy) / length_sq : 0;
            at = at < 0 ? 0 : at > 1 ? 1 : at;
            double ox = px - at * dx, oy = py - at * dy;
            double cover = t->radius + 0.5 - sqrt(ox * ox + oy * oy);
            if (!(cover > 0))
                continue;
            double z = t->orthographic ? t->z[0] + at * (t->z[1] - t->z[0])
                                       : 1 / (1 / t->z[0] + at * (1 / t->z[1] - 1 / t->z[0]));
            float share = (float)(cover < 1 ? cover : 1) * t->opaque *
                          seen_share(tile, (uint32_t)x, (uint32_t)y, z);
            float *light = tile->light[(uint32_t)y * tile->width + (uint32_t)x];
            for (int k = 0; k < 3; k++)
                light[k] += share * (t->colour[k] - light[k]);
        }
}

scree_status scree_tile_draw_edges(scree_tile *tile)
{
    const scree_subject *s = tile->subject;
    bool dark = s->def->background == SCREE_PICTURE_DARK;
    scree_window window = scree_tile_window(tile);
    scree_status status = scree_ball_tree_look(&s->lines, &window, tile->memory, &tile->list);
    stroke t = {.radius = 0.5 + 0.25 * s->def->height / 1080,
                .opaque = s->def->walls == SCREE_PICTURE_WALLS_LINES ? 0.8f : 0.32f,
                .colour = {dark ? 0.36f : 0.05f, dark ? 0.46f : 0.07f, dark ? 0.62f : 0.11f}};
    for (size_t i = 0; i < tile->list.count && !status; i++)
        if (set_ends(&t, tile, &s->line[tile->list.ball[i]]))
            draw_stroke(tile, &t);
    return status;
}
