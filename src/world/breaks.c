/*  Finds what broke by comparing, before a step is taken, what contacts remembered with what they will. A bond whose
    contact is gone has gone beyond its reach in this step. */
#include "world/breaks.h"

#include "base/vector.h"
#include "world/domain.h"
#include "world/law_builtin.h"
#include "world/rule_row.h"
#include "world/world_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int state_of(const scree_world *world, const scree_contact_set *set, uint32_t number)
{
    const scree_law *law = world->rules.slots[set->slot[number - 1]].law;

    if (!law || !scree_law_has_bonds(law))
        return SCREE_BOND_NONE;
    return (int)set->remembered[SCREE_BOND_STATE][number - 1];
}

static uint64_t count_intact(const scree_world *world)
{
    uint64_t count = 0;

    for (size_t c = 0; c < world->pairs.count; c++) {
        uint32_t number = world->pairs.number[c][0];
        count += number && state_of(world, &world->contacts.now, number) == SCREE_BOND_INTACT;
    }
    return count;
}

int scree_contact_bond_state(const scree_world *world, const scree_contact *contact)
{
    if (!contact->second.index1 || contact->memory_count <= SCREE_BOND_STATE ||
        !scree_law_has_bonds(&world->rules.rules[contact->rule]->law))
        return SCREE_BOND_NONE;
    return (int)contact->memory[SCREE_BOND_STATE];
}

scree_break_cause scree_break_cause_of(int state)
{
    return state <= SCREE_BOND_INTACT    ? SCREE_BREAK_NONE
           : state == SCREE_BOND_TORN    ? SCREE_BREAK_TENSION
           : state == SCREE_BOND_SHEARED ? SCREE_BREAK_SHEAR
                                         : SCREE_BREAK_DISTANCE;
}

static scree_status note(scree_world *world, uint32_t first, uint32_t second, int state)
{
    const scree_crowd *bodies = &world->bodies;
    const double *a = bodies->position[first], *b = bodies->position[second];
    scree_breaks *breaks = &world->breaks;
    double step[3], turns[3], length;

    if (scree_memory_reserve(&world->memory, &breaks->list, &breaks->capacity,
                             breaks->count + breaks->fresh + 1, sizeof *breaks->list))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY,
                          "world: the list of broken bonds: out of memory");
    scree_break *broken = &breaks->list[breaks->count + breaks->fresh++];
    memset(broken, 0, sizeof *broken);
    broken->first = bodies->id[first][0];
    broken->second = bodies->id[second][0];
    broken->first_serial = bodies->serial[first][0];
    broken->second_serial = bodies->serial[second][0];
    broken->cause = scree_break_cause_of(state);
    scree_domain_step(&world->cell.next, a, b, step, turns);
    length = sqrt(scree_dot(step, step));
    for (int k = 0; k < 3; k++) {
        broken->normal[k] = length > 0 ? step[k] / length : k == 0;
        broken->point[k] = a[k] + (a[3] + (length - b[3])) / 2 * broken->normal[k];
    }
    return SCREE_OK;
}

/*  Of candidates that there are. */
static scree_status find_broken(scree_world *world)
{
    const scree_contact_list *list = &world->pairs;
    const scree_contact_sets *sets = &world->contacts;
    scree_status status = SCREE_OK;

    for (size_t c = 0; c < list->count && !status; c++) {
        uint32_t old = list->number[c][0], next = list->number_next[c][0];
        if (!old || state_of(world, &sets->now, old) != SCREE_BOND_INTACT)
            continue;
        int state = next ? state_of(world, &sets->next, next) : SCREE_BOND_PARTED;
        if (state != SCREE_BOND_INTACT)
            status = note(world, list->first[c][0], list->second[c][0], state);
    }
    return status;
}

/*  Of candidates that there were before this step; slots are those of now. */
static scree_status find_parted(scree_world *world)
{
    const scree_contact_list *old = &world->spare;
    scree_status status = SCREE_OK;

    for (size_t c = 0; world->list_is_new && c < old->count && !status; c++) {
        uint32_t number = old->number[c][0], first = old->first[c][0], second = old->second[c][0];
        if (number && state_of(world, &world->contacts.now, number) == SCREE_BOND_INTACT &&
            scree_contact_list_find(&world->pairs, first, second) == SIZE_MAX)
            status = note(world, first, second, SCREE_BOND_PARTED);
    }
    return status;
}

scree_status scree_breaks_find(scree_world *world)
{
    world->breaks.fresh = 0;
    if (!world->breaks.course.made)
        return SCREE_OK;
    scree_status status = find_broken(world);
    return status ? status : find_parted(world);
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

void scree_breaks_restore(scree_world *world, const scree_bond_course *course)
{
    scree_breaks *breaks = &world->breaks;

    breaks->count = breaks->fresh = 0;
    breaks->course = course ? *course : (scree_bond_course){.made = count_intact(world)};
}

/* ---- what the host reads ---- */

scree_bond_counts scree_world_bond_counts(const scree_world *world)
{
    scree_bond_counts counts = {0};

    if (!world || !world->breaks.course.made)
        return counts;
    const scree_bond_course *course = &world->breaks.course;
    counts.intact = count_intact(world);
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
