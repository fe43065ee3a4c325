/*  The verb that fits parameters of scenes to measurements. */
#ifndef SCREE_APP_CALIBRATE_VERBS_H
#define SCREE_APP_CALIBRATE_VERBS_H

#include "common/options.h"

extern const scree_verb scree_verb_calibrate;

#endif
