/*  Commands that inspect results. */
#ifndef SCREE_APP_LOOK_VERBS_H
#define SCREE_APP_LOOK_VERBS_H

#include "common/options.h"

extern const scree_verb scree_verb_diff;
extern const scree_verb scree_verb_fields;
extern const scree_verb scree_verb_info;
extern const scree_verb scree_verb_plot;
extern const scree_verb scree_verb_render;

#endif
