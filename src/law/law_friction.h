/*  Friction coefficients that change while bodies move. They are one list: one per material, then one per interaction
    in order, -1 if the interaction does not set friction. Like gravity, they are part of the state. The interaction
    table itself, by which a snapshot is matched with a world, keeps the original values. */
#ifndef SCREE_LAW_FRICTION_H
#define SCREE_LAW_FRICTION_H

#include "law/law_table.h"

/*  Whether a coefficient may have this value. */
bool scree_is_friction(double value);
size_t scree_friction_count(const scree_rules *rules);
/*  Whether any coefficient differs from its original value. */
bool scree_friction_is_changed(const scree_rules *rules);
/*  Returns the same hash if nothing has changed. */
uint64_t scree_friction_hash(uint64_t hash, const scree_rules *rules);
void scree_friction_read(const scree_rules *rules, double *friction);
/*  Whether these numbers could have been written by scree_friction_read. */
bool scree_friction_is_sound(const scree_rules *rules, const double *friction);
/*  The list with a new coefficient for one material, or all if 0; NAN: the original value. */
void scree_friction_choose(const scree_rules *rules, scree_material_id material, double friction,
                           double *wanted);
/*  Computes all pair parameters again. NULL: with the original values. SCREE_BAD_VALUE if a law refuses two materials
    that it had accepted, SCREE_TOO_LARGE, SCREE_OUT_OF_MEMORY; then nothing changes. */
scree_status scree_friction_set(scree_rules *rules, const double *friction, scree_error *error);

#endif
