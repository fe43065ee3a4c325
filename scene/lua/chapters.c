/*  All functions of the language, chapter by chapter: the order of the reference. */
#include "language.h"

const scene_function *scene_function_at(size_t index)
{
    const struct
    {
        const scene_function *functions;
        size_t count;
    } chapters[] = {
        {scene_unit_functions, scene_unit_function_count},
        {scene_world_functions, scene_world_function_count},
        {scene_law_functions, scene_law_function_count},
        {scene_cell_functions, scene_cell_function_count},
        {scene_ambient_functions, scene_ambient_function_count},
        {scene_heat_functions, scene_heat_function_count},
        {scene_rest_functions, scene_rest_function_count},
        {scene_surface_functions, scene_surface_function_count},
        {scene_wall_functions, scene_wall_function_count},
        {scene_belt_functions, scene_belt_function_count},
        {scene_wear_functions, scene_wear_function_count},
        {scene_path_functions, scene_path_function_count},
        {scene_loose_functions, scene_loose_function_count},
        {scene_size_functions, scene_size_function_count},
        {scene_stone_functions, scene_stone_function_count},
        {scene_block_functions, scene_block_function_count},
        {scene_superquadric_functions, scene_superquadric_function_count},
        {scene_clump_functions, scene_clump_function_count},
        {scene_body_functions, scene_body_function_count},
        {scene_joint_functions, scene_joint_function_count},
        {scene_source_functions, scene_source_function_count},
        {scene_measure_functions, scene_measure_function_count},
        {scene_column_functions, scene_column_function_count},
        {scene_field_functions, scene_field_function_count},
        {scene_run_functions, scene_run_function_count},
        {scene_stage_functions, scene_stage_function_count},
        {scene_value_functions, scene_value_function_count},
        {scene_condition_functions, scene_condition_function_count},
        {scene_output_functions, scene_output_function_count},
        {scene_setting_functions, scene_setting_function_count},
    };

    for (size_t i = 0; i < sizeof chapters / sizeof *chapters; i++) {
        if (index < chapters[i].count)
            return &chapters[i].functions[index];
        index -= chapters[i].count;
    }
    return NULL;
}
