/*  Upper bounds of the displacements of walls, from the cause of their motion: the parts of a path, a servo, or the
    motion of a free wall.

    A path that is a function returns the pose and velocity at any time. It is called at both ends of the step and at
    times in between, and its velocities are used. A path that moves forth and back between two calls, and reports
    zero velocity at each, is not detected. */
#include "world/boundaries/wall_way.h"

#include "base/quaternion.h"
#include "base/vector.h"
#include "world/boundaries/wall_motion.h"
#include "world/state/path_parts.h"
#include "world/state/wall_path.h"

#include <float.h>
#include <math.h>

/*  Parts of a step; a function is called at their ends. */
#define LOOKS 4
#define TWO_PI 6.28318530717958647692

/* ---- paths ---- */

/*  Path length of a table between two times, and its largest speed. */
static double way_of_table(const scree_wall_path *path, double from, double to, double *fastest)
{
    double sum = 0;

    *fastest = 0;
    for (size_t i = 0; i + 1 < path->table_count; i++) {
        const double *a = path->table[i], *b = path->table[i + 1];
        double begin = fmax(from, a[0]), end = fmin(to, b[0]);
        if (!(end > begin))
            continue;
        double speed = scree_apart(a + 1, b + 1) / (b[0] - a[0]);
        sum += speed * (end - begin);
        *fastest = fmax(*fastest, speed);
    }
    return sum;
}

static double angle_between(const double a[4], const double b[4])
{
    double same = fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);

    return same < 1 ? 2 * acos(same) : 0;
}

/*  The reported speed or that from positions, whichever is larger. */
static scree_status ask_function(const scree_wall_path *path, double from, double dt,
                                 int dimensions, scree_wall_way *way, scree_error *error)
{
    scree_wall_motion last, now;
    double speed = 0, spin = 0, chords = 0, angles = 0;
    scree_status status = SCREE_OK;

    for (int k = 0; k <= LOOKS && !status; k++) {
        status = scree_wall_path_at(path, from + dt * k / LOOKS, dimensions, &now, error);
        if (status)
            return status;
        speed = fmax(speed, scree_length(now.velocity));
        spin = fmax(spin, scree_length(now.spin));
        if (k > 0) {
            chords += scree_apart(last.shift, now.shift);
            angles += angle_between(last.turn, now.turn);
        }
        last = now;
    }
    way->shift = way->rush = fmax(speed * dt, chords);
    way->turn = way->rush_turn = fmax(spin * dt, angles);
    return SCREE_OK;
}

/*  A point at distance d from the first centre at the start is never farther than d + s + e from the centre of
    rotation k, where s is the length of all shifts and e at most three times the spread: forth and back along the
    chain of centres, and once more for the displacement of the point. So rotations with angles that add up to a move
    it by at most a (d + s + e). */
static void bound_parts(const scree_wall_record *wall, double from, double dt, scree_wall_way *way)
{
    const scree_wall_path *path = &wall->def.path;
    const scree_path_bound bound =
        scree_path_parts_bound(path->parts, path->part_count, from, from + dt);

    way->turn = bound.turn;
    way->shift = bound.shift + bound.turn * (bound.shift + 3 * bound.spread);
    way->rush = bound.speed * dt + bound.turn_speed * dt * (bound.shift + 3 * bound.spread);
    way->rush_turn = bound.turn_speed * dt;
    way->is_straight = way->turn == 0 && way->shift == 0;
    for (int k = 0; k < 3; k++)
        way->centre[k] = bound.centre[k] + wall->drive.shift[k];
}

static scree_status add_path(const scree_wall_record *wall, double from, double dt, int dimensions,
                             scree_wall_way *way, scree_error *error)
{
    const scree_wall_path *path = &wall->def.path;
    scree_wall_motion start;
    scree_status status;

    if (path->part_count > 0 && !path->function) {
        bound_parts(wall, from, dt, way);
        return SCREE_OK;
    }
    status = scree_wall_path_at(path, from, dimensions, &start, error);
    if (status)
        return status;
    for (int k = 0; k < 3; k++)
        way->centre[k] = start.centre[k] + start.shift[k] + wall->drive.shift[k];
    way->is_straight = false;
    if (path->function)
        return ask_function(path, from, dt, dimensions, way, error);
    double swing = scree_length(path->swing) * TWO_PI * fabs(path->frequency) * dt;
    double fastest, table = way_of_table(path, from, from + dt, &fastest);
    way->turn = way->rush_turn = fabs(path->rate) * dt;
    way->shift = scree_length(path->velocity) * dt + swing + table;
    way->rush = way->shift - table + fastest * dt;
    way->is_straight = way->turn == 0 && swing == 0 && table == 0;
    return SCREE_OK;
}

/* ---- all walls ---- */

/*  Distance of the farthest corner of its bounding box from the centre. */
static double reach_of(const scree_wall_record *wall, const double centre[3])
{
    double farthest = 0;

    if (wall->def.kind == SCREE_WALL_PLANE)
        return INFINITY;
    const scree_mesh_info info = scree_mesh_describe(wall->def.mesh);
    scree_wall_record start = *wall;
    start.next = wall->now;
    for (int number = 0; number < 8; number++) {
        double local[3], corner[3];
        for (int k = 0; k < 3; k++)
            local[k] = number >> k & 1 ? info.upper[k] : info.lower[k];
        scree_wall_from_mesh(&start, local, corner);
        farthest = fmax(farthest, scree_apart(corner, centre));
    }
    return farthest * (1 + 16 * DBL_EPSILON);
}

scree_status scree_wall_find_way(const scree_wall_record *wall, double time, double dt,
                                 int dimensions, scree_wall_way *way, scree_error *error)
{
    scree_status status = SCREE_OK;

    *way = (scree_wall_way){.is_straight = true};
    if (!scree_wall_moves(wall))
        return SCREE_OK;
    if (wall->is_free) {
        way->shift = scree_length(wall->motion.velocity) * dt;
        way->turn =
            fmax(scree_length(wall->motion.spin), scree_length(wall->next_motion.spin)) * dt;
        for (int k = 0; k < 3; k++)
            way->centre[k] = wall->motion.place[k];
        way->rush = way->shift;
        way->rush_turn = way->turn;
        way->is_straight = way->turn == 0;
    } else if (wall->path_moves) {
        status = add_path(wall, time - dt - wall->start_time, dt, dimensions, way, error);
    }
    const double driven =
        wall->is_free ? 0 : fabs(wall->drive.speed) * scree_length(wall->servo.axis) * dt;
    way->shift += driven;
    way->rush += driven;
    way->shift *= 1 + 0x1p-40;
    way->turn *= 1 + 0x1p-40;
    if (way->turn > 0)
        way->reach = reach_of(wall, way->centre);
    return status;
}

scree_status scree_wall_at_share(const scree_wall_record *wall, double time, double dt,
                                 int dimensions, double share, scree_wall_record *at,
                                 scree_error *error)
{
    *at = *wall;
    if (share == 1 || !scree_wall_moves(wall))
        return SCREE_OK;
    if (share == 0) {
        at->next = wall->now;
        return SCREE_OK;
    }
    return scree_wall_move(at, time - (1 - share) * dt, share * dt, dimensions, error);
}
