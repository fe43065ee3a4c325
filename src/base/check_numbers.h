/*  Checks of numbers that a host gives, with one form of message: "WHAT: FIELD is VALUE, must be MUST_BE". */
#ifndef SCREE_CHECK_NUMBERS_H
#define SCREE_CHECK_NUMBERS_H

#include "base/common.h"
#include "scree/detect.h" /* SCREE_MAX_COORDINATE */

#include <math.h>

/*  Writes the message and returns SCREE_BAD_VALUE. */
scree_status scree_refuse_number(scree_error *error, const char *what, const char *field,
                                 double value, const char *must_be);

/*  Finite, and at most SCREE_MAX_COORDINATE in magnitude. */
static inline bool scree_is_usable(double value)
{
    return fabs(value) <= SCREE_MAX_COORDINATE;
}

static inline bool scree_are_usable(const double *numbers, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!scree_is_usable(numbers[k]))
            return false;
    return true;
}

/*  Refuses the first of `count` numbers that is not usable. The message calls it FIELD[k]. */
scree_status scree_check_numbers(scree_error *error, const char *what, const char *field,
                                 const double *numbers, size_t count);

#endif
