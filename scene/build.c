/*  From the plan to a world: domain, materials, rules, walls; then the bodies of the start. What the world
    refuses is told with the line of the scene that asked for it. */
#include "base/error.h"
#include "scene_internal.h"
#include "scree/bond.h"
#include "scree/cell.h"
#include "scree/wall.h"

#include <string.h>

static scree_world_def world_def(const scree_scene *scene, const scree_world_def *hooks,
                                 scree_error *error)
{
    scree_world_def def = scene->plan.world;

    def.error = error;
    if (!hooks)
        return def;
    def.allocator = hooks->allocator;
    def.log = hooks->log;
    def.tasks = hooks->tasks;
    if (hooks->thread_count > 1)
        def.thread_count = hooks->thread_count;
    if (hooks->method && strcmp(hooks->method, "auto") != 0)
        def.method = hooks->method;
    if (hooks->audit)
        def.audit = hooks->audit;
    if (hooks->energy_balance)
        def.energy_balance = true;
    if (hooks->device)
        def.device = hooks->device;
    return def;
}

static scree_status refused(const scree_scene *scene, scree_world *world, scree_status status,
                            int line, const char *what, scree_error *error)
{
    return status ? scene_fail_at(scene, error, status, line, "%s: %s", what,
                                  scree_world_message(world))
                  : SCREE_OK;
}

static scree_status add_materials(const scree_scene *scene, scree_world *world, scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;

    for (size_t i = 0; i < plan->material_count; i++) {
        scree_status status = scree_world_add_material(world, &plan->materials[i], NULL);
        if (status)
            return refused(scene, world, status, plan->material_lines[i], "material", error);
    }
    return SCREE_OK;
}

static scree_status add_rules(const scree_scene *scene, scree_world *world, scree_error *error)
{
    for (size_t i = 0; i < scene->plan.rule_count; i++) {
        const scree_scene_rule *rule = &scene->plan.rules[i];
        scree_rule_def def = scree_default_rule_def();
        def.type = rule->type;
        def.material[0].index1 = rule->material[0];
        def.material[1].index1 = rule->material[1];
        def.groups = rule->groups;
        def.law = rule->law;
        def.own_law = rule->own_law;
        def.names = rule->names;
        def.values = rule->values;
        def.value_count = rule->value_count;
        scree_status status = scree_world_add_rule(world, &def);
        if (status)
            return refused(scene, world, status, rule->line, "rule", error);
    }
    return SCREE_OK;
}

/* ---- walls ------------------------------------------------------------------------------------------------ */

static scree_wall_def wall_def(const scree_scene_wall *wall)
{
    scree_wall_def def = scree_default_wall_def();

    def.material.index1 = wall->material;
    def.groups = wall->groups;
    def.mask = wall->mask;
    def.path = wall->path;
    return def;
}

static scree_status add_plane(scree_world *world, const scree_scene_wall *wall,
                              const double point[3], const double normal[3])
{
    scree_wall_def def = wall_def(wall);

    memcpy(def.point, point, sizeof def.point);
    memcpy(def.normal, normal, sizeof def.normal);
    return scree_world_add_wall(world, &def, NULL);
}

/*  Planes that look inward, one for each side that is not open. */
static scree_status add_box(scree_world *world, scree_scene_wall *wall, int dimensions)
{
    const scree_scene_geometry *g = &wall->surface;

    wall->count = 0;
    for (int side = 0; side < 2 * dimensions; side++) {
        double normal[3] = {0};
        if (g->open >> side & 1)
            continue;
        normal[side / 2] = side % 2 ? -1 : 1;
        scree_status status = add_plane(world, wall, side % 2 ? g->upper : g->lower, normal);
        if (status)
            return status;
        wall->count++;
    }
    return SCREE_OK;
}

/*  The world's walls of a plan's wall, from `first` on; `id` has room for six. */
static void list_parts(scree_world *world, const scree_scene_wall *wall, scree_wall_id *id,
                       scree_wall_id *all, size_t count)
{
    scree_world_walls(world, all, count);
    memcpy(id, all + wall->first, wall->count * sizeof *id);
}

/*  Of a box each side that is driven; a stress without an area is on what lies between the others. */
static scree_status drive_box(scree_world *world, const scree_scene_wall *wall, int dimensions,
                              const scree_wall_id *part)
{
    bool has_area = wall->servo.stress == 0 || wall->servo.area > 0;
    uint32_t at = 0;
    scree_status status = SCREE_OK;

    for (int side = 0; side < 2 * dimensions && !status; side++) {
        scree_wall_servo servo = wall->servo;
        if (wall->surface.open >> side & 1)
            continue;
        /* nothing is open here: sides and parts are the same */
        for (int k = 0, n = 0; !has_area && k < 2 * dimensions; k++)
            if (k / 2 != side / 2)
                servo.between[n++] = part[k];
        if (!wall->servo_sides || wall->servo_sides >> side & 1)
            status = scree_world_set_wall_servo(world, part[at], &servo);
        at++;
    }
    return status;
}

/*  Those of a wall into `part`. */
scree_status scene_find_parts(const scree_scene *scene, scree_world *world,
                              const scree_scene_wall *wall, scree_wall_id part[6])
{
    size_t count = scree_world_walls(world, NULL, 0);
    scree_memory memory;
    void *all = NULL;

    scree_memory_init(&memory, &scene->memory.allocator);
    scree_status status = scree_memory_take(&memory, count, sizeof(scree_wall_id), &all);
    if (status)
        return status;
    list_parts(world, wall, part, all, count);
    scree_memory_give(&memory, &all, count, sizeof(scree_wall_id));
    return SCREE_OK;
}

static scree_status add_loose(const scree_scene *scene, scree_world *world,
                              const scree_scene_wall *wall)
{
    scree_wall_id part[6] = {{0}};
    scree_status status = scene_find_parts(scene, world, wall, part);

    return status ? status : scree_world_set_free_wall(world, part[0], &wall->loose);
}

static scree_status add_servo(const scree_scene *scene, scree_world *world,
                              const scree_scene_wall *wall)
{
    scree_wall_id part[6] = {{0}};
    scree_status status = scene_find_parts(scene, world, wall, part);

    if (status)
        return status;
    return wall->surface.form == SCREE_FORM_BOX
               ? drive_box(world, wall, scene->plan.world.dimensions, part)
               : scree_world_set_wall_servo(world, part[0], &wall->servo);
}

static scree_status add_mesh(scree_scene *scene, scree_world *world, scree_scene_wall *wall,
                             scree_error *error)
{
    scree_wall_def def = wall_def(wall);
    scree_mesh *mesh = NULL;
    scree_status status = scene_make_mesh(scene, wall, scene->plan.world.dimensions, &mesh, error);

    if (status)
        return status;
    def.kind = SCREE_WALL_MESH;
    def.mesh = mesh;
    memcpy(def.point, wall->position, sizeof def.point);
    memcpy(def.orientation, wall->orientation, sizeof def.orientation);
    status = scree_world_add_wall(world, &def, NULL);
    scree_mesh_destroy(mesh); /* the world holds it */
    return refused(scene, world, status, wall->line, "wall", error);
}

/*  Servo or loose, as a wall says. */
static scree_status drive(const scree_scene *scene, scree_world *world,
                          const scree_scene_wall *wall, scree_error *error)
{
    if (wall->has_servo)
        return refused(scene, world, add_servo(scene, world, wall), wall->line, "wall: servo",
                       error);
    if (wall->is_free)
        return refused(scene, world, add_loose(scene, world, wall), wall->line, "wall: loose",
                       error);
    return SCREE_OK;
}

scree_status scene_add_wall(scree_scene *scene, scree_world *world, scree_scene_wall *wall,
                            scree_error *error)
{
    scree_status status = SCREE_OK;

    wall->first = (uint32_t)scree_world_walls(world, NULL, 0);
    wall->count = 1;
    if (wall->surface.form == SCREE_FORM_PLANE)
        status =
            refused(scene, world, add_plane(world, wall, wall->surface.point, wall->surface.normal),
                    wall->line, "wall", error);
    else if (wall->surface.form == SCREE_FORM_BOX)
        status = refused(scene, world, add_box(world, wall, scene->plan.world.dimensions),
                         wall->line, "wall", error);
    else
        status = add_mesh(scene, world, wall, error);
    return status ? status : drive(scene, world, wall, error);
}

/*  What drove it before lets go first. Times of a servo count from now. */
scree_status scene_drive_wall(const scree_scene *scene, scree_world *world,
                              const scree_scene_wall *wall, const scree_scene_wall *driven,
                              double time, scree_error *error)
{
    scree_scene_wall now = *driven;
    scree_wall_id part[6] = {{0}};
    scree_status status = scene_find_parts(scene, world, wall, part);

    now.first = wall->first;
    now.count = wall->count;
    now.servo.start += time;
    now.servo.stop += time;
    for (uint32_t k = 0; k < wall->count && !status; k++) {
        status = scree_world_set_wall_servo(world, part[k], NULL);
        if (!status)
            status = scree_world_set_free_wall(world, part[k], NULL);
        if (!status)
            status = scree_world_set_wall_path(world, part[k], &now.path);
    }
    status = refused(scene, world, status, driven->line, "drive", error);
    return status ? status : drive(scene, world, &now, error);
}

static scree_status add_walls(scree_scene *scene, scree_world *world, scree_error *error)
{
    scree_scene_wall *walls = scene->list[SCENE_WALLS].rows;
    scree_status status = SCREE_OK;

    for (size_t i = 0; i < scene->plan.wall_count && !status; i++) {
        walls[i].first = walls[i].count = 0;
        if (!walls[i].comes_later)
            status = scene_add_wall(scene, world, &walls[i], error);
    }
    return status;
}

scree_status scree_scene_build(scree_scene *scene, const scree_world_def *hooks,
                               scree_world **world, scree_error *error)
{
    scree_error why = {SCREE_OK, ""};
    scree_world_def def = world_def(scene, hooks, &why);
    scree_status status = scree_world_create(&def, world);

    if (status)
        return scree_fail(error, status, "%s: %s", scene->name, why.text);
    status = add_materials(scene, *world, error);
    if (!status)
        status = add_rules(scene, *world, error);
    if (!status)
        status = add_walls(scene, *world, error);
    if (!status)
        status = scene_build_heat(scene, *world, error);
    if (!status && scene->plan.has_rest)
        status = refused(scene, *world, scree_world_set_sleep(*world, &scene->plan.rest),
                         scene->plan.rest_line, "sleep", error);
    if (status) {
        scree_world_destroy(*world);
        *world = NULL;
    }
    return status;
}

scree_status scree_scene_build_at(scree_scene *scene, const scree_world_def *hooks,
                                  const void *course, size_t course_bytes, scree_world **world,
                                  scree_error *error)
{
    uint32_t stage = 0;
    scree_status status = scene_course_stage(scene, course, course_bytes, &stage, error);

    *world = NULL;
    if (!status)
        status = scree_scene_build(scene, hooks, world, error);
    if (!status)
        status = scene_place_walls(scene, *world, stage, error);
    if (status) {
        scree_world_destroy(*world);
        *world = NULL;
    }
    return status;
}

/* ---- the bodies of the start ------------------------------------------------------------------------------- */

#define AT_ONCE 4096u

static scree_body_def body_def(const scree_scene_body *body, int dimensions, scree_random *random)
{
    scree_body_def def = scree_default_body_def();
    const scree_scene_stone *stone = body->stone;
    static const double zero[3] = {0};

    def.shape = stone ? scene_shape_of(stone) : scree_shape_sphere(body->radius);
    def.material.index1 = body->material;
    def.mass = body->mass;
    memcpy(def.velocity, body->velocity, sizeof def.velocity);
    memcpy(def.spin, body->spin, sizeof def.spin);
    memcpy(def.orientation, body->orientation, sizeof def.orientation);
    if (body->is_turned)
        scene_turn_at_random(random, dimensions, def.orientation);
    else if (stone)
        /* said of the mesh's or clump's axes; the world wants the principal ones. What is wrong with either was seen before */
        scree_body_def_place(&def, zero, body->orientation);
    memcpy(def.position, body->position, sizeof def.position);
    def.groups = body->groups;
    def.mask = body->mask;
    def.flags = body->flags;
    return def;
}

/*  Those of one line together, so that a refusal has a line. */
static scree_status add_bodies(scree_scene *scene, scree_world *world, scree_error *error)
{
    const scree_scene_body *bodies = scene->plan.bodies;
    size_t count = scene->plan.body_count;
    scree_random random = scree_random_stream(scene->plan.seed, SCENE_TURN_STREAM);
    scree_memory memory;
    void *block = NULL;

    scree_memory_init(&memory, &scene->memory.allocator);
    if (scree_memory_take(&memory, AT_ONCE, sizeof(scree_body_def), &block))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", scene->name);
    scree_body_def *defs = block;
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < count && !status;) {
        size_t many = 0;
        for (; i + many < count && many < AT_ONCE && bodies[i + many].line == bodies[i].line;
             many++)
            defs[many] = body_def(&bodies[i + many], scene->plan.world.dimensions, &random);
        status = scree_world_add_bodies(world, defs, many, NULL);
        if (!status)
            status = scene_heat_bodies(scene, world, &bodies[i], many);
        status = refused(scene, world, status, bodies[i].line, "body", error);
        i += many;
    }
    scree_memory_give(&memory, &block, AT_ONCE, sizeof(scree_body_def));
    return status;
}

/*  None was made: why. */
static scree_status no_bond(const scree_scene *scene, scree_world *world,
                            const scree_scene_bond *bond, scree_error *error)
{
    scree_bodies_view bodies = scree_world_bodies(world);
    const char *when = bond->stage ? "stage" : "start";
    size_t others = 0;

    for (size_t i = 0; i < bodies.count; i++) {
        scree_body body;
        if (scree_world_get_body(world, bodies.id[i], &body) == SCREE_OK)
            others += body.shape.kind != SCREE_SHAPE_SPHERE;
    }
    if (others > 0)
        return scene_fail_at(scene, error, SCREE_BAD_FILE, bond->line,
                             "bond: only spheres are bonded, which %zu of the %zu bodies of the "
                             "%s are not; no two that are, whose law is \"bonded\", are so near "
                             "each other and not bonded yet",
                             others, bodies.count, when);
    return scene_fail_at(scene, error, SCREE_BAD_FILE, bond->line,
                         "bond: no two bodies of the %s are so near each other, whose law "
                         "is \"bonded\" and that are not bonded yet",
                         when);
}

scree_status scene_add_bond(scree_scene *scene, scree_world *world, const scree_scene_bond *bond,
                            scree_error *error)
{
    scree_bond_def def = scree_default_bond_def();
    uint64_t made;

    def.gap = bond->gap;
    def.groups = bond->groups;
    scree_status status = scree_world_add_bonds(world, &def, &made);
    if (status)
        return refused(scene, world, status, bond->line, "bond", error);
    return made ? SCREE_OK : no_bond(scene, world, bond, error);
}

/*  After all bodies are there: a homogeneous flow takes them along. Pours would look for images where they are not. */
static scree_status set_cell(scree_scene *scene, scree_world *world, scree_error *error)
{
    const scree_scene_cell *planned = &scene->plan.cell;
    scree_cell_def cell;

    if (!planned->line)
        return SCREE_OK;
    for (size_t i = 0; i < scene->plan.source_count; i++)
        if (scene->plan.sources[i].is_pour)
            return scene_fail_at(scene, error, SCREE_BAD_FILE, planned->line,
                                 "cell: cannot be combined with the pour in line %d",
                                 scene->plan.sources[i].line);
    /* where the border leans, who comes in again may be anywhere beside a plane that counts */
    for (size_t i = 0; i < scene->plan.measure_count; i++)
        if (scene->plan.measures[i].region.form == SCREE_FORM_PLANE)
            return scene_fail_at(
                scene, error, SCREE_BAD_FILE, planned->line,
                "cell: cannot be combined with the plane of the measure in line %d",
                scene->plan.measures[i].line);
    scree_world_cell(world, &cell);
    memcpy(cell.gradient, planned->gradient, sizeof cell.gradient);
    memcpy(cell.tilt, planned->tilt, sizeof cell.tilt);
    cell.homogeneous = planned->homogeneous;
    scree_status status = scree_world_set_cell(world, &cell);
    if (!status && planned->has_servo)
        status = scree_world_set_cell_servo(world, &planned->servo);
    return refused(scene, world, status, planned->line, "world", error);
}

scree_status scree_scene_start(scree_scene *scene, scree_world *world, scree_error *error)
{
    scree_status status = scene_make_course(scene);

    if (status)
        return scree_fail(error, status, "%s: out of memory", scene->name);
    if (scene->plan.body_count > 0)
        status = add_bodies(scene, world, error);
    for (size_t i = 0; i < scene->plan.source_count && !status; i++)
        if (!scene->plan.sources[i].is_pour && !scene->plan.sources[i].stage)
            status = scene_run_fill(scene, world, i, error);
    for (size_t i = 0; i < scene->plan.bond_count && !status; i++)
        if (!scene->plan.bonds[i].stage)
            status = scene_add_bond(scene, world, &scene->plan.bonds[i], error);
    if (!status)
        status = set_cell(scene, world, error);
    if (!status)
        status = scene_begin_stages(scene, world, error);
    scene->course.began = !status;
    return status;
}
