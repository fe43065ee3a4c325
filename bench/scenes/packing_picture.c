/*  The picture of a packing, as SVG and as pixels: the same shapes from the same numbers. Pixels
   are blended by how much of them a shape covers, taken from its distance, so edges are smooth. */
#include "scenes/packing.h"

#include "picture/canvas.h"
#include "scree/picture.h"

#include <math.h>
#include <stdlib.h>

#define WIDTH 1600
#define HEIGHT 900
#define MANY 11 /* neighbours from which the colour stays the same */

typedef struct colour
{
    double red, green, blue;
} colour;

/*  From loose to well-connected: slate, teal, sage, sand, ochre, rust. */
static const colour ramp[] = {
    {45, 58, 84}, {38, 98, 118}, {88, 150, 132}, {206, 193, 129}, {235, 162, 75}, {205, 84, 45},
};
static const colour sky_top = {13, 18, 30}, sky_bottom = {30, 41, 62}, line = {250, 244, 230};
#define RAMP_COUNT (sizeof ramp / sizeof *ramp)

static colour blend(colour a, colour b, double t)
{
    colour c = {a.red + t * (b.red - a.red), a.green + t * (b.green - a.green),
                a.blue + t * (b.blue - a.blue)};
    return c;
}

static colour colour_of(uint64_t neighbours)
{
    double t = (double)(neighbours < MANY ? neighbours : MANY) / MANY * (RAMP_COUNT - 1);
    size_t k = t >= RAMP_COUNT - 1 ? RAMP_COUNT - 2 : (size_t)t;
    return blend(ramp[k], ramp[k + 1], t - (double)k);
}

/*  Large discs begin where the small ones stand out: a line is as wide as the smaller disc allows.
 */
static double line_width(double a, double b)
{
    double width = 0.16 * (a < b ? a : b);
    return width < 0.9 ? 0.9 : width > 5 ? 5 : width;
}

/*  A disc or a contact in pixels, y down. */
static double pixel_scale(const scree_packing *p)
{
    return WIDTH / p->width;
}
static double pixel_y(const scree_packing *p, double y)
{
    return HEIGHT - y * pixel_scale(p);
}

/* ---- SVG ----------------------------------------------------------------------------------------
 */

static void write_hex(colour c, char text[8])
{
    snprintf(text, 8, "#%02x%02x%02x", (unsigned)(c.red + 0.5) & 255,
             (unsigned)(c.green + 0.5) & 255, (unsigned)(c.blue + 0.5) & 255);
}

static void write_legend(FILE *out)
{
    char hex[8];
    fprintf(out, "<g font-family='system-ui,sans-serif' font-size='18' fill='#c9d2e0' "
                 "text-anchor='middle'>\n");
    for (unsigned k = 0; k <= MANY; k++) {
        write_hex(colour_of(k), hex);
        fprintf(out, "<circle cx='%u' cy='64' r='13' fill='%s'/><text x='%u' y='102'>%u%s</text>\n",
                1120 + 38 * k, hex, 1120 + 38 * k, k, k == MANY ? "+" : "");
    }
    fputs("<text x='1556' y='132' text-anchor='end' font-size='16' fill='#8e9ab0'>"
          "neighbours of a disc</text></g>\n",
          out);
}

void scree_packing_svg(const scree_packing *p, const scree_neighbors *neighbors, FILE *out)
{
    char top[8], bottom[8], hex[8];
    double scale = pixel_scale(p);
    write_hex(sky_top, top);
    write_hex(sky_bottom, bottom);
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d'>\n"
            "<defs><linearGradient id='sky' x1='0' y1='0' x2='0' y2='1'><stop stop-color='%s'/>"
            "<stop offset='1' stop-color='%s'/></linearGradient></defs>\n"
            "<rect width='%d' height='%d' fill='url(#sky)'/>\n",
            WIDTH, HEIGHT, top, bottom, WIDTH, HEIGHT);
    for (uint32_t i = 0; i < neighbors->id_bound; i++) {
        write_hex(colour_of(neighbors->start[i + 1] - neighbors->start[i]), hex);
        fprintf(out, "<circle cx='%.1f' cy='%.1f' r='%.1f' fill='%s'/>\n", p->x[i] * scale,
                pixel_y(p, p->y[i]), p->r[i] * scale * 0.985, hex);
    }
    write_hex(line, hex);
    fprintf(out, "<g stroke='%s' stroke-opacity='0.62' stroke-linecap='round'>\n", hex);
    for (uint32_t i = 0; i < neighbors->id_bound; i++)
        for (uint64_t k = neighbors->start[i]; k < neighbors->start[i + 1]; k++) {
            uint32_t j = neighbors->neighbor[k];
            if (j > i)
                fprintf(out, "<path d='M%.1f %.1fL%.1f %.1f' stroke-width='%.1f'/>\n",
                        p->x[i] * scale, pixel_y(p, p->y[i]), p->x[j] * scale, pixel_y(p, p->y[j]),
                        line_width(p->r[i] * scale, p->r[j] * scale));
        }
    fputs("</g>\n", out);
    write_legend(out);
    fputs("</svg>\n", out);
}

/* ---- pixels -------------------------------------------------------------------------------------
 */

/*  A disc where both ends are the same. */
static void draw_capsule(uint8_t *pixels, const double a[2], const double b[2], double radius,
                         colour c, double opacity)
{
    scree_canvas canvas = scree_canvas_of(pixels, WIDTH, HEIGHT);
    const float ink[3] = {(float)c.red, (float)c.green, (float)c.blue};
    scree_canvas_line(&canvas, a, b, radius, ink, opacity);
}

static void draw_sky(uint8_t *pixels)
{
    for (int y = 0; y < HEIGHT; y++) {
        colour c = blend(sky_top, sky_bottom, (double)y / HEIGHT);
        for (int x = 0; x < WIDTH; x++) {
            uint8_t *at = pixels + ((size_t)y * WIDTH + (size_t)x) * 3;
            at[0] = (uint8_t)(c.red + 0.5);
            at[1] = (uint8_t)(c.green + 0.5);
            at[2] = (uint8_t)(c.blue + 0.5);
        }
    }
}

scree_status scree_packing_png(const scree_packing *p, const scree_neighbors *neighbors, FILE *out)
{
    double scale = pixel_scale(p);
    uint8_t *pixels = malloc((size_t)WIDTH * HEIGHT * 3);
    if (!pixels)
        return SCREE_OUT_OF_MEMORY;
    draw_sky(pixels);
    for (uint32_t i = 0; i < neighbors->id_bound; i++) {
        double at[2] = {p->x[i] * scale, pixel_y(p, p->y[i])};
        draw_capsule(pixels, at, at, p->r[i] * scale * 0.985,
                     colour_of(neighbors->start[i + 1] - neighbors->start[i]), 1);
    }
    for (uint32_t i = 0; i < neighbors->id_bound; i++)
        for (uint64_t k = neighbors->start[i]; k < neighbors->start[i + 1]; k++) {
            uint32_t j = neighbors->neighbor[k];
            double a[2] = {p->x[i] * scale, pixel_y(p, p->y[i])};
            double b[2] = {p->x[j] * scale, pixel_y(p, p->y[j])};
            if (j > i)
                draw_capsule(pixels, a, b, line_width(p->r[i] * scale, p->r[j] * scale) / 2, line,
                             0.62);
        }
    uint8_t *file;
    size_t bytes;
    scree_status status = scree_png_encode(pixels, WIDTH, HEIGHT, NULL, &file, &bytes, NULL);
    if (!status)
        fwrite(file, 1, bytes, out);
    free(file);
    free(pixels);
    return status;
}
