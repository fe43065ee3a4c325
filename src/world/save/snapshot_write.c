/*  Writes the rows of a snapshot. */
#include "law/law_values.h"
#include "world/boundaries/cell_servo.h"
#include "world/boundaries/free_wall.h"
#include "world/boundaries/wall_servo.h"
#include "world/collide/geometry_digest.h"
#include "world/save/pack_joints.h"
#include "world/save/pack_walls.h"
#include "world/save/rule_formulas.h"
#include "world/save/snapshot.h"
#include "world/step/world_data.h"

/* ---- bodies ---- */

#define X_WRITE(type, name, n, when)                                                               \
    if (bodies->name) {                                                                            \
        scree_packed_##type(*rows)[n] = scree_snapshot_rows(snapshot, "body." #name);              \
        for (uint32_t row = 0; row < bodies->count; row++)                                         \
            for (int k = 0; k < (n); k++)                                                          \
                scree_pack_##type(&bodies->name[order[row]][k], &rows[row][k]);                    \
    }

/*  Meshes and clumps of non-spherical bodies. */
static void write_shapes(const scree_body_arrays *bodies, const uint32_t *order,
                         const scree_shape_table *meshes, const scree_snapshot *snapshot)
{
    scree_packed_scree_shape *shapes = scree_snapshot_rows(snapshot, "body.shape");
    uint64_t *digests = scree_snapshot_rows(snapshot, "solid.mesh");

    for (uint32_t row = 0; row < bodies->count; row++) {
        uint32_t slot = order[row];
        const scree_shape *shape = &bodies->shape[slot][0];
        if (!scree_is_not_sphere(bodies, slot))
            continue;
        const scree_shape_data *mesh = scree_shape_table_find(meshes, scree_shape_geometry(shape));
        shapes[row] = (scree_packed_scree_shape){
            (uint64_t)shape->kind | (uint64_t)mesh->number << 32, scree_shape_skin(shape)};
        digests[mesh->number - 1] = mesh->digest;
    }
}

void scree_snapshot_write_names(const scree_body_arrays *bodies, scree_packed_name *names)
{
    for (uint32_t k = 0; k < bodies->name_count; k++)
        names[k] = (scree_packed_name){bodies->names[k].taken ? 0 : bodies->names[k].slot,
                                       bodies->names[k].generation, bodies->names[k].taken};
}

scree_snapshot_tally scree_snapshot_tally_of(const scree_body_arrays *bodies)
{
    scree_snapshot_tally tally;

#define X_TALLY(name, type) tally.name = bodies->name;
    SCREE_TALLIES(X_TALLY)
#undef X_TALLY
    return tally;
}

static void write_bodies(const scree_body_arrays *bodies, const uint32_t *order,
                         const scree_snapshot *snapshot)
{
    SCREE_BODY_FIELDS(X_WRITE)
    scree_snapshot_write_names(bodies, scree_snapshot_rows(snapshot, "names"));
    *(scree_snapshot_tally *)scree_snapshot_rows(snapshot, "tally") =
        scree_snapshot_tally_of(bodies);
}

/* ---- contacts ---- */

/*  History beyond the model's own variables is undefined and written as 0. */
static void write_memory(double *row, double *const *history, const scree_rule_slot *slot, size_t c)
{
    uint32_t count = slot->law ? slot->law->memory_count : 0;

    for (uint32_t m = 0; m < count; m++)
        row[m] = history[m][c];
}

static void write_pairs(const scree_contact_list *list, const scree_contact_sets *sets,
                        const scree_rules *rules, const scree_body_order *order,
                        const scree_snapshot *snapshot)
{
    uint32_t *first = scree_snapshot_rows(snapshot, "pair.first");
    uint32_t *second = scree_snapshot_rows(snapshot, "pair.second");
    scree_packed_law *law = scree_snapshot_rows(snapshot, "pair.law");
    double(*rows)[8] = scree_snapshot_rows(snapshot, "pair.row");
    double(*moment)[4] = scree_snapshot_rows(snapshot, "pair.moment");
    double(*account)[4] = scree_snapshot_rows(snapshot, "pair.account");
    double *history = scree_snapshot_rows(snapshot, "pair.remembered");
    const scree_snapshot_head *head = scree_snapshot_head_of(snapshot);
    size_t at = 0;

    for (uint32_t row = 0; row < head->bodies; row++) {
        uint32_t slot = order->slot[row];
        for (uint32_t e = list->begin[slot]; e < list->end[slot]; e++) {
            uint32_t c = list->entry[e] >> 1, is_second = list->entry[e] & 1;
            bool has_row = !head->is_stale && scree_contact_has_row(list, c);
            if (is_second || !list->touches[c][0])
                continue;
            first[at] = row;
            second[at] = (uint32_t)order->key[list->second[c][0]];
            law[at] = scree_packed_law_of(rules, list->slot[c][0]);
            if (has_row)
                memcpy(rows[at], sets->row[c], sizeof *rows);
            if (has_row && head->has_moments && sets->has_moments)
                memcpy(moment[at], sets->moment[c], sizeof *moment);
            if (has_row && head->has_account && sets->has_account)
                memcpy(account[at], sets->account[c], sizeof *account);
            write_memory(history + at * head->planes, list->history,
                         &rules->slots[list->slot[c][0]], c);
            at++;
        }
    }
}

scree_packed_mesh_memory scree_mesh_memory_pack(const scree_mesh_memory *memory)
{
    scree_packed_mesh_memory packed = {
        memory->facet, memory->feature, memory->side, memory->pebble, {0}};

    memcpy(packed.point, memory->point, sizeof memory->point);
    return packed;
}

static void write_wall_contact(const scree_wall_contact_list *list, const scree_rules *rules,
                               const scree_snapshot *snapshot, size_t c, size_t at)
{
    ((uint32_t *)scree_snapshot_rows(snapshot, "surface.wall"))[at] = list->wall[c][0];
    ((scree_packed_law *)scree_snapshot_rows(snapshot, "surface.law"))[at] =
        scree_packed_law_of(rules, list->slot[c][0]);
    ((scree_packed_mesh_memory *)scree_snapshot_rows(snapshot, "surface.memory"))[at] =
        scree_mesh_memory_pack(&list->memory[c][0]);
#define X_COPY(name, n)                                                                            \
    memcpy((double(*)[n])scree_snapshot_rows(snapshot, "surface." #name) + at, list->name[c],      \
           sizeof list->name[c]);
    SCREE_WALL_CONTACT_COLUMNS(X_COPY)
#undef X_COPY
    write_memory((double *)scree_snapshot_rows(snapshot, "surface.remembered") +
                     at * scree_snapshot_head_of(snapshot)->planes,
                 list->history, &rules->slots[list->slot[c][0]], c);
}

static void write_wall_contacts(const scree_wall_contact_list *list, const scree_rules *rules,
                                const uint32_t *order, const scree_snapshot *snapshot)
{
    uint32_t *body = scree_snapshot_rows(snapshot, "surface.body");
    const uint64_t bodies = scree_snapshot_head_of(snapshot)->bodies;
    size_t at = 0;

    for (uint32_t row = 0; row < bodies; row++) {
        uint32_t slot = order[row];
        for (uint32_t c = list->begin[slot]; c < list->end[slot]; c++) {
            if (list->wall[c][0] == UINT32_MAX) /* the wall was removed */
                continue;
            body[at] = row;
            write_wall_contact(list, rules, snapshot, c, at++);
        }
    }
}

static void write_shape_contact(const scree_shape_contact_list *list, const scree_rules *rules,
                                const scree_snapshot *snapshot, size_t c, size_t at)
{
    ((uint32_t *)scree_snapshot_rows(snapshot, "solid.facet"))[at] = list->facet[c][0];
    ((scree_packed_law *)scree_snapshot_rows(snapshot, "solid.law"))[at] =
        scree_packed_law_of(rules, list->slot[c][0]);
    ((scree_packed_mesh_memory *)scree_snapshot_rows(snapshot, "solid.memory"))[at] =
        scree_mesh_memory_pack(&list->memory[c][0]);
#define X_COPY(name, n)                                                                            \
    memcpy((double(*)[n])scree_snapshot_rows(snapshot, "solid." #name) + at, list->name[c],        \
           sizeof list->name[c]);
    SCREE_SHAPE_CONTACT_COLUMNS(X_COPY)
#undef X_COPY
    write_memory((double *)scree_snapshot_rows(snapshot, "solid.remembered") +
                     at * scree_snapshot_head_of(snapshot)->planes,
                 list->history, &rules->slots[list->slot[c][0]], c);
}

static void write_shape_contacts(const scree_body_arrays *bodies, const scree_walls *walls,
                                 const scree_shape_contact_list *list, const scree_rules *rules,
                                 const uint64_t *rows, const scree_snapshot *snapshot)
{
    uint32_t *body[2] = {scree_snapshot_rows(snapshot, "solid.first"),
                         scree_snapshot_rows(snapshot, "solid.second")};
    uint32_t *wall_row = scree_snapshot_rows(snapshot, "solid.wall"), first, second, wall;
    size_t at = 0;

    for (size_t c = 0; c < list->count; c++) {
        if (!scree_shape_contacts_resolve(bodies, walls, list->pair[c], &first, &second, &wall))
            continue;
        body[0][at] = (uint32_t)rows[first];
        body[1][at] = second == UINT32_MAX ? UINT32_MAX : (uint32_t)rows[second];
        wall_row[at] = wall;
        write_shape_contact(list, rules, snapshot, c, at++);
    }
}

/* ---- walls ---- */

static scree_packed_wall pack_wall(const scree_wall_record *wall)
{
    scree_packed_wall packed = {
        .index1 = wall->id.index1,
        .generation = wall->id.generation,
        .kind = (uint32_t)wall->def.kind,
        .material = wall->def.material.index1,
        .groups = wall->def.groups,
        .mask = wall->def.mask,
        .user = wall->def.user,
        .mesh_digest = scree_mesh_digest(wall->def.mesh),
        .start_time = wall->start_time,
        .now = wall->now,
    };

    memcpy(packed.point, wall->def.point, sizeof packed.point);
    memcpy(packed.orientation, wall->def.orientation, sizeof packed.orientation);
    memcpy(packed.normal, wall->def.normal, sizeof packed.normal);
    return packed;
}

static void write_walls(const scree_walls *walls, const scree_snapshot *snapshot)
{
    scree_packed_wall *packed = scree_snapshot_rows(snapshot, "wall");
    scree_packed_path *paths = scree_snapshot_rows(snapshot, "wall.path");
    double(*table)[4] = scree_snapshot_rows(snapshot, "table");

    for (size_t w = 0; w < walls->count; w++) {
        const scree_wall_path *path = &walls->wall[w].def.path;
        packed[w] = pack_wall(&walls->wall[w]);
        scree_path_pack(path, &paths[w]);
        if (path->table_count)
            memcpy(table, path->table, path->table_count * sizeof *table);
        table += path->table_count;
    }
}

static void write_path_parts(const scree_walls *walls, const scree_snapshot *snapshot)
{
    scree_packed_path_part *packed = scree_snapshot_rows(snapshot, "path.part");
    double(*table)[8] = scree_snapshot_rows(snapshot, "path.table");

    for (size_t w = 0; w < walls->count; w++)
        for (size_t k = 0; k < walls->wall[w].def.path.part_count; k++) {
            const scree_path_part *part = &walls->wall[w].def.path.parts[k];
            scree_path_part_pack(part, w, packed++);
            if (part->table_count)
                memcpy(table, part->table, part->table_count * sizeof *table);
            table += part->table_count;
        }
}

static void write_servos(const scree_walls *walls, const scree_snapshot *snapshot)
{
    scree_packed_servo *servos = scree_snapshot_rows(snapshot, "wall.servo");

    for (size_t w = 0; w < walls->count; w++)
        scree_servo_pack(&walls->wall[w], &servos[w]);
}

static void write_free_walls(const scree_walls *walls, const scree_snapshot *snapshot)
{
    scree_packed_free_wall *free_wall = scree_snapshot_rows(snapshot, "wall.loose");

    for (size_t w = 0; w < walls->count; w++)
        scree_free_wall_pack(&walls->wall[w], &free_wall[w]);
}

static void write_belts(const scree_walls *walls, const scree_snapshot *snapshot)
{
    scree_belt *belts = scree_snapshot_rows(snapshot, "wall.belt");

    for (size_t w = 0; w < walls->count; w++)
        belts[w] = walls->wall[w].belt;
}

static void write_wear(const scree_walls *walls, const scree_snapshot *snapshot)
{
    scree_wear_model *models = scree_snapshot_rows(snapshot, "wall.wear");
    scree_wear_row *rows = scree_snapshot_rows(snapshot, "wall.facets");

    for (size_t w = 0; w < walls->count; w++) {
        const scree_wear *wear = &walls->wall[w].wear;
        models[w] = wear->model;
        if (wear->rows)
            memcpy(rows, wear->row, wear->rows * sizeof *rows);
        rows += wear->rows;
    }
}

static void write_heat(const scree_heat *heat, const scree_body_arrays *bodies,
                       const uint32_t *order, const scree_walls *walls,
                       const scree_snapshot *snapshot)
{
    uint64_t material_count;
    scree_heat_material *materials =
        scree_snapshot_find(snapshot, "heat.material", &material_count);
    double(*heats)[SCREE_HEATS] = scree_snapshot_rows(snapshot, "heat.body");
    scree_packed_wall_heat *wall_heats = scree_snapshot_rows(snapshot, "heat.wall");

    *(scree_heat_course *)scree_snapshot_rows(snapshot, "heat") = heat->course;
    for (uint32_t k = 0; k < material_count; k++)
        materials[k] = scree_heat_of_material(heat, k + 1);
    for (uint32_t row = 0; row < bodies->count; row++)
        memcpy(heats[row], bodies->heat[order[row]], sizeof *heats);
    for (size_t w = 0; w < walls->count; w++)
        scree_wall_heat_pack(&walls->wall[w].heat, &wall_heats[w]);
}

static void write_sleep(const scree_sleep_state *sleep, const scree_body_arrays *bodies,
                        const uint32_t *order, const scree_snapshot *snapshot)
{
    double(*asleep)[SCREE_SLEEP_VALUES] = scree_snapshot_rows(snapshot, "rest.body");

    *(scree_sleep_rule *)scree_snapshot_rows(snapshot, "rest") = sleep->rule;
    for (uint32_t row = 0; row < bodies->count; row++)
        memcpy(asleep[row], bodies->sleep[order[row]], sizeof *asleep);
}

static void write_ambient(const scree_ambient *ambient, const scree_body_arrays *bodies,
                          const uint32_t *order, const scree_snapshot *snapshot)
{
    double(*rows)[SCREE_AMBIENTS] = scree_snapshot_rows(snapshot, "ambient.body");
    unsigned char *bytes = scree_snapshot_rows(snapshot, "ambient");

    if (bytes)
        scree_ambient_pack(ambient, bytes);
    if (!rows)
        return;
    *(scree_ambient_work *)scree_snapshot_rows(snapshot, "ambient.work") = ambient->work;
    for (uint32_t row = 0; row < bodies->count; row++)
        memcpy(rows[row], bodies->ambient[order[row]], sizeof *rows);
}

/*  The sections of one row. */
static void write_settings(const scree_world *world, const scree_snapshot *snapshot)
{
    *(scree_physics *)scree_snapshot_rows(snapshot, "physics") = scree_physics_of(&world->def);
    *(scree_course *)scree_snapshot_rows(snapshot, "course") = world->clock;
    if (scree_integrator_is_implicit(world->def.step.integrator))
        *(scree_physics_picard *)scree_snapshot_rows(snapshot, "picard") =
            scree_physics_picard_of(&world->def);
    if (world->cell.is_on)
        *(scree_packed_cell *)scree_snapshot_rows(snapshot, "cell") =
            scree_strain_pack(&world->cell);
    if (world->cell.drive.is_on)
        *(scree_packed_cell_servo *)scree_snapshot_rows(snapshot, "cell.servo") =
            scree_cell_servo_pack(&world->cell.drive);
    if (world->breaks.course.made)
        *(scree_bond_course *)scree_snapshot_rows(snapshot, "bonds") = world->breaks.course;
}

void scree_snapshot_write(const scree_world *world, const scree_body_arrays *bodies,
                          const scree_snapshot *snapshot)
{
    const scree_snapshot_tail tail = scree_snapshot_tail_of(scree_snapshot_head_of(snapshot));

    write_settings(world, snapshot);
    write_bodies(bodies, world->order.slot, snapshot);
    write_pairs(&world->pairs, &world->contacts, &world->rules, &world->order, snapshot);
    write_wall_contacts(&world->wall_contacts.now, &world->rules, world->order.slot, snapshot);
    write_walls(&world->walls, snapshot);
    if (tail.meshes) {
        write_shapes(bodies, world->order.slot, &world->shape_finder.meshes, snapshot);
        write_shape_contacts(bodies, &world->walls, &world->shape_contacts.now, &world->rules,
                             world->order.key, snapshot);
    }
    if (tail.path_parts)
        write_path_parts(&world->walls, snapshot);
    if (tail.formula_bytes)
        scree_rule_formulas_write(&world->rules,
                                  scree_snapshot_rows(snapshot, SCREE_RULE_FORMULAS));
    if (tail.has_servos)
        write_servos(&world->walls, snapshot);
    if (tail.has_free_walls)
        write_free_walls(&world->walls, snapshot);
    if (tail.has_belts)
        write_belts(&world->walls, snapshot);
    if (tail.wear_rows)
        write_wear(&world->walls, snapshot);
    if (tail.frictions)
        scree_values_read(&world->rules, SCREE_LIST_FRICTION,
                          scree_snapshot_rows(snapshot, "friction"));
    if (tail.values)
        scree_values_read(&world->rules, SCREE_LIST_OTHER, scree_snapshot_rows(snapshot, "values"));
    if (tail.has_heat)
        write_heat(&world->heat, bodies, world->order.slot, &world->walls, snapshot);
    if (tail.has_sleep)
        write_sleep(&world->sleep, bodies, world->order.slot, snapshot);
    write_ambient(&world->ambient, bodies, world->order.slot, snapshot);
    scree_joints_write(world, snapshot);
}
