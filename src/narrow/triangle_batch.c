/*  Batches of pairs. A tile at a time is filled with columns and processed by the method's kernel; pairs left undecided
    by the kernel of the comparison, and then in double. */
#include "narrow/triangle_batch.h"

#include "narrow/triangle_tile.h"

#include <math.h>
#include <string.h>

scree_triangle_settings scree_triangle_default_settings(void)
{
    return (scree_triangle_settings){
        .method = SCREE_TRIANGLES_CERTIFIED,
        .points = SCREE_TRIANGLE_POINTS_NEAREST,
        .fallback = true,
        .steps = 4,
        .factor = 0.5,
        .penalty = 0.01,
        .regularisation = 0.01,
        .acceptance = 1,
        .simd = SCREE_SIMD_AUTO,
    };
}

/*  Copies a lane from another tile. */
static void copy_lane(const scree_triangle_tile *from, uint32_t source, scree_triangle_tile *tile,
                      uint32_t lane)
{
    for (int k = 0; k < 15; k++)
        tile->corner[k][lane] = from->corner[k][source];
    tile->reach[lane] = from->reach[source];
    tile->reach_low[lane] = from->reach_low[source];
    tile->reach_high[lane] = from->reach_high[source];
    tile->unit[lane] = from->unit[source];
    tile->scale[lane] = from->scale[source];
    tile->unit_sq[lane] = from->unit_sq[source];
}

/*  Pads to a multiple of the widest vector with copies of the last pair. */
static void pad_tile(scree_triangle_tile *tile, uint32_t count)
{
    for (uint32_t lane = count; lane % 16 != 0; lane++)
        copy_lane(tile, count - 1, tile, lane);
}

/* ---- one tile ---- */

typedef struct tile_job
{
    const scree_triangle_pairs *pairs;
    const scree_triangle_settings *settings;
    scree_triangle_kernel *method, *comparison;
    scree_simd level;
    bool has_own_skins;
    scree_triangle_counts counts;
    scree_triangle_tile tile, rest; /* rest: pairs that the method leaves undecided */
} tile_job;

static void take_result(const scree_triangle_tile *from, uint32_t source, scree_triangle_tile *tile,
                        uint32_t lane)
{
    for (int k = 0; k < 4; k++)
        tile->share[k][lane] = from->share[k][source];
    tile->square[lane] = from->square[source];
    tile->verdict[lane] = from->verdict[source];
    tile->doubted[lane] = from->doubted[source];
}

/*  Whether all pairs are apart, as in most tiles of random pairs. */
static bool all_are_apart(const scree_triangle_tile *tile, uint32_t count)
{
    uint8_t other = 0;
    for (uint32_t lane = 0; lane < count; lane++)
        other |= tile->verdict[lane] ^ SCREE_TRIANGLES_APART;
    return other == 0;
}

/*  Processes undecided pairs in full vectors. */
static void compare_rest(tile_job *job, uint32_t count)
{
    uint32_t lane_of[TRIANGLE_TILE_PAIRS], left = 0;
    if (all_are_apart(&job->tile, count))
        return;
    for (uint32_t lane = 0; lane < count; lane++)
        if (job->tile.verdict[lane] == SCREE_TRIANGLES_UNDECIDED) {
            copy_lane(&job->tile, lane, &job->rest, left);
            lane_of[left++] = lane;
        }
    if (left == 0)
        return;
    pad_tile(&job->rest, left);
    job->comparison(&job->rest, left, job->settings, &job->counts);
    for (uint32_t k = 0; k < left; k++)
        take_result(&job->rest, k, &job->tile, lane_of[k]);
}

static void begin_tile(tile_job *job, size_t begin, uint32_t count)
{
    const scree_triangle_settings *settings = job->settings;
    if (begin == 0 || job->has_own_skins)
        scree_triangle_fill_reaches(job->pairs, begin, count, &job->tile);
    scree_triangle_fill(job->pairs, begin, count, job->level, &job->tile);
    job->method(&job->tile, count, settings, &job->counts);
    if (settings->fallback && settings->method != SCREE_TRIANGLES_COMPARISON)
        compare_rest(job, count);
}

/*  Whether a pair is undecided, or touches and its points must be more accurate than floats. */
static bool wants_double(const tile_job *job, uint32_t lane)
{
    const scree_triangle_settings *settings = job->settings;
    switch (job->tile.verdict[lane]) {
    case SCREE_TRIANGLES_UNDECIDED:
        return settings->fallback || settings->method == SCREE_TRIANGLES_COMPARISON;
    case SCREE_TRIANGLES_TOUCH:
        return settings->points == SCREE_TRIANGLE_POINTS_DOUBLE ||
               (settings->points == SCREE_TRIANGLE_POINTS_NEAREST && job->tile.doubted[lane]);
    default:
        return false;
    }
}

/*  The verdict of a pair and, unless it is certainly apart, its points. */
static uint8_t finish_lane(tile_job *job, size_t pair, uint32_t lane, scree_gap *gap)
{
    uint8_t verdict = job->tile.verdict[lane];
    const double *corner[6];
    double unit = job->tile.scale[lane], column[15], room[18];
    if (wants_double(job, lane)) {
        scree_triangle_corners(job->pairs, pair, room, corner);
        job->counts.doubles++;
        return scree_corners_touch(corner, scree_triangle_reach(job->pairs, pair), gap)
                   ? SCREE_TRIANGLES_TOUCH
                   : SCREE_TRIANGLES_APART;
    }
    if (verdict == SCREE_TRIANGLES_TOUCH) {
        const double share[4] = {(double)job->tile.share[0][lane], (double)job->tile.share[1][lane],
                                 (double)job->tile.share[2][lane],
                                 (double)job->tile.share[3][lane]};
        scree_triangle_corners(job->pairs, pair, room, corner);
        scree_triangle_columns(corner, unit, column);
        scree_triangle_gap_at(corner, unit, column, share, gap);
    } else {
        gap->distance_sq = (double)job->tile.square[lane] / unit / unit;
    }
    return verdict;
}

static scree_triangle_touch *finish_tile(tile_job *job, size_t begin, uint32_t count,
                                         scree_triangle_touch *to, uint8_t *verdicts,
                                         double *distances_sq)
{
    if (!distances_sq && all_are_apart(&job->tile, count)) {
        if (verdicts)
            memset(verdicts + begin, SCREE_TRIANGLES_APART, count);
        return to;
    }
    for (uint32_t lane = 0; lane < count; lane++) {
        uint8_t verdict = job->tile.verdict[lane];
        scree_gap gap;
        gap.distance_sq = 0;
        if (verdict != SCREE_TRIANGLES_APART || distances_sq)
            verdict = finish_lane(job, begin + lane, lane, &gap);
        if (verdicts)
            verdicts[begin + lane] = verdict;
        if (distances_sq)
            distances_sq[begin + lane] = gap.distance_sq;
        job->counts.undecided += verdict == SCREE_TRIANGLES_UNDECIDED;
        if (verdict == SCREE_TRIANGLES_TOUCH) {
            to->pair = begin + lane;
            to->distance_sq = gap.distance_sq;
            memcpy(to->point, gap.point, sizeof to->point);
            to++;
        }
    }
    return to;
}

/* ---- a whole batch ---- */

static void add_counts(const scree_triangle_counts *from, scree_triangle_counts *to)
{
    to->pairs += from->pairs;
    to->iterations += from->iterations;
    to->compared += from->compared;
    to->doubles += from->doubles;
    to->touching += from->touching;
    to->undecided += from->undecided;
}

size_t scree_triangle_batch(const scree_triangle_pairs *pairs,
                            const scree_triangle_settings *settings, scree_triangle_touch *touches,
                            uint8_t *verdicts, double *distances_sq, scree_triangle_counts *counts)
{
    scree_triangle_touch *to = touches;
    tile_job job;
    job.pairs = pairs;
    job.settings = settings;
    job.level = scree_simd_resolve(settings->simd);
    job.has_own_skins = pairs->side[0].skin || pairs->side[1].skin;
    job.method = scree_triangle_kernels[settings->method][job.level];
    job.comparison = scree_triangle_kernels[SCREE_TRIANGLES_COMPARISON][job.level];
    memset(&job.counts, 0, sizeof job.counts);
    for (size_t begin = 0; begin < pairs->count; begin += TRIANGLE_TILE_PAIRS) {
        size_t left = pairs->count - begin;
        uint32_t count = left < TRIANGLE_TILE_PAIRS ? (uint32_t)left : TRIANGLE_TILE_PAIRS;
        begin_tile(&job, begin, count);
        to = finish_tile(&job, begin, count, to, verdicts, distances_sq);
    }
    job.counts.pairs = pairs->count;
    job.counts.touching = (uint64_t)(to - touches);
    if (counts)
        add_counts(&job.counts, counts);
    return (size_t)(to - touches);
}
