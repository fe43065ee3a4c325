/*  Commands that begin with scenes. */
#ifndef SCREE_APP_BEGIN_VERBS_H
#define SCREE_APP_BEGIN_VERBS_H

#include "common/options.h"

extern const scree_verb scree_verb_check;
extern const scree_verb scree_verb_demo;
extern const scree_verb scree_verb_new;
extern const scree_verb scree_verb_scene;

#endif
