/*  Geometry of contacts in floats and their rows of force, see sphere_forces_mixed.c. Included once for each level. */
#include "base/wide.h"
#include "base/wide_rows.h"

/* ---- in doubles: what both bodies differ by ---- */

/*  As many numbers, rounded to floats. */
#undef wide_store_rounded
#if WIDE_LEVEL == WIDE_SCALAR
#define wide_store_rounded(p, a) ((void)(*(p) = (float)(a)))
#elif WIDE_LEVEL == WIDE_AVX2
#define wide_store_rounded(p, a) _mm_storeu_ps(p, _mm256_cvtpd_ps(a))
#else
#define wide_store_rounded(p, a) _mm256_storeu_ps(p, _mm512_cvtpd_ps(a))
#endif

/*  By the same operations as in sphere_geometry.inc.h, so that whoever touches there has a gap above 0 here. */
#include "world/forces/periodic_image.inc.h"

static WIDE_TARGET void WIDE_FN(differences)(const scree_geometry *geometry, uint32_t count,
                                             const scree_batch_room *room, scree_float_room *to)
{
    for (uint32_t at = 0; at < count; at += WIDE_LANES) {
        const uint32_t *first = room->first + at, *second = room->second + at;
        wide a[4], b[4], step[3], turns[3], speed[3];

        wide_load_rows(geometry->position, first, a);
        wide_load_rows(geometry->position, second, b);
        WIDE_FN(step_to)(geometry, a, b, step, turns);
        wide reach = a[3] + b[3];
        wide distance_sq = step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
        for (int k = 0; k < 3; k++)
            wide_store_rounded(to->step[k] + at, step[k]);
        wide_store_rounded(to->distance_sq + at, distance_sq);
        wide_store_rounded(to->gap + at, reach * reach - distance_sq);
        wide_store_rounded(to->radius1 + at, a[3]);
        wide_store_rounded(to->radius2 + at, b[3]);

        wide_load_rows(geometry->velocity, first, a);
        wide_load_rows(geometry->velocity, second, b);
        for (int k = 0; k < 3; k++)
            speed[k] = a[k] - b[k];
        if (geometry->is_moving)
            WIDE_FN(add_image_speed)(geometry, turns, speed);
        for (int k = 0; k < 3; k++)
            wide_store_rounded(to->speed[k] + at, speed[k]);
        wide_store_rounded(to->lightness + at, a[3] + b[3]);

        wide_load_rows(geometry->spin, first, a);
        wide_load_rows(geometry->spin, second, b);
        for (int k = 0; k < 3; k++) {
            wide_store_rounded(to->spin1[k] + at, a[k]);
            wide_store_rounded(to->spin2[k] + at, b[k]);
        }
    }
}

/* ---- in floats: the rest ---- */
#include "base/wide_float.h"

static WIDE_TARGET void WIDE_FN(geometry)(uint32_t count, scree_float_room *room)
{
    const wide one = wide_set(1), zero = wide_set(0), tiny = wide_set(TINY_SQ);

    for (uint32_t at = 0; at < count; at += WIDE_LANES) {
        wide distance_sq = wide_load(room->distance_sq + at);
        wide distance = wide_sqrt(distance_sq);
        wide inverse = one / wide_where(distance_sq, tiny, one, distance);
        /* one centre upon the other: any direction will do */
        wide nx = wide_where(distance_sq, tiny, one, wide_load(room->step[0] + at) * inverse);
        wide ny = wide_where(distance_sq, tiny, zero, wide_load(room->step[1] + at) * inverse);
        wide nz = wide_where(distance_sq, tiny, zero, wide_load(room->step[2] + at) * inverse);
        wide r1 = wide_load(room->radius1 + at), r2 = wide_load(room->radius2 + at);
        wide reach = r1 + r2;
        wide overlap = wide_load(room->gap + at) / (reach + distance);
        wide half = overlap * wide_set(0.5), arm1 = r1 - half, arm2 = r2 - half;

        wide ax = wide_load(room->spin1[0] + at), bx = wide_load(room->spin2[0] + at);
        wide ay = wide_load(room->spin1[1] + at), by = wide_load(room->spin2[1] + at);
        wide az = wide_load(room->spin1[2] + at), bz = wide_load(room->spin2[2] + at);
        wide sx = arm1 * ax + arm2 * bx, sy = arm1 * ay + arm2 * by, sz = arm1 * az + arm2 * bz;
        wide vx = wide_load(room->speed[0] + at) + (sy * nz - sz * ny);
        wide vy = wide_load(room->speed[1] + at) + (sz * nx - sx * nz);
        wide vz = wide_load(room->speed[2] + at) + (sx * ny - sy * nx);
        wide approach = vx * nx + vy * ny + vz * nz;

        wide_store(room->overlap + at, overlap);
        wide_store(room->normal[0] + at, nx);
        wide_store(room->normal[1] + at, ny);
        wide_store(room->normal[2] + at, nz);
        wide_store(room->approach + at, approach);
        wide_store(room->slide[0] + at, vx - approach * nx);
        wide_store(room->slide[1] + at, vy - approach * ny);
        wide_store(room->slide[2] + at, vz - approach * nz);
        wide_store(room->roll[0] + at, ax - bx);
        wide_store(room->roll[1] + at, ay - by);
        wide_store(room->roll[2] + at, az - bz);
        wide_store(room->twist + at,
                   wide_set(0.5) * ((ax + bx) * nx + (ay + by) * ny + (az + bz) * nz));
        wide_store(room->radius + at, r1 * r2 / reach);
        wide_store(room->mass + at, one / wide_load(room->lightness + at));
        wide_store(room->arm[0] + at, arm1);
        wide_store(room->arm[1] + at, arm2);
        wide_store(room->depth + at, overlap / wide_min(r1, r2));
    }
}

/* ---- rows of force ---- */

/*  Four columns become rows of four: of lanes 4 k to 4 k + 3 those are at 4 k of to[0], to[1], to[2], to[3]. */
SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(turn_fours)(const wide column[4],
                                                       float (*to)[WIDE_LANES < 4 ? 4 : WIDE_LANES])
{
#if WIDE_LEVEL == WIDE_SCALAR
    for (int k = 0; k < 4; k++)
        to[0][k] = column[k];
#elif WIDE_LEVEL == WIDE_AVX2
    __m256 ab = _mm256_unpacklo_ps(column[0], column[1]);
    __m256 AB = _mm256_unpackhi_ps(column[0], column[1]);
    __m256 cd = _mm256_unpacklo_ps(column[2], column[3]);
    __m256 CD = _mm256_unpackhi_ps(column[2], column[3]);
    _mm256_storeu_ps(to[0], _mm256_shuffle_ps(ab, cd, 0x44));
    _mm256_storeu_ps(to[1], _mm256_shuffle_ps(ab, cd, 0xee));
    _mm256_storeu_ps(to[2], _mm256_shuffle_ps(AB, CD, 0x44));
    _mm256_storeu_ps(to[3], _mm256_shuffle_ps(AB, CD, 0xee));
#else
    __m512 ab = _mm512_unpacklo_ps(column[0], column[1]);
    __m512 AB = _mm512_unpackhi_ps(column[0], column[1]);
    __m512 cd = _mm512_unpacklo_ps(column[2], column[3]);
    __m512 CD = _mm512_unpackhi_ps(column[2], column[3]);
    _mm512_storeu_ps(to[0], _mm512_shuffle_ps(ab, cd, 0x44));
    _mm512_storeu_ps(to[1], _mm512_shuffle_ps(ab, cd, 0xee));
    _mm512_storeu_ps(to[2], _mm512_shuffle_ps(AB, CD, 0x44));
    _mm512_storeu_ps(to[3], _mm512_shuffle_ps(AB, CD, 0xee));
#endif
}

static WIDE_TARGET void WIDE_FN(rows)(const scree_float_room *room, uint32_t count,
                                      const uint32_t *contact, float (*row)[8])
{
    _Alignas(64) float fours[8][WIDE_LANES < 4 ? 4 : WIDE_LANES];

    for (uint32_t at = 0; at < count; at += WIDE_LANES) {
        uint32_t many = count - at < WIDE_LANES ? count - at : WIDE_LANES;
        wide force[4] = {wide_load(room->force[0] + at), wide_load(room->force[1] + at),
                         wide_load(room->force[2] + at), wide_load(room->arm[0] + at)};
        wide nx = wide_load(room->normal[0] + at), ny = wide_load(room->normal[1] + at),
             nz = wide_load(room->normal[2] + at);
        wide turn[4] = {ny * force[2] - nz * force[1], nz * force[0] - nx * force[2],
                        nx * force[1] - ny * force[0], wide_load(room->arm[1] + at)};

        WIDE_FN(turn_fours)(force, fours);
        WIDE_FN(turn_fours)(turn, fours + 4);
        for (uint32_t lane = 0; lane < many; lane++) {
            float *to = row[contact[at + lane]];
            memcpy(to, &fours[lane & 3][lane & ~3u], 4 * sizeof *to);
            memcpy(to + 4, &fours[4 + (lane & 3)][lane & ~3u], 4 * sizeof *to);
        }
    }
}
