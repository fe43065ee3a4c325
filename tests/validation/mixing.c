/*  Two kinds of grains in a drum that turns: the mixing case of a comparison of engines. */
#include "bulk.h"
#include "cases.h"
#include "reference.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

#define RADIUS 0.1
#define HALF_WIDTH 0.03
#define RATE 2.0
#define LOOKS 50 /* in a second */
#define MAX_SECONDS 5

static const double published_diameter[] = {2e-3, 4e-3};
static const size_t published_count[] = {30000, 8000};

/*  Grains `scale` times as large as published, and as many fewer as fill the drum as high. */
typedef struct form
{
    double scale, softer, dt, settle;
    int seconds;
} form;

typedef struct mixer
{
    rig r;
    scree_wall_id wall[3];
    size_t count[2];
    double diameter[2];
    int way; /* 1: about y, so that it rises where x is below 0; -1: the other way */
} mixer;

/*  A cell has one large grain, or up to eight small ones; which, is chance, or large ones come first, below. */
static void fill_cell(mixer *m, scree_material_id material, int kind, const double middle[3],
                      double pitch, size_t wanted)
{
    int across = kind == BULK_M2 ? 1 : 2;
    for (int k = 0; k < across * across * across && m->count[kind] < wanted; k++) {
        const int place[3] = {k % across, k / across % across, k / across / across};
        scree_body_def grain = rig_sphere(material, m->diameter[kind] / 2, 0, 0, 0);
        grain.user = (uint64_t)kind;
        for (int a = 0; a < 3; a++)
            grain.position[a] = middle[a] + ((place[a] + 0.5) / across - 0.5) * pitch;
        rig_add(&m->r, &grain);
        m->count[kind]++;
    }
}

static void fill(mixer *m, const scree_material_id id[2], const size_t wanted[2], bool layered)
{
    double pitch = 1.05 * m->diameter[BULK_M2];
    int deep = (int)(2 * HALF_WIDTH / pitch), wide = (int)(RADIUS / pitch);
    scree_random random = scree_random_stream(13, 0);
    for (int z = -wide; z < wide; z++)
        for (int place = 0; place < deep * 2 * wide; place++) {
            const double middle[3] = {(place / deep - wide + 0.5) * pitch,
                                      ((place % deep + 0.5) / deep * 2 - 1) * HALF_WIDTH,
                                      (z + 0.5) * pitch};
            if (hypot(middle[0], middle[2]) > RADIUS - 0.71 * pitch)
                continue;
            double small = (double)(wanted[BULK_M1] - m->count[BULK_M1]) / 8,
                   large = (double)(wanted[BULK_M2] - m->count[BULK_M2]);
            double drawn = layered ? 0 : scree_random_range(&random, 0, small + large);
            int kind = drawn < large ? BULK_M2 : BULK_M1;
            fill_cell(m, id[kind], kind, middle, pitch, wanted[kind]);
        }
}

static void turn(mixer *m, int way)
{
    scree_wall_path path = {.axis = {0, 1, 0}, .rate = way * RATE};
    m->way = way;
    for (int k = 0; k < 3 && !m->r.status; k++)
        m->r.status = scree_world_set_wall_path(m->r.world, m->wall[k], &path);
}

/*  A bed that has settled. */
static mixer mixer_open(validation *v, const form *f, bool layered)
{
    mixer m = {.count = {0, 0}};
    static const double profile[2][2] = {{RADIUS, -1.1 * HALF_WIDTH}, {RADIUS, 1.1 * HALF_WIDTH}};
    static const double lying[4] = {0.70710678118654752, 0.70710678118654752, 0, 0};
    scree_material_id id[BULK_KINDS];
    size_t wanted[2];
    scree_world_def def = rig_def(f->dt);
    def.gravity[2] = -BULK_GRAVITY;
    m.r = rig_open(v, &def);
    bulk_materials(&m.r, f->softer, id);
    m.wall[0] = bulk_shell(&m.r, bulk_turned(profile, 2), id[BULK_STEEL], lying);
    m.wall[1] = rig_plane(&m.r, id[BULK_STEEL], 0, -HALF_WIDTH, 0, 0, 1, 0);
    m.wall[2] = rig_plane(&m.r, id[BULK_STEEL], 0, HALF_WIDTH, 0, 0, -1, 0);
    for (int kind = 0; kind < 2; kind++) {
        m.diameter[kind] = f->scale * published_diameter[kind];
        wanted[kind] = (size_t)llround((double)published_count[kind] / pow(f->scale, 3));
    }
    fill(&m, id, wanted, layered);
    rig_step(&m.r, (uint64_t)(f->settle / f->dt));
    return m;
}

/*  Shares of each kind above the axis, where the drum rises and where it sinks, and below it where it sinks. */
typedef struct quarters
{
    double up[2], over[2], down[2];
} quarters;

static void look(mixer *m, quarters *q)
{
    scree_bodies_view bodies = scree_world_bodies(m->r.world);
    for (size_t k = 0; k < bodies.count; k++) {
        double x = m->way * scree_row_at(bodies.position, k)[0],
               z = scree_row_at(bodies.position, k)[2];
        uint64_t kind = scree_uint64_at(bodies.user, k);
        double own = 1 / (double)m->count[kind];
        q->up[kind] += own * (x < 0 && z > 0);
        q->over[kind] += own * (x > 0 && z > 0);
        q->down[kind] += own * (x > 0 && z < 0);
    }
}

/*  Lacey's, of cells by volume: 0 where each has one kind alone, 1 where all have the same of each. */
static double mixing_index(mixer *m)
{
    enum
    {
        CELLS = 12
    };
    double volume[CELLS * CELLS][2], sum[2] = {0, 0}, variance = 0;
    memset(volume, 0, sizeof volume);
    scree_bodies_view bodies = scree_world_bodies(m->r.world);
    for (size_t k = 0; k < bodies.count; k++) {
        int at[2];
        for (int a = 0; a < 2; a++)
            at[a] = (int)fmin(
                CELLS - 1,
                fmax(0, (scree_row_at(bodies.position, k)[2 * a] / RADIUS + 1) / 2 * CELLS));
        double own = pow(scree_double_at(bodies.radius, k), 3);
        volume[at[0] * CELLS + at[1]][scree_uint64_at(bodies.user, k)] += own;
        sum[scree_uint64_at(bodies.user, k)] += own;
    }
    double whole = sum[0] + sum[1], mean = sum[1] / whole;
    for (int k = 0; k < CELLS * CELLS; k++) {
        double own = volume[k][0] + volume[k][1];
        variance += own > 0 ? own / whole * pow(volume[k][1] / own - mean, 2) : 0;
    }
    return 1 - variance / (mean * (1 - mean));
}

typedef struct course
{
    quarters look[LOOKS * MAX_SECONDS];
    int looks;
    double index[2], mass[2]; /* at start and end */
} course;

static course run(validation *v, const form *f, bool layered, int way, validation_curve *share[2],
                  validation_curve *index)
{
    course c = {.looks = LOOKS * f->seconds};
    mixer m = mixer_open(v, f, layered);
    turn(&m, way);
    c.mass[0] = m.r.status ? 0 : scree_world_totals(m.r.world).mass;
    for (int k = 0; k < c.looks; k++) {
        if (k % 5 == 0) {
            c.index[k > 0] = mixing_index(&m);
            if (index)
                validation_point(index, (double)k / LOOKS, c.index[k > 0]);
        }
        if (!rig_step(&m.r, (uint64_t)llround(1 / (LOOKS * f->dt))))
            break;
        look(&m, &c.look[k]);
        for (int kind = 0; kind < 2 && share[kind]; kind++)
            validation_point(share[kind], (k + 1.0) / LOOKS, c.look[k].up[kind]);
    }
    c.mass[1] = m.r.status ? 0 : scree_world_totals(m.r.world).mass;
    rig_close(&m.r);
    return c;
}

/*  Means and bounds of the looks from one to another. */
typedef struct summary
{
    quarters mean, least, most;
} summary;

static summary sum_up(const course *c, int from, int to)
{
    summary s = {.least = c->look[from], .most = c->look[from]};
    for (int k = from; k < to; k++)
        for (int kind = 0; kind < 2; kind++) {
            const quarters *q = &c->look[k];
            s.mean.up[kind] += q->up[kind] / (to - from);
            s.mean.over[kind] += q->over[kind] / (to - from);
            s.mean.down[kind] += q->down[kind] / (to - from);
            s.least.up[kind] = fmin(s.least.up[kind], q->up[kind]);
            s.least.down[kind] = fmin(s.least.down[kind], q->down[kind]);
            s.most.up[kind] = fmax(s.most.up[kind], q->up[kind]);
            s.most.down[kind] = fmax(s.most.down[kind], q->down[kind]);
        }
    return s;
}

static const char *const names[] = {"small", "large"};

/*  How far counts swing in the last two fifths of the time, beside the first two. */
static void settle(validation *v, const course *c)
{
    int part = 2 * c->looks / 5;
    summary first = sum_up(c, 0, part), last = sum_up(c, c->looks - part, c->looks);
    for (int kind = 0; kind < 2; kind++) {
        validation_at_most(
            v, "[U] settles", 0.5,
            (last.most.up[kind] - last.least.up[kind]) /
                (first.most.up[kind] - first.least.up[kind]),
            "%s: swing of the share above the axis where it rises, over that at first",
            names[kind]);
        validation_at_most(v, "[U] settles", 0.5,
                           (last.most.down[kind] - last.least.down[kind]) /
                               (first.most.down[kind] - first.least.down[kind]),
                           "%s: swing of the share below it where it sinks, over that at first",
                           names[kind]);
        validation_between(v, "[U] what rises rolls down", 0.01, 0.1, last.mean.up[kind],
                           "%s: share above the axis where it rises", names[kind]);
        validation_at_most(v, "[U] what rises rolls down", 0.002, last.mean.over[kind],
                           "%s: share above the axis where it sinks", names[kind]);
    }
}

/*  All but the first second. */
static void mirror(validation *v, const course *one, const course *other)
{
    summary a = sum_up(one, LOOKS, one->looks), b = sum_up(other, LOOKS, other->looks);
    for (int kind = 0; kind < 2; kind++) {
        validation_relative(v, "[F] mirror", a.mean.up[kind], b.mean.up[kind], 0.1,
                            "%s: share above the axis where it rises, turned the other way",
                            names[kind]);
        validation_relative(v, "[F] mirror", a.mean.down[kind], b.mean.down[kind], 0.05,
                            "%s: share below it where it sinks, turned the other way", names[kind]);
    }
}

static void weigh(validation *v, const course *c, const char *name)
{
    validation_relative(v, "[P] 0.31416 + 0.53617 kg", 0.31416 + 0.53617, c->mass[0], 2e-5,
                        "%s: mass at the start, kg", name);
    validation_exact(v, "[F] none is lost", c->mass[0], c->mass[1], "%s: mass at the end, kg",
                     name);
}

/*  Share of each kind that is below the axis where the drum sinks, after 0.2 s. */
static void begin(validation *v, const form *f, double share[2])
{
    quarters q;
    memset(&q, 0, sizeof q);
    mixer m = mixer_open(v, f, false);
    turn(&m, 1);
    rig_step(&m.r, (uint64_t)llround(0.2 / f->dt));
    look(&m, &q);
    rig_close(&m.r);
    memcpy(share, q.down, sizeof q.down);
}

/*  As stiff as published. */
static void stiffen(validation *v)
{
    form soft = {.scale = 2.5, .softer = 500, .dt = 2.5e-4, .settle = 0.12},
         stiff = {.scale = 2.5, .softer = 1, .dt = 2.5e-6, .settle = 0.12};
    double one[2], other[2];
    begin(v, &soft, one);
    begin(v, &stiff, other);
    for (int kind = 0; kind < 2; kind++)
        validation_absolute(
            v, "[F] stiffness matters little", one[kind], other[kind], 0.05,
            "%s: share below the axis where it sinks after 0.2 s, stiff beside soft", names[kind]);
}

static void mix_briefly(validation *v)
{
    form f = {.scale = 4, .softer = 500, .dt = 4e-4, .settle = 0.2, .seconds = 1};
    course c = run(v, &f, true, 1, (validation_curve *[2]){NULL, NULL}, NULL);
    validation_relative(v, "[P] (0.31416 + 0.53617) kg", 0.85033, c.mass[0], 1e-3,
                        "four times as large: mass at the start, kg");
    validation_exact(v, "[F] none is lost", c.mass[0], c.mass[1], "the same: mass at the end, kg");
    validation_at_most(v, "[U] what rises rolls down", c.look[c.looks - 1].up[BULK_M1], 0.01,
                       "the same: what comes above the axis of the small ones, above this share");
    validation_at_most(
        v, "[U] mixing", c.index[1], c.index[0],
        "the same, from layers: index of mixing at the start, below that at the end");
}

void validate_mixing(validation *v)
{
    validation_begin(
        v, "11g. Mixing drum (Dosta et al. 2024)",
        "The drum of \"Comparing open-source DEM frameworks for simulations of common bulk "
        "processes\" (Computer Physics Communications 296, 2024), with the parameters of "
        "MercuryDPM's deck in its soft variant (E = 2 and 1 MPa): 0.1 m in radius, 60 mm "
        "wide, of steel, turning at 2 rad/s with its ends; small grains of one material and "
        "large ones of another, of twice their size. Here they are 2.5 times as large as "
        "published (5 and 10 mm) and 15.6 times fewer, 1920 and 512, which is the same mass, "
        "and steps are 0.25 ms, as long a part of a contact as the 0.1 ms of the deck. --long "
        "has the first 0.2 s of grains as stiff as in the other deck (E = 1 and 0.5 GPa) as "
        "well, beside soft ones. The bed is our own: mixed by chance, or in layers, the large "
        "ones below. No result is confirmed to us, so what is held is what must be: no grain "
        "is lost; shares of each kind in the two quarters that the paper counts swing less "
        "and less; turned the other way it does the same in the mirror. Small grains gather "
        "in the middle, so a mixed bed becomes less so, and that core goes round; layers mix. "
        "The ends matter: friction of the shell alone, 0.2, holds nothing above the axis.");
    if (!v->full) {
        mix_briefly(v);
        return;
    }
    form f = {.scale = 2.5, .softer = 500, .dt = 2.5e-4, .settle = 0.2, .seconds = 5};
    validation_chart *chart = validation_add_chart(
        v, "validation-mixing.svg", "Mixing drum: grains above the axis, where it rises",
        "share of each kind; dashed: turned the other way", "time, s", "share");
    validation_curve *share[2] = {validation_add_curve(chart, "small", false),
                                  validation_add_curve(chart, "large", false)};
    validation_chart *mixed =
        validation_add_chart(v, "validation-mixing-index.svg", "Mixing drum: how well it is mixed",
                             "Lacey's index of cells of 17 mm", "time, s", "index");
    course one = run(v, &f, false, 1, share, validation_add_curve(mixed, "from chance", false));
    weigh(v, &one, "turned");
    settle(v, &one);
    validation_curve *mirrored[2] = {validation_add_curve(chart, "small, mirrored", true),
                                     validation_add_curve(chart, "large, mirrored", true)},
                     *none[2] = {NULL, NULL};
    course other = run(v, &f, false, -1, mirrored, NULL),
           layered = run(v, &f, true, 1, none, validation_add_curve(mixed, "from layers", false));
    weigh(v, &other, "turned the other way");
    mirror(v, &one, &other);
    validation_at_most(v, "[F] layers", 0.4, layered.index[0],
                       "layers: index of mixing at the start");
    validation_between(
        v, "[U] mixing", layered.index[0] + 0.05, one.index[1], layered.index[1],
        "layers: index at the end, above that by 0.05 and not above the mixed bed's");
    if (v->longer)
        stiffen(v);
}
