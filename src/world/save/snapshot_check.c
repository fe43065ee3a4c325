/*  Checks that a snapshot is complete, and belongs to a world like this one. Every number that is used as an index
    is checked here, so that restoring needs no checks. */
#include "law/law_values.h"
#include "narrow/mesh_features.h"
#include "world/boundaries/cell_motion.h"
#include "world/boundaries/cell_servo.h"
#include "world/collide/geometry_digest.h"
#include "world/motion/sleep.h"
#include "world/save/pack_joints.h"
#include "world/save/snapshot.h"
#include "world/step/world_data.h"

#include <inttypes.h>

static scree_status refuse(scree_error *error, const char *what, uint64_t where)
{
    return scree_fail(error, SCREE_BAD_ARGUMENT, "snapshot: %s (row %" PRIu64 ")", what, where);
}

/* ---- the block ---- */

static bool head_is_sound(const scree_snapshot_head *head)
{
    return head->bodies <= SCREE_MAX_WORLD_BODIES && head->names <= UINT32_MAX &&
           head->pairs <= UINT32_MAX / 2 && head->wall_contacts <= UINT32_MAX / 2 &&
           head->walls <= UINT32_MAX && head->table_rows <= UINT32_MAX &&
           head->planes <= SCREE_MAX_MEMORY && head->has_moments <= 1 && head->has_account <= 1 &&
           head->is_stale <= 1;
}

static scree_status check_block(const scree_snapshot *snapshot, scree_error *error)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(snapshot);
    scree_snapshot_section sections[SCREE_SNAPSHOT_SECTIONS];
    scree_snapshot_tail tail;
    uint64_t bytes, count;

    if (snapshot->bytes < sizeof *head ||
        memcmp(head->magic, SCREE_SNAPSHOT_MAGIC, sizeof head->magic) != 0)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "snapshot: these bytes are none");
    if (head->endian != SCREE_SNAPSHOT_ENDIAN)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "snapshot: its bytes are in the order of another kind of machine");
    if (head->version != SCREE_SNAPSHOT_VERSION)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "snapshot: it is of version %u, known is %u",
                          (unsigned)head->version, SCREE_SNAPSHOT_VERSION);
    if (!head_is_sound(head))
        return scree_fail(error, SCREE_BAD_ARGUMENT, "snapshot: its head has numbers too large");
    if (head->section_count > SCREE_SNAPSHOT_SECTIONS ||
        (snapshot->bytes - sizeof *head) / sizeof *sections < head->section_count)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "snapshot: it has no room for its table of %" PRIu64 " sections",
                          head->section_count);
    tail = scree_snapshot_tail_of(head);
    if (tail.meshes > UINT32_MAX || tail.contacts > UINT32_MAX / 2 ||
        tail.materials > SCREE_MAX_MATERIALS || tail.formula_bytes > snapshot->bytes ||
        tail.frictions > SCREE_MAX_MATERIALS + SCREE_MAX_RULES || tail.values > snapshot->bytes)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "snapshot: its table has numbers too large");
    count = scree_snapshot_lay_out(head, &tail, sections, &bytes);
    if (head->section_count != count || head->bytes != bytes || snapshot->bytes != bytes)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "snapshot: it has %zu bytes, its head says %" PRIu64
                          ", its contents need %" PRIu64,
                          snapshot->bytes, head->bytes, bytes);
    if (memcmp(snapshot->data + sizeof *head, sections, count * sizeof *sections) != 0)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "snapshot: the table of sections does not match the head");
    return SCREE_OK;
}

/* ---- bodies ---- */

static scree_status check_names(const scree_snapshot *snapshot, scree_error *error)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(snapshot);
    const scree_snapshot_tally *tally = scree_snapshot_rows(snapshot, "tally");
    const scree_packed_name *names = scree_snapshot_rows(snapshot, "names");
    uint64_t taken = 0, free_names = 0, next = tally->free_name;

    for (uint64_t k = 0; k < head->names; k++)
        taken += names[k].taken != 0;
    /* a chain without end is longer than the number of names */
    for (; next != 0 && free_names <= head->names; free_names++) {
        if (next > head->names || names[next - 1].taken)
            return refuse(error, "a free name leads nowhere", free_names);
        next = names[next - 1].next;
    }
    if (taken != head->bodies || taken + free_names + tally->retired != head->names)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "snapshot: %" PRIu64 " names are taken by %" PRIu64 " bodies, %" PRIu64
                          " are free and %" PRIu64 " used up, of %" PRIu64,
                          taken, head->bodies, free_names, tally->retired, head->names);
    return SCREE_OK;
}

/*  `made` is the mesh or clump that the shape refers to. */
static bool is_shape(int dimensions, const scree_packed_scree_shape *shape,
                     const scree_shape_data *made)
{
    switch (SCREE_PACKED_KIND(shape->kind)) {
    case SCREE_SHAPE_MESH:
        return made && made->mesh && dimensions == 3 && shape->radius > 0;
    case SCREE_SHAPE_BLOCK:
        return made && made->is_block && made->mesh->corners == dimensions && shape->radius > 0;
    case SCREE_SHAPE_SUPERQUADRIC:
        return made && made->mesh && scree_mesh_is_superquadric(made->mesh) &&
               made->mesh->corners == dimensions && shape->radius == 0;
    case SCREE_SHAPE_CLUMP:
        return made && made->clump && made->clump->dimensions == dimensions && shape->radius == 0;
    case SCREE_SHAPE_SPHERE:
        return !made;
    default:
        return false;
    }
}

/*  Checks the shapes of bodies; spheres have only a radius. */
static scree_status check_shapes(const scree_shape_table *meshes, int dimensions,
                                 const scree_snapshot *snapshot, scree_error *error)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(snapshot);
    const scree_packed_scree_shape *shape = scree_snapshot_rows(snapshot, "body.shape");
    uint64_t count;
    const uint64_t *digest = scree_snapshot_find(snapshot, "solid.mesh", &count);

    for (uint64_t k = 0; k < count; k++)
        if (!scree_shape_table_find_digest(meshes, digest[k]))
            return refuse(error, "bodies are made of a mesh or clump that the world does not have",
                          k);
    for (uint64_t row = 0; row < head->bodies; row++) {
        uint32_t mesh = SCREE_PACKED_MESH(shape[row].kind);
        if (mesh > count ||
            !is_shape(dimensions, &shape[row],
                      mesh ? scree_shape_table_find_digest(meshes, digest[mesh - 1]) : NULL))
            return refuse(error, "a body has an invalid shape", row);
    }
    return SCREE_OK;
}

static scree_status check_bodies(const scree_rules *rules, const scree_snapshot *snapshot,
                                 scree_error *error)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(snapshot);
    const scree_snapshot_tally *tally = scree_snapshot_rows(snapshot, "tally");
    const scree_packed_name *names = scree_snapshot_rows(snapshot, "names");
    const uint64_t *serial = scree_snapshot_rows(snapshot, "body.serial");
    const uint32_t *material = scree_snapshot_rows(snapshot, "body.material");
    const scree_body_id *id = scree_snapshot_rows(snapshot, "body.id");

    for (uint64_t row = 0; row < head->bodies; row++) {
        if (serial[row] == 0 || serial[row] >= tally->next_serial ||
            (row > 0 && serial[row] <= serial[row - 1]))
            return refuse(error, "global ids do not ascend", row);
        if (material[row] == 0 || material[row] > rules->material_count)
            return refuse(error, "a body is of a material that does not exist", row);
        if (id[row].index1 == 0 || id[row].index1 > head->names ||
            !names[id[row].index1 - 1].taken ||
            names[id[row].index1 - 1].generation != id[row].generation)
            return refuse(error, "a body has a name that is not taken", row);
    }
    return SCREE_OK;
}

/* ---- contacts ---- */

static bool law_is_there(const scree_rules *rules, const scree_packed_law *law)
{
    /* nothing is stored for a pair without interaction */
    return (law->rule == 0 && law->material[0] == 0) ||
           scree_rules_named(rules, law->rule, law->material[0], law->material[1]) != UINT32_MAX;
}

static scree_status check_pairs(const scree_rules *rules, const scree_snapshot *snapshot,
                                scree_error *error)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(snapshot);
    const uint32_t *first = scree_snapshot_rows(snapshot, "pair.first");
    const uint32_t *second = scree_snapshot_rows(snapshot, "pair.second");
    const scree_packed_law *law = scree_snapshot_rows(snapshot, "pair.law");

    for (uint64_t c = 0; c < head->pairs; c++) {
        if (first[c] >= second[c] || second[c] >= head->bodies)
            return refuse(error, "a contact names bodies that do not exist", c);
        if (c > 0 &&
            (first[c] < first[c - 1] || (first[c] == first[c - 1] && second[c] <= second[c - 1])))
            return refuse(error, "contacts do not ascend", c);
        if (!law_is_there(rules, &law[c]))
            return refuse(error, "a contact has a law that does not exist", c);
    }
    return SCREE_OK;
}

static scree_status check_wall_contacts(const scree_rules *rules, const scree_walls *world_walls,
                                        const scree_snapshot *snapshot, scree_error *error)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(snapshot);
    const uint32_t *body = scree_snapshot_rows(snapshot, "surface.body");
    const uint32_t *wall = scree_snapshot_rows(snapshot, "surface.wall");
    const scree_packed_law *law = scree_snapshot_rows(snapshot, "surface.law");
    const scree_packed_mesh_memory *memory = scree_snapshot_rows(snapshot, "surface.memory");

    for (uint64_t c = 0; c < head->wall_contacts; c++) {
        if (body[c] >= head->bodies || wall[c] >= head->walls ||
            (c > 0 && (body[c] < body[c - 1] || (body[c] == body[c - 1] && wall[c] < wall[c - 1]))))
            return refuse(error, "contacts with walls do not ascend", c);
        const scree_mesh *mesh = world_walls->wall[wall[c]].def.mesh;
        if (memory[c].facet >= (mesh ? mesh->facet_count : 1) || memory[c].side < -1 ||
            memory[c].side > 1 || memory[c].feature >= SCREE_ON_VERTEX + 3)
            return refuse(error, "a contact is with a facet that does not exist", c);
        if (!law_is_there(rules, &law[c]))
            return refuse(error, "a contact with a wall has a law that does not exist", c);
    }
    return SCREE_OK;
}

/*  The mesh or clump of a body; NULL for a sphere. */
static const scree_shape_data *made_of(const scree_shape_table *meshes,
                                       const scree_snapshot *snapshot, uint32_t row)
{
    const scree_packed_scree_shape *shape = scree_snapshot_rows(snapshot, "body.shape");
    const uint64_t *digest = scree_snapshot_rows(snapshot, "solid.mesh");
    uint32_t mesh = SCREE_PACKED_MESH(shape[row].kind);

    return mesh ? scree_shape_table_find_digest(meshes, digest[mesh - 1]) : NULL;
}

static bool names_feature(const scree_packed_mesh_memory *memory, const scree_mesh *mesh)
{
    return mesh && memory->facet < mesh->facet_count && memory->side >= -1 && memory->side <= 1 &&
           memory->feature < SCREE_ON_VERTEX + 3;
}

/*  A sphere or pebble on triangles has a feature of the mesh. For other bodies of triangles only the point is used.
    A clump has the pebble, and for two clumps the second pebble is the facet. `wall`: mesh of a wall, or NULL. */
static bool memory_is_sound(const scree_shape_table *meshes, const scree_snapshot *snapshot,
                            uint32_t first, uint32_t second, const scree_mesh *wall,
                            const scree_packed_mesh_memory *memory)
{
    const scree_shape_data *a = made_of(meshes, snapshot, first);
    const scree_shape_data *b = second == UINT32_MAX ? NULL : made_of(meshes, snapshot, second);
    const scree_clump *clump = a && a->clump ? a->clump : b ? b->clump : NULL;
    const scree_mesh *mesh = a && a->mesh ? a->mesh : b && b->mesh ? b->mesh : wall;

    if (second == UINT32_MAX && a && a->is_block && wall && wall->corners == 2)
        return names_feature(memory, wall) &&
               (memory->pebble < a->convex.corner_count || memory->pebble == SCREE_NO_CORNER);
    if (memory->pebble >= (clump ? clump->pebble_count : 1))
        return false;
    if (clump && a && b && a->clump && b->clump)
        return memory->facet < b->clump->pebble_count;
    if (clump)
        return !mesh || names_feature(memory, mesh);
    /* a superquadric on a wall has a feature of the wall, a mesh or block on a plane one of its own */
    if (second == UINT32_MAX && names_feature(memory, wall))
        return true;
    return second == UINT32_MAX || (a && b) ? memory->feature <= SCREE_FEATURES
                                            : names_feature(memory, mesh);
}

/*  Order of contacts of non-spherical bodies: by first body; walls behind bodies; by partner. */
static int compare_places(const uint32_t *first, const uint32_t *second, const uint32_t *wall,
                          uint64_t c, uint64_t d)
{
    if (first[c] != first[d])
        return first[c] < first[d] ? -1 : 1;
    if (second[c] != second[d])
        return second[c] < second[d] ? -1 : 1;
    return (wall[c] > wall[d]) - (wall[c] < wall[d]);
}

static scree_status check_shape_contacts(const scree_rules *rules, const scree_walls *world_walls,
                                         const scree_shape_table *meshes,
                                         const scree_snapshot *snapshot, scree_error *error)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(snapshot);
    uint64_t count;
    const uint32_t *first = scree_snapshot_find(snapshot, "solid.first", &count);
    const uint32_t *second = scree_snapshot_rows(snapshot, "solid.second");
    const uint32_t *wall = scree_snapshot_rows(snapshot, "solid.wall");
    const scree_packed_law *law = scree_snapshot_rows(snapshot, "solid.law");
    const scree_packed_mesh_memory *memory = scree_snapshot_rows(snapshot, "solid.memory");

    for (uint64_t c = 0; c < count; c++) {
        bool at_wall = second[c] == UINT32_MAX;
        if (first[c] >= head->bodies ||
            (at_wall ? wall[c] >= head->walls
                     : wall[c] != UINT32_MAX || second[c] <= first[c] || second[c] >= head->bodies))
            return refuse(error, "a contact names bodies that do not exist", c);
        if (!made_of(meshes, snapshot, first[c]) &&
            (at_wall || !made_of(meshes, snapshot, second[c])))
            return refuse(error, "a contact of triangles or pebbles has neither a mesh nor a clump",
                          c);
        if (c > 0 && compare_places(first, second, wall, c - 1, c) > 0)
            return refuse(error, "contacts do not ascend", c);
        if (!law_is_there(rules, &law[c]) || law[c].material[0] == 0)
            return refuse(error, "a contact has a law that does not exist", c);
        if (!memory_is_sound(meshes, snapshot, first[c], second[c],
                             at_wall ? world_walls->wall[wall[c]].def.mesh : NULL, &memory[c]))
            return refuse(error, "a contact is with a facet that does not exist", c);
    }
    return SCREE_OK;
}

/* ---- walls ---- */

static bool walls_are_alike(const scree_wall_record *wall, const scree_packed_wall *packed,
                            const scree_packed_path *path)
{
    return packed->index1 == wall->id.index1 && packed->generation == wall->id.generation &&
           packed->kind == (uint32_t)wall->def.kind &&
           packed->material == wall->def.material.index1 && packed->groups == wall->def.groups &&
           packed->mask == wall->def.mask &&
           packed->mesh_digest == scree_mesh_digest(wall->def.mesh) &&
           path->has_function == (wall->def.path.function != NULL);
}

/*  Handles of walls are the same: either all the walls that bound its area exist, or none is named. */
static bool servo_is_there(const scree_walls *world_walls, const scree_packed_servo *servo)
{
    int count = 2 * (world_walls->dimensions - 1), there = 0, named = 0;

    for (int k = 0; k < 4; k++) {
        named += servo->between[k].index1 != 0;
        there += k < count && scree_walls_place(world_walls, servo->between[k]) != SIZE_MAX;
    }
    return servo->is_on <= 1 && named == there && (named == 0 || named == count);
}

static scree_status check_servos(const scree_walls *world_walls, const scree_snapshot *snapshot,
                                 scree_error *error)
{
    uint64_t count;
    const scree_packed_servo *servos = scree_snapshot_find(snapshot, "wall.servo", &count);

    for (uint64_t w = 0; w < count; w++)
        if (!servo_is_there(world_walls, &servos[w]))
            return refuse(error, "a servo's walls are not there", w);
    return SCREE_OK;
}

/*  Each part belongs to a wall without function, in the order of walls, and their tables use all rows. */
static scree_status check_path_parts(const scree_walls *world_walls, const scree_snapshot *snapshot,
                                     scree_error *error)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(snapshot);
    uint64_t count, left, wall = 0;
    const scree_packed_path_part *part = scree_snapshot_find(snapshot, "path.part", &count);

    scree_snapshot_find(snapshot, "path.table", &left);
    for (uint64_t k = 0; k < count; k++) {
        if (part[k].wall < wall || part[k].wall >= head->walls ||
            world_walls->wall[part[k].wall].def.path.function)
            return refuse(error, "a part of a path belongs to no wall", k);
        wall = part[k].wall;
        if (part[k].table_count > left)
            return refuse(error, "a part of a path has more table rows than are stored", k);
        left -= part[k].table_count;
    }
    return left ? refuse(error, "rows of tables that are no path's", left) : SCREE_OK;
}

/*  The rows are those of the facets of all walls that wear. */
static scree_status check_wear(const scree_walls *world_walls, const scree_snapshot *snapshot,
                               scree_error *error)
{
    const scree_wear_model *models = scree_snapshot_rows(snapshot, "wall.wear");
    uint64_t left;

    scree_snapshot_find(snapshot, "wall.facets", &left);
    for (size_t w = 0; models && w < world_walls->count; w++) {
        const size_t rows = models[w].is_on ? scree_wall_facets(&world_walls->wall[w]) : 0;
        if (rows > left)
            return refuse(error, "a wall that wears has more facets than are stored", w);
        left -= rows;
    }
    return left ? refuse(error, "wear of facets that are no wall's", left) : SCREE_OK;
}

static scree_status check_walls(const scree_walls *world_walls, const scree_snapshot *snapshot,
                                scree_error *error)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(snapshot);
    const scree_packed_wall *walls = scree_snapshot_rows(snapshot, "wall");
    const scree_packed_path *paths = scree_snapshot_rows(snapshot, "wall.path");
    uint64_t left = head->table_rows;

    if (head->walls != world_walls->count)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "snapshot: it has %" PRIu64 " walls, the world %zu", head->walls,
                          world_walls->count);
    for (uint64_t w = 0; w < head->walls; w++) {
        if (!walls_are_alike(&world_walls->wall[w], &walls[w], &paths[w]))
            return scree_fail(error, SCREE_BAD_ARGUMENT,
                              "snapshot: wall %" PRIu64 " of the world is another one", w + 1);
        if (paths[w].table_count > left)
            return refuse(error, "a wall's table of times has more table rows than are stored", w);
        left -= paths[w].table_count;
    }
    if (left)
        return refuse(error, "rows of tables that are no wall's", left);
    scree_status status = check_path_parts(world_walls, snapshot, error);
    if (!status)
        status = check_wear(world_walls, snapshot, error);
    return status ? status : check_servos(world_walls, snapshot, error);
}

/* ---- all ---- */

static scree_status check_physics(const scree_world_def *def, const scree_snapshot *snapshot,
                                  scree_error *error)
{
    const scree_snapshot_tail tail = scree_snapshot_tail_of(scree_snapshot_head_of(snapshot));
    const scree_physics has = scree_physics_of(def);
    const scree_physics *wanted = scree_snapshot_rows(snapshot, "physics");

    if (scree_physics_integrator(wanted) > SCREE_IMPLICIT_MULTISCALE ||
        scree_physics_precision(wanted) > SCREE_PRECISION_WITH_FLOATS ||
        wanted->time > SCREE_TIME_MASS_SCALING ||
        scree_physics_local_steps(wanted) > SCREE_MAX_LOCAL_STEPS)
        return scree_fail(
            error, SCREE_BAD_ARGUMENT,
            "snapshot: an integrator, precision, time mode or local_steps that is not known");
    if (scree_integrator_is_implicit(scree_physics_integrator(wanted)) != tail.is_implicit ||
        (tail.is_implicit &&
         !scree_physics_picard_is_sound(scree_snapshot_rows(snapshot, "picard"))))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "snapshot: how implicit steps are found is not known, or cannot be");
    if (scree_physics_compare_frames(&has, wanted, error))
        return SCREE_BAD_ARGUMENT;
    /* the frames are equal, so the world's definition says which cells are valid */
    if (tail.has_cell && scree_strain_check(def, scree_snapshot_rows(snapshot, "cell"), error))
        return SCREE_BAD_ARGUMENT;
    if (tail.has_cell_servo &&
        scree_cell_servo_check(
            def, scree_snapshot_rows(snapshot, "cell.servo"),
            tail.has_cell &&
                ((const scree_packed_cell *)scree_snapshot_rows(snapshot, "cell"))->homogeneous,
            error))
        return SCREE_BAD_ARGUMENT;
    return SCREE_OK;
}

static scree_status check_rules(const scree_rules *rules, const scree_snapshot *snapshot,
                                scree_error *error)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(snapshot);

    if (head->rules_digest != scree_rules_digest(rules) || head->planes != rules->planes ||
        head->has_moments != rules->has_moments)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "snapshot: the world's materials or rules are not those of it");
    return SCREE_OK;
}

static scree_status check_values(const scree_rules *rules, const scree_snapshot *snapshot,
                                 scree_error *error)
{
    const scree_snapshot_tail tail = scree_snapshot_tail_of(scree_snapshot_head_of(snapshot));

    if (tail.frictions && (tail.frictions != scree_values_count(rules, SCREE_LIST_FRICTION) ||
                           !scree_values_are_sound(rules, SCREE_LIST_FRICTION,
                                                   scree_snapshot_rows(snapshot, "friction"))))
        return scree_fail(error, SCREE_BAD_ARGUMENT, "snapshot: its friction cannot be");
    if (tail.values &&
        (tail.values != scree_values_count(rules, SCREE_LIST_OTHER) ||
         !scree_values_are_sound(rules, SCREE_LIST_OTHER, scree_snapshot_rows(snapshot, "values"))))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "snapshot: its values of materials and rules cannot be");
    return SCREE_OK;
}

static scree_status check_heat(const scree_rules *rules, const scree_snapshot *snapshot,
                               scree_error *error)
{
    const scree_physics *physics = scree_snapshot_rows(snapshot, "physics");
    const scree_heat_course *course = scree_snapshot_rows(snapshot, "heat");
    uint64_t count;

    if (!course)
        return SCREE_OK;
    scree_snapshot_find(snapshot, "heat.material", &count);
    if (count != rules->material_count)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "snapshot: it has heat of %" PRIu64 " materials, the world has %zu",
                          count, rules->material_count);
    if (!scree_heat_course_is_sound(course) || (course->loss_share > 0 && !physics->energy_balance))
        return scree_fail(error, SCREE_BAD_ARGUMENT, "snapshot: its heat cannot be");
    return SCREE_OK;
}

static scree_status check_bonds(const scree_snapshot *snapshot, scree_error *error)
{
    const scree_bond_course *course = scree_snapshot_rows(snapshot, "bonds");

    if (!course || scree_bond_course_is_sound(course))
        return SCREE_OK;
    return scree_fail(error, SCREE_BAD_ARGUMENT,
                      "snapshot: more bonds broke than were made, or none was made");
}

static scree_status check_sleep(const scree_snapshot *snapshot, scree_error *error)
{
    const scree_sleep_rule *rule = scree_snapshot_rows(snapshot, "rest");
    scree_world_def def = scree_default_world_def();

    if (!rule)
        return SCREE_OK;
    scree_snapshot_apply_physics(snapshot, &def);
    if (!scree_sleep_rule_is_sound(rule) || !scree_sleep_fits(&def))
        return scree_fail(error, SCREE_BAD_ARGUMENT, "snapshot: its bodies cannot rest like that");
    return SCREE_OK;
}

scree_status scree_snapshot_check(const scree_world *world, const scree_snapshot *snapshot,
                                  scree_error *error)
{
    const scree_rules *rules = &world->rules;
    const scree_walls *walls = &world->walls;
    const scree_shape_table *meshes = &world->shape_finder.meshes;
    scree_status status;

    if ((status = check_block(snapshot, error)) ||
        (status = check_physics(&world->def, snapshot, error)) ||
        (status = check_rules(rules, snapshot, error)) ||
        (status = check_values(rules, snapshot, error)) ||
        (status = check_walls(walls, snapshot, error)) ||
        (status = check_bodies(rules, snapshot, error)) ||
        (status = check_shapes(meshes, world->def.dimensions, snapshot, error)) ||
        (status = check_names(snapshot, error)) || (status = check_pairs(rules, snapshot, error)) ||
        (status = check_wall_contacts(rules, walls, snapshot, error)) ||
        (status = check_heat(rules, snapshot, error)) || (status = check_bonds(snapshot, error)) ||
        (status = check_sleep(snapshot, error)) ||
        (status = scree_joints_check(world, snapshot, error)))
        return status;
    return check_shape_contacts(rules, walls, meshes, snapshot, error);
}
