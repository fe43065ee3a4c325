/*  The judging half: what the thesis says, as conditions on the measured curves. Each claim prints
    its figures whether it passes or not, so that a reader can check the verdict, and names the rows
    of docs/checklist.md that it measures.

    Test 1 is the set test1, claims GC-H1 to GC-H7. Test 2, at size ratios 1 to 32, is the sets test2
    and even, claims GC-H8 and GC-H9. The thesis claims nothing of dess-rtree and rtree, which have
    their curves in all three: `scree-bench thesis --record` writes their exponents. */
#include "claims/thesis.h"

#include <math.h>
#include <string.h>

/*  "Below 12,000 objects" of GC-H3 and GC-H4. */
#define SMALL_SIZE 12000

typedef struct range
{
    double low, high;
} range;

const scree_thesis_series *scree_thesis_find(const scree_thesis_set *set, const char *name)
{
    for (size_t s = 0; s < set->series_count; s++)
        if (strcmp(set->series[s].name, name) == 0)
            return &set->series[s];
    return NULL;
}

static scree_claim *begin_claim(scree_thesis *thesis, int number, const char *id, const char *rows,
                                const char *text)
{
    scree_claim *claim = &thesis->claim[number - 1];
    claim->id = id;
    claim->rows = rows;
    claim->text = text;
    claim->figure[0] = 0;
    claim->pass = false;
    return claim;
}

/*  Both are there; else the claim says what is missing and does not pass. */
static bool find_two(const scree_thesis_set *set, const char *a, const char *b,
                     const scree_thesis_series **first, const scree_thesis_series **second,
                     scree_claim *claim)
{
    *first = scree_thesis_find(set, a);
    *second = scree_thesis_find(set, b);
    if (*first && *second && (*first)->count > 1 && (*second)->count > 1)
        return true;
    scree_claim_say(claim, "not measured: %s or %s is missing", a, b);
    return false;
}

static double exponent_of(const scree_thesis_series *series, size_t from, size_t to)
{
    return scree_fit_exponent(series->x + from, series->ms + from, to - from);
}

/*  Smallest and largest a / b over the points up to x_limit. */
static range ratio_range(const scree_thesis_series *a, const scree_thesis_series *b, double x_limit)
{
    range r = {INFINITY, 0};
    for (size_t k = 0; k < a->count && k < b->count && a->x[k] <= x_limit; k++) {
        double ratio = a->ms[k] / b->ms[k];
        r.low = fmin(r.low, ratio);
        r.high = fmax(r.high, ratio);
    }
    return r;
}

/*  a / b at the first and at the last point they share. */
static range ratio_ends(const scree_thesis_series *a, const scree_thesis_series *b)
{
    size_t last = (a->count < b->count ? a->count : b->count) - 1;
    range r = {a->ms[0] / b->ms[0], a->ms[last] / b->ms[last]};
    return r;
}

/*  Of the search alone: what is left of the step without the update. */
static double search_exponent(const scree_thesis_series *series, size_t from)
{
    double search[SCREE_THESIS_MAX_POINTS];
    for (size_t k = 0; k < series->count; k++)
        search[k] = series->ms[k] - series->ms_update[k];
    return scree_fit_exponent(series->x + from, search + from, series->count - from);
}

static bool is_within(double value, double middle, double tolerance)
{
    return fabs(value - middle) <= tolerance;
}

/*  hashing2 is linear. */
static void judge_hashing2(scree_thesis *thesis)
{
    scree_claim *claim = begin_claim(thesis, 1, "GC-H1", "GC-16 GC-31 GC-33",
                                     "hashing2 approaches linear time: exponent 1.0 +- 0.1");
    const scree_thesis_series *series = scree_thesis_find(&thesis->test1, "hashing2");
    if (!series)
        return;
    double p = exponent_of(series, 0, series->count);
    scree_claim_say(claim, "exponent %.2f over %.0f to %.0f discs", p, series->x[0],
                    series->x[series->count - 1]);
    claim->pass = is_within(p, 1, 0.1);
}

/*  dess, dess2 and hashing approach N sqrt(N). The small N sqrt(N) term of hashing is
    in its exponent, which is to rise with N. */
static void judge_exponents(scree_thesis *thesis)
{
    scree_claim *claim =
        begin_claim(thesis, 2, "GC-H2", "GC-15 GC-31 GC-33",
                    "dess, dess2: exponent 1.5 +- 0.1; hashing: from 1 to 1.5, rising");
    const scree_thesis_series *a, *b, *h = scree_thesis_find(&thesis->test1, "hashing");
    if (!h || !find_two(&thesis->test1, "dess", "dess2", &a, &b, claim))
        return;
    size_t half = h->count / 2;
    double p = exponent_of(a, 0, a->count), q = exponent_of(b, 0, b->count);
    double all = exponent_of(h, 0, h->count), low = exponent_of(h, 0, half + 1);
    double high = exponent_of(h, half, h->count);
    scree_claim_say(claim,
                    "dess %.2f, dess2 %.2f; hashing %.2f: %.2f up to %.0f discs, %.2f beyond", p, q,
                    all, low, h->x[half], high);
    scree_claim_say(claim,
                    "\nfrom %.0f discs on: dess %.2f, dess2 %.2f; their search alone %.2f, %.2f",
                    a->x[half], exponent_of(a, half, a->count), exponent_of(b, half, b->count),
                    search_exponent(a, half), search_exponent(b, half));
    claim->pass =
        is_within(p, 1.5, 0.1) && is_within(q, 1.5, 0.1) && all >= 1 && all <= 1.5 && high > low;
}

/*  dess2 against hashing2, GC-H3, and against hashing, GC-H4. */
static void judge_ratio(scree_thesis *thesis, int number, const char *id, const char *rows,
                        const char *text, const char *other, double limit)
{
    scree_claim *claim = begin_claim(thesis, number, id, rows, text);
    const scree_thesis_series *a, *b;
    if (!find_two(&thesis->test1, "dess2", other, &a, &b, claim))
        return;
    range r = ratio_range(a, b, SMALL_SIZE);
    scree_claim_say(claim, "dess2 / %s is %.2f to %.2f below %d discs", other, r.low, r.high,
                    SMALL_SIZE);
    claim->pass = r.high <= limit;
}

/*  What rearrangement costs, in inversions and in time, and whether dess2 sorts faster than dess. */
static void judge_insertion(scree_thesis *thesis)
{
    scree_claim *claim =
        begin_claim(thesis, 5, "GC-H5", "GC-24 GC-31 GC-36",
                    "rearrangement does not hurt insertion sort: dess2 sorts faster than dess");
    const scree_thesis_series *a, *b;
    if (!find_two(&thesis->test1, "dess", "dess2", &a, &b, claim))
        return;
    double least = INFINITY;
    for (size_t k = 0; k < a->count; k++)
        least = fmin(least, a->ms_update[k] / b->ms_update[k]);
    size_t last = a->count - 1;
    scree_claim_say(claim,
                    "update of dess / dess2 is %.2f at least, %.3f / %.3f ms at %.0f discs;\n"
                    "%.2f inversions a body and step",
                    least, a->ms_update[last], b->ms_update[last], a->x[last],
                    b->inversions[last] / b->x[last]);
    claim->pass = least > 1;
}

/*  The spatial sorts over dess, at the smallest and the largest N. */
static void judge_spatial_sort(scree_thesis *thesis)
{
    static const char *const names[] = {"spatial-sort-1", "spatial-sort-2", "spatial-sort-3"};
    scree_claim *claim =
        begin_claim(thesis, 6, "GC-H6", "GC-31 GC-37",
                    "spatial sorts are slower than dess by a factor that grows with N");
    bool pass = true;
    for (int k = 0; k < 3; k++) {
        const scree_thesis_series *a, *b;
        if (!find_two(&thesis->test1, names[k], "dess", &a, &b, claim))
            return;
        range r = ratio_ends(a, b);
        bool is_slower = r.high > 1, grows = r.high > r.low;
        scree_claim_say(claim, "%s%s / dess: %.2f at %.0f discs, %.2f at %.0f: %s", k ? "\n" : "",
                        names[k], r.low, a->x[0], r.high, a->x[a->count - 1],
                        is_slower && grows ? "as said"
                        : is_slower        ? "slower, but the factor does not grow"
                                           : "faster");
        pass = pass && is_slower && grows;
    }
    claim->pass = pass;
}

/*  Stripes as published, and modified. */
static void judge_stripes(scree_thesis *thesis)
{
    scree_claim *claim =
        begin_claim(thesis, 7, "GC-H7", "GC-29",
                    "naive stripes scale worse than linear; the modified ones do not");
    const scree_thesis_series *a, *b;
    if (!find_two(&thesis->test1, "stripe-sort naive", "stripe-sort", &a, &b, claim))
        return;
    double naive = exponent_of(a, 0, a->count), mended = exponent_of(b, 0, b->count);
    scree_claim_say(claim, "exponent %.2f naive, %.2f mended, over %.0f to %.0f discs", naive,
                    mended, a->x[0], a->x[a->count - 1]);
    const scree_thesis_series *wide_a, *wide_b;
    if (find_two(&thesis->even, "stripe-sort naive", "stripe-sort", &wide_a, &wide_b, claim)) {
        range r = ratio_ends(wide_a, wide_b);
        scree_claim_say(claim, ";\nnaive / mended is %.2f at size ratio 1, %.2f at 32", r.low,
                        r.high);
    }
    claim->pass = naive > 1.1 && mended < naive && mended <= 1.15;
}

static double growth_at(const scree_thesis_series *series, double x)
{
    for (size_t k = 0; k < series->count; k++)
        if (series->x[k] == x)
            return series->ms[k] / series->ms[0];
    return 0;
}

/*  What a spread of sizes costs hashing, and dess2. */
static void judge_size_variation(scree_thesis *thesis)
{
    scree_claim *claim =
        begin_claim(thesis, 8, "GC-H8", "GC-32",
                    "sizes of ratio 4 slow dess2 down less than hashing2 (800 discs)");
    const scree_thesis_series *a, *b;
    if (!find_two(&thesis->test2, "dess2", "hashing2", &a, &b, claim))
        return;
    double dess = growth_at(a, 4), hashing = growth_at(b, 4);
    scree_claim_say(claim, "time(ratio 4) / time(ratio 1): dess2 %.2f, hashing2 %.2f", dess,
                    hashing);
    if (find_two(&thesis->even, "dess2", "hashing2", &a, &b, claim))
        scree_claim_say(claim, "\n(at equal contacts: %.2f, %.2f)", growth_at(a, 4),
                        growth_at(b, 4));
    claim->pass = dess < hashing;
}

/*  dess2 up to ratio 32. */
static void judge_ratio_free(scree_thesis *thesis)
{
    scree_claim *claim =
        begin_claim(thesis, 9, "GC-H9", "GC-32",
                    "dess2 does not depend on the size ratio up to 32: within 1.3 of ratio 1");
    const scree_thesis_series *series = scree_thesis_find(&thesis->even, "dess2");
    const scree_thesis_series *lattice = scree_thesis_find(&thesis->test2, "dess2");
    if (!series || !lattice || series->count < 6)
        return;
    double worst = 0, worst_lattice = 0;
    scree_claim_say(claim, "at equal contacts, ratio 1 to 32:");
    for (size_t k = 0; k < series->count; k++) {
        worst = fmax(worst, series->ms[k] / series->ms[0]);
        worst_lattice = fmax(worst_lattice, lattice->ms[k] / lattice->ms[0]);
        scree_claim_say(claim, " %.2f", series->ms[k] / series->ms[0]);
    }
    scree_claim_say(claim, "\n(on the lattice of Test 2 at most %.2f)", worst_lattice);
    claim->pass = worst <= 1.3;
}

/*  Bodies leave the domain, all methods. */
static void judge_domain(scree_thesis *thesis)
{
    scree_claim *claim =
        begin_claim(thesis, 10, "GC-H10", "GC-19",
                    "bodies that leave the domain: thesis' hashing fails, here all methods pass");
    scree_claim_say(claim, "%u of %u methods find the right pairs in 8 steps of flight",
                    thesis->survived, thesis->left_domain);
    claim->pass = thesis->survived == thesis->left_domain;
}

/*  Candidates over pairs, method by method. */
static void judge_accuracy(scree_thesis *thesis)
{
    static const char *const names[] = {"hashing", "spatial-sort-2", "spatial-sort-3", "dess",
                                        "bounding-volume"};
    scree_claim *claim =
        begin_claim(thesis, 11, "GC-H11", "GC-06",
                    "tested / reported: hashing > spatial-sort-2 > spatial-sort-3 >= dess >= "
                    "bounding-volume");
    double last = INFINITY;
    bool pass = true;
    for (int k = 0; k < 5; k++) {
        const scree_thesis_series *series = scree_thesis_find(&thesis->accuracy, names[k]);
        if (!series || series->count == 0) {
            scree_claim_say(claim, "%s%s missing", k ? ", " : "", names[k]);
            pass = false;
            continue;
        }
        double share = series->tested[0] / series->pairs[0];
        bool may_tie = k >= 3;
        pass = pass && (may_tie ? share <= last : share < last);
        last = share;
        scree_claim_say(claim, "%s%s %.2f", k ? ", " : "", names[k], share);
    }
    claim->pass = pass;
}

static void judge_share(scree_thesis *thesis)
{
    static const char *const names[] = {"hashing2", "dess2", "bounding-volume"};
    scree_claim *claim =
        begin_claim(thesis, 12, "GC-H12", "",
                    "detection is the only part of the step that grows faster than N");
    const scree_thesis_series *any = scree_thesis_find(&thesis->test1, "dess2");
    if (!any || any->count < 2)
        return;
    double rest = scree_fit_exponent(any->x, any->ms_rest, any->count);
    scree_claim_say(claim,
                    "forces and motion: exponent %.2f; share of detection in the step:", rest);
    for (int k = 0; k < 3; k++) {
        const scree_thesis_series *s = scree_thesis_find(&thesis->test1, names[k]);
        if (!s || s->count == 0)
            continue;
        size_t last = s->count - 1;
        scree_claim_say(claim, "\n%s %.0f %% at %.0f discs, %.0f %% at %.0f", names[k],
                        100 * s->ms[0] / (s->ms[0] + s->ms_rest[0]), s->x[0],
                        100 * s->ms[last] / (s->ms[last] + s->ms_rest[last]), s->x[last]);
    }
    claim->pass = rest <= 1.1 && exponent_of(any, 0, any->count) > rest;
}

void scree_thesis_judge(scree_thesis *thesis)
{
    judge_hashing2(thesis);
    judge_exponents(thesis);
    judge_ratio(thesis, 3, "GC-H3", "GC-31 GC-34",
                "dess2 is within a factor of 2 of hashing2 below 12,000 discs", "hashing2", 2);
    judge_ratio(thesis, 4, "GC-H4", "GC-31 GC-35",
                "dess2 is hardly slower than hashing below 12,000 discs: 1.25", "hashing", 1.25);
    judge_insertion(thesis);
    judge_spatial_sort(thesis);
    judge_stripes(thesis);
    judge_size_variation(thesis);
    judge_ratio_free(thesis);
    judge_domain(thesis);
    judge_accuracy(thesis);
    judge_share(thesis);
}
