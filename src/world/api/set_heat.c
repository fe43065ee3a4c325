/*  Turns heat on and off, and sets and reads temperatures. The flow of heat is in heat_flow.c. */
#include "base/check_numbers.h"
#include "base/exact_sum.h"
#include "base/sized_definition.h"
#include "world/state/body_heat.h"
#include "world/step/world_data.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define HEAT_COOKIE 0x4ea70001u
#define MATERIAL_HEAT_COOKIE 0x4ea70002u

void scree_init_heat_def(scree_heat_def *def, size_t size)
{
    static const scree_heat_def own = {
        .cookie = HEAT_COOKIE, .size = sizeof(scree_heat_def), .temperature = 293.15};

    scree_definition_write(def, size, &own, sizeof own);
}

void scree_init_material_heat_def(scree_material_heat_def *def, size_t size)
{
    static const scree_material_heat_def own = {.cookie = MATERIAL_HEAT_COOKIE,
                                                .size = sizeof(scree_material_heat_def)};

    scree_definition_write(def, size, &own, sizeof own);
}

/* ---- on and off ---- */

static scree_status check_heat_def(const scree_heat_def *def, bool has_energy_balance,
                                   scree_error *error)
{
    if (!scree_is_temperature(def->temperature))
        return scree_refuse_number(error, "heat def", "temperature", def->temperature,
                                   "0 to 1e9 K");
    if (!(def->loss_share >= 0 && def->loss_share <= 1))
        return scree_refuse_number(error, "heat def", "loss_share", def->loss_share, "0 to 1");
    if (def->loss_share > 0 && !has_energy_balance)
        return scree_fail(
            error, SCREE_BAD_ARGUMENT,
            "heat def: loss_share is %g, but the world keeps no energy balance, which knows "
            "what contacts lose",
            def->loss_share);
    return SCREE_OK;
}

static void forget_heat(scree_heat *heat, scree_memory *memory, scree_body_arrays *bodies,
                        scree_walls *walls)
{
    const scree_wall_heat none = {0};
    const uint64_t changes = heat->changes;

    scree_heat_free(heat, memory);
    heat->changes = changes + 1;
    scree_bodies_drop(bodies, SCREE_KEEP_HEAT);
    for (size_t w = 0; w < walls->count; w++)
        walls->wall[w].heat = none;
}

scree_status scree_world_set_heat(scree_world *world, const scree_heat_def *def)
{
    scree_heat_def own = scree_default_heat_def();
    scree_status status;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    if (!def) {
        forget_heat(&world->heat, &world->memory, &world->bodies, &world->walls);
        return SCREE_OK;
    }
    if (!scree_definition_read(&own, def))
        return scree_fail(&world->error, SCREE_BAD_DEF,
                          "heat def: the definition is not from scree_default_heat_def");
    status = check_heat_def(&own, world->def.energy_balance, &world->error);
    if (status)
        return status;
    if (scree_bodies_keep(&world->bodies, SCREE_KEEP_HEAT))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: temperatures: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    world->heat.changes++;
    world->heat.course.temperature = own.temperature;
    world->heat.course.loss_share = own.loss_share;
    if (world->heat.is_on)
        return SCREE_OK;
    world->heat.is_on = true;
    for (uint32_t slot = 0; slot < world->bodies.count; slot++)
        scree_heat_enter(&world->heat, &world->bodies, slot);
    return SCREE_OK;
}

bool scree_world_read_heat(const scree_world *world, scree_heat_def *def, size_t size)
{
    const bool is_on = world && world->heat.is_on;
    scree_heat_def own = scree_default_heat_def();

    if (is_on) {
        own.temperature = world->heat.course.temperature;
        own.loss_share = world->heat.course.loss_share;
    }
    scree_definition_write(def, size, &own, sizeof own);
    return is_on;
}

static scree_status require_heat(const scree_heat *heat, scree_error *error)
{
    return heat->is_on ? SCREE_OK
                       : scree_fail(error, SCREE_BAD_ARGUMENT,
                                    "world: it has no heat: scree_world_set_heat turns it on");
}

/* ---- materials ---- */

static scree_status check_material_heat(const scree_material_heat_def *heat, scree_error *error)
{
    const struct
    {
        const char *name;
        double value;
    } numbers[] = {
        {"conductivity", heat->conductivity}, {"capacity", heat->capacity}, {"young", heat->young}};

    for (size_t k = 0; k < SCREE_COUNT_OF(numbers); k++)
        if (!scree_is_heat_of_material(numbers[k].value))
            return scree_refuse_number(error, "material heat", numbers[k].name, numbers[k].value,
                                       "0 to 1e100");
    return SCREE_OK;
}

/*  Reserves rows up to this index1. */
static scree_status reserve_materials(scree_heat *heat, scree_memory *memory, size_t wanted,
                                      scree_error *error)
{
    if (wanted <= heat->material_count)
        return SCREE_OK;
    if (scree_memory_reserve(memory, &heat->material, &heat->material_capacity, wanted,
                             sizeof *heat->material))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "world: heat of materials: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    memset(heat->material + heat->material_count, 0,
           (wanted - heat->material_count) * sizeof *heat->material);
    heat->material_count = wanted;
    return SCREE_OK;
}

/*  Keeps the heat balance closed: a new heat capacity changes the heat of all bodies of the material at constant
    temperature. */
static void book_material(scree_heat_course *course, const scree_body_arrays *bodies,
                          uint32_t index1, double change)
{
    scree_exact_sum sum;

    scree_exact_clear(&sum);
    for (uint32_t slot = 0; change != 0 && slot < bodies->count; slot++)
        if (bodies->material[slot][0] == index1 && !(bodies->flags[slot][0] & SCREE_GHOST))
            scree_exact_add(&sum, bodies->inertia[slot][3] * change *
                                      bodies->heat[slot][SCREE_HEAT_TEMPERATURE]);
    scree_heat_book(course, scree_exact_value(&sum));
}

scree_status scree_world_set_material_heat(scree_world *world, scree_material_id id,
                                           const scree_material_heat_def *heat)
{
    scree_heat_material *row;
    scree_status status;

    if (!world || !heat)
        return SCREE_BAD_ARGUMENT;
    status = require_heat(&world->heat, &world->error);
    if (!status && (id.index1 == 0 || id.index1 > world->rules.material_count))
        status = scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                            "material heat: material is %u, must be 1 to %zu", id.index1,
                            world->rules.material_count);
    scree_material_heat_def own = scree_default_material_heat_def();
    if (!status && !scree_definition_read(&own, heat))
        status = scree_fail(&world->error, SCREE_BAD_DEF,
                            "material heat: it is not from scree_default_material_heat_def");
    heat = &own;
    if (!status)
        status = check_material_heat(heat, &world->error);
    if (!status)
        status = reserve_materials(&world->heat, &world->memory, id.index1, &world->error);
    if (status)
        return status;
    row = &world->heat.material[id.index1 - 1];
    book_material(&world->heat.course, &world->bodies, id.index1, heat->capacity - row->capacity);
    *row = (scree_heat_material){heat->conductivity, heat->capacity, heat->young};
    world->heat.changes++;
    return SCREE_OK;
}

/* ---- bodies ---- */

scree_status scree_world_get_body_heat(const scree_world *world, scree_body_id id,
                                       scree_body_heat *heat)
{
    size_t slot = world && world->heat.is_on ? scree_bodies_slot(&world->bodies, id) : SIZE_MAX;
    const double *row;

    if (slot == SIZE_MAX || !heat)
        return SCREE_BAD_ARGUMENT;
    row = world->bodies.heat[slot];
    *heat = (scree_body_heat){
        .temperature = row[SCREE_HEAT_TEMPERATURE],
        .source = row[SCREE_HEAT_SOURCE],
        .is_held = row[SCREE_HEAT_HELD] != 0,
        .flow = row[SCREE_HEAT_FLOW],
        .capacity = scree_heat_capacity(&world->bodies, &world->heat, (uint32_t)slot)};
    return SCREE_OK;
}

scree_status scree_world_set_body_heat(scree_world *world, scree_body_id id,
                                       const scree_body_heat *heat)
{
    size_t slot;
    double *row, before;
    scree_status status;

    if (!world || !heat)
        return SCREE_BAD_ARGUMENT;
    status = require_heat(&world->heat, &world->error);
    if (status)
        return status;
    slot = scree_bodies_slot(&world->bodies, id);
    if (slot == SIZE_MAX)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "body heat: the id names no body (index1 %u)", id.index1);
    if (!scree_is_temperature(heat->temperature))
        return scree_refuse_number(&world->error, "body heat", "temperature", heat->temperature,
                                   "0 to 1e9 K");
    if (!scree_is_usable(heat->source))
        return scree_refuse_number(&world->error, "body heat", "source", heat->source, "finite");
    row = world->bodies.heat[slot];
    before = scree_heat_content(&world->bodies, &world->heat, (uint32_t)slot);
    /* if the temperature stays, so does the rounding remainder */
    if (row[SCREE_HEAT_TEMPERATURE] != heat->temperature)
        row[SCREE_HEAT_REMAINDER] = 0;
    row[SCREE_HEAT_TEMPERATURE] = heat->temperature;
    row[SCREE_HEAT_SOURCE] = heat->source;
    row[SCREE_HEAT_HELD] = heat->is_held;
    scree_heat_change(&world->heat, &world->bodies, (uint32_t)slot, before);
    world->heat.changes++;
    return SCREE_OK;
}

double scree_world_temperature(const scree_world *world, scree_body_id id)
{
    scree_body_heat heat;

    return scree_world_get_body_heat(world, id, &heat) ? (double)NAN : heat.temperature;
}

scree_view scree_world_temperatures(const scree_world *world)
{
    const double(*rows)[SCREE_HEATS] = world && world->heat.is_on && world->bodies.count
                                           ? (const double(*)[SCREE_HEATS])world->bodies.heat
                                           : NULL;

    return scree_doubles(rows ? rows[0] : NULL, sizeof(double[SCREE_HEATS]));
}

/* ---- walls ---- */

scree_status scree_world_get_wall_heat(const scree_world *world, scree_wall_id id,
                                       scree_wall_heat *heat)
{
    size_t place = world && world->heat.is_on ? scree_walls_place(&world->walls, id) : SIZE_MAX;

    if (place == SIZE_MAX || !heat)
        return SCREE_BAD_ARGUMENT;
    *heat = world->walls.wall[place].heat;
    return SCREE_OK;
}

scree_status scree_world_set_wall_heat(scree_world *world, scree_wall_id id,
                                       const scree_wall_heat *heat)
{
    scree_wall_heat *row;
    scree_status status;
    size_t place;

    if (!world || !heat)
        return SCREE_BAD_ARGUMENT;
    status = require_heat(&world->heat, &world->error);
    if (status)
        return status;
    if (scree_walls_find(&world->walls, id, &place, &world->error))
        return SCREE_BAD_ARGUMENT;
    if (heat->is_given && !scree_is_temperature(heat->temperature))
        return scree_refuse_number(&world->error, "wall heat", "temperature", heat->temperature,
                                   "0 to 1e9 K");
    row = &world->walls.wall[place].heat;
    row->is_given = heat->is_given;
    row->temperature = heat->is_given ? heat->temperature : 0;
    world->heat.changes++;
    return SCREE_OK;
}

/* ---- totals ---- */

typedef struct heat_sums
{
    scree_exact_sum content, capacity, walls, sources, losses;
} heat_sums;

/*  Heat that has flowed to a ghost counts as removed by what holds its temperature. */
static void add_heat_of_body(const scree_heat *heat, const scree_body_arrays *bodies, uint32_t slot,
                             heat_sums *sums, scree_heat_totals *totals)
{
    const double *row = bodies->heat[slot];
    double temperature = row[SCREE_HEAT_TEMPERATURE],
           capacity = scree_heat_capacity(bodies, heat, slot);

    scree_exact_add(&sums->walls, row[SCREE_HEAT_WALLS]);
    scree_exact_add(&sums->sources, row[SCREE_HEAT_SOURCES]);
    scree_exact_add(&sums->losses, row[SCREE_HEAT_LOSSES]);
    if (bodies->flags[slot][0] & SCREE_GHOST)
        return;
    scree_exact_add(&sums->content, capacity * temperature);
    scree_exact_add(&sums->content, capacity * row[SCREE_HEAT_REMAINDER]);
    scree_exact_add(&sums->capacity, capacity);
    totals->lowest = temperature < totals->lowest ? temperature : totals->lowest;
    totals->highest = temperature > totals->highest ? temperature : totals->highest;
}

scree_heat_totals scree_world_heat(const scree_world *world)
{
    scree_heat_totals totals = {0};
    const scree_heat_course *course;
    heat_sums sums;
    double capacity;

    if (!world || !world->heat.is_on)
        return totals;
    course = &world->heat.course;
    scree_exact_clear(&sums.content);
    scree_exact_clear(&sums.capacity);
    scree_exact_clear(&sums.walls);
    scree_exact_clear(&sums.sources);
    scree_exact_clear(&sums.losses);
    totals.lowest = INFINITY;
    totals.highest = 0;
    for (uint32_t slot = 0; slot < world->bodies.count; slot++)
        add_heat_of_body(&world->heat, &world->bodies, slot, &sums, &totals);
    if (totals.lowest == INFINITY)
        totals.lowest = 0;
    capacity = scree_exact_value(&sums.capacity);
    totals.is_on = true;
    totals.content = scree_exact_value(&sums.content);
    totals.mean = capacity > 0 ? totals.content / capacity : 0;
    totals.walls = scree_exact_value(&sums.walls) + course->walls;
    totals.sources = scree_exact_value(&sums.sources) + course->sources;
    totals.losses = scree_exact_value(&sums.losses) + course->losses;
    totals.losses_to_walls = course->to_walls;
    totals.entered = course->entered;
    totals.removed = course->removed;
    totals.stable_dt = course->stable > 0 ? course->stable : (double)INFINITY;
    totals.pieces = (uint32_t)course->pieces;
    return totals;
}
