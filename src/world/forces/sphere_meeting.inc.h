/*  Contact point and relative motion of two spheres, for one vector of contacts. The values of a contact depend only
    on its two bodies and use the same operations at every SIMD level: the other lanes make no difference. Included
    once for each level and user. */

#include "world/forces/periodic_image.inc.h"

/*  A bit for each lane whose spheres overlap, or are within range, from the vectors between them. The test is
    strict: spheres that only touch exert no force. `has_share` is a compile-time constant where time matters. */
SCREE_KERNEL_PART WIDE_TARGET uint32_t WIDE_FN(within)(const scree_geometry *geometry,
                                                       const wide first[4], const wide second[4],
                                                       const wide step[3], bool has_share)
{
    wide beyond = wide_set(geometry->reach);
    if (has_share)
        beyond =
            beyond + wide_set(geometry->share) * (first[3] * second[3] / (first[3] + second[3]));
    wide reach = first[3] + second[3] + beyond;
    wide distance_sq = step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
    uint32_t apart = wide_less_equal(reach * reach, distance_sq);
    return apart ^ ((1u << WIDE_LANES) - 1);
}

/*  As in a batch (scree/law.h). */
typedef struct WIDE_FN(meeting)
{
    wide overlap, normal[3], approach, slide[3], roll[3], twist, radius, mass, arm[2];
    wide smaller;   /* effective radius */
    uint32_t apart; /* a bit for each lane whose spheres do not touch */
} WIDE_FN(meeting);

SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(meeting)
    WIDE_FN(meet)(const scree_geometry *geometry, const uint32_t *first, const uint32_t *second)
{
    wide first_place[4], second_place[4], first_speed[4], second_speed[4];
    wide w1[4], w2[4], step[3], turns[3], speed[3], surface[3];
    const wide one = wide_set(1), zero = wide_set(0), tiny = wide_set(SCREE_TINY_SQ);
    WIDE_FN(meeting) m;

    wide_load_rows(geometry->position, first, first_place);
    wide_load_rows(geometry->position, second, second_place);
    WIDE_FN(step_to)(geometry, first_place, second_place, step, turns);
    wide distance_sq = step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
    wide distance = wide_sqrt(distance_sq);
    wide inverse = one / wide_where(distance_sq, tiny, one, distance);
    /* the centres coincide: choose any direction */
    for (int k = 0; k < 3; k++)
        m.normal[k] = wide_where(distance_sq, tiny, k == 0 ? one : zero, step[k] * inverse);
    wide r1 = first_place[3], r2 = second_place[3];
    m.overlap = r1 + r2 - distance;
    wide half = m.overlap * wide_set(0.5);
    m.arm[0] = r1 - half;
    m.arm[1] = r2 - half;

    wide_load_rows(geometry->spin, first, w1);
    wide_load_rows(geometry->spin, second, w2);
    for (int k = 0; k < 3; k++)
        surface[k] = m.arm[0] * w1[k] + m.arm[1] * w2[k];
    wide_load_rows(geometry->velocity, first, first_speed);
    wide_load_rows(geometry->velocity, second, second_speed);
    for (int k = 0; k < 3; k++)
        speed[k] = first_speed[k] - second_speed[k];
    if (geometry->is_moving)
        WIDE_FN(add_image_speed)(geometry, turns, speed);
    const wide *n = m.normal;
    speed[0] = speed[0] + (surface[1] * n[2] - surface[2] * n[1]);
    speed[1] = speed[1] + (surface[2] * n[0] - surface[0] * n[2]);
    speed[2] = speed[2] + (surface[0] * n[1] - surface[1] * n[0]);
    m.approach = speed[0] * n[0] + speed[1] * n[1] + speed[2] * n[2];
    for (int k = 0; k < 3; k++) {
        m.slide[k] = speed[k] - m.approach * n[k];
        m.roll[k] = w1[k] - w2[k];
    }
    m.twist =
        wide_set(0.5) * ((w1[0] + w2[0]) * n[0] + (w1[1] + w2[1]) * n[1] + (w1[2] + w2[2]) * n[2]);
    m.radius = r1 * r2 / (r1 + r2);
    m.mass = one / (first_speed[3] + second_speed[3]);
    m.smaller = wide_min(r1, r2);
    m.apart = wide_less_equal((r1 + r2) * (r1 + r2), distance_sq);
    return m;
}
