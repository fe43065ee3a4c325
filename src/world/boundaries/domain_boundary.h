/*  The domain boundary. */
#ifndef SCREE_WORLD_DOMAIN_BOUNDARY_H
#define SCREE_WORLD_DOMAIN_BOUNDARY_H

#include "world/contacts/wall_contact_list.h"
#include "world/state/body_sleep.h"
#include "world/state/cell_box.h"
#include "world/state/wraps.h"

/*  A body that is to be removed. */
typedef struct scree_leaver
{
    uint64_t serial;
    scree_body_id id;
} scree_leaver;

/*  Bodies, and data that must follow when a body is wrapped. step.c fills it when a step is accepted. */
typedef struct scree_boundary_data
{
    const scree_world_def *def;
    const scree_strain *cell;
    scree_body_arrays *bodies;
    scree_wall_contacts *wall_contacts;
    scree_sleep_state *sleep;
    scree_wraps *wraps;
    bool *needs_search; /* is set if a body was wrapped too often */
    bool
        wraps_ghosts; /* their owners wrap them as well; otherwise they stay where the host has put them */
} scree_boundary_data;

/*  Stops, reflects or wraps bodies outside the domain. Returns the number of bodies to be removed, and the list by
    global id. The list uses the memory of the previous torques. */
size_t scree_boundary_apply(const scree_boundary_data *data, const scree_leaver **leavers);

#endif
