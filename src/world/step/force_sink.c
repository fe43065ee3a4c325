/*  The functions that a force function of the host calls. The first failure is kept: it refuses the step, whatever the
    host makes of it. */
#include "world/step/force_sink.h"

#include "detect/table.h"

#include <inttypes.h>
#include <stdio.h>

/*  Refuses the step. */
static scree_status refuse(scree_force_sink *sink, const char *why)
{
    if (sink->status)
        return sink->status;
    return sink->status = scree_fail(sink->error, SCREE_BAD_ARGUMENT,
                                     "world: step %" PRIu64 ": the host's force function: %s",
                                     sink->step, why);
}

static void add(double to[4], const double from[3])
{
    for (int k = 0; k < 3 && from; k++)
        to[k] += from[k];
}

scree_status scree_force_sink_add_row(scree_force_sink *sink, size_t row, const double force[3],
                                      const double torque[3])
{
    char why[96];

    if (!sink)
        return SCREE_BAD_ARGUMENT;
    if (row >= sink->bodies->count) {
        snprintf(why, sizeof why, "row %zu does not exist, there are %" PRIu32 " bodies", row,
                 sink->bodies->count);
        return refuse(sink, why);
    }
    add(sink->bodies->force[row], force);
    add(sink->bodies->torque[row], torque);
    return SCREE_OK;
}

scree_status scree_force_sink_add(scree_force_sink *sink, scree_body_id id, const double force[3],
                                  const double torque[3])
{
    if (!sink)
        return SCREE_BAD_ARGUMENT;
    size_t row = scree_bodies_slot(sink->bodies, id);
    if (row == SIZE_MAX)
        return refuse(sink, "a force is for a body that does not exist");
    return scree_force_sink_add_row(sink, row, force, torque);
}

/*  Whether rows of three numbers can be read from a column of the host. */
static scree_status check_column(scree_force_sink *sink, scree_view column, const char *name)
{
    size_t bytes = column.real == SCREE_FLOAT32 ? sizeof(float) : sizeof(double);
    char why[96];

    if (!column.data)
        return SCREE_OK;
    if (column.real != SCREE_FLOAT64 && column.real != SCREE_FLOAT32)
        snprintf(why, sizeof why, "column %s has unknown type %d", name, (int)column.real);
    else if (column.stride < 3 * bytes)
        snprintf(why, sizeof why, "stride of column %s is %zu bytes, must be at least %zu", name,
                 column.stride, 3 * bytes);
    else
        return SCREE_OK;
    return refuse(sink, why);
}

static void add_column(double (*to)[4], scree_view column, size_t count)
{
    for (size_t k = 0; k < 3 && column.data; k++) {
        const scree_view axis = scree_view_component(column, k);
        for (size_t row = 0; row < count; row++)
            to[row][k] += scree_view_read(axis, row);
    }
}

scree_status scree_force_sink_add_columns(scree_force_sink *sink, scree_view force,
                                          scree_view torque)
{
    if (!sink)
        return SCREE_BAD_ARGUMENT;
    if (!force.data && !torque.data)
        return refuse(sink, "neither a column of forces nor one of torques is given");
    scree_status status = check_column(sink, force, "force");
    if (!status)
        status = check_column(sink, torque, "torque");
    if (status)
        return status;
    add_column(sink->bodies->force, force, sink->bodies->count);
    add_column(sink->bodies->torque, torque, sink->bodies->count);
    return SCREE_OK;
}
