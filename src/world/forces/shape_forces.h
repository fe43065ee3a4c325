/*  Contact forces of non-spherical bodies. */
#ifndef SCREE_WORLD_SHAPE_FORCES_H
#define SCREE_WORLD_SHAPE_FORCES_H

#include "world/contacts/shape_contact_list.h"
#include "world/forces/force_job.h"
#include "world/state/cell_box.h"

/*  Forces of the contacts in `next`. SCREE_UNSTABLE if an overlap is as large as the contact skin, or above the
    limit. */
scree_status scree_shape_forces(const scree_force_job *job, const scree_strain *cell,
                                scree_shape_contacts *contacts);

#endif
