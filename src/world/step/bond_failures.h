/*  Bond failures: counted, and listed with their cause. Costs nothing in a world without bonds. */
#ifndef SCREE_WORLD_BOND_FAILURES_H
#define SCREE_WORLD_BOND_FAILURES_H

#include "law/law_table.h"
#include "scree/bond.h"
#include "scree/world.h"
#include "world/contacts/candidates.h"

/*  No padding: it is a section of snapshots. */
typedef struct scree_bond_course
{
    uint64_t made;
    uint64_t broken[3]; /* by cause, from SCREE_BREAK_TENSION */
} scree_bond_course;

typedef struct scree_breaks
{
    scree_bond_course course;
    scree_break *list; /* failures of accepted steps, followed by those of the current step */
    size_t count, fresh, capacity;
    bool skips_ghosts; /* another rank notes bonds whose first body is a ghost here */
    uint8_t *marks;    /* by block of pairs */
    size_t mark_capacity;
} scree_breaks;

/*  Called before a step is accepted: finds what breaks in it, and reserves room to record it. SCREE_OUT_OF_MEMORY. */
scree_status scree_breaks_find(scree_world *world);
/*  Accepts the step. */
void scree_breaks_accept(scree_world *world);
/*  Restores from a snapshot; NULL: it has no record, so only intact bonds are known. Contacts must be restored
    before. */
void scree_breaks_restore(scree_breaks *breaks, const scree_bond_course *course,
                          const scree_rules *rules, const scree_contact_list *list);
bool scree_bond_course_is_sound(const scree_bond_course *course);
/*  The bond state in the history of a pair, SCREE_BOND_INTACT and so on; SCREE_BOND_NONE: no bond. */
int scree_contact_bond_state(const scree_rules *rules, const scree_contact *contact);
scree_break_cause scree_break_cause_of(int state);

#endif
