/*  The columns of metrics.csv that every run has: clock, counts, totals, energies. Some exist only with an energy
    balance, a fluid, bonds, joints, quarantine or heat. */
#include "scene_internal.h"

#include "scree/bond.h"
#include "scree/joint.h"

/*  Input of the columns. */
typedef struct standard_row
{
    scree_clock clock;
    scree_totals totals;
    scree_detection_stats seen;
    scree_energy energy;
    scree_scene_tally tally;
    scree_heat_totals heat;
    scree_bond_counts bonds;
    scree_joint_counts joints;
    scree_ambient_work ambient;
    uint32_t stage;
} standard_row;

/* clang-format off */
#define STANDARD_COLUMNS(X) /* name, unit, value, whether it is there */ \
    X("step", "", (double)row->clock.steps, true) \
    X("time", "s", row->clock.time, true) \
    X("dt", "s", row->clock.dt, true) \
    X("stage", "", (double)row->stage, plan->stage_count > 0) \
    X("bodies", "", (double)row->totals.bodies, true) \
    X("added", "", (double)row->totals.added, true) \
    X("destroyed", "", (double)row->totals.destroyed, true) \
    X("sunk", "", (double)row->tally.sunk, true) \
    X("quarantined", "", (double)row->tally.quarantined, plan->quarantines) \
    X("contacts", "", (double)row->seen.contacts, true) \
    X("coordination", "", row->totals.coordination, true) \
    X("bonds", "", (double)row->bonds.intact, plan->bond_count > 0) \
    X("broken", "", (double)row->bonds.broken, plan->bond_count > 0) \
    X("broken_by_tension", "", (double)row->bonds.by_tension, plan->bond_count > 0) \
    X("broken_by_shear", "", (double)row->bonds.by_shear, plan->bond_count > 0) \
    X("joints", "", (double)row->joints.intact, plan->joint_count > 0) \
    X("broken_joints", "", (double)row->joints.broken, plan->joint_count > 0) \
    X("mass", "kg", row->totals.mass, true) \
    X("centre_x", "m", row->totals.centre[0], true) \
    X("centre_y", "m", row->totals.centre[1], true) \
    X("centre_z", "m", row->totals.centre[2], true) \
    X("momentum_x", "kg m/s", row->totals.momentum[0], true) \
    X("momentum_y", "kg m/s", row->totals.momentum[1], true) \
    X("momentum_z", "kg m/s", row->totals.momentum[2], true) \
    X("kinetic", "J", row->energy.kinetic, true) \
    X("rotational", "J", row->energy.rotational, true) \
    X("potential", "J", row->energy.potential, true) \
    X("elastic", "J", row->energy.elastic, plan->world.energy_balance) \
    X("damping", "J", row->energy.damping, plan->world.energy_balance) \
    X("friction", "J", row->energy.friction, plan->world.energy_balance) \
    X("rolling", "J", row->energy.rolling, plan->world.energy_balance) \
    X("body_damping", "J", row->energy.body_damping, plan->world.energy_balance) \
    X("by_walls", "J", row->energy.walls, plan->world.energy_balance) \
    X("by_loads", "J", row->energy.loads, plan->world.energy_balance) \
    X("by_boundary", "J", row->energy.boundary, plan->world.energy_balance) \
    X("by_fluid", "J", row->ambient.fluid, plan->world.energy_balance && plan->has_fluid) \
    X("by_fields", "J", row->ambient.fields, plan->world.energy_balance && plan->force_field_count > 0) \
    X("entered", "J", row->energy.entered, plan->world.energy_balance) \
    X("left", "J", row->energy.removed, plan->world.energy_balance) \
    X("heat", "J", row->heat.content, plan->has_heat) \
    X("heat_by_walls", "J", row->heat.walls, plan->has_heat) \
    X("heat_by_sources", "J", row->heat.sources, plan->has_heat) \
    X("heat_of_losses", "J", row->heat.losses, plan->has_heat) \
    X("heat_entered", "J", row->heat.entered, plan->has_heat) \
    X("heat_left", "J", row->heat.removed, plan->has_heat) \
    X("temperature", "K", row->heat.mean, plan->has_heat) \
    X("coldest", "K", row->heat.lowest, plan->has_heat) \
    X("hottest", "K", row->heat.highest, plan->has_heat)
/* clang-format on */

size_t scree_scene_standard_count(const scree_scene *scene)
{
    const scree_scene_plan *plan = &scene->plan;
    size_t count = 0;

#define X(name, unit, value, is_there) count += (is_there) ? 1 : 0;
    STANDARD_COLUMNS(X)
#undef X
    return count;
}

static const char *text_at(const scree_scene_plan *plan, size_t column, bool wants_unit)
{
    size_t k = 0;

#define X(name, unit, value, is_there)                                                             \
    if ((is_there) && k++ == column)                                                               \
        return wants_unit ? unit : name;
    STANDARD_COLUMNS(X)
#undef X
    return "";
}

const char *scree_scene_standard_name(const scree_scene *scene, size_t column)
{
    return text_at(&scene->plan, column, false);
}

const char *scree_scene_standard_unit(const scree_scene *scene, size_t column)
{
    return text_at(&scene->plan, column, true);
}

void scree_scene_standard(const scree_scene *scene, const scree_world *world, double *values)
{
    const scree_scene_plan *plan = &scene->plan;
    const standard_row now = {scree_world_clock(world),           scree_world_totals(world),
                              scree_world_detection_stats(world), scree_world_energy(world),
                              scree_scene_count(scene),           scree_world_heat(world),
                              scree_world_bond_counts(world),     scree_world_joint_counts(world),
                              scree_world_ambient_work(world),    scree_scene_stage_number(scene)},
                       *row = &now;

#define X(name, unit, value, is_there)                                                             \
    if (is_there)                                                                                  \
        *values++ = value;
    STANDARD_COLUMNS(X)
#undef X
}
