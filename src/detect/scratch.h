/*  The owner's side of scratch memory; methods see scree_scratch_take in method.h. */
#ifndef SCREE_SCRATCH_H
#define SCREE_SCRATCH_H

#include "detect/method.h"

void scree_scratch_free(scree_scratch *scratch);

#endif
