/*  Radii by a distribution, of numbers or of mass. By mass a size with the share s has s / r^3 of the number
    (in two dimensions s / r^2): even and log-even shares can be drawn by the inverse of their sum, tables have
    sums of their own, and for the normal one draws are kept with the chance (smallest / r)^3. */
#include "base/portable_math.h"
#include "scene_internal.h"

#include <math.h>

#define PI 3.14159265358979323846

double scene_ball_volume(double radius, int dimensions)
{
    return dimensions == 2 ? PI * radius * radius : 4 * PI / 3 * radius * radius * radius;
}

/*  Even in r^power, which falls with r. */
static double draw_power(const scree_scene_sizes *s, double power, scree_random *random)
{
    double most = scree_pow(s->lower, power), least = scree_pow(s->upper, power);
    double r = scree_pow(scree_random_range(random, least, most), 1 / power);

    r = r < s->lower ? s->lower : r;
    return r > s->upper ? s->upper : r;
}

static double weight_of(const double row[2], bool by_mass, int dimensions)
{
    return by_mass ? row[1] / scene_ball_volume(row[0], dimensions) : row[1];
}

static double draw_row(const scree_scene_sizes *s, int dimensions, scree_random *random)
{
    double sum = 0, chosen = s->table[0][0];

    for (uint32_t i = 0; i < s->table_count; i++)
        sum += weight_of(s->table[i], s->by_mass, dimensions);
    double left = sum * scree_random_unit(random);
    for (uint32_t i = 0; i < s->table_count && left >= 0; i++) {
        double weight = weight_of(s->table[i], s->by_mass, dimensions);
        if (weight > 0)
            chosen = s->table[i][0];
        left -= weight;
    }
    return chosen;
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
    case SCREE_SPREAD_NORMAL:
        return s->deviation > 0 ? draw_normal(s, dimensions, random) : s->mean;
    case SCREE_SPREAD_LOGUNIFORM:
        return s->by_mass ? draw_power(s, -dimensions, random)
                          : scree_random_log_uniform(random, s->lower, s->upper);
    case SCREE_SPREAD_UNIFORM:
    case SCREE_SPREAD_FIXED:
        break;
    }
    return s->by_mass ? draw_power(s, 1 - dimensions, random)
                      : scree_random_range(random, s->lower, s->upper);
}

/*  From draws of its own: this is for estimates alone. */
double scene_mean_volume(const scree_scene_sizes *sizes, int dimensions)
{
    scree_random random = scree_random_stream(0x7ea5, 0);
    double sum = 0;

    for (int i = 0; i < 1000; i++)
        sum += scene_ball_volume(scene_draw_size(sizes, dimensions, &random), dimensions);
    return sum / 1000;
}
