/*  Values of materials and interactions that change while bodies move. Like gravity, they are part of the state. The
    interaction table itself, by which a snapshot is matched with a world, keeps the original values.

    They are two lists, since files with changed friction existed before other values could change: friction, one number
    per material, then one per interaction; and all others, SCREE_OTHER_VALUES per material, then one per parameter of each
    interaction. What an interaction does not set has SCREE_NOT_SET there, and so has the friction of an interaction in the second list. */
#ifndef SCREE_LAW_VALUES_H
#define SCREE_LAW_VALUES_H

#include "law/law_table.h"

#define SCREE_OTHER_VALUES 7 /* of a material, besides friction */
#define SCREE_NOT_SET (-1.0)

typedef enum scree_value_list
{
    SCREE_LIST_FRICTION,
    SCREE_LIST_OTHER,
    SCREE_VALUE_LISTS,
} scree_value_list;

size_t scree_values_count(const scree_rules *rules, scree_value_list list);
/*  Whether any value of the list differs from its original one. */
bool scree_values_are_changed(const scree_rules *rules, scree_value_list list);
/*  Returns the same hash if nothing has changed. */
uint64_t scree_values_hash(uint64_t hash, const scree_rules *rules);
void scree_values_read(const scree_rules *rules, scree_value_list list, double *values);
/*  Whether these numbers could have been written by scree_values_read. */
bool scree_values_are_sound(const scree_rules *rules, scree_value_list list, const double *values);
/*  Writes both lists and computes all pair parameters again. NULL: the original values. SCREE_BAD_VALUE if a law refuses
    two materials that it had accepted, SCREE_TOO_LARGE, SCREE_OUT_OF_MEMORY; then nothing changes. */
scree_status scree_values_set(scree_rules *rules, const double *const lists[SCREE_VALUE_LISTS],
                              scree_error *error);

/*  A value in its list. */
typedef struct scree_value_place
{
    scree_value_list list;
    size_t at;
    double now, given;
} scree_value_place;

/*  Finds a value of a material (index1) or an interaction by its name. False: there is none of this name, or the
    interaction does not set it. */
bool scree_value_of_material(const scree_rules *rules, size_t material, const char *name,
                             scree_value_place *place);
bool scree_value_of_rule(const scree_rules *rules, size_t row, const char *name,
                         scree_value_place *place);
/*  The name of a value of materials that can change, friction first; NULL after the last. */
const char *scree_material_value_name(size_t index);

/*  Makes the present values the original ones. */
void scree_values_keep(scree_rules *rules);

#endif
