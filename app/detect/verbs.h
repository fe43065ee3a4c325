/*  Commands for contact detection. */
#ifndef SCREE_APP_DETECT_VERBS_H
#define SCREE_APP_DETECT_VERBS_H

#include "common/options.h"

extern const scree_verb scree_verb_detect;
extern const scree_verb scree_verb_methods;

#endif
