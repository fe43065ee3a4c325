/*  Sums of forces and torques that are exact, so that their order makes no difference: which contact is added first, by
    which thread, beside which others, cannot be seen in a result.

    A contribution is rounded once to a whole number of quanta, and whole numbers are added. The quantum is a power of two
    that follows from the two bodies of a contact (scree_quantum_of), so what one gets and the other gives cancel to the
    last bit: forces of contacts between bodies add up to exactly 0, and who else there is in a world makes no difference.

    The error. A contribution f becomes n q with n = round(f / q), ties to even, so |n q - f| <= q / 2; the sum is exact; as a
    double it is rounded once more, by at most 2^-53 of itself. With q at most 2^-40 of the weight of the lighter of the two,
    what 2,000 contacts exert together errs by less than 1e-9 of the weight of the lightest, be the body a grain of dust or
    a boulder, and the contacts as stiff as they may.

    The range. n has no bound that could be known beforehand, so sums are as wide as they must be. All are kept in one unit, a
    quantum that no contact of the world has a finer one than. One word of 64 bits takes forces of up to 2^60 units, 2^18
    times the lightest weight. Where that is not enough a body has several words, digits of 36 bits; a sum is the same
    double either way. Who adds checks the range: a contribution that does not fit is noted in `is_over` and not added, and
    then all are to be added anew with more words. So neither unit nor words are part of a world's state. */
#ifndef SCREE_WORLD_SUMS_H
#define SCREE_WORLD_SUMS_H

#include "base/memory.h"

#include <string.h>

/*  Powers of two: N, and N m. */
typedef struct scree_quantum
{
    double force, torque;
} scree_quantum;

/*  What the quanta of a world have in common. The force's is `force` times the power of two below the mass of the contact,
    m1 m2 / (m1 + m2), and without weight that below its radius, r1 r2 / (r1 + r2), too; the torque's is as much more as
    that of the radius. */
typedef struct scree_quantum_rule
{
    double force; /* a power of two */
    bool has_weight;
} scree_quantum_rule;

/*  One word of the six sums of a body; each has a row of four. */
typedef struct scree_sum_line
{
    _Alignas(64) int64_t force[4];
    int64_t torque[4];
} scree_sum_line;

_Static_assert(sizeof(scree_sum_line) == 64, "a sum is one line of the cache");

/*  Bits of a digit, and the most digits. */
#define SCREE_SUM_DIGIT 36
#define SCREE_SUM_WORDS 12u
/*  Neighbours in memory are mostly added to by one worker: of so many bodies at a time it is known who did. */
#define SCREE_SUM_GROUP 64u
/*  Word w of the body in slot s, as worker k adds to it, is line[k * stride + s * words + w]. */
typedef struct scree_sums
{
    scree_quantum unit;
    uint32_t words, workers;
    size_t stride, bodies;
    scree_sum_line *line;
    size_t capacity;
    uint8_t *
        touched; /* of worker k and group g, touched[k * groups + g]: 1: it may have added to some; NULL: of one worker */
    size_t groups, touched_capacity;
    scree_quantum_rule rule; /* of the contacts that are added */
    int64_t large; /* what a sum of one worker may come to without being looked at in the end */
    bool is_clean; /* all lines are 0 */
    _Atomic bool
        is_large; /* some sum may not fit, though all contributions did: scree_sums_read knows */
    _Atomic bool is_over;    /* some contribution, or some sum, did not fit */
    _Atomic bool is_unsound; /* some contribution was not finite */
} scree_sums;

/*  For the greatest component of gravity, and a step of `dt`; 0: forces are asked for at an instant. */
scree_quantum_rule scree_quantum_rule_of(double gravity, double dt);
scree_quantum scree_quantum_of(const scree_quantum_rule *rule, double mass, double radius);
/*  One that divides those of all contacts of bodies that are not lighter and not smaller. */
scree_quantum scree_quantum_least(const scree_quantum_rule *rule, double mass, double radius);

void scree_sums_free(scree_sums *sums, scree_memory *memory);
/*  Room for so many bodies and workers; all sums are 0, and none is over. SCREE_OUT_OF_MEMORY. Who reads them leaves lines of 0
    behind and says so in `is_clean`; else that is done here. */
scree_status scree_sums_begin(scree_sums *sums, scree_memory *memory, const scree_quantum *unit,
                              uint32_t words, uint32_t workers, size_t bodies);
/*  Adds, in whole quanta, to what worker `worker` has for a body; checked. */
void scree_sums_add(scree_sums *sums, uint32_t worker, uint32_t slot, const scree_quantum *quantum,
                    const double force[3], const double torque[3]);
/*  Whether this could be added if there were as many words as there may be; so it is finite. */
bool scree_sums_may_hold(const scree_sums *sums, const double force[3], const double torque[3]);
/*  What all workers have added, rounded once. False where it does not fit. */
bool scree_sums_read(const scree_sums *sums, uint32_t slot, double force[3], double torque[3]);

/*  All words of a body, of all workers, are 0 again. */
void scree_sums_clear(scree_sums *sums, uint32_t slot);

/*  Sums of the bodies begin .. end - 1, whole groups, have been taken: nobody has added to them. */
void scree_sums_forget_touched(scree_sums *sums, uint32_t begin, uint32_t end);

/*  After an addition: notes it where some sum of a line may not fit in the end. */
void scree_sums_look(scree_sums *sums, const scree_sum_line *line);

/* ---- the fast way, of kernels as well ---- */

/*  Between 2^52 and 2^53 quanta doubles lie a quantum apart. So a number that is added to this one, in their middle, is rounded
    to whole quanta, and the bits of the sum, read as an integer, say how many there are. */
static inline double scree_sum_magic(double quantum)
{
    return 0x1.8p52 * quantum;
}

/*  Sign and exponent, which magic + x has in common with magic if x is small; and the exponent alone. */
#define SCREE_TOP_OF_NUMBER ((uint64_t)0xfff << 52)
#define SCREE_EXPONENT ((uint64_t)0x7ff << 52)
/*  From quanta to units, at most; of units, so many at once; and a sum that scree_sums_look is to see. */
#define SCREE_SUM_SHIFT 12
#define SCREE_SUM_PART ((uint64_t)1 << 57)
/*  2^51 quanta are as many units, at most. What is added by so many contacts is below 2^62 then, and can be added to any sum
    that was not to be seen. */
#define SCREE_SUM_FEW_SHIFT 6
#define SCREE_FEW_CONTACTS 32u
#define SCREE_SUM_SEEN ((uint64_t)1 << 55)

/*  How numbers of one kind become units: by magic numbers of their quantum and of the unit. Bits of what is counted are put
    together, for one look at all of them in the end. */
typedef struct scree_sum_way
{
    double magic;
    uint64_t bits, shift; /* of magic; from quanta to units */
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

/*  Whether all numbers did: none was as large as 2^51 quanta or 2^57 units, none was no number, and the unit is not too far below the
    quantum. */
static inline bool scree_sum_fits(const scree_sum_way *way)
{
    return (way->differ & SCREE_TOP_OF_NUMBER) == 0 && way->large < 2 * SCREE_SUM_PART;
}

static inline scree_sum_line *scree_sums_of(const scree_sums *sums, uint32_t worker)
{
    return sums->line + worker * sums->stride;
}

/*  Before worker `worker` adds to the sum of a body; `touched` is what follows. */
static inline void scree_sums_touch(uint8_t *touched, uint32_t slot)
{
    touched[slot / SCREE_SUM_GROUP] = 1;
}
static inline uint8_t *scree_sums_touched_by(const scree_sums *sums, uint32_t worker)
{
    return sums->touched ? sums->touched + worker * sums->groups : NULL;
}

#endif
