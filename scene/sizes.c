/*  Radii from a distribution, by number or by mass. By mass, a size with share s has s / r^3 of the number (in two
    dimensions s / r^2). Uniform and log-uniform distributions are drawn by the inverse of the cumulative
    distribution, tables have cumulative sums, and draws from the normal distribution are accepted with probability
    (smallest / r)^3. A curve is a sequence of log-uniform sections. Shapes are a table with their own volumes. */
#include "base/portable_math.h"
#include "scene_internal.h"

#include <math.h>

#define PI 3.14159265358979323846

double scene_ball_volume(double radius, int dimensions)
{
    return dimensions == 2 ? PI * radius * radius : 4 * PI / 3 * radius * radius * radius;
}

/*  Uniform in r^power, which decreases with r. */
static double draw_power(double lower, double upper, double power, scree_random *random)
{
    double most = scree_pow(lower, power), least = scree_pow(upper, power);
    double r = scree_pow(scree_random_range(random, least, most), 1 / power);

    r = r < lower ? lower : r;
    return r > upper ? upper : r;
}

/*  Relative number of sizes in a section of a curve, from row `row` to the next. By mass: its share times the mean
    of 1 / r^3 (1 / r^2 in two dimensions) over a log-uniform section. */
static double weight_of_stretch(const scree_scene_sizes *s, uint32_t row, int dimensions,
                                bool is_of_mass)
{
    const double a = s->table[row][0], b = s->table[row + 1][0];
    const double share = s->table[row + 1][1] - s->table[row][1];

    if (!is_of_mass)
        return share;
    /* relative to the largest, so that no power overflows */
    const double x = s->upper / a, y = s->upper / b;
    const double fall = dimensions == 2 ? x * x - y * y : x * x * x - y * y * y;
    return share * fall / (dimensions * scree_ln(b / a));
}

static double draw_curve(const scree_scene_sizes *s, int dimensions, scree_random *random)
{
    const bool is_of_mass = s->is_of_mass || s->by_mass;
    uint32_t chosen = 0;
    double sum = 0;

    for (uint32_t i = 0; i + 1 < s->table_count; i++)
        sum += weight_of_stretch(s, i, dimensions, is_of_mass);
    double left = sum * scree_random_unit(random);
    for (uint32_t i = 0; i + 1 < s->table_count && left >= 0; i++) {
        double weight = weight_of_stretch(s, i, dimensions, is_of_mass);
        if (weight > 0)
            chosen = i;
        left -= weight;
    }
    const double a = s->table[chosen][0], b = s->table[chosen + 1][0];
    return is_of_mass ? draw_power(a, b, -dimensions, random)
                      : scree_random_log_uniform(random, a, b);
}

static double weight_of(const scree_scene_sizes *s, uint32_t row, int dimensions)
{
    if (!s->by_mass)
        return s->table[row][1];
    return s->table[row][1] /
           (s->stones ? s->stones[row].volume : scene_ball_volume(s->table[row][0], dimensions));
}

static double draw_row(const scree_scene_sizes *s, int dimensions, scree_random *random)
{
    uint32_t chosen = 0;
    double sum = 0;

    for (uint32_t i = 0; i < s->table_count; i++)
        sum += weight_of(s, i, dimensions);
    double left = sum * scree_random_unit(random);
    for (uint32_t i = 0; i < s->table_count && left >= 0; i++) {
        double weight = weight_of(s, i, dimensions);
        if (weight > 0)
            chosen = i;
        left -= weight;
    }
    return s->stones ? chosen + 1.0 : s->table[chosen][0];
}

static double draw_normal(const scree_scene_sizes *s, int dimensions, scree_random *random)
{
    for (;;) {
        double r = s->mean + s->deviation * scree_random_normal(random), part = s->lower / r;
        if (!(r >= s->lower && r <= s->upper))
            continue;
        if (!s->by_mass ||
            scree_random_unit(random) < (dimensions == 2 ? part * part : part * part * part))
            return r;
    }
}

double scene_draw_size(const scree_scene_sizes *s, int dimensions, scree_random *random)
{
    if (s->spread != SCREE_SPREAD_TABLE &&
        (s->spread == SCREE_SPREAD_FIXED || s->lower == s->upper))
        return s->upper;
    switch (s->spread) {
    case SCREE_SPREAD_TABLE:
        return draw_row(s, dimensions, random);
    case SCREE_SPREAD_CURVE:
        return draw_curve(s, dimensions, random);
    case SCREE_SPREAD_NORMAL:
        return s->deviation > 0 ? draw_normal(s, dimensions, random) : s->mean;
    case SCREE_SPREAD_LOGUNIFORM:
        return s->by_mass ? draw_power(s->lower, s->upper, -dimensions, random)
                          : scree_random_log_uniform(random, s->lower, s->upper);
    case SCREE_SPREAD_UNIFORM:
    case SCREE_SPREAD_FIXED:
        break;
    }
    return s->by_mass ? draw_power(s->lower, s->upper, 1 - dimensions, random)
                      : scree_random_range(random, s->lower, s->upper);
}

/* ---- properties of a drawn size -------------------------------------------------------------------------- */

const scree_scene_stone *scene_stone_of(const scree_scene_sizes *sizes, double drawn)
{
    return sizes->stones ? &sizes->stones[(uint32_t)drawn - 1] : NULL;
}

double scene_radius_of(const scree_scene_sizes *sizes, double drawn)
{
    return sizes->stones ? scene_stone_of(sizes, drawn)->around : drawn;
}

double scene_volume_of(const scree_scene_sizes *sizes, double drawn, int dimensions)
{
    return sizes->stones ? scene_stone_of(sizes, drawn)->volume
                         : scene_ball_volume(drawn, dimensions);
}

bool scene_may_be_drawn(const scree_scene_sizes *sizes, double drawn)
{
    if (sizes->stones)
        return drawn >= 1 && drawn <= sizes->table_count && drawn == floor(drawn);
    return drawn >= sizes->lower && drawn <= sizes->upper;
}

double scene_round_radius(double volume, int dimensions)
{
    if (dimensions == 2)
        return sqrt(volume / PI);
    return scree_pow(volume * (3 / (4 * PI)), 1.0 / 3);
}

void scene_radius_range(const scree_scene_sizes *sizes, int dimensions, double range[2])
{
    range[0] = sizes->lower;
    range[1] = sizes->upper;
    for (uint32_t k = 0; sizes->stones && k < sizes->table_count; k++) {
        double radius = scene_round_radius(sizes->stones[k].volume, dimensions);
        range[0] = k == 0 || radius < range[0] ? radius : range[0];
        range[1] = k == 0 || radius > range[1] ? radius : range[1];
    }
}

double scene_radius_of_body(const scree_scene_body *body, int dimensions)
{
    return body->stone ? scene_round_radius(body->stone->volume, dimensions) : body->radius;
}

/* ---- estimates ------------------------------------------------------------------------------------------- */

/*  Uses a random stream of its own: only for estimates. */
double scene_mean_volume(const scree_scene_sizes *sizes, int dimensions)
{
    scree_random random = scree_random_stream(0x7ea5, 0);
    double sum = 0;

    for (int i = 0; i < 1000; i++)
        sum += scene_volume_of(sizes, scene_draw_size(sizes, dimensions, &random), dimensions);
    return sum / 1000;
}
