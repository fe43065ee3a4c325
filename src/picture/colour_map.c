/*  Maps interpolate a few points in OKLab (Ottosson 2020), in which equal distances look equally different. Lightness
    increases uniformly along a sequential map, so equal steps of the value are seen as equal steps, also in greyscale
    and with colour blindness. */
#include "picture/colour_map.h"

#include "base/portable_math.h"

#include <math.h>

const char *const scree_map_names[SCREE_MAPS + 1] = {
    [SCREE_MAP_LAGOON] = "lagoon",   [SCREE_MAP_EMBER] = "ember",     [SCREE_MAP_GREY] = "grey",
    [SCREE_MAP_BALANCE] = "balance", [SCREE_MAP_PEBBLES] = "pebbles",
};

#define POINTS 6

/*  Lightness, green to red, blue to yellow. */
static const double points[SCREE_MAPS - 1][POINTS][3] = {
    [SCREE_MAP_LAGOON] = {{0.34, 0.040, -0.140},
                          {0.454, -0.025, -0.115},
                          {0.568, -0.080, -0.060},
                          {0.682, -0.115, 0.015},
                          {0.796, -0.095, 0.105},
                          {0.91, -0.040, 0.155}},
    [SCREE_MAP_EMBER] = {{0.32, 0.065, -0.085},
                         {0.44, 0.130, -0.040},
                         {0.56, 0.160, 0.045},
                         {0.68, 0.120, 0.115},
                         {0.80, 0.045, 0.130},
                         {0.92, 0.002, 0.075}},
    [SCREE_MAP_GREY] =
        {{0.34, 0, 0}, {0.46, 0, 0}, {0.58, 0, 0}, {0.70, 0, 0}, {0.82, 0, 0}, {0.94, 0, 0}},
    [SCREE_MAP_BALANCE] = {{0.46, -0.030, -0.150},
                           {0.65, -0.035, -0.090},
                           {0.84, -0.014, -0.030},
                           {0.84, 0.030, 0.018},
                           {0.65, 0.115, 0.060},
                           {0.46, 0.155, 0.080}},
};

/*  Neighbours differ in lightness as well as in hue. */
static const double categories[][3] = {
    {0.62, -0.060, -0.105}, {0.72, 0.090, 0.110},  {0.68, -0.120, 0.060},  {0.58, 0.150, 0.050},
    {0.85, 0.000, 0.140},   {0.58, 0.085, -0.110}, {0.80, -0.070, -0.040}, {0.52, 0.050, 0.065},
    {0.82, 0.075, 0.005},   {0.60, 0.000, 0.000},
};

static void to_light(const double lab[3], float light[3])
{
    double l = lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2];
    double m = lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2];
    double s = lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2];
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    const double rgb[3] = {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                           -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                           -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
    for (int k = 0; k < 3; k++)
        light[k] = (float)(rgb[k] < 0 ? 0 : rgb[k] > 1 ? 1 : rgb[k]);
}

/*  Catmull-Rom spline through the points (1974). */
static double on_curve(const double p[POINTS][3], int k, double at)
{
    int i = at < POINTS - 1 ? (int)at : POINTS - 2;
    double t = at - i, a = p[i][k], b = p[i + 1][k];
    double before = i > 0 ? p[i - 1][k] : 2 * a - b;
    double after = i < POINTS - 2 ? p[i + 2][k] : 2 * b - a;
    double in = 0.5 * (b - before), out = 0.5 * (after - a);
    return a + t * (in + t * (3 * (b - a) - 2 * in - out + t * (in + out - 2 * (b - a))));
}

/*  The sRGB transfer function. */
static void set_screen_table(scree_palette *palette)
{
    for (int k = 0; k < SCREE_LIGHT_STEPS; k++) {
        double light = (k + 0.5) / SCREE_LIGHT_STEPS;
        double shown =
            light <= 0.0031308 ? 12.92 * light : 1.055 * scree_pow(light, 1 / 2.4) - 0.055;
        palette->screen[k] = (uint8_t)(255 * shown + 0.5);
    }
}

void scree_palette_set(scree_palette *palette, int map)
{
    palette->categories = map == SCREE_MAP_PEBBLES;
    palette->count = palette->categories ? SCREE_COUNT_OF(categories) : SCREE_MAP_STEPS;
    for (uint32_t i = 0; i < palette->count; i++) {
        double lab[3];
        for (int k = 0; k < 3; k++)
            lab[k] = palette->categories
                         ? categories[i][k]
                         : on_curve(points[map], k, i * (POINTS - 1.0) / (SCREE_MAP_STEPS - 1));
        to_light(lab, palette->light[i]);
    }
    set_screen_table(palette);
}

const float *scree_palette_at(const scree_palette *palette, double share)
{
    double at = share * (SCREE_MAP_STEPS - 1) + 0.5;
    return palette->light[at > 0 ? at < SCREE_MAP_STEPS ? (int)at : SCREE_MAP_STEPS - 1 : 0];
}

const float *scree_palette_of(const scree_palette *palette, double category)
{
    double size = fabs(floor(category));
    /* consecutive integers are not distinct beyond this */
    uint64_t number = size < 0x1p53 ? (uint64_t)size : 0;
    return palette->light[number % palette->count];
}
