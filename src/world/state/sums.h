/*  Exact sums of forces and torques. Their order makes no difference: the result does not depend on which contact or
    which thread adds first.

    Each contribution is rounded once to a whole number of quanta, and whole numbers are added. The quantum is a
    power of two that follows from the two bodies of a contact (scree_quantum_of), so action and reaction cancel to
    the last bit. Forces between bodies add up to exactly 0, and other bodies in the world have no effect on the
    result.

    Error: a contribution f becomes n q with n = round(f / q), ties to even, so |n q - f| <= q / 2. The sum is exact.
    Converting it to a double rounds once more, by at most 2^-53 of the sum. Since q is at most 2^-40 of the weight
    of the lighter body, the total of 2,000 contacts has an error of less than 1e-9 of the weight of the lightest
    body, whatever the sizes of the bodies and the stiffness of the contacts.

    Range: n has no bound that is known in advance, so sums are as wide as needed. All use one unit, which is no
    larger than the quantum of any contact of the world. One word of 64 bits holds forces up to 2^60 units, which is
    2^18 times the lightest weight. If that is not enough, each body gets several words, digits of 36 bits. The sum
    is the same double in both cases. The range is checked during addition: a contribution that does not fit sets
    `is_over` and is not added, and then all are added again with more words. So neither the unit nor the number of
    words is part of a world's state. */
#ifndef SCREE_WORLD_SUMS_H
#define SCREE_WORLD_SUMS_H

#include "base/memory.h"

#include <string.h>

/*  Powers of two, in N and N m. */
typedef struct scree_quantum
{
    double force, torque;
} scree_quantum;

/*  What all quanta of a world have in common. The quantum of a force is `force` times the power of two below the
    effective mass of the contact, m1 m2 / (m1 + m2), and without gravity also times the power of two below its
    effective radius, r1 r2 / (r1 + r2). That of a torque is the quantum of the force times the power of two below
    the effective radius. */
typedef struct scree_quantum_rule
{
    double force; /* a power of two */
    bool has_weight;
} scree_quantum_rule;

/*  One word of the six sums of a body, in two rows of four. */
typedef struct scree_sum_line
{
    _Alignas(64) int64_t force[4];
    int64_t torque[4];
} scree_sum_line;

_Static_assert(sizeof(scree_sum_line) == 64, "a sum is one line of the cache");

/*  Bits of a digit, and the largest number of digits. */
#define SCREE_SUM_DIGIT 36
#define SCREE_SUM_WORDS 12u
/*  Bodies that are neighbours in memory are mostly updated by the same worker. `touched` records for groups of this
    many bodies which workers added to them. */
#define SCREE_SUM_GROUP 64u
/*  Word w of the body in slot s, as added by worker k, is line[k * stride + s * words + w]. */
typedef struct scree_sums
{
    scree_quantum unit;
    uint32_t words, workers;
    size_t stride, bodies;
    scree_sum_line *line;
    size_t capacity;
    uint8_t *touched; /* [k * groups + g]: worker k may have added to group g; NULL: one worker */
    size_t groups, touched_capacity;
    scree_quantum_rule rule; /* of the contacts that are being added */
    int64_t large;           /* a sum of one worker up to this needs no check at the end */
    bool is_clean;           /* all lines are 0 */
    _Atomic bool
        is_large; /* a sum may not fit although all contributions did: scree_sums_read checks */
    _Atomic bool is_over;    /* a contribution or a sum did not fit */
    _Atomic bool is_unsound; /* a contribution was not finite */
} scree_sums;

/*  For the largest component of gravity and a step of `dt`; dt = 0: forces at an instant, without a step. */
scree_quantum_rule scree_quantum_rule_of(double gravity, double dt);
scree_quantum scree_quantum_of(const scree_quantum_rule *rule, double mass, double radius);
/*  A quantum that divides those of all contacts of bodies with at least this mass and radius. */
scree_quantum scree_quantum_least(const scree_quantum_rule *rule, double mass, double radius);

void scree_sums_free(scree_sums *sums, scree_memory *memory);
/*  Reserves room for bodies and workers. All sums are 0 afterwards, and the flags are clear. SCREE_OUT_OF_MEMORY. A
    reader that leaves all lines 0 sets `is_clean`; otherwise they are cleared here. */
scree_status scree_sums_begin(scree_sums *sums, scree_memory *memory, const scree_quantum *unit,
                              uint32_t words, uint32_t workers, size_t bodies);
/*  Adds to the sums of one worker for a body, in whole quanta, with range checks. */
void scree_sums_add(scree_sums *sums, uint32_t worker, uint32_t slot, const scree_quantum *quantum,
                    const double force[3], const double torque[3]);
/*  Whether the values would fit into the largest number of words. Implies that they are finite. */
bool scree_sums_may_hold(const scree_sums *sums, const double force[3], const double torque[3]);
/*  The total of all workers, rounded once. False if it does not fit. */
bool scree_sums_read(const scree_sums *sums, uint32_t slot, double force[3], double torque[3]);

/*  Clears all words of a body, of all workers. */
void scree_sums_clear(scree_sums *sums, uint32_t slot);

/*  The sums of bodies begin .. end - 1, whole groups, have been read and cleared: marks the groups as untouched. */
void scree_sums_forget_touched(scree_sums *sums, uint32_t begin, uint32_t end);

/*  Call after adding to a line: sets `is_large` if a sum of the line may not fit in the end. */
void scree_sums_look(scree_sums *sums, const scree_sum_line *line);

/* ---- the fast way, also used by kernels ---- */

/*  Doubles between 2^52 and 2^53 quanta are one quantum apart. So adding a number to this one, in the middle of that
    range, rounds it to whole quanta. The bits of the sum, read as an integer, give the number of quanta. */
static inline double scree_sum_magic(double quantum)
{
    return 0x1.8p52 * quantum;
}

/*  Sign and exponent: equal for magic and magic + x if x is small. And the exponent alone. */
#define SCREE_TOP_OF_NUMBER ((uint64_t)0xfff << 52)
#define SCREE_EXPONENT ((uint64_t)0x7ff << 52)
/*  Largest shift from quanta to units; the largest contribution in units; and the size from which scree_sums_look
    must be called. */
#define SCREE_SUM_SHIFT 12
#define SCREE_SUM_PART ((uint64_t)1 << 57)
/*  With this shift 2^51 quanta are at most 2^57 units. The total of that many contacts is below 2^62, so it fits on
    top of any sum that needs no call of scree_sums_look. */
#define SCREE_SUM_FEW_SHIFT 6
#define SCREE_FEW_CONTACTS 32u
#define SCREE_SUM_SEEN ((uint64_t)1 << 55)

/*  How values of one kind are converted to units, with the magic numbers of quantum and unit. Bits of all values are
    combined with OR, so that one test at the end is enough. */
typedef struct scree_sum_way
{
    double magic;
    uint64_t bits;  /* the bits of `magic` */
    uint64_t shift; /* quanta >> shift are units */
    uint64_t differ, large;
} scree_sum_way;

static inline scree_sum_way scree_sum_way_of(double magic, double unit)
{
    scree_sum_way way = {.magic = magic};
    uint64_t least;

    memcpy(&way.bits, &magic, sizeof magic);
    memcpy(&least, &unit, sizeof unit);
    way.shift = (way.bits - least) >> 52;
    way.differ = way.shift > SCREE_SUM_SHIFT ? SCREE_TOP_OF_NUMBER : 0;
    return way;
}

/*  The units in x, if it fits. */
static inline int64_t scree_sum_count(scree_sum_way *way, double x)
{
    double sum = way->magic + x;
    uint64_t bits, count;

    memcpy(&bits, &sum, sizeof bits);
    count = (bits - way->bits) << (way->shift & 63);
    way->differ |= bits ^ way->bits;
    way->large |= count + SCREE_SUM_PART;
    return (int64_t)count;
}

/*  Whether all values fit: none was as large as 2^51 quanta or 2^57 units, none was NaN, and the unit is not too far
    below the quantum. */
static inline bool scree_sum_fits(const scree_sum_way *way)
{
    return (way->differ & SCREE_TOP_OF_NUMBER) == 0 && way->large < 2 * SCREE_SUM_PART;
}

static inline scree_sum_line *scree_sums_of(const scree_sums *sums, uint32_t worker)
{
    return sums->line + worker * sums->stride;
}

/*  Must be called before worker `worker` adds to the sum of a body; `touched` is that worker's row. */
static inline void scree_sums_touch(uint8_t *touched, uint32_t slot)
{
    touched[slot / SCREE_SUM_GROUP] = 1;
}
static inline uint8_t *scree_sums_touched_by(const scree_sums *sums, uint32_t worker)
{
    return sums->touched ? sums->touched + worker * sums->groups : NULL;
}

#endif
