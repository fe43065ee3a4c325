#include "detect/flat_rows.h"

#include "base/prefetch.h"
#include "base/row4.h"

#include <string.h>

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "base/wide_rows.h"
#endif

/*  How many bodies ahead the cache line that a body will be moved to is prefetched. */
#define AHEAD 16u

#if WIDE_HAS_X86
#define ROWS_TARGET __attribute__((target("avx2,popcnt")))

/*  Largest radii of the ranges of sizes; the last have none. */
ROWS_TARGET static inline __m256d bounds_of(const scree_flat_sorts *sorts)
{
    double bound[4] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    _Static_assert(SCREE_FLAT_SIZES - 1 == 4, "one vector has the bounds of all ranges");

    for (uint32_t k = 0; k + 1 < sorts->sizes; k++)
        bound[k] = sorts->bound[k];
    return _mm256_loadu_pd(bound);
}

ROWS_TARGET static inline uint32_t range_avx2(__m256d bounds, double radius)
{
    const __m256d more = _mm256_cmp_pd(_mm256_set1_pd(radius), bounds, _CMP_GT_OQ);

    return (uint32_t)_mm_popcnt_u32((uint32_t)_mm256_movemask_pd(more));
}
#endif

/* ---- sums ---- */

static void clear_sums(scree_flat_sums *sums)
{
    memset(sums, 0, sizeof *sums);
    for (int turn = 0; turn < 2; turn++)
        for (uint32_t l = 0; l < SCREE_FLAT_SIZES; l++)
            for (int k = 0; k < 4; k++) {
                sums->least[turn][l][k] = DBL_MAX;
                sums->most[turn][l][k] = k < 3 ? -DBL_MAX : 0;
            }
}

static void sum_up(const scree_flat_spheres *s, size_t begin, size_t end, scree_flat_sums *sums)
{
    for (size_t a = begin; a < end; a++) {
        const double *sphere = s->sphere[s->listed[a]];
        const uint32_t l = scree_flat_range(s->sorts, sphere[3]), turn = a & 1;
        double *least = sums->least[turn][l], *most = sums->most[turn][l];
        for (int k = 0; k < 4; k++) {
            least[k] = sphere[k] < least[k] ? sphere[k] : least[k];
            most[k] = sphere[k] > most[k] ? sphere[k] : most[k];
        }
        sums->radii[turn][l] += sphere[3];
        sums->count[turn][l]++;
    }
}

#if WIDE_HAS_X86
ROWS_TARGET static void sum_up_avx2(const scree_flat_spheres *s, size_t begin, size_t end,
                                    scree_flat_sums *sums)
{
    const __m256d bounds = bounds_of(s->sorts);

    for (size_t a = begin; a < end; a++) {
        const double *sphere = s->sphere[s->listed[a]];
        const uint32_t l = range_avx2(bounds, sphere[3]), turn = a & 1;
        const __m256d numbers = _mm256_loadu_pd(sphere);
        double *least = sums->least[turn][l], *most = sums->most[turn][l];
        _mm256_storeu_pd(least, _mm256_min_pd(numbers, _mm256_loadu_pd(least)));
        _mm256_storeu_pd(most, _mm256_max_pd(numbers, _mm256_loadu_pd(most)));
        sums->radii[turn][l] += sphere[3];
        sums->count[turn][l]++;
    }
}
#endif

void scree_flat_sum_up(const scree_flat_spheres *spheres, size_t begin, size_t end,
                       scree_flat_sums *sums)
{
    clear_sums(sums);
#if WIDE_HAS_X86
    if (spheres->simd >= SCREE_SIMD_AVX2) {
        sum_up_avx2(spheres, begin, end, sums);
        return;
    }
#endif
    sum_up(spheres, begin, end, sums);
}

/* ---- rows ---- */

static uint32_t row_of(const scree_flat_spheres *s, const double at[4])
{
    const scree_flat_level *level = &s->level[scree_flat_range(s->sorts, at[3])];
    uint32_t y = scree_flat_cell(level, 1, scree_flat_near(s->frame, 1, at[1]));
    uint32_t z = scree_flat_cell(level, 2, scree_flat_near(s->frame, 2, at[2]));

    return level->first_row + scree_flat_row(level, y, z, s->dimensions);
}

static void find_rows(const scree_flat_spheres *s, size_t begin, size_t end, uint32_t *key)
{
    for (size_t a = begin; a < end; a++)
        key[a] = row_of(s, s->sphere[s->listed[a]]);
}

#if WIDE_HAS_X86
ROWS_TARGET static inline __m256 two_of(const float axis[3])
{
    return _mm256_set_m128(_mm_set1_ps(axis[2]), _mm_set1_ps(axis[1]));
}

/*  In one level: y of four spheres, and z of the four, as one vector of floats. */
ROWS_TARGET static void find_rows_of_one(const scree_flat_spheres *s, size_t begin, size_t end,
                                         uint32_t *key)
{
    const scree_flat_frame *frame = s->frame;
    const scree_flat_level *level = s->level;
    const __m256d origin_y = _mm256_set1_pd(frame->origin[1]),
                  origin_z = _mm256_set1_pd(frame->origin[2]), scale = _mm256_set1_pd(frame->scale);
    const __m256 inverse = two_of(level->inverse), shift = two_of(level->shift),
                 last = two_of(level->last), none = _mm256_setzero_ps();
    /* there are less than 2^15 cells on an axis */
    const __m128i across = _mm_set1_epi32(s->dimensions == 3 ? (int32_t)level->cells[1] + 2 : 0);
    const __m128i first =
        _mm_set1_epi32((int32_t)(level->first_row + scree_flat_row(level, 0, 0, s->dimensions)));
    size_t a = begin;

    for (; a + 4 <= end; a += 4) {
        __m256d of[4];
        load_rows_avx2(s->sphere[0], s->listed + a, of);
        __m128 near_y = _mm256_cvtpd_ps(_mm256_mul_pd(_mm256_sub_pd(of[1], origin_y), scale));
        __m128 near_z = _mm256_cvtpd_ps(_mm256_mul_pd(_mm256_sub_pd(of[2], origin_z), scale));
        __m256 cells =
            _mm256_add_ps(_mm256_mul_ps(_mm256_set_m128(near_z, near_y), inverse), shift);
        __m256i cell = _mm256_cvttps_epi32(_mm256_min_ps(_mm256_max_ps(cells, none), last));
        __m128i row = _mm_madd_epi16(_mm256_extracti128_si256(cell, 1), across);
        row = _mm_add_epi32(_mm_add_epi32(row, _mm256_castsi256_si128(cell)), first);
        _mm_storeu_si128((__m128i *)(void *)(key + a), row);
    }
    find_rows(s, a, end, key);
}

/*  What the rows of a level follow from, for x y z r. */
typedef struct row_numbers
{
    float inverse[4], shift[4], last[4];
    int16_t factor[8]; /* of the numbers of cells */
    uint32_t first;
} row_numbers;

static row_numbers numbers_of(const scree_flat_level *level, int dimensions)
{
    row_numbers n = {.factor = {0, 0, 1}};

    for (int k = 1; k < dimensions; k++) {
        n.inverse[k] = level->inverse[k];
        n.shift[k] = level->shift[k];
        n.last[k] = level->last[k];
    }
    n.factor[4] = (int16_t)(dimensions == 3 ? level->cells[1] + 2 : 0);
    n.first = level->first_row + scree_flat_row(level, 0, 0, dimensions);
    return n;
}

/*  In several levels: the numbers of a sphere as one vector. */
ROWS_TARGET static void find_rows_of_many(const scree_flat_spheres *s, size_t begin, size_t end,
                                          uint32_t *key)
{
    const scree_flat_frame *frame = s->frame;
    const __m256d bounds = bounds_of(s->sorts), scale = _mm256_set1_pd(frame->scale);
    const __m256d origin = _mm256_setr_pd(frame->origin[0], frame->origin[1], frame->origin[2], 0);
    row_numbers of[SCREE_FLAT_SIZES];

    for (uint32_t l = 0; l < s->sorts->sizes; l++)
        of[l] = numbers_of(&s->level[l], s->dimensions);
    for (size_t a = begin; a < end; a++) {
        const double *sphere = s->sphere[s->listed[a]];
        const row_numbers *n = &of[range_avx2(bounds, sphere[3])];
        __m128 near =
            _mm256_cvtpd_ps(_mm256_mul_pd(_mm256_sub_pd(_mm256_loadu_pd(sphere), origin), scale));
        __m128 cells =
            _mm_add_ps(_mm_mul_ps(near, _mm_loadu_ps(n->inverse)), _mm_loadu_ps(n->shift));
        cells = _mm_min_ps(_mm_max_ps(cells, _mm_setzero_ps()), _mm_loadu_ps(n->last));
        __m128i part = _mm_madd_epi16(_mm_cvttps_epi32(cells),
                                      _mm_loadu_si128((const __m128i *)(const void *)n->factor));
        part = _mm_add_epi32(part, _mm_srli_si128(part, 4));
        key[a] = n->first + (uint32_t)_mm_extract_epi32(part, 1);
    }
}
#endif

void scree_flat_find_rows(const scree_flat_spheres *spheres, size_t begin, size_t end,
                          uint32_t *key)
{
#if WIDE_HAS_X86
    if (spheres->simd >= SCREE_SIMD_AVX2) {
        if (spheres->sorts->sizes == 1)
            find_rows_of_one(spheres, begin, end, key);
        else
            find_rows_of_many(spheres, begin, end, key);
        return;
    }
#endif
    find_rows(spheres, begin, end, key);
}

/* ---- records ---- */

SCREE_KERNEL_PART void move_any(const scree_flat_spheres *s, size_t begin, size_t end,
                                const uint32_t *key, uint32_t *places, uint32_t columns,
                                float *record)
{
    const row4 origin = row4_of(s->frame->origin[0], s->frame->origin[1], s->frame->origin[2], 0);
    const row4 scale = row4_set(s->frame->scale);
    const double(*const sphere)[4] = s->sphere;
    const uint32_t *const listed = s->listed;

    for (size_t a = begin; a < end; a++) {
        const uint32_t id = listed[a];
        float *to = record + (size_t)places[key[a]]++ * (columns + 1);
        float numbers[4];
        if (a + AHEAD < end)
            SCREE_PREFETCH_TO_WRITE(record + (size_t)places[key[a + AHEAD]] * (columns + 1));
        row4_store_floats(numbers, row4_mul(row4_sub(row4_load(sphere[id]), origin), scale));
        memcpy(to, numbers, columns * sizeof *to);
        memcpy(to + columns, &id, sizeof id);
    }
}

/*  With the number of columns known. */
SCREE_KERNEL_PART void move_known(const scree_flat_spheres *s, size_t begin, size_t end,
                                  const uint32_t *key, uint32_t *places, uint32_t columns,
                                  float *record)
{
    if (columns == 2)
        move_any(s, begin, end, key, places, 2, record);
    else if (columns == 3)
        move_any(s, begin, end, key, places, 3, record);
    else
        move_any(s, begin, end, key, places, 4, record);
}

#if WIDE_HAS_X86
ROWS_TARGET static void move_avx2(const scree_flat_spheres *s, size_t begin, size_t end,
                                  const uint32_t *key, uint32_t *places, uint32_t columns,
                                  float *record)
{
    move_known(s, begin, end, key, places, columns, record);
}
#endif

void scree_flat_move_to_rows(const scree_flat_spheres *spheres, size_t begin, size_t end,
                             const uint32_t *key, uint32_t *places, uint32_t columns, float *record)
{
#if WIDE_HAS_X86
    if (spheres->simd >= SCREE_SIMD_AVX2) {
        move_avx2(spheres, begin, end, key, places, columns, record);
        return;
    }
#endif
    move_known(spheres, begin, end, key, places, columns, record);
}
