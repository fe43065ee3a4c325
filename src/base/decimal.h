/*  Numbers as text: read to the nearest double, and written so that reading gives the same double. Exact on
    every machine and in every locale. */
#ifndef SCREE_DECIMAL_H
#define SCREE_DECIMAL_H

#include "base/common.h"

/*  Reads one number from all of text[0 .. length - 1]: sign, digits with or without a point, exponent; also hexadecimal
    (0x1.8p3), inf, infinity and nan. Halves are rounded to even. Numbers that are too large become infinity, as with
    strtod. Returns false, and leaves *value unchanged, for any other text. */
bool scree_text_to_real(const char *text, size_t length, double *value);

/*  Reads an integer from 0 to `most` that consists of decimal digits only. */
bool scree_text_to_whole(const char *text, size_t length, uint64_t most, uint64_t *value);

#define SCREE_REAL_TEXT 28 /* buffer size that is enough for any double, with the terminating 0 */

/*  Writes 15 digits if these give the same double back, otherwise 17, without zeros at the end. Returns the length. */
size_t scree_real_to_text(double value, char text[SCREE_REAL_TEXT]);
size_t scree_whole_to_text(uint64_t value, char text[SCREE_REAL_TEXT]);

#endif
