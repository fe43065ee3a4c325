/*  A pixel is blended by its coverage, estimated from its distance to the edge of the shape. */
#include "picture/canvas.h"

#include <math.h>

scree_canvas scree_canvas_of(uint8_t *pixels, uint32_t width, uint32_t height)
{
    scree_canvas c = {pixels, width, height, 0, 0, width, height};
    return c;
}

void scree_canvas_dot(const scree_canvas *canvas, uint32_t x, uint32_t y, const float colour[3],
                      double opaque)
{
    uint8_t *at = canvas->pixels + ((size_t)y * canvas->width + x) * 3;
    opaque = opaque < 1 ? opaque : 1;
    for (int k = 0; k < 3; k++)
        at[k] = (uint8_t)(at[k] + opaque * ((double)colour[k] - at[k]) + 0.5);
}

static uint32_t clamp_pixel(double at, uint32_t low, uint32_t high)
{
    return at > low ? at < high ? (uint32_t)at : high : low;
}

void scree_canvas_line(const scree_canvas *c, const double a[2], const double b[2], double radius,
                       const float colour[3], double opaque)
{
    double dx = b[0] - a[0], dy = b[1] - a[1], length_sq = dx * dx + dy * dy;
    uint32_t left = clamp_pixel(fmin(a[0], b[0]) - radius - 1, c->left, c->right);
    uint32_t right = clamp_pixel(fmax(a[0], b[0]) + radius + 2, c->left, c->right);
    uint32_t top = clamp_pixel(fmin(a[1], b[1]) - radius - 1, c->top, c->bottom);
    uint32_t bottom = clamp_pixel(fmax(a[1], b[1]) + radius + 2, c->top, c->bottom);
    for (uint32_t y = top; y < bottom; y++)
        for (uint32_t x = left; x < right; x++) {
            double px = x + 0.5 - a[0], py = y + 0.5 - a[1];
            double t = length_sq > 0 ? (px * dx + py * dy) / length_sq : 0;
            t = t < 0 ? 0 : t > 1 ? 1 : t;
            double ox = px - t * dx, oy = py - t * dy;
            double cover = radius + 0.5 - sqrt(ox * ox + oy * oy);
            /* shapes thinner than a pixel cover less of it */
            double most = radius < 0.5 ? 2 * radius : 1;
            if (cover > 0)
                scree_canvas_dot(c, x, y, colour, opaque * (cover < most ? cover : most));
        }
}

/*  Coverage of pixel k by the interval from low to high. */
static double pixel_share(uint32_t k, double low, double high)
{
    double share = fmin(k + 1.0, high) - fmax((double)k, low);
    return share > 0 ? share : 0;
}

void scree_canvas_box(const scree_canvas *c, const double upper_left[2],
                      const double lower_right[2], const float colour[3], double opaque)
{
    uint32_t left = clamp_pixel(upper_left[0], c->left, c->right);
    uint32_t right = clamp_pixel(lower_right[0] + 1, c->left, c->right);
    uint32_t top = clamp_pixel(upper_left[1], c->top, c->bottom);
    uint32_t bottom = clamp_pixel(lower_right[1] + 1, c->top, c->bottom);
    for (uint32_t y = top; y < bottom; y++)
        for (uint32_t x = left; x < right; x++)
            scree_canvas_dot(c, x, y, colour,
                             opaque * pixel_share(x, upper_left[0], lower_right[0]) *
                                 pixel_share(y, upper_left[1], lower_right[1]));
}
