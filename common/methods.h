/*  Options that name a detection method or a SIMD instruction set. */
#ifndef SCREE_COMMON_METHODS_H
#define SCREE_COMMON_METHODS_H

#include "common/options.h"

/*  True if there is a method of this name; otherwise prints a message with the nearest name. */
bool scree_check_method(const scree_verb *verb, const char *name);

/*  Words of --simd; indexes are those of scree_simd. */
extern const char *const scree_simd_words[];

#endif
