/*  scree/force.h: forces of the host.

        static scree_status pull(scree_force_sink *sink, const scree_bodies_view *bodies, double time, void *user)
        {
            double force[3] = {0};
            for (size_t i = 0; i < bodies->count; i++)
            {
                force[0] = -stiffness * scree_row_at(bodies->position, i)[0];
                if (scree_force_sink_add_row(sink, i, force, NULL)) break;
            }
            return SCREE_OK;
        }
        scree_world_set_force(world, pull, NULL);

    A force that does not change needs no function: scree_body_set_load (scree/body.h). */
#ifndef SCREE_FORCE_H
#define SCREE_FORCE_H

#include "scree/base.h"
#include "scree/handle.h"
#include "scree/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  Columns of all bodies: scree/world.h. */
struct scree_bodies_view;

/*  Where a force function puts its forces. Only valid during the call. */
typedef struct scree_force_sink scree_force_sink;

/*  A force function of the host. It is called in each step after contact forces were summed and before bodies move. It
    adds forces to `sink` with the functions below, as often as it likes; their sums act in this step. It must depend on
    state and time only, as it is called again for steps that are repeated and in implicit steps. It must not change the
    world or read its contacts, which are incomplete. Returns SCREE_OK, or the reason why the step is refused. */
typedef scree_status scree_force_fn(scree_force_sink *sink, const struct scree_bodies_view *bodies,
                                    double time, void *user);
/*  Sets the force function; NULL: none. `user` is passed to it. */
SCREE_API void scree_world_set_force(scree_world *world, scree_force_fn *function, void *user);

/*  The functions of a sink add forces in N, and torques in N m about the centre of mass. If one fails, it adds nothing,
    and the step is refused with its status, also if the force function returns SCREE_OK; scree_world_message says why.
    A number that is not finite refuses the step like one of a contact (scree_world_failed_body). */

/*  Adds to a body. `force` or `torque` may be NULL. SCREE_BAD_ARGUMENT: the handle names no body. */
SCREE_API scree_status scree_force_sink_add(scree_force_sink *sink, scree_body_id id,
                                            const double force[3], const double torque[3]);
/*  Adds to the body in a row of `bodies`, without looking for its handle. SCREE_BAD_ARGUMENT: there is no such row. */
SCREE_API scree_status scree_force_sink_add_row(scree_force_sink *sink, size_t row,
                                                const double force[3], const double torque[3]);
/*  Adds arrays of the host, which it has filled for all bodies: x y z in each row, in the order of `bodies`, three
    numbers after each other, doubles or floats of any alignment. Both are read during the call only. One of them may
    have data NULL: no such forces. SCREE_BAD_ARGUMENT: both have data NULL, a stride is smaller than three numbers, or
    the type is none of scree_real. */
SCREE_API scree_status scree_force_sink_add_columns(scree_force_sink *sink, scree_view force,
                                                    scree_view torque);

#ifdef __cplusplus
}
#endif

#endif
