/*  The books of heat stay closed when bodies come, go or are changed. */
#include "world/step/heat.h"

#include "world/step/world_data.h"

#include <string.h>

void scree_heat_book(scree_heat_course *course, double change)
{
    if (change > 0)
        course->entered += change;
    else
        course->removed -= change;
}

void scree_heat_enter(scree_world *world, uint32_t slot)
{
    if (!world->heat.is_on)
        return;
    memset(world->bodies.heat[slot], 0, sizeof world->bodies.heat[slot]);
    world->bodies.heat[slot][SCREE_HEAT_TEMPERATURE] = world->heat.course.temperature;
    scree_heat_book(&world->heat.course, scree_heat_content(&world->bodies, &world->heat, slot));
}

void scree_heat_leave(scree_world *world, uint32_t slot)
{
    scree_heat_course *course = &world->heat.course;
    const double *row;

    if (!world->heat.is_on)
        return;
    row = world->bodies.heat[slot];
    course->removed += scree_heat_content(&world->bodies, &world->heat, slot);
    course->walls += row[SCREE_HEAT_WALLS];
    course->sources += row[SCREE_HEAT_SOURCES];
    course->losses += row[SCREE_HEAT_LOSSES];
}

void scree_heat_change(scree_world *world, uint32_t slot, double before)
{
    if (world->heat.is_on)
        scree_heat_book(&world->heat.course,
                        scree_heat_content(&world->bodies, &world->heat, slot) - before);
}
