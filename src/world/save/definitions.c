/*  Writes a world's materials, interactions and meshes as rows. */
#include "world/save/definitions.h"

#include "law/law_table_row.h"
#include "shape/mesh.h"

#include <math.h>
#include <stdio.h>

_Static_assert(sizeof(scree_packed_material) == 104 && sizeof(scree_packed_rule) == 88 &&
                   sizeof(scree_packed_value) == 48 && sizeof(scree_packed_mesh) == 32 &&
                   sizeof(scree_packed_wall_name) == 12,
               "rows of docs/checkpoint.md, without padding");

/* ---- meshes: one that several walls share is there once ---- */

/*  The first wall with the same mesh. */
static size_t first_with_mesh(const scree_walls *walls, size_t w)
{
    size_t first = 0;

    while (walls->wall[first].def.mesh != walls->wall[w].def.mesh)
        first++;
    return first;
}

static bool brings_mesh(const scree_walls *walls, size_t w)
{
    return walls->wall[w].def.mesh && first_with_mesh(walls, w) == w;
}

/*  The next mesh of bodies, in the order of the snapshot: not in the order of first use, so that a world that was
    restored from a file writes the same file as the original. *made: the entry with this number, NULL if a wall has
    it as well. False: there are no more. */
static bool next_of_bodies(const scree_shape_table *meshes, const scree_walls *walls,
                           uint32_t number, const scree_shape_data **made)
{
    size_t k = 0;

    while (k < meshes->count && meshes->mesh[k].number != number)
        k++;
    if (k == meshes->count)
        return false;
    *made = &meshes->mesh[k];
    for (size_t w = 0; w < walls->count; w++)
        if (meshes->mesh[k].mesh && walls->wall[w].def.mesh == meshes->mesh[k].mesh)
            *made = NULL;
    return true;
}

/* ---- counts ---- */

static void count_mesh(const scree_mesh *mesh, scree_definitions *definitions)
{
    definitions->mesh_count++;
    if (scree_mesh_is_superquadric(mesh)) {
        definitions->vertex_count += SCREE_QUADRIC_ROWS;
        return;
    }
    definitions->vertex_count += mesh->vertex_count;
    definitions->facet_count += mesh->facet_count;
    definitions->corner_count += (uint64_t)mesh->facet_count * (uint64_t)mesh->corners;
}

static void count_clump(const scree_clump *clump, scree_definitions *definitions)
{
    definitions->mesh_count++;
    definitions->vertex_count += 2 * (uint64_t)clump->pebble_count + SCREE_CLUMP_MASS_ROWS;
}

static size_t count_values(const scree_rule *rule)
{
    size_t count = 0;

    for (size_t k = 0; k < rule->parameter_count; k++)
        count += isnan(rule->given[k]) ? 0 : 1;
    return count;
}

void scree_definitions_count(const scree_rules *rules, const scree_walls *walls,
                             const scree_shape_table *shapes, scree_definitions *definitions)
{
    const scree_shape_data *made;

    *definitions = (scree_definitions){
        .material_count = rules->material_count,
        .rule_count = rules->rule_count - 1,
        .wall_count = walls->count,
        .wall_name_count = walls->name_count,
        .free_wall_name = walls->free_name,
    };
    for (size_t row = 1; row < rules->rule_count; row++)
        definitions->value_count += count_values(rules->rules[row]);
    for (size_t w = 0; w < walls->count; w++)
        if (brings_mesh(walls, w))
            count_mesh(walls->wall[w].def.mesh, definitions);
    for (uint32_t number = 1; next_of_bodies(shapes, walls, number, &made); number++)
        if (made && made->clump)
            count_clump(made->clump, definitions);
        else if (made)
            count_mesh(made->mesh, definitions);
}

/* ---- one block for all rows ---- */

static size_t align(size_t bytes)
{
    return (bytes + 7) & ~(size_t)7;
}

#define X_MEASURE(name, type, rows, count)                                                         \
    bytes += align((size_t)definitions->count * sizeof *definitions->rows);
#define X_PLACE(name, type, rows, count)                                                           \
    definitions->rows = (void *)at;                                                                \
    at += align((size_t)definitions->count * sizeof *definitions->rows);

size_t scree_definitions_bytes(const scree_definitions *definitions)
{
    size_t bytes = 0;

    SCREE_DEFINITION_ARRAYS(X_MEASURE)
    return bytes;
}

void scree_definitions_place(scree_definitions *definitions, unsigned char *block)
{
    unsigned char *at = block;

    SCREE_DEFINITION_ARRAYS(X_PLACE)
}

/* ---- rows ---- */

static void write_material(const scree_material *material, scree_packed_material *row)
{
    const scree_material_def *def = &material->given;

    *row = (scree_packed_material){.density = def->density,
                                   .young = def->young,
                                   .poisson = def->poisson,
                                   .restitution = def->restitution,
                                   .friction = def->friction,
                                   .rolling_friction = def->rolling_friction,
                                   .twisting_friction = def->twisting_friction,
                                   .stiffness = def->stiffness,
                                   .stiffness_ratio = def->stiffness_ratio};
    snprintf(row->name, sizeof row->name, "%s", material->name);
}

static scree_contact_type type_of(const scree_rule *rule)
{
    bool bodies = rule->types & 1u << SCREE_CONTACT_BODIES;
    bool walls = rule->types & 1u << SCREE_CONTACT_WALLS;

    return bodies && walls ? SCREE_CONTACT_ANY
                           : (bodies ? SCREE_CONTACT_BODIES : SCREE_CONTACT_WALLS);
}

/*  Returns the end of the values written. */
static scree_packed_value *write_rule(const scree_rule *rule, scree_packed_rule *row,
                                      scree_packed_value *value)
{
    *row = (scree_packed_rule){.groups = rule->groups,
                               .reach = rule->law.reach,
                               .type = type_of(rule),
                               .acts = rule->acts,
                               .is_own = rule->is_own,
                               .material = {rule->material[0], rule->material[1]},
                               .value_count = (uint32_t)count_values(rule),
                               .memory_count = rule->law.memory_count,
                               .has_moment = rule->law.has_moment};
    if (rule->acts)
        snprintf(row->law, sizeof row->law, "%s", rule->law.name);
    for (size_t k = 0; k < rule->parameter_count; k++) {
        if (isnan(rule->given[k]))
            continue;
        snprintf(value->name, sizeof value->name, "%s", rule->law.parameter_names[k]);
        value->value = rule->given[k];
        value++;
    }
    return value;
}

/*  Write positions for the next mesh. */
typedef struct mesh_rows
{
    scree_packed_mesh *row;
    scree_shape_rows at;
} mesh_rows;

static void go_on(mesh_rows *to, scree_packed_mesh written)
{
    to->at.vertex += written.vertex_count;
    to->at.corner += (size_t)written.facet_count * written.corners;
    to->at.source += written.facet_count;
    *to->row++ = written;
}

static void write_mesh(const scree_mesh *mesh, mesh_rows *to)
{
    scree_mesh_write_rows(mesh, &to->at);
    go_on(to, scree_mesh_pack(mesh));
}

static void write_clump(const scree_clump *clump, mesh_rows *to)
{
    scree_clump_write_rows(clump, &to->at);
    go_on(to, scree_clump_pack(clump));
}

static void write_meshes(const scree_shape_table *shapes, const scree_walls *walls,
                         const scree_definitions *d)
{
    mesh_rows to = {d->meshes, {d->vertices, d->corners, d->sources}};
    const scree_shape_data *made;

    for (size_t w = 0; w < walls->count; w++) {
        const scree_mesh *mesh = walls->wall[w].def.mesh;
        if (mesh && !brings_mesh(walls, w))
            d->wall_meshes[w] = d->wall_meshes[first_with_mesh(walls, w)];
        if (!brings_mesh(walls, w))
            continue;
        write_mesh(mesh, &to);
        d->wall_meshes[w] = (uint32_t)(to.row - d->meshes);
    }
    for (uint32_t number = 1; next_of_bodies(shapes, walls, number, &made); number++)
        if (made && made->clump)
            write_clump(made->clump, &to);
        else if (made)
            write_mesh(made->mesh, &to);
}

void scree_definitions_write(const scree_rules *rules, const scree_walls *walls,
                             const scree_shape_table *shapes, const scree_definitions *definitions)
{
    scree_packed_value *value = definitions->values;

    for (size_t k = 0; k < rules->material_count; k++)
        write_material(&rules->materials[k], &definitions->materials[k]);
    for (size_t row = 1; row < rules->rule_count; row++)
        value = write_rule(rules->rules[row], &definitions->rules[row - 1], value);
    write_meshes(shapes, walls, definitions);
    for (size_t k = 0; k < walls->name_count; k++)
        definitions->wall_names[k] = (scree_packed_wall_name){
            walls->names[k].generation, walls->names[k].taken, walls->names[k].place};
}
