/*  A host's own law that does what "hertz" does, to hold the two side by side. */
#ifndef SCREE_OWN_HERTZ_H
#define SCREE_OWN_HERTZ_H

#include "scree/scree.h"

scree_law scree_own_hertz(void);

#endif
