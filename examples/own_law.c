/*  How do I use a force law of my own?
    One struct of functions: constants for a pair of materials, then plain loops over batches of contacts. */
#include "scree/scree.h"

#include <math.h>
#include <stdio.h>

enum
{
    STIFFNESS,
    DRAG
};

static scree_status prepare(const scree_law_input *input, double *constants, void *user)
{
    (void)user;
    /* a parameter that no rule gives is NAN */
    constants[STIFFNESS] = isnan(input->parameters[0]) ? 1000 : input->parameters[0];
    constants[DRAG] = isnan(input->parameters[1]) ? 0 : input->parameters[1];
    return constants[STIFFNESS] > 0 && constants[DRAG] >= 0 ? SCREE_OK : SCREE_BAD_VALUE;
}

static void force(const scree_batch *batch, const double *constants, void *user)
{
    (void)user;
    for (uint32_t k = 0; k < batch->count; k++) {
        double push =
            constants[STIFFNESS] * batch->overlap[k] + constants[DRAG] * batch->approach[k];
        push = push > 0 ? push : 0;
        for (int a = 0; a < 3; a++)
            batch->force[a][k] = -push * batch->normal[a][k];
    }
}

int main(void)
{
    static const char *const names[] = {"stiffness", "drag", NULL};
    static const double soft[] = {200};
    scree_law spring = {
        .name = "spring", .parameter_names = names, .prepare = prepare, .force = force};
    scree_world_def def = scree_default_world_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_material_def rubber = scree_default_material_def();
    scree_body_def ball = scree_default_body_def();
    scree_body_id id;
    double velocity[3];
    scree_world *world;

    def.step.dt = 1e-4;
    if (scree_world_create(&def, &world))
        return 1;
    rule.own_law = &spring;
    rule.names = names;
    rule.values = soft;
    rule.value_count = 1;
    scree_status status = scree_world_add_material(world, &rubber, &ball.material);
    if (!status)
        status = scree_world_add_rule(world, &rule);
    ball.shape = scree_shape_sphere(0.01);
    for (int side = -1; side <= 1 && !status; side += 2) {
        ball.position[0] = 0.012 * side;
        ball.velocity[0] = -0.1 * side;
        status = scree_world_add_body(world, &ball, &id);
    }
    if (!status)
        status = scree_world_step(world, 3000);
    if (!status)
        status = scree_body_get_velocity(world, id, velocity);
    if (status)
        puts(scree_world_message(world));
    else
        printf("the second ball came with -0.1 m/s and leaves with %.6f m/s\n", velocity[0]);
    scree_world_destroy(world);
    return !status && fabs(velocity[0] - 0.1) < 1e-4 ? 0 : 1;
}
