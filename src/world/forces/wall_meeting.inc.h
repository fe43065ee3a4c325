/*  Relative motion of spheres and walls at their contacts, for one vector of contacts. A wall is treated as a second
    body without radius, whose surface moves as the wall does at the contact point. Included once for each level and
    user. */

/*  As in a batch (scree/law.h). */
typedef struct WIDE_FN(wall_meeting)
{
    wide approach, slide[3], roll[3], twist, mass, arm;
} WIDE_FN(wall_meeting);

/*  Rows of bodies, and of walls: position, velocity and angular velocity; and of belts, which are read if any wall has
    one: velocity at the position of the wall, and angular velocity. */
typedef struct WIDE_FN(wall_rows)
{
    wide place[4], velocity[4], spin[4], wall[3][4], belt[2][4];
    bool has_belts;
} WIDE_FN(wall_rows);

/*  Velocity of a wall at a point: scree_wall_velocity_at. */
SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(wall_speed)(const wide place[3], const wide velocity[3],
                                                       const wide spin[3], const wide point[3],
                                                       wide speed[3])
{
    wide x = point[0] - place[0], y = point[1] - place[1], z = point[2] - place[2];

    speed[0] = velocity[0] + (spin[1] * z - spin[2] * y);
    speed[1] = velocity[1] + (spin[2] * x - spin[0] * z);
    speed[2] = velocity[2] + (spin[0] * y - spin[1] * x);
}

/*  Takes the velocity of a belt from that of the body along the wall. */
SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(ride_belt)(const WIDE_FN(wall_rows) * rides,
                                                      const wide point[3], const wide n[3],
                                                      wide slide[3])
{
    wide speed[3];

    WIDE_FN(wall_speed)(rides->wall[0], rides->belt[0], rides->belt[1], point, speed);
    const wide along = speed[0] * n[0] + speed[1] * n[1] + speed[2] * n[2];
    for (int a = 0; a < 3; a++)
        slide[a] = slide[a] - (speed[a] - along * n[a]);
}

/*  At `point`, with a normal from the body to the wall. */
SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(wall_meeting)
    WIDE_FN(meet_wall)(const WIDE_FN(wall_rows) * rides, const wide point[3], wide overlap,
                       const wide n[3])
{
    const wide *spin = rides->spin, *velocity = rides->velocity;
    wide surface[3], speed[3], approach = wide_set(0), twist = wide_set(0);
    WIDE_FN(wall_meeting) m;

    WIDE_FN(wall_speed)(rides->wall[0], rides->wall[1], rides->wall[2], point, surface);
    m.arm = rides->place[3] - overlap;
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        wide turning = spin[b] * n[c] - spin[c] * n[b];
        speed[a] = velocity[a] + m.arm * turning - surface[a];
    }
    for (int a = 0; a < 3; a++) {
        approach = approach + speed[a] * n[a];
        twist = twist + (spin[a] + rides->wall[2][a]) * n[a];
    }
    m.approach = approach;
    m.twist = wide_set(0.5) * twist;
    for (int a = 0; a < 3; a++) {
        m.slide[a] = speed[a] - approach * n[a];
        m.roll[a] = spin[a] - rides->wall[2][a];
    }
    if (rides->has_belts)
        WIDE_FN(ride_belt)(rides, point, n, m.slide);
    m.mass = wide_set(1) / velocity[3];
    return m;
}
