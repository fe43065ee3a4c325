/*  Frees a scene: first what its parts hold, then its memory. */
#include "scene_internal.h"

void scree_scene_close(scree_scene *scene)
{
    if (!scene)
        return;
    for (size_t i = 0; i < scene->list[SCENE_MESHES].count; i++)
        scree_mesh_destroy(((scree_mesh **)scene->list[SCENE_MESHES].rows)[i]);
    for (size_t i = 0; i < scene->list[SCENE_CLUMPS].count; i++)
        scree_clump_destroy(((scree_clump **)scene->list[SCENE_CLUMPS].rows)[i]);
    scene_free_formulas(scene);
    scene_free_laws(scene);
    scene_give_back(scene);
}
