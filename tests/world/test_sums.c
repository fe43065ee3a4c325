/*  Exact sums: that whole numbers are what is added, that order, threads, words and vectors make no difference, how large the
    error is, and that what does not fit is never added in silence. */
#include "base/exact_sum.h"
#include "base/random.h"
#include "scree/law.h"
#include "test.h"
#include "world/forces/push_kernels.h"
#include "world/state/sums.h"

#include <math.h>

#define BODIES 9

static scree_memory memory;

/*  Quanta of contacts are the unit, or some times as large. */
static scree_quantum quantum_of(double unit, uint32_t power)
{
    return (scree_quantum){ldexp(unit, (int)power), ldexp(unit / 8, (int)power)};
}

static void begin(scree_sums *sums, double unit, uint32_t words, uint32_t workers)
{
    const scree_quantum both = {unit, unit / 8};
    CHECK_EQUAL(scree_sums_begin(sums, &memory, &both, words, workers, BODIES), SCREE_OK);
}

/*  A number of any size up to 2^`top` quanta. */
static double some_number(scree_random *random, double quantum, int top)
{
    int exponent = (int)scree_random_below(random, (uint32_t)top + 12) - 12;
    return ldexp(scree_random_range(random, -1, 1), exponent) * quantum;
}

/*  The slow, obvious way. What has 52 digits above the quantum has at most one below it, and keeps it. */
static double rounded(double x, double quantum)
{
    return fabs(x) < 0x1p51 * quantum ? rint(x / quantum) * quantum : x;
}

static bool are_same(const double a[3], const double b[3])
{
    return memcmp(a, b, 3 * sizeof *a) == 0;
}

/* ---- one contribution ---- */

TEST(a_contribution_is_a_whole_number_of_quanta)
{
    scree_random random = scree_random_stream(1, 0);
    scree_sums sums = {0};

    for (uint32_t words = 1; words <= SCREE_SUM_WORDS; words++)
        for (int n = 0; n < TEST_EFFORT(3000, 60000); n++) {
            double unit = ldexp(1, (int)scree_random_below(&random, 200) - 100);
            const scree_quantum quantum = quantum_of(unit, 1 + scree_random_below(&random, 16));
            double given[2][3], got[2][3];
            int top = words == 1 ? 60 : 36 * (int)(words - 1) + 50;
            begin(&sums, unit, words, 1);
            for (int k = 0; k < 3; k++) {
                given[0][k] = some_number(&random, unit, top);
                given[1][k] = some_number(&random, unit / 8, top);
                /* ties, too */
                if (n % 7 == 0)
                    given[0][k] = (floor(given[0][k] / quantum.force) + 0.5) * quantum.force;
            }
            scree_sums_add(&sums, 0, 4, &quantum, given[0], given[1]);
            CHECK(!sums.is_over && !sums.is_unsound);
            CHECK(scree_sums_read(&sums, 4, got[0], got[1]));
            for (int k = 0; k < 3; k++) {
                CHECK(got[0][k] == rounded(given[0][k], quantum.force));
                CHECK(got[1][k] == rounded(given[1][k], quantum.torque));
            }
        }
    scree_sums_free(&sums, &memory);
}

/* ---- sums ---- */

typedef struct parts
{
    uint32_t count, power[200]; /* of quanta over the unit */
    double force[200][3], torque[200][3];
} parts;

static void make_parts(scree_random *random, parts *p, double quantum, int top)
{
    p->count = 1 + (uint32_t)scree_random_below(random, 200);
    for (uint32_t n = 0; n < p->count; n++) {
        p->power[n] = 1 + scree_random_below(random, 14);
        for (int k = 0; k < 3; k++) {
            p->force[n][k] = some_number(random, quantum, top);
            p->torque[n][k] = some_number(random, quantum / 8, top);
        }
    }
    /* what nearly cancels is where order would be seen */
    for (uint32_t n = 1; n < p->count; n += 2)
        for (int k = 0; k < 3; k++)
            p->force[n][k] = -p->force[n - 1][k] * (1 + 1e-9 * scree_random_range(random, -1, 1));
}

static void shuffle(scree_random *random, parts *p)
{
    for (uint32_t n = p->count; n > 1; n--) {
        uint32_t other = (uint32_t)scree_random_below(random, n), power = p->power[n - 1];
        p->power[n - 1] = p->power[other];
        p->power[other] = power;
        for (int k = 0; k < 3; k++) {
            double f = p->force[n - 1][k], t = p->torque[n - 1][k];
            p->force[n - 1][k] = p->force[other][k];
            p->torque[n - 1][k] = p->torque[other][k];
            p->force[other][k] = f;
            p->torque[other][k] = t;
        }
    }
}

/*  False where it was too much for so many words. */
static bool sum_parts(scree_random *random, const parts *p, double quantum, uint32_t words,
                      uint32_t workers, double force[3], double torque[3])
{
    scree_sums sums = {0};
    bool fits;

    begin(&sums, quantum, words, workers);
    for (uint32_t n = 0; n < p->count; n++) {
        const scree_quantum of_contact = quantum_of(quantum, p->power[n]);
        scree_sums_add(&sums, (uint32_t)scree_random_below(random, workers), 2, &of_contact,
                       p->force[n], p->torque[n]);
    }
    fits = scree_sums_read(&sums, 2, force, torque) && !sums.is_over;
    scree_sums_free(&sums, &memory);
    return fits;
}

/*  The sum of the rounded parts, all digits of it, is what `value` is the nearest double to. */
static void check_nearest(const parts *p, int axis, double quantum, double value)
{
    scree_exact_sum exact;

    scree_exact_clear(&exact);
    for (uint32_t n = 0; n < p->count; n++)
        scree_exact_add(&exact, rounded(p->force[n][axis], ldexp(quantum, (int)p->power[n])));
    scree_exact_add(&exact, -value);
    double away = fabs(scree_exact_value(&exact));
    CHECK(away <= 0.5 * (nextafter(fabs(value), INFINITY) - fabs(value)));
}

TEST(neither_order_nor_workers_nor_words_can_be_seen)
{
    scree_random random = scree_random_stream(2, 0);

    for (int scene = 0; scene < TEST_EFFORT(300, 6000); scene++) {
        double quantum = ldexp(1, (int)scree_random_below(&random, 60) - 40);
        uint32_t least = 1 + (uint32_t)scree_random_below(&random, 4), sums = 0;
        double first[2][3];
        parts p;
        make_parts(&random, &p, quantum, least == 1 ? 56 : 36 * (int)(least - 1) + 44);
        for (uint32_t words = 1; words <= SCREE_SUM_WORDS; words++)
            for (uint32_t workers = 1; workers <= 5; workers += 2) {
                double force[3], torque[3];
                shuffle(&random, &p);
                if (!sum_parts(&random, &p, quantum, words, workers, force, torque)) {
                    CHECK(words < least);
                    continue;
                }
                if (sums++ == 0) {
                    memcpy(first[0], force, sizeof force);
                    memcpy(first[1], torque, sizeof torque);
                }
                CHECK(are_same(force, first[0]) && are_same(torque, first[1]));
            }
        CHECK(sums >= 3 * (SCREE_SUM_WORDS + 1 - least));
        for (int k = 0; k < 3; k++)
            check_nearest(&p, k, quantum, first[0][k]);
    }
}

/*  Of a body that is pressed by others, as light as it is: what all of them together err by is below 1e-9 of its weight, whatever
    bodies are made of and however much larger others are. */
TEST(the_error_is_below_a_billionth_of_the_weight)
{
    scree_random random = scree_random_stream(3, 0);
    uint32_t max_words = 0;
    double worst = 0;

    for (double young = 1e5; young < 2e12; young *= 10)
        for (double ratio = 1; ratio < 2e6; ratio *= 10)
            for (double small = 1e-6; small < 2; small *= 10) {
                double large = small * ratio, mass = 2500 * 4.19 * large * large * large;
                double least = 2500 * 4.19 * small * small * small;
                double dt = small * sqrt(2500 / young);
                const scree_quantum_rule rule = scree_quantum_rule_of(9.81, dt);
                const scree_quantum unit = scree_quantum_least(&rule, least, small);
                const scree_quantum quantum = scree_quantum_of(&rule, mass / 2, large / 2);
                double press = young * large * large * scree_random_range(&random, 1e-9, 0.5);
                double force[3], torque[3];
                uint32_t words = 1;
                parts p;
                p.count = 34;
                for (uint32_t n = 0; n < p.count; n++) {
                    CHECK(quantum.force >= unit.force && quantum.torque >= unit.torque);
                    p.power[n] = (uint32_t)ilogb(quantum.force / unit.force);
                    for (int k = 0; k < 3; k++) {
                        p.force[n][k] = press * scree_random_range(&random, -1, 1);
                        p.torque[n][k] = p.force[n][k] * small;
                    }
                }
                while (!sum_parts(&random, &p, unit.force, words, 1, force, torque))
                    CHECK(++words <= SCREE_SUM_WORDS);
                max_words = words > max_words ? words : max_words;
                for (int k = 0; k < 3; k++) {
                    scree_exact_sum exact;
                    scree_exact_clear(&exact);
                    for (uint32_t n = 0; n < p.count; n++)
                        scree_exact_add(&exact, p.force[n][k]);
                    scree_exact_add(&exact, -force[k]);
                    double share = (fabs(scree_exact_value(&exact)) - 0x1p-53 * fabs(force[k])) /
                                   (mass * 9.81);
                    worst = share > worst ? share : worst;
                    CHECK(share < 1e-9);
                }
            }
    CHECK(max_words > 1);
    FIGURE("%.2g of the weight, with up to %u words", worst, (unsigned)max_words);
}

TEST(without_weight_the_quantum_goes_by_the_step)
{
    /* of the radius that a quantum moves the body by, in a step */
    for (double dt = 1e-9; dt < 1e3; dt *= 10)
        for (double radius = 1e-6; radius < 1e6; radius *= 10) {
            const scree_quantum_rule rule = scree_quantum_rule_of(0, dt);
            scree_quantum q = scree_quantum_of(&rule, 3e-4, radius);
            double share = q.force / 3e-4 * dt * dt / radius;
            CHECK(share <= 0x1p-68 && share > 0x1p-71);
            CHECK(q.torque <= q.force * radius && q.torque > q.force * radius / 2);
        }
    /* numbers that are none of a world make no quantum that is none */
    const scree_quantum_rule rules[] = {scree_quantum_rule_of(0, 0),
                                        scree_quantum_rule_of(1e300, 0),
                                        scree_quantum_rule_of(1e-300, 1e-300)};
    for (int k = 0; k < 3; k++) {
        const scree_quantum least = scree_quantum_least(&rules[k], 1e-300, 1e-100);
        CHECK(least.force > 0 && least.torque > 0);
        CHECK(scree_quantum_least(&rules[k], 1e100, 1e100).torque < INFINITY);
    }
}

/* ---- what does not fit ---- */

TEST(what_is_too_large_is_noted)
{
    const double none[3] = {0};
    const scree_quantum one = quantum_of(1, 0);
    scree_sums sums = {0};

    for (uint32_t words = 1; words <= SCREE_SUM_WORDS; words++) {
        double most = words == 1 ? 0x1p60 : ldexp(1, 36 * (int)(words - 1) + 50);
        for (int k = 0; k < 6; k++) {
            double push[6] = {0}, force[3], torque[3];
            push[k] = k < 3 ? -most : most / 8;
            begin(&sums, 1, words, 1);
            scree_sums_add(&sums, 0, 3, &one, push, push + 3);
            CHECK(sums.is_over && !sums.is_unsound);
            push[k] = nextafter(push[k], 0);
            begin(&sums, 1, words, 1);
            CHECK(!sums.is_over);
            scree_sums_add(&sums, 0, 3, &one, push, push + 3);
            CHECK(!sums.is_over && scree_sums_read(&sums, 3, force, torque));
            /* and a sum of many of which each fits */
            for (int n = 0; n < 3000 && !sums.is_over; n++)
                scree_sums_add(&sums, 0, 3, &one, push, push + 3);
            CHECK(sums.is_over);
        }
    }
    /* each worker's fits, but not all together */
    begin(&sums, 1, 1, 8);
    for (uint32_t w = 0; w < 8; w++)
        for (int n = 0; n < 2; n++)
            scree_sums_add(&sums, w, 0, &one, (double[]){0x1p59, 0, 0}, none);
    CHECK(!sums.is_over);
    double force[3], torque[3];
    CHECK(!scree_sums_read(&sums, 0, force, torque));
    scree_sums_free(&sums, &memory);
}

TEST(what_is_no_number_is_noted)
{
    const double bad[] = {NAN, INFINITY, -INFINITY};
    const scree_quantum one = quantum_of(1, 0);
    scree_sums sums = {0};

    for (int k = 0; k < 18; k++) {
        double push[6] = {1, 2, 3, 4, 5, 6}, force[3], torque[3];
        push[k % 6] = bad[k / 6];
        begin(&sums, 1, 1, 1);
        scree_sums_add(&sums, 0, 3, &one, push, push + 3);
        CHECK(sums.is_unsound && !sums.is_over);
        CHECK(scree_sums_read(&sums, 3, force, torque) && force[0] == 0 && torque[2] == 0);
    }
    scree_sums_free(&sums, &memory);
}

/* ---- kernels ---- */

typedef struct contacts
{
    _Alignas(64) double number[16][SCREE_BATCH];
    uint32_t slot[2][SCREE_BATCH];
    scree_pushes pushes;
} contacts;

/*  Numbers of up to 2^`top` quanta; the same bodies come again and again. */
static void make_contacts(scree_random *random, contacts *c, double quantum, int top,
                          bool has_moment)
{
    scree_pushes *p = &c->pushes;

    *p = (scree_pushes){.first = c->slot[0], .second = c->slot[1]};
    p->count = 1 + (uint32_t)scree_random_below(random, SCREE_BATCH);
    for (uint32_t k = 0; k < SCREE_BATCH; k++) {
        c->slot[0][k] = (uint32_t)scree_random_below(random, BODIES);
        c->slot[1][k] =
            (c->slot[0][k] + 1 + (uint32_t)scree_random_below(random, BODIES - 1)) % BODIES;
        for (int a = 0; a < 3; a++) {
            c->number[a][k] = some_number(random, quantum, top);
            c->number[3 + a][k] = scree_random_range(random, -1, 1);
            c->number[8 + a][k] = some_number(random, quantum / 16, top);
        }
        c->number[6][k] = scree_random_range(random, 0, 0.05);
        c->number[7][k] = scree_random_range(random, 0, 0.05);
        /* masses and radii that make quanta of 1 to 2^14 units */
        c->number[14][k] = scree_random_range(random, 1, 1 << scree_random_below(random, 12));
        c->number[15][k] = scree_random_range(random, 1, 4);
    }
    for (int a = 0; a < 3; a++) {
        p->force[a] = c->number[a];
        p->normal[a] = c->number[3 + a];
        p->moment[a] = has_moment ? c->number[8 + a] : NULL;
    }
    p->mass = c->number[14];
    p->radius = c->number[15];
    p->rule = (scree_quantum_rule){quantum, scree_random_below(random, 2) == 1};
    p->arm[0] = c->number[6];
    p->arm[1] = c->number[7];
}

/*  Whether sums of these need no look. */
static bool are_few(const contacts *c)
{
    uint32_t many[BODIES] = {0}, most = 0;

    for (uint32_t k = 0; k < c->pushes.count; k++)
        for (int side = 0; side < 2; side++)
            if (++many[c->slot[side][k]] > most)
                most++;
    return most <= SCREE_FEW_CONTACTS;
}

/*  Contact by contact; those with walls have one side. */
static void push_slowly(scree_sums *sums, const scree_pushes *p)
{
    for (uint32_t k = 0; k < p->count; k++)
        for (int side = 0; side < (p->second ? 2 : 1); side++) {
            const scree_quantum quantum = scree_quantum_of(&p->rule, p->mass[k], p->radius[k]);
            double force[3], torque[3];
            for (int a = 0; a < 3; a++) {
                int b = (a + 1) % 3, c = (a + 2) % 3;
                double turn = p->normal[b][k] * p->force[c][k] - p->normal[c][k] * p->force[b][k];
                double moment = p->moment[0] ? p->moment[a][k] : 0;
                force[a] = side ? -p->force[a][k] : p->force[a][k];
                torque[a] = p->arm[side][k] * turn + (side ? -moment : moment);
            }
            scree_sums_add(sums, 0, side ? p->second[k] : p->first[k], &quantum, force, torque);
        }
}

static void check_push(scree_random *random, int level, const contacts *c, double quantum)
{
    scree_sums fast = {0}, slow = {0};
    int64_t total[3] = {0};

    for (uint32_t words = 1; words <= 2; words++) {
        begin(&fast, quantum, words, 3);
        begin(&slow, quantum, words, 3);
        scree_push_kernels[level](&fast, (uint32_t)scree_random_below(random, 3), &c->pushes);
        push_slowly(&slow, &c->pushes);
        CHECK(fast.is_over == slow.is_over && fast.is_unsound == slow.is_unsound);
        if (fast.is_over || fast.is_unsound)
            continue;
        for (uint32_t slot = 0; slot < BODIES; slot++) {
            double force[2][3], torque[2][3];
            bool fits = scree_sums_read(&fast, slot, force[0], torque[0]);
            CHECK(scree_sums_read(&slow, slot, force[1], torque[1]) == fits);
            CHECK(!fits || (are_same(force[0], force[1]) && are_same(torque[0], torque[1])));
        }
        /* what one gets the other gives */
        for (size_t n = 0; c->pushes.second && n < fast.stride * 3; n += words)
            for (int k = 0; k < 3; k++)
                for (uint32_t w = 0; w < words; w++)
                    total[k] += fast.line[n + w].force[k];
        CHECK(total[0] == 0 && total[1] == 0 && total[2] == 0);
    }
    scree_sums_free(&fast, &memory);
    scree_sums_free(&slow, &memory);
}

TEST(vectors_add_what_single_contacts_do)
{
    scree_random random = scree_random_stream(4, 0);
    static const int tops[] = {48, 54, 60, 62, 80};

    for (int level = 1; level <= (int)scree_simd_resolve(SCREE_SIMD_AUTO); level++)
        for (int scene = 0; scene < TEST_EFFORT(400, 6000); scene++) {
            double quantum = ldexp(1, (int)scree_random_below(&random, 60) - 40);
            contacts c;
            make_contacts(&random, &c, quantum, tops[scene % 5], scene % 2 == 0);
            if (scene % 3 == 0)
                c.pushes.second = NULL;
            if (scene % 16 == 3)
                c.number[scree_random_below(&random, 3)][scree_random_below(&random, 64)] = NAN;
            check_push(&random, level, &c, quantum);
            c.pushes.are_few = are_few(&c);
            check_push(&random, level, &c, quantum);
        }
}

/*  As many as are few, all upon one body and as large as can be counted: no sum goes round its end in silence. */
TEST(few_of_the_largest_fit)
{
    scree_random random = scree_random_stream(9, 0);
    size_t sound = 0;

    for (int level = 1; level <= (int)scree_simd_resolve(SCREE_SIMD_AUTO); level++)
        for (int power = 0; power < 13; power++) {
            scree_sums fast = {0}, slow = {0};
            double force[2][3], torque[2][3];
            contacts c;
            make_contacts(&random, &c, 1, 1, false);
            c.pushes.rule = (scree_quantum_rule){1, true};
            c.pushes.count = SCREE_FEW_CONTACTS;
            c.pushes.are_few = true;
            for (uint32_t k = 0; k < c.pushes.count; k++) {
                c.slot[0][k] = 0;
                c.slot[1][k] = 1;
                c.number[0][k] = ldexp(0x1p51 - 1, power);
                c.number[14][k] = ldexp(1, power);
            }
            begin(&fast, 1, 1, 1);
            begin(&slow, 1, 2, 1);
            scree_push_kernels[level](&fast, 0, &c.pushes);
            push_slowly(&slow, &c.pushes);
            CHECK(!slow.is_over && scree_sums_read(&slow, 0, force[1], torque[1]));
            if (!fast.is_over && scree_sums_read(&fast, 0, force[0], torque[0])) {
                CHECK(are_same(force[0], force[1]) && are_same(torque[0], torque[1]));
                sound++;
            }
            scree_sums_free(&fast, &memory);
            scree_sums_free(&slow, &memory);
        }
    CHECK(sound > 0);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_contribution_is_a_whole_number_of_quanta),
        CASE(neither_order_nor_workers_nor_words_can_be_seen),
        CASE(the_error_is_below_a_billionth_of_the_weight),
        CASE(without_weight_the_quantum_goes_by_the_step),
        CASE(what_is_too_large_is_noted),
        CASE(what_is_no_number_is_noted),
        CASE(vectors_add_what_single_contacts_do),
        CASE(few_of_the_largest_fit),
    };
    if (scree_memory_init(&memory, NULL))
        return 2;
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
