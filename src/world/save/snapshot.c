/*  Takes snapshots: counts what a world has, and makes a block with room for it. */
#include "world/save/snapshot.h"

#include "base/hash.h"
#include "law/law_values.h"
#include "world/boundaries/cell_servo.h"
#include "world/boundaries/free_wall.h"
#include "world/boundaries/wall_servo.h"
#include "world/save/rule_formulas.h"
#include "world/state/path_parts.h"
#include "world/step/world_data.h"

/*  Fails to compile if a contact has a new field: add it to snapshot_write.c and restore.c. */
#define X_COUNT(type, name, n) +1
enum
{
    CONTACT_FIELDS = 0 SCREE_CANDIDATE_FIELDS(X_COUNT) SCREE_EXERTED_FIELDS(X_COUNT),
    SURFACE_FIELDS = 0 SCREE_SURFACE_FIELDS(X_COUNT),
    SHAPE_CONTACT_FIELDS = 0 SCREE_SHAPE_CONTACT_FIELDS(X_COUNT),
};
_Static_assert(CONTACT_FIELDS == 8, "a field of contacts that snapshots do not know");
_Static_assert(SURFACE_FIELDS == 10, "a field of wall contacts that snapshots do not know");
_Static_assert(SHAPE_CONTACT_FIELDS == 12,
               "a field of contacts of triangles that snapshots do not know");
_Static_assert(sizeof(scree_course) % 8 == 0 && sizeof(scree_physics) % 8 == 0, "words alone");
_Static_assert(sizeof(scree_sleep_rule) == 24, "words alone");
_Static_assert(sizeof(scree_ambient_work) == 16, "words alone");
_Static_assert(sizeof(scree_heat_course) == 80 && sizeof(scree_heat_material) == 24, "words alone");

void scree_snapshot_apply_physics(const scree_snapshot *snapshot, scree_world_def *def)
{
    scree_physics_apply(scree_snapshot_rows(snapshot, "physics"),
                        scree_snapshot_rows(snapshot, "picard"), def);
}

static scree_snapshot_head head_of_world(const scree_world *world, const scree_body_arrays *bodies)
{
    scree_snapshot_head head = {
        .magic = {0},
        .endian = SCREE_SNAPSHOT_ENDIAN,
        .version = SCREE_SNAPSHOT_VERSION,
        .bodies = bodies->count,
        .names = bodies->name_count,
        .pairs = bodies->count ? scree_contact_list_touching(&world->pairs) : 0,
        .walls = world->walls.count,
        .planes = world->rules.planes,
        .has_moments = world->rules.has_moments,
        .has_account = world->def.energy_balance,
        .is_stale = world->rows_are_stale,
        .rules_digest = scree_rules_digest(&world->rules),
    };

    memcpy(head.magic, SCREE_SNAPSHOT_MAGIC, sizeof head.magic);
    head.wall_contacts = scree_wall_contact_list_living(&world->wall_contacts.now, bodies->count);
    for (size_t w = 0; w < world->walls.count; w++)
        head.table_rows += world->walls.wall[w].def.path.table_count;
    return head;
}

static scree_shape_data *shape_at(scree_shape_table *meshes, const scree_shape_data *mesh)
{
    return &meshes->mesh[mesh - meshes->mesh];
}

/*  Number of meshes of bodies. Numbers them in the order of bodies; equal meshes count once. */
static uint64_t number_meshes(scree_shape_table *meshes, const scree_body_arrays *bodies,
                              const uint32_t *order)
{
    uint32_t count = 0;

    for (size_t k = 0; k < meshes->count; k++)
        meshes->mesh[k].number = 0;
    for (uint32_t row = 0; bodies->nonspheres && row < bodies->count; row++) {
        uint32_t slot = order[row];
        if (!scree_is_not_sphere(bodies, slot))
            continue;
        scree_shape_data *mesh = shape_at(
            meshes, scree_shape_table_find(meshes, scree_shape_geometry(&bodies->shape[slot][0])));
        scree_shape_data *first =
            shape_at(meshes, scree_shape_table_find_digest(meshes, mesh->digest));
        first->number = first->number ? first->number : ++count;
        mesh->number = first->number;
    }
    return count;
}

/*  Slots in the order of global ids, and the row of each slot. */
static scree_status order_bodies(scree_body_order *order, const scree_body_arrays *bodies,
                                 scree_memory *memory, const scree_workers *workers)
{
    const uint32_t count = bodies->count;
    scree_status status;

    if (count == 0)
        return SCREE_OK;
    if (scree_body_order_reserve(order, memory, count))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t slot = 0; slot < count; slot++) {
        order->key[slot] = bodies->serial[slot][0];
        order->slot[slot] = slot;
    }
    status = scree_body_order_sort(order, memory, workers, count);
    for (uint32_t row = 0; row < count && !status; row++)
        order->key[order->slot[row]] = row;
    return status;
}

static void count_path_parts(const scree_walls *walls, scree_snapshot_tail *tail)
{
    for (size_t w = 0; w < walls->count; w++) {
        const scree_wall_path *path = &walls->wall[w].def.path;
        tail->path_parts += path->part_count;
        tail->path_rows += scree_path_parts_row_count(path->parts, path->part_count);
    }
}

/*  0: none was changed, and the list is not there. */
static size_t count_changed(const scree_rules *rules, scree_value_list list)
{
    return scree_values_are_changed(rules, list) ? scree_values_count(rules, list) : 0;
}

/*  What follows from the world and these bodies, whose order is known. */
static void find_layout(scree_world *world, const scree_body_arrays *bodies,
                        scree_snapshot_head *head, scree_snapshot_tail *tail)
{
    uint64_t at_walls;

    *head = head_of_world(world, bodies);
    *tail = (scree_snapshot_tail){
        .meshes = number_meshes(&world->shape_finder.meshes, bodies, world->order.slot),
        .contacts = scree_shape_contact_list_living(&world->shape_contacts.now, bodies,
                                                    &world->walls, &at_walls),
        .is_implicit = scree_integrator_is_implicit(world->def.step.integrator),
        .has_servos = scree_servos_are_known(&world->walls),
        .has_free_walls = scree_has_free_walls(&world->walls),
        .has_belts = scree_walls_have_belts(&world->walls),
        .wear_rows = scree_walls_wear_rows(&world->walls),
        .has_joints = world->joints.course.made > 0,
        .joints = bodies->count ? world->joints.count : 0,
        .has_cell = world->cell.is_on,
        .has_cell_servo = world->cell.drive.is_on,
        .frictions = count_changed(&world->rules, SCREE_LIST_FRICTION),
        .values = count_changed(&world->rules, SCREE_LIST_OTHER),
        .has_heat = world->heat.is_on,
        .materials = world->rules.material_count,
        .has_bonds = world->breaks.course.made > 0,
        .has_sleep = world->sleep.is_on,
        .formula_bytes = scree_rule_formulas_bytes(&world->rules),
        .ambient_bytes = scree_ambient_packed_bytes(&world->ambient),
        .has_ambient_work = world->bodies.keeps[SCREE_KEEP_AMBIENT]};
    count_path_parts(&world->walls, tail);
}

/*  `with_rows`: otherwise the block ends behind the table. */
static scree_status make_block(const scree_allocator *allocator, const scree_snapshot_head *counts,
                               const scree_snapshot_tail *tail, bool with_rows,
                               scree_snapshot **made)
{
    scree_snapshot_head head = *counts;
    scree_snapshot_section sections[SCREE_SNAPSHOT_SECTIONS];
    scree_snapshot *snapshot;
    scree_memory memory;

    head.section_count = scree_snapshot_lay_out(&head, tail, sections, &head.bytes);
    scree_memory_init(&memory, allocator);
    if (scree_memory_take(&memory, 1, sizeof *snapshot, &snapshot))
        return SCREE_OUT_OF_MEMORY;
    scree_memory_init(&snapshot->memory, allocator);
    const size_t table = head.section_count * sizeof *sections;
    snapshot->bytes = with_rows ? (size_t)head.bytes : sizeof head + table;
    if (scree_memory_take(&snapshot->memory, snapshot->bytes, 1, &snapshot->data)) {
        scree_memory_give(&memory, &snapshot, 1, sizeof *snapshot);
        return SCREE_OUT_OF_MEMORY;
    }
    memset(snapshot->data, 0, snapshot->bytes);
    memcpy(snapshot->data, &head, sizeof head);
    memcpy(snapshot->data + sizeof head, sections, table);
    *made = snapshot;
    return SCREE_OK;
}

scree_status scree_snapshot_make(const scree_allocator *allocator, const scree_snapshot_head *head,
                                 const scree_snapshot_tail *tail, scree_snapshot **snapshot)
{
    return make_block(allocator, head, tail, true, snapshot);
}

scree_status scree_world_snapshot_table(scree_world *world, scree_snapshot **table)
{
    const scree_body_arrays *bodies = &world->bodies;
    scree_snapshot_head head;
    scree_snapshot_tail tail;

    *table = NULL;
    if (order_bodies(&world->order, bodies, &world->memory, &world->workers))
        return SCREE_OUT_OF_MEMORY;
    find_layout(world, bodies, &head, &tail);
    return make_block(&world->memory.allocator, &head, &tail, false, table);
}

static scree_status take_snapshot(scree_world *world, const scree_body_arrays *bodies,
                                  scree_snapshot **snapshot)
{
    scree_snapshot_head head;
    scree_snapshot_tail tail;

    *snapshot = NULL;
    scree_status status = order_bodies(&world->order, bodies, &world->memory, &world->workers);

    if (!status) {
        find_layout(world, bodies, &head, &tail);
        status = scree_snapshot_make(&world->memory.allocator, &head, &tail, snapshot);
    }
    if (status)
        return scree_fail(&world->error, status, "snapshot: %s", scree_status_name(status));
    scree_snapshot_write(world, bodies, *snapshot);
    return SCREE_OK;
}

scree_status scree_world_snapshot(scree_world *world, scree_snapshot **snapshot)
{
    return world && snapshot ? take_snapshot(world, &world->bodies, snapshot) : SCREE_BAD_ARGUMENT;
}

scree_status scree_world_snapshot_surroundings(scree_world *world, scree_snapshot **snapshot)
{
    const scree_body_arrays none = {.memory = world->bodies.memory,
                                    .next_serial = world->bodies.next_serial,
                                    .added = world->bodies.added,
                                    .removed = world->bodies.removed,
                                    .destroyed = world->bodies.destroyed};

    return take_snapshot(world, &none, snapshot);
}

void scree_snapshot_destroy(scree_snapshot *snapshot)
{
    scree_memory memory;

    if (!snapshot)
        return;
    scree_memory_give(&snapshot->memory, &snapshot->data, snapshot->bytes, 1);
    memory.allocator = snapshot->memory.allocator;
    atomic_init(&memory.bytes, sizeof *snapshot);
    scree_memory_give(&memory, &snapshot, 1, sizeof *snapshot);
}

size_t scree_snapshot_bytes(const scree_snapshot *snapshot)
{
    return snapshot ? snapshot->bytes : 0;
}
