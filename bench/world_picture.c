/*  A world as pixels: a buffer of depths, one sphere after the other, four samples to a pixel. Light comes from
    above and behind the eye; what lies deeper is darker. Walls between the eye and the middle are left out,
    so that one looks into what they enclose. */
#include "world_picture.h"

#include "base/portable_math.h"
#include "png.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 2 /* along each side of a pixel */

typedef struct colour
{
    float red, green, blue;
} colour;

typedef struct canvas
{
    int width, height; /* samples */
    float *depth;
    colour *light;
    double right[3], up[3], forward[3];
    double centre[3], scale; /* samples a metre */
    double deepest;          /* half the extent: for the fog */
} canvas;

/*  Slow to fast: slate, teal, sage, sand, ochre, rust. */
static const colour ramp[] = {
    {45, 58, 84}, {38, 98, 118}, {88, 150, 132}, {206, 193, 129}, {235, 162, 75}, {205, 84, 45},
};
#define RAMP_LAST (sizeof ramp / sizeof *ramp - 1)

static colour blend(colour a, colour b, double t)
{
    float s = (float)t;
    colour c = {a.red + s * (b.red - a.red), a.green + s * (b.green - a.green),
                a.blue + s * (b.blue - a.blue)};
    return c;
}

static colour colour_of_speed(double share)
{
    double at = share < 1 ? share * (double)RAMP_LAST : (double)RAMP_LAST;
    size_t k = at >= (double)RAMP_LAST ? RAMP_LAST - 1 : (size_t)at;
    return blend(ramp[k], ramp[k + 1], at - (double)k);
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void aim(canvas *c, const scree_view_def *view)
{
    double sy = scree_sin(view->yaw), cy = scree_cos(view->yaw);
    double sp = scree_sin(view->pitch), cp = scree_cos(view->pitch);
    const double right[3] = {cy, sy, 0}, forward[3] = {-sy * cp, cy * cp, -sp},
                 up[3] = {-sy * sp, cy * sp, cp};

    memcpy(c->right, right, sizeof right);
    memcpy(c->forward, forward, sizeof forward);
    memcpy(c->up, up, sizeof up);
    memcpy(c->centre, view->centre, sizeof c->centre);
    c->scale = c->height / view->extent;
    c->deepest = view->extent / 2;
}

/*  Right and up in samples, from the upper left; depth in metres, from the middle. */
static void project(const canvas *c, const double point[3], double at[3])
{
    double from[3];

    for (int k = 0; k < 3; k++)
        from[k] = point[k] - c->centre[k];
    at[0] = c->width * 0.5 + dot(from, c->right) * c->scale;
    at[1] = c->height * 0.5 - dot(from, c->up) * c->scale;
    at[2] = dot(from, c->forward);
}

static void put(canvas *c, int x, int y, double depth, colour what, double brightness)
{
    size_t at = (size_t)y * (size_t)c->width + (size_t)x;
    double fog = 1 - 0.45 * (depth + c->deepest) / (2 * c->deepest);

    if (!((float)depth < c->depth[at]))
        return;
    brightness *= fog < 0.35 ? 0.35 : fog > 1 ? 1 : fog;
    c->depth[at] = (float)depth;
    c->light[at] = (colour){what.red * (float)brightness, what.green * (float)brightness,
                            what.blue * (float)brightness};
}

static int clamp(double x, int most)
{
    return x < 0 ? 0 : x > most ? most : (int)x;
}

static void draw_sphere(canvas *c, const double place[4], colour what)
{
    double at[3], radius = place[3] * c->scale;

    project(c, place, at);
    int left = clamp(at[0] - radius, c->width - 1), right = clamp(at[0] + radius + 1, c->width - 1);
    int top = clamp(at[1] - radius, c->height - 1),
        bottom = clamp(at[1] + radius + 1, c->height - 1);
    for (int y = top; y <= bottom; y++) {
        for (int x = left; x <= right; x++) {
            double u = (x + 0.5 - at[0]) / radius, v = (at[1] - y - 0.5) / radius;
            double out_sq = 1 - u * u - v * v;
            if (!(out_sq > 0))
                continue;
            double out = sqrt(out_sq);
            double lit = 0.55 * v + 0.3 * out - 0.25 * u;
            put(c, x, y, at[2] - out * place[3], what,
                0.55 + 0.6 * (lit > 0 ? lit : 0) + 0.15 * out);
        }
    }
}

static double edge(const double a[3], const double b[3], double x, double y)
{
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

static void draw_facet(canvas *c, double corner[3][3], colour what, double brightness)
{
    double area = edge(corner[0], corner[1], corner[2][0], corner[2][1]);
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};

    if (area == 0)
        return;
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < 2; a++) {
            low[a] = corner[k][a] < low[a] ? corner[k][a] : low[a];
            high[a] = corner[k][a] > high[a] ? corner[k][a] : high[a];
        }
    for (int y = clamp(low[1], c->height - 1); y <= clamp(high[1] + 1, c->height - 1); y++) {
        for (int x = clamp(low[0], c->width - 1); x <= clamp(high[0] + 1, c->width - 1); x++) {
            double w0 = edge(corner[1], corner[2], x + 0.5, y + 0.5) / area;
            double w1 = edge(corner[2], corner[0], x + 0.5, y + 0.5) / area;
            double w2 = 1 - w0 - w1;
            if (w0 >= 0 && w1 >= 0 && w2 >= 0)
                put(c, x, y, w0 * corner[0][2] + w1 * corner[1][2] + w2 * corner[2][2], what,
                    brightness);
        }
    }
}

static void turn(const double q[4], const double v[3], double turned[3])
{
    double x = 2 * (q[2] * v[2] - q[3] * v[1]), y = 2 * (q[3] * v[0] - q[1] * v[2]),
           z = 2 * (q[1] * v[1] - q[2] * v[0]);
    turned[0] = v[0] + q[0] * x + q[2] * z - q[3] * y;
    turned[1] = v[1] + q[0] * y + q[3] * x - q[1] * z;
    turned[2] = v[2] + q[0] * z + q[1] * y - q[2] * x;
}

static void draw_mesh(canvas *c, const scree_wall *wall)
{
    static const colour metal = {96, 104, 120};
    scree_mesh_info info = scree_mesh_describe(wall->mesh);

    for (uint32_t f = 0; f < info.facet_count && info.corners == 3; f++) {
        double corner[3][3], place[3][3], ahead = 0, a[3], b[3], normal[3];
        for (int k = 0; k < 3; k++) {
            turn(wall->orientation, info.vertices + 3 * info.facets[3 * f + (uint32_t)k], place[k]);
            for (int axis = 0; axis < 3; axis++)
                place[k][axis] += wall->position[axis];
            project(c, place[k], corner[k]);
            ahead += corner[k][2];
        }
        if (ahead < 0)
            continue;
        for (int k = 0; k < 3; k++) {
            a[k] = place[1][k] - place[0][k];
            b[k] = place[2][k] - place[0][k];
        }
        normal[0] = a[1] * b[2] - a[2] * b[1];
        normal[1] = a[2] * b[0] - a[0] * b[2];
        normal[2] = a[0] * b[1] - a[1] * b[0];
        double facing = fabs(dot(normal, c->forward)) / sqrt(dot(normal, normal));
        draw_facet(c, corner, metal, 0.25 + 0.35 * facing);
    }
}

static scree_status draw_walls(canvas *c, scree_world *world)
{
    scree_status status = SCREE_OK;
    scree_wall_id ids[256];
    size_t count = scree_world_walls(world, ids, sizeof ids / sizeof *ids);

    for (size_t w = 0; w < count && w < sizeof ids / sizeof *ids && !status; w++) {
        scree_wall wall;
        status = scree_world_get_wall(world, ids[w], &wall);
        if (!status && wall.kind == SCREE_WALL_MESH)
            draw_mesh(c, &wall);
    }
    return status;
}

static void draw_bodies(canvas *c, scree_world *world, double fastest)
{
    scree_bodies_view bodies = scree_world_bodies(world);

    for (size_t i = 0; i < bodies.count; i++) {
        const double *v = bodies.velocity[i];
        double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        draw_sphere(c, bodies.position[i], colour_of_speed(fastest > 0 ? speed / fastest : 0));
    }
}

static void clear(canvas *c)
{
    static const colour above = {13, 18, 30}, below = {30, 41, 62};

    for (int y = 0; y < c->height; y++) {
        colour sky = blend(above, below, (double)y / c->height);
        for (int x = 0; x < c->width; x++) {
            c->depth[(size_t)y * (size_t)c->width + (size_t)x] = INFINITY;
            c->light[(size_t)y * (size_t)c->width + (size_t)x] = sky;
        }
    }
}

static uint8_t byte_of(float sum)
{
    float mean = sum / (SAMPLES * SAMPLES);
    return (uint8_t)(mean > 255 ? 255 : mean + 0.5f);
}

static void shrink(const canvas *c, int width, int height, uint8_t *rgb)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            colour sum = {0, 0, 0};
            for (int s = 0; s < SAMPLES * SAMPLES; s++) {
                size_t row = (size_t)y * SAMPLES + (size_t)s / SAMPLES;
                size_t column = (size_t)x * SAMPLES + (size_t)s % SAMPLES;
                const colour *from = &c->light[row * (size_t)c->width + column];
                sum.red += from->red;
                sum.green += from->green;
                sum.blue += from->blue;
            }
            uint8_t *to = rgb + 3 * ((size_t)y * (size_t)width + (size_t)x);
            to[0] = byte_of(sum.red);
            to[1] = byte_of(sum.green);
            to[2] = byte_of(sum.blue);
        }
    }
}

scree_status scree_world_png(scree_world *world, const scree_view_def *view, FILE *out)
{
    canvas c = {.width = view->width * SAMPLES, .height = view->height * SAMPLES};
    size_t samples = (size_t)c.width * (size_t)c.height;
    uint8_t *rgb = malloc((size_t)view->width * (size_t)view->height * 3);
    scree_status status = SCREE_OUT_OF_MEMORY;

    c.depth = calloc(samples, sizeof *c.depth);
    c.light = calloc(samples, sizeof *c.light);
    if (rgb && c.depth && c.light) {
        aim(&c, view);
        clear(&c);
        status = draw_walls(&c, world);
        if (!status) {
            draw_bodies(&c, world, view->fastest);
            shrink(&c, view->width, view->height, rgb);
            status = scree_bench_png(rgb, (uint32_t)view->width, (uint32_t)view->height, out);
        }
    }
    free(rgb);
    free(c.depth);
    free(c.light);
    return status;
}
