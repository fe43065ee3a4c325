/*  Bonds that break: counted, and listed with their cause. A world without bonds does nothing for it. */
#ifndef SCREE_WORLD_BOND_FAILURES_H
#define SCREE_WORLD_BOND_FAILURES_H

#include "law/law_table.h"
#include "scree/bond.h"
#include "scree/world.h"
#include "world/contacts/candidates.h"

/*  All words, no padding: a section of snapshots. */
typedef struct scree_bond_course
{
    uint64_t made;
    uint64_t broken[3]; /* by cause, from SCREE_BREAK_TENSION */
} scree_bond_course;

typedef struct scree_breaks
{
    scree_bond_course course;
    scree_break
        *list; /* those of steps that are taken, behind them the fresh ones of the step under way */
    size_t count, fresh, capacity;
    uint8_t *marks; /* of blocks of candidates */
    size_t mark_capacity;
} scree_breaks;

/*  The step is about to be taken: what breaks in it, and room to note it. SCREE_OUT_OF_MEMORY. */
scree_status scree_breaks_find(scree_world *world);
/*  The step is taken. */
void scree_breaks_accept(scree_world *world);
/*  From a snapshot; NULL: it says nothing, so those that hold are all that are known. Contacts are restored. */
void scree_breaks_restore(scree_breaks *breaks, const scree_bond_course *course,
                          const scree_rules *rules, const scree_contact_list *list);
bool scree_bond_course_is_sound(const scree_bond_course *course);
/*  What a listed contact remembers of a bond, SCREE_BOND_INTACT and so on; SCREE_BOND_NONE: of none. */
int scree_contact_bond_state(const scree_rules *rules, const scree_contact *contact);
scree_break_cause scree_break_cause_of(int state);

#endif
