/*  Contact models of a scene that are written as formulas: found by name, freed with the scene, and their stiffness
    before any contact. */
#include "scene_internal.h"

#include <math.h>
#include <string.h>

const scree_law *scene_find_law(const scree_scene *scene, const char *name)
{
    scree_law *const *laws = scene->list[SCENE_LAWS].rows;

    for (size_t k = 0; k < scene->list[SCENE_LAWS].count; k++)
        if (strcmp(laws[k]->name, name) == 0)
            return laws[k];
    return NULL;
}

const scree_law *scene_law_of_rule(const scree_scene_rule *rule)
{
    if (rule->own_law)
        return rule->own_law;
    return rule->law ? scree_law_by_name(rule->law) : NULL;
}

void scene_free_laws(scree_scene *scene)
{
    scree_law **laws = scene->list[SCENE_LAWS].rows;

    for (size_t k = 0; k < scene->list[SCENE_LAWS].count; k++)
        scree_formula_law_destroy(laws[k]);
}

/* ---- stiffness ------------------------------------------------------------------------------------------- */

/*  A batch of one contact at rest. */
typedef struct one_contact
{
    _Alignas(64) double overlap[SCREE_BATCH];
    double zero[SCREE_BATCH], one[SCREE_BATCH], radius[SCREE_BATCH], mass[SCREE_BATCH];
    double memory[SCREE_MAX_MEMORY][SCREE_BATCH], next[SCREE_MAX_MEMORY][SCREE_BATCH];
    double force[3][SCREE_BATCH], moment[3][SCREE_BATCH];
    double stiffness[SCREE_BATCH], shear_stiffness[SCREE_BATCH];
} one_contact;

static scree_batch batch_of(one_contact *c, const scree_law *law, double radius, double mass)
{
    scree_batch batch = {.count = 1,
                         .dt = 1e-9,
                         .overlap = c->overlap,
                         .normal = {c->one, c->zero, c->zero},
                         .approach = c->zero,
                         .slide = {c->zero, c->zero, c->zero},
                         .roll = {c->zero, c->zero, c->zero},
                         .twist = c->zero,
                         .radius = c->radius,
                         .mass = c->mass,
                         .arm = {c->radius, c->radius},
                         .stiffness = c->stiffness,
                         .shear_stiffness = c->shear_stiffness};

    for (uint32_t k = 0; k < SCREE_BATCH; k++) {
        c->one[k] = 1;
        c->radius[k] = radius;
        c->mass[k] = mass;
        c->stiffness[k] = NAN; /* a model without a formula for it leaves it so */
    }
    for (uint32_t k = 0; k < SCREE_MAX_MEMORY; k++) {
        batch.memory[k] = c->memory[k];
        batch.next[k] = c->next[k];
    }
    for (int k = 0; k < 3; k++) {
        batch.force[k] = c->force[k];
        batch.moment[k] = law->has_moment ? c->moment[k] : NULL;
    }
    return batch;
}

static double push_at(one_contact *c, const scree_batch *batch, const scree_law *law,
                      const double *constants, double overlap)
{
    for (uint32_t k = 0; k < SCREE_BATCH; k++)
        c->overlap[k] = overlap;
    law->force(batch, constants, law->user);
    return -c->force[0][0];
}

/*  The values of the interaction that the model has as parameters; NAN if not given. */
static void list_values(const scree_scene_rule *rule, const scree_law *law,
                        double values[SCREE_MAX_CONSTANTS])
{
    for (uint32_t k = 0; law->parameter_names[k]; k++) {
        values[k] = NAN;
        for (uint32_t i = 0; i < rule->value_count; i++)
            if (strcmp(rule->names[i], law->parameter_names[k]) == 0)
                values[k] = rule->values[i];
    }
}

/*  The step sqrt(m / k) of two equal spheres that are pressed together by 1 % of their radius. k is from its
    formula, or a finite difference. Infinity if it is not finite, which the first step reports. */
static double step_of_law(const scree_scene_rule *rule, const scree_material_def *material,
                          double radius, int dimensions)
{
    const scree_law *law = rule->own_law;
    double values[SCREE_MAX_CONSTANTS], constants[SCREE_MAX_CONSTANTS] = {0};
    const scree_law_input input = {material, material, values, dimensions, NULL};
    const double mass = material->density * scene_ball_volume(radius, dimensions) / 2;
    one_contact contact = {0};
    scree_batch batch = batch_of(&contact, law, radius / 2, mass);

    list_values(rule, law, values);
    if (law->prepare(&input, constants, law->user))
        return INFINITY;
    const double overlap = radius / 100, more = 0x1p-20 * radius;
    double before = push_at(&contact, &batch, law, constants, overlap);
    double after = push_at(&contact, &batch, law, constants, overlap + more);
    double stiffness = contact.stiffness[0];
    if (isnan(stiffness))
        stiffness = (after - before) / more;
    return stiffness > 0 && stiffness < INFINITY ? sqrt(mass / stiffness) : INFINITY;
}

double scene_step_of_laws(const scree_scene_plan *plan, uint32_t material, double radius)
{
    double least = INFINITY;

    for (size_t i = 0; i < plan->rule_count; i++) {
        const scree_scene_rule *rule = &plan->rules[i];
        bool is_asked = rule->material[0] == 0 || rule->material[0] == material ||
                        rule->material[1] == material;
        if (!rule->own_law || !is_asked)
            continue;
        double step =
            step_of_law(rule, &plan->materials[material - 1], radius, plan->world.dimensions);
        least = step < least ? step : least;
    }
    return least;
}
