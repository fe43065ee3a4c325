/*  Evaluates each part of a path at the given time from its definition. Nothing accumulates over steps, so a wall is
    exactly on its path after any number of steps, and after a restart. */
#include "world/state/wall_path.h"

#include "base/check_numbers.h"
#include "base/error.h"
#include "base/quaternion.h"
#include "base/vector.h"
#include "world/state/path_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TWO_PI 6.28318530717958647692

static bool is_zero(const double v[3])
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

/* ---- checks ---- */

static scree_status check_number(const char *name, double value, scree_error *error)
{
    if (scree_is_usable(value))
        return SCREE_OK;
    return scree_refuse_number(error, "wall path", name, value,
                               "finite and at most 1e100 in magnitude");
}

/*  `stays` is the component that must be 0 in two dimensions, or -1. */
static scree_status check_vector(const char *name, const double v[3], int stays, scree_error *error)
{
    char component[32];
    for (int k = 0; k < 3; k++) {
        snprintf(component, sizeof component, "%s.%c", name, "xyz"[k]);
        scree_status status = check_number(component, v[k], error);
        if (status)
            return status;
        if (k == stays && v[k] != 0)
            return scree_fail(error, SCREE_BAD_VALUE,
                              "wall path: %s is %g, must be 0 in two dimensions", component, v[k]);
    }
    return SCREE_OK;
}

static scree_status check_turning(const scree_wall_path *path, int dimensions, scree_error *error)
{
    scree_status status;
    double length;
    if ((status = check_vector("centre", path->centre, -1, error)) ||
        (status = check_vector("axis", path->axis, -1, error)) ||
        (status = check_number("rate", path->rate, error)))
        return status;
    if (path->rate == 0)
        return SCREE_OK;
    length = scree_length(path->axis);
    if (!(length > 1e-100))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "wall path: rate is %g, but axis (%g %g %g) has no direction", path->rate,
                          path->axis[0], path->axis[1], path->axis[2]);
    if (dimensions == 2 && (path->axis[0] != 0 || path->axis[1] != 0))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "wall path: axis is (%g %g %g), must be along z in two dimensions",
                          path->axis[0], path->axis[1], path->axis[2]);
    return SCREE_OK;
}

static scree_status check_row(const double row[4], size_t index, const double *before,
                              int dimensions, scree_error *error)
{
    for (int k = 0; k < 4; k++)
        if (!scree_is_usable(row[k]))
            return scree_fail(error, SCREE_BAD_VALUE,
                              "wall path: row %zu of the table: %c is %g, must be finite and at "
                              "most 1e100 in magnitude",
                              index, "txyz"[k], row[k]);
    if (dimensions == 2 && row[3] != 0)
        return scree_fail(error, SCREE_BAD_VALUE,
                          "wall path: row %zu of the table: z is %g, must be 0 in two dimensions",
                          index, row[3]);
    if (before && !(row[0] > before[0]))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "wall path: row %zu of the table: t is %g, must be above %g of the row "
                          "before",
                          index, row[0], before[0]);
    return SCREE_OK;
}

static scree_status check_table(const scree_wall_path *path, int dimensions, scree_error *error)
{
    if (path->table_count > 0 && !path->table)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "wall path: table_count is %zu, but table is NULL", path->table_count);
    if (path->table_count > SIZE_MAX / 64)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "wall path: table_count is %zu, too many",
                          path->table_count);
    for (size_t i = 0; i < path->table_count; i++) {
        scree_status status =
            check_row(path->table[i], i, i ? path->table[i - 1] : NULL, dimensions, error);
        if (status)
            return status;
    }
    return SCREE_OK;
}

scree_status scree_wall_path_check(const scree_wall_path *path, int dimensions, scree_error *error)
{
    int stays = dimensions == 2 ? 2 : -1;
    scree_status status;
    if (path->function)
        return SCREE_OK;
    if (path->part_count > 0)
        return scree_path_parts_check(path->parts, path->part_count, dimensions, error);
    if ((status = check_vector("velocity", path->velocity, stays, error)) ||
        (status = check_turning(path, dimensions, error)) ||
        (status = check_vector("swing", path->swing, stays, error)) ||
        (status = check_number("frequency", path->frequency, error)) ||
        (status = check_number("phase", path->phase, error)))
        return status;
    return check_table(path, dimensions, error);
}

/* ---- copies ---- */

scree_status scree_wall_path_copy(const scree_wall_path *path, scree_memory *memory,
                                  scree_wall_path *copy)
{
    const bool is_own = path->function || path->part_count > 0;
    const size_t parts = path->function ? 0 : path->part_count;
    double(*table)[4] = NULL;
    size_t count = is_own ? 0 : path->table_count;
    scree_status status = scree_memory_take(memory, count, sizeof *table, &table);

    *copy = (scree_wall_path){.table = NULL};
    if (status)
        return status;
    if (count > 0)
        memcpy(table, path->table, count * sizeof *table);
    *copy = *path;
    copy->table = (const double(*)[4])table;
    copy->table_count = count;
    copy->part_count = parts;
    status = scree_path_parts_copy(path->parts, parts, memory, &copy->parts);
    if (status) {
        scree_wall_path_free(copy, memory);
        *copy = (scree_wall_path){.table = NULL};
    }
    return status;
}

void scree_wall_path_free(scree_wall_path *copy, scree_memory *memory)
{
    scree_memory_give(memory, &copy->table, copy->table_count, sizeof *copy->table);
    copy->table_count = 0;
    scree_path_parts_free(&copy->parts, copy->part_count, memory);
    copy->part_count = 0;
}

bool scree_wall_path_moves(const scree_wall_path *path)
{
    bool swings = !is_zero(path->swing) && path->frequency != 0;

    if (path->part_count > 0 && !path->function)
        return scree_path_parts_move(path->parts, path->part_count);
    return path->function || !is_zero(path->velocity) || path->rate != 0 || swings ||
           path->table_count > 0;
}

/* ---- position and orientation at a time ---- */

/*  The last row whose time is not after `time`. There must be one. */
static size_t row_before(const scree_wall_path *path, double time)
{
    size_t low = 0, high = path->table_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (path->table[middle][0] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void add_table(const scree_wall_path *path, double time, scree_wall_motion *motion)
{
    const double *row, *next;
    size_t last = path->table_count - 1, at = row_before(path, time);
    row = path->table[at];
    if (time < row[0] || at == last) {
        for (int k = 0; k < 3; k++)
            motion->shift[k] += row[1 + k];
        return;
    }
    next = path->table[at + 1];
    for (int k = 0; k < 3; k++) {
        double slope = (next[1 + k] - row[1 + k]) / (next[0] - row[0]);
        motion->shift[k] += row[1 + k] + (time - row[0]) * slope;
        motion->velocity[k] += slope;
    }
}

static void add_swing(const scree_wall_path *path, double time, scree_wall_motion *motion)
{
    double sine, cosine, turns = path->frequency * time, start = scree_sin(path->phase);
    /* whole turns are subtracted while they are exact */
    scree_sin_cos(TWO_PI * (turns - floor(turns)) + path->phase, &sine, &cosine);
    for (int k = 0; k < 3; k++) {
        motion->shift[k] += path->swing[k] * (sine - start);
        motion->velocity[k] += path->swing[k] * (TWO_PI * path->frequency) * cosine;
    }
}

static void set_turn(const scree_wall_path *path, double time, scree_wall_motion *motion)
{
    double axis[3], length = scree_length(path->axis);
    for (int k = 0; k < 3; k++) {
        axis[k] = path->axis[k] / length;
        motion->spin[k] = axis[k] * path->rate;
        motion->centre[k] = path->centre[k];
    }
    scree_quaternion_about(axis, path->rate * time, motion->turn);
}

static scree_status check_motion(const scree_wall_motion *m, double time, int dimensions,
                                 scree_error *error)
{
    struct
    {
        const char *name;
        const double *value;
    } const parts[] = {{"shift", m->shift}, {"velocity", m->velocity}, {"spin", m->spin}};
    for (size_t i = 0; i < SCREE_COUNT_OF(parts); i++)
        for (int k = 0; k < 3; k++)
            if (!scree_is_usable(parts[i].value[k]))
                return scree_fail(error, SCREE_BAD_VALUE,
                                  "wall path: %s.%c is %g at time %g, must be finite and at most "
                                  "1e100 in magnitude",
                                  parts[i].name, "xyz"[k], parts[i].value[k], time);
    if (dimensions == 2 && (m->shift[2] != 0 || m->velocity[2] != 0 || m->turn[1] != 0 ||
                            m->turn[2] != 0 || m->spin[0] != 0 || m->spin[1] != 0))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "wall path: its function leaves the plane z = 0 at time %g", time);
    return SCREE_OK;
}

static scree_status call_function(const scree_wall_path *path, double time,
                                  scree_wall_motion *motion, scree_error *error)
{
    path->function(time, motion->shift, motion->velocity, motion->turn, motion->spin, path->user);
    if (scree_quaternion_normalise(motion->turn))
        return SCREE_OK;
    return scree_fail(error, SCREE_BAD_VALUE,
                      "wall path: turn is (%g %g %g %g) at time %g, must be a unit quaternion",
                      motion->turn[0], motion->turn[1], motion->turn[2], motion->turn[3], time);
}

scree_status scree_wall_path_at(const scree_wall_path *path, double time, int dimensions,
                                scree_wall_motion *motion, scree_error *error)
{
    *motion = (scree_wall_motion){.turn = {1, 0, 0, 0}};
    if (path->function) {
        scree_status status = call_function(path, time, motion, error);
        if (status)
            return status;
    } else if (path->part_count > 0) {
        scree_path_parts_at(path->parts, path->part_count, time, motion);
    } else {
        for (int k = 0; k < 3; k++) {
            motion->shift[k] = path->velocity[k] * time;
            motion->velocity[k] = path->velocity[k];
        }
        if (path->rate != 0)
            set_turn(path, time, motion);
        if (path->table && path->table_count > 0)
            add_table(path, time, motion);
        if (!is_zero(path->swing) && path->frequency != 0)
            add_swing(path, time, motion);
    }
    return check_motion(motion, time, dimensions, error);
}

scree_status scree_wall_path_place(const scree_wall_path *path, double time, double shift[3],
                                   double turn[4], scree_error *error)
{
    scree_wall_motion motion;
    scree_status status;

    if (!path || !shift || !turn)
        return SCREE_BAD_ARGUMENT;
    if (!scree_is_usable(time))
        return check_number("time", time, error);
    status = scree_wall_path_check(path, 3, error);
    if (!status)
        status = scree_wall_path_at(path, time, 3, &motion, error);
    if (status)
        return status;
    memcpy(turn, motion.turn, sizeof motion.turn);
    scree_quaternion_turn(motion.turn, motion.centre, shift);
    for (int k = 0; k < 3; k++)
        shift[k] = motion.centre[k] + motion.shift[k] - shift[k];
    return SCREE_OK;
}

void scree_wall_motion_apply(const scree_wall_motion *motion, const double point[3],
                             const double orientation[4], double new_point[3],
                             double new_orientation[4], double velocity[3])
{
    double arm[3], centre[3],
        start[4] = {orientation[0], orientation[1], orientation[2], orientation[3]};
    for (int k = 0; k < 3; k++)
        arm[k] = point[k] - motion->centre[k];
    scree_quaternion_turn(motion->turn, arm, arm);
    for (int k = 0; k < 3; k++) {
        centre[k] = motion->centre[k] + motion->shift[k];
        new_point[k] = centre[k] + arm[k];
    }
    scree_quaternion_multiply(motion->turn, start, new_orientation);
    scree_wall_velocity_at(centre, motion->velocity, motion->spin, new_point, velocity);
}
