/*  Makes materials, interactions and walls from rows, by the calls that a host would make, so that all their checks
    are repeated. Only the handles of walls are restored directly. */
#include "law/formula_law.h"
#include "shape/mesh.h"
#include "world/collide/geometry_digest.h"
#include "world/save/definitions.h"
#include "world/save/rule_formulas.h"
#include "world/step/world_data.h"

#include <inttypes.h>

/*  Largest number of parameters of a contact model; no built-in model has as many. */
#define MAX_VALUES 64

/*  Any failure except lack of memory is reported as an error in the file. */
static scree_status fail_with(scree_error *error, scree_status status, const char *text)
{
    return scree_fail(error, status == SCREE_OUT_OF_MEMORY ? status : SCREE_BAD_FILE, "%s", text);
}

static bool is_ended(const char *text, size_t bytes)
{
    return memchr(text, '\0', bytes) != NULL;
}

/* ---- materials and rules ---- */

static scree_material_def read_material(const scree_packed_material *row)
{
    scree_material_def def = scree_default_material_def();

    def.name = row->name;
    def.density = row->density;
    def.young = row->young;
    def.poisson = row->poisson;
    def.restitution = row->restitution;
    def.friction = row->friction;
    def.rolling_friction = row->rolling_friction;
    def.twisting_friction = row->twisting_friction;
    def.stiffness = row->stiffness;
    def.stiffness_ratio = row->stiffness_ratio;
    return def;
}

/*  Checks that do not depend on the contact model. */
static scree_status check_rule(const scree_definitions *d, size_t k, uint64_t values_left,
                               bool has_formulas, scree_error *error)
{
    const scree_packed_rule *row = &d->rules[k];

    if (!is_ended(row->law, sizeof row->law) || row->acts > 1 || row->is_own > 1 ||
        row->material[0] > d->material_count || row->material[1] > d->material_count ||
        row->value_count > values_left || row->value_count > MAX_VALUES)
        return scree_fail(error, SCREE_BAD_FILE, "rule %zu: its row makes no sense", k + 1);
    if (row->is_own && !has_formulas)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "rule %zu has a law of the host's own, \"%s\": it takes a world that has "
                          "this law",
                          k + 1, row->law);
    return SCREE_OK;
}

static scree_status try_rule(const scree_packed_rule *row, const scree_packed_value *value,
                             const scree_law *own_law, scree_world *world)
{
    scree_rule_def def = scree_default_rule_def();
    const char *names[MAX_VALUES];
    double values[MAX_VALUES];

    for (uint32_t v = 0; v < row->value_count; v++) {
        names[v] = is_ended(value[v].name, sizeof value[v].name) ? value[v].name : "";
        values[v] = value[v].value;
    }
    def.type =
        row->type <= SCREE_CONTACT_WALLS ? (scree_contact_type)row->type : (scree_contact_type)-1;
    def.material[0].index1 = row->material[0];
    def.material[1].index1 = row->material[1];
    def.groups = row->groups;
    def.law = row->acts ? row->law : NULL;
    def.own_law = own_law;
    def.names = names;
    def.values = values;
    def.value_count = row->value_count;
    return scree_world_add_rule(world, &def);
}

/*  Adds materials up to this number. */
static scree_status add_materials(const scree_definitions *d, size_t wanted, scree_world *world,
                                  scree_error *error)
{
    for (size_t k = world->rules.material_count; k < wanted; k++) {
        const scree_packed_material *row = &d->materials[k];
        const scree_material_def def = read_material(row);
        if (!is_ended(row->name, sizeof row->name))
            return scree_fail(error, SCREE_BAD_FILE, "material %zu: the name is not terminated",
                              k + 1);
        scree_status status = scree_world_add_material(world, &def, NULL);
        if (status)
            return fail_with(error, status, scree_world_message(world));
    }
    return SCREE_OK;
}

/*  A row may be accepted only after certain materials were added, and the file does not say after which. It was
    added after some of them, and after the previous row. The smallest number of materials with which it is accepted
    is valid, since it can only have been added after as many or more. */
static scree_status add_rule(const scree_definitions *d, size_t k, const scree_packed_value *value,
                             const scree_law *own_law, scree_world *world, scree_error *error)
{
    const scree_packed_rule *row = &d->rules[k];
    size_t named = row->material[0] > row->material[1] ? row->material[0] : row->material[1];
    scree_status status = add_materials(d, named, world, error);

    if (status)
        return status;
    while ((status = try_rule(row, value, own_law, world)) == SCREE_BAD_VALUE &&
           world->rules.material_count < d->material_count) {
        status = add_materials(d, world->rules.material_count + 1, world, error);
        if (status)
            return status;
    }
    return status ? fail_with(error, status, scree_world_message(world)) : SCREE_OK;
}

/*  Makes the contact model of an interaction that is written as formulas; NULL: it is not. */
static scree_status make_own_law(const char *text, size_t bytes, size_t k, scree_world *world,
                                 scree_law **law, scree_error *error)
{
    scree_error why = {SCREE_OK, ""};
    scree_status status = SCREE_OK;

    *law = NULL;
    if (text)
        status = scree_formula_law_read(text, bytes, &world->memory.allocator, law, &why);
    return status ? scree_fail(error, status == SCREE_OUT_OF_MEMORY ? status : SCREE_BAD_FILE,
                               "rule %zu: %s", k + 1, why.text)
                  : SCREE_OK;
}

static scree_status add_rules(const scree_definitions *d, const scree_snapshot *snapshot,
                              scree_world *world, scree_error *error)
{
    uint64_t used = 0;
    scree_status status = SCREE_OK;

    for (size_t k = 0; k < d->rule_count && !status; k++) {
        size_t bytes = 0;
        const char *text =
            d->rules[k].is_own ? scree_rule_formulas_find(snapshot, k + 1, &bytes) : NULL;
        scree_law *own_law = NULL;
        status = check_rule(d, k, d->value_count - used, text != NULL, error);
        if (!status)
            status = make_own_law(text, bytes, k, world, &own_law, error);
        if (!status)
            status = add_rule(d, k, d->values + used, own_law, world, error);
        /* the interaction holds a reference */
        scree_formula_law_destroy(own_law);
        used += d->rules[k].value_count;
    }
    if (!status && used != d->value_count)
        status = scree_fail(error, SCREE_BAD_FILE, "%" PRIu64 " values belong to no rule",
                            d->value_count - used);
    return status ? status : add_materials(d, d->material_count, world, error);
}

/* ---- meshes ---- */

typedef struct mesh_list
{
    scree_memory *memory;
    int dimensions; /* of the world to which they belong */
    scree_mesh_or_clump *row;
    size_t count, made;
    scree_mesh_use *use; /* for meshes of bodies, in the order of the snapshot */
    size_t use_count;
} mesh_list;

static void let_meshes_go(mesh_list *list)
{
    for (size_t k = 0; k < list->made; k++) {
        scree_mesh_destroy(list->row[k].mesh);
        scree_clump_destroy(list->row[k].clump);
    }
    scree_memory_give(list->memory, &list->row, list->count, sizeof *list->row);
    scree_memory_give(list->memory, &list->use, list->use_count, sizeof *list->use);
}

static scree_status make_meshes(const scree_definitions *d, mesh_list *list, scree_error *error)
{
    uint64_t vertex = 0, facet = 0, corner = 0;
    scree_status status = SCREE_OK;

    if (scree_memory_take(list->memory, (size_t)d->mesh_count, sizeof *list->row, &list->row))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "meshes: out of memory");
    list->count = (size_t)d->mesh_count;
    for (size_t k = 0; k < list->count && !status; k++) {
        const scree_packed_mesh *row = &d->meshes[k];
        uint64_t more = (uint64_t)row->facet_count * row->corners;
        const scree_shape_rows rows = {d->vertices + vertex, d->corners + corner,
                                       d->sources + facet};
        if (!scree_packed_mesh_is_sound(row) || row->vertex_count > d->vertex_count - vertex ||
            row->facet_count > d->facet_count - facet || more > d->corner_count - corner)
            return scree_fail(error, SCREE_BAD_FILE, "mesh %zu: its row makes no sense", k + 1);
        status = scree_shape_unpack(row, &rows, k + 1, list->dimensions, list->memory,
                                    &list->row[k], error);
        list->made += status == SCREE_OK;
        vertex += row->vertex_count;
        facet += row->facet_count;
        corner += more;
    }
    if (!status && (vertex != d->vertex_count || facet != d->facet_count))
        status = scree_fail(error, SCREE_BAD_FILE, "vertices or facets that belong to no mesh");
    return status;
}

/* ---- walls ---- */

/*  The pose and time are restored exactly from the snapshot; here only the kind must be right. */
static scree_status add_wall(const scree_definitions *d, const scree_packed_wall *row,
                             const scree_packed_path *path, size_t w, const mesh_list *meshes,
                             scree_world *world, scree_error *error)
{
    scree_wall_def def = scree_default_wall_def();
    uint32_t mesh = d->wall_meshes[w];
    bool is_mesh = row->kind == SCREE_WALL_MESH;
    scree_status status;

    if (path->has_function)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "wall %zu is moved by a function of the host, which no file contains: "
                          "restore into a world that has this wall",
                          w + 1);
    if (mesh > meshes->count || row->kind > SCREE_WALL_MESH || (mesh != 0) != is_mesh ||
        (mesh && !meshes->row[mesh - 1].mesh))
        return scree_fail(error, SCREE_BAD_FILE, "wall %zu: its row makes no sense", w + 1);
    def.kind = (scree_wall_kind)row->kind;
    def.mesh = mesh ? meshes->row[mesh - 1].mesh : NULL;
    def.material.index1 = row->material;
    def.groups = row->groups;
    def.mask = row->mask;
    memcpy(def.point, row->point, sizeof def.point);
    memcpy(def.normal, row->normal, sizeof def.normal);
    memcpy(def.orientation, row->orientation, sizeof def.orientation);
    status = scree_world_add_wall(world, &def, NULL);
    return status ? fail_with(error, status, scree_world_message(world)) : SCREE_OK;
}

/*  Each name is that of a wall, or free and in the chain, or its generations are used up. */
static scree_status check_names(const scree_definitions *d, const scree_packed_wall *rows,
                                scree_error *error)
{
    uint64_t taken = 0, free_names = 0, next = d->free_wall_name;

    if (d->wall_name_count > UINT32_MAX || d->free_wall_name > d->wall_name_count)
        return scree_fail(error, SCREE_BAD_FILE, "names of walls: a free one leads nowhere");
    for (uint64_t k = 0; k < d->wall_name_count; k++)
        taken += d->wall_names[k].taken;
    for (; next != 0 && free_names < d->wall_name_count; free_names++) {
        const scree_packed_wall_name *name = &d->wall_names[next - 1];
        if (name->taken || name->generation == 0 || name->place > d->wall_name_count)
            return scree_fail(error, SCREE_BAD_FILE, "names of walls: a free one leads nowhere");
        next = name->place;
    }
    for (uint64_t w = 0; w < d->wall_count; w++) {
        uint32_t index1 = rows[w].index1;
        if (index1 == 0 || index1 > d->wall_name_count || d->wall_names[index1 - 1].taken != 1 ||
            d->wall_names[index1 - 1].place != w ||
            d->wall_names[index1 - 1].generation != rows[w].generation)
            return scree_fail(error, SCREE_BAD_FILE, "wall %" PRIu64 ": its name is not its own",
                              w + 1);
    }
    if (next != 0 || taken != d->wall_count || taken + free_names > d->wall_name_count)
        return scree_fail(error, SCREE_BAD_FILE,
                          "names of walls: %" PRIu64 " are taken by %" PRIu64 " walls, %" PRIu64
                          " are free, of %" PRIu64,
                          taken, d->wall_count, free_names, d->wall_name_count);
    return SCREE_OK;
}

static scree_status set_names(const scree_definitions *d, const scree_packed_wall *rows,
                              scree_walls *walls, scree_error *error)
{
    scree_status status = check_names(d, rows, error);

    if (status)
        return status;
    if (scree_memory_reserve(walls->memory, &walls->names, &walls->name_capacity,
                             (size_t)d->wall_name_count, sizeof *walls->names))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "names of walls: out of memory");
    for (size_t k = 0; k < d->wall_name_count; k++)
        walls->names[k] = (scree_wall_name){d->wall_names[k].generation,
                                            d->wall_names[k].taken != 0, d->wall_names[k].place};
    walls->name_count = (size_t)d->wall_name_count;
    walls->free_name = (uint32_t)d->free_wall_name;
    for (size_t w = 0; w < walls->count; w++)
        walls->wall[w].id = (scree_wall_id){rows[w].index1, rows[w].generation};
    return SCREE_OK;
}

/*  Finds how bodies of the snapshot use each mesh. */
static scree_status note_uses(const scree_snapshot *snapshot, mesh_list *list, scree_error *error)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(snapshot);
    const scree_packed_scree_shape *shape = scree_snapshot_rows(snapshot, "body.shape");
    const size_t meshes = (size_t)scree_snapshot_tail_of(head).meshes;

    if (scree_memory_take(list->memory, meshes, sizeof *list->use, &list->use))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "meshes of bodies: out of memory");
    list->use_count = meshes;
    for (size_t k = 0; k < meshes; k++)
        list->use[k] = SCREE_MESH_AS_BODY;
    for (uint64_t row = 0; row < head->bodies; row++) {
        uint64_t mesh = SCREE_PACKED_MESH(shape[row].kind);
        if (SCREE_PACKED_KIND(shape[row].kind) == SCREE_SHAPE_BLOCK && mesh > 0 && mesh <= meshes)
            list->use[mesh - 1] = SCREE_MESH_AS_BLOCK;
    }
    return SCREE_OK;
}

static bool is_known(const scree_shape_table *known, uint64_t digest, scree_mesh_use use)
{
    const scree_shape_data *mesh = scree_shape_table_find_digest(known, digest);
    return mesh && (mesh->is_block || use != SCREE_MESH_AS_BLOCK);
}

static scree_status take_shape(const scree_definitions *d, const mesh_list *meshes, uint64_t digest,
                               scree_mesh_use use, scree_shape_table *known, scree_error *error)
{
    scree_error why = {SCREE_OK, ""};
    size_t m = 0;

    if (is_known(known, digest, use))
        return SCREE_OK;
    while (m < meshes->count && d->meshes[m].digest != digest)
        m++;
    if (m == meshes->count)
        return scree_fail(error, SCREE_BAD_FILE, "bodies have a mesh that is not there");
    const scree_mesh_or_clump *row = &meshes->row[m];
    scree_status status = row->mesh ? scree_shape_table_take(known, row->mesh, use, &why)
                                    : scree_shape_table_take_clump(known, row->clump);
    if (status && row->clump)
        scree_fail(&why, status, "clumps: %s", scree_status_name(status));
    return status ? fail_with(error, status, why.text) : SCREE_OK;
}

/*  The digests of meshes that bodies use. */
static const uint64_t *digests_of_shapes(const scree_snapshot *snapshot, const mesh_list *list)
{
    return list->use_count ? scree_snapshot_rows(snapshot, "solid.mesh") : NULL;
}

static scree_status take_shapes(const scree_definitions *d, const scree_snapshot *snapshot,
                                const mesh_list *list, scree_shape_table *known, scree_error *error)
{
    const uint64_t *digest = digests_of_shapes(snapshot, list);
    scree_status status = SCREE_OK;

    for (size_t k = 0; !status && k < list->use_count; k++)
        status = take_shape(d, list, digest[k], list->use[k], known, error);
    return status;
}

static scree_status add_walls(const scree_definitions *d, const scree_snapshot *snapshot,
                              scree_world *world, scree_error *error)
{
    const scree_packed_wall *rows = scree_snapshot_rows(snapshot, "wall");
    const scree_packed_path *paths = scree_snapshot_rows(snapshot, "wall.path");
    mesh_list meshes = {.memory = &world->memory, .dimensions = world->def.dimensions};
    scree_status status = note_uses(snapshot, &meshes, error);

    if (!status)
        status = make_meshes(d, &meshes, error);
    for (size_t w = 0; w < d->wall_count && !status; w++)
        status = add_wall(d, &rows[w], &paths[w], w, &meshes, world, error);
    if (!status)
        status = take_shapes(d, snapshot, &meshes, &world->shape_finder.meshes, error);
    let_meshes_go(&meshes);
    return status ? status : set_names(d, rows, &world->walls, error);
}

scree_status scree_definitions_take_shapes(const scree_definitions *definitions,
                                           const scree_snapshot *snapshot, scree_shape_table *known,
                                           scree_error *error)
{
    const scree_physics *physics = scree_snapshot_rows(snapshot, "physics");
    mesh_list meshes = {.memory = known->memory, .dimensions = (int)physics->dimensions};
    scree_status status = note_uses(snapshot, &meshes, error);
    const uint64_t *digest = digests_of_shapes(snapshot, &meshes);
    size_t met = 0;

    while (!status && met < meshes.use_count && is_known(known, digest[met], meshes.use[met]))
        met++;
    if (!status && met < meshes.use_count) {
        status = make_meshes(definitions, &meshes, error);
        if (!status)
            status = take_shapes(definitions, snapshot, &meshes, known, error);
    }
    let_meshes_go(&meshes);
    return status;
}

scree_status scree_definitions_apply(const scree_definitions *definitions,
                                     const scree_snapshot *snapshot, scree_world *world,
                                     scree_error *error)
{
    scree_status status = add_rules(definitions, snapshot, world, error);

    return status ? status : add_walls(definitions, snapshot, world, error);
}
