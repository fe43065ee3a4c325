#include "base/exact_sum.h"

#include <math.h>
#include <string.h>

/*  A term adds less than 2^32 to a digit, which is below 2^32 after carrying. */
#define MAX_WAITING (1u << 30)

void scree_exact_clear(scree_exact_sum *sum)
{
    memset(sum, 0, sizeof *sum);
}

/*  Carries: digits become 0 to 2^32 - 1, except the last, which has the sign. */
static void carry(scree_exact_sum *sum)
{
    int64_t over = 0;

    for (int k = 0; k < SCREE_EXACT_DIGITS - 1; k++) {
        int64_t digit = sum->digit[k] + over;
        sum->digit[k] = digit & 0xffffffff;
        /* division rounded down, exactly: shifting a negative number is implementation-defined */
        over = (digit - sum->digit[k]) / 0x100000000;
    }
    sum->digit[SCREE_EXACT_DIGITS - 1] += over;
    sum->waiting = 0;
}

void scree_exact_add(scree_exact_sum *sum, double term)
{
    uint64_t bits, exponent, fraction;

    memcpy(&bits, &term, sizeof bits);
    exponent = bits >> 52 & 0x7ff;
    fraction = bits & 0xfffffffffffff;
    if (exponent == 0x7ff) {
        sum->unsound += term;
        return;
    }
    /* exponent field 0 means subnormal numbers, which have exponent 1 */
    if (exponent)
        fraction |= (uint64_t)1 << 52;
    uint64_t place = exponent ? exponent - 1 : 0, shift = place % 32;
    int64_t *digit = sum->digit + place / 32, sign = bits >> 63 ? -1 : 1;
    uint64_t low = fraction << shift, high = shift ? fraction >> (64 - shift) : 0;
    digit[0] += sign * (int64_t)(low & 0xffffffff);
    digit[1] += sign * (int64_t)(low >> 32);
    digit[2] += sign * (int64_t)high;
    if (++sum->waiting == MAX_WAITING)
        carry(sum);
}

/*  Rounds a carried sum that is not negative: the first three digits that are not zero hold at least 65 bits. */
static double read_digits(const scree_exact_sum *sum)
{
    int top = SCREE_EXACT_DIGITS - 1;
    double value = 0;

    while (top > 2 && sum->digit[top] == 0)
        top--;
    for (int k = 0; k < 3; k++)
        value = value * 0x1p32 + (double)sum->digit[top - k];
    return ldexp(value, 32 * (top - 2) - 1074);
}

double scree_exact_value(scree_exact_sum *sum)
{
    scree_exact_sum turned;

    if (sum->unsound != 0 || isnan(sum->unsound))
        return sum->unsound;
    carry(sum);
    if (sum->digit[SCREE_EXACT_DIGITS - 1] >= 0)
        return read_digits(sum);
    turned = *sum;
    for (int k = 0; k < SCREE_EXACT_DIGITS; k++)
        turned.digit[k] = -turned.digit[k];
    carry(&turned);
    return -read_digits(&turned);
}

void scree_exact_to_words(scree_exact_sum *sum, uint64_t words[SCREE_EXACT_WORDS])
{
    carry(sum);
    for (int k = 0; k < SCREE_EXACT_DIGITS; k++)
        words[k] = (uint64_t)sum->digit[k];
    words[SCREE_EXACT_DIGITS] = sum->unsound != 0 || isnan(sum->unsound);
}

void scree_exact_from_words(scree_exact_sum *sum, const uint64_t words[SCREE_EXACT_WORDS])
{
    scree_exact_clear(sum);
    memcpy(sum->digit, words, sizeof sum->digit);
    carry(sum);
    sum->unsound = words[SCREE_EXACT_DIGITS] ? NAN : 0;
}
