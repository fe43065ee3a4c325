/*  Creates a world from a checkpoint. */
#include "io/checkpoint_format.h"

#include "base/error.h"
#include "base/sized_definition.h"

#include <inttypes.h>

static scree_status fail_with(const scree_checkpoint *c, scree_status status, const char *text,
                              scree_error *error)
{
    return scree_fail(error, status, "%s: %s", c->name, text);
}

/*  Any error except lack of memory is the file's. */
static scree_status refuse_file(scree_status status)
{
    return status == SCREE_OUT_OF_MEMORY ? status : SCREE_BAD_FILE;
}

/*  Settings are valid if a world can be created with them and reports the same. */
static scree_status check_physics(const scree_checkpoint *c, const scree_allocator *allocator,
                                  scree_error *error)
{
    const scree_physics *physics = scree_snapshot_rows(&c->snapshot, "physics");
    scree_world_def def = scree_default_world_def();
    scree_error why = {SCREE_OK, ""};
    scree_physics has;
    scree_world *trial;
    scree_status status;

    def.detection.method = "flat";
    def.hooks.allocator = *allocator;
    def.hooks.error = &why;
    scree_snapshot_apply_physics(&c->snapshot, &def);
    status = scree_world_create(&def, &trial);
    scree_world_destroy(trial);
    if (status)
        return scree_fail(error, refuse_file(status), "%s: section \"state.physics\": %s", c->name,
                          why.text);
    has = scree_physics_of(&def);
    has.integrator |= physics->integrator & (uint64_t)SCREE_PRECISION_WITH_FLOATS << 8;
    return memcmp(&has, physics, sizeof has) == 0
               ? SCREE_OK
               : fail_with(c, SCREE_BAD_FILE, "section \"state.physics\": an impossible number",
                           error);
}

/*  All ways in which a snapshot can be invalid, with a status for the first kind: of the file or of the world. */
static scree_status check_state(const scree_checkpoint *c, scree_world *world,
                                scree_status mismatch, scree_error *error)
{
    scree_error why = {SCREE_OK, ""};
    scree_memory memory;
    scree_status status;

    scree_memory_init(&memory, &world->memory.allocator);
    status = scree_snapshot_check(world, &c->snapshot, &why) ? mismatch : SCREE_OK;
    if (!status)
        status = scree_checkpoint_check_values(world, &c->snapshot, &memory, &why);
    return status ? fail_with(c, status, why.text, error) : SCREE_OK;
}

/*  Such a state is from a world in double precision, so the contact history was double as well. */
static void tell_of_floats(const scree_checkpoint *c, const scree_world *world)
{
    if (scree_physics_precision(scree_snapshot_rows(&c->snapshot, "physics")) ==
        SCREE_PRECISION_WITH_FLOATS)
        scree_log_write(
            &world->def.hooks.log, SCREE_LOG_WARNING, SCREE_LOG_REMOVED,
            "%s: it was written in mixed precision, which was removed: the world continues "
            "in double precision",
            c->name);
}

static scree_status restore(const scree_checkpoint *c, scree_world *world, scree_error *error)
{
    scree_status status = scree_world_restore(world, &c->snapshot);

    if (status)
        return fail_with(c, refuse_file(status), scree_world_message(world), error);
    tell_of_floats(c, world);
    return SCREE_OK;
}

static scree_status fill_world(const scree_checkpoint *c, scree_world *world, scree_error *error)
{
    scree_error why = {SCREE_OK, ""};
    scree_status status = scree_definitions_apply(&c->definitions, &c->snapshot, world, &why);

    if (status)
        return fail_with(c, status, why.text, error);
    status = check_state(c, world, SCREE_BAD_FILE, error);
    return status ? status : restore(c, world, error);
}

scree_status scree_checkpoint_build(const scree_checkpoint *checkpoint,
                                    const scree_world_def *hooks, scree_world **world,
                                    scree_error *error)
{
    scree_world_def def = scree_default_world_def();
    scree_memory memory;
    scree_status status;

    *world = NULL;
    if (hooks && !scree_definition_read(&def, hooks))
        return scree_fail(error, SCREE_BAD_DEF,
                          "world def: it is not from scree_default_world_def");
    def.hooks.error = error;
    if (scree_memory_init(&memory, &def.hooks.allocator))
        return scree_fail(error, SCREE_BAD_DEF, "world def: allocator lacks a function");
    status = check_physics(checkpoint, &memory.allocator, error);
    if (status)
        return status;
    scree_snapshot_apply_physics(&checkpoint->snapshot, &def);
    status = scree_world_create(&def, world);
    if (status)
        return status;
    status = fill_world(checkpoint, *world, error);
    if (status) {
        scree_world_destroy(*world);
        *world = NULL;
    }
    return status;
}

static bool has_sizes(const scree_checkpoint *c)
{
    scree_checkpoint_about found = *c->about;

    scree_checkpoint_set_sizes(&found, &c->snapshot);
    return memcmp(&found, c->about, sizeof found) == 0;
}

/*  The digest covers all that decides the future. Energies also cover contacts with walls and the energy terms. */
static scree_status compare_world(const scree_checkpoint *c, scree_world *world, scree_error *error)
{
    /* with the precision of the file, which the world no longer has */
    uint64_t digest = scree_world_digest_with(world, scree_snapshot_rows(&c->snapshot, "physics"));
    const scree_energy energy = scree_world_energy(world);

    if (digest != c->about->digest)
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s: the world made from it has the digest %016" PRIx64
                          ", the one that was written had %016" PRIx64,
                          c->name, digest, c->about->digest);
    if (!has_sizes(c) || memcmp(&energy, c->about->energy, sizeof energy) != 0)
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s: the world made from it has another mass, other radii or other "
                          "energies than section \"about\" "
                          "(from byte %" PRIu64 ") says",
                          c->name, c->rows[SCREE_CHECKPOINT_ABOUT].offset);
    return SCREE_OK;
}

scree_status scree_checkpoint_world(const scree_checkpoint *checkpoint,
                                    const scree_world_def *hooks, scree_world **world,
                                    scree_error *error)
{
    scree_status status;

    if (!world)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "checkpoint: world is NULL");
    *world = NULL;
    if (!checkpoint)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "checkpoint: checkpoint is NULL");
    status = scree_checkpoint_build(checkpoint, hooks, world, error);
    if (!status)
        status = compare_world(checkpoint, *world, error);
    if (status) {
        scree_world_destroy(*world);
        *world = NULL;
    }
    return status;
}

/*  A world with another number of dimensions is refused. */
static scree_status take_solids(const scree_checkpoint *c, scree_world *world, scree_error *error)
{
    const scree_physics *physics = scree_snapshot_rows(&c->snapshot, "physics");
    scree_error why = {SCREE_OK, ""};
    scree_status status = SCREE_OK;

    if (physics->dimensions == (uint64_t)world->def.dimensions)
        status = scree_definitions_take_shapes(&c->definitions, &c->snapshot,
                                               &world->shape_finder.meshes, &why);
    return status ? fail_with(c, status, why.text, error) : SCREE_OK;
}

scree_status scree_checkpoint_restore(const scree_checkpoint *checkpoint, scree_world *world,
                                      scree_error *error)
{
    scree_status status;

    if (!checkpoint || !world)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "checkpoint: there is no %s",
                          checkpoint ? "world" : "checkpoint");
    status = take_solids(checkpoint, world, error);
    if (!status)
        status = check_state(checkpoint, world, SCREE_BAD_ARGUMENT, error);
    if (!status)
        status = check_physics(checkpoint, &world->memory.allocator, error);
    return status ? status : restore(checkpoint, world, error);
}
