/*  All contacts of an evaluation, for code that runs after forces have been found. */
#ifndef SCREE_WORLD_FOUND_CONTACTS_H
#define SCREE_WORLD_FOUND_CONTACTS_H

#include "world/contacts/contact_history.h"
#include "world/contacts/shape_contact_list.h"
#include "world/contacts/stiffness_row.h"
#include "world/contacts/wall_contact_list.h"
#include "world/state/cell_box.h"

/*  Contacts of the current evaluation, their bodies, and their forces. step/room_data.c fills it after forces are
    found. Force records are NULL in a step that does not store them; code that reads them within a step must be
    named in rows_are_wanted (step/evaluate.c). */
typedef struct scree_found_contacts
{
    const scree_body_arrays *bodies;
    const scree_walls *walls;
    const scree_domain *domain; /* at the end of the step */
    const scree_contact_list *pairs;
    const scree_contact_sets *exerted; /* for pairs */
    const scree_wall_contact_list *wall_contacts;
    const scree_solid_list *solids;
    const double (*pair_row)[8], (*wall_row)[8]; /* force records in these, by contact */
    /* by contact, if the step requests it: */
    const scree_stiffness_row *stiffness, *wall_stiffness, *solid_stiffness;
} scree_found_contacts;

#endif
