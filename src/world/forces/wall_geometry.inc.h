/*  Contacts of spheres with walls, several at once, at one SIMD level: see wall_geometry.h. A wall is as a second body
    without a radius, whose surface moves as it does where the contact is. */

/*  How fast a wall moves at a point: scree_wall_velocity_at. */
SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(wall_speed)(const wide place[3], const wide velocity[3],
                                                       const wide spin[3], const wide point[3],
                                                       wide speed[3])
{
    wide x = point[0] - place[0], y = point[1] - place[1], z = point[2] - place[2];

    speed[0] = velocity[0] + (spin[1] * z - spin[2] * y);
    speed[1] = velocity[1] + (spin[2] * x - spin[0] * z);
    speed[2] = velocity[2] + (spin[0] * y - spin[1] * x);
}

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(meet_walls)(const scree_wall_geometry *geometry,
                                                       uint32_t at, scree_batch_room *room)
{
    const double *walls = geometry->wall_rows;
    const wide zero = wide_set(0), one = wide_set(1);
    uint32_t wall[WIDE_LANES];
    wide place[4], velocity[4], spin[4], point[4], n[4], ride[3][4], surface[3], speed[3];
    wide approach = zero, twist = zero;

    for (uint32_t lane = 0; lane < WIDE_LANES; lane++) {
        uint32_t c = room->contact[at + lane];
        room->first[at + lane] = geometry->body[c];
        wall[lane] = SCREE_WALL_ROWS * geometry->wall[c];
    }
    wide_load_rows(geometry->position, room->first + at, place);
    wide_load_rows(geometry->velocity, room->first + at, velocity);
    wide_load_rows(geometry->spin, room->first + at, spin);
    wide_load_rows(geometry->point, room->contact + at, point);
    wide_load_rows(geometry->normal, room->contact + at, n);
    for (int k = 0; k < 3; k++)
        wide_load_rows(walls + 4 * (size_t)k, wall, ride[k]);
    WIDE_FN(wall_speed)(ride[0], ride[1], ride[2], point, surface);
    wide overlap = point[3], radius = place[3], arm = radius - overlap;

    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        wide turning = spin[b] * n[c] - spin[c] * n[b];
        speed[a] = velocity[a] + arm * turning - surface[a];
    }
    for (int a = 0; a < 3; a++) {
        approach = approach + speed[a] * n[a];
        twist = twist + (spin[a] + ride[2][a]) * n[a];
    }
    wide_store(room->overlap + at, overlap);
    wide_store(room->approach + at, approach);
    wide_store(room->twist + at, wide_set(0.5) * twist);
    for (int a = 0; a < 3; a++) {
        wide_store(room->normal[a] + at, n[a]);
        wide_store(room->slide[a] + at, speed[a] - approach * n[a]);
        wide_store(room->roll[a] + at, spin[a] - ride[2][a]);
    }
    wide_store(room->radius + at, radius);
    wide_store(room->mass + at, one / velocity[3]);
    wide_store(room->arm[0] + at, arm);
    wide_store(room->arm[1] + at, zero);
}

static WIDE_TARGET void WIDE_FN(wall_geometry)(const scree_wall_geometry *geometry, uint32_t count,
                                               scree_batch_room *room)
{
    for (uint32_t at = 0; at < count; at += WIDE_LANES)
        WIDE_FN(meet_walls)(geometry, at, room);
}
