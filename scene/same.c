/*  Whether two scenes have the same effect on the world from a moment on, so that one can continue from a state of
    the other: sources, sinks, walls and their motion, conditions, and changes by stages. Values that may differ are
    left to the caller. */
#include "scene_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool same_numbers(const double *a, const double *b, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (a[k] != b[k] && !(isnan(a[k]) && isnan(b[k])))
            return false;
    return true;
}

static bool same_number(double a, double b)
{
    return same_numbers(&a, &b, 1);
}

static bool same_list(const uint32_t *a, uint32_t count, const uint32_t *b, uint32_t other)
{
    return count == other && (count == 0 || memcmp(a, b, count * sizeof *a) == 0);
}

static bool same_names(const char *const *a, uint32_t count, const char *const *b, uint32_t other)
{
    for (uint32_t k = 0; k < count && count == other; k++)
        if (strcmp(a[k], b[k]) != 0)
            return false;
    return count == other;
}

static bool same_surface(const scree_scene_geometry *a, const scree_scene_geometry *b)
{
    if (a->vertex_count != b->vertex_count || a->facet_count != b->facet_count ||
        a->corner_count != b->corner_count)
        return false;
    if (!a->vertices != !b->vertices || !a->corners != !b->corners)
        return false;
    if (a->vertices && !same_numbers(a->vertices, b->vertices, 3 * (size_t)a->vertex_count))
        return false;
    return !a->corners ||
           memcmp(a->corners, b->corners,
                  (size_t)a->corner_count * a->facet_count * sizeof *a->corners) == 0;
}

static bool same_geometry(const scree_scene_geometry *a, const scree_scene_geometry *b)
{
    if (a->form != b->form)
        return false;
    if (scene_is_composed(a))
        return a->parts == b->parts && same_geometry(a->first, b->first) &&
               same_geometry(a->second, b->second);
    return same_numbers(a->point, b->point, 3) && same_numbers(a->normal, b->normal, 3) &&
           same_numbers(a->lower, b->lower, 3) && same_numbers(a->upper, b->upper, 3) &&
           same_numbers(a->from, b->from, 3) && same_numbers(a->to, b->to, 3) &&
           same_number(a->radius, b->radius) && same_number(a->radius_to, b->radius_to) &&
           same_number(a->scale, b->scale) && a->open == b->open && a->facets == b->facets &&
           a->is_face == b->is_face && a->side == b->side && same_surface(a, b);
}

static bool same_mesh(const scree_mesh *a, const scree_mesh *b)
{
    const scree_mesh_info x = scree_mesh_describe(a), y = scree_mesh_describe(b);

    return x.corners == y.corners && x.vertex_count == y.vertex_count &&
           x.facet_count == y.facet_count &&
           same_numbers(x.vertices, y.vertices, 3 * (size_t)x.vertex_count) &&
           memcmp(x.facets, y.facets, (size_t)x.corners * x.facet_count * sizeof *x.facets) == 0;
}

static bool same_clump(const scree_clump *a, const scree_clump *b)
{
    const scree_clump_info x = scree_clump_describe(a), y = scree_clump_describe(b);
    bool same = x.pebble_count == y.pebble_count;

    for (uint32_t k = 0; same && k < x.pebble_count; k++)
        same = same_numbers(x.pebbles[k].centre, y.pebbles[k].centre, 3) &&
               same_number(x.pebbles[k].radius, y.pebbles[k].radius);
    return same;
}

static bool same_stone(const scree_scene_stone *a, const scree_scene_stone *b)
{
    if (!a->mesh != !b->mesh || !a->clump != !b->clump)
        return false;
    return (!a->mesh || same_mesh(a->mesh, b->mesh)) &&
           (!a->clump || same_clump(a->clump, b->clump)) && a->is_block == b->is_block &&
           a->is_superquadric == b->is_superquadric && same_number(a->skin, b->skin);
}

/*  Bodies that are still to come have these shapes, also where volumes are equal. */
static bool same_stones(const scree_scene_sizes *a, const scree_scene_sizes *b)
{
    if (!a->stones != !b->stones)
        return false;
    for (uint32_t k = 0; a->stones && k < a->table_count; k++)
        if (!same_stone(&a->stones[k], &b->stones[k]))
            return false;
    return true;
}

static bool same_sizes(const scree_scene_sizes *a, const scree_scene_sizes *b)
{
    bool same = a->spread == b->spread && a->by_mass == b->by_mass &&
                a->is_of_mass == b->is_of_mass && same_number(a->lower, b->lower) &&
                same_number(a->upper, b->upper) && same_number(a->mean, b->mean) &&
                same_number(a->deviation, b->deviation) && a->table_count == b->table_count &&
                !a->table == !b->table;

    return same && (!a->table || same_numbers(a->table[0], b->table[0], 2 * a->table_count)) &&
           same_stones(a, b);
}

/* ---- walls ------------------------------------------------------------------------------------------------ */

static bool same_part(const scree_path_part *a, const scree_path_part *b)
{
    bool same = a->kind == b->kind && same_numbers(a->vector, b->vector, 3) &&
                same_numbers(a->centre, b->centre, 3) && same_number(a->rate, b->rate) &&
                same_number(a->angle, b->angle) && same_number(a->frequency, b->frequency) &&
                same_number(a->phase, b->phase) && a->table_count == b->table_count &&
                a->smooth == b->smooth && same_number(a->period, b->period) &&
                same_number(a->start, b->start) && same_number(a->stop, b->stop) &&
                same_number(a->ramp, b->ramp);

    return same && (!a->table_count || same_numbers(a->table[0], b->table[0], 8 * a->table_count));
}

static bool same_path(const scree_wall_path *a, const scree_wall_path *b)
{
    bool same = same_numbers(a->velocity, b->velocity, 3) &&
                same_numbers(a->centre, b->centre, 3) && same_numbers(a->axis, b->axis, 3) &&
                same_number(a->rate, b->rate) && same_numbers(a->swing, b->swing, 3) &&
                same_number(a->frequency, b->frequency) && same_number(a->phase, b->phase) &&
                a->table_count == b->table_count && a->part_count == b->part_count;

    if (same && a->table_count)
        same = same_numbers(a->table[0], b->table[0], 4 * a->table_count);
    for (size_t k = 0; same && k < a->part_count; k++)
        same = same_part(&a->parts[k], &b->parts[k]);
    return same;
}

static bool same_servo(const scree_wall_servo_def *a, const scree_wall_servo_def *b)
{
    return same_numbers(a->axis, b->axis, 3) && same_number(a->force, b->force) &&
           same_number(a->stress, b->stress) && same_number(a->area, b->area) &&
           same_number(a->max_speed, b->max_speed) && same_number(a->gain, b->gain) &&
           same_number(a->start, b->start) && same_number(a->stop, b->stop);
}

static bool same_load(const scree_free_wall_def *a, const scree_free_wall_def *b)
{
    return same_number(a->mass, b->mass) && same_numbers(a->inertia, b->inertia, 3) &&
           same_numbers(a->centre, b->centre, 3) && same_numbers(a->frame, b->frame, 4) &&
           same_numbers(a->velocity, b->velocity, 3) && same_numbers(a->spin, b->spin, 3) &&
           same_numbers(a->force, b->force, 3) && same_numbers(a->torque, b->torque, 3) &&
           same_number(a->damping, b->damping) &&
           same_number(a->angular_damping, b->angular_damping) && a->held == b->held;
}

static bool same_belt(const scree_wall_belt_def *a, const scree_wall_belt_def *b)
{
    return same_numbers(a->velocity, b->velocity, 3) && same_numbers(a->centre, b->centre, 3) &&
           same_numbers(a->axis, b->axis, 3) && same_number(a->rate, b->rate);
}

bool scene_same_belt(const scree_scene_wall *a, const scree_scene_wall *b)
{
    return a->has_belt == b->has_belt && (!a->has_belt || same_belt(&a->belt, &b->belt));
}

static bool same_motion(const scree_scene_wall *a, const scree_scene_wall *b)
{
    return same_path(&a->path, &b->path) && a->has_servo == b->has_servo &&
           (!a->has_servo || same_servo(&a->servo, &b->servo)) &&
           a->servo_sides == b->servo_sides && a->is_free == b->is_free &&
           (!a->is_free || same_load(&a->loose, &b->loose)) && scene_same_belt(a, b);
}

/*  Another path or belt can begin at any moment; a servo and a free wall have more state. */
static bool can_move_otherwise(const scree_scene_wall *a, const scree_scene_wall *b)
{
    return !a->has_servo && !b->has_servo && !a->is_free && !b->is_free;
}

static bool same_wear(const scree_scene_wall *a, const scree_scene_wall *b)
{
    const scree_wear_def *p = &a->wear, *q = &b->wear;

    return a->wears == b->wears && same_number(p->coefficient, q->coefficient) &&
           same_number(p->hardness, q->hardness) && same_number(p->erosion, q->erosion) &&
           same_number(p->reference_speed, q->reference_speed) &&
           same_number(p->reference_diameter, q->reference_diameter) &&
           same_number(p->speed_exponent, q->speed_exponent) &&
           same_number(p->diameter_exponent, q->diameter_exponent) &&
           same_number(p->angle_exponent, q->angle_exponent) &&
           same_number(p->hardness_exponent, q->hardness_exponent);
}

/*  may_move: path and belt may be others. */
static const char *other_wall(const scree_scene_wall *a, const scree_scene_wall *b, bool may_move)
{
    if (!same_geometry(&a->surface, &b->surface) || !same_numbers(a->position, b->position, 3) ||
        !same_numbers(a->orientation, b->orientation, 4))
        return "shape";
    if (a->material != b->material)
        return "material";
    if (a->groups != b->groups || a->mask != b->mask)
        return "groups";
    if (a->heat.is_given != b->heat.is_given ||
        !same_number(a->heat.temperature, b->heat.temperature))
        return "temperature";
    if (!same_wear(a, b))
        return "wear";
    return same_motion(a, b) || (may_move && can_move_otherwise(a, b)) ? NULL : "motion";
}

/* ---- sources, sinks --------------------------------------------------------------------------------------- */

static const char *other_source(const scree_scene_source *a, const scree_scene_source *b)
{
    const struct
    {
        const char *what;
        bool same;
    } rows[] = {
        {"region", same_geometry(&a->region, &b->region)},
        {"clear_of", same_list(a->keep_off, a->keep_off_count, b->keep_off, b->keep_off_count)},
        {"shape", same_sizes(&a->radius, &b->radius)},
        {"material", a->material == b->material},
        {"count", a->count == b->count},
        {"mass", same_number(a->mass, b->mass)},
        {"solid_fraction", same_number(a->solid_fraction, b->solid_fraction)},
        {"rate", same_number(a->rate, b->rate)},
        {"mass_rate", same_number(a->mass_rate, b->mass_rate)},
        {"returns", same_list(a->returns, a->return_count, b->returns, b->return_count)},
        {"start and stop", same_number(a->start, b->start) && same_number(a->stop, b->stop)},
        {"stage", a->stage == b->stage && a->stage_end == b->stage_end},
        {"velocity", same_numbers(a->velocity, b->velocity, 3) &&
                         same_number(a->spread, b->spread) &&
                         same_number(a->normal_speed, b->normal_speed)},
        {"gap", same_number(a->gap, b->gap)},
        {"groups", a->groups == b->groups && a->mask == b->mask},
        {"temperature", same_number(a->temperature, b->temperature)},
    };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (!rows[k].same)
            return rows[k].what;
    return NULL;
}

static const char *other_sink(const scree_scene_sink *a, const scree_scene_sink *b)
{
    if (!same_geometry(&a->region, &b->region))
        return "region";
    if (a->material != b->material)
        return "material";
    if (!same_number(a->start, b->start) || !same_number(a->stop, b->stop))
        return "start and stop";
    return a->stage == b->stage && a->stage_end == b->stage_end ? NULL : "stage";
}

/* ---- stages ----------------------------------------------------------------------------------------------- */

static bool same_condition(const scree_scene_condition *a, const scree_scene_condition *b)
{
    return a->kind == b->kind && a->span == b->span && a->is_below == b->is_below &&
           a->is_share == b->is_share && same_geometry(&a->region, &b->region) &&
           a->material == b->material && a->wall == b->wall && a->sides == b->sides &&
           same_numbers(a->axis, b->axis, 3);
}

/*  Except for its values. */
static bool same_change(const scree_scene_change *a, const scree_scene_change *b)
{
    return a->kind == b->kind && a->index == b->index && same_geometry(&a->region, &b->region) &&
           a->material == b->material && a->groups == b->groups && a->components == b->components &&
           !a->wall == !b->wall && (!a->wall || same_motion(a->wall, b->wall)) &&
           same_names(a->names, a->value_count, b->names, b->value_count);
}

static bool same_stage(const scree_scene_stage *a, const scree_scene_stage *b)
{
    bool same = a->change_count == b->change_count && a->ends == b->ends &&
                a->continues == b->continues && a->check_every == b->check_every;

    for (uint32_t k = 0; same && k < a->change_count; k++)
        same = same_change(&a->changes[k], &b->changes[k]);
    return same;
}

/* ---- laws ------------------------------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
    return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

/*  But for values that contacts follow at once: bodies keep their masses. */
static const char *other_material(const scree_material_def *a, const scree_material_def *b)
{
    return !same_text(a->name, b->name)           ? "name"
           : !same_number(a->density, b->density) ? "density"
                                                  : NULL;
}

static const char *other_rule(const scree_scene_rule *a, const scree_scene_rule *b)
{
    if (!same_text(a->law, b->law))
        return "law";
    if (a->material[0] != b->material[0] || a->material[1] != b->material[1])
        return "materials";
    if (a->type != b->type || a->groups != b->groups)
        return "between or groups";
    return same_names(a->names, a->value_count, b->names, b->value_count) ? NULL
                                                                          : "which values it gives";
}

static bool same_heat_of(const scree_material_heat_def *a, const scree_material_heat_def *b)
{
    return same_number(a->conductivity, b->conductivity) && same_number(a->capacity, b->capacity) &&
           same_number(a->young, b->young);
}

/* ---- all -------------------------------------------------------------------------------------------------- */

static bool tell(char *text, size_t room, const char *kind, const char *name, int line,
                 const char *what)
{
    if (name && name[0])
        snprintf(text, room, "%s \"%.40s\", line %d: %s", kind, name, line, what);
    else
        snprintf(text, room, "%s of line %d: %s", kind, line, what);
    return false;
}

static bool same_bond(const scree_scene_bond *a, const scree_scene_bond *b)
{
    return a->stage == b->stage && a->groups == b->groups && same_number(a->gap, b->gap);
}

static bool same_joint(const scree_scene_joint *a, const scree_scene_joint *b)
{
    const scree_joint_def *d = &a->def, *e = &b->def;

    return a->first == b->first && a->second == b->second && a->wall == b->wall &&
           d->kind == e->kind && d->collide == e->collide &&
           same_numbers(d->anchor, e->anchor, 3) &&
           same_numbers(d->second_anchor, e->second_anchor, 3) &&
           same_numbers(d->axis, e->axis, 3) && same_number(d->stiffness, e->stiffness) &&
           same_number(d->turn_stiffness, e->turn_stiffness) &&
           same_number(d->damping_ratio, e->damping_ratio) &&
           same_number(d->rest_length, e->rest_length) && same_number(d->lower, e->lower) &&
           same_number(d->upper, e->upper) && same_number(d->strength, e->strength) &&
           same_number(d->turn_strength, e->turn_strength) && d->motor.mode == e->motor.mode &&
           same_number(d->motor.target, e->motor.target) &&
           same_number(d->motor.max_effort, e->motor.max_effort);
}

static bool same_formulas(const char *const *a, const char *const *b, int count)
{
    for (int k = 0; k < count; k++)
        if (strcmp(a[k] ? a[k] : "", b[k] ? b[k] : "") != 0)
            return false;
    return true;
}

static bool same_flow(const scree_flow_grid *a, const scree_flow_grid *b)
{
    if (!a || !b)
        return a == b;
    return memcmp(a->count, b->count, sizeof a->count) == 0 &&
           same_numbers(a->lower, b->lower, 3) && same_numbers(a->spacing, b->spacing, 3) &&
           same_numbers(a->velocity[0], b->velocity[0],
                        3 * (size_t)a->count[0] * a->count[1] * a->count[2]);
}

static bool same_fluid(const scree_fluid_def *a, const scree_fluid_def *b)
{
    return a->drag == b->drag && a->has_buoyancy == b->has_buoyancy &&
           a->has_rotational_drag == b->has_rotational_drag && a->groups == b->groups &&
           same_number(a->density, b->density) && same_number(a->viscosity, b->viscosity) &&
           same_number(a->cell, b->cell) && same_numbers(a->lower, b->lower, 3) &&
           same_numbers(a->upper, b->upper, 3) && same_formulas(a->velocity, b->velocity, 3) &&
           same_formulas(a->angular_velocity, b->angular_velocity, 3) &&
           same_formulas(a->pressure_gradient, b->pressure_gradient, 3) &&
           same_formulas(&a->void_fraction, &b->void_fraction, 1) && same_flow(a->flow, b->flow);
}

static bool same_force_field(const scree_force_field_def *a, const scree_force_field_def *b)
{
    return a->groups == b->groups && same_numbers(a->lower, b->lower, 3) &&
           same_numbers(a->upper, b->upper, 3) &&
           same_formulas(a->acceleration, b->acceleration, 3) &&
           same_formulas(a->force, b->force, 3);
}

/*  Fluid and fields are part of the state, which would replace those of another scene. */
static bool same_ambient(const scree_scene_plan *a, const scree_scene_plan *b, char *text,
                         size_t room)
{
    if (a->has_fluid != b->has_fluid || (a->has_fluid && !same_fluid(&a->fluid, &b->fluid)))
        return tell(text, room, "fluid", NULL, b->has_fluid ? b->fluid_line : a->fluid_line,
                    a->has_fluid && b->has_fluid ? "another fluid" : "whether there is a fluid");
    for (uint32_t k = 0; k < a->force_field_count || k < b->force_field_count; k++)
        if (k >= a->force_field_count || k >= b->force_field_count ||
            !same_force_field(&a->force_fields[k], &b->force_fields[k]))
            return tell(text, room, "force_field", NULL,
                        k < b->force_field_count ? b->force_field_lines[k]
                                                 : a->force_field_lines[k],
                        "another number of force fields, or another field");
    return true;
}

static bool same_laws(const scree_scene_plan *a, const scree_scene_plan *b, char *text, size_t room)
{
    const char *what = NULL;

    for (size_t k = 0; k < a->material_count; k++)
        if ((what = other_material(&a->materials[k], &b->materials[k])))
            return tell(text, room, "material", b->materials[k].name, b->material_lines[k], what);
    for (size_t k = 0; k < a->rule_count; k++)
        if ((what = other_rule(&a->rules[k], &b->rules[k])))
            return tell(text, room, "rule", NULL, b->rules[k].line, what);
    if (a->has_heat != b->has_heat)
        return tell(text, room, "heat", NULL, b->has_heat ? b->heat_line : a->heat_line,
                    "whether bodies have temperatures");
    if (a->has_heat && (!same_number(a->heat.temperature, b->heat.temperature) ||
                        !same_number(a->heat.loss_share, b->heat.loss_share)))
        return tell(text, room, "heat", NULL, b->heat_line, "temperature or loss_share");
    for (size_t k = 0; a->has_heat && k < a->material_count; k++)
        if (!same_heat_of(&a->material_heats[k], &b->material_heats[k]))
            return tell(text, room, "material", b->materials[k].name, b->material_lines[k],
                        "conductivity, heat_capacity or real_young");
    return same_ambient(a, b, text, room);
}

/*  The columns of metrics.csv continue, so they must mean the same. */
static bool same_measurement(const scree_scene_measurement *a, const scree_scene_measurement *b)
{
    return same_geometry(&a->region, &b->region) && same_geometry(&a->within, &b->within) &&
           a->wall == b->wall && a->quantities == b->quantities && a->is_mean == b->is_mean &&
           memcmp(a->cells, b->cells, sizeof a->cells) == 0 && a->material == b->material &&
           same_number(a->above, b->above) && same_number(a->chain_angle, b->chain_angle);
}

static bool same_formula(const scree_scene_formula *a, const scree_scene_formula *b)
{
    if (strcmp(a->value, b->value) != 0 || a->value_count != b->value_count)
        return false;
    for (uint32_t k = 0; k < a->value_count; k++)
        if (strcmp(a->names[k], b->names[k]) != 0)
            return false;
    return same_numbers(a->values, b->values, a->value_count);
}

static bool same_columns(const scree_scene_plan *a, const scree_scene_plan *b, char *text,
                         size_t room)
{
    for (size_t k = 0; k < a->measure_count; k++)
        if (!same_measurement(&a->measures[k], &b->measures[k]))
            return tell(text, room, "measure", b->measures[k].name, b->measures[k].line,
                        "what it measures");
    for (size_t k = 0; k < a->formula_count; k++)
        if (!same_formula(&a->formulas[k], &b->formulas[k]))
            return tell(text, room, "column", b->formulas[k].name, b->formulas[k].line, "formula");
    return true;
}

/*  Whether a stage adds the wall, removes it or changes its motion. */
static bool is_moved_by_stage(const scree_scene_plan *plan, size_t wall)
{
    for (size_t k = 0; k < plan->stage_count; k++)
        for (uint32_t i = 0; i < plan->stages[k].change_count; i++) {
            const scree_scene_change *change = &plan->stages[k].changes[i];
            if (change->index == wall + 1 &&
                (change->kind == SCREE_CHANGE_DRIVE || change->kind == SCREE_CHANGE_PUT_WALL ||
                 change->kind == SCREE_CHANGE_TAKE_WALL))
                return true;
        }
    return false;
}

static bool same_things(const scree_scene_plan *a, const scree_scene_plan *b, bool may_move,
                        char *text, size_t room)
{
    const char *what = NULL;

    if (!same_laws(a, b, text, room))
        return false;
    for (size_t k = 0; k < a->wall_count; k++)
        if ((what = other_wall(&a->walls[k], &b->walls[k], may_move && !is_moved_by_stage(b, k))))
            return tell(text, room, "wall", b->walls[k].name, b->walls[k].line, what);
    for (size_t k = 0; k < a->source_count; k++)
        if ((what = other_source(&a->sources[k], &b->sources[k])))
            return tell(text, room, b->sources[k].is_pour ? "pour" : "fill", b->sources[k].name,
                        b->sources[k].line, what);
    for (size_t k = 0; k < a->sink_count; k++)
        if ((what = other_sink(&a->sinks[k], &b->sinks[k])))
            return tell(text, room, "sink", b->sinks[k].name, b->sinks[k].line, what);
    for (size_t k = 0; k < a->stage_count; k++)
        if (!same_stage(&a->stages[k], &b->stages[k]))
            return tell(text, room, "stage", b->stages[k].name, b->stages[k].line,
                        "what it changes, or ends by");
    for (size_t k = 0; k < a->condition_count; k++)
        if (!same_condition(&a->conditions[k], &b->conditions[k]))
            return tell(text, room, "condition", NULL, b->conditions[k].line, "what it looks at");
    for (size_t k = 0; k < a->bond_count; k++)
        if (!same_bond(&a->bonds[k], &b->bonds[k]))
            return tell(text, room, "bond", NULL, b->bonds[k].line, "gap, groups or stage");
    for (size_t k = 0; k < a->joint_count; k++)
        if (!same_joint(&a->joints[k], &b->joints[k]))
            return tell(text, room, "joint", NULL, b->joints[k].line, "what it joins, or how");
    return same_columns(a, b, text, room);
}

bool scene_same_path(const scree_wall_path *a, const scree_wall_path *b)
{
    return same_path(a, b);
}

bool scene_same_from_now(const scree_scene_plan *a, const scree_scene_plan *b, bool may_move,
                         char *text, size_t room)
{
    const char *many = a->material_count != b->material_count     ? "materials"
                       : a->rule_count != b->rule_count           ? "rules"
                       : a->wall_count != b->wall_count           ? "walls"
                       : a->source_count != b->source_count       ? "sources"
                       : a->sink_count != b->sink_count           ? "sinks"
                       : a->stage_count != b->stage_count         ? "stages"
                       : a->condition_count != b->condition_count ? "conditions"
                       : a->bond_count != b->bond_count           ? "bonds"
                       : a->joint_count != b->joint_count         ? "joints"
                       : a->measure_count != b->measure_count     ? "measurements"
                       : a->formula_count != b->formula_count     ? "columns"
                                                                  : NULL;

    text[0] = 0;
    if (many)
        snprintf(text, room, "the number of %s", many);
    return !many && same_things(a, b, may_move, text, room);
}

bool scree_scene_is_same(const scree_scene *old, const scree_scene *other, char *text, size_t room)
{
    return scene_same_from_now(&old->plan, &other->plan, false, text, room);
}
