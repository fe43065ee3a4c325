/*  Where two spheres touch, and how they move there; see pair_geometry.c. Included once for each level. */

/*  From the first to the second, or to its nearest image. */
#define STEP_TO(axis, k)                                                                           \
    wide axis = wide_gather(position + (k), second) - wide_gather(position + (k), first);          \
    if (geometry->is_periodic && geometry->period[k] > 0)                                          \
        axis = axis - WIDE_FN(rounded)(axis / wide_set(geometry->period[k])) *                     \
                          wide_set(geometry->period[k]);

/*  To the nearest integer, of numbers below 2^51: adding and subtracting lets the last bits go. */
static inline WIDE_TARGET wide WIDE_FN(rounded)(wide x)
{
    return x + wide_set(0x1.8p52) - wide_set(0x1.8p52);
}

static WIDE_TARGET uint32_t WIDE_FN(touch)(const scree_geometry *geometry, size_t begin, size_t end,
                                           uint32_t *touching)
{
    const double *position = geometry->position;
    uint32_t first[WIDE_LANES], second[WIDE_LANES], found = 0;

    for (size_t at = begin; at < end; at += WIDE_LANES) {
        for (uint32_t lane = 0; lane < WIDE_LANES; lane++) {
            size_t c = at + lane < end ? at + lane : end - 1;
            first[lane] = 4 * geometry->first[c];
            second[lane] = 4 * geometry->second[c];
        }
        STEP_TO(dx, 0)
        STEP_TO(dy, 1)
        STEP_TO(dz, 2)
        wide reach = wide_gather(position + 3, first) + wide_gather(position + 3, second) +
                     wide_set(geometry->reach);
        wide distance_sq = dx * dx + dy * dy + dz * dz;
        /* strictly less: spheres that only touch exert no force */
        uint32_t apart = wide_less_equal(reach * reach, distance_sq);
        for (uint32_t lane = 0; lane < WIDE_LANES && at + lane < end; lane++) {
            touching[found] = (uint32_t)(at + lane);
            found += !(apart >> lane & 1);
        }
    }
    return found;
}

static WIDE_TARGET void WIDE_FN(geometry)(const scree_geometry *geometry, uint32_t count,
                                          scree_batch_room *room)
{
    const double *position = geometry->position, *velocity = geometry->velocity,
                 *spin = geometry->spin;

    for (uint32_t at = 0; at < count; at += WIDE_LANES) {
        const uint32_t *first = room->first + at, *second = room->second + at;
        STEP_TO(dx, 0)
        STEP_TO(dy, 1)
        STEP_TO(dz, 2)
        wide distance_sq = dx * dx + dy * dy + dz * dz;
        wide distance = wide_sqrt(distance_sq), tiny = wide_set(TINY_SQ);
        wide inverse = wide_set(1) / wide_where(distance_sq, tiny, wide_set(1), distance);
        /* one centre upon the other: any direction will do */
        wide nx = wide_where(distance_sq, tiny, wide_set(1), dx * inverse);
        wide ny = wide_where(distance_sq, tiny, wide_set(0), dy * inverse);
        wide nz = wide_where(distance_sq, tiny, wide_set(0), dz * inverse);
        wide r1 = wide_gather(position + 3, first), r2 = wide_gather(position + 3, second);
        wide overlap = r1 + r2 - distance, half = overlap * wide_set(0.5);
        wide arm1 = r1 - half, arm2 = r2 - half;

        wide w1x = wide_gather(spin, first), w2x = wide_gather(spin, second);
        wide w1y = wide_gather(spin + 1, first), w2y = wide_gather(spin + 1, second);
        wide w1z = wide_gather(spin + 2, first), w2z = wide_gather(spin + 2, second);
        wide sx = arm1 * w1x + arm2 * w2x, sy = arm1 * w1y + arm2 * w2y,
             sz = arm1 * w1z + arm2 * w2z;
        wide vx =
            wide_gather(velocity, first) - wide_gather(velocity, second) + (sy * nz - sz * ny);
        wide vy = wide_gather(velocity + 1, first) - wide_gather(velocity + 1, second) +
                  (sz * nx - sx * nz);
        wide vz = wide_gather(velocity + 2, first) - wide_gather(velocity + 2, second) +
                  (sx * ny - sy * nx);
        wide approach = vx * nx + vy * ny + vz * nz;

        wide_store(room->overlap + at, overlap);
        wide_store(room->normal[0] + at, nx);
        wide_store(room->normal[1] + at, ny);
        wide_store(room->normal[2] + at, nz);
        wide_store(room->approach + at, approach);
        wide_store(room->slide[0] + at, vx - approach * nx);
        wide_store(room->slide[1] + at, vy - approach * ny);
        wide_store(room->slide[2] + at, vz - approach * nz);
        wide_store(room->roll[0] + at, w1x - w2x);
        wide_store(room->roll[1] + at, w1y - w2y);
        wide_store(room->roll[2] + at, w1z - w2z);
        wide_store(room->twist + at,
                   wide_set(0.5) * ((w1x + w2x) * nx + (w1y + w2y) * ny + (w1z + w2z) * nz));
        wide_store(room->radius + at, r1 * r2 / (r1 + r2));
        wide_store(room->mass + at, wide_set(1) / (wide_gather(velocity + 3, first) +
                                                   wide_gather(velocity + 3, second)));
        wide_store(room->arm[0] + at, arm1);
        wide_store(room->arm[1] + at, arm2);
        wide_store(room->depth + at, overlap / wide_min(r1, r2));
    }
}

#undef STEP_TO
