/*  Chooses the ranges of sizes that get grids of their own, and the bodies that are too far out for a grid. A sample of
    the bodies gives a histogram of sizes and a region with nearly all bodies. Of all ranges the ones are taken that are
    cheapest by a simple model of the search: one more grid adds runs to the search of each body, one less makes all
    runs longer. The choice affects only speed. */
#include "base/portable_math.h"
#include "detect/flat.h"

#include <string.h>

#define BINS 16u
/*  One more level may follow, for sizes that the sample missed. */
#define MAX_RANGES (SCREE_FLAT_SIZES - 1)
/*  Size of the sample of positions, which are sorted; one in 64 is skipped at each end. */
#define PLACES 128u

typedef struct flat_sample
{
    uint32_t count, place_count;
    double size[SCREE_FLAT_SAMPLE];
    double place[3][PLACES];
    uint32_t long_count;
} flat_sample;

/*  Returns the longest edge, and counts edges that are three times as long as the others. */
static double size_of_box(const scree_box *box, uint32_t *long_count)
{
    double most = 0;
    uint32_t wide = 0;
    for (int k = 0; k < 3; k++)
        most = fmax(most, box->upper[k] - box->lower[k]);
    for (int k = 0; k < 3; k++)
        wide += (box->upper[k] - box->lower[k]) * 3 > most;
    *long_count += wide == 1;
    return most;
}

static void take_sample(const scree_bodies *bodies, flat_sample *sample)
{
    uint32_t n = bodies->active_count;
    uint32_t count = n < 64 ? n : 56 + n / 8;
    count = count < SCREE_FLAT_SAMPLE ? count : SCREE_FLAT_SAMPLE;
    uint32_t stride = n / count;

    *sample = (flat_sample){.count = count};
    for (uint32_t s = 0; s < count; s++) {
        /* the stride does not match any order of the bodies */
        uint32_t id = bodies->active[s * stride + (s * 2654435761u >> 8) % stride];
        bool keeps_place = s % (1 + count / PLACES) == 0;
        if (bodies->sphere) {
            const double *sphere = bodies->sphere[id];
            for (int k = 0; k < 3 && keeps_place; k++)
                sample->place[k][sample->place_count] = sphere[k];
            sample->size[s] = sphere[3];
        } else {
            const scree_box *box = &bodies->box[id];
            for (int k = 0; k < 3 && keeps_place; k++)
                sample->place[k][sample->place_count] = box->lower[k];
            sample->size[s] = size_of_box(box, &sample->long_count);
        }
        sample->place_count += keeps_place;
    }
}

static void sort_places(double *place, uint32_t count)
{
    static const uint32_t gaps[] = {109, 41, 19, 5, 1}; /* Sedgewick 1986 */
    for (size_t g = 0; g < SCREE_COUNT_OF(gaps); g++)
        for (uint32_t i = gaps[g]; i < count; i++) {
            double at = place[i];
            uint32_t j = i;
            for (; j >= gaps[g] && place[j - gaps[g]] > at; j -= gaps[g])
                place[j] = place[j - gaps[g]];
            place[j] = at;
        }
}

/* ---- what lies far out ---- */

/*  Finds the region with nearly all bodies; `range` gets its width. A body is far if it is more than that width
    outside, and so far that floats could no longer separate bodies there. */
#define FLOAT_ROOM 0x1p16

static void find_region(scree_flat_sorts *sorts, int dimensions, flat_sample *sample,
                        double largest, double *range)
{
    uint32_t count = sample->place_count, skipped = (count + 32) / 64;
    double widest = 0;

    for (int k = 0; k < dimensions; k++) {
        sort_places(sample->place[k], count);
        range[k] = sample->place[k][count - 1 - skipped] - sample->place[k][skipped];
        widest = range[k] > widest ? range[k] : widest;
    }
    double room = skipped > 0 ? fmax(widest, FLOAT_ROOM * largest) : HUGE_VAL;
    for (int k = 0; k < dimensions; k++) {
        sorts->near_lower[k] = sample->place[k][skipped] - room;
        sorts->near_upper[k] = sample->place[k][count - 1 - skipped] + room;
    }
}

/* ---- ranges of sizes ---- */

/*  Bins [from, to) of sizes, as if they were a level. Lengths are in units of the region. */
typedef struct range_model
{
    double count, mean, most; /* radii */
    double edge, density;     /* of its cells */
} range_model;

typedef struct size_model
{
    int dimensions;
    uint32_t bins;
    double count[BINS], sum[BINS], most[BINS]; /* of bodies; radii */
    double volume;
    range_model range[BINS][BINS + 1];
} size_model;

/*  Approximates the logarithm to base 2. Like the whole model, it affects only speed. */
static double nearly_log2(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (double)bits * 0x1p-52;
}

static void fill_bins(size_model *model, const flat_sample *sample, double scale, double bodies)
{
    double largest = 0, smallest = HUGE_VAL;
    for (uint32_t s = 0; s < sample->count; s++) {
        largest = fmax(largest, sample->size[s] * scale);
        smallest = fmin(smallest, sample->size[s] * scale);
    }
    smallest = nearly_log2(fmax(smallest, largest * 0x1p-24));
    double step = (nearly_log2(largest) - smallest) / BINS;
    model->bins = step > 0.5 / BINS ? BINS : 1;
    for (uint32_t s = 0; s < sample->count; s++) {
        double size = sample->size[s] * scale;
        double at = model->bins > 1 ? (nearly_log2(size) - smallest) / step : 0;
        uint32_t bin = at > 0 ? (uint32_t)fmin(at, BINS - 1) : 0;
        model->count[bin] += bodies / sample->count;
        model->sum[bin] += size * bodies / sample->count;
        model->most[bin] = fmax(model->most[bin], size);
    }
}

static double root(double x, int dimensions)
{
    return dimensions == 3 ? scree_pow(x, 1.0 / 3) : sqrt(x);
}

/*  Evaluates the model for each possible range. It affects only speed. */
static void fill_ranges(size_model *model)
{
    for (uint32_t from = 0; from < model->bins; from++) {
        range_model range = {0};
        double sum = 0;
        for (uint32_t to = from + 1; to <= model->bins; to++) {
            range.count += model->count[to - 1];
            sum += model->sum[to - 1];
            range.most = fmax(range.most, model->most[to - 1]);
            range.mean = range.count > 0 ? sum / range.count : 0;
            range.density = range.count / model->volume;
            range.edge = range.count > 0 ? root(1 / range.density, model->dimensions) : 1;
            range.edge = fmax(2 * range.most, range.edge);
            model->range[from][to] = range;
        }
    }
}

/*  Nanoseconds for a run of that length in the rows of a range. Only ratios matter, and only for speed. */
static double cost_of_run(const size_model *model, const range_model *range, double window)
{
    double area = model->dimensions == 3 ? range->edge * range->edge : range->edge;
    return 1.1 + 0.09 * range->density * area * (window + 0.5 * range->edge);
}

/*  Likewise: only speed. */
static double cost_of_own(const size_model *model, const range_model *range)
{
    double runs = model->dimensions == 3 ? 5 : 2;
    return range->count * (3 + runs * cost_of_run(model, range, 2 * (range->mean + range->most)));
}

/*  Likewise: only speed. */
static double cost_of_looking(const size_model *model, const range_model *from,
                              const range_model *into)
{
    double window = 2 * (from->mean + into->most), rows = 1 + window / into->edge;
    if (model->dimensions == 3)
        rows *= rows;
    return from->count * (8 + rows * cost_of_run(model, into, window));
}

/*  Likewise: only speed. */
static double cost_of_bounds(const size_model *model, const uint32_t *bound, uint32_t ranges)
{
    double cost = 0;
    for (uint32_t a = 0; a < ranges; a++) {
        const range_model *one = &model->range[bound[a]][bound[a + 1]];
        cost += cost_of_own(model, one);
        for (uint32_t b = a + 1; b < ranges; b++) {
            const range_model *other = &model->range[bound[b]][bound[b + 1]];
            cost += fmin(cost_of_looking(model, one, other), cost_of_looking(model, other, one));
        }
    }
    return cost;
}

typedef struct best_bounds
{
    double cost;
    uint32_t ranges, bound[MAX_RANGES + 1];
} best_bounds;

/*  Tries all ways to cut the bins into that many ranges; `bound` enumerates them. */
static void try_ranges(const size_model *model, uint32_t ranges, best_bounds *best)
{
    uint32_t bound[MAX_RANGES + 1];
    for (uint32_t r = 0; r < ranges; r++)
        bound[r] = r;
    bound[ranges] = model->bins;
    for (;;) {
        double cost = cost_of_bounds(model, bound, ranges);
        if (cost < best->cost) {
            best->cost = cost;
            best->ranges = ranges;
            memcpy(best->bound, bound, sizeof bound);
        }
        uint32_t r = ranges - 1;
        while (r > 0 && bound[r] + 1 >= bound[r + 1])
            r--;
        if (r == 0)
            return;
        bound[r]++;
        for (r++; r < ranges; r++)
            bound[r] = bound[r - 1] + 1;
    }
}

static void choose_ranges(scree_flat_sorts *sorts, const flat_sample *sample, const double range[3],
                          const scree_bodies *bodies)
{
    size_model model = {.dimensions = bodies->dimensions, .volume = 1};
    uint32_t count = bodies->active_count;
    best_bounds best = {.cost = HUGE_VAL, .ranges = 1};
    double widest = 0, largest = 0;
    for (uint32_t s = 0; s < sample->count; s++)
        largest = fmax(largest, sample->size[s]);
    for (int k = 0; k < bodies->dimensions; k++)
        widest = fmax(widest, range[k]);
    widest = fmax(widest, largest);
    if (count < 16 || !(widest > 0x1p-500))
        return;
    double half = bodies->volume == SCREE_BOXES ? 0.5 : 1;
    for (int k = 0; k < bodies->dimensions; k++)
        model.volume *= fmax(fmax(range[k], largest) / widest, 1e-6);
    fill_bins(&model, sample, half / widest, count);
    fill_ranges(&model);
    uint32_t most = count < 4096 ? 2 : MAX_RANGES;
    for (uint32_t ranges = 1; ranges <= most && ranges <= model.bins; ranges++)
        try_ranges(&model, ranges, &best);
    sorts->sizes = best.ranges;
    for (uint32_t r = 1; r < best.ranges; r++)
        sorts->bound[r - 1] = model.range[best.bound[r - 1]][best.bound[r]].most * (widest / half);
}

/*  Nothing is far out in an island: it would be another island. Where it is denser in the middle, the region is that
    which its bodies would fill evenly. */
static void take_region(scree_flat_sorts *sorts, int dimensions, const scree_flat_island *island,
                        double *range)
{
    const double shrink = 1 / root(fmax(island->densities, 1), dimensions);

    for (int k = 0; k < 3; k++) {
        sorts->near_lower[k] = -HUGE_VAL;
        sorts->near_upper[k] = HUGE_VAL;
        range[k] = k < dimensions ? shrink * (island->box.upper[k] - island->box.lower[k]) : 0;
    }
}

double scree_flat_choose(scree_flat_sorts *sorts, const scree_bodies *bodies,
                         const scree_flat_island *island)
{
    flat_sample sample;
    double range[3] = {0, 0, 0}, largest = 0;
    take_sample(bodies, &sample);
    for (uint32_t s = 0; s < sample.count; s++)
        largest = fmax(largest, sample.size[s]);
    *sorts = (scree_flat_sorts){.sizes = 1, .shapes = 1};
    if (bodies->volume == SCREE_BOXES && sample.long_count * 8 > sample.count)
        sorts->shapes = SCREE_FLAT_SHAPES;
    if (island)
        take_region(sorts, bodies->dimensions, island, range);
    else
        find_region(sorts, bodies->dimensions, &sample, largest, range);
    choose_ranges(sorts, &sample, range, bodies);
    return largest;
}
