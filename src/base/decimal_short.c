/*  Powers of ten are known to 128 bits (decimal_power.h). The product with a 64-bit number has 192 bits and is too
    small by less than that number, that is, by less than one unit of bit 64. So all higher bits are correct unless the
    middle bits are all set. If the power is truncated, the bits cut off from the product are not all 0. (Lemire 2021
    uses this for reading; the same argument holds for writing.) */
#include "base/decimal_short.h"

#include "base/decimal_power.h"

#include <string.h>

typedef struct product
{
    uint64_t high, middle, low;
} product;

static void multiply_words(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low)
{
    uint64_t a1 = a >> 32, a0 = a & UINT32_MAX, b1 = b >> 32, b0 = b & UINT32_MAX;
    uint64_t cross = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (cross & UINT32_MAX);

    *high = a1 * b1 + (cross >> 32) + (other >> 32);
    *low = a * b;
}

static product multiply_power(uint64_t word, int power)
{
    const uint64_t *row = scree_power[power - SCREE_MIN_POWER];
    uint64_t carried;
    product p;

    multiply_words(word, row[1], &carried, &p.low);
    multiply_words(word, row[0], &p.high, &p.middle);
    p.middle += carried;
    p.high += p.middle < carried;
    return p;
}

static bool is_in_table(int64_t power)
{
    return power >= SCREE_MIN_POWER && power <= SCREE_MAX_POWER;
}

/*  Shifts left until the highest bit is set. Returns the shift. */
static int raise_word(uint64_t *word)
{
    int shift = 0;

    for (int step = 32; step > 0; step /= 2)
        if (!(*word >> (64 - step))) {
            *word <<= step;
            shift += step;
        }
    return shift;
}

bool scree_short_to_binary(uint64_t digits, int64_t power, uint64_t *top, bool *more, int *exponent)
{
    if (!is_in_table(power))
        return false;
    bool is_whole = scree_power_is_whole((int)power);
    int shift = raise_word(&digits), place = scree_power_place((int)power) - shift + 128;
    product p = multiply_power(digits, (int)power);
    /* a product of two numbers with their highest bits set lacks one at most */
    if (!(p.high >> 63)) {
        p.high = p.high << 1 | p.middle >> 63;
        p.middle = p.middle << 1 | !is_whole;
        place--;
    }
    if (!is_whole && p.middle == UINT64_MAX)
        return false;
    *top = p.high;
    *more = !is_whole || (p.middle | p.low) != 0;
    *exponent = place;
    return true;
}

/* ---- writing ---- */

#define TEN_TO_17 100000000000000000u

/*  An integer and its fraction; the fraction as 128 bits, the highest of which is worth a half. The last bit is also
    set if any bit below was. */
typedef struct parted
{
    uint64_t whole, high, low;
} parted;

/*  p * 2^-places, with `places` from 65 to 75, in addition to the last 64 bits. */
static parted part_product(const product *p, int places, bool is_whole)
{
    int behind = places - 64; /* bits of p.high that belong to the fraction */
    parted n = {.whole = p->high >> behind};

    n.high = p->high << (64 - behind) | p->middle >> behind;
    n.low = p->middle << (64 - behind) | (!is_whole || p->low != 0);
    return n;
}

/*  Returns whether the fraction is so near below a half or below 1 that the bits cut off could reach it. */
static bool is_doubtful(const parted *n, int places, bool is_whole)
{
    uint64_t beyond = (1ull << (128 - places)) - 1, below_half = UINT64_MAX >> 1;

    return !is_whole && (n->high & below_half) == below_half && (n->low | beyond) == UINT64_MAX;
}

static uint64_t round_17(const parted *n)
{
    const uint64_t half = 1ull << 63;
    bool is_even = !(n->whole & 1);

    return n->whole + (n->high >= half && !(n->high == half && n->low == 0 && is_even));
}

static uint64_t round_15(const parted *n)
{
    uint64_t rest = n->whole % 100, whole = n->whole / 100;
    bool is_even = !(whole & 1);

    return whole + (rest >= 50 && !(rest == 50 && (n->high | n->low) == 0 && is_even));
}

/*  word * 2^exponent * 10^(17 - point). Returns false if it cannot be decided. */
static bool take_17(uint64_t word, int exponent, int point, parted *n)
{
    int power = 17 - point;

    if (!is_in_table(power))
        return false;
    bool is_whole = scree_power_is_whole(power);
    product p = multiply_power(word, power);
    int places = -(exponent + scree_power_place(power) + 64);
    *n = part_product(&p, places, is_whole);
    return !is_doubtful(n, places, is_whole);
}

bool scree_short_from_binary(double value, scree_short_decimal *number)
{
    uint64_t bits;
    parted n;

    memcpy(&bits, &value, sizeof bits);
    int biased = (int)(bits >> 52), exponent = biased - 1086;
    /* the shift is small enough that the highest bit is kept */
    if (biased == 0)
        return false;
    uint64_t word = bits << 11 | 1ull << 63;
    /* value is from 2^log2 to its double. 30103 / 100000 exceeds log10(2) by 4e-9, which is too little to change the
       floor of any of these products except 0. The number has that many digits plus one or two before the point */
    int log2 = biased - 1023;
    int point = 1 + (log2 < 0 ? -((99999 - 30103 * log2) / 100000) : 30103 * log2 / 100000);
    if (!take_17(word, exponent, point, &n))
        return false;
    if (n.whole >= TEN_TO_17 && !take_17(word, exponent, ++point, &n))
        return false;
    *number = (scree_short_decimal){round_15(&n), round_17(&n), point};
    return true;
}
