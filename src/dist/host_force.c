/*  Forces are sent with the state, and come back: a body gets the same sum as on one process, whatever the order in which
    the function adds. */
#include "dist/host_force.h"

#include "dist/unpack_shapes.h"
#include "world/step/force_sink.h"

void scree_host_forces_free(scree_host_forces *forces, scree_memory *memory)
{
    scree_memory_give(memory, &forces->own, forces->own_capacity, sizeof *forces->own);
    scree_memory_give(memory, &forces->all, forces->all_capacity, sizeof *forces->all);
    scree_row_inbox_free(&forces->inbox, memory);
}

/* ---- rows ---- */

#define X_WRITE(type, name, n, when) memcpy(row->name, bodies->name[slot], sizeof row->name);
#define X_READ(type, name, n, when) memcpy(bodies->name[slot], row->name, sizeof row->name);

static void write_row(const scree_body_arrays *bodies, uint32_t slot, scree_host_row *row)
{
    row->serial = bodies->serial[slot][0];
    SCREE_MOTION_FIELDS(X_WRITE)
}

static void read_row(const scree_host_row *row, scree_body_arrays *bodies, uint32_t slot)
{
    SCREE_MOTION_FIELDS(X_READ)
}

static scree_status reserve(scree_host_forces *forces, scree_memory *memory, uint32_t owned)
{
    return scree_memory_reserve(memory, &forces->own, &forces->own_capacity, owned,
                                sizeof *forces->own) ||
                   scree_memory_reserve(memory, &forces->all, &forces->all_capacity,
                                        forces->inbox.total, sizeof *forces->all)
               ? SCREE_OUT_OF_MEMORY
               : SCREE_OK;
}

/* ---- the function ---- */

/*  The second copies are scratch between steps of the host's world, and here they are the present state. */
static scree_status call_host(scree_world *whole, scree_host_row *rows, size_t count, double time,
                              scree_force_sink *sink)
{
    scree_body_arrays *bodies = &whole->bodies;
    scree_force_sink own = {.bodies = bodies, .step = sink->step, .error = sink->error};
    scree_serials table;
    scree_status status = scree_slot_table_make(&table, &whole->memory, bodies);

    if (status)
        return status;
    scree_bodies_swap(bodies);
    for (size_t k = 0; k < count; k++)
        read_row(&rows[k], bodies, scree_slot_of_serial(&table, rows[k].serial));
    const scree_bodies_view view = scree_bodies_view_of(bodies);
    whole->host_is_asked = true;
    if (bodies->count)
        status = whole->force(&own, &view, time, whole->force_user);
    whole->host_is_asked = false;
    for (size_t k = 0; k < count; k++)
        write_row(bodies, scree_slot_of_serial(&table, rows[k].serial), &rows[k]);
    scree_bodies_swap(bodies);
    scree_serials_free(&table, &whole->memory);
    sink->status = own.status;
    return own.status ? own.status : status;
}

scree_status scree_ask_host(scree_host_forces *forces, scree_memory *memory, const scree_comm *comm,
                            scree_world *whole, uint32_t owned, double time, scree_force_sink *sink)
{
    scree_body_arrays *bodies = sink->bodies;
    scree_row_inbox *inbox = &forces->inbox;
    scree_status status = scree_rows_count(inbox, memory, comm, owned);

    if (!status)
        status = scree_comm_agree(comm, reserve(forces, memory, owned));
    for (uint32_t slot = 0; slot < owned && !status; slot++)
        write_row(bodies, slot, &forces->own[slot]);
    if (!status)
        status = scree_rows_gather(inbox, comm, forces->own, forces->all, sizeof *forces->all);
    if (!status)
        status = scree_comm_agree(
            comm, whole ? call_host(whole, forces->all, inbox->total, time, sink) : SCREE_OK);
    if (!status)
        status = scree_rows_return(inbox, comm, forces->own, forces->all, sizeof *forces->all);
    for (uint32_t slot = 0; slot < owned && !status; slot++) {
        memcpy(bodies->force[slot], forces->own[slot].force, sizeof *bodies->force);
        memcpy(bodies->torque[slot], forces->own[slot].torque, sizeof *bodies->torque);
    }
    return status;
}
