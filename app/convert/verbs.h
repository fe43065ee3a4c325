/*  Commands that convert files and describe meshes. */
#ifndef SCREE_APP_CONVERT_VERBS_H
#define SCREE_APP_CONVERT_VERBS_H

#include "common/options.h"

extern const scree_verb scree_verb_convert;
extern const scree_verb scree_verb_mesh_info;
extern const scree_verb scree_verb_mesh_tree;

#endif
