/*  One number for all of the state that decides the future. Each body has a hash of its fields, including its global
    id, and of its contacts in the order of the global ids of the partners. The digest of the world contains the sum
    of these hashes, so it does not depend on the order in memory and needs no memory. Handles are not included, nor
    are slots. */
#include "base/hash.h"
#include "law/law_values.h"
#include "world/boundaries/cell_servo.h"
#include "world/save/pack_joints.h"
#include "world/save/pack_walls.h"
#include "world/save/snapshot.h"
#include "world/state/settings.h"
#include "world/step/world_data.h"

/* ---- values, by type: a field of a new type must say here what of it counts ---- */

static uint64_t hash_double(uint64_t hash, const double *value)
{
    return scree_hash_number(hash, *value);
}

static uint64_t hash_uint64_t(uint64_t hash, const uint64_t *value)
{
    return scree_hash_word(hash, *value);
}

static uint64_t hash_uint32_t(uint64_t hash, const uint32_t *value)
{
    return scree_hash_word(hash, *value);
}

static uint64_t hash_uint8_t(uint64_t hash, const uint8_t *value)
{
    return scree_hash_word(hash, *value);
}

/*  Handles are labels for the host and affect nothing. */
static uint64_t hash_scree_body_id(uint64_t hash, const scree_body_id *id)
{
    (void)id;
    return hash;
}

static uint64_t hash_scree_shape(uint64_t hash, const scree_shape *shape)
{
    hash = scree_hash_number(scree_hash_word(hash, (uint64_t)shape->kind), shape->radius);
    return scree_shape_is_of_triangles(shape) ? scree_hash_number(hash, scree_shape_skin(shape))
                                              : hash;
}

static uint64_t hash_numbers(uint64_t hash, const double *numbers, size_t count)
{
    for (size_t k = 0; k < count; k++)
        hash = scree_hash_number(hash, numbers[k]);
    return hash;
}

/* ---- bodies, and what their contacts remember ---- */

/*  If bodies were added or changed, forces will be evaluated again, so the present ones do not count. */
static bool is_force(const scree_body_arrays *bodies, const void *rows)
{
    return rows == (const void *)bodies->force || rows == (const void *)bodies->torque;
}

/*  Hashing is limited by latency, so the hashes of several bodies are computed side by side. */
#define SIDE_BY_SIDE 4u

/*  A column that does not exist counts as zeros. */
#define X_HASH(type, name, n, when)                                                                \
    for (int k = 0; k < (n) && !(forgets_forces && is_force(bodies, bodies->name)); k++) {         \
        const type none = {0};                                                                     \
        for (uint32_t j = 0; j < SIDE_BY_SIDE; j++)                                                \
            hash[j] = hash_##type(hash[j], bodies->name ? &bodies->name[slot[j]][k] : &none);      \
    }

static void hash_fields(const scree_body_arrays *bodies, bool forgets_forces,
                        const uint32_t slot[SIDE_BY_SIDE], uint64_t into[SIDE_BY_SIDE])
{
    uint64_t hash[SIDE_BY_SIDE];

    for (uint32_t j = 0; j < SIDE_BY_SIDE; j++)
        hash[j] = SCREE_HASH_START;
    SCREE_BODY_FIELDS(X_HASH)
    memcpy(into, hash, sizeof hash);
}

/*  Nothing if heat is off. */
static uint64_t hash_heat_of_body(uint64_t hash, bool has_heat, const scree_body_arrays *bodies,
                                  uint32_t slot)
{
    return has_heat ? hash_numbers(hash, bodies->heat[slot], SCREE_HEATS) : hash;
}

/*  Nothing if sleep is off. */
static uint64_t hash_sleep_of_body(uint64_t hash, bool has_sleep, const scree_body_arrays *bodies,
                                   uint32_t slot)
{
    return has_sleep ? hash_numbers(hash, bodies->sleep[slot], SCREE_SLEEP_VALUES) : hash;
}

static uint64_t hash_geometry(uint64_t hash, const scree_shape_table *meshes,
                              const scree_body_arrays *bodies, uint32_t slot)
{
    if (!scree_is_not_sphere(bodies, slot))
        return hash;
    return scree_hash_word(
        hash,
        scree_shape_table_find(meshes, scree_shape_geometry(&bodies->shape[slot][0]))->digest);
}

/*  Pair parameters by their interaction and materials: their index depends on the order in which these were added. */
static uint64_t hash_law(uint64_t hash, const scree_rule_slot *slot)
{
    return scree_hash_word(hash, slot->rule | (uint64_t)slot->material[0] << 16 |
                                     (uint64_t)slot->material[1] << 32);
}

static uint32_t planes_of(const scree_rule_slot *slot)
{
    return slot->law ? slot->law->memory_count : 0;
}

static uint64_t hash_memory(uint64_t hash, double *const *history, uint32_t planes, size_t at)
{
    for (uint32_t m = 0; m < planes; m++)
        hash = scree_hash_number(hash, history[m][at]);
    return hash;
}

static uint64_t hash_pairs(uint64_t hash, const scree_body_arrays *bodies, const scree_rules *rules,
                           const scree_contact_list *list, uint32_t slot)
{
    for (uint32_t e = list->begin[slot]; e < list->end[slot]; e++) {
        uint32_t c = list->entry[e] >> 1, is_second = list->entry[e] & 1;
        if (is_second || !list->touches[c][0])
            continue;
        const scree_rule_slot *law = &rules->slots[list->slot[c][0]];
        hash = scree_hash_word(hash, bodies->serial[list->second[c][0]][0]);
        hash = hash_law(hash, law);
        hash = hash_memory(hash, list->history, planes_of(law), c);
    }
    return hash;
}

static uint64_t hash_wall_contacts(uint64_t hash, const scree_rules *rules,
                                   const scree_wall_contact_list *list, uint32_t slot)
{
    for (uint32_t c = list->begin[slot]; c < list->end[slot]; c++) {
        const scree_rule_slot *law = &rules->slots[list->slot[c][0]];
        const scree_mesh_memory *memory = &list->memory[c][0];
        if (list->wall[c][0] == UINT32_MAX) /* of a removed wall */
            continue;
        hash = scree_hash_word(hash, list->wall[c][0] | (uint64_t)memory->facet << 32);
        hash = scree_hash_word(hash, memory->feature | (uint64_t)(memory->side + 1) << 32);
        hash = hash_numbers(hash, memory->point, 3);
        hash = hash_law(hash, law);
        hash = hash_memory(hash, list->history, planes_of(law), c);
    }
    return hash;
}

/*  For non-spherical bodies: one hash for each contact, including its index within the pair. */
static uint64_t hash_shape_contacts(const scree_body_arrays *bodies, const scree_walls *walls,
                                    const scree_rules *rules, const scree_shape_contact_list *list)
{
    uint64_t sum = 0, place = 0;
    uint32_t first, second, wall;

    for (size_t c = 0; c < list->count; c++) {
        const scree_rule_slot *law = &rules->slots[list->slot[c][0]];
        const scree_mesh_memory *memory = &list->memory[c][0];
        uint64_t hash = SCREE_HASH_START;
        bool is_same_pair =
            c > 0 && memcmp(list->pair[c - 1], list->pair[c], sizeof *list->pair) == 0;
        place = is_same_pair ? place + 1 : 0;
        if (!scree_shape_contacts_resolve(bodies, walls, list->pair[c], &first, &second, &wall))
            continue;
        hash = scree_hash_word(hash, bodies->serial[first][0]);
        hash = scree_hash_word(hash, second == UINT32_MAX ? wall : bodies->serial[second][0]);
        hash = scree_hash_word(hash, place * 2 + (second == UINT32_MAX));
        hash = scree_hash_word(hash, memory->facet | (uint64_t)memory->feature << 32 |
                                         (uint64_t)(memory->side + 1) << 40 |
                                         (uint64_t)memory->pebble << 48);
        hash = hash_numbers(hash, memory->point, 3);
        hash = hash_law(hash, law);
        sum += hash_memory(hash, list->history, planes_of(law), c);
    }
    return sum;
}

/*  The sum over all bodies of their own hash and those of their contacts with later bodies and with walls. */
static uint64_t hash_bodies(const scree_world *world)
{
    const uint32_t count = world->bodies.count;
    uint64_t sum = 0;

    for (uint32_t begin = 0; begin < count; begin += SIDE_BY_SIDE) {
        uint32_t many = count - begin < SIDE_BY_SIDE ? count - begin : SIDE_BY_SIDE;
        uint32_t slot[SIDE_BY_SIDE];
        uint64_t hash[SIDE_BY_SIDE];
        for (uint32_t j = 0; j < SIDE_BY_SIDE; j++)
            slot[j] = begin + (j < many ? j : 0);
        hash_fields(&world->bodies, world->clock.unprimed != 0, slot, hash);
        for (uint32_t j = 0; j < many; j++) {
            hash[j] = hash_geometry(hash[j], &world->shape_finder.meshes, &world->bodies, slot[j]);
            hash[j] = hash_heat_of_body(hash[j], world->heat.is_on, &world->bodies, slot[j]);
            hash[j] = hash_sleep_of_body(hash[j], world->sleep.is_on, &world->bodies, slot[j]);
            if (world->bodies.keeps[SCREE_KEEP_AMBIENT])
                hash[j] = hash_numbers(hash[j], world->bodies.ambient[slot[j]], SCREE_AMBIENTS);
            sum += hash_wall_contacts(
                hash_pairs(hash[j], &world->bodies, &world->rules, &world->pairs, slot[j]),
                &world->rules, &world->wall_contacts.now, slot[j]);
        }
    }
    return sum;
}

/* ---- walls ---- */

/*  For a function of the host only its presence counts. */
static uint64_t hash_path(uint64_t hash, const scree_wall_path *path)
{
    hash = scree_hash_word(hash, path->function != NULL);
    if (path->function)
        return hash;
    scree_packed_path whole;
    scree_path_pack(path, &whole);
    hash = scree_hash_words(hash, &whole, offsetof(scree_packed_path, has_function));
    if (path->table_count)
        hash = hash_numbers(hash, path->table[0], 4 * path->table_count);
    for (size_t k = 0; k < path->part_count; k++) {
        scree_packed_path_part packed;
        scree_path_part_pack(&path->parts[k], 0, &packed);
        hash = scree_hash_words(hash, &packed, sizeof packed);
        if (packed.table_count)
            hash = hash_numbers(hash, path->parts[k].table[0], 8 * path->parts[k].table_count);
    }
    return hash;
}

/*  Nothing for walls that no servo has moved. Contact forces follow from the contacts. */
static uint64_t hash_servo(uint64_t hash, const scree_wall_record *wall)
{
    const scree_wall_servo_def *servo = &wall->servo;

    if (wall->has_servo || wall->drive.shift[0] != 0 || wall->drive.shift[1] != 0 ||
        wall->drive.shift[2] != 0)
        hash = hash_numbers(hash, wall->drive.shift, 3);
    if (!wall->has_servo)
        return hash;
    hash = scree_hash_number(hash, wall->drive.speed);
    hash = hash_numbers(hash, servo->axis, 3);
    hash = scree_hash_number(hash, servo->force);
    hash = scree_hash_number(hash, servo->stress);
    hash = scree_hash_number(hash, servo->area);
    for (int k = 0; k < 4; k++)
        hash = scree_hash_word(hash, servo->between[k].index1);
    hash = scree_hash_number(hash, servo->max_speed);
    hash = scree_hash_number(hash, servo->gain);
    hash = scree_hash_number(hash, servo->start);
    return scree_hash_number(hash, servo->stop);
}

/*  Nothing for walls that are not free. */
static uint64_t hash_free_wall(uint64_t hash, const scree_wall_record *wall)
{
    scree_packed_free_wall packed;
    const size_t first = offsetof(scree_packed_free_wall, mass);

    scree_free_wall_pack(wall, &packed);
    return wall->is_free
               ? scree_hash_words(hash, (const char *)&packed + first, sizeof packed - first)
               : hash;
}

/*  Sums of a wall that wears, which ranks have each a part of. */
static uint64_t hash_worn(uint64_t hash, const scree_walls *walls)
{
    for (size_t w = 0; w < walls->count; w++) {
        const scree_wear *wear = &walls->wall[w].wear;
        if (wear->rows)
            hash = scree_hash_words(hash, wear->row, wear->rows * sizeof *wear->row);
    }
    return hash;
}

static uint64_t hash_wall(uint64_t hash, const scree_wall_record *wall)
{
    hash = scree_hash_word(hash, (uint64_t)wall->def.kind);
    hash = scree_hash_word(hash, wall->def.material.index1);
    hash = scree_hash_word(hash, wall->def.groups);
    hash = scree_hash_word(hash, wall->def.mask);
    hash = scree_hash_word(hash, wall->def.user);
    hash = scree_hash_words(hash, &wall->now, sizeof wall->now);
    hash = hash_numbers(hash, wall->def.point, 3);
    hash = hash_numbers(hash, wall->def.orientation, 4);
    hash = hash_numbers(hash, wall->def.normal, 3);
    hash = scree_hash_number(hash, wall->start_time);
    hash = hash_free_wall(hash_servo(hash_path(hash, &wall->def.path), wall), wall);
    if (wall->belt.is_on)
        hash = scree_hash_words(hash, &wall->belt, sizeof wall->belt);
    return wall->wear.rows ? scree_hash_words(hash, &wall->wear.model, sizeof wall->wear.model)
                           : hash;
}

static uint64_t hash_walls(uint64_t hash, const scree_walls *walls)
{
    for (size_t k = 0; k < walls->count; k++)
        hash = hash_wall(hash, &walls->wall[k]);
    return hash;
}

/* ---- heat ---- */

static uint64_t hash_heat(uint64_t hash, const scree_heat *heat, size_t material_count,
                          const scree_walls *walls)
{
    if (!heat->is_on)
        return hash;
    hash = scree_hash_words(hash, &heat->course, sizeof heat->course);
    for (uint32_t k = 1; k <= material_count; k++) {
        const scree_heat_material material = scree_heat_of_material(heat, k);
        hash = scree_hash_words(hash, &material, sizeof material);
    }
    for (size_t w = 0; w < walls->count; w++) {
        scree_packed_wall_heat wall;
        scree_wall_heat_pack(&walls->wall[w].heat, &wall);
        hash = scree_hash_words(hash, &wall, sizeof wall);
    }
    return hash;
}

/* ---- the fluid and force fields ---- */

/*  Nothing without them. */
static uint64_t hash_ambient(uint64_t hash, const scree_ambient *ambient)
{
    return scree_ambient_is_on(ambient) ? scree_ambient_hash(hash, ambient) : hash;
}

/* ---- the cell ---- */

/*  Nothing for the box of the definition. */
static uint64_t hash_cell(uint64_t hash, const scree_strain *strain)
{
    if (strain->is_on) {
        const scree_packed_cell cell = scree_strain_pack(strain);
        hash = scree_hash_words(hash, &cell, sizeof cell);
    }
    if (strain->drive.is_on) {
        const scree_packed_cell_servo servo = scree_cell_servo_pack(&strain->drive);
        hash = scree_hash_words(hash, &servo, sizeof servo);
    }
    return hash;
}

/* ---- the world ---- */

uint64_t scree_world_digest_with(scree_world *world, const scree_physics *physics)
{
    uint64_t hash = SCREE_HASH_START;

    hash = scree_hash_word(hash, world->bodies.count);
    hash = scree_hash_word(
        hash, hash_bodies(world) + hash_shape_contacts(&world->bodies, &world->walls, &world->rules,
                                                       &world->shape_contacts.now));
    hash = hash_worn(hash_walls(hash, &world->walls), &world->walls);

    const uint64_t counts[] = {world->bodies.next_serial, world->bodies.added,
                               world->bodies.removed, world->bodies.destroyed};
    hash = scree_hash_words(hash, physics, sizeof *physics);
    if (scree_integrator_is_implicit(world->def.step.integrator)) {
        scree_world_def def = world->def;
        /* the start of active sets matters only if contacts with surrogates count */
        if (def.step.integrator != SCREE_IMPLICIT_MULTISCALE)
            def.step.picard.keeps_sets = false;
        const scree_physics_picard picard = scree_physics_picard_of(&def);
        hash = scree_hash_words(hash, &picard, sizeof picard);
    }
    hash = hash_cell(hash, &world->cell);
    hash = scree_hash_words(hash, &world->clock, sizeof world->clock);
    hash = scree_hash_words(hash, counts, sizeof counts);
    hash = hash_heat(hash, &world->heat, world->rules.material_count, &world->walls);
    hash = scree_values_hash(hash, &world->rules);
    hash = hash_ambient(hash, &world->ambient);
    if (world->bodies.keeps[SCREE_KEEP_AMBIENT])
        hash = scree_hash_words(hash, &world->ambient.work, sizeof world->ambient.work);
    if (world->sleep.is_on)
        hash = scree_hash_words(hash, &world->sleep.rule, sizeof world->sleep.rule);
    hash = scree_joints_hash(hash, world);
    return scree_hash_word(hash, scree_rules_digest(&world->rules));
}

uint64_t scree_world_digest_of_surroundings(const scree_world *world)
{
    uint64_t hash = hash_cell(hash_walls(SCREE_HASH_START, &world->walls), &world->cell);

    hash = scree_values_hash(hash, &world->rules);
    hash = hash_ambient(hash, &world->ambient);
    return scree_hash_word(hash, scree_rules_digest(&world->rules));
}

uint64_t scree_world_digest(scree_world *world)
{
    scree_physics physics;

    if (!world)
        return 0;
    physics = scree_physics_of(&world->def);
    return scree_world_digest_with(world, &physics);
}
