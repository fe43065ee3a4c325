/*  Friction that is changed while bodies move. Numbers stand in one list: of each material, then of each row of the table
    from 1, -1 where a row does not say what friction is. As gravity, they are part of the state; the table itself, by
    which snapshots know whose they are, is as it was given. */
#ifndef SCREE_LAW_FRICTION_H
#define SCREE_LAW_FRICTION_H

#include "law/law_table.h"

/*  Whether a coefficient may have this value. */
bool scree_is_friction(double value);
size_t scree_friction_count(const scree_rules *rules);
/*  Whether one of them is not what it was given. */
bool scree_friction_is_changed(const scree_rules *rules);
/*  The same hash where nothing is changed. */
uint64_t scree_friction_hash(uint64_t hash, const scree_rules *rules);
void scree_friction_read(const scree_rules *rules, double *friction);
/*  Whether numbers, as many as there are, are such that scree_friction_read may have written them. */
bool scree_friction_is_sound(const scree_rules *rules, const double *friction);
/*  The list with this number for a material, 0: for all; NAN: as it was given. */
void scree_friction_choose(const scree_rules *rules, scree_material_id material, double friction,
                           double *wanted);
/*  All that contacts look up is made anew. NULL: as it was given. SCREE_BAD_VALUE where a law refuses two materials that it
    had accepted, SCREE_TOO_LARGE, SCREE_OUT_OF_MEMORY; then nothing changes. */
scree_status scree_friction_set(scree_rules *rules, const double *friction, scree_error *error);

#endif
