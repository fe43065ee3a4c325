/*  A wall as hosts read it: its pose and the contact forces on it. */
#include "world/boundaries/wall_servo.h"
#include "world/step/world_data.h"

#include <string.h>

/*  Contact forces are summed in the order of contacts. */
scree_status scree_world_get_wall(scree_world *world, scree_wall_id id, scree_wall *wall)
{
    const scree_wall_record *record;
    const scree_contact *contacts;
    scree_contact_filter_def filter = scree_default_contact_filter_def();
    size_t place, count;

    if (!world || !wall)
        return SCREE_BAD_ARGUMENT;
    if (scree_walls_find(&world->walls, id, &place, &world->error))
        return SCREE_BAD_ARGUMENT;
    filter.wall = id;
    scree_status status = scree_world_contacts(world, &filter, &contacts, &count);
    if (status)
        return status;
    record = &world->walls.wall[place];
    memset(wall, 0, sizeof *wall);
    wall->id = id;
    wall->kind = record->def.kind;
    wall->mesh = record->def.mesh;
    wall->material = record->def.material;
    wall->groups = record->def.groups;
    wall->mask = record->def.mask;
    wall->user = record->def.user;
    memcpy(wall->position, record->now.position, sizeof wall->position);
    memcpy(wall->orientation, record->now.orientation, sizeof wall->orientation);
    memcpy(wall->normal, record->now.normal, sizeof wall->normal);
    memcpy(wall->velocity, record->now.velocity, sizeof wall->velocity);
    memcpy(wall->spin, record->now.spin, sizeof wall->spin);
    wall->servo = scree_servo_state_of(record);
    wall->is_free = record->is_free;
    for (size_t c = 0; c < count; c++) {
        const double *force = contacts[c].force, *moment = contacts[c].moment;
        double arm[3];
        for (int k = 0; k < 3; k++) {
            arm[k] = contacts[c].point[k] - wall->position[k];
            wall->force[k] -= force[k];
        }
        wall->torque[0] -= arm[1] * force[2] - arm[2] * force[1] + moment[0];
        wall->torque[1] -= arm[2] * force[0] - arm[0] * force[2] + moment[1];
        wall->torque[2] -= arm[0] * force[1] - arm[1] * force[0] + moment[2];
    }
    return SCREE_OK;
}
