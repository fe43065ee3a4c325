/*  The example scenes, embedded from examples/scenes by cmake/embed.cmake. */
#ifndef SCREE_SCENE_EXAMPLES_H
#define SCREE_SCENE_EXAMPLES_H

#include "scene.h"

/*  Ends with a NULL name. */
extern const scree_scene_example scree_scene_examples[];

#endif
