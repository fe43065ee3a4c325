/*  Worlds whose steps are looked at: contacts of known stiffness, and the stable steps of their bodies. */
#ifndef SCREE_STEP_MAKER_H
#define SCREE_STEP_MAKER_H

#include "harness/world_maker.h"
#include "law/law_builtin.h"

#include <math.h>

#define STIFFNESS 1e5
#define RATIO 0.5

/*  "linear" with a stiffness of STIFFNESS between two of it, tangentially RATIO of that. */
static inline scree_world *make_linear(const scree_world_def *def)
{
    scree_material_def material = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();

    material.stiffness = 2 * STIFFNESS; /* two in series */
    material.stiffness_ratio = RATIO;
    scree_world *world = make_world(def, &material);
    rule.law = "linear";
    CHECK_EQUAL(scree_world_add_rule(world, &rule), SCREE_OK);
    return world;
}

static inline scree_world_def given(double dt)
{
    scree_world_def def = scree_default_world_def();

    def.step.dt = dt;
    return def;
}

/*  The stable step of a body, of which one linear contact is with a body of this many times its mass, where it may not turn: on
    the contact's axis, or across it, where springs count three times. */
static inline double pushed_step(double mass, double times)
{
    double pair = mass * times / (1 + times), least = INFINITY;
    double ratio = 2 * scree_damping_ratio(scree_default_material_def().restitution);

    for (int is_across = 0; is_across < 2; is_across++) {
        double stiffness = (is_across ? RATIO : 1) * STIFFNESS;
        double a = (is_across ? 3 : 1) * stiffness, b = 4 * ratio * sqrt(stiffness * pair);
        least = fmin(least, (sqrt(b * b + 4 * a * 1.6 * mass) - b) / (2 * a));
    }
    return least;
}

static inline scree_stable_step stable_step(scree_world *world)
{
    scree_stable_step stable;

    if (scree_world_stable_step(world, &stable))
        FAIL("no stable step: %s", scree_world_message(world));
    return stable;
}

static inline bool is_same(scree_body_id a, scree_body_id b)
{
    return a.index1 == b.index1 && a.generation == b.generation;
}

#endif
