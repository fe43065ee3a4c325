/*  Spheres against planes with a dry contact model, from positions to sums, at one SIMD level: see dry_contacts.h. */
#include "world/forces/wall_meeting.inc.h"

/*  Overlaps with planes, bit-identical to scree_sphere_plane_overlap. */
SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(plane_overlap)(const wide place[4], const wide point[3],
                                                          const wide normal[3])
{
    return place[3] - (normal[0] * (place[0] - point[0]) + normal[1] * (place[1] - point[1]) +
                       normal[2] * (place[2] - point[2]));
}

SCREE_KERNEL_PART WIDE_TARGET void
WIDE_FN(plane_geometry)(const scree_dry_run *run, WIDE_FN(wall_rows) * rides, const wide normal[3],
                        wide overlap, law_traits traits, WIDE_FN(dry_room) * room)
{
    wide point[3], n[3];

    wide_load_rows(run->geometry->velocity, room->first, rides->velocity);
    wide_load_rows(run->geometry->spin, room->first, rides->spin);
    for (int k = 0; k < 3; k++) {
        n[k] = -normal[k];
        point[k] = rides->place[k] - (rides->place[3] - overlap) * normal[k];
    }
    WIDE_FN(wall_meeting) m = WIDE_FN(meet_wall)(rides, point, overlap, n);
    for (int k = 0; k < 3; k++) {
        wide_store(room->normal[k], n[k]);
        wide_store(room->slide[k], m.slide[k]);
        if (traits.rolls)
            wide_store(room->roll[k], m.roll[k]);
    }
    wide_store(room->overlap, overlap);
    wide_store(room->approach, m.approach);
    wide_store(room->twist, m.twist);
    wide_store(room->radius, rides->place[3]);
    wide_store(room->mass, m.mass);
    wide_store(room->arm[0], m.arm);
    wide_store(room->arm[1], wide_set(0));
}

/*  Row indices of bodies and walls. */
SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(name_planes)(const scree_dry_run *run,
                                                        const scree_plane_contacts *planes,
                                                        uint32_t at, WIDE_FN(wall_rows) * rides,
                                                        wide normal[4], WIDE_FN(dry_room) * room)
{
    const double *walls = planes->wall_rows[0][0];
    uint32_t row[WIDE_LANES];

    room->first = planes->body + at;
    room->second = NULL;
    for (uint32_t lane = 0; lane < WIDE_LANES; lane++)
        row[lane] = SCREE_PLANE_ROWS * planes->wall[at + lane];
    wide_load_rows(run->geometry->position, room->first, rides->place);
    for (int k = 0; k < 3; k++)
        wide_load_rows(walls + 4 * (size_t)k, row, rides->wall[k]);
    wide_load_rows(walls + 12, row, normal);
    rides->has_belts = run->has_belts;
    for (int k = 0; k < 2 && rides->has_belts; k++)
        wide_load_rows(walls + 16 + 4 * (size_t)k, row, rides->belt[k]);
}

/*  A bit for each lane that touched in the last step. */
SCREE_KERNEL_PART uint32_t WIDE_FN(planes_before)(const scree_plane_contacts *planes, uint32_t at)
{
    uint32_t before = 0;

    for (uint32_t lane = 0; lane < WIDE_LANES; lane++)
        before |= (uint32_t)planes->touches[at + lane] << lane;
    return before;
}

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(press_planes)(const scree_dry_run *run,
                                                         scree_plane_contacts *planes, uint32_t at,
                                                         law_traits traits,
                                                         scree_dry_result *result)
{
    const uint32_t memory_count = dry_memories(traits);
    const uint32_t before = WIDE_FN(planes_before)(planes, at);
    const uint32_t left = (uint32_t)planes->count - at;
    const uint32_t every = (1u << WIDE_LANES) - 1,
                   all = left < WIDE_LANES ? (1u << left) - 1 : every;
    WIDE_FN(wall_rows) rides = {0};
    WIDE_FN(dry_room) room;
    wide normal[4], overlap;

    WIDE_FN(name_planes)(run, planes, at, &rides, normal, &room);
    overlap = WIDE_FN(plane_overlap)(rides.place, rides.wall[0], normal);
    /* NaN counts as touching, and is found in the sums */
    room.kept = all & (wide_less_equal(overlap, wide_set(0)) ^ every);
    for (uint32_t lane = 0; before != room.kept && lane < WIDE_LANES; lane++)
        planes->touches[at + lane] = room.kept >> lane & 1;
    if (room.kept == 0)
        return;
    result->contacts += scree_count_bits(room.kept);
    result->may_be_deep |=
        (room.kept & (wide_less_equal(overlap, wide_set(run->deepest) * rides.place[3]) ^ every)) !=
        0;
    WIDE_FN(plane_geometry)(run, &rides, normal, overlap, traits, &room);
    for (uint32_t m = 0; m < memory_count; m++)
        wide_store(room.memory[m], WIDE_FN(keep_lanes)(wide_load(planes->history[m] + at), before));
    WIDE_FN(dry_law)(run, &room, traits);
    for (uint32_t m = 0; m < memory_count; m++)
        wide_store(planes->history[m] + at, wide_load(room.next[m]));
    WIDE_FN(dry_push)(run, traits.rolls, &room);
}

SCREE_KERNEL_PART WIDE_TARGET scree_dry_result
WIDE_FN(press_all_planes)(const scree_dry_run *run, scree_plane_contacts *planes, uint32_t begin,
                          uint32_t end, law_traits traits)
{
    scree_dry_result result = {0, false};

    for (uint32_t at = begin; at < end; at += WIDE_LANES)
        WIDE_FN(press_planes)(run, planes, at, traits, &result);
    return result;
}

/*  A kernel for each contact model. */
#define PLANES_KERNEL(name, hertz, roll, what)                                                     \
    static WIDE_TARGET scree_dry_result WIDE_FN(planes_##name)(                                    \
        const scree_dry_run *run, scree_plane_contacts *planes, uint32_t begin, uint32_t end)      \
    {                                                                                              \
        const law_traits traits = {.is_hertz = hertz, .rolls = roll, .kind = what};                \
        return WIDE_FN(press_all_planes)(run, planes, begin, end, traits);                         \
    }

PLANES_KERNEL(linear, false, false, LAW_DRY)
PLANES_KERNEL(linear_rolling, false, true, LAW_DRY)
PLANES_KERNEL(penalty, false, false, LAW_PENALTY)
PLANES_KERNEL(hertz, true, false, LAW_DRY)
PLANES_KERNEL(hertz_rolling, true, true, LAW_DRY)

#undef PLANES_KERNEL
