/*  "Did you mean ...?": the name of a list that is most like what was typed. */
#ifndef SCREE_NEAREST_NAME_H
#define SCREE_NEAREST_NAME_H

#include "base/common.h"

/*  NULL if none is like it. `next` gives the names of `list` by index, then NULL. */
const char *scree_nearest_name(const char *word,
                               const char *(*next)(const void *list, size_t index),
                               const void *list);

/*  The same for an array of names that ends with NULL. */
const char *scree_nearest_of(const char *word, const char *const *names);

#endif
