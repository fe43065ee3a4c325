/*  Makes the bonds of the plan in a world. */
#include "scene_internal.h"
#include "scree/bond.h"

/*  Explains why no bond was made. */
static scree_status no_bond(const scree_scene *scene, scree_world *world,
                            const scree_scene_bond *bond, scree_error *error)
{
    scree_bodies_view bodies = scree_world_bodies(world);
    const char *when = bond->stage ? "stage" : "start";
    size_t others = 0;

    for (size_t i = 0; i < bodies.count; i++) {
        scree_body body;
        if (scree_world_get_body(world, scree_body_id_at(bodies.id, i), &body) == SCREE_OK)
            others += body.shape.kind != SCREE_SHAPE_SPHERE;
    }
    if (others > 0)
        return scene_fail_at(scene, error, SCREE_BAD_FILE, bond->line,
                             "bond: only spheres are bonded, which %zu of the %zu bodies of the "
                             "%s are not; no two spheres with the law \"bonded\" are within the "
                             "gap and not bonded yet",
                             others, bodies.count, when);
    return scene_fail_at(scene, error, SCREE_BAD_FILE, bond->line,
                         "bond: no two bodies of the %s with the law \"bonded\" are within "
                         "the gap and not bonded yet",
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
        return scene_refused(scene, world, status, bond->line, "bond", error);
    return made ? SCREE_OK : no_bond(scene, world, bond, error);
}
