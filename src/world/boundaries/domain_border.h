/*  The border of the domain. */
#ifndef SCREE_WORLD_DOMAIN_BORDER_H
#define SCREE_WORLD_DOMAIN_BORDER_H

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

/*  Bodies, and all that must follow one that comes in again elsewhere. step.c fills it when a step is taken. */
typedef struct scree_border_data
{
    const scree_world_def *def;
    const scree_strain *cell;
    scree_crowd *bodies;
    scree_surfaces *surfaces;
    scree_rest *rest;
    scree_wraps *wraps;
    bool *search_anew; /* becomes true where one has gone too far to be followed */
} scree_border_data;

/*  What lies outside the domain is stopped, turned round or comes in again. Returns how many are to be removed, and who, in
    the order of serials: what lies in torques before the step is theirs until then. */
size_t scree_border_apply(const scree_border_data *data, const scree_leaver **leavers);

#endif
