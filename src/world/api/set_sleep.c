/*  Turns sleep on and off, and reports it. */
#include "base/sized_definition.h"
#include "world/motion/sleep.h"
#include "world/step/world_data.h"

#include <string.h>

#define SLEEP_COOKIE 0x4ea70011u
#define MOST 1e100

void scree_init_sleep_def(scree_sleep_def *def, size_t size)
{
    static const scree_sleep_def own = {
        .cookie = SLEEP_COOKIE, .size = sizeof(scree_sleep_def), .steps = 100};

    scree_definition_write(def, size, &own, sizeof own);
}

static scree_status check_def(const scree_sleep_def *def, const scree_world_def *world_def,
                              scree_error *error)
{
    if (!(def->speed > 0 && def->speed <= MOST))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "sleep def: speed is %g, must be above 0 and at most 1e100 m/s",
                          def->speed);
    if (!(def->acceleration >= 0 && def->acceleration <= MOST))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "sleep def: acceleration is %g, must be 0 to 1e100 m/s^2",
                          def->acceleration);
    if (def->steps == 0)
        return scree_fail(error, SCREE_BAD_VALUE, "sleep def: steps is 0, must be 1 or more");
    if (!scree_sleep_fits(world_def))
        return scree_fail(
            error, SCREE_BAD_ARGUMENT,
            "sleep def: bodies can sleep in explicit steps that are not local, of masses "
            "that are not scaled");
    return SCREE_OK;
}

scree_status scree_world_set_sleep(scree_world *world, const scree_sleep_def *def)
{
    scree_sleep_def own = scree_default_sleep_def();
    scree_status status;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    const uint64_t changes = world->sleep.changes + 1;
    if (!def) {
        scree_sleep_free(&world->sleep, &world->memory);
        world->sleep.changes = changes;
        scree_bodies_drop(&world->bodies, SCREE_KEEP_SLEEP);
        return SCREE_OK;
    }
    if (!scree_definition_read(&own, def))
        return scree_fail(&world->error, SCREE_BAD_DEF,
                          "sleep def: the definition is not from scree_default_sleep_def");
    status = check_def(&own, &world->def, &world->error);
    if (status)
        return status;
    if (world->joints.count)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "sleep def: the world has joints, whose bodies cannot sleep");
    if (scree_bodies_keep(&world->bodies, SCREE_KEEP_SLEEP))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: which bodies sleep: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    for (uint32_t slot = 0; slot < world->bodies.count; slot++)
        memset(world->bodies.sleep[slot], 0, sizeof *world->bodies.sleep);
    scree_sleep_free(&world->sleep, &world->memory);
    world->sleep.changes = changes;
    world->sleep.is_on = true;
    world->sleep.computes_all = own.computes_all;
    world->sleep.rule = (scree_sleep_rule){own.speed, own.acceleration, own.steps};
    return SCREE_OK;
}

bool scree_world_read_sleep(const scree_world *world, scree_sleep_def *def, size_t size)
{
    const bool is_on = world && world->sleep.is_on;
    scree_sleep_def own = scree_default_sleep_def();

    if (is_on) {
        own.speed = world->sleep.rule.speed;
        own.acceleration = world->sleep.rule.acceleration;
        own.steps = (uint32_t)world->sleep.rule.steps;
        own.computes_all = world->sleep.computes_all;
    }
    scree_definition_write(def, size, &own, sizeof own);
    return is_on;
}

bool scree_world_is_asleep(const scree_world *world, scree_body_id id)
{
    size_t slot = world ? scree_bodies_slot(&world->bodies, id) : SIZE_MAX;

    return slot != SIZE_MAX && scree_body_is_asleep(&world->sleep, &world->bodies, (uint32_t)slot);
}

scree_sleep_counts scree_world_sleep_counts(const scree_world *world)
{
    scree_sleep_counts counts = {0};

    if (!world || !world->sleep.is_on)
        return counts;
    counts.fell_asleep = world->sleep.fell;
    counts.woke = world->sleep.woke;
    counts.skipped = world->sleep.spared;
    for (uint32_t slot = 0; slot < world->bodies.count; slot++)
        counts.asleep += scree_body_is_asleep(&world->sleep, &world->bodies, slot);
    return counts;
}
