/*  "Did you mean ...?": the name in a list that is most similar to what was typed. */
#ifndef SCREE_NEAREST_NAME_H
#define SCREE_NEAREST_NAME_H

#include "base/common.h"

/*  Returns NULL if none is similar. `next` returns the names of `list` by index, then NULL. */
const char *scree_nearest_name(const char *word,
                               const char *(*next)(const void *list, size_t index),
                               const void *list);

/*  Does the same for an array of names that ends with NULL. */
const char *scree_nearest_of(const char *word, const char *const *names);

#endif
