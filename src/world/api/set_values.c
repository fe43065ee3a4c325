/*  Values of materials and rules as a host changes them while bodies move. */
#include "law/law_values.h"

#include "base/nearest_name.h"
#include "law/law_table_row.h"
#include "world/state/body_sleep.h"
#include "world/step/world_data.h"

#include <math.h>
#include <string.h>

/* ---- what is wanted ---- */

/*  Both lists as they are, in one block, to be written into. */
typedef struct wish
{
    double *lists[SCREE_VALUE_LISTS];
    size_t count;
} wish;

static scree_status begin_wish(scree_world *world, wish *wanted)
{
    const scree_rules *rules = &world->rules;
    const size_t frictions = scree_values_count(rules, SCREE_LIST_FRICTION);
    double *block;

    wanted->count = frictions + scree_values_count(rules, SCREE_LIST_OTHER);
    if (scree_memory_take(&world->memory, wanted->count, sizeof *block, &block))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "values: out of memory");
    wanted->lists[SCREE_LIST_FRICTION] = block;
    wanted->lists[SCREE_LIST_OTHER] = block ? block + frictions : NULL;
    for (unsigned k = 0; block && k < SCREE_VALUE_LISTS; k++)
        scree_values_read(rules, k, wanted->lists[k]);
    return SCREE_OK;
}

/*  NAN: the original value. Of two zeros +0, so that equal values are equal bits. */
static void wish_for(wish *wanted, const scree_value_place *place, double value)
{
    double *list = wanted->lists[place->list];

    /* a world without values has no lists, and no place either */
    if (list)
        list[place->at] = isnan(value) ? place->given : value + 0.0;
}

static scree_status grant(scree_world *world, wish *wanted)
{
    const double *const lists[] = {wanted->lists[0], wanted->lists[1]};
    const scree_law_reach before = world->rules.reach;
    scree_status status =
        wanted->count ? scree_values_set(&world->rules, lists, &world->error) : SCREE_OK;

    scree_memory_give(&world->memory, &wanted->lists[0], wanted->count, sizeof(double));
    if (status || !wanted->count)
        return status;
    world->clock.unprimed = 1;
    scree_sleep_forget(&world->sleep);
    if (memcmp(&before, &world->rules.reach, sizeof before) != 0) {
        world->needs_search = true;
        scree_wall_contacts_renew_all(&world->wall_contacts, world->bodies.count);
    }
    return SCREE_OK;
}

/* ---- materials ---- */

static const char *next_value_name(const void *list, size_t index)
{
    (void)list;
    return scree_material_value_name(index);
}

static scree_status check_name(const char *name, scree_error *error)
{
    size_t index = 0;

    while (scree_material_value_name(index) && strcmp(scree_material_value_name(index), name) != 0)
        index++;
    if (scree_material_value_name(index))
        return SCREE_OK;
    const char *nearest = scree_nearest_name(name, next_value_name, NULL);
    return scree_fail(
        error, SCREE_BAD_ARGUMENT,
        nearest ? "material: it has no value \"%.40s\" that can change; did you mean \"%s\"?"
                : "material: it has no value \"%.40s\" that can change",
        name, nearest);
}

static scree_status check_material(const scree_rules *rules, scree_material_id material,
                                   const char *name, scree_error *error)
{
    if (material.index1 > rules->material_count)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "%s: there is no material %u, only 1 to %zu",
                          name, material.index1, rules->material_count);
    return SCREE_OK;
}

/*  NAN is the original value, which is right. */
static scree_status check_value(const scree_rules *rules, const wish *wanted, const char *name,
                                double value, scree_error *error)
{
    for (unsigned k = 0; k < SCREE_VALUE_LISTS; k++)
        if (wanted->count && !scree_values_are_sound(rules, k, wanted->lists[k]))
            return scree_fail(error, SCREE_BAD_VALUE, "%s: is %g, which it cannot be", name, value);
    return SCREE_OK;
}

scree_status scree_world_set_material_value(scree_world *world, scree_material_id material,
                                            const char *name, double value)
{
    scree_status status;
    wish wanted = {{NULL, NULL}, 0};
    scree_value_place place;

    if (!world || !name)
        return SCREE_BAD_ARGUMENT;
    const scree_rules *rules = &world->rules;
    if ((status = check_name(name, &world->error)) ||
        (status = check_material(rules, material, name, &world->error)) ||
        (status = begin_wish(world, &wanted)))
        return status;
    for (size_t k = 1; k <= rules->material_count; k++)
        if ((!material.index1 || material.index1 == k) &&
            scree_value_of_material(rules, k, name, &place))
            wish_for(&wanted, &place, value);
    status = check_value(rules, &wanted, name, value, &world->error);
    if (status) {
        scree_memory_give(&world->memory, &wanted.lists[0], wanted.count, sizeof(double));
        return status;
    }
    return grant(world, &wanted);
}

double scree_world_get_material_value(const scree_world *world, scree_material_id material,
                                      const char *name)
{
    scree_value_place place;

    return world && name && scree_value_of_material(&world->rules, material.index1, name, &place)
               ? place.now
               : NAN;
}

/* ---- rules ---- */

scree_status scree_world_set_rule_value(scree_world *world, size_t rule, const char *name,
                                        double value)
{
    scree_status status;
    wish wanted = {{NULL, NULL}, 0};
    scree_value_place place;

    if (!world || !name)
        return SCREE_BAD_ARGUMENT;
    if (rule == 0 || rule >= world->rules.rule_count)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "rule: there is no rule %zu, only 1 to %zu", rule,
                          world->rules.rule_count - 1);
    if (!scree_value_of_rule(&world->rules, rule, name, &place))
        return scree_fail(
            &world->error, SCREE_BAD_ARGUMENT,
            "rule %zu: %.60s is not among its values; only those can change that were "
            "given when it was added",
            rule, name);
    if ((status = begin_wish(world, &wanted)))
        return status;
    wish_for(&wanted, &place, value);
    status = check_value(&world->rules, &wanted, name, value, &world->error);
    if (status) {
        scree_memory_give(&world->memory, &wanted.lists[0], wanted.count, sizeof(double));
        return status;
    }
    return grant(world, &wanted);
}

double scree_world_get_rule_value(const scree_world *world, size_t rule, const char *name)
{
    scree_value_place place;

    return world && name && scree_value_of_rule(&world->rules, rule, name, &place) ? place.now
                                                                                   : NAN;
}

void scree_world_keep_values(scree_world *world)
{
    if (world)
        scree_values_keep(&world->rules);
}

/* ---- friction ---- */

static scree_status check_friction(const scree_rules *rules, scree_material_id material,
                                   double friction, scree_error *error)
{
    scree_status status = check_material(rules, material, "friction", error);

    if (!status && !isnan(friction) && !(friction >= 0 && friction <= SCREE_LARGEST_FRICTION))
        status =
            scree_fail(error, SCREE_BAD_VALUE, "friction: is %g, must be 0 to 1e100", friction);
    return status;
}

scree_status scree_world_set_friction(scree_world *world, scree_material_id material,
                                      double friction)
{
    scree_status status;
    wish wanted = {{NULL, NULL}, 0};
    scree_value_place place;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    const scree_rules *rules = &world->rules;
    if ((status = check_friction(rules, material, friction, &world->error)) ||
        (status = begin_wish(world, &wanted)))
        return status;
    for (size_t k = 1; k <= rules->material_count; k++)
        if ((!material.index1 || material.index1 == k) &&
            scree_value_of_material(rules, k, "friction", &place))
            wish_for(&wanted, &place, friction);
    for (size_t row = 1; !material.index1 && row < rules->rule_count; row++)
        if (scree_value_of_rule(rules, row, "friction", &place) &&
            place.list == SCREE_LIST_FRICTION)
            wish_for(&wanted, &place, friction);
    return grant(world, &wanted);
}

double scree_world_get_friction(const scree_world *world, scree_material_id material)
{
    return scree_world_get_material_value(world, material, "friction");
}
