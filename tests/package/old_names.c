/*  A program that was written against the names of version 0.1: it compiles, and the old names are the new things. */
#define SCREE_OLD_MEMBERS
#include <scree/scree.h>

/* it uses them on purpose */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif

static int try_steps(scree_world *world)
{
    scree_rest_def rest = scree_default_rest_def();
    scree_rest_counts counts;
    scree_unsettled list[SCREE_MOST_UNSETTLED];
    scree_body_id none = {0, 0};

    rest.speed = 1e-3;
    scree_world_time_phases(world, true);
    if (scree_world_set_rest(world, &rest) || scree_world_step(world, 3))
        return 2;
    counts = scree_world_rest_counts(world);
    scree_phases phases = scree_world_phases(world);
    scree_certificate certificate = scree_world_certificate(world);
    scree_paces paces = scree_world_paces(world);
    return phases.steps == 3 && counts.resting == 0 && counts.fell == 0 && counts.spared == 0 &&
                   certificate.contacts == 0 && certificate.wall_searches == 0 &&
                   paces.partings == 0 && !scree_world_is_resting(world, none) &&
                   scree_world_culprit(world).index1 == 0 &&
                   scree_world_unsettled(world, list, SCREE_MOST_UNSETTLED) == 0
               ? 0
               : 3;
}

static int try_walls(scree_world *world)
{
    scree_material_def stuff = scree_default_material_def();
    scree_wall_def floor = scree_default_wall_def();
    scree_wall_loose loose = scree_default_wall_loose();
    scree_wall_servo servo = scree_default_wall_servo();
    scree_wall_id id;
    scree_wall seen;

    loose.mass = loose.inertia[0] = loose.inertia[1] = loose.inertia[2] = 1;
    loose.turn_damping = 1;
    servo.most_speed = 1;
    if (scree_world_add_material(world, &stuff, &floor.material) ||
        scree_world_add_wall(world, &floor, &id) || scree_world_set_wall_loose(world, id, &loose) ||
        scree_world_get_wall(world, id, &seen))
        return 4;
    return seen.is_loose && servo.most_speed == 1 ? 0 : 5;
}

static int try_settings(scree_world *world)
{
    scree_contact_filter filter = scree_default_contact_filter();
    scree_cell_servo servo = scree_default_cell_servo();
    scree_export_options options = scree_default_export_options();
    scree_material_heat heat = scree_default_material_heat();
    scree_cell_def cell;
    double gravity[3], lower[3], dt, damping;

    scree_world_gravity(world, gravity);
    scree_world_domain(world, lower, NULL, NULL);
    scree_world_damping(world, &damping, NULL);
    scree_world_cell(world, &cell);
    return filter.cookie && servo.cookie && options.cookie && heat.cookie &&
                   scree_world_time_mode(world, &dt) == SCREE_TIME_FIXED && dt == 1e-5 &&
                   scree_world_friction(world, (scree_material_id){1}) > 0 &&
                   !scree_world_cell_servo(world, &servo, NULL, NULL)
               ? 0
               : 7;
}

static int try_shapes(void)
{
    scree_shape shape = scree_shape_mesh(NULL, 0.25);

    shape.halo += 0.25;
    return shape.contact_skin == 0.5 ? 0 : 8;
}

int main(void)
{
    scree_world_def def = scree_default_world_def();
    scree_world *world;
    scree_stepper verlet = SCREE_VELOCITY_VERLET;

    def.stepper = verlet;
    def.ledger = true;
    def.step.dt = 1e-5;
    def.safety = 0.2;
    def.increase = 1.05;
    def.step.local_steps = SCREE_MOST_LOCAL_STEPS - 20;
    if ((int)SCREE_TIME_SCALED != (int)SCREE_TIME_MASS_SCALING ||
        (int)SCREE_OUTLINE_BORDER != (int)SCREE_OUTLINE_BOUNDARY ||
        (int)SCREE_LOG_COARSE_PLACES != (int)SCREE_LOG_COARSE_POSITIONS ||
        (int)SCREE_MOST_FORMULA_MEMORY != SCREE_MAX_FORMULA_MEMORY ||
        (int)SCREE_MOST_FORMULA_PARAMETERS != SCREE_MAX_FORMULA_PARAMETERS)
        return 6;
    if (scree_world_create(&def, &world))
        return 1;
    int result = try_steps(world);
    if (!result)
        result = try_walls(world);
    if (!result)
        result = try_settings(world);
    if (!result)
        result = try_shapes();
    scree_world_destroy(world);
    return result;
}
