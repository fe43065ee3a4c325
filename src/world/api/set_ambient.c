/*  Sets and reads the fluid and force fields. */
#include "base/exact_sum.h"
#include "base/sized_definition.h"
#include "world/state/ambient.h"
#include "world/step/world_data.h"

/*  What fluid and fields exert now counts from the next step on: forces are evaluated again before it. */
static void forget_forces(scree_world *world)
{
    world->clock.unprimed = 1;
    scree_sleep_forget(&world->sleep);
}

/*  With an energy balance bodies have a column for work. It stays when fluid and fields are gone, as the work does. */
static scree_status keep_work(scree_world *world)
{
    if (!world->def.energy_balance || !scree_bodies_keep(&world->bodies, SCREE_KEEP_AMBIENT))
        return SCREE_OK;
    return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: work of a fluid: %s",
                      scree_status_name(SCREE_OUT_OF_MEMORY));
}

/* ---- the fluid ---- */

scree_status scree_world_set_fluid(scree_world *world, const scree_fluid_def *def)
{
    scree_fluid made = {0};
    scree_status status = SCREE_OK;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    if (def)
        status = scree_fluid_make(def, world->def.dimensions, &world->memory, &made, &world->error);
    if (!status && def) {
        status = keep_work(world);
        if (status)
            scree_fluid_free(&made, &world->memory);
    }
    if (status)
        return status;
    scree_fluid_free(&world->ambient.fluid, &world->memory);
    world->ambient.fluid = made;
    world->ambient.has_fluid = def != NULL;
    forget_forces(world);
    return SCREE_OK;
}

bool scree_world_read_fluid(const scree_world *world, scree_fluid_def *def, size_t size)
{
    const bool is_on = world && world->ambient.has_fluid;
    const scree_fluid_def own = is_on ? world->ambient.fluid.def : scree_default_fluid_def();

    scree_definition_write(def, size, &own, sizeof own);
    return is_on;
}

/* ---- force fields ---- */

scree_status scree_world_add_force_field(scree_world *world, const scree_force_field_def *def)
{
    scree_force_field made;
    scree_status status;

    if (!world || !def)
        return SCREE_BAD_ARGUMENT;
    if (world->ambient.field_count == SCREE_MAX_FORCE_FIELDS)
        return scree_fail(&world->error, SCREE_TOO_LARGE,
                          "force field def: the world has %d force fields, more is not possible; "
                          "add formulas of several fields into one",
                          SCREE_MAX_FORCE_FIELDS);
    status = scree_force_field_make(def, &world->memory, &made, &world->error);
    if (status)
        return status;
    status = keep_work(world);
    if (status) {
        scree_force_field_free(&made, &world->memory);
        return status;
    }
    world->ambient.field[world->ambient.field_count++] = made;
    forget_forces(world);
    return SCREE_OK;
}

void scree_world_clear_force_fields(scree_world *world)
{
    if (!world || !world->ambient.field_count)
        return;
    scree_ambient_clear_fields(&world->ambient, &world->memory);
    forget_forces(world);
}

uint32_t scree_world_force_field_count(const scree_world *world)
{
    return world ? world->ambient.field_count : 0;
}

scree_status scree_world_read_force_field(const scree_world *world, uint32_t index,
                                          scree_force_field_def *def, size_t size)
{
    if (!world || !def || index >= world->ambient.field_count)
        return SCREE_BAD_ARGUMENT;
    scree_definition_write(def, size, &world->ambient.field[index].def, sizeof *def);
    return SCREE_OK;
}

/* ---- work ---- */

scree_ambient_work scree_world_ambient_work(const scree_world *world)
{
    scree_ambient_work work = {0};
    scree_exact_sum fluid, fields;

    if (!world)
        return work;
    scree_exact_clear(&fluid);
    scree_exact_clear(&fields);
    scree_exact_add(&fluid, world->ambient.work.fluid);
    scree_exact_add(&fields, world->ambient.work.fields);
    for (uint32_t slot = 0; world->bodies.keeps[SCREE_KEEP_AMBIENT] && slot < world->bodies.count;
         slot++) {
        scree_exact_add(&fluid, world->bodies.ambient[slot][SCREE_AMBIENT_FLUID_WORK]);
        scree_exact_add(&fields, world->bodies.ambient[slot][SCREE_AMBIENT_FIELD_WORK]);
    }
    work.fluid = scree_exact_value(&fluid);
    work.fields = scree_exact_value(&fields);
    return work;
}
