/*  Tables: the caller's arrays, read where they are. Each number is copied by its bytes, so that neither alignment
    nor type matters, and is checked before anything is changed. */
#include "detect/table.h"

#include <math.h>
#include <string.h>

#define TABLE_COOKIE 0x7ab1e5c1u

static const char *const axis_names[3] = {"x", "y", "z"};
static const char *const lower_names[3] = {"lower x", "lower y", "lower z"};
static const char *const upper_names[3] = {"upper x", "upper y", "upper z"};

scree_table scree_table_spheres(size_t count, scree_view x, scree_view y, scree_view z,
                                scree_view radius)
{
    scree_table table;
    memset(&table, 0, sizeof table);
    table.cookie = TABLE_COOKIE;
    table.volume = SCREE_SPHERES;
    table.count = count;
    table.centre[0] = x;
    table.centre[1] = y;
    table.centre[2] = z;
    table.radius = radius;
    return table;
}

scree_table scree_table_boxes(size_t count, const scree_view lower[3], const scree_view upper[3])
{
    scree_table table;
    memset(&table, 0, sizeof table);
    table.cookie = TABLE_COOKIE;
    table.volume = SCREE_BOXES;
    table.count = count;
    for (int k = 0; k < 3; k++) {
        if (lower)
            table.lower[k] = lower[k];
        if (upper)
            table.upper[k] = upper[k];
    }
    return table;
}

/* ---- checks of whole columns ---- */

static scree_status check_column(const void *data, size_t stride, size_t bytes, size_t count,
                                 const char *name, scree_error *error)
{
    if (!data)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "table: column %s is NULL", name);
    if (stride < bytes)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "table: stride of column %s is %zu bytes, must be at least %zu", name,
                          stride, bytes);
    if (stride > SIZE_MAX / count)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "table: stride of column %s is %zu bytes, %zu rows do not fit in memory",
                          name, stride, count);
    return SCREE_OK;
}

scree_status scree_view_check(scree_view view, size_t count, const char *name, scree_error *error)
{
    if (view.real != SCREE_FLOAT64 && view.real != SCREE_FLOAT32)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "table: column %s has unknown type %d", name,
                          (int)view.real);
    return check_column(view.data, view.stride,
                        view.real == SCREE_FLOAT64 ? sizeof(double) : sizeof(float), count, name,
                        error);
}

scree_status scree_integers_check(scree_integers view, size_t bytes, size_t count, const char *name,
                                  scree_error *error)
{
    return view.data ? check_column(view.data, view.stride, bytes, count, name, error) : SCREE_OK;
}

scree_status scree_table_check(const scree_table *table, scree_volume volume, int dimensions,
                               scree_error *error)
{
    if (!table)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "table is NULL");
    if (table->cookie != TABLE_COOKIE)
        return scree_fail(error, SCREE_BAD_DEF,
                          "table was not made by scree_table_spheres or scree_table_boxes");
    if (table->volume != volume)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "table has %s, the detector is for %s",
                          table->volume == SCREE_BOXES ? "boxes" : "spheres",
                          volume == SCREE_BOXES ? "boxes" : "spheres");
    if (table->count > SCREE_MAX_BODIES)
        return scree_fail(error, SCREE_TOO_LARGE, "table: count is %zu, must be at most %u",
                          table->count, SCREE_MAX_BODIES);
    if (table->count == 0)
        return SCREE_OK;

    size_t count = table->count;
    scree_status status = SCREE_OK;
    for (int k = 0; k < dimensions && !status; k++) {
        if (volume == SCREE_SPHERES) {
            status = scree_view_check(table->centre[k], count, axis_names[k], error);
        } else {
            status = scree_view_check(table->lower[k], count, lower_names[k], error);
            if (!status)
                status = scree_view_check(table->upper[k], count, upper_names[k], error);
        }
    }
    if (!status && volume == SCREE_SPHERES)
        status = scree_view_check(table->radius, count, "radius", error);
    if (!status)
        status = scree_integers_check(table->ids, sizeof(uint32_t), count, "ids", error);
    if (!status)
        status = scree_integers_check(table->groups, sizeof(uint64_t), count, "groups", error);
    if (!status)
        status = scree_integers_check(table->masks, sizeof(uint64_t), count, "masks", error);
    if (!status)
        status = scree_integers_check(table->owners, sizeof(uint32_t), count, "owners", error);
    if (!status)
        status = scree_integers_check(table->flags, sizeof(uint8_t), count, "flags", error);
    return status;
}

/* ---- rows ---- */

static scree_status bad_value(scree_error *error, const scree_row *row, size_t index,
                              const char *name, double value, const char *rule)
{
    return scree_fail(error, SCREE_BAD_VALUE, "row %zu (body %u): %s is %.17g, must be %s", index,
                      row->id, name, value, rule);
}

/* false for NaN, too */
static bool is_usable(double value)
{
    return fabs(value) <= SCREE_MAX_COORDINATE;
}

static scree_status check_numbers(const scree_row *row, scree_volume volume, int dimensions,
                                  size_t index, scree_error *error)
{
    static const char rule[] = "finite and at most 1e100 in magnitude";
    for (int k = 0; k < dimensions; k++) {
        const char *name = volume == SCREE_SPHERES ? axis_names[k] : lower_names[k];
        if (!is_usable(row->number[k]))
            return bad_value(error, row, index, name, row->number[k], rule);
        if (volume == SCREE_SPHERES)
            continue;
        if (!is_usable(row->number[3 + k]))
            return bad_value(error, row, index, upper_names[k], row->number[3 + k], rule);
        if (row->number[k] > row->number[3 + k])
            return scree_fail(error, SCREE_BAD_VALUE,
                              "row %zu (body %u): %s is %.17g, must be at most %s, %.17g", index,
                              row->id, name, row->number[k], upper_names[k], row->number[3 + k]);
    }
    if (volume == SCREE_SPHERES) {
        if (!is_usable(row->number[3]))
            return bad_value(error, row, index, "radius", row->number[3], rule);
        if (row->number[3] < 0)
            return bad_value(error, row, index, "radius", row->number[3], "0 or more");
    }
    return SCREE_OK;
}

scree_status scree_table_read(const scree_table *table, int dimensions, scree_unusable unusable,
                              size_t index, scree_row *row, scree_error *error)
{
    const uint8_t known = SCREE_FIXED | SCREE_INFINITE | SCREE_NO_BOUND;
    *row = (scree_row){.id = (uint32_t)index, .usable = true, .group = UINT64_MAX};

    scree_integers_read(table->ids, index, &row->id, sizeof row->id);
    scree_integers_read(table->groups, index, &row->group, sizeof row->group);
    row->mask = row->group;
    scree_integers_read(table->masks, index, &row->mask, sizeof row->mask);
    scree_integers_read(table->owners, index, &row->owner, sizeof row->owner);
    scree_integers_read(table->flags, index, &row->flags, sizeof row->flags);
    if (row->id >= SCREE_MAX_BODIES)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "row %zu: id is %u, must be below %u", index,
                          row->id, SCREE_MAX_BODIES);
    if (row->flags & ~known)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "row %zu (body %u): flags are 0x%02x, known are 0x%02x", index, row->id,
                          row->flags, known);
    if (row->flags & (SCREE_INFINITE | SCREE_NO_BOUND))
        return SCREE_OK;

    /* adding 0 turns -0.0 into +0.0, so that methods may compare keys by their bits */
    for (int k = 0; k < dimensions; k++) {
        if (table->volume == SCREE_SPHERES) {
            row->number[k] = scree_view_read(table->centre[k], index) + 0.0;
        } else {
            row->number[k] = scree_view_read(table->lower[k], index) + 0.0;
            row->number[3 + k] = scree_view_read(table->upper[k], index) + 0.0;
        }
    }
    if (table->volume == SCREE_SPHERES)
        row->number[3] = scree_view_read(table->radius, index) + 0.0;

    if (unusable == SCREE_REFUSE_CALL)
        return check_numbers(row, table->volume, dimensions, index, error);
    row->usable = check_numbers(row, table->volume, dimensions, index, NULL) == SCREE_OK;
    return SCREE_OK;
}

scree_box scree_row_box(const scree_row *row, scree_volume volume, int dimensions)
{
    if (volume == SCREE_SPHERES)
        return scree_sphere_box(row->number, dimensions);
    scree_box box = {{0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < dimensions; k++) {
        box.lower[k] = row->number[k];
        box.upper[k] = row->number[3 + k];
    }
    return box;
}
