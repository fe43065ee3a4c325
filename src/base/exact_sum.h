/*  A sum of doubles without any rounding on the way, so that the order of its terms makes no difference: a
    world's totals do not depend on where its bodies lie in memory, and need none to put them in order.

    The sum is a fixed-point number with room for every double (Kulisch 1971), in digits of 32 bits that are
    held in 64, so that carries can wait. */
#ifndef SCREE_EXACT_SUM_H
#define SCREE_EXACT_SUM_H

#include "base/common.h"

/*  2^-1074 to 2^1024, and 40 bits for the number of terms. */
#define SCREE_EXACT_DIGITS 68

typedef struct scree_exact_sum
{
    int64_t digit[SCREE_EXACT_DIGITS];
    uint32_t waiting; /* terms since carries were last taken */
    double unsound;   /* the sum of terms that are not finite */
} scree_exact_sum;

void scree_exact_clear(scree_exact_sum *sum);
void scree_exact_add(scree_exact_sum *sum, double term);
/*  The sum within 2^-52 of itself; not finite if a term was not, or if it is too large. It may go on. */
double scree_exact_value(scree_exact_sum *sum);

#endif
