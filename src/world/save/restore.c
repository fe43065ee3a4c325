/*  Restores a world from a snapshot. Everything that can fail is done next to the present state: bodies in new
    arrays, contacts in the lists that serve as scratch between steps, tables of paths. Then these are swapped in. */
#include "law/law_values.h"
#include "world/boundaries/cell_motion.h"
#include "world/boundaries/cell_servo.h"
#include "world/boundaries/free_wall.h"
#include "world/boundaries/wall_servo.h"
#include "world/motion/sleep.h"
#include "world/save/pack_joints.h"
#include "world/save/pack_walls.h"
#include "world/save/snapshot.h"
#include "world/state/wall_path.h"
#include "world/step/world_data.h"

typedef struct restored
{
    scree_body_arrays bodies;
    scree_wall_path *paths; /* of all walls */
    size_t path_count, path_capacity;
    scree_path_part *parts; /* of all paths; their tables are in the snapshot */
    size_t part_count;
    scree_wear *wear; /* of all walls */
    size_t wear_count;
    scree_heat heat;
    scree_ambient ambient;
    scree_joints joints;
} restored;

/* ---- bodies ---- */

#define X_READ(type, name, n, when)                                                                \
    if (bodies->name) {                                                                            \
        const scree_packed_##type(*rows)[n] =                                                      \
            (const scree_packed_##type(*)[n])scree_snapshot_rows(snapshot, "body." #name);         \
        for (uint32_t slot = 0; slot < bodies->count; slot++)                                      \
            for (int k = 0; k < (n); k++)                                                          \
                scree_unpack_##type(&rows[slot][k], &bodies->name[slot][k]);                       \
    }

static void read_names(scree_body_arrays *bodies, const scree_snapshot *snapshot)
{
    const scree_packed_name *names = scree_snapshot_rows(snapshot, "names");

    for (uint32_t k = 0; k < bodies->name_count; k++)
        bodies->names[k] =
            (scree_body_name){names[k].next, names[k].generation, names[k].taken != 0};
    for (uint32_t slot = 0; slot < bodies->count; slot++)
        bodies->names[bodies->id[slot][0].index1 - 1].slot = slot;
}

static void read_shapes(const scree_shape_table *meshes, scree_body_arrays *bodies,
                        const scree_snapshot *snapshot)
{
    const scree_packed_scree_shape *packed = scree_snapshot_rows(snapshot, "body.shape");
    const uint64_t *digest = scree_snapshot_rows(snapshot, "solid.mesh");

    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        scree_shape *shape = &bodies->shape[slot][0];
        if (shape->kind == SCREE_SHAPE_SPHERE)
            continue;
        const scree_shape_data *mesh =
            scree_shape_table_find_digest(meshes, digest[SCREE_PACKED_MESH(packed[slot].kind) - 1]);
        *(shape->kind == SCREE_SHAPE_BLOCK ? &shape->rounding : &shape->contact_skin) =
            packed[slot].radius;
        shape->radius = bodies->position[slot][3];
        if (scree_shape_is_of_triangles(shape))
            shape->mesh = mesh->mesh;
        else
            shape->clump = mesh->clump;
    }
}

static bool some_are_loaded(const scree_snapshot *snapshot)
{
    const double *load = scree_snapshot_rows(snapshot, "body.load");
    uint64_t count = 6 * scree_snapshot_head_of(snapshot)->bodies;
    bool some = false;

    for (uint64_t k = 0; k < count && !some; k++)
        some = load[k] != 0;
    return some;
}

static scree_status read_bodies(const scree_shape_table *meshes, scree_body_arrays *bodies,
                                const scree_snapshot *snapshot)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(snapshot);
    const scree_snapshot_tally *tally = scree_snapshot_rows(snapshot, "tally");
    const scree_physics *physics = scree_snapshot_rows(snapshot, "physics");

    bodies->retired = (uint32_t)(head->names - head->bodies); /* enough for all names */
    bodies->keeps[SCREE_KEEP_ACCOUNTS] = physics->energy_balance != 0;
    bodies->keeps[SCREE_KEEP_LOADS] = some_are_loaded(snapshot);
    bodies->keeps[SCREE_KEEP_HEAT] = scree_snapshot_tail_of(head).has_heat;
    bodies->keeps[SCREE_KEEP_SLEEP] = scree_snapshot_tail_of(head).has_sleep;
    bodies->keeps[SCREE_KEEP_AMBIENT] = scree_snapshot_tail_of(head).has_ambient_work;
    if (scree_bodies_reserve(bodies, (size_t)head->bodies))
        return SCREE_OUT_OF_MEMORY;
    bodies->count = (uint32_t)head->bodies;
    bodies->name_count = (uint32_t)head->names;
#define X_TALLY(name, type) bodies->name = (type)tally->name;
    SCREE_TALLIES(X_TALLY)
#undef X_TALLY
    SCREE_BODY_FIELDS(X_READ)
    if (bodies->keeps[SCREE_KEEP_HEAT] && bodies->count)
        memcpy(bodies->heat, scree_snapshot_rows(snapshot, "heat.body"),
               bodies->count * sizeof *bodies->heat);
    if (bodies->keeps[SCREE_KEEP_SLEEP] && bodies->count)
        memcpy(bodies->sleep, scree_snapshot_rows(snapshot, "rest.body"),
               bodies->count * sizeof *bodies->sleep);
    if (bodies->keeps[SCREE_KEEP_AMBIENT] && bodies->count)
        memcpy(bodies->ambient, scree_snapshot_rows(snapshot, "ambient.body"),
               bodies->count * sizeof *bodies->ambient);
    if (scree_snapshot_tail_of(head).meshes)
        read_shapes(meshes, bodies, snapshot);
    read_names(bodies, snapshot);
    for (uint32_t slot = 0; slot < bodies->count; slot++)
        scree_bodies_tally(bodies, slot, 1);
    return SCREE_OK;
}

/* ---- contacts: rows of bodies are their slots now ---- */

static void read_memory(double *const *history, uint32_t planes, const double *rows, size_t c)
{
    for (uint32_t m = 0; m < planes; m++)
        history[m][c] = rows[c * planes + m];
}

static scree_status read_pairs(const scree_rules *rules, scree_contact_list *list,
                               scree_contact_sets *sets, const scree_body_arrays *bodies,
                               const scree_workers *workers, const scree_snapshot *snapshot)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(snapshot);
    const uint32_t *first = scree_snapshot_rows(snapshot, "pair.first");
    const uint32_t *second = scree_snapshot_rows(snapshot, "pair.second");
    const scree_packed_law *law = scree_snapshot_rows(snapshot, "pair.law");
    const double *history = scree_snapshot_rows(snapshot, "pair.remembered");

    list->count = 0;
    list->has_pairs_without_law = list->rows_are_next =
        false; /* the list is rebuilt before the next step */
    list->alike = 0;
    sets->has_rows = true;
    if (scree_contact_list_reserve(list, (size_t)head->pairs) ||
        scree_contact_sets_reserve(sets, (size_t)head->pairs, (uint32_t)head->planes,
                                   head->has_moments != 0, head->has_account != 0))
        return SCREE_OUT_OF_MEMORY;
    list->count = (size_t)head->pairs;
    if (scree_contact_list_reserve_memory(list, (uint32_t)head->planes)) {
        list->count = 0;
        return SCREE_OUT_OF_MEMORY;
    }
    for (uint32_t c = 0; c < list->count; c++) {
        list->first[c][0] = first[c];
        list->second[c][0] = second[c];
        list->touches[c][0] = list->touches_next[c][0] = 1;
        list->slot[c][0] = scree_packed_law_slot(rules, &law[c]);
        read_memory(list->history, (uint32_t)head->planes, history, c);
    }
    const scree_status status = scree_contact_list_count(list, bodies->count, workers);
    if (!status)
        scree_contact_list_index(list, bodies);
    return status;
}

/*  There is only one copy of contact forces, so it is written when nothing can fail any more. There must be room. */
static void take_contacts(scree_contact_list *pairs, scree_contact_list *spare,
                          scree_contact_sets *sets, const scree_snapshot *snapshot)
{
    scree_contact_list kept = *pairs;
    size_t count = spare->count;

    *pairs = *spare;
    *spare = kept;
    if (count == 0)
        return;
    memcpy(sets->row[0], scree_snapshot_rows(snapshot, "pair.row"), count * sizeof *sets->row);
    if (sets->has_moments)
        memcpy(sets->moment[0], scree_snapshot_rows(snapshot, "pair.moment"),
               count * sizeof *sets->moment);
    if (sets->has_account)
        memcpy(sets->account[0], scree_snapshot_rows(snapshot, "pair.account"),
               count * sizeof *sets->account);
}

static void unpack_memory(const scree_packed_mesh_memory *packed, scree_mesh_memory *memory)
{
    memset(memory, 0, sizeof *memory);
    memory->facet = packed->facet;
    memory->feature = packed->feature;
    memory->side = packed->side;
    memory->pebble = packed->pebble;
    memcpy(memory->point, packed->point, sizeof memory->point);
}

/*  A column whose rows are stored as they are. */
#define READ_COLUMN(section, name)                                                                 \
    memcpy(list->name, scree_snapshot_rows(snapshot, section #name),                               \
           list->count * sizeof *list->name);
#define X_READ_WALL_CONTACT(name, n) READ_COLUMN("surface.", name)
#define X_READ_SHAPE_CONTACT(name, n) READ_COLUMN("solid.", name)

static scree_status read_wall_contacts(const scree_rules *rules, scree_wall_contacts *wall_contacts,
                                       uint32_t body_count, const scree_snapshot *snapshot)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(snapshot);
    scree_wall_contact_list *list = &wall_contacts->next;
    const scree_packed_law *law = scree_snapshot_rows(snapshot, "surface.law");
    const scree_packed_mesh_memory *memory = scree_snapshot_rows(snapshot, "surface.memory");
    const double *history = scree_snapshot_rows(snapshot, "surface.remembered");

    list->count = 0;
    if (scree_wall_contact_list_reserve(list, wall_contacts->memory, (size_t)head->wall_contacts,
                                        (uint32_t)head->planes, body_count))
        return SCREE_OUT_OF_MEMORY;
    list->count = (size_t)head->wall_contacts;
    for (uint32_t slot = 0; slot < body_count; slot++)
        list->begin[slot] = list->end[slot] = 0;
    if (list->count == 0)
        return SCREE_OK;
    READ_COLUMN("surface.", body)
    READ_COLUMN("surface.", wall)
    SCREE_WALL_CONTACT_COLUMNS(X_READ_WALL_CONTACT)
    for (uint32_t c = 0; c < list->count; c++) {
        uint32_t slot = list->body[c][0];
        list->slot[c][0] = scree_packed_law_slot(rules, &law[c]);
        list->previous[c][0] = UINT32_MAX;
        unpack_memory(&memory[c], &list->memory[c][0]);
        read_memory(list->history, list->planes, history, c);
        if (list->end[slot] == 0)
            list->begin[slot] = c;
        list->end[slot] = c + 1;
    }
    return SCREE_OK;
}

/*  Handles of bodies are those in `bodies`, of walls those of the world, which are the same. */
static scree_status read_shape_contacts(const scree_rules *rules, const scree_walls *walls,
                                        scree_shape_contacts *contacts,
                                        const scree_body_arrays *bodies,
                                        const scree_snapshot *snapshot)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(snapshot);
    scree_shape_contact_list *list = &contacts->next;
    uint64_t count;
    const uint32_t *first = scree_snapshot_find(snapshot, "solid.first", &count);
    const uint32_t *second = scree_snapshot_rows(snapshot, "solid.second");
    const uint32_t *wall = scree_snapshot_rows(snapshot, "solid.wall");
    const scree_packed_law *law = scree_snapshot_rows(snapshot, "solid.law");
    const scree_packed_mesh_memory *memory = scree_snapshot_rows(snapshot, "solid.memory");
    const double *history = scree_snapshot_rows(snapshot, "solid.remembered");

    list->count = 0;
    if (scree_shape_contact_list_reserve(list, contacts->memory, (size_t)count,
                                         (uint32_t)head->planes))
        return SCREE_OUT_OF_MEMORY;
    if (count == 0)
        return SCREE_OK;
    list->count = (size_t)count;
    READ_COLUMN("solid.", facet)
    SCREE_SHAPE_CONTACT_COLUMNS(X_READ_SHAPE_CONTACT)
    for (uint32_t c = 0; c < list->count; c++) {
        scree_shape_partners *pair = list->pair[c];
        memset(pair, 0, sizeof *pair);
        pair->first = bodies->id[first[c]][0];
        if (second[c] != UINT32_MAX)
            pair->second = bodies->id[second[c]][0];
        else
            pair->wall = walls->wall[wall[c]].id;
        list->slot[c][0] = scree_packed_law_slot(rules, &law[c]);
        list->previous[c][0] = UINT32_MAX;
        unpack_memory(&memory[c], &list->memory[c][0]);
        read_memory(list->history, list->planes, history, c);
    }
    return SCREE_OK;
}

/* ---- walls ---- */

/*  All parts of all paths, with tables in the snapshot. */
static scree_status read_parts(const scree_walls *walls, restored *made,
                               const scree_snapshot *snapshot)
{
    uint64_t count;
    const scree_packed_path_part *packed = scree_snapshot_find(snapshot, "path.part", &count);
    const double(*table)[8] = (const double(*)[8])scree_snapshot_rows(snapshot, "path.table");

    if (!count)
        return SCREE_OK;
    if (scree_memory_take(walls->memory, (size_t)count, sizeof *made->parts, &made->parts))
        return SCREE_OUT_OF_MEMORY;
    made->part_count = (size_t)count;
    for (size_t k = 0; k < made->part_count; k++) {
        scree_path_part_unpack(&packed[k], table, &made->parts[k]);
        table += packed[k].table_count;
    }
    return SCREE_OK;
}

/*  The parts of one wall, which follow those of the walls before it. */
static size_t parts_of(const restored *made, const scree_snapshot *snapshot, size_t wall,
                       size_t from)
{
    const scree_packed_path_part *packed = scree_snapshot_rows(snapshot, "path.part");
    size_t count = 0;

    while (from + count < made->part_count && packed[from + count].wall == wall)
        count++;
    return count;
}

/*  A path that is a function of the host is kept from the world. */
static scree_status read_paths(const scree_walls *walls, restored *made,
                               const scree_snapshot *snapshot, scree_error *error)
{
    const scree_packed_path *paths = scree_snapshot_rows(snapshot, "wall.path");
    const double(*table)[4] = (const double(*)[4])scree_snapshot_rows(snapshot, "table");
    size_t part = 0;
    scree_status status =
        scree_memory_take(walls->memory, walls->count, sizeof *made->paths, &made->paths);

    made->path_capacity = status ? 0 : walls->count;
    if (!status)
        status = read_parts(walls, made, snapshot);
    for (size_t w = 0; w < made->path_capacity && !status; w++) {
        scree_wall_path path = walls->wall[w].def.path;
        if (!paths[w].has_function) {
            scree_path_unpack(&paths[w], table, &path);
            path.part_count = parts_of(made, snapshot, w, part);
            path.parts = path.part_count ? made->parts + part : NULL;
            part += path.part_count;
        }
        table += paths[w].table_count;
        status = scree_wall_path_check(&path, walls->dimensions, error);
        if (!status)
            status = scree_wall_path_copy(&path, walls->memory, &made->paths[w]);
        made->path_count += status == SCREE_OK;
    }
    return status;
}

static void free_paths(scree_memory *memory, restored *made)
{
    for (size_t w = 0; w < made->path_count; w++)
        scree_wall_path_free(&made->paths[w], memory);
    scree_memory_give(memory, &made->paths, made->path_capacity, sizeof *made->paths);
    scree_memory_give(memory, &made->parts, made->part_count, sizeof *made->parts);
}

static scree_status read_wear(const scree_walls *walls, restored *made,
                              const scree_snapshot *snapshot)
{
    const scree_wear_model *models = scree_snapshot_rows(snapshot, "wall.wear");
    const scree_wear_row *rows = scree_snapshot_rows(snapshot, "wall.facets");

    if (scree_memory_take(walls->memory, walls->count, sizeof *made->wear, &made->wear))
        return SCREE_OUT_OF_MEMORY;
    made->wear_count = walls->count;
    if (made->wear_count)
        memset(made->wear, 0, made->wear_count * sizeof *made->wear);
    for (size_t w = 0; models && w < walls->count; w++) {
        scree_wear *wear = &made->wear[w];
        const size_t count = models[w].is_on ? scree_wall_facets(&walls->wall[w]) : 0;
        if (!count)
            continue;
        if (scree_memory_take(walls->memory, count, sizeof *wear->row, &wear->row))
            return SCREE_OUT_OF_MEMORY;
        wear->model = models[w];
        wear->rows = count;
        memcpy(wear->row, rows, count * sizeof *rows);
        rows += count;
    }
    return SCREE_OK;
}

static void free_wear(scree_memory *memory, restored *made)
{
    for (size_t w = 0; w < made->wear_count; w++)
        scree_memory_give(memory, &made->wear[w].row, made->wear[w].rows,
                          sizeof *made->wear[w].row);
    scree_memory_give(memory, &made->wear, made->wear_count, sizeof *made->wear);
}

static void take_walls(scree_walls *walls, restored *made, const scree_snapshot *snapshot)
{
    const scree_packed_wall *packed = scree_snapshot_rows(snapshot, "wall");
    const scree_course *course = scree_snapshot_rows(snapshot, "course");
    const scree_packed_servo none = {0}, *servos = scree_snapshot_rows(snapshot, "wall.servo");
    const scree_packed_free_wall fixed = {0},
                                 *free_wall = scree_snapshot_rows(snapshot, "wall.loose");
    const scree_belt *belts = scree_snapshot_rows(snapshot, "wall.belt");

    for (size_t w = 0; w < made->path_count; w++) {
        scree_wall_record *wall = &walls->wall[w];
        scree_wall_path kept = wall->def.path;
        wall->def.path = made->paths[w];
        made->paths[w] = kept;
        wall->def.user = packed[w].user;
        memcpy(wall->def.point, packed[w].point, sizeof wall->def.point);
        memcpy(wall->def.orientation, packed[w].orientation, sizeof wall->def.orientation);
        memcpy(wall->def.normal, packed[w].normal, sizeof wall->def.normal);
        wall->start_time = packed[w].start_time;
        wall->path_moves = scree_wall_path_moves(&wall->def.path);
        wall->now = wall->next = packed[w].now;
        scree_servo_unpack(servos ? &servos[w] : &none, wall);
        scree_free_wall_unpack(free_wall ? &free_wall[w] : &fixed, wall);
        wall->belt = belts ? belts[w] : (scree_belt){0};
        const scree_wear worn = wall->wear;
        wall->wear = made->wear[w];
        made->wear[w] = worn;
        wall->touched_at = course->steps;
        wall->watch = (scree_servo_watch){.from = course->steps};
    }
}

/* ---- heat ---- */

static scree_status read_heat(scree_memory *memory, scree_heat *heat,
                              const scree_snapshot *snapshot)
{
    const scree_heat_course *course = scree_snapshot_rows(snapshot, "heat");
    uint64_t count;
    const void *materials = scree_snapshot_find(snapshot, "heat.material", &count);

    if (!course)
        return SCREE_OK;
    if (scree_memory_reserve(memory, &heat->material, &heat->material_capacity, (size_t)count,
                             sizeof *heat->material))
        return SCREE_OUT_OF_MEMORY;
    heat->is_on = true;
    heat->course = *course;
    heat->material_count = (size_t)count;
    if (count)
        memcpy(heat->material, materials, heat->material_count * sizeof *heat->material);
    return SCREE_OK;
}

static void take_heat(scree_heat *heat, scree_walls *walls, restored *made,
                      const scree_snapshot *snapshot)
{
    const scree_packed_wall_heat none = {0}, *rows = scree_snapshot_rows(snapshot, "heat.wall");

    scree_heat_free(heat, walls->memory);
    *heat = made->heat;
    memset(&made->heat, 0, sizeof made->heat);
    for (size_t w = 0; w < walls->count; w++)
        scree_wall_heat_unpack(rows ? &rows[w] : &none, &walls->wall[w].heat);
}

/* ---- the fluid and force fields ---- */

static scree_status read_ambient(scree_memory *memory, int dimensions, scree_ambient *ambient,
                                 const scree_snapshot *snapshot, scree_error *error)
{
    uint64_t bytes;
    const unsigned char *packed = scree_snapshot_find(snapshot, "ambient", &bytes);
    const scree_ambient_work *work = scree_snapshot_rows(snapshot, "ambient.work");
    scree_status status =
        scree_ambient_unpack(packed, (size_t)bytes, dimensions, memory, ambient, error);

    if (!status && work)
        ambient->work = *work;
    return status;
}

static void take_ambient(scree_ambient *ambient, scree_memory *memory, restored *made)
{
    scree_ambient_free(ambient, memory);
    *ambient = made->ambient;
    memset(&made->ambient, 0, sizeof made->ambient);
}

/* ---- joints ---- */

static void take_joints(scree_joints *joints, scree_memory *memory, restored *made)
{
    scree_joints_free(joints, memory);
    *joints = made->joints;
    memset(&made->joints, 0, sizeof made->joints);
}

/* ---- rest: figures, and whether there is a shortcut, stay ---- */

static void take_sleep(scree_sleep_state *sleep, const scree_body_arrays *bodies,
                       const scree_snapshot *snapshot)
{
    sleep->is_on = bodies->keeps[SCREE_KEEP_SLEEP];
    scree_sleep_forget(sleep);
    if (sleep->is_on)
        sleep->rule = *(const scree_sleep_rule *)scree_snapshot_rows(snapshot, "rest");
}

/* ---- all ---- */

/*  NULL: the friction of the definitions. */
static scree_status read_values(scree_rules *rules, const scree_snapshot *snapshot,
                                scree_error *error)
{
    const double *const lists[SCREE_VALUE_LISTS] = {
        [SCREE_LIST_FRICTION] = scree_snapshot_rows(snapshot, "friction"),
        [SCREE_LIST_OTHER] = scree_snapshot_rows(snapshot, "values")};

    return scree_values_set(rules, lists, error);
}

static void take_place(scree_world *world, restored *made, const scree_snapshot *snapshot)
{
    uint32_t most =
        made->bodies.count > world->bodies.count ? made->bodies.count : world->bodies.count;

    scree_wall_contacts_clear_search(&world->wall_contacts, most);
    scree_bodies_free(&world->bodies);
    world->bodies = made->bodies;
    take_contacts(&world->pairs, &world->spare, &world->contacts, snapshot);
    scree_wall_contacts_accept(&world->wall_contacts);
    scree_shape_contacts_accept(&world->shape_contacts);
    take_walls(&world->walls, made, snapshot);
    take_heat(&world->heat, &world->walls, made, snapshot);
    take_ambient(&world->ambient, &world->memory, made);
    take_joints(&world->joints, &world->memory, made);
    take_sleep(&world->sleep, &world->bodies, snapshot);
    world->clock = *(const scree_course *)scree_snapshot_rows(snapshot, "course");
    scree_snapshot_apply_physics(snapshot, &world->def);
    scree_strain_restore(&world->cell, &world->def, scree_snapshot_rows(snapshot, "cell"));
    scree_cell_servo_restore(&world->cell, world->clock.steps,
                             scree_snapshot_rows(snapshot, "cell.servo"));
    scree_breaks_restore(&world->breaks, scree_snapshot_rows(snapshot, "bonds"), &world->rules,
                         &world->pairs);
    world->needs_search = true;
    world->list_is_new = false;
    world->rows_are_stale = scree_snapshot_head_of(snapshot)->is_stale != 0;
    world->next_sort = world->clock.steps;
    world->restores++;
    scree_events_forget(&world->events);
    world->detection_stats.contacts =
        world->pairs.count + world->wall_contacts.now.count + world->shape_contacts.now.count;
}

scree_status scree_world_restore(scree_world *world, const scree_snapshot *snapshot)
{
    restored made;
    scree_status status;

    if (!world || !snapshot)
        return SCREE_BAD_ARGUMENT;
    status = scree_snapshot_check(world, snapshot, &world->error);
    if (status)
        return status;
    memset(&made, 0, sizeof made);
    scree_bodies_init(&made.bodies, &world->memory);
    status = read_bodies(&world->shape_finder.meshes, &made.bodies, snapshot);
    if (!status && made.bodies.count > world->bodies.count)
        status = scree_wall_contacts_admit(&world->wall_contacts, world->bodies.count,
                                           made.bodies.count);
    if (!status)
        status = read_pairs(&world->rules, &world->spare, &world->contacts, &made.bodies,
                            &world->workers, snapshot);
    if (!status)
        status =
            read_wall_contacts(&world->rules, &world->wall_contacts, made.bodies.count, snapshot);
    if (!status)
        status = read_shape_contacts(&world->rules, &world->walls, &world->shape_contacts,
                                     &made.bodies, snapshot);
    if (!status)
        status = read_paths(&world->walls, &made, snapshot, &world->error);
    if (!status)
        status = read_wear(&world->walls, &made, snapshot);
    if (!status)
        status = read_heat(&world->memory, &made.heat, snapshot);
    if (!status)
        status = read_ambient(&world->memory, world->def.dimensions, &made.ambient, snapshot,
                              &world->error);
    if (!status)
        status = scree_joints_read(&made.bodies, &world->walls, snapshot, &made.joints);
    /* after this swap nothing can fail */
    if (!status)
        status = read_values(&world->rules, snapshot, &world->error);
    if (status) {
        scree_bodies_free(&made.bodies);
        status = scree_fail(&world->error, status, "snapshot: it could not be restored: %s",
                            scree_status_name(status));
    } else {
        take_place(world, &made, snapshot);
    }
    free_paths(&world->memory, &made);
    free_wear(&world->memory, &made);
    scree_heat_free(&made.heat, &world->memory);
    scree_ambient_free(&made.ambient, &world->memory);
    scree_joints_free(&made.joints, &world->memory);
    return status;
}
