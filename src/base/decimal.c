/*  Converts between decimal text and doubles with integers of as many digits as needed, so nothing is approximated. A
    number is a quotient of two such integers. Its first 64 bits, plus whether any later bit is set, are all that
    rounding needs. Most numbers in files need none of that: fifteen digits and a small power of ten are two doubles,
    and one division rounds once (Clinger 1990). Most others are decided by a product of two integers of one and two
    words (decimal_short.c). */
#include "base/decimal.h"

#include "base/decimal_short.h"

#include <math.h>
#include <string.h>

#define CHUNK 1000000000u /* the largest power of ten in a word */
#define CHUNK_DIGITS 9
#define WORDS 132      /* 32 bits each: 800 digits over 10^1130, or 2^1074 */
#define MAX_DIGITS 800 /* a number half way between two doubles has at most 768 */
#define MAX_EXPONENT 100000

/* ---- integers of many words ---- */

typedef struct wide_whole
{
    int count; /* the last word is not 0 */
    uint32_t word[WORDS];
} wide_whole;

static void whole_multiply_add(wide_whole *n, uint32_t factor, uint32_t summand)
{
    uint64_t carry = summand;
    for (int i = 0; i < n->count; i++) {
        carry += (uint64_t)n->word[i] * factor;
        n->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        n->word[n->count++] = (uint32_t)carry;
}

/*  Returns the remainder. */
static uint32_t whole_divide(wide_whole *n, uint32_t divisor)
{
    uint64_t rest = 0;
    for (int i = n->count - 1; i >= 0; i--) {
        rest = rest << 32 | n->word[i];
        n->word[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    while (n->count > 0 && n->word[n->count - 1] == 0)
        n->count--;
    return (uint32_t)rest;
}

static void whole_shift_words(wide_whole *n, int words)
{
    memmove(n->word + words, n->word, (size_t)n->count * sizeof *n->word);
    memset(n->word, 0, (size_t)words * sizeof *n->word);
    n->count += words;
}

/*  Number of leading 0 bits of a word that is not 0. */
static int gap_of_word(uint32_t word)
{
    int gap = 0;
    while (gap < 31 && !(word >> (31 - gap)))
        gap++;
    return gap;
}

static uint32_t small_power(int exponent)
{
    uint32_t power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

/*  Returns the first 64 bits, the highest of which is set, and the exponent of the last one. *more: any bit after them
    is set. */
static int whole_top(const wide_whole *n, uint64_t *top, bool *more)
{
    int last = n->count - 1, gap = gap_of_word(n->word[last]);
    uint32_t third = last >= 2 ? n->word[last - 2] : 0;
    *top = (uint64_t)n->word[last] << 32 | (last >= 1 ? n->word[last - 1] : 0);
    if (gap > 0) {
        *top = *top << gap | third >> (32 - gap);
        third <<= gap;
    }
    *more |= third != 0;
    for (int i = 0; i < last - 2; i++)
        *more |= n->word[i] != 0;
    return 32 * (last - 1) - gap;
}

/* ---- rounding ---- */

/*  Rounds top * 2^exponent. The highest bit of `top` is set; `more`: something not 0 follows. */
static double round_binary(uint64_t top, bool more, int exponent)
{
    int drop = exponent + 63 < -1022 ? 11 - 1022 - 63 - exponent : 11;
    uint64_t kept, lost;
    if (exponent >= -1022 - 63 && exponent <= 1023 - 63) {
        /* one more kept bit than 53 carries into the exponent field, which is next to it */
        uint64_t half = 1ull << 10, rest = top & (2 * half - 1),
                 bits = (uint64_t)(exponent + 63 + 1022) << 52;
        double value;
        bits += (top >> 11) + (rest > half || (rest == half && (more || (top >> 11 & 1))));
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (drop > 64)
        return 0;
    kept = drop == 64 ? 0 : top >> drop;
    lost = drop == 64 ? top : top << (64 - drop);
    if (lost > 1ull << 63 || (lost == 1ull << 63 && (more || (kept & 1))))
        kept++;
    /* kept is at most 2^53, and so is the remaining exponent range: exact, or infinity */
    return exponent > 2000 ? INFINITY : ldexp((double)kept, exponent + drop);
}

/*  Rounds digits * 10^exponent, with something not 0 behind it if `more`. Overwrites `digits`. */
static double round_decimal(wide_whole *digits, bool more, int exponent)
{
    uint64_t top;
    int shift = 0;
    while (exponent > 0) {
        int step = exponent < CHUNK_DIGITS ? exponent : CHUNK_DIGITS;
        whole_multiply_add(digits, small_power(step), 0);
        exponent -= step;
    }
    if (exponent < 0) {
        /* 10^p has at most 3.322 p + 1 bits: enough words that more than 64 bits remain */
        int wanted = (-exponent * 3322) / 1000 / 32 + 4;
        shift = wanted > digits->count ? wanted - digits->count : 0;
        whole_shift_words(digits, shift);
    }
    while (exponent < 0) {
        int step = -exponent < CHUNK_DIGITS ? -exponent : CHUNK_DIGITS;
        more |= whole_divide(digits, small_power(step)) != 0;
        exponent += step;
    }
    exponent = whole_top(digits, &top, &more);
    return round_binary(top, more, exponent - 32 * shift);
}

/* ---- reading ---- */

/*  A parsed decimal number. */
typedef struct digit_run
{
    unsigned char digit[MAX_DIGITS]; /* from the first digit that is not 0 */
    int count;
    bool more;        /* some digit after these is not 0 */
    int64_t exponent; /* exponent of the last digit kept, in the base of the digits */
    bool any;         /* the text has a digit */
} digit_run;

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

/*  Reads digits and a point. Returns where they end. */
static const char *take_digits(const char *at, const char *end, int base, digit_run *run)
{
    bool after_point = false;
    run->count = 0;
    run->more = run->any = false;
    run->exponent = 0;
    for (; at < end; at++) {
        int value = digit_value(*at);
        if (*at == '.' && !after_point) {
            after_point = true;
            continue;
        }
        if (value >= base)
            break;
        run->any = true;
        run->exponent -= after_point;
        if (run->count == 0 && value == 0)
            continue;
        if (run->count < MAX_DIGITS) {
            run->digit[run->count++] = (unsigned char)value;
        } else {
            run->more |= value != 0;
            run->exponent++;
        }
    }
    return at;
}

/*  Reads the exponent after `letter`, if there is one. Returns NULL if the letter has no number after it. */
static const char *take_exponent(const char *at, const char *end, char letter, int64_t *exponent)
{
    bool negative;
    int64_t value = 0;
    if (at == end || (*at | 0x20) != letter)
        return at;
    at++;
    negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (at == end)
        return NULL;
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        if (value < MAX_EXPONENT)
            value = 10 * value + (*at - '0');
    *exponent += negative ? -value : value;
    return at;
}

static bool is_word(const char *at, const char *end, const char *word)
{
    for (; at < end && *word; at++, word++)
        if ((*at | 0x20) != *word)
            return false;
    return at == end && *word == 0;
}

static const double exact_power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/*  If digits and power are both exact doubles, one operation rounds once. */
static bool small_decimal(uint64_t digits, int64_t exponent, double *value)
{
    if (digits > 1ull << 53 || exponent < -22 || exponent > 22)
        return false;
    *value = exponent < 0 ? (double)digits / exact_power[-exponent]
                          : (double)digits * exact_power[exponent];
    return true;
}

/*  Tries to decide without integers of many words. */
static bool short_decimal(uint64_t digits, int64_t power, double *value)
{
    uint64_t top;
    bool more;
    int exponent;

    if (small_decimal(digits, power, value))
        return true;
    if (!scree_short_to_binary(digits, power, &top, &more, &exponent))
        return false;
    *value = round_binary(top, more, exponent);
    return true;
}

static double value_of_decimal(const digit_run *run)
{
    wide_whole n = {0};
    uint64_t head = 0;
    double value;
    if (SCREE_NEVER(run->count == 0)) /* read_short handles this case */
        return 0;
    if (run->count <= 19) {
        for (int i = 0; i < run->count; i++)
            head = 10 * head + (uint64_t)run->digit[i];
        if (short_decimal(head, run->exponent, &value))
            return value;
    }
    if (run->count + run->exponent > 310)
        return INFINITY;
    if (run->count + run->exponent < -330)
        return 0;
    for (int i = 0; i < run->count;) {
        uint32_t chunk = 0;
        int step = 0;
        for (; step < CHUNK_DIGITS && i < run->count; step++, i++)
            chunk = 10 * chunk + (uint32_t)run->digit[i];
        whole_multiply_add(&n, small_power(step), chunk);
    }
    return round_decimal(&n, run->more, (int)run->exponent);
}

static double value_of_hexadecimal(const digit_run *run, int64_t exponent)
{
    uint64_t top = 0;
    bool more = run->more;
    int i = 0, last = 0;
    if (run->count == 0)
        return 0;
    for (; i < run->count && i < 16; i++)
        top = top << 4 | (uint64_t)run->digit[i];
    for (; i < run->count; i++, last++)
        more |= run->digit[i] != 0;
    exponent += 4 * (run->exponent + last);
    for (; !(top >> 63); exponent--)
        top <<= 1;
    if (exponent > 2000)
        return INFINITY;
    return exponent < -2000 ? 0 : round_binary(top, more, (int)exponent);
}

/*  Reads decimal digits without a sign that fit in a word, as nearly all numbers do. Returns false if they do not fit
    or are not a number. */
static bool read_short(const char *at, const char *end, double *value)
{
    uint64_t digits = 0;
    int64_t power = 0;
    bool after_point = false, any = false;

    for (; at < end; at++) {
        unsigned digit = (unsigned)(unsigned char)*at - '0';
        if (digit < 10) {
            if (digits > (UINT64_MAX - 9) / 10)
                return false;
            digits = 10 * digits + digit;
            power -= after_point;
            any = true;
        } else if (*at == '.' && !after_point) {
            after_point = true;
        } else {
            break;
        }
    }
    at = any ? take_exponent(at, end, 'e', &power) : NULL;
    if (at != end)
        return false;
    if (digits == 0)
        *value = 0;
    return digits == 0 || short_decimal(digits, power, value);
}

bool scree_text_to_real(const char *text, size_t length, double *value)
{
    const char *at = text, *end = text + length;
    digit_run run;
    double found;
    bool negative = length > 0 && *at == '-';
    if (length > 0 && (*at == '-' || *at == '+'))
        at++;
    if (read_short(at, end, &found)) {
        *value = negative ? -found : found;
        return true;
    }
    if (end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x') {
        int64_t exponent = 0;
        at = take_digits(at + 2, end, 16, &run);
        if (!run.any || !(at = take_exponent(at, end, 'p', &exponent)) || at != end)
            return false;
        found = value_of_hexadecimal(&run, exponent);
    } else if (is_word(at, end, "inf") || is_word(at, end, "infinity")) {
        found = INFINITY;
    } else if (is_word(at, end, "nan")) {
        found = (double)NAN;
    } else {
        at = take_digits(at, end, 10, &run);
        if (!run.any || !(at = take_exponent(at, end, 'e', &run.exponent)) || at != end)
            return false;
        found = value_of_decimal(&run);
    }
    *value = negative ? -found : found;
    return true;
}

bool scree_text_to_whole(const char *text, size_t length, uint64_t most, uint64_t *value)
{
    uint64_t found = 0;
    if (length == 0)
        return false;
    for (size_t i = 0; i < length; i++) {
        uint64_t digit = (uint64_t)(unsigned char)text[i] - '0';
        if (digit > 9 || found > (most - digit) / 10 || digit > most)
            return false;
        found = 10 * found + digit;
    }
    *value = found;
    return true;
}

/* ---- writing ---- */

#define ROOM 352 /* enough for the digits of the largest double */

/*  Decimal digits of a number. The first is not 0. */
typedef struct digit_list
{
    char digit[ROOM];
    int count;
    int point; /* digits before the point; negative: zeros after it */
    bool more;
} digit_list;

static void add_chunk(digit_list *list, uint32_t chunk, int digits)
{
    for (uint32_t unit = small_power(digits - 1); unit > 0; unit /= 10) {
        char digit = (char)(chunk / unit % 10);
        if (list->count == 0 && digit == 0)
            list->point--;
        else
            list->digit[list->count++] = digit;
    }
}

/*  Writes all digits of an integer. */
static void list_whole(digit_list *list, wide_whole *n)
{
    uint32_t chunk[40];
    int chunks = 0;
    while (n->count > 0)
        chunk[chunks++] = whole_divide(n, CHUNK);
    list->point = CHUNK_DIGITS * chunks;
    for (int i = chunks - 1; i >= 0; i--)
        add_chunk(list, chunk[i], CHUNK_DIGITS);
}

/*  Writes at least 18 digits of the fraction. `n` is below 2^bits. */
static void list_fraction(digit_list *list, wide_whole *n, int bits)
{
    int at = bits / 32, shift = bits % 32;
    for (int i = n->count; i <= at + 1; i++)
        n->word[i] = 0;
    while (list->count < 18 && n->count > 0) {
        uint64_t chunk;
        whole_multiply_add(n, CHUNK, 0);
        for (int i = n->count; i <= at + 1; i++)
            n->word[i] = 0;
        chunk = ((uint64_t)n->word[at + 1] << 32 | n->word[at]) >> shift;
        n->word[at + 1] = 0;
        n->word[at] &= (1u << shift) - 1;
        add_chunk(list, (uint32_t)chunk, CHUNK_DIGITS);
        n->count = at + 1;
        while (n->count > 0 && n->word[n->count - 1] == 0)
            n->count--;
    }
    list->more = n->count > 0;
}

static void list_digits(digit_list *list, double value)
{
    wide_whole n = {0};
    int exponent;
    uint64_t bits = (uint64_t)ldexp(frexp(value, &exponent), 53);
    exponent -= 53;
    list->count = list->point = 0;
    list->more = false;
    for (; !(bits & 1); exponent++)
        bits >>= 1;
    if (exponent >= 0) {
        n.word[0] = (uint32_t)bits;
        n.word[1] = (uint32_t)(bits >> 32);
        n.count = n.word[1] ? 2 : 1;
        for (; exponent > 0; exponent -= exponent < 31 ? exponent : 31)
            whole_multiply_add(&n, 1u << (exponent < 31 ? exponent : 31), 0);
        list_whole(list, &n);
        return;
    }
    /* below 1: integers up to 2^53 are written as a word */
    n.word[0] = (uint32_t)bits;
    n.word[1] = (uint32_t)(bits >> 32);
    n.count = n.word[1] ? 2 : 1;
    list_fraction(list, &n, -exponent);
}

/*  Rounds to the first `wanted` digits, halves to even; *point may grow by one. Returns the number of digits left
    without zeros at the end. */
static int round_list(const digit_list *list, int wanted, char digit[18], int *point)
{
    int count = list->count < wanted ? list->count : wanted;
    bool up = false;
    memcpy(digit, list->digit, (size_t)count);
    *point = list->point;
    if (list->count > wanted) {
        bool more = list->more;
        char next = list->digit[wanted];
        for (int i = wanted + 1; i < list->count; i++)
            more |= list->digit[i] != 0;
        up = next > 5 || (next == 5 && (more || (digit[count - 1] & 1)));
    }
    for (int i = count - 1; up && i >= 0; i--) {
        up = digit[i] == 9;
        digit[i] = (char)(up ? 0 : digit[i] + 1);
    }
    if (up) { /* all were 9 */
        digit[0] = 1;
        ++*point;
    }
    while (count > 1 && digit[count - 1] == 0)
        count--;
    return count;
}

static bool gives_back(const char *digit, int count, int point, double value)
{
    digit_run run = {.count = count, .exponent = point - count};
    memcpy(run.digit, digit, (size_t)count);
    return value_of_decimal(&run) == value;
}

/*  Writes the digits of a number of `wanted` digits, or of the power of ten above. Returns how many are left without
    zeros at the end. */
static int spell(uint64_t number, int wanted, char digit[18], int *point)
{
    /* in two halves, which the processor divides in parallel */
    uint32_t first = (uint32_t)(number / 100000000), last = (uint32_t)(number % 100000000);
    int count = wanted;

    for (int i = wanted - 1; i >= wanted - 8; i--, last /= 10)
        digit[i] = (char)(last % 10);
    for (int i = wanted - 9; i >= 0; i--, first /= 10)
        digit[i] = (char)(first % 10);
    if (first) { /* all were 9 */
        digit[0] = 1;
        ++*point;
    }
    while (count > 1 && digit[count - 1] == 0)
        count--;
    return count;
}

static bool short_digits(double value, char digit[18], int *count, int *point)
{
    scree_short_decimal number;
    double back;

    if (!scree_short_from_binary(value, &number) ||
        !short_decimal(number.of_15, number.point - 15, &back))
        return false;
    *point = number.point;
    *count = back == value ? spell(number.of_15, 15, digit, point)
                           : spell(number.of_17, 17, digit, point);
    return true;
}

static void long_digits(double value, char digit[18], int *count, int *point)
{
    digit_list list;

    list_digits(&list, value);
    *count = round_list(&list, 15, digit, point);
    if (!gives_back(digit, *count, *point, value))
        *count = round_list(&list, 17, digit, point);
}

static char *put_text(char *at, const char *from, int count)
{
    memcpy(at, from, (size_t)count);
    return at + count;
}

static char *put_zeros(char *at, int count)
{
    memset(at, '0', (size_t)count);
    return at + count;
}

/*  Chooses the form as %g does: plain unless the number is very small or very large. */
static char *put_number(char *at, const char digit[18], int count, int point)
{
    bool plain = point > -5 && point <= 17;
    int before = plain ? point : 1;
    char text[SCREE_REAL_TEXT];

    for (int i = 0; i < 18; i++)
        text[i] = (char)('0' + digit[i]);
    if (before <= 0) {
        at = put_text(at, "0.", 2);
        at = put_zeros(at, -before);
        at = put_text(at, text, count);
    } else if (count <= before) {
        at = put_text(at, text, count);
        at = put_zeros(at, before - count);
    } else {
        at = put_text(at, text, before);
        *at++ = '.';
        at = put_text(at, text + before, count - before);
    }
    if (!plain) {
        int exponent = point - 1;
        size_t length = scree_whole_to_text((uint64_t)(exponent < 0 ? -exponent : exponent), text);
        *at++ = 'e';
        if (exponent < 0)
            *at++ = '-';
        at = put_text(at, text, (int)length);
    }
    return at;
}

size_t scree_real_to_text(double value, char text[SCREE_REAL_TEXT])
{
    char digit[18] = {0}, *at = text;
    int point, count;
    if (signbit(value) && value == value)
        *at++ = '-';
    if (value != value || value == INFINITY || value == -INFINITY) {
        memcpy(at, value != value ? "nan" : "inf", 3);
        at += 3;
    } else if (value == 0) {
        *at++ = '0';
    } else {
        if (!short_digits(fabs(value), digit, &count, &point))
            long_digits(fabs(value), digit, &count, &point);
        at = put_number(at, digit, count, point);
    }
    *at = 0;
    return (size_t)(at - text);
}

size_t scree_whole_to_text(uint64_t value, char text[SCREE_REAL_TEXT])
{
    char reversed[SCREE_REAL_TEXT];
    size_t length = 0;
    do {
        reversed[length++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    for (size_t i = 0; i < length; i++)
        text[i] = reversed[length - 1 - i];
    text[length] = 0;
    return length;
}
