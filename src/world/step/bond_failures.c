/*  Finds broken bonds before a step is accepted, by comparing the old contact history with the new. A bond whose
    contact is gone broke because its range was exceeded in this step. */
#include "world/step/bond_failures.h"

#include "base/vector.h"
#include "law/law_builtin.h"
#include "law/law_table_row.h"
#include "world/state/cell_box.h"
#include "world/step/step_hooks.h"
#include "world/step/world_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CANDIDATES_PER_BLOCK 4096u

/*  A history from a file may have any numbers. One that is no state is that of no bond, as laws take it. */
static int state_from(double value)
{
    const int state =
        value >= SCREE_BOND_NONE && value <= SCREE_BOND_PARTED ? (int)value : SCREE_BOND_NONE;

    return state == value ? state : SCREE_BOND_NONE;
}

/*  The bond state in the old or the new history of a touching pair. */
static int state_of(const scree_rules *rules, const scree_contact_list *list,
                    double *const *history, size_t c)
{
    const scree_law *law = rules->slots[list->slot[c][0]].law;

    if (!law || !scree_law_has_bonds(law))
        return SCREE_BOND_NONE;
    return state_from(history[SCREE_BOND_STATE][c]);
}

static bool is_intact(const scree_rules *rules, const scree_contact_list *list, size_t c)
{
    return list->touches[c][0] && state_of(rules, list, list->history, c) == SCREE_BOND_INTACT;
}

static uint64_t count_intact(const scree_rules *rules, const scree_contact_list *list)
{
    uint64_t count = 0;

    for (size_t c = 0; c < list->count; c++)
        count += is_intact(rules, list, c);
    return count;
}

int scree_contact_bond_state(const scree_rules *rules, const scree_contact *contact)
{
    if (!contact->second.index1 || contact->memory_count <= SCREE_BOND_STATE ||
        !scree_law_has_bonds(&rules->rules[contact->rule]->law))
        return SCREE_BOND_NONE;
    return state_from(contact->memory[SCREE_BOND_STATE]);
}

scree_break_cause scree_break_cause_of(int state)
{
    return state <= SCREE_BOND_INTACT    ? SCREE_BREAK_NONE
           : state == SCREE_BOND_TORN    ? SCREE_BREAK_TENSION
           : state == SCREE_BOND_SHEARED ? SCREE_BREAK_SHEAR
                                         : SCREE_BREAK_DISTANCE;
}

/*  On ranks the owner of the first body notes it. SCREE_OUT_OF_MEMORY. */
static scree_status note(scree_breaks *breaks, const scree_body_arrays *bodies,
                         const scree_domain *domain, uint32_t first, uint32_t second, int state)
{
    const double *a = bodies->position[first], *b = bodies->position[second];
    double step[3], turns[3], length;

    if (breaks->skips_ghosts && scree_is_ghost(bodies, first))
        return SCREE_OK;
    if (scree_memory_reserve(bodies->memory, &breaks->list, &breaks->capacity,
                             breaks->count + breaks->fresh + 1, sizeof *breaks->list))
        return SCREE_OUT_OF_MEMORY;
    scree_break *broken = &breaks->list[breaks->count + breaks->fresh++];
    memset(broken, 0, sizeof *broken);
    broken->first = bodies->id[first][0];
    broken->second = bodies->id[second][0];
    broken->first_serial = bodies->serial[first][0];
    broken->second_serial = bodies->serial[second][0];
    broken->cause = scree_break_cause_of(state);
    scree_domain_step(domain, a, b, step, turns);
    length = scree_length(step);
    for (int k = 0; k < 3; k++) {
        broken->normal[k] = length > 0 ? step[k] / length : k == 0;
        broken->point[k] = a[k] + (a[3] + (length - b[3])) / 2 * broken->normal[k];
    }
    return SCREE_OK;
}

/* ---- candidates that there are: blocks of them are looked at by all workers, and those in which something broke again ---- */

typedef struct break_look
{
    const scree_rules *rules;
    const scree_contact_list *list;
    const scree_contact_sets *sets;
    uint8_t *breaks; /* by block: whether a bond breaks */
} break_look;

/*  The new state of a bond that was intact: SCREE_BOND_INTACT or the cause of failure. SCREE_BOND_NONE: there was no
    intact bond. */
static int fate_of(const scree_rules *rules, const scree_contact_list *list,
                   const scree_contact_sets *sets, size_t c)
{
    if (!is_intact(rules, list, c))
        return SCREE_BOND_NONE;
    return list->touches_next[c][0] ? state_of(rules, list, sets->next, c) : SCREE_BOND_PARTED;
}

/*  Usually all pairs have the same contact model. Then their bond states are contiguous and are compared directly.
    Only intact bonds can break, so pairs that do not touch make no difference. */
static bool some_break(const scree_contact_list *list, const scree_contact_sets *sets, size_t begin,
                       size_t end)
{
    const double *before = list->history[SCREE_BOND_STATE];
    const double *after = sets->next[SCREE_BOND_STATE];
    uint64_t broken = 0;

    for (size_t c = begin; c < end; c++)
        broken += list->touches[c][0] & (before[c] == SCREE_BOND_INTACT) &
                  ((list->touches_next[c][0] == 0) | (after[c] != SCREE_BOND_INTACT));
    return broken > 0;
}

static void look_at_block(void *data, size_t block, uint32_t worker)
{
    const break_look *look = data;
    size_t begin = block * CANDIDATES_PER_BLOCK;
    size_t end = scree_block_end(block, CANDIDATES_PER_BLOCK, look->list->count);
    uint32_t alike = look->list->alike;
    const scree_law *law = look->rules->slots[alike].law;
    bool breaks = false;

    (void)worker;
    if (alike && law && scree_law_has_bonds(law))
        breaks = some_break(look->list, look->sets, begin, end);
    for (size_t c = begin; !alike && c < end && !breaks; c++)
        breaks = fate_of(look->rules, look->list, look->sets, c) > SCREE_BOND_INTACT;
    look->breaks[block] = breaks;
}

/*  SCREE_OUT_OF_MEMORY. */
static scree_status find_broken(scree_world *world)
{
    const scree_contact_list *list = &world->pairs;
    scree_breaks *found = &world->breaks;
    size_t blocks = scree_block_count(list->count, CANDIDATES_PER_BLOCK);
    scree_status status = SCREE_OK;

    if (scree_memory_reserve(&world->memory, &found->marks, &found->mark_capacity, blocks,
                             sizeof *found->marks))
        return SCREE_OUT_OF_MEMORY;
    break_look look = {&world->rules, list, &world->contacts, found->marks};
    scree_workers_run(&world->workers, blocks, look_at_block, &look);
    for (size_t block = 0; block < blocks; block++) {
        size_t end = scree_block_end(block, CANDIDATES_PER_BLOCK, list->count);
        for (size_t c = block * CANDIDATES_PER_BLOCK; found->marks[block] && c < end && !status;
             c++) {
            int fate = fate_of(&world->rules, list, &world->contacts, c);
            if (fate > SCREE_BOND_INTACT)
                status = note(found, &world->bodies, &world->cell.next, list->first[c][0],
                              list->second[c][0], fate);
        }
    }
    return status;
}

/*  Finds bonds of pairs that were in the list before this step and are no longer. Slots are the present ones.
    SCREE_OUT_OF_MEMORY. */
static scree_status find_parted(scree_breaks *found, const scree_body_arrays *bodies,
                                const scree_domain *domain, const scree_rules *rules,
                                const scree_contact_list *old, const scree_contact_list *list)
{
    scree_status status = SCREE_OK;

    for (size_t c = 0; c < old->count && !status; c++) {
        uint32_t first = old->first[c][0], second = old->second[c][0];
        if (is_intact(rules, old, c) && scree_contact_list_find(list, first, second) == SIZE_MAX)
            status = note(found, bodies, domain, first, second, SCREE_BOND_PARTED);
    }
    return status;
}

scree_status scree_breaks_find(scree_world *world)
{
    world->breaks.fresh = 0;
    if (!world->breaks.course.made)
        return SCREE_OK;
    world->breaks.skips_ghosts = world->hooks && world->hooks->share;
    scree_status status = find_broken(world);
    if (!status && world->list_is_new)
        status = find_parted(&world->breaks, &world->bodies, &world->cell.next, &world->rules,
                             &world->spare, &world->pairs);
    if (status)
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY,
                          "world: the list of broken bonds: out of memory");
    return SCREE_OK;
}

static int compare_breaks(const void *a, const void *b)
{
    const scree_break *x = a, *y = b;

    if (x->first_serial != y->first_serial)
        return x->first_serial < y->first_serial ? -1 : 1;
    return (x->second_serial > y->second_serial) - (x->second_serial < y->second_serial);
}

void scree_breaks_accept(scree_world *world)
{
    scree_breaks *breaks = &world->breaks;

    if (breaks->fresh == 0)
        return;
    scree_break *fresh = breaks->list + breaks->count;
    qsort(fresh, breaks->fresh, sizeof *fresh, compare_breaks);
    for (size_t k = 0; k < breaks->fresh; k++) {
        fresh[k].step = world->clock.steps;
        fresh[k].time = world->clock.time;
        breaks->course.broken[fresh[k].cause - SCREE_BREAK_TENSION]++;
    }
    breaks->count += breaks->fresh;
    breaks->fresh = 0;
}

bool scree_bond_course_is_sound(const scree_bond_course *course)
{
    uint64_t left = course->made;

    for (int k = 0; k < 3; k++) {
        if (course->broken[k] > left)
            return false;
        left -= course->broken[k];
    }
    return course->made > 0;
}

void scree_breaks_restore(scree_breaks *breaks, const scree_bond_course *course,
                          const scree_rules *rules, const scree_contact_list *list)
{
    breaks->count = breaks->fresh = 0;
    breaks->course = course ? *course : (scree_bond_course){.made = count_intact(rules, list)};
}

/* ---- interface for hosts ---- */

scree_bond_counts scree_world_bond_counts(const scree_world *world)
{
    scree_bond_counts counts = {0};

    if (!world || !world->breaks.course.made)
        return counts;
    const scree_bond_course *course = &world->breaks.course;
    counts.intact = count_intact(&world->rules, &world->pairs);
    counts.made = course->made;
    counts.by_tension = course->broken[0];
    counts.by_shear = course->broken[1];
    counts.by_distance = course->broken[2];
    counts.broken = counts.by_tension + counts.by_shear + counts.by_distance;
    return counts;
}

scree_status scree_world_breaks(const scree_world *world, const scree_break **breaks, size_t *count)
{
    if (!world || !breaks || !count)
        return SCREE_BAD_ARGUMENT;
    *breaks = world->breaks.list;
    *count = world->breaks.count;
    return SCREE_OK;
}

void scree_world_forget_breaks(scree_world *world)
{
    if (world)
        world->breaks.count = 0;
}
