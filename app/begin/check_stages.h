/*  The part of `scree check` about the stages of a scene, after a trial that has run some of them. */
#ifndef SCREE_CHECK_STAGES_H
#define SCREE_CHECK_STAGES_H

#include "scene.h"

void scree_check_stages(const scree_scene *scene);

#endif
