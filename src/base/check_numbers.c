/*  Checks of numbers that a host gives. */
#include "base/check_numbers.h"

#include "base/error.h"

#include <stdio.h>

scree_status scree_refuse_number(scree_error *error, const char *what, const char *field,
                                 double value, const char *must_be)
{
    return scree_fail(error, SCREE_BAD_VALUE, "%s: %s is %g, must be %s", what, field, value,
                      must_be);
}

scree_status scree_check_numbers(scree_error *error, const char *what, const char *field,
                                 const double *numbers, size_t count)
{
    char component[64];

    for (size_t k = 0; k < count; k++)
        if (!scree_is_usable(numbers[k])) {
            snprintf(component, sizeof component, "%s[%zu]", field, k);
            return scree_refuse_number(error, what, component, numbers[k],
                                       "finite and at most 1e100 in magnitude");
        }
    return SCREE_OK;
}
