/*  Triangles that are streamed: by index, as nine doubles, and as nine floats. All are made of floats, so that the three are the same
    triangles; how long it takes to gather them is told by batches that test nothing: those with no steps. */
#include "cases/triangles.h"

#include "base/error.h"
#include "base/random.h"
#include "measure/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SKIN 0.01
#define RUNS 5

typedef struct stream
{
    size_t count;
    float *soup[2];
    double *doubles[2], *shuffled[2];
    uint32_t *corners[2], *number;
    scree_triangle_touch *found;
} stream;

static void free_stream(stream *s)
{
    for (int side = 0; side < 2; side++) {
        free(s->soup[side]);
        free(s->doubles[side]);
        free(s->shuffled[side]);
        free(s->corners[side]);
    }
    free(s->number);
    free(s->found);
}

static bool allot_stream(stream *s, size_t count)
{
    bool has_all = true;

    memset(s, 0, sizeof *s);
    s->count = count;
    for (int side = 0; side < 2; side++) {
        s->soup[side] = malloc(9 * count * sizeof(float));
        s->doubles[side] = malloc(9 * count * sizeof(double));
        s->shuffled[side] = malloc(9 * count * sizeof(double));
        s->corners[side] = malloc(3 * count * sizeof(uint32_t));
        has_all =
            has_all && s->soup[side] && s->doubles[side] && s->shuffled[side] && s->corners[side];
    }
    s->number = malloc(count * sizeof *s->number);
    s->found = malloc(count * sizeof *s->found);
    return has_all && s->number && s->found;
}

/*  Vertices of the indexed one lie in no order. */
static void shuffle(stream *s, int side, scree_random *random)
{
    size_t vertices = 3 * s->count;

    for (size_t v = 0; v < vertices; v++)
        s->corners[side][v] = (uint32_t)v;
    for (size_t v = vertices; v > 1; v--) {
        size_t other = (size_t)scree_random_below(random, (uint32_t)v);
        uint32_t swapped = s->corners[side][v - 1];
        s->corners[side][v - 1] = s->corners[side][other];
        s->corners[side][other] = swapped;
    }
    for (size_t v = 0; v < vertices; v++)
        memcpy(s->shuffled[side] + 3 * (size_t)s->corners[side][v], s->doubles[side] + 3 * v,
               3 * sizeof(double));
}

/*  Triangles of about 0.1 in a cube of 1: most are apart. */
static void fill_stream(stream *s)
{
    scree_random random = scree_random_stream(15, 0);

    for (size_t t = 0; t < s->count; t++) {
        s->number[t] = (uint32_t)t;
        for (int side = 0; side < 2; side++) {
            double place[3];
            for (int k = 0; k < 3; k++)
                place[k] = scree_random_unit(&random);
            for (size_t c = 0; c < 9; c++) {
                float at = (float)(place[c % 3] + 0.05 * scree_random_range(&random, -1, 1));
                s->soup[side][9 * t + c] = at;
                s->doubles[side][9 * t + c] = (double)at;
            }
        }
    }
    for (int side = 0; side < 2; side++)
        shuffle(s, side, &random);
}

static scree_triangle_pairs pairs_by(const stream *s, int layout)
{
    scree_triangle_pairs pairs = {.first = s->number, .second = s->number, .count = s->count};

    for (int side = 0; side < 2; side++)
        pairs.side[side] = (scree_triangle_side){
            .vertices = layout == SCREE_LAYOUT_INDEXED   ? s->shuffled[side]
                        : layout == SCREE_LAYOUT_DOUBLES ? s->doubles[side]
                                                         : NULL,
            .corners = layout == SCREE_LAYOUT_INDEXED ? s->corners[side] : NULL,
            .skin_of_all = SKIN,
            .soup = layout == SCREE_LAYOUT_FLOATS ? s->soup[side] : NULL,
        };
    return pairs;
}

/*  ns a pair, the least of several runs. */
static double time_layout(const stream *s, int layout, bool tests, size_t *found)
{
    scree_triangle_pairs pairs = pairs_by(s, layout);
    scree_triangle_settings settings = scree_triangle_default_settings();
    double least = INFINITY;

    settings.steps = tests ? settings.steps : 0;
    settings.fallback = tests;
    for (int run = 0; run < RUNS; run++) {
        double begin = scree_thread_seconds();
        *found = scree_triangle_batch(&pairs, &settings, s->found, NULL, NULL, NULL);
        least = fmin(least, scree_thread_seconds() - begin);
    }
    return 1e9 * least / (double)s->count;
}

scree_status scree_bench_triangle_layouts(size_t pairs, scree_triangle_layout layout[SCREE_LAYOUTS],
                                          scree_error *error)
{
    static const char *const names[] = {"doubles by index", "nine doubles", "nine floats"};
    const size_t bytes[] = {18 * sizeof(double) + 6 * sizeof(uint32_t), 18 * sizeof(double),
                            18 * sizeof(float)};
    scree_status status = SCREE_OK;
    size_t found[SCREE_LAYOUTS], none;
    stream s;

    if (!allot_stream(&s, pairs)) {
        free_stream(&s);
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "no memory for %zu pairs of triangles",
                          pairs);
    }
    fill_stream(&s);
    for (int k = 0; k < SCREE_LAYOUTS; k++) {
        layout[k] = (scree_triangle_layout){.name = names[k], .bytes = bytes[k]};
        layout[k].ns = time_layout(&s, k, true, &found[k]);
        layout[k].fill_share = fmin(time_layout(&s, k, false, &none) / layout[k].ns, 1);
        layout[k].gb = (double)bytes[k] / layout[k].ns;
        if (found[k] != found[0])
            status = scree_fail(error, SCREE_BAD_VALUE, "%s: %zu pairs touch and not %zu", names[k],
                                found[k], found[0]);
    }
    free_stream(&s);
    return status;
}
