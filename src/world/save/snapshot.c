/*  Layout of snapshots, taking them, and restoring from them. */
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
    SOLID_FIELDS = 0 SCREE_SOLID_FIELDS(X_COUNT),
};
_Static_assert(CONTACT_FIELDS == 8, "a field of contacts that snapshots do not know");
_Static_assert(SURFACE_FIELDS == 10, "a field of wall contacts that snapshots do not know");
_Static_assert(SOLID_FIELDS == 12, "a field of contacts of triangles that snapshots do not know");
_Static_assert(sizeof(scree_course) % 8 == 0 && sizeof(scree_physics) % 8 == 0, "words alone");
_Static_assert(sizeof(scree_sleep_rule) == 24, "words alone");
_Static_assert(sizeof(scree_heat_course) == 80 && sizeof(scree_heat_material) == 24, "words alone");

/* ---- layout ---- */

typedef struct layout
{
    scree_snapshot_section *sections;
    size_t count;
} layout;

static void add(layout *l, const char *name, uint64_t row_bytes, uint64_t rows)
{
    scree_snapshot_section *section = &l->sections[l->count++];

    memset(section, 0, sizeof *section);
    memcpy(section->name, name, strlen(name));
    section->row_bytes = row_bytes;
    section->rows = rows;
}

#define X_ADD(type, name, n, when)                                                                 \
    add(l, "body." #name, sizeof(scree_packed_##type[n]), head->bodies);

static void add_contacts(layout *l, const scree_snapshot_head *head)
{
    add(l, "pair.first", sizeof(uint32_t), head->pairs);
    add(l, "pair.second", sizeof(uint32_t), head->pairs);
    add(l, "pair.law", sizeof(scree_packed_law), head->pairs);
    add(l, "pair.row", sizeof(double[8]), head->pairs);
    add(l, "pair.remembered", head->planes * sizeof(double), head->pairs);
    add(l, "pair.moment", sizeof(double[4]), head->has_moments ? head->pairs : 0);
    add(l, "pair.account", sizeof(double[4]), head->has_account ? head->pairs : 0);
    add(l, "surface.body", sizeof(uint32_t), head->wall_contacts);
    add(l, "surface.wall", sizeof(uint32_t), head->wall_contacts);
    add(l, "surface.law", sizeof(scree_packed_law), head->wall_contacts);
    add(l, "surface.memory", sizeof(scree_packed_mesh_memory), head->wall_contacts);
    add(l, "surface.point", sizeof(double[4]), head->wall_contacts);
    add(l, "surface.normal", sizeof(double[4]), head->wall_contacts);
    add(l, "surface.row", sizeof(double[8]), head->wall_contacts);
    add(l, "surface.moment", sizeof(double[4]), head->wall_contacts);
    add(l, "surface.account", sizeof(double[8]), head->wall_contacts);
    add(l, "surface.remembered", head->planes * sizeof(double), head->wall_contacts);
}

/* ---- sections that not all worlds have ---- */

/*  Number of rows of a part: one, bodies, walls, or a number in the tail. */
typedef enum rows_of
{
    OF_ONE,
    OF_BODIES,
    OF_WALLS,
    OF_NUMBER,
} rows_of;

typedef struct optional_part
{
    const char *name;
    size_t row_bytes; /* 0: contact history */
    rows_of rows;
    size_t number; /* OF_NUMBER: offset of the number in the tail */
} optional_part;

typedef struct optional_section
{
    size_t is_there; /* offset of the number in the tail that is 0 if the section is absent */
    const optional_part *part;
    size_t part_count;
} optional_section;

#define IN_TAIL(number) offsetof(scree_snapshot_tail, number)
#define CONTACTS(name, row_bytes)                                                                  \
    {                                                                                              \
        name, row_bytes, OF_NUMBER, IN_TAIL(contacts)                                              \
    }
static const optional_part solid_parts[] = {
    {"solid.mesh", sizeof(uint64_t), OF_NUMBER, IN_TAIL(meshes)},
    CONTACTS("solid.first", sizeof(uint32_t)),
    CONTACTS("solid.second", sizeof(uint32_t)),
    CONTACTS("solid.wall", sizeof(uint32_t)),
    CONTACTS("solid.facet", sizeof(uint32_t)),
    CONTACTS("solid.law", sizeof(scree_packed_law)),
    CONTACTS("solid.memory", sizeof(scree_packed_mesh_memory)),
    CONTACTS("solid.point", sizeof(double[4])),
    CONTACTS("solid.normal", sizeof(double[4])),
    CONTACTS("solid.row", sizeof(double[12])),
    CONTACTS("solid.moment", sizeof(double[4])),
    CONTACTS("solid.account", sizeof(double[8])),
    CONTACTS("solid.remembered", 0)};
static const optional_part picard_parts[] = {{"picard", sizeof(scree_physics_picard), OF_ONE, 0}};
static const optional_part servo_parts[] = {
    {"wall.servo", sizeof(scree_packed_servo), OF_WALLS, 0}};
static const optional_part free_wall_parts[] = {
    {"wall.loose", sizeof(scree_packed_free_wall), OF_WALLS, 0}};
static const optional_part cell_parts[] = {{"cell", sizeof(scree_packed_cell), OF_ONE, 0}};
static const optional_part cell_servo_parts[] = {
    {"cell.servo", sizeof(scree_packed_cell_servo), OF_ONE, 0}};
static const optional_part friction_parts[] = {
    {"friction", sizeof(double), OF_NUMBER, IN_TAIL(frictions)}};
static const optional_part value_parts[] = {{"values", sizeof(double), OF_NUMBER, IN_TAIL(values)}};
static const optional_part heat_parts[] = {
    {"heat", sizeof(scree_heat_course), OF_ONE, 0},
    {"heat.material", sizeof(scree_heat_material), OF_NUMBER, IN_TAIL(materials)},
    {"heat.body", sizeof(double[SCREE_HEATS]), OF_BODIES, 0},
    {"heat.wall", sizeof(scree_packed_wall_heat), OF_WALLS, 0}};
static const optional_part bond_parts[] = {{"bonds", sizeof(scree_bond_course), OF_ONE, 0}};
static const optional_part rest_parts[] = {
    {"rest", sizeof(scree_sleep_rule), OF_ONE, 0},
    {"rest.body", sizeof(double[SCREE_SLEEP_VALUES]), OF_BODIES, 0}};
static const optional_part path_parts[] = {
    {"path.part", sizeof(scree_packed_path_part), OF_NUMBER, IN_TAIL(path_parts)},
    {"path.table", sizeof(double[8]), OF_NUMBER, IN_TAIL(path_rows)}};
static const optional_part formula_parts[] = {
    {SCREE_RULE_FORMULAS, 1, OF_NUMBER, IN_TAIL(formula_bytes)}};

/*  In file order: new sections are added at the end. Writing and reading both follow this table. */
#define OPTIONAL(number, parts)                                                                    \
    {                                                                                              \
        IN_TAIL(number), parts, SCREE_COUNT_OF(parts)                                              \
    }
static const optional_section optional_sections[] = {
    OPTIONAL(meshes, solid_parts),       OPTIONAL(is_implicit, picard_parts),
    OPTIONAL(has_servos, servo_parts),   OPTIONAL(has_free_walls, free_wall_parts),
    OPTIONAL(has_cell, cell_parts),      OPTIONAL(has_cell_servo, cell_servo_parts),
    OPTIONAL(frictions, friction_parts), OPTIONAL(has_heat, heat_parts),
    OPTIONAL(has_bonds, bond_parts),     OPTIONAL(has_sleep, rest_parts),
    OPTIONAL(path_parts, path_parts),    OPTIONAL(formula_bytes, formula_parts),
    OPTIONAL(values, value_parts),
};

static uint64_t number_in(const scree_snapshot_tail *tail, size_t offset)
{
    uint64_t number;

    memcpy(&number, (const char *)tail + offset, sizeof number);
    return number;
}

static void put_number(scree_snapshot_tail *tail, size_t offset, uint64_t number)
{
    memcpy((char *)tail + offset, &number, sizeof number);
}

static void add_part(layout *l, const optional_part *part, const scree_snapshot_head *head,
                     const scree_snapshot_tail *tail)
{
    const uint64_t rows[] = {[OF_ONE] = 1,
                             [OF_BODIES] = head->bodies,
                             [OF_WALLS] = head->walls,
                             [OF_NUMBER] = number_in(tail, part->number)};

    add(l, part->name, part->row_bytes ? part->row_bytes : head->planes * sizeof(double),
        rows[part->rows]);
}

size_t scree_snapshot_lay_out(const scree_snapshot_head *head, const scree_snapshot_tail *tail,
                              scree_snapshot_section sections[SCREE_SNAPSHOT_SECTIONS],
                              uint64_t *bytes)
{
    layout made = {sections, 0}, *l = &made;
    uint64_t offset;

    add(l, "physics", sizeof(scree_physics), 1);
    add(l, "course", sizeof(scree_course), 1);
    add(l, "tally", sizeof(scree_snapshot_tally), 1);
    add(l, "names", sizeof(scree_packed_name), head->names);
    SCREE_BODY_FIELDS(X_ADD)
    add_contacts(l, head);
    add(l, "wall", sizeof(scree_packed_wall), head->walls);
    add(l, "wall.path", sizeof(scree_packed_path), head->walls);
    add(l, "table", sizeof(double[4]), head->table_rows);
    for (size_t k = 0; k < SCREE_COUNT_OF(optional_sections); k++)
        for (size_t p = 0; p < optional_sections[k].part_count; p++)
            if (number_in(tail, optional_sections[k].is_there))
                add_part(l, &optional_sections[k].part[p], head, tail);

    offset = sizeof *head + made.count * sizeof *sections;
    for (size_t k = 0; k < made.count; k++) {
        sections[k].offset = offset;
        offset += (sections[k].row_bytes * sections[k].rows + 7) & ~(uint64_t)7;
    }
    *bytes = offset;
    return made.count;
}

/*  The table of the file is not checked yet. */
static bool is_named(const scree_snapshot_section *section, const char *name)
{
    return memcmp(section->name, name, strlen(name) + 1) == 0;
}

scree_snapshot_tail scree_snapshot_tail_of(const scree_snapshot_head *head)
{
    const scree_snapshot_section *table = (const scree_snapshot_section *)(const void *)(head + 1);
    const scree_snapshot_tail none = {0};
    scree_snapshot_tail tail = none;
    scree_snapshot_section sections[SCREE_SNAPSHOT_SECTIONS];
    uint64_t bytes;
    size_t place = scree_snapshot_lay_out(head, &none, sections, &bytes);

    for (size_t k = 0; k < SCREE_COUNT_OF(optional_sections); k++) {
        const optional_section *optional = &optional_sections[k];
        if (place >= head->section_count || !is_named(&table[place], optional->part[0].name))
            continue;
        put_number(&tail, optional->is_there, 1);
        for (size_t p = 0; p < optional->part_count && place + p < head->section_count; p++)
            if (optional->part[p].rows == OF_NUMBER)
                put_number(&tail, optional->part[p].number, table[place + p].rows);
        place += optional->part_count;
    }
    return tail;
}

void scree_snapshot_apply_physics(const scree_snapshot *snapshot, scree_world_def *def)
{
    const scree_snapshot_tail tail = scree_snapshot_tail_of(scree_snapshot_head_of(snapshot));

    scree_physics_apply(scree_snapshot_rows(snapshot, "physics"),
                        tail.is_implicit ? scree_snapshot_rows(snapshot, "picard") : NULL, def);
}

const scree_snapshot_head *scree_snapshot_head_of(const scree_snapshot *snapshot)
{
    return (const scree_snapshot_head *)(const void *)snapshot->data;
}

void *scree_snapshot_rows(const scree_snapshot *snapshot, const char *name)
{
    const scree_snapshot_section *section =
        (const scree_snapshot_section *)(const void *)(scree_snapshot_head_of(snapshot) + 1);

    while (strcmp(section->name, name) != 0)
        section++;
    return snapshot->data + section->offset;
}

/* ---- taking a snapshot ---- */

static uint64_t count_touching(const scree_contact_list *list)
{
    uint64_t count = 0;

    for (size_t c = 0; c < list->count; c++)
        count += list->touches[c][0];
    return count;
}

/*  Contacts of removed walls stay in the list until the next step; they are not counted. */
static uint64_t count_wall_contacts(const scree_wall_contact_list *list, uint32_t bodies)
{
    uint64_t count = 0;

    for (uint32_t slot = 0; slot < bodies; slot++)
        for (uint32_t c = list->begin[slot]; c < list->end[slot]; c++)
            count += list->wall[c][0] != UINT32_MAX;
    return count;
}

static scree_snapshot_head head_of_world(const scree_world *world)
{
    scree_snapshot_head head = {
        .magic = {0},
        .endian = SCREE_SNAPSHOT_ENDIAN,
        .version = SCREE_SNAPSHOT_VERSION,
        .bodies = world->bodies.count,
        .names = world->bodies.name_count,
        .pairs = count_touching(&world->pairs),
        .walls = world->walls.count,
        .planes = world->rules.planes,
        .has_moments = world->rules.has_moments,
        .has_account = world->def.energy_balance,
        .is_stale = world->rows_are_stale,
        .rules_digest = scree_rules_digest(&world->rules),
    };

    memcpy(head.magic, SCREE_SNAPSHOT_MAGIC, sizeof head.magic);
    head.wall_contacts = count_wall_contacts(&world->wall_contacts.now, world->bodies.count);
    for (size_t w = 0; w < world->walls.count; w++)
        head.table_rows += world->walls.wall[w].def.path.table_count;
    return head;
}

/*  Contacts of removed bodies stay in the list until the next step; they are not counted. */
static uint64_t count_solid_contacts(const scree_body_arrays *bodies, const scree_walls *walls,
                                     const scree_solid_list *list)
{
    uint32_t first, second, wall;
    uint64_t count = 0;

    for (size_t c = 0; c < list->count; c++)
        count += scree_solids_resolve(bodies, walls, list->pair[c], &first, &second, &wall);
    return count;
}

static scree_solid_mesh *solid_at(scree_solid_meshes *meshes, const scree_solid_mesh *mesh)
{
    return &meshes->mesh[mesh - meshes->mesh];
}

/*  Number of meshes of bodies. Numbers them in the order of bodies; equal meshes count once. */
static uint64_t number_meshes(scree_solid_meshes *meshes, const scree_body_arrays *bodies,
                              const uint32_t *order)
{
    uint32_t count = 0;

    for (size_t k = 0; k < meshes->count; k++)
        meshes->mesh[k].number = 0;
    for (uint32_t row = 0; bodies->solids && row < bodies->count; row++) {
        uint32_t slot = order[row];
        if (!scree_is_solid(bodies, slot))
            continue;
        scree_solid_mesh *mesh = solid_at(
            meshes, scree_solid_meshes_find(meshes, scree_shape_geometry(&bodies->shape[slot][0])));
        scree_solid_mesh *first =
            solid_at(meshes, scree_solid_meshes_find_digest(meshes, mesh->digest));
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

/*  A block with head and table; all else is zero. */
static scree_status make_block(scree_world *world, scree_snapshot **made)
{
    scree_snapshot_head head = head_of_world(world);
    scree_snapshot_tail tail = {
        .meshes = number_meshes(&world->solids.meshes, &world->bodies, world->order.slot),
        .contacts = count_solid_contacts(&world->bodies, &world->walls, &world->solid_contacts.now),
        .is_implicit = scree_integrator_is_implicit(world->def.step.integrator),
        .has_servos = scree_servos_are_known(&world->walls),
        .has_free_walls = scree_has_free_walls(&world->walls),
        .has_cell = world->cell.is_on,
        .has_cell_servo = world->cell.drive.is_on,
        .frictions = count_changed(&world->rules, SCREE_LIST_FRICTION),
        .values = count_changed(&world->rules, SCREE_LIST_OTHER),
        .has_heat = world->heat.is_on,
        .materials = world->rules.material_count,
        .has_bonds = world->breaks.course.made > 0,
        .has_sleep = world->sleep.is_on,
        .formula_bytes = scree_rule_formulas_bytes(&world->rules)};
    scree_snapshot_section sections[SCREE_SNAPSHOT_SECTIONS];
    scree_snapshot *snapshot;
    scree_memory memory;

    count_path_parts(&world->walls, &tail);
    head.section_count = scree_snapshot_lay_out(&head, &tail, sections, &head.bytes);
    scree_memory_init(&memory, &world->memory.allocator);
    if (scree_memory_take(&memory, 1, sizeof *snapshot, &snapshot))
        return SCREE_OUT_OF_MEMORY;
    scree_memory_init(&snapshot->memory, &world->memory.allocator);
    snapshot->bytes = (size_t)head.bytes;
    if (scree_memory_take(&snapshot->memory, snapshot->bytes, 1, &snapshot->data)) {
        scree_memory_give(&memory, &snapshot, 1, sizeof *snapshot);
        return SCREE_OUT_OF_MEMORY;
    }
    memset(snapshot->data, 0, snapshot->bytes);
    memcpy(snapshot->data, &head, sizeof head);
    memcpy(snapshot->data + sizeof head, sections, head.section_count * sizeof *sections);
    *made = snapshot;
    return SCREE_OK;
}

scree_status scree_world_snapshot(scree_world *world, scree_snapshot **snapshot)
{
    scree_status status;

    if (!world || !snapshot)
        return SCREE_BAD_ARGUMENT;
    *snapshot = NULL;
    status = order_bodies(&world->order, &world->bodies, &world->memory, &world->workers);
    if (!status)
        status = make_block(world, snapshot);
    if (status)
        return scree_fail(&world->error, status, "snapshot: %s", scree_status_name(status));
    scree_snapshot_write(world, *snapshot);
    return SCREE_OK;
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
