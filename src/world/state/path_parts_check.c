/*  Checks a list of motions. Each message names the motion, the field and the valid range. */
#include "base/check_numbers.h"
#include "base/error.h"
#include "base/quaternion.h"
#include "base/vector.h"
#include "world/state/path_parts.h"

#include <math.h>
#include <string.h>

/*  Number of the motion, from 1, and where messages go. */
typedef struct part_check
{
    size_t number;
    int dimensions;
    scree_error *error;
} part_check;

static scree_status check_numbers(const part_check *c, const char *name, const double *value,
                                  size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!scree_is_usable(value[k]))
            return scree_fail(c->error, SCREE_BAD_VALUE,
                              "wall path: part %zu: %s%s is %g, must be finite and at most 1e100 "
                              "in magnitude",
                              c->number, name,
                              count == 1 ? ""
                              : k == 0   ? ".x"
                              : k == 1   ? ".y"
                                         : ".z",
                              value[k]);
    return SCREE_OK;
}

static scree_status check_clock(const part_check *c, const scree_path_part *m)
{
    const struct
    {
        const char *name;
        double value;
    } numbers[] = {{"start", m->start}, {"stop", m->stop}, {"ramp", m->ramp}};
    const double length = m->stop - m->start;

    for (size_t k = 0; k < SCREE_COUNT_OF(numbers); k++)
        if (!(numbers[k].value >= 0 && numbers[k].value <= SCREE_MAX_COORDINATE))
            return scree_fail(c->error, SCREE_BAD_VALUE,
                              "wall path: part %zu: %s is %g, must be 0 to 1e100", c->number,
                              numbers[k].name, numbers[k].value);
    if (m->stop > 0 && !(m->stop > m->start))
        return scree_fail(c->error, SCREE_BAD_VALUE,
                          "wall path: part %zu: stop is %g, must be after start, %g", c->number,
                          m->stop, m->start);
    if (m->stop > 0 && m->ramp > length / 2)
        return scree_fail(c->error, SCREE_BAD_VALUE,
                          "wall path: part %zu: ramp is %g, must be at most half of the time "
                          "from start to stop, %g",
                          c->number, m->ramp, length / 2);
    return SCREE_OK;
}

static scree_status check_axis(const part_check *c, const scree_path_part *m)
{
    if (!(scree_length(m->vector) > 1e-100))
        return scree_fail(c->error, SCREE_BAD_VALUE,
                          "wall path: part %zu: its axis (%g %g %g) has no direction", c->number,
                          m->vector[0], m->vector[1], m->vector[2]);
    if (c->dimensions == 2 && (m->vector[0] != 0 || m->vector[1] != 0))
        return scree_fail(c->error, SCREE_BAD_VALUE,
                          "wall path: part %zu: its axis is (%g %g %g), must be along z in two "
                          "dimensions",
                          c->number, m->vector[0], m->vector[1], m->vector[2]);
    return SCREE_OK;
}

static scree_status check_row(const part_check *c, const scree_path_part *m, size_t at)
{
    const double *row = m->table[at];
    double turn[4] = {row[4], row[5], row[6], row[7]};

    for (int k = 0; k < 8; k++)
        if (!scree_is_usable(row[k]))
            return scree_fail(c->error, SCREE_BAD_VALUE,
                              "wall path: part %zu: row %zu of its table has %g, must be finite "
                              "and at most 1e100 in magnitude",
                              c->number, at, row[k]);
    if (!scree_quaternion_normalise(turn))
        return scree_fail(c->error, SCREE_BAD_VALUE,
                          "wall path: part %zu: row %zu of its table: the quaternion (%g %g %g "
                          "%g) has no direction",
                          c->number, at, row[4], row[5], row[6], row[7]);
    if (at > 0 && !(row[0] > m->table[at - 1][0]))
        return scree_fail(c->error, SCREE_BAD_VALUE,
                          "wall path: part %zu: row %zu of its table: t is %g, must be above %g "
                          "of the row before",
                          c->number, at, row[0], m->table[at - 1][0]);
    if (c->dimensions == 2 && (row[3] != 0 || row[5] != 0 || row[6] != 0))
        return scree_fail(c->error, SCREE_BAD_VALUE,
                          "wall path: part %zu: row %zu of its table leaves the plane z = 0",
                          c->number, at);
    return SCREE_OK;
}

/*  A periodic table must end where it starts. */
static scree_status check_period(const part_check *c, const scree_path_part *m)
{
    const double *first = m->table[0], *last = m->table[m->table_count - 1];
    double passed = last[0] - first[0];

    if (!(m->period >= passed && m->period <= SCREE_MAX_COORDINATE))
        return scree_fail(c->error, SCREE_BAD_VALUE,
                          "wall path: part %zu: period is %g, must be at least what its table "
                          "takes, %g",
                          c->number, m->period, passed);
    if (m->period == passed && memcmp(first + 1, last + 1, 7 * sizeof *first) != 0)
        return scree_fail(c->error, SCREE_BAD_VALUE,
                          "wall path: part %zu: its table ends elsewhere than it began, after "
                          "a whole period: it would jump",
                          c->number);
    return SCREE_OK;
}

static scree_status check_table(const part_check *c, const scree_path_part *m)
{
    if (m->table_count == 0 || !m->table)
        return scree_fail(c->error, SCREE_BAD_ARGUMENT,
                          "wall path: part %zu: it has no table, or one without rows", c->number);
    if (m->table_count > SIZE_MAX / 128)
        return scree_fail(c->error, SCREE_BAD_ARGUMENT,
                          "wall path: part %zu: table_count is %zu, too many", c->number,
                          m->table_count);
    for (size_t at = 0; at < m->table_count; at++) {
        scree_status status = check_row(c, m, at);
        if (status)
            return status;
    }
    return m->period != 0 ? check_period(c, m) : SCREE_OK;
}

static scree_status check_part(const part_check *c, const scree_path_part *m)
{
    scree_status status;

    if (m->kind <= SCREE_PATH_NONE || m->kind > SCREE_PATH_ROCK)
        return scree_fail(c->error, SCREE_BAD_ARGUMENT,
                          "wall path: part %zu: kind is %d, must be 1 to %d", c->number,
                          (int)m->kind, (int)SCREE_PATH_ROCK);
    if ((status = check_clock(c, m)) || (status = check_numbers(c, "vector", m->vector, 3)) ||
        (status = check_numbers(c, "centre", m->centre, 3)) ||
        (status = check_numbers(c, "rate", &m->rate, 1)) ||
        (status = check_numbers(c, "angle", &m->angle, 1)) ||
        (status = check_numbers(c, "frequency", &m->frequency, 1)) ||
        (status = check_numbers(c, "phase", &m->phase, 1)))
        return status;
    if (m->kind == SCREE_PATH_TABLE)
        return check_table(c, m);
    if (m->kind == SCREE_PATH_SPIN || m->kind == SCREE_PATH_ROCK)
        return check_axis(c, m);
    if (c->dimensions == 2 && m->vector[2] != 0)
        return scree_fail(c->error, SCREE_BAD_VALUE,
                          "wall path: part %zu: vector.z is %g, must be 0 in two dimensions",
                          c->number, m->vector[2]);
    return SCREE_OK;
}

scree_status scree_path_parts_check(const scree_path_part *parts, size_t count, int dimensions,
                                    scree_error *error)
{
    if (count > 0 && !parts)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "wall path: part_count is %zu, but parts is NULL", count);
    if (count > SCREE_MAX_PATH_PARTS)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "wall path: part_count is %zu, must be at most %u", count,
                          SCREE_MAX_PATH_PARTS);
    for (size_t k = 0; k < count; k++) {
        const part_check check = {k + 1, dimensions, error};
        scree_status status = check_part(&check, &parts[k]);
        if (status)
            return status;
    }
    return SCREE_OK;
}
