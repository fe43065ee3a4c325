/*  Copies a world's state to a device. */
#include "world/device/facet_contacts.h"
#include "world/device/host_rows.h"
#include "world/state/sums.h"

#include <math.h>
#include <string.h>

/*  Reserves and writes a buffer. */
static scree_status put(scree_device *device, scree_gpu_buffer *buffer, const void *data,
                        size_t bytes, const char *name)
{
    scree_status status = scree_gpu_reserve(device->gpu, buffer, bytes, name);

    return status || bytes == 0 ? status : scree_gpu_write(device->gpu, buffer, 0, data, bytes);
}

/* ---- numbers of a call ---- */

/*  The velocity change by a homogeneous flow, as in scree_strain_accept; and whether a wrapped body may have been
    near a wall. */
static void set_cell(const scree_world *world, scree_step_numbers *numbers)
{
    const scree_strain *cell = &world->cell;
    const double(*g)[3] = cell->gradient, dt = world->def.step.dt;

    numbers->cell_moves = cell->is_moving;
    memcpy(numbers->gradient, cell->gradient, sizeof numbers->gradient);
    for (int i = 0; i < 3 && cell->is_moving && cell->homogeneous; i++)
        for (int j = 0; j < 3; j++) {
            const double k = dt * (g[i][0] * g[0][j] + g[i][1] * g[1][j] + g[i][2] * g[2][j]);
            numbers->kick[3 * i + j] = k;
            numbers->has_kick |= fabs(k) > 0;
        }
    for (size_t w = 0; w < world->walls.count; w++) {
        const double *normal = world->walls.wall[w].now.normal;
        const bool is_mesh = world->walls.wall[w].def.kind != SCREE_WALL_PLANE;
        for (int k = 0; k < 3; k++)
            numbers->wraps_matter |=
                cell->now.period[k] > 0 && (is_mesh || normal[k] != 0 || cell->is_on);
    }
}

static void set_numbers(scree_world *world)
{
    scree_device *device = world->device;
    scree_step_numbers *numbers = &device->numbers;
    scree_body_arrays *bodies = &world->bodies;
    const double *g = world->def.gravity;
    const double gravity = fmax(fabs(g[0]), fmax(fabs(g[1]), fabs(g[2])));
    const scree_quantum_rule rule = scree_quantum_rule_of(gravity, world->def.step.dt);
    scree_quantum unit;

    scree_bodies_find_least(bodies);
    unit = scree_quantum_least(&rule, bodies->lightest, bodies->smallest);
    memset(numbers, 0, sizeof *numbers);
    numbers->dt = world->def.step.dt;
    numbers->ahead = scree_def_ahead(&world->def, world->def.step.dt);
    memcpy(numbers->gravity, g, sizeof numbers->gravity);
    numbers->force_unit = unit.force;
    numbers->torque_unit = unit.torque;
    numbers->per_force_unit = 1 / unit.force;
    numbers->per_torque_unit = 1 / unit.torque;
    numbers->force_rule = rule.force;
    numbers->has_weight = rule.has_weight;
    numbers->overlap_limit = world->def.overlap_limit;
    numbers->global_damping = world->def.global_damping;
    numbers->local_damping = world->def.local_damping;
    numbers->count = bodies->count;
    numbers->walls = (uint32_t)world->walls.count;
    numbers->materials = (uint32_t)world->rules.material_count;
    set_cell(world, numbers);
    device->largest = 0;
    for (uint32_t slot = 0; slot < bodies->count; slot++)
        device->largest = fmax(device->largest, bodies->position[slot][3]);
    device->smallest = bodies->smallest;
    numbers->reach = scree_law_reach_at(&world->rules.reach, device->largest * (1 + 0x1p-40));
}

/* ---- laws ---- */

/*  Pair parameters by materials, and by wall and material. */
static scree_status find_slots(scree_world *world)
{
    scree_device *device = world->device;
    const size_t materials = scree_host_materials_of(world), walls = world->walls.count;
    const scree_rules *rules = &world->rules;

    if (scree_memory_reserve(&world->memory, &device->slot_of, &device->slot_capacity,
                             materials * (materials + walls), sizeof *device->slot_of))
        return scree_host_refuse_memory(world);
    for (uint32_t a = 0; a < rules->material_count; a++) {
        for (uint32_t b = 0; b < rules->material_count; b++)
            device->slot_of[a * materials + b] =
                scree_rules_find(rules, SCREE_CONTACT_BODIES, a + 1, b + 1, 1, 1);
        for (size_t w = 0; w < walls; w++)
            device->slot_of[(materials + w) * materials + a] = scree_rules_find(
                rules, SCREE_CONTACT_WALLS, a + 1, world->walls.wall[w].def.material.index1, 1, 1);
    }
    return SCREE_OK;
}

static void write_law(const scree_world *world, const scree_rule_slot *slot, double *row)
{
    memset(row, 0, SCREE_LAW_ROW * sizeof *row);
    if (!slot->law)
        return;
    memcpy(row, slot->constants, sizeof slot->constants);
    row[SCREE_LAW_ROW_FIXED] = slot->reach.fixed;
    row[SCREE_LAW_ROW_SHARE] = slot->reach.share;
    row[SCREE_LAW_ROW_ROOT] = slot->reach.root;
    row[SCREE_LAW_ROW_KIND] = scree_device_formula_of(world, slot);
    row[SCREE_LAW_ROW_MEMORY] = slot->law->memory_count;
}

static scree_status send_laws(scree_world *world)
{
    scree_device *device = world->device;
    const scree_rules *rules = &world->rules;
    const size_t materials = scree_host_materials_of(world), walls = world->walls.count;
    double(*rows)[SCREE_LAW_ROW] = NULL;
    scree_status status = find_slots(world);

    if (!status && scree_memory_take(&world->memory, rules->slot_count, sizeof *rows, &rows))
        status = scree_host_refuse_memory(world);
    if (status)
        return status;
    for (size_t s = 0; s < rules->slot_count; s++)
        write_law(world, &rules->slots[s], rows[s]);
    status = put(device, &device->laws, rows, rules->slot_count * sizeof *rows, "laws");
    if (!status)
        status = put(device, &device->pair_slot, device->slot_of,
                     materials * materials * sizeof *device->slot_of, "laws of materials");
    if (!status)
        status = put(device, &device->wall_slot, device->slot_of + materials * materials,
                     materials * walls * sizeof *device->slot_of, "laws of walls");
    scree_memory_give(&world->memory, &rows, rules->slot_count, sizeof *rows);
    return status ? scree_device_failed(world, status) : SCREE_OK;
}

/* ---- bodies ---- */

static scree_status send_columns(scree_world *world)
{
    scree_device *device = world->device;
    const scree_body_arrays *bodies = &world->bodies;
    const size_t row = bodies->count * sizeof *bodies->position;
    scree_status status = put(device, &device->position, bodies->position, row, "places");

    if (!status)
        status = put(device, &device->velocity, bodies->velocity, row, "velocities");
    if (!status)
        status = put(device, &device->spin, bodies->spin, row, "spins");
    if (!status)
        status = put(device, &device->orientation, bodies->orientation, row, "orientations");
    return status;
}

/*  Rows of force and torque become columns. `room` has six doubles per body. */
static scree_status send_forces(scree_world *world, double *room)
{
    scree_device *device = world->device;
    const scree_body_arrays *bodies = &world->bodies;
    const size_t n = bodies->count, bytes = 6 * n * sizeof *room;

    for (size_t slot = 0; slot < n; slot++)
        for (size_t k = 0; k < 3; k++) {
            room[k * n + slot] = bodies->force[slot][k];
            room[(3 + k) * n + slot] = bodies->torque[slot][k];
        }
    device->now = 0;
    scree_status status = put(device, &device->force[0], room, bytes, "forces");
    return status ? status : scree_gpu_reserve(device->gpu, &device->force[1], bytes, "forces");
}

static scree_status send_sleep(scree_world *world, double *room)
{
    scree_device *device = world->device;
    const scree_body_arrays *bodies = &world->bodies;
    const size_t n = bodies->count;
    uint32_t *words = (uint32_t *)(void *)room;
    uint64_t least = UINT64_MAX;
    scree_status status;

    for (size_t slot = 0; slot < n; slot++)
        room[slot] = bodies->inertia[slot][3];
    /* kernels do not read what has no effect: inertia without damping, a material where there is one only */
    const bool has_damping = world->def.global_damping != 0 || world->def.local_damping != 0;
    const bool has_materials = scree_host_materials_of(world) > 1;
    status = put(device, &device->mass, room, n * sizeof *room, "masses");
    for (size_t slot = 0; slot < n; slot++)
        room[slot] = bodies->inertia[slot][0];
    if (!status)
        status = put(device, &device->inertia, room, has_damping ? n * sizeof *room : 0, "inertia");
    for (size_t slot = 0; slot < n; slot++)
        words[slot] = bodies->material[slot][0] - 1;
    if (!status)
        status = put(device, &device->material, words, has_materials ? n * sizeof *words : 0,
                     "materials");
    for (size_t slot = 0; slot < n; slot++)
        least = bodies->serial[slot][0] < least ? bodies->serial[slot][0] : least;
    for (size_t slot = 0; slot < n; slot++)
        words[slot] = (uint32_t)(bodies->serial[slot][0] - least);
    if (!status)
        status = put(device, &device->rank, words, n * sizeof *words, "numbers of bodies");
    if (!status)
        status = scree_gpu_reserve(device->gpu, &device->left, n * sizeof(float), "margins");
    return status;
}

static scree_status send_bodies(scree_world *world)
{
    const size_t n = world->bodies.count;
    double *room = NULL;
    scree_status status;

    if (scree_memory_take(&world->memory, 6 * n, sizeof *room, &room))
        return scree_host_refuse_memory(world);
    status = send_columns(world);
    if (!status)
        status = send_forces(world, room);
    if (!status)
        status = send_sleep(world, room);
    scree_memory_give(&world->memory, &room, 6 * n, sizeof *room);
    return status ? scree_device_failed(world, status) : SCREE_OK;
}

/* ---- contacts, as rows ---- */

/*  Called for each contact of two bodies, or of a body and a plane, with its index and history arrays. */
typedef void contact_fn(void *to, uint32_t body, uint32_t entry, double *const *history,
                        uint32_t planes, size_t at);

static void for_each_contact(const scree_world *world, contact_fn *function, void *to)
{
    const scree_contact_list *list = &world->pairs;
    const scree_wall_contact_list *walls = &world->wall_contacts.now;

    for (size_t c = 0; c < list->count; c++) {
        if (!list->touches[c][0])
            continue;
        const uint32_t first = list->first[c][0], second = list->second[c][0];
        const uint32_t planes = world->rules.slots[list->slot[c][0]].law->memory_count;
        function(to, first, second | SCREE_ENTRY_TOUCHES, list->history, planes, c);
        function(to, second, first | SCREE_ENTRY_TOUCHES | SCREE_ENTRY_SECOND, list->history,
                 planes, c);
    }
    for (size_t c = 0; c < walls->count; c++) {
        if (walls->body[c][0] == UINT32_MAX || walls->wall[c][0] == UINT32_MAX ||
            world->walls.wall[walls->wall[c][0]].def.kind != SCREE_WALL_PLANE)
            continue;
        function(to, walls->body[c][0], walls->wall[c][0] | SCREE_ENTRY_TOUCHES | SCREE_ENTRY_WALL,
                 walls->history, world->rules.slots[walls->slot[c][0]].law->memory_count, c);
    }
}

static void count_contact(void *to, uint32_t body, uint32_t entry, double *const *history,
                          uint32_t planes, size_t at)
{
    host_rows *rows = to;

    (void)entry;
    (void)history;
    (void)planes;
    (void)at;
    rows->many[body]++;
}

static void put_contact(void *to, uint32_t body, uint32_t entry, double *const *history,
                        uint32_t planes, size_t at)
{
    host_rows *rows = to;
    const size_t place = rows->base[body / SCREE_SLICE] + body % SCREE_SLICE +
                         (size_t)SCREE_SLICE * rows->many[body]++;

    rows->entries[place] = entry;
    for (uint32_t m = 0; m < rows->planes; m++)
        rows->memory[m * rows->room + place] = m < planes ? history[m][at] : 0;
}

/*  From the number of entries of each body to the start of each slice. */
static size_t lay_slices(host_rows *rows)
{
    size_t room = 0;

    for (size_t slice = 0; slice < rows->slices; slice++) {
        const size_t end = scree_block_end(slice, SCREE_SLICE, rows->bodies);
        uint32_t most = 0;
        for (size_t body = slice * SCREE_SLICE; body < end; body++)
            most = rows->many[body] > most ? rows->many[body] : most;
        rows->base[slice] = (uint32_t)room;
        room += (size_t)most * SCREE_SLICE;
    }
    rows->base[rows->slices] = (uint32_t)room;
    return room;
}

static scree_status make_rows(scree_world *world, host_rows *rows)
{
    scree_memory *memory = &world->memory;
    size_t room;

    rows->bodies = world->bodies.count;
    rows->slices = scree_host_slices_of(world);
    rows->planes = world->device->memory_planes;
    if (scree_memory_take(memory, rows->slices + 1, sizeof *rows->base, &rows->base) ||
        scree_memory_take(memory, rows->bodies, sizeof *rows->many, &rows->many))
        return scree_host_refuse_memory(world);
    memset(rows->many, 0, rows->bodies * sizeof *rows->many);
    for_each_contact(world, count_contact, rows);
    room = lay_slices(rows);
    if (room >= UINT32_MAX)
        return scree_fail(&world->error, SCREE_TOO_LARGE, "world: too many contacts for a device");
    rows->room = room;
    if (scree_memory_take(memory, room, sizeof *rows->entries, &rows->entries) ||
        scree_memory_take(memory, room * rows->planes, sizeof *rows->memory, &rows->memory))
        return scree_host_refuse_memory(world);
    for (size_t at = 0; at < room; at++)
        rows->entries[at] = NONE;
    memset(rows->many, 0, rows->bodies * sizeof *rows->many);
    for_each_contact(world, put_contact, rows);
    return SCREE_OK;
}

static scree_status send_contacts(scree_world *world)
{
    scree_device *device = world->device;
    device_rows *to = &device->rows;
    host_rows rows = {0};
    scree_status status = make_rows(world, &rows);

    if (!status) {
        status = put(device, &to->base, rows.base, (rows.slices + 1) * sizeof *rows.base,
                     "where rows of contacts begin");
        if (!status)
            status = put(device, &to->entries, rows.entries, rows.room * sizeof *rows.entries,
                         "contacts");
        if (!status)
            status = put(device, &to->memory, rows.memory,
                         rows.room * rows.planes * sizeof *rows.memory, "what contacts remember");
        to->room = rows.room;
        if (status)
            status = scree_device_failed(world, status);
    }
    scree_host_rows_free(&world->memory, &rows);
    return status;
}

scree_status scree_device_send(scree_world *world)
{
    scree_device *device = world->device;
    static const uint32_t nothing[SCREE_TOLD_WORDS] = {UINT32_MAX, UINT32_MAX, 0, 0};
    scree_status status;

    set_numbers(world);
    status = send_laws(world);
    if (!status)
        status = send_bodies(world);
    if (!status)
        status = send_contacts(world);
    if (!status)
        status = scree_device_send_meshes(world);
    if (!status)
        status = scree_host_facets_send(world);
    if (!status && put(device, &device->told, nothing, sizeof nothing, "what kernels tell"))
        status = scree_device_failed(world, SCREE_DEVICE_ERROR);
    return status;
}
