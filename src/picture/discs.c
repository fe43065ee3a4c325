/*  Two dimensions, seen from above: walls as lines and shaded halves, then discs, each with an outline and a
    line from its centre that shows how it has turned. */
#include "picture/discs.h"

#include <math.h>

#define RIM 0.10   /* of the radius */
#define SPOKE 0.06 /* half of its width, of the radius */
#define PLAIN 2.5  /* pixels: smaller discs have neither */
#define WALL 1.4   /* half of a wall's width in pixels of a picture 1080 high */

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

/*  The far side of a plane is shaded, and its border a line. */
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
        draw_disc(s, palette, canvas, list->ball[i]);
    return status;
}
