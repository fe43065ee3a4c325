/*  Tests which spheres touch, and fills batches of those that do; see sphere_geometry.c. Included once for each
    level. */

#include "world/forces/sphere_meeting.inc.h"

static WIDE_TARGET uint32_t WIDE_FN(near_image)(const scree_geometry *geometry,
                                                const uint32_t *first, const uint32_t *second)
{
    wide first_place[4], second_place[4], step[3], turns[3];

    wide_load_rows(geometry->position, first, first_place);
    wide_load_rows(geometry->position, second, second_place);
    WIDE_FN(step_to)(geometry, first_place, second_place, step, turns);
    return WIDE_FN(within)(geometry, first_place, second_place, step, geometry->share > 0);
}

/*  Without periodic images: so short that the compiler inlines it into the loop. */
SCREE_KERNEL_PART WIDE_TARGET uint32_t WIDE_FN(near_plain)(const scree_geometry *geometry,
                                                           const uint32_t *first,
                                                           const uint32_t *second, bool has_share)
{
    wide first_place[4], second_place[4], step[3];

    wide_load_rows(geometry->position, first, first_place);
    wide_load_rows(geometry->position, second, second_place);
    for (int k = 0; k < 3; k++)
        step[k] = second_place[k] - first_place[k];
    return WIDE_FN(within)(geometry, first_place, second_place, step, has_share);
}

SCREE_KERNEL_PART WIDE_TARGET uint32_t WIDE_FN(near)(const scree_geometry *geometry,
                                                     const uint32_t *first, const uint32_t *second,
                                                     bool has_share)
{
    return geometry->is_periodic ? WIDE_FN(near_image)(geometry, first, second)
                                 : WIDE_FN(near_plain)(geometry, first, second, has_share);
}

SCREE_KERNEL_PART WIDE_TARGET uint32_t WIDE_FN(touch_by)(const scree_geometry *geometry,
                                                         size_t begin, size_t end,
                                                         uint32_t *touching, bool has_share)
{
    const uint32_t *first = geometry->first, *second = geometry->second;
    uint32_t found = 0;
    size_t at = begin;

    for (; at + WIDE_LANES <= end; at += WIDE_LANES) {
        if (geometry->asks_ahead)
            ask_for_places(geometry, at + SCREE_ASK_AHEAD, at + SCREE_ASK_AHEAD + WIDE_LANES, end);
        uint32_t near = WIDE_FN(near)(geometry, first + at, second + at, has_share);
        for (uint32_t lane = 0; lane < WIDE_LANES; lane++) {
            touching[found] = (uint32_t)at + lane;
            found += near >> lane & 1;
        }
    }
    for (; at < end; at++) {
        touching[found] = (uint32_t)at;
        found += near_scalar(geometry, first + at, second + at, has_share);
    }
    return found;
}

/*  Tests one vector of pairs. `gap` is a lower bound of the smallest gap of those that do not touch. */
SCREE_KERNEL_PART WIDE_TARGET uint32_t WIDE_FN(near_or_gap)(const scree_geometry *geometry,
                                                            const uint32_t *first,
                                                            const uint32_t *second, wide *gap)
{
    const wide less = wide_set(1 - 0x1p-40), more = wide_set(1 + 0x1p-40);
    wide first_place[4], second_place[4], step[3];

    wide_load_rows(geometry->position, first, first_place);
    wide_load_rows(geometry->position, second, second_place);
    for (int k = 0; k < 3; k++)
        step[k] = second_place[k] - first_place[k];
    wide distance = wide_sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]);
    /* the subtracted margin is far above all rounding errors */
    *gap = wide_min(distance * less - (first_place[3] + second_place[3]) * more, *gap);
    return WIDE_FN(within)(geometry, first_place, second_place, step, false);
}

/*  Like touch, but skips SCREE_PACK pairs while bodies have not moved as far as `until`; otherwise tests them and
    sets `until` again. */
static WIDE_TARGET uint32_t WIDE_FN(touch_apart)(const scree_geometry *geometry, size_t begin,
                                                 size_t end, double travelled, double *until,
                                                 uint32_t *touching)
{
    const uint32_t *first = geometry->first, *second = geometry->second;
    uint32_t found = 0;
    size_t at = begin;

    for (; at + SCREE_PACK <= end; at += SCREE_PACK) {
        double gaps[WIDE_LANES], least;
        wide gap = wide_set(DBL_MAX);
        uint32_t near = 0;
        if (until[at / SCREE_PACK] > travelled)
            continue;
        for (uint32_t k = 0; k < SCREE_PACK; k += WIDE_LANES)
            near |= WIDE_FN(near_or_gap)(geometry, first + at + k, second + at + k, &gap) << k;
        for (uint32_t k = 0; near && k < SCREE_PACK; k++) {
            touching[found] = (uint32_t)at + k;
            found += near >> k & 1;
        }
        wide_store(gaps, gap);
        least = gaps[0];
        for (uint32_t lane = 1; lane < WIDE_LANES; lane++)
            least = gaps[lane] < least ? gaps[lane] : least;
        /* NaN counts as touching */
        until[at / SCREE_PACK] = near ? 0 : travelled + least;
    }
    for (; at < end; at++) {
        touching[found] = (uint32_t)at;
        found += near_scalar(geometry, first + at, second + at, false);
    }
    return found;
}

static WIDE_TARGET uint32_t WIDE_FN(touch)(const scree_geometry *geometry, size_t begin, size_t end,
                                           uint32_t *touching)
{
    return geometry->share > 0 ? WIDE_FN(touch_by)(geometry, begin, end, touching, true)
                               : WIDE_FN(touch_by)(geometry, begin, end, touching, false);
}

static WIDE_TARGET void WIDE_FN(geometry)(const scree_geometry *geometry, uint32_t count,
                                          scree_batch_room *room)
{
    for (uint32_t at = 0; at < count; at += WIDE_LANES) {
        WIDE_FN(meeting) m = WIDE_FN(meet)(geometry, room->first + at, room->second + at);
        for (int k = 0; k < 3; k++) {
            wide_store(room->normal[k] + at, m.normal[k]);
            wide_store(room->slide[k] + at, m.slide[k]);
            wide_store(room->roll[k] + at, m.roll[k]);
        }
        wide_store(room->overlap + at, m.overlap);
        wide_store(room->approach + at, m.approach);
        wide_store(room->twist + at, m.twist);
        wide_store(room->radius + at, m.radius);
        wide_store(room->mass + at, m.mass);
        wide_store(room->arm[0] + at, m.arm[0]);
        wide_store(room->arm[1] + at, m.arm[1]);
        wide_store(room->depth + at, m.overlap / m.smaller);
    }
}

/*  Force records of the contacts at + 0, at + 1, ... of a batch, one per lane: see contact_history.h. */
static inline WIDE_TARGET void WIDE_FN(put_rows)(const scree_batch_room *room, uint32_t at,
                                                 double (*row)[8])
{
    wide force[4] = {wide_load(room->force[0] + at), wide_load(room->force[1] + at),
                     wide_load(room->force[2] + at), wide_load(room->arm[0] + at)};
    wide nx = wide_load(room->normal[0] + at), ny = wide_load(room->normal[1] + at),
         nz = wide_load(room->normal[2] + at);
    wide turn[4] = {ny * force[2] - nz * force[1], nz * force[0] - nx * force[2],
                    nx * force[1] - ny * force[0], wide_load(room->arm[1] + at)};

    wide_store_rows(row[0], 8, force);
    wide_store_rows(row[0] + 4, 8, turn);
}

/*  Contiguous contacts are stored directly, others through a small buffer. */
static WIDE_TARGET void WIDE_FN(rows)(const scree_batch_room *room, uint32_t count,
                                      double (*row)[8])
{
    double few[WIDE_LANES][8];

    for (uint32_t at = 0; at < count; at += WIDE_LANES) {
        uint32_t many = count - at < WIDE_LANES ? count - at : WIDE_LANES;
        const uint32_t *contact = room->contact + at;
        if (many == WIDE_LANES && contact[many - 1] - contact[0] == WIDE_LANES - 1) {
            WIDE_FN(put_rows)(room, at, row + contact[0]);
            continue;
        }
        WIDE_FN(put_rows)(room, at, few);
        for (uint32_t lane = 0; lane < many; lane++)
            memcpy(row[contact[lane]], few[lane], sizeof *few);
    }
}

/*  Further torques: see contact_history.h. */
static WIDE_TARGET void WIDE_FN(moments)(const scree_batch_room *room, uint32_t count,
                                         double (*moment)[4])
{
    double few[WIDE_LANES][4];

    for (uint32_t at = 0; at < count; at += WIDE_LANES) {
        uint32_t many = count - at < WIDE_LANES ? count - at : WIDE_LANES;
        const uint32_t *contact = room->contact + at;
        const wide column[4] = {wide_load(room->moment[0] + at), wide_load(room->moment[1] + at),
                                wide_load(room->moment[2] + at), wide_set(0)};
        if (many == WIDE_LANES && contact[many - 1] - contact[0] == WIDE_LANES - 1) {
            wide_store_rows(moment[contact[0]], 4, column);
            continue;
        }
        wide_store_rows(few[0], 4, column);
        for (uint32_t lane = 0; lane < many; lane++)
            memcpy(moment[contact[lane]], few[lane], sizeof *few);
    }
}
