/*  Heat of bodies and materials, and which values of it are valid. */
#include "world/state/body_heat.h"

#include "base/common.h"

#include <math.h>
#include <string.h>

#define HOTTEST 1e9
#define MAX_MATERIAL_VALUE 1e100

void scree_heat_free(scree_heat *heat, scree_memory *memory)
{
    scree_memory_give(memory, &heat->material, heat->material_capacity, sizeof *heat->material);
    scree_memory_give_lines(memory, &heat->flow, heat->flow_capacity, sizeof *heat->flow);
    memset(heat, 0, sizeof *heat);
}

bool scree_is_temperature(double value)
{
    return value >= 0 && value <= HOTTEST;
}

bool scree_is_heat_of_material(double value)
{
    return value >= 0 && value <= MAX_MATERIAL_VALUE;
}

bool scree_heat_course_is_sound(const scree_heat_course *course)
{
    const double sums[] = {course->walls,    course->sources, course->losses,
                           course->to_walls, course->entered, course->removed};

    for (size_t k = 0; k < SCREE_COUNT_OF(sums); k++)
        if (!isfinite(sums[k]))
            return false;
    return scree_is_temperature(course->temperature) && course->loss_share >= 0 &&
           course->loss_share <= 1 && course->stable >= 0 && course->pieces <= UINT32_MAX;
}

bool scree_heat_material_is_sound(const scree_heat_material *material)
{
    return scree_is_heat_of_material(material->conductivity) &&
           scree_is_heat_of_material(material->capacity) &&
           scree_is_heat_of_material(material->young);
}

/*  The terms for sources and contact losses have no upper bound. */
bool scree_heat_row_is_sound(const double row[SCREE_HEATS])
{
    for (int k = 0; k < SCREE_HEATS; k++)
        if (!isfinite(row[k]))
            return false;
    return row[SCREE_HEAT_TEMPERATURE] >= 0 &&
           (row[SCREE_HEAT_HELD] == 0 || row[SCREE_HEAT_HELD] == 1);
}

bool scree_heat_wall_is_sound(const scree_wall_heat *wall)
{
    return isfinite(wall->flow) && isfinite(wall->given) && scree_is_temperature(wall->temperature);
}

scree_heat_material scree_heat_of_material(const scree_heat *heat, uint32_t index1)
{
    const scree_heat_material none = {0};

    return index1 <= heat->material_count ? heat->material[index1 - 1] : none;
}

double scree_heat_capacity(const scree_body_arrays *bodies, const scree_heat *heat, uint32_t slot)
{
    return bodies->inertia[slot][3] *
           scree_heat_of_material(heat, bodies->material[slot][0]).capacity;
}

double scree_heat_content(const scree_body_arrays *bodies, const scree_heat *heat, uint32_t slot)
{
    if (!heat->is_on || scree_is_ghost(bodies, slot))
        return 0;
    return scree_heat_capacity(bodies, heat, slot) * bodies->heat[slot][SCREE_HEAT_TEMPERATURE];
}

/* ---- the heat balance stays closed when bodies are added, removed or changed ---- */

void scree_heat_book(scree_heat_course *course, double change)
{
    if (change > 0)
        course->entered += change;
    else
        course->removed -= change;
}

void scree_heat_enter(scree_heat *heat, scree_body_arrays *bodies, uint32_t slot)
{
    if (!heat->is_on)
        return;
    memset(bodies->heat[slot], 0, sizeof bodies->heat[slot]);
    bodies->heat[slot][SCREE_HEAT_TEMPERATURE] = heat->course.temperature;
    scree_heat_book(&heat->course, scree_heat_content(bodies, heat, slot));
}

void scree_heat_leave(scree_heat *heat, const scree_body_arrays *bodies, uint32_t slot)
{
    scree_heat_course *course = &heat->course;
    const double *row;

    if (!heat->is_on)
        return;
    row = bodies->heat[slot];
    course->removed += scree_heat_content(bodies, heat, slot);
    course->walls += row[SCREE_HEAT_WALLS];
    course->sources += row[SCREE_HEAT_SOURCES];
    course->losses += row[SCREE_HEAT_LOSSES];
}

void scree_heat_change(scree_heat *heat, const scree_body_arrays *bodies, uint32_t slot,
                       double before)
{
    if (heat->is_on)
        scree_heat_book(&heat->course, scree_heat_content(bodies, heat, slot) - before);
}
