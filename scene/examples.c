/*  The example scenes by index. */
#include "examples.h"

const scree_scene_example *scree_scene_example_at(size_t index)
{
    for (size_t i = 0; scree_scene_examples[i].name; i++)
        if (i == index)
            return &scree_scene_examples[i];
    return NULL;
}
