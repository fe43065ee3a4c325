/*  A second world with the same state. The interaction table and the walls are copied as they are, with the same
    slots and names; the state goes through a snapshot. */
#include "base/sized_definition.h"
#include "law/formula_law.h"
#include "law/law.h"
#include "law/law_table_row.h"
#include "shape/mesh.h"
#include "world/save/snapshot.h"
#include "world/save/surroundings.h"
#include "world/state/settings.h"
#include "world/state/wall_path.h"
#include "world/step/world_data.h"

#include <string.h>

/* ---- interaction table ---- */

static scree_status copy_row(const scree_rule *from, scree_memory *memory, scree_simd simd,
                             scree_rule **to)
{
    scree_rule *made;

    if (scree_memory_take(memory, 1, sizeof *made, &made))
        return SCREE_OUT_OF_MEMORY;
    const size_t count = from->parameter_count;
    *made = *from;
    made->parameters = made->given = NULL;
    if (scree_memory_take(memory, count, sizeof(double), &made->parameters) ||
        scree_memory_take(memory, count, sizeof(double), &made->given)) {
        scree_memory_give(memory, &made->parameters, count, sizeof(double));
        scree_memory_give(memory, &made, 1, sizeof *made);
        return SCREE_OUT_OF_MEMORY;
    }
    if (count) {
        memcpy(made->parameters, from->parameters, count * sizeof(double));
        memcpy(made->given, from->given, count * sizeof(double));
    }
    if (made->acts) {
        made->force = scree_law_forces(&made->law, simd);
        scree_formula_law_hold(&made->law);
    }
    *to = made;
    return SCREE_OK;
}

/*  Reserves the memory that `from` has. */
static scree_status reserve_rules(const scree_rules *from, scree_rules *to)
{
    scree_memory *memory = to->memory;
    size_t pairs = from->material_count * (from->material_count + 1) / 2;

    if (scree_memory_reserve(memory, &to->materials, &to->material_capacity, from->material_count,
                             sizeof *to->materials) ||
        scree_memory_reserve(memory, &to->rules, &to->rule_capacity, from->rule_count,
                             sizeof *to->rules) ||
        scree_memory_reserve(memory, &to->slots, &to->slot_capacity, from->slot_count,
                             sizeof *to->slots) ||
        scree_memory_reserve(memory, &to->pairs, &to->pair_capacity, pairs, sizeof *to->pairs) ||
        scree_memory_reserve(memory, &to->entries, &to->entry_capacity, from->entry_count,
                             sizeof *to->entries))
        return SCREE_OUT_OF_MEMORY;
    return SCREE_OK;
}

/*  Pair parameters refer to their row, which is at another address here. If the materials were refused by the
    contact model, the function stays. */
static void adopt_slot(scree_rules *rules, scree_rule_slot *slot)
{
    scree_rule *rule = rules->rules[slot->rule];

    if (!slot->law)
        return;
    slot->law = &rule->law;
    slot->user = slot->refused ? (void *)&rule->law : rule->law.user;
    if (!slot->refused)
        slot->force = rule->force;
}

/*  The target must have only the default row, which every table has. */
static scree_status copy_rules(const scree_rules *from, scree_rules *to)
{
    if (reserve_rules(from, to))
        return SCREE_OUT_OF_MEMORY;
    for (size_t row = 1; row < from->rule_count; row++) {
        if (copy_row(from->rules[row], to->memory, to->simd, &to->rules[row]))
            return SCREE_OUT_OF_MEMORY;
        to->rule_count = row + 1;
    }
    for (size_t k = 0; k < from->material_count; k++) {
        to->materials[k] = from->materials[k];
        to->materials[k].def.name = to->materials[k].name;
    }
    memcpy(to->slots, from->slots, from->slot_count * sizeof *to->slots);
    for (size_t k = 0; k < from->slot_count; k++)
        adopt_slot(to, &to->slots[k]);
    if (from->material_count)
        memcpy(to->pairs, from->pairs,
               from->material_count * (from->material_count + 1) / 2 * sizeof *to->pairs);
    memcpy(to->entries, from->entries, from->entry_count * sizeof *to->entries);
    to->material_count = from->material_count;
    to->slot_count = from->slot_count;
    to->entry_count = from->entry_count;
    to->planes = from->planes;
    to->has_moments = from->has_moments;
    to->reach = from->reach;
    to->uses_groups = from->uses_groups;
    to->some_last = from->some_last;
    return SCREE_OK;
}

/* ---- walls ---- */

static scree_status copy_walls(const scree_walls *from, scree_walls *to)
{
    if (scree_memory_reserve(to->memory, &to->wall, &to->capacity, from->count, sizeof *to->wall) ||
        scree_memory_reserve(to->memory, &to->names, &to->name_capacity, from->name_count,
                             sizeof *to->names))
        return SCREE_OUT_OF_MEMORY;
    for (size_t w = 0; w < from->count; w++) {
        to->wall[w] = from->wall[w];
        to->wall[w].wear = (scree_wear){.rows = 0}; /* comes with the state */
        if (scree_wall_path_copy(&from->wall[w].def.path, to->memory, &to->wall[w].def.path))
            return SCREE_OUT_OF_MEMORY;
        if (to->wall[w].def.mesh)
            scree_mesh_hold(to->wall[w].def.mesh);
        to->count = w + 1;
    }
    if (from->name_count)
        memcpy(to->names, from->names, from->name_count * sizeof *to->names);
    to->name_count = from->name_count;
    to->free_name = from->free_name;
    return SCREE_OK;
}

/* ---- meshes and clumps of bodies ---- */

static scree_mesh_use use_of(const scree_shape_data *mesh)
{
    return mesh->is_block  ? SCREE_MESH_AS_BLOCK
           : mesh->is_body ? SCREE_MESH_AS_BODY
                           : SCREE_MESH_AS_WALL;
}

static scree_status copy_meshes(const scree_shape_table *from, scree_shape_table *to)
{
    scree_status status = SCREE_OK;

    for (size_t k = 0; k < from->count && !status; k++)
        status = from->mesh[k].clump
                     ? scree_shape_table_take_clump(to, from->mesh[k].clump)
                     : scree_shape_table_take(to, from->mesh[k].mesh, use_of(&from->mesh[k]), NULL);
    return status;
}

/* ---- the world ---- */

static scree_status copy_state(scree_world *world, bool with_bodies, scree_world *copy)
{
    scree_snapshot *snapshot;
    scree_status status = copy_rules(&world->rules, &copy->rules);

    if (!status)
        status = copy_walls(&world->walls, &copy->walls);
    if (!status)
        status = copy_meshes(&world->shape_finder.meshes, &copy->shape_finder.meshes);
    if (status)
        return scree_fail(&copy->error, status, "world: a copy: %s", scree_status_name(status));
    status = with_bodies ? scree_world_snapshot(world, &snapshot)
                         : scree_world_snapshot_surroundings(world, &snapshot);
    if (status) {
        copy->error = world->error;
        return status;
    }
    status = scree_world_restore(copy, snapshot);
    scree_snapshot_destroy(snapshot);
    return status;
}

static scree_status copy_world(scree_world *world, const scree_world_def *def, bool with_bodies,
                               scree_world **copy)
{
    scree_world_def mixed = scree_default_world_def();
    scree_physics physics;
    scree_physics_picard picard;
    scree_status status;

    if (!copy)
        return SCREE_BAD_ARGUMENT;
    *copy = NULL;
    if (!world || !def)
        return SCREE_BAD_ARGUMENT;
    if (!scree_definition_read(&mixed, def))
        return SCREE_BAD_DEF;
    physics = scree_physics_of(&world->def);
    picard = scree_physics_picard_of(&world->def);
    scree_physics_apply(&physics, &picard, &mixed);
    status = scree_world_create(&mixed, copy);
    if (status)
        return status;
    scree_world_set_force(*copy, world->force, world->force_user);
    status = copy_state(world, with_bodies, *copy);
    if (status) {
        scree_fail(mixed.hooks.error, status, "%s", (*copy)->error.text);
        scree_world_destroy(*copy);
        *copy = NULL;
    }
    return status;
}

scree_status scree_world_copy(scree_world *world, const scree_world_def *def, scree_world **copy)
{
    return copy_world(world, def, true, copy);
}

scree_status scree_world_copy_surroundings(scree_world *world, const scree_world_def *def,
                                           scree_world **copy)
{
    return copy_world(world, def, false, copy);
}
