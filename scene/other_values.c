/*  Going on with other values of materials and laws. A state fits a world with the values that it was made with, so that world is
    built first, takes the state, and then gets the new values as if they had been its own from the start. */
#include "base/error.h"
#include "scene_internal.h"

#include <math.h>
#include <string.h>

/*  Of a scene, with the numbers of another. */
static scree_status borrow_values(scree_scene *scene, const scree_scene *old)
{
    const scree_scene_plan *plan = &scene->plan, *before = &old->plan;
    scree_material_def *materials = scene_take(scene, plan->material_count + 1, sizeof *materials);
    scree_scene_rule *rules = scene_take(scene, plan->rule_count + 1, sizeof *rules);

    if (!materials || !rules)
        return SCREE_OUT_OF_MEMORY;
    for (size_t k = 0; k < plan->material_count; k++) {
        materials[k] = before->materials[k];
        materials[k].name = plan->materials[k].name;
    }
    for (size_t k = 0; k < plan->rule_count; k++) {
        rules[k] = plan->rules[k];
        rules[k].values = before->rules[k].values;
    }
    scene->plan.materials = materials;
    scene->plan.rules = rules;
    return SCREE_OK;
}

scree_status scree_scene_build_with(scree_scene *scene, const scree_scene *old,
                                    const scree_world_def *hooks, const void *course,
                                    size_t course_bytes, scree_world **world, scree_error *error)
{
    const scree_scene_plan own = scene->plan;
    scree_status status = borrow_values(scene, old);

    *world = NULL;
    if (status)
        scree_fail(error, status, "%s: out of memory", scene->name);
    else
        status = scree_scene_build_at(scene, hooks, course, course_bytes, world, error);
    scene->plan.materials = own.materials;
    scene->plan.rules = own.rules;
    return status;
}

/* ---- new values ------------------------------------------------------------------------------------------- */

/*  One value of a material or a rule: as the old scene gives it, as the new one does, and as a stage has set it. */
typedef struct value_row
{
    bool is_rule;
    uint32_t index;
    const char *name;
    double before, after, now;
} value_row;

typedef void visit_fn(const value_row *row, void *user);

static void visit_material(const scree_scene_plan *old, const scree_scene_plan *new, uint32_t index,
                           visit_fn *visit, void *user)
{
    const scree_material_def *a = &old->materials[index - 1], *b = &new->materials[index - 1];
    const value_row rows[] = {
        {false, index, "young", a->young, b->young, 0},
        {false, index, "poisson", a->poisson, b->poisson, 0},
        {false, index, "restitution", a->restitution, b->restitution, 0},
        {false, index, "friction", a->friction, b->friction, 0},
        {false, index, "rolling_friction", a->rolling_friction, b->rolling_friction, 0},
        {false, index, "twisting_friction", a->twisting_friction, b->twisting_friction, 0},
        {false, index, "stiffness", a->stiffness, b->stiffness, 0},
        {false, index, "stiffness_ratio", a->stiffness_ratio, b->stiffness_ratio, 0},
    };

    for (size_t k = 0; k < SCREE_COUNT_OF(rows); k++)
        visit(&rows[k], user);
}

static void visit_values(const scree_scene_plan *old, const scree_scene_plan *new, visit_fn *visit,
                         void *user)
{
    for (uint32_t k = 1; k <= new->material_count; k++)
        visit_material(old, new, k, visit, user);
    for (uint32_t r = 1; r <= new->rule_count; r++) {
        const scree_scene_rule *a = &old->rules[r - 1], *b = &new->rules[r - 1];
        for (uint32_t k = 0; k < b->value_count; k++) {
            const value_row row = {true, r, b->names[k], a->values[k], b->values[k], 0};
            visit(&row, user);
        }
    }
}

static scree_status set_row(scree_world *world, const value_row *row, double value)
{
    return row->is_rule ? scree_world_set_rule_value(world, row->index, row->name, value)
                        : scree_world_set_material_value(world, (scree_material_id){row->index},
                                                         row->name, value);
}

static double get_row(const scree_world *world, const value_row *row)
{
    return row->is_rule
               ? scree_world_get_rule_value(world, row->index, row->name)
               : scree_world_get_material_value(world, (scree_material_id){row->index}, row->name);
}

typedef struct handover
{
    scree_world *world;
    value_row *rows; /* of values that differ, or that a stage has set */
    size_t count;
    scree_scene_value_fn *note;
    void *user;
} handover;

static void count_row(const value_row *row, void *user)
{
    (void)row;
    ++*(size_t *)user;
}

static void collect_row(const value_row *row, void *user)
{
    handover *h = user;
    value_row *kept = &h->rows[h->count];

    *kept = *row;
    kept->now = get_row(h->world, row);
    h->count += row->before != row->after || kept->now != row->before;
}

/*  What a stage has set stays. */
static scree_status hand_over(handover *h)
{
    scree_status status = SCREE_OK;

    for (size_t k = 0; k < h->count && !status; k++)
        status = set_row(h->world, &h->rows[k], h->rows[k].after);
    if (!status)
        scree_world_keep_values(h->world);
    for (size_t k = 0; k < h->count && !status; k++) {
        const value_row *row = &h->rows[k];
        if (row->now != row->before)
            status = set_row(h->world, row, row->now);
        if (row->before != row->after)
            h->note(row->is_rule, row->index, row->name, row->before, row->after, h->user);
    }
    return status;
}

scree_status scree_scene_take_values(scree_scene *scene, const scree_scene *old, scree_world *world,
                                     scree_scene_value_fn *note, void *user, scree_error *error)
{
    handover h = {world, NULL, 0, note, user};
    size_t count = 0;

    visit_values(&old->plan, &scene->plan, count_row, &count);
    h.rows = scene_take(scene, count + 1, sizeof *h.rows);
    if (!h.rows)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", scene->name);
    visit_values(&old->plan, &scene->plan, collect_row, &h);
    scree_status status = h.count ? hand_over(&h) : SCREE_OK;
    return status ? scree_fail(error, status, "%s: %s", scene->name, scree_world_message(world))
                  : SCREE_OK;
}
