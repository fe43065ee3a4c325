/*  Lighting of pixels. A pixel sees a few objects at most: each is lit once, at the mean position of its samples, and
    weighted by their number. Light consists of one lamp with a shadow, the open part of the sky, and a little from the
    eye. */
#include "picture/tile.h"

#include <math.h>
#include <string.h>

#define LAMP 0.92f
#define SKY 0.46f
#define EYE 0.14f
#define SOFTNESS 0.055f /* tangent of half the lamp's angle */
#define SHINE 0.22f

typedef struct thing
{
    uint32_t hit, samples;
    double x, y; /* sums of the positions of its samples */
} thing;

/*  A point of a surface with what lighting needs. */
typedef struct spot
{
    float point[3], normal[3], towards[3]; /* towards the eye */
    float colour[3], shine;
    uint32_t self; /* the ball that it lies on */
} spot;

static float dot3(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static float power_of_32(float x)
{
    for (int i = 0; i < 5; i++)
        x *= x;
    return x;
}

static void lamp_of(const scree_subject *s, float lamp[3])
{
    double towards[3] = {-0.45, 0.78, -0.72}, given[3];
    scree_lens_direction(&s->lens, s->def->light, given);
    if (scree_view_normalise(given))
        memcpy(towards, given, sizeof given);
    scree_view_normalise(towards);
    for (int k = 0; k < 3; k++)
        lamp[k] = (float)towards[k];
}

static float lamp_light(const scree_subject *s, const spot *p, const float lamp[3])
{
    if (s->def->shadows == SCREE_PICTURE_SHADOWS_NONE)
        return 1;
    float spread = s->def->shadows == SCREE_PICTURE_SHADOWS_SOFT ? SOFTNESS : 0;
    return scree_ball_tree_light(&s->balls, p->point, lamp, spread, p->self);
}

static void light_spot(const scree_subject *s, const spot *p, const float lamp[3], float light[3])
{
    const float sky_up[3] = {(float)s->lens.sky[0], (float)s->lens.sky[1], (float)s->lens.sky[2]};
    float slope = dot3(p->normal, lamp), gleam = 0, direct = 0;
    float open =
        s->def->occlusion ? scree_ball_tree_sky(&s->balls, p->point, p->normal, p->self) : 1;
    float facing = dot3(p->normal, p->towards);
    facing = facing > 0 ? facing : 0;
    if (slope > 0) {
        float half[3], shadow = lamp_light(s, p, lamp);
        for (int k = 0; k < 3; k++)
            half[k] = lamp[k] + p->towards[k];
        float along = dot3(half, p->normal), length_sq = dot3(half, half);
        direct = LAMP * slope * shadow;
        if (along > 0 && length_sq > 0)
            gleam = p->shine * power_of_32(along / sqrtf(length_sq)) * shadow;
    }
    float sky = SKY * (0.62f + 0.38f * dot3(p->normal, sky_up)), rim = 1 - facing;
    rim = 0.04f * rim * rim * rim * open;
    for (int k = 0; k < 3; k++) {
        /* multiple reflections brighten the gaps between bright bodies */
        float bounced = open / (1 - 0.7f * p->colour[k] * (1 - open));
        light[k] = p->colour[k] * (direct + (sky + EYE * facing) * bounced) + gleam + rim;
    }
}

/*  The point at a depth on the ray through a point of the screen. */
static void set_point(const scree_lens *lens, double x, double y, double z, spot *p)
{
    double stretch = lens->orthographic ? 1 : z, towards[3] = {0, 0, -1};
    if (!lens->orthographic) {
        towards[0] = -x;
        towards[1] = -y;
        scree_view_normalise(towards);
    }
    p->point[0] = (float)(x * stretch);
    p->point[1] = (float)(y * stretch);
    p->point[2] = (float)z;
    for (int k = 0; k < 3; k++)
        p->towards[k] = (float)towards[k];
}

static void set_ball_spot(const scree_subject *s, uint32_t number, double x, double y, spot *p)
{
    const double *ball = s->ball[number];
    double z = scree_ball_meet(ball, s->lens.orthographic, x, y);
    double stretch = s->lens.orthographic ? 1 : z;
    double from[3] = {x * stretch - ball[0], y * stretch - ball[1], z - ball[2]};
    set_point(&s->lens, x, y, z, p);
    scree_view_normalise(from);
    for (int k = 0; k < 3; k++)
        p->normal[k] = (float)from[k];
    memcpy(p->colour, s->light[number], sizeof p->colour);
    p->shine = SHINE;
    p->self = number;
}

static void set_facet_spot(const scree_subject *s, uint32_t number, double x, double y, spot *p)
{
    const scree_facet_seen *facet = &s->facet[number];
    scree_facet_plane plane;
    double weight[3] = {1, 0, 0}, normal[3];
    scree_facet_plane_set(&plane, facet, s->lens.orthographic);
    double z = scree_facet_plane_meet(&plane, x, y, weight);
    /* the mean of points inside may be outside by rounding */
    z = z > 0 ? z : facet->corner[0][2];
    set_point(&s->lens, x, y, z, p);
    for (int k = 0; k < 3; k++)
        normal[k] = weight[0] * (double)facet->normal[0][k] +
                    weight[1] * (double)facet->normal[1][k] +
                    weight[2] * (double)facet->normal[2][k];
    scree_view_normalise(normal);
    for (int k = 0; k < 3; k++)
        p->normal[k] = (float)normal[k];
    p->self = facet->body;
    p->shine = facet->body == SCREE_NO_BALL ? 0.04f : SHINE;
    memcpy(p->colour, facet->body == SCREE_NO_BALL ? facet->light : s->light[facet->body],
           sizeof p->colour);
}

static void light_thing(const scree_subject *s, const thing *t, const float lamp[3],
                        const float sky[3], float light[3])
{
    double x = t->x / t->samples, y = t->y / t->samples;
    spot p;
    if (t->hit == SCREE_TILE_NOTHING) {
        memcpy(light, sky, 3 * sizeof *light);
        return;
    }
    if (t->hit < s->ball_count)
        set_ball_spot(s, t->hit, x, y, &p);
    else
        set_facet_spot(s, t->hit - (uint32_t)s->ball_count, x, y, &p);
    light_spot(s, &p, lamp, light);
}

/*  The background: lighter at the bottom, as over a horizon. */
static void sky_at(const scree_picture_def *def, uint32_t row, float sky[3])
{
    static const float dark[2][3] = {{0.0040f, 0.0060f, 0.0130f}, {0.0145f, 0.0225f, 0.0480f}};
    static const float pale[2][3] = {{0.97f, 0.975f, 0.985f}, {0.78f, 0.81f, 0.86f}};
    const float(*ends)[3] = def->background == SCREE_PICTURE_DARK ? dark : pale;
    float at = ((float)row + 0.5f) / (float)def->height;
    for (int k = 0; k < 3; k++)
        sky[k] = ends[0][k] + at * (ends[1][k] - ends[0][k]);
}

/*  The objects that the samples of a pixel see, each once. */
static int gather_things(const scree_tile *tile, uint32_t column, uint32_t row, thing things[16])
{
    uint32_t n = tile->samples;
    int count = 0;
    for (uint32_t j = row * n; j < (row + 1) * n; j++)
        for (uint32_t i = column * n; i < (column + 1) * n; i++) {
            uint32_t hit = tile->hit[j * tile->columns + i];
            int k = 0;
            while (k < count && things[k].hit != hit)
                k++;
            if (k == count)
                things[count++] = (thing){hit, 0, 0, 0};
            things[k].samples++;
            things[k].x += tile->across[i];
            things[k].y += tile->down[j];
        }
    return count;
}

/*  Glass over the pixel: the mean of its samples. */
static void add_glass(const scree_tile *tile, uint32_t column, uint32_t row, float light[3])
{
    static const float tint[2][3] = {{0.33f, 0.43f, 0.60f}, {0.42f, 0.50f, 0.60f}};
    const float *of = tint[tile->subject->def->background == SCREE_PICTURE_DARK ? 0 : 1];
    uint32_t n = tile->samples;
    float clear = 0, gleam = 0, weight = 0;
    for (uint32_t j = row * n; j < (row + 1) * n; j++)
        for (uint32_t i = column * n; i < (column + 1) * n; i++) {
            size_t at = j * tile->columns + i;
            clear += tile->clear[at];
            gleam += tile->gleam[at];
            weight += tile->glass[at];
        }
    if (!(weight > 0))
        return;
    clear /= (float)(n * n);
    for (int k = 0; k < 3; k++)
        light[k] = light[k] * clear + of[k] * (gleam / weight) * (1 - clear);
}

void scree_tile_shade(scree_tile *tile)
{
    const scree_subject *s = tile->subject;
    float lamp[3], sky[3], one[3];
    thing things[16];
    lamp_of(s, lamp);
    for (uint32_t row = 0; row < tile->height; row++) {
        sky_at(s->def, tile->y + row, sky);
        for (uint32_t column = 0; column < tile->width; column++) {
            float *light = tile->light[row * tile->width + column];
            int count = gather_things(tile, column, row, things);
            light[0] = light[1] = light[2] = 0;
            for (int t = 0; t < count; t++) {
                float share = (float)things[t].samples / (float)(tile->samples * tile->samples);
                light_thing(s, &things[t], lamp, sky, one);
                for (int k = 0; k < 3; k++)
                    light[k] += share * (one[k] < 1 ? one[k] : 1);
            }
            add_glass(tile, column, row, light);
        }
    }
}
