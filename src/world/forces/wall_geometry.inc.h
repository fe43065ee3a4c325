/*  Contacts of several spheres with walls at one SIMD level: see wall_geometry.h. */
#include "world/forces/wall_meeting.inc.h"

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(meet_walls)(const scree_wall_geometry *geometry,
                                                       uint32_t at, scree_batch_room *room)
{
    uint32_t wall[WIDE_LANES];
    WIDE_FN(wall_rows) rides = {0};
    wide point[4], n[4];

    for (uint32_t lane = 0; lane < WIDE_LANES; lane++) {
        uint32_t c = room->contact[at + lane];
        room->first[at + lane] = geometry->body[c];
        wall[lane] = SCREE_WALL_ROWS * geometry->wall[c];
    }
    wide_load_rows(geometry->position, room->first + at, rides.place);
    wide_load_rows(geometry->velocity, room->first + at, rides.velocity);
    wide_load_rows(geometry->spin, room->first + at, rides.spin);
    wide_load_rows(geometry->point, room->contact + at, point);
    wide_load_rows(geometry->normal, room->contact + at, n);
    for (int k = 0; k < 3; k++)
        wide_load_rows(geometry->wall_rows + 4 * (size_t)k, wall, rides.wall[k]);
    rides.has_belts = geometry->has_belts;
    for (int k = 0; k < 2 && rides.has_belts; k++)
        wide_load_rows(geometry->wall_rows + 4 * (size_t)(3 + k), wall, rides.belt[k]);
    WIDE_FN(wall_meeting) m = WIDE_FN(meet_wall)(&rides, point, point[3], n);
    wide_store(room->overlap + at, point[3]);
    wide_store(room->approach + at, m.approach);
    wide_store(room->twist + at, m.twist);
    for (int a = 0; a < 3; a++) {
        wide_store(room->normal[a] + at, n[a]);
        wide_store(room->slide[a] + at, m.slide[a]);
        wide_store(room->roll[a] + at, m.roll[a]);
    }
    wide_store(room->radius + at, rides.place[3]);
    wide_store(room->mass + at, m.mass);
    wide_store(room->arm[0] + at, m.arm);
    wide_store(room->arm[1] + at, wide_set(0));
}

static WIDE_TARGET void WIDE_FN(wall_geometry)(const scree_wall_geometry *geometry, uint32_t count,
                                               scree_batch_room *room)
{
    for (uint32_t at = 0; at < count; at += WIDE_LANES)
        WIDE_FN(meet_walls)(geometry, at, room);
}
