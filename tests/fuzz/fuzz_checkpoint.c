/*  Any bytes as a checkpoint: first as they are, then with all checksums made right, so that what stands
    behind these is reached too. What is refused must be refused with a reason; a world that comes of it must
    be able to do what worlds do, whatever its numbers are. */
#include "harness/checkpoint_repair.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*  For what must never be, in every build. */
static void insist(bool holds)
{
    if (!holds)
        abort();
}

/* ---- memory, as much as a small machine has ---- */

#define MAX_BYTES ((size_t)64 << 20)

static size_t bytes_held;

static void *take_bytes(size_t bytes, void *user)
{
    void *block;

    (void)user;
    if (bytes > MAX_BYTES - bytes_held)
        return NULL;
    block = malloc(bytes);
    bytes_held += block ? bytes : 0;
    return block;
}

static void give_bytes(void *block, size_t bytes, void *user)
{
    (void)user;
    free(block);
    bytes_held -= bytes;
}

static void *move_bytes(void *block, size_t old_bytes, size_t new_bytes, void *user)
{
    void *moved = take_bytes(new_bytes, user);

    if (!moved)
        return NULL;
    memcpy(moved, block, old_bytes < new_bytes ? old_bytes : new_bytes);
    give_bytes(block, old_bytes, user);
    return moved;
}

static const scree_allocator small_memory = {take_bytes, move_bytes, give_bytes, NULL};

/* ---- what is tried ---- */

static void insist_reason(scree_status status, const scree_error *error)
{
    insist(status == SCREE_BAD_FILE || status == SCREE_OUT_OF_MEMORY ||
           status == SCREE_BAD_ARGUMENT);
    insist(error->status == status && error->text[0] != 0);
}

/*  Steps may be refused, as any may. */
static void insist_lives(scree_world *world)
{
    scree_body_def body = scree_default_body_def();
    scree_snapshot *snapshot;
    const scree_contact *contacts;
    scree_wall_id walls[4];
    scree_wall wall;
    size_t count;

    (void)scree_world_energy(world);
    (void)scree_world_totals(world);
    (void)scree_world_contacts(world, NULL, &contacts, &count);
    (void)scree_world_step(world, 2);
    body.shape = scree_shape_sphere(0.1);
    body.material.index1 = 1;
    (void)scree_world_add_body(world, &body, NULL);
    (void)scree_world_add_body(world, &body, NULL);
    if (scree_world_walls(world, walls, 4) > 0) {
        (void)scree_world_get_wall(world, walls[0], &wall);
        (void)scree_world_remove_wall(world, walls[0]);
    }
    if (scree_world_body_count(world) > 0)
        insist(scree_world_remove_body(world, scree_body_id_at(scree_world_bodies(world).id, 0)) ==
               SCREE_OK);
    (void)scree_world_step(world, 1);
    if (scree_world_snapshot(world, &snapshot) == SCREE_OK) {
        insist(scree_world_restore(world, snapshot) != SCREE_BAD_ARGUMENT);
        scree_snapshot_destroy(snapshot);
    }
}

static void try_world(const scree_checkpoint *checkpoint)
{
    scree_world_def hooks = scree_default_world_def();
    scree_error error = {SCREE_OK, ""};
    scree_world *world;
    scree_status status;

    hooks.hooks.allocator = small_memory;
    status = scree_checkpoint_build(checkpoint, &hooks, &world, &error);
    insist((status == SCREE_OK) == (world != NULL));
    if (status) {
        insist_reason(status, &error);
        return;
    }
    insist(scree_checkpoint_restore(checkpoint, world, &error) != SCREE_BAD_ARGUMENT);
    insist_lives(world);
    scree_world_destroy(world);
}

static void try_bytes(const uint8_t *data, size_t size)
{
    scree_checkpoint *checkpoint;
    scree_error error = {SCREE_OK, ""};
    scree_status status =
        scree_checkpoint_read_bytes(data, size, &small_memory, &checkpoint, &error);
    scree_checkpoint_section section;
    scree_checkpoint_part part;

    insist((status == SCREE_OK) == (checkpoint != NULL));
    if (status) {
        insist_reason(status, &error);
        return;
    }
    for (size_t k = 0; scree_checkpoint_section_at(checkpoint, k, &section); k++)
        insist(section.offset + section.row_bytes * section.rows <= size);
    for (size_t k = 0; scree_checkpoint_part_at(checkpoint, k, &part); k++)
        insist(part.bytes <= size);
    insist(scree_checkpoint_describe(checkpoint).file_bytes == size);
    try_world(checkpoint);
    scree_checkpoint_destroy(checkpoint);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = calloc(size ? size : 1, 1);

    if (!copy)
        return 0;
    if (size)
        memcpy(copy, data, size);
    try_bytes(copy, size);
    repair_checksums(copy, size);
    try_bytes(copy, size);
    free(copy);
    insist(bytes_held == 0);
    return 0;
}
