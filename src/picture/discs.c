/*  Two dimensions, seen from above: walls as lines and shaded half planes, then discs, each with an outline and a line
    from its centre that shows its orientation. Polygons have their outline. */
#include "picture/discs.h"

#include <math.h>

#define RIM 0.10   /* as a fraction of the radius */
#define SPOKE 0.06 /* half of its width, as a fraction of the radius */
#define PLAIN 2.5  /* pixels: smaller discs have neither outline nor line */
#define WALL 1.4   /* half of a wall's width in pixels, for a picture 1080 high */

static void place_on_canvas(const scree_lens *lens, const double view[3], double at[2])
{
    at[0] = (view[0] - lens->left) / lens->step;
    at[1] = (lens->top - view[1]) / lens->step;
}

static void screen_colour(const scree_palette *palette, const float light[3], float times,
                          float colour[3])
{
    for (int k = 0; k < 3; k++)
        colour[k] = scree_to_screen(palette, light[k] * times);
}

static void draw_disc(const scree_subject *s, const scree_palette *palette,
                      const scree_canvas *canvas, uint32_t number)
{
    double at[2], radius = s->ball[number][3] / s->lens.step;
    float fill[3], rim[3];
    place_on_canvas(&s->lens, s->ball[number], at);
    screen_colour(palette, s->light[number], 1, fill);
    screen_colour(palette, s->light[number], 0.22f, rim);
    if (radius < PLAIN) {
        scree_canvas_line(canvas, at, at, radius, fill, 1);
        return;
    }
    double edge = fmin(fmax(RIM * radius, 0.8), 0.004 * canvas->height + 1);
    double turn[2] = {s->spoke[number][0], s->spoke[number][1]};
    const double from[2] = {at[0] + 0.12 * radius * turn[0], at[1] - 0.12 * radius * turn[1]};
    const double to[2] = {at[0] + 0.66 * radius * turn[0], at[1] - 0.66 * radius * turn[1]};
    scree_canvas_line(canvas, at, at, radius, rim, 1);
    scree_canvas_line(canvas, at, at, radius - edge, fill, 1);
    scree_canvas_line(canvas, from, to, fmin(fmax(SPOKE * radius, 0.5), edge), rim, 0.85);
}

/* ---- polygons ---- */

/*  The first side of each body; sides of a body are consecutive. */
static size_t first_side(const scree_subject *s, uint32_t number)
{
    size_t low = 0, high = s->facet_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->facet[middle].body < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*  Height of a point over the highest side, relative to the centre, in pixels. */
static double over_sides(const scree_subject *s, size_t first, const double at[2])
{
    double most = -INFINITY;

    for (size_t f = first; f < s->facet_count && s->facet[f].body == s->facet[first].body; f++) {
        double centre[2], a[2], b[2];
        place_on_canvas(&s->lens, s->facet[f].corner[0], centre);
        place_on_canvas(&s->lens, s->facet[f].corner[1], a);
        place_on_canvas(&s->lens, s->facet[f].corner[2], b);
        double x = b[1] - a[1], y = a[0] - b[0], length = sqrt(x * x + y * y);
        double out = (a[0] - centre[0]) * x + (a[1] - centre[1]) * y < 0 ? -length : length;
        most = fmax(most, ((at[0] - a[0]) * x + (at[1] - a[1]) * y) / out);
    }
    return most;
}

static uint32_t pixel_within(double at, uint32_t least, uint32_t most)
{
    return at <= least ? least : at >= most ? most : (uint32_t)at;
}

static double share_of_pixel(double over)
{
    return over <= -0.5 ? 1 : over >= 0.5 ? 0 : 0.5 - over;
}

static void draw_polygon(const scree_subject *s, const scree_palette *palette,
                         const scree_canvas *canvas, uint32_t number)
{
    double at[2], radius = s->ball[number][3] / s->lens.step;
    double edge = fmin(fmax(RIM * radius, 0.8), 0.004 * canvas->height + 1);
    size_t first = first_side(s, number);
    float fill[3], rim[3];

    place_on_canvas(&s->lens, s->ball[number], at);
    screen_colour(palette, s->light[number], 1, fill);
    screen_colour(palette, s->light[number], 0.22f, rim);
    uint32_t left = pixel_within(at[0] - radius - 1, canvas->left, canvas->right);
    uint32_t right = pixel_within(at[0] + radius + 2, canvas->left, canvas->right);
    uint32_t top = pixel_within(at[1] - radius - 1, canvas->top, canvas->bottom);
    uint32_t bottom = pixel_within(at[1] + radius + 2, canvas->top, canvas->bottom);
    for (uint32_t y = top; y < bottom; y++)
        for (uint32_t x = left; x < right; x++) {
            const double pixel[2] = {x + 0.5, y + 0.5};
            double over = over_sides(s, first, pixel);
            if (over >= 0.5)
                continue;
            scree_canvas_dot(canvas, x, y, rim, share_of_pixel(over));
            if (over + edge < 0.5)
                scree_canvas_dot(canvas, x, y, fill, share_of_pixel(over + edge));
        }
}

/* ---- walls ---- */

/*  The far side of a plane is shaded, and its boundary a line. */
static void draw_half(const scree_subject *s, const scree_canvas *canvas,
                      const scree_half_seen *half, const float colour[3], double wide)
{
    double at[2], normal[2] = {half->normal[0], -half->normal[1]};
    place_on_canvas(&s->lens, half->point, at);
    for (uint32_t y = canvas->top; y < canvas->bottom; y++)
        for (uint32_t x = canvas->left; x < canvas->right; x++) {
            double above = (x + 0.5 - at[0]) * normal[0] + (y + 0.5 - at[1]) * normal[1];
            double share = above < -wide ? 0.3 : 0, edge = wide + 0.5 - fabs(above);
            edge = edge < 0 ? 0 : edge > 1 ? 1 : edge;
            share += (0.95 - share) * edge;
            if (share > 0)
                scree_canvas_dot(canvas, x, y, colour, share);
        }
}

scree_status scree_draw_discs(const scree_subject *s, const scree_palette *palette,
                              const scree_canvas *canvas, const scree_window *window,
                              scree_memory *memory, scree_ball_list *list)
{
    static const float walls[2][3] = {{112, 124, 146}, {96, 104, 118}};
    const float *colour = walls[s->def->background == SCREE_PICTURE_DARK ? 0 : 1];
    double wide = fmax(0.7, WALL * canvas->height / 1080);
    scree_status status = scree_ball_tree_look(&s->lines, window, memory, list);
    if (status)
        return status;
    for (size_t h = 0; h < s->half_count; h++)
        draw_half(s, canvas, &s->half[h], colour, wide);
    for (size_t i = 0; i < list->count; i++) {
        double a[2], b[2];
        place_on_canvas(&s->lens, s->line[list->ball[i]].end[0], a);
        place_on_canvas(&s->lens, s->line[list->ball[i]].end[1], b);
        scree_canvas_line(canvas, a, b, wide, colour, 0.95);
    }
    status = scree_ball_tree_look(&s->balls, window, memory, list);
    for (size_t i = 0; i < list->count && !status; i++)
        (s->is_faceted && s->is_faceted[list->ball[i]] ? draw_polygon : draw_disc)(
            s, palette, canvas, list->ball[i]);
    return status;
}
