/*  Contact forces on each facet of a wall, summed in the order of contacts. */
#include "base/quaternion.h"
#include "base/vector.h"
#include "shape/mesh.h"
#include "world/measure/fields.h"
#include "world/step/world_data.h"

#include <math.h>
#include <string.h>

void scree_wall_facet_normal(const scree_wall_record *wall, uint32_t facet, double normal[3])
{
    if (wall->def.kind == SCREE_WALL_MESH)
        scree_quaternion_turn(wall->now.orientation, wall->def.mesh->normals + 3 * (size_t)facet,
                              normal);
    else
        memcpy(normal, wall->now.normal, 3 * sizeof *normal);
}

/*  Bodies may push from both sides: the side is that of the contact. */
static void add_contact(const scree_wall_record *wall, const scree_contact *contact,
                        scree_facet_load *load)
{
    double normal[3], along = 0, side;

    scree_wall_facet_normal(wall, contact->facet, normal);
    side = scree_dot(contact->normal, normal) < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++) {
        load->force[k] -= contact->force[k];
        along -= contact->force[k] * normal[k];
    }
    load->pressure += side * along / load->area;
    for (int k = 0; k < 3; k++)
        load->shear[k] += (-contact->force[k] - along * normal[k]) / load->area;
    load->contacts++;
}

scree_status scree_world_wall_loads(scree_world *world, scree_wall_id id, scree_facet_load *loads,
                                    size_t count)
{
    scree_contact_filter_def filter = scree_default_contact_filter_def();
    const scree_contact *contacts;
    scree_status status;
    size_t many;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    size_t place = scree_walls_place(&world->walls, id);
    if (place == SIZE_MAX || !loads)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          loads ? "wall loads: there is no such wall"
                                : "wall loads: loads is NULL");
    const scree_wall_record *wall = &world->walls.wall[place];
    const size_t facets = scree_wall_facets(wall);
    if (count != facets)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "wall loads: count is %zu, the wall has %zu facets", count, facets);
    filter.wall = id;
    status = scree_world_contacts(world, &filter, &contacts, &many);
    if (status)
        return status;
    memset(loads, 0, count * sizeof *loads);
    for (size_t f = 0; f < count; f++)
        loads[f].area = scree_wall_facet_area(wall, (uint32_t)f);
    for (size_t c = 0; c < many; c++)
        add_contact(wall, &contacts[c], &loads[contacts[c].facet]);
    return SCREE_OK;
}
