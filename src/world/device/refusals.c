/*  What devices do not support. */
#include "law/formula_law.h"
#include "law/law_builtin.h"
#include "world/boundaries/wall_servo.h"
#include "world/device/device_data.h"

#include <stdio.h>
#include <string.h>

/*  List of reasons. */
typedef struct refusals
{
    char *text;
    size_t bytes, length, count;
} refusals;

static void add(refusals *to, bool is_so, const char *what)
{
    int more;

    if (!is_so)
        return;
    more = snprintf(to->text + to->length, to->bytes - to->length, "%s%s", to->count ? "; " : "",
                    what);
    if (more > 0)
        to->length +=
            (size_t)more < to->bytes - to->length ? (size_t)more : to->bytes - to->length - 1;
    to->count++;
}

static void look_at_steps(const scree_world *world, refusals *to)
{
    const scree_world_def *def = &world->def;

    add(to, def->dimensions != 3, "two dimensions");
    add(to, def->step.integrator != SCREE_VELOCITY_VERLET,
        "an integrator other than velocity Verlet");
    add(to, def->step.mode != SCREE_TIME_FIXED, "a time step that is not fixed");
    add(to, def->step.local_steps != 0, "local steps");
    add(to, def->energy_balance, "an energy balance");
    add(to, def->events, "lists of events");
    add(to, def->detection.audit != 0, "audits of detection");
    add(to, world->force != NULL, "a force function of the host");
    add(to, world->rates != NULL, "rates of bodies");
}

static void look_at_cell(const scree_world *world, refusals *to)
{
    bool has_boundary = false;

    for (int k = 0; k < 3; k++)
        has_boundary |= world->def.domain.boundary[k] != SCREE_BOUNDARY_NONE &&
                        world->def.domain.boundary[k] != SCREE_BOUNDARY_PERIODIC;
    add(to, has_boundary, "boundaries that are not periodic");
    add(to, world->cell.drive.is_on, "a cell with a servo");
}

static void look_at_bodies(const scree_world *world, refusals *to)
{
    const scree_body_arrays *bodies = &world->bodies;
    uint64_t least = UINT64_MAX, most = 0;

    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        uint64_t serial = bodies->serial[slot][0];
        least = serial < least ? serial : least;
        most = serial > most ? serial : most;
    }
    add(to, bodies->nonspheres != 0, "bodies that are no spheres");
    add(to, bodies->nonspheres == 0 && bodies->odd != 0,
        "frozen components, ghosts or uneven inertia");
    add(to, bodies->special != 0 && bodies->odd == 0, "groups and masks of bodies");
    add(to, bodies->loaded != 0, "loads on bodies");
    add(to, bodies->count && most - least >= UINT32_MAX, "numbers of bodies that are 4e9 apart");
    add(to, world->heat.is_on, "heat");
    add(to, world->ambient.has_fluid, "a fluid");
    add(to, world->ambient.field_count != 0, "force fields");
    add(to, world->sleep.is_on, "bodies that sleep");
    add(to, world->joints.count != 0, "joints");
}

static bool plane_may_turn(const scree_wall_record *wall)
{
    const scree_wall_path *path = &wall->def.path;

    bool turns = path->rate != 0 || path->function;

    for (size_t k = 0; k < path->part_count; k++)
        turns |= path->parts[k].kind == SCREE_PATH_SPIN || path->parts[k].kind == SCREE_PATH_ROCK;
    return wall->path_moves && turns;
}

static void look_at_walls(const scree_world *world, refusals *to)
{
    bool has_function = false, has_servo = false, is_free = false, turns = false,
         has_groups = false;

    for (size_t w = 0; w < world->walls.count; w++) {
        const scree_wall_record *wall = &world->walls.wall[w];
        has_function |=
            wall->def.kind != SCREE_WALL_PLANE && wall->path_moves && wall->def.path.function;
        has_servo |= wall->has_servo;
        is_free |= wall->is_free;
        turns |= wall->def.kind == SCREE_WALL_PLANE && plane_may_turn(wall);
        has_groups |= wall->def.groups != 1 || wall->def.mask != UINT64_MAX;
    }
    add(to, has_function, "walls of triangles that a function of the host moves");
    add(to, has_servo, "walls with servos");
    add(to, is_free, "free walls");
    add(to, scree_walls_wear(&world->walls), "walls that wear");
    add(to, turns, "planes that turn, or that a function of the host moves");
    add(to, has_groups, "groups and masks of walls");
}

static void look_at_laws(const scree_world *world, refusals *to)
{
    const scree_rules *rules = &world->rules;
    bool has_own = false, has_formulas = false, has_refused = false, has_bonds = false;

    for (size_t s = 1; s < rules->slot_count; s++) {
        has_refused |= rules->slots[s].refused;
        has_bonds |= rules->slots[s].persistent != SCREE_LASTS_NOT;
        has_formulas |= scree_formula_law_of(rules->slots[s].law) != NULL;
        has_own |= !scree_formula_law_of(rules->slots[s].law) && !rules->slots[s].refused &&
                   rules->slots[s].persistent == SCREE_LASTS_NOT &&
                   scree_device_formula_of(world, &rules->slots[s]) < 0;
    }
    add(to, has_own, "laws of the host");
    add(to, has_formulas, "laws written as formulas");
    add(to, has_bonds || world->breaks.course.made, "bonds");
    add(to, has_refused, "materials that a law refuses");
    add(to, rules->uses_groups, "rules that go by groups");
    add(to, world->pairs.has_pairs_without_law, "contacts by a law that was replaced");
}

/*  A contact that would begin with another interaction than its present one is not supported. */
static void look_at_contacts(const scree_world *world, refusals *to)
{
    const scree_contact_list *list = &world->pairs;
    const scree_wall_contact_list *walls = &world->wall_contacts.now;
    const scree_body_arrays *bodies = &world->bodies;
    bool has_older = false;

    for (size_t c = 0; c < list->count && !has_older; c++) {
        if (!list->touches[c][0])
            continue;
        uint32_t first = list->first[c][0], second = list->second[c][0];
        has_older =
            scree_rules_find(&world->rules, SCREE_CONTACT_BODIES, bodies->material[first][0],
                             bodies->material[second][0], bodies->groups[first][0],
                             bodies->groups[second][0]) != list->slot[c][0];
    }
    for (size_t c = 0; c < walls->count && !has_older; c++) {
        uint32_t slot = walls->body[c][0], w = walls->wall[c][0];
        if (slot == UINT32_MAX || w == UINT32_MAX)
            continue;
        const scree_wall_def *wall = &world->walls.wall[w].def;
        has_older = scree_rules_find(&world->rules, SCREE_CONTACT_WALLS, bodies->material[slot][0],
                                     wall->material.index1, bodies->groups[slot][0],
                                     wall->groups) != walls->slot[c][0];
    }
    add(to, has_older && !list->has_pairs_without_law, "contacts by a law that was replaced");
}

size_t scree_device_list_refusals(const scree_world *world, char *text, size_t bytes)
{
    refusals to = {.text = text, .bytes = bytes};

    text[0] = '\0';
    look_at_steps(world, &to);
    look_at_cell(world, &to);
    look_at_bodies(world, &to);
    look_at_walls(world, &to);
    look_at_laws(world, &to);
    if (to.count == 0)
        look_at_contacts(world, &to);
    return to.count;
}
