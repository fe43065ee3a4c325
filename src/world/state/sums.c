/*  Exact sums: rounding to quanta, digits, and conversion to doubles. */
#include "world/state/sums.h"

#include "base/tasks.h"

#include <math.h>

/*  A quantum in weights of a contact's effective mass; see the proof in the header. */
#define OF_WEIGHT 0x1p-40
/*  Without gravity: the force that moves the mass by this share of the radius in one step. */
#define OF_RADIUS 0x1p-68
/*  Exponents of rules and units are limited to this range, so that all derived values are normal numbers. */
#define MIN_EXPONENT (-700)
#define MAX_EXPONENT 600
/*  In units: the largest contribution if there is one word, and for the top word if there are several. */
#define MAX_TERM 0x1p60
#define MAX_TOP_TERM 0x1p50
/*  Limits of a sum to which one more contribution, or eight in the fast way, can be added; and of the total of all
    workers. */
#define MAX_SUM ((int64_t)1 << 61)
#define MAX_TOTAL ((int64_t)1 << 62)
#define DIGIT ((int64_t)1 << SCREE_SUM_DIGIT)

/* ---- quanta ---- */

/*  The power of two below a positive number, within the limits. */
static double power_below(double x)
{
    int exponent = MIN_EXPONENT;

    if (x > 0)
        (void)frexp(x, &exponent);
    exponent--;
    exponent = exponent < MIN_EXPONENT ? MIN_EXPONENT : exponent;
    return ldexp(1, exponent < MAX_EXPONENT ? exponent : MAX_EXPONENT);
}

/*  The same as kernels compute it: the number without its mantissa. */
static double power_of(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    bits &= (uint64_t)0x7ff << 52;
    memcpy(&x, &bits, sizeof x);
    return x;
}

scree_quantum_rule scree_quantum_rule_of(double gravity, double dt)
{
    scree_quantum_rule rule = {.has_weight = gravity > 0};
    /* at an instant without gravity use 1 s: longer than any step, so quanta are finer than necessary */
    double rate = dt > 0 ? 1 / dt : 1;

    rule.force = power_below(gravity > 0 ? gravity * OF_WEIGHT : OF_RADIUS * (rate * rate));
    return rule;
}

scree_quantum scree_quantum_of(const scree_quantum_rule *rule, double mass, double radius)
{
    scree_quantum quantum;

    quantum.force = power_of(mass) * rule->force;
    if (!rule->has_weight)
        quantum.force *= power_of(radius);
    quantum.torque = quantum.force * power_of(radius);
    return quantum;
}

scree_quantum scree_quantum_least(const scree_quantum_rule *rule, double mass, double radius)
{
    /* for two equal bodies the effective values are half of each, or less by rounding */
    scree_quantum least = scree_quantum_of(rule, mass / 4, radius / 4);

    least.force = power_below(least.force);
    least.torque = power_below(least.torque);
    return least;
}

/* ---- storage ---- */

void scree_sums_free(scree_sums *sums, scree_memory *memory)
{
    scree_memory_give_lines(memory, &sums->line, sums->capacity, sizeof *sums->line);
    scree_memory_give(memory, &sums->touched, sums->touched_capacity, sizeof *sums->touched);
    sums->capacity = sums->touched_capacity = 0;
}

scree_status scree_sums_begin(scree_sums *sums, scree_memory *memory, const scree_quantum *unit,
                              uint32_t words, uint32_t workers, size_t bodies)
{
    size_t stride = bodies * words, groups = scree_block_count(bodies, SCREE_SUM_GROUP);
    bool is_clean = sums->is_clean && sums->words == words && sums->workers == workers &&
                    sums->bodies == bodies;

    sums->is_clean = false;
    if (scree_memory_reserve_lines(memory, &sums->line, &sums->capacity, stride * workers,
                                   sizeof *sums->line) ||
        (workers > 1 && scree_memory_reserve(memory, &sums->touched, &sums->touched_capacity,
                                             groups * workers, sizeof *sums->touched)))
        return SCREE_OUT_OF_MEMORY;
    if (sums->line && !is_clean)
        memset(sums->line, 0, stride * workers * sizeof *sums->line);
    if (sums->touched && !is_clean)
        memset(sums->touched, 0, groups * workers * sizeof *sums->touched);
    sums->groups = groups;
    sums->unit = *unit;
    sums->bodies = bodies;
    sums->words = words;
    sums->workers = workers;
    sums->stride = stride;
    sums->large = MAX_SUM / (int64_t)(workers ? workers : 1);
    sums->is_over = sums->is_unsound = sums->is_large = false;
    return SCREE_OK;
}

bool scree_sums_may_hold(const scree_sums *sums, const double force[3], const double torque[3])
{
    const double most = ldexp(MAX_TOP_TERM, SCREE_SUM_DIGIT * (int)(SCREE_SUM_WORDS - 1));
    bool may = true;

    for (int k = 0; k < 3; k++)
        may &=
            fabs(force[k]) < most * sums->unit.force && fabs(torque[k]) < most * sums->unit.torque;
    return may;
}

/* ---- one number ---- */

/*  Number of units in x, from magic + x. */
static int64_t digit_of(double sum, double magic)
{
    int64_t bits, base;

    memcpy(&bits, &sum, sizeof bits);
    memcpy(&base, &magic, sizeof base);
    return bits - base;
}

/*  Rounds to whole quanta as kernels do. A value too large for that is a whole number already. */
static double rounded(double x, double quantum)
{
    double magic = scree_sum_magic(quantum);

    return fabs(x) < 0x1p51 * quantum ? (magic + x) - magic : x;
}

/*  Splits a value into digits, from the top, whose unit is 2^36 to the power of words - 1. Remainders are exact,
    since they have no bit that the value does not have. False if it does not fit. */
static bool split(double x, double unit, uint32_t words, int64_t *digit)
{
    double top = words > 1 ? ldexp(unit, SCREE_SUM_DIGIT * (int)(words - 1)) : unit;

    if (!(fabs(x) < MAX_TOP_TERM * top))
        return false;
    for (uint32_t w = words; w-- > 0; top *= 1.0 / (double)DIGIT) {
        double magic = scree_sum_magic(top), sum = magic + x;
        digit[w] = digit_of(sum, magic);
        x -= sum - magic;
    }
    return true;
}

/*  One word has room for two digits if the upper one is small. */
static bool split_in_one(double x, double unit, int64_t *digit)
{
    int64_t two[2];

    if (!(fabs(x) < MAX_TERM * unit) || !split(x, unit, 2, two))
        return false;
    digit[0] = two[1] * DIGIT + two[0];
    return true;
}

static bool exceeds(int64_t x, int64_t most)
{
    return x >= most || x <= -most;
}

static bool add_number(scree_sums *sums, int64_t *sum, double x, double quantum, double unit)
{
    const size_t stride = sizeof(scree_sum_line) / sizeof(int64_t);
    const uint32_t words = sums->words;
    int64_t digit[SCREE_SUM_WORDS];

    x = rounded(x, quantum);
    if (words == 1 ? !split_in_one(x, unit, digit) : !split(x, unit, words, digit))
        return false;
    for (uint32_t w = 0; w < words; w++) {
        int64_t *to = sum + w * stride;
        if (exceeds(*to, MAX_SUM))
            return false;
        *to += digit[w];
        if (exceeds(*to, sums->large))
            sums->is_large = true;
    }
    return true;
}

void scree_sums_look(scree_sums *sums, const scree_sum_line *line)
{
    uint64_t bits = 0;

    /* no size exceeds the bits of all of them together */
    for (int k = 0; k < 3; k++)
        bits |= (uint64_t)(line->force[k] < 0 ? ~line->force[k] : line->force[k]) |
                (uint64_t)(line->torque[k] < 0 ? ~line->torque[k] : line->torque[k]);
    if (bits < (uint64_t)sums->large - 1)
        return;
    for (int k = 0; k < 3; k++) {
        if (exceeds(line->force[k], sums->large) || exceeds(line->torque[k], sums->large))
            sums->is_large = true;
        if (exceeds(line->force[k], MAX_SUM) || exceeds(line->torque[k], MAX_SUM))
            sums->is_over = true;
    }
}

static bool add_fast(scree_sums *sums, scree_sum_line *line, const scree_quantum *quantum,
                     const double force[3], const double torque[3])
{
    scree_sum_way force_way =
        scree_sum_way_of(scree_sum_magic(quantum->force), scree_sum_magic(sums->unit.force));
    scree_sum_way torque_way =
        scree_sum_way_of(scree_sum_magic(quantum->torque), scree_sum_magic(sums->unit.torque));
    int64_t count[6];

    for (int k = 0; k < 3; k++) {
        count[k] = scree_sum_count(&force_way, force[k]);
        count[3 + k] = scree_sum_count(&torque_way, torque[k]);
    }
    if (!scree_sum_fits(&force_way) || !scree_sum_fits(&torque_way))
        return false;
    for (int k = 0; k < 3; k++) {
        line->force[k] += count[k];
        line->torque[k] += count[3 + k];
    }
    scree_sums_look(sums, line);
    return true;
}

void scree_sums_add(scree_sums *sums, uint32_t worker, uint32_t slot, const scree_quantum *quantum,
                    const double force[3], const double torque[3])
{
    scree_sum_line *line = scree_sums_of(sums, worker) + (size_t)slot * sums->words;
    uint8_t *touched = scree_sums_touched_by(sums, worker);
    double probe = 0;
    bool fits = true;

    if (touched)
        scree_sums_touch(touched, slot);
    if (sums->words == 1 && add_fast(sums, line, quantum, force, torque))
        return;
    for (int k = 0; k < 3; k++)
        probe += 0 * force[k] + 0 * torque[k];
    if (probe != 0) {
        sums->is_unsound = true;
        return;
    }
    for (int k = 0; k < 3; k++) {
        fits &= add_number(sums, line->force + k, force[k], quantum->force, sums->unit.force);
        fits &= add_number(sums, line->torque + k, torque[k], quantum->torque, sums->unit.torque);
    }
    if (!fits)
        sums->is_over = true;
}

/* ---- conversion to doubles ---- */

static int bits_of(uint64_t x)
{
    int bits = 0;

    for (; x; x >>= 1)
        bits++;
    return bits;
}

/*  Rounds carried digits: all are from 0 to 2^36, except the top one, which is not negative. Keeps the first 62 bits
    and sets the last of them if any lower bit is set, so that the result is rounded like the exact value. */
static double round_digits(const int64_t *digit, uint32_t words, double unit)
{
    uint32_t w = words - 1;
    uint64_t head, left = 0;
    int place, room;

    while (w > 0 && digit[w] == 0)
        w--;
    head = (uint64_t)digit[w];
    place = SCREE_SUM_DIGIT * (int)w;
    room = 62 - bits_of(head);
    while (w > 0) {
        uint64_t next = (uint64_t)digit[--w];
        int take = room < SCREE_SUM_DIGIT ? room : SCREE_SUM_DIGIT;
        take = take > 0 ? take : 0;
        head = head << take | next >> (SCREE_SUM_DIGIT - take);
        left |= next & (((uint64_t)1 << (SCREE_SUM_DIGIT - take)) - 1);
        place -= take;
        room -= take;
    }
    head |= left != 0;
    return ldexp((double)head, place) * unit;
}

static double value_of(int64_t *digit, uint32_t words, double unit)
{
    bool is_negative;

    if (words <= 1)
        return (double)digit[0] * unit;
    for (int turn = 0; turn < 2; turn++) {
        for (uint32_t w = 0; w + 1 < words; w++) {
            int64_t rest = digit[w] & (DIGIT - 1);
            /* division is exact, rounded down; shifting a negative number is implementation-defined */
            digit[w + 1] += (digit[w] - rest) / DIGIT;
            digit[w] = rest;
        }
        is_negative = turn == 1;
        if (digit[words - 1] >= 0)
            break;
        for (uint32_t w = 0; w < words; w++)
            digit[w] = -digit[w];
    }
    double value = round_digits(digit, words, unit);
    return is_negative ? -value : value;
}

/*  Adds one sum over all workers. Upper and lower halves are added separately, so that neither overflows. */
static bool join(const scree_sums *sums, const int64_t *first, int64_t *total)
{
    const size_t stride = sums->stride * (sizeof(scree_sum_line) / sizeof(int64_t));
    const int64_t half = (int64_t)1 << 32;
    int64_t upper = 0, lower = 0;

    for (uint32_t worker = 0; worker < sums->workers; worker++) {
        int64_t part = first[worker * stride], rest = part & (half - 1);
        upper += (part - rest) / half;
        lower += rest;
    }
    /* far below the limit: then the sum is, too */
    if (exceeds(upper, MAX_TOTAL / half))
        return false;
    *total = upper * half + lower;
    return true;
}

bool scree_sums_read(const scree_sums *sums, uint32_t slot, double force[3], double torque[3])
{
    const scree_sum_line *line = sums->line + (size_t)slot * sums->words;
    int64_t digit[2][SCREE_SUM_WORDS] = {{0}};
    bool fits = true;

    for (int k = 0; k < 3; k++) {
        for (uint32_t w = 0; w < sums->words; w++)
            fits = fits && join(sums, line[w].force + k, &digit[0][w]) &&
                   join(sums, line[w].torque + k, &digit[1][w]);
        if (!fits)
            return false;
        force[k] = value_of(digit[0], sums->words, sums->unit.force);
        torque[k] = value_of(digit[1], sums->words, sums->unit.torque);
    }
    return true;
}

void scree_sums_forget_touched(scree_sums *sums, uint32_t begin, uint32_t end)
{
    const size_t first = begin / SCREE_SUM_GROUP;
    const size_t count = scree_block_count(end - begin, SCREE_SUM_GROUP);

    for (uint32_t worker = 0; sums->touched && worker < sums->workers; worker++)
        memset(sums->touched + worker * sums->groups + first, 0, count);
}

void scree_sums_clear(scree_sums *sums, uint32_t slot)
{
    for (uint32_t worker = 0; worker < sums->workers; worker++)
        memset(scree_sums_of(sums, worker) + (size_t)slot * sums->words, 0,
               sums->words * sizeof *sums->line);
}
