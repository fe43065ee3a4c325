/*  The verbs that run scenes. */
#ifndef SCREE_APP_RUN_VERBS_H
#define SCREE_APP_RUN_VERBS_H

#include "common/options.h"

extern const scree_verb scree_verb_lab;
extern const scree_verb scree_verb_run;

#endif
