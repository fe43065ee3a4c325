/*  A sum of doubles without intermediate rounding, so the order of its terms makes no difference. The totals of a world
    therefore do not depend on where bodies lie in memory, and no sorting is needed. The sum is a fixed-point number
    that can hold every double (Kulisch 1971), in digits of 32 bits stored in 64, so that carries can be delayed. */
#ifndef SCREE_EXACT_SUM_H
#define SCREE_EXACT_SUM_H

#include "base/common.h"

/*  2^-1074 to 2^1024, and 40 bits for the number of terms. */
#define SCREE_EXACT_DIGITS 68

typedef struct scree_exact_sum
{
    int64_t digit[SCREE_EXACT_DIGITS];
    uint32_t waiting; /* terms since the last carry */
    double unsound;   /* sum of the terms that are not finite */
} scree_exact_sum;

void scree_exact_clear(scree_exact_sum *sum);
void scree_exact_add(scree_exact_sum *sum, double term);
/*  Returns the sum with a relative error below 2^-52. Not finite if a term was not, or if the sum is too large. More
    terms may be added afterwards. */
double scree_exact_value(scree_exact_sum *sum);

/*  For sums in several places: words whose sums over up to 2^30 places are the words of the whole sum. */
#define SCREE_EXACT_WORDS (SCREE_EXACT_DIGITS + 1)
void scree_exact_to_words(scree_exact_sum *sum, uint64_t words[SCREE_EXACT_WORDS]);
/*  A sum of which terms were not finite is NaN. */
void scree_exact_from_words(scree_exact_sum *sum, const uint64_t words[SCREE_EXACT_WORDS]);

#endif
