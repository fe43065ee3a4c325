/*  Numbers as text: read to the nearest double, and written so that reading gives the same double. Exact on
    every machine and in every locale. */
#ifndef SCREE_DECIMAL_H
#define SCREE_DECIMAL_H

#include "base/common.h"

/*  All of text[0 .. length - 1] must be one number: sign, digits with or without a point, exponent; also
    hexadecimal (0x1.8p3), inf, infinity and nan. Halves go to the even neighbour; what is too large becomes
    infinity, as with strtod. False, and *value as it was, for anything else. */
bool scree_text_to_real(const char *text, size_t length, double *value);

/*  Whole numbers from 0 to `most`, decimal digits alone. */
bool scree_text_to_whole(const char *text, size_t length, uint64_t most, uint64_t *value);

#define SCREE_REAL_TEXT 28 /* bytes that are enough for any double, the end included */

/*  15 digits where these give the same double back, else 17; without zeros at the end. Returns the length. */
size_t scree_real_to_text(double value, char text[SCREE_REAL_TEXT]);
size_t scree_whole_to_text(uint64_t value, char text[SCREE_REAL_TEXT]);

#endif
