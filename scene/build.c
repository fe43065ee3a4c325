/*  Makes a world from the plan: domain, materials, interactions, walls; then the initial bodies. If the world
    refuses something, the message has the line of the scene that asked for it. */
#include "base/error.h"
#include "scene_internal.h"
#include "scree/cell.h"

#include <string.h>

static scree_world_def world_def(const scree_scene *scene, const scree_world_def *hooks,
                                 scree_error *error)
{
    scree_world_def def = scene->plan.world;

    def.hooks.error = error;
    if (!hooks)
        return def;
    def.hooks.allocator = hooks->hooks.allocator;
    def.hooks.log = hooks->hooks.log;
    def.compute.tasks = hooks->compute.tasks;
    if (hooks->compute.thread_count > 1)
        def.compute.thread_count = hooks->compute.thread_count;
    if (hooks->detection.method && strcmp(hooks->detection.method, "auto") != 0)
        def.detection.method = hooks->detection.method;
    if (hooks->detection.audit)
        def.detection.audit = hooks->detection.audit;
    if (hooks->energy_balance)
        def.energy_balance = true;
    if (hooks->compute.device)
        def.compute.device = hooks->compute.device;
    return def;
}

static scree_status add_materials(const scree_scene *scene, scree_world *world, scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;

    for (size_t i = 0; i < plan->material_count; i++) {
        scree_status status = scree_world_add_material(world, &plan->materials[i], NULL);
        if (status)
            return scene_refused(scene, world, status, plan->material_lines[i], "material", error);
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
            return scene_refused(scene, world, status, rule->line, "rule", error);
    }
    return SCREE_OK;
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

static scree_status add_ambient(scree_scene *scene, scree_world *world, scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;
    scree_status status = SCREE_OK;

    if (plan->has_fluid)
        status = scene_refused(scene, world, scree_world_set_fluid(world, &plan->fluid),
                               plan->fluid_line, "fluid", error);
    for (uint32_t k = 0; k < plan->force_field_count && !status; k++)
        status =
            scene_refused(scene, world, scree_world_add_force_field(world, &plan->force_fields[k]),
                          plan->force_field_lines[k], "force_field", error);
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
    if (!status)
        status = add_ambient(scene, *world, error);
    if (!status && scene->plan.has_rest)
        status = scene_refused(scene, *world, scree_world_set_sleep(*world, &scene->plan.rest),
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

/* ---- initial bodies ---------------------------------------------------------------------------------------- */

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
        /* the orientation is that of the mesh's or clump's axes, and the world needs the principal axes. Both were
           checked before */
        scree_body_def_place(&def, zero, body->orientation);
    memcpy(def.position, body->position, sizeof def.position);
    def.groups = body->groups;
    def.mask = body->mask;
    def.flags = body->flags;
    return def;
}

/*  The bodies of one line are added together, so that an error has a line. */
static scree_status add_bodies(scree_scene *scene, scree_world *world, scree_error *error)
{
    scree_scene_body *bodies = scene->list[SCENE_BODIES].rows;
    size_t count = scene->plan.body_count;
    scree_random random = scree_random_stream(scene->plan.seed, SCENE_TURN_STREAM);
    scree_memory memory;
    void *block = NULL;

    scree_memory_init(&memory, &scene->memory.allocator);
    if (scree_memory_take(&memory, AT_ONCE, sizeof(scree_body_def), &block))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", scene->name);
    scree_body_def *defs = block;
    scree_body_id ids[AT_ONCE];
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < count && !status;) {
        size_t many = 0;
        for (; i + many < count && many < AT_ONCE && bodies[i + many].line == bodies[i].line;
             many++)
            defs[many] = body_def(&bodies[i + many], scene->plan.world.dimensions, &random);
        status = scree_world_add_bodies(world, defs, many, ids);
        for (size_t k = 0; k < many && !status; k++)
            bodies[i + k].id = ids[k];
        if (!status)
            status = scene_heat_bodies(scene, world, &bodies[i], many);
        status = scene_refused(scene, world, status, bodies[i].line, "body", error);
        i += many;
    }
    scree_memory_give(&memory, &block, AT_ONCE, sizeof(scree_body_def));
    return status;
}

/*  Sets the cell after all bodies have been added, since a homogeneous flow changes their velocities. */
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
    /* across a tilted boundary a wrapped body may appear anywhere next to a plane that counts */
    for (size_t i = 0; i < scene->plan.measure_count; i++)
        if (scene->plan.measures[i].region.form == SCREE_FORM_PLANE)
            return scene_fail_at(
                scene, error, SCREE_BAD_FILE, planned->line,
                "cell: cannot be combined with the plane of the measure in line %d",
                scene->plan.measures[i].line);
    scree_world_get_cell(world, &cell);
    memcpy(cell.gradient, planned->gradient, sizeof cell.gradient);
    memcpy(cell.tilt, planned->tilt, sizeof cell.tilt);
    cell.homogeneous = planned->homogeneous;
    scree_status status = scree_world_set_cell(world, &cell);
    if (!status && planned->has_servo)
        status = scree_world_set_cell_servo(world, &planned->servo);
    return scene_refused(scene, world, status, planned->line, "world", error);
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
        status = scene_add_joints(scene, world, error);
    if (!status)
        status = scene_begin_stages(scene, world, error);
    scene->course.began = !status;
    return status;
}
